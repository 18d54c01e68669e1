/* experiments/measures/motion_parts.h -- what the parts of the measurement of a motion share.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_JUDGE_MOTION_PARTS_H
#define DELASSUS_EXPERIMENTS_JUDGE_MOTION_PARTS_H

#include "experiments/measures/motion.h"
#include "experiments/measures/samples.h"

/** Between which rows a contact force acts. */
typedef struct dls_pushes {
  const dls_samples *samples;
  double length; /* of the model [m] */
  double *scale; /* m: largest |u| of each contact */
} dls_pushes;

/** @return DLS_ERR_MEMORY; scale is to be freed */
dls_status dls_pushes_take(dls_pushes *pushes, double length, dls_error *err);
/** Does contact j have a force between rows k and k + 1? */
bool dls_motion_pushed(const dls_pushes *pushes, size_t j, size_t k);

/** Median, NaN for none; sorts. */
double dls_motion_median(double *values, size_t count);

/** The figures of rest and stick. */
void dls_motion_creep(const dls_system *sys, const dls_samples *s, const dls_trajectory *reference,
                      dls_motion *out);
/** The figure of flights. @return DLS_ERR_MEMORY */
dls_status dls_motion_flights(const dls_pushes *pushes, dls_motion *out, dls_error *err);

#endif
