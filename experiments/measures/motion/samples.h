/* experiments/measures/motion/samples.h -- gaps, their velocities and smooth accelerations at every row of a trajectory.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_JUDGE_SAMPLES_H
#define DELASSUS_EXPERIMENTS_JUDGE_SAMPLES_H

#include <delassus/model.h>
#include <delassus/trajectory.h>

typedef struct dls_samples {
  size_t rows, n, m, d;
  bool measured_v;   /* v is that of the file; else differences of q */
  double *t;         /* rows */
  double *q, *v;     /* rows x n */
  double *force;     /* rows x n: all smooth forces */
  double *kinetic;   /* rows [J] */
  double *g, *u, *a; /* rows x m: gap, its velocity, its acceleration without contact forces */
  double *slip;      /* rows x (d - 1) m: along the tangents, mean since the row before */
  double *tangent;   /* rows x (d - 1) m: slip velocity of v */
  double *block;     /* owns them */
} dls_samples;

/** Rows with t <= end. @return as dls_motion_measure; cleared in any case by dls_samples_clear */
dls_status dls_samples_take(const dls_system *sys, const dls_trajectory *traj, double end, dls_samples *out,
                            dls_error *err);
void dls_samples_clear(dls_samples *samples);

#endif
