/* experiments/measures/spectrum/spectrum_runs.h -- runs of the oscillator, and the linear recurrence that their nodes follow.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_SPECTRUM_RUNS_H
#define DELASSUS_EXPERIMENTS_SPECTRUM_RUNS_H

#include "experiments/measures/spectrum/spectrum.h"

/* Runs from q = 1; from v = omega; from rest under the load omega^2 at t = 0 alone, which gives what a scheme keeps beside q and
 * v a value of its own; from q = 0.6, v = -0.8 omega; from rest under the loads omega^2 cos and omega^2 sin. */
enum {
  DLS_FROM_Q,
  DLS_FROM_V,
  DLS_FROM_PULSE,
  DLS_FROM_BOTH,
  DLS_UNDER_COSINE,
  DLS_UNDER_SINE,
  DLS_SPECTRUM_RUNS
};
enum {
  DLS_SPECTRUM_ROWS = DLS_SPECTRUM_STATES / 2, /* a node has two numbers */
  DLS_SPECTRUM_STEPS = 2 * DLS_SPECTRUM_ROWS + 4
};

/* Nodes 0..steps of a run, y[2 k] = q, y[2 k + 1] = v/omega. */
typedef struct dls_spectrum_nodes {
  double y[2 * (DLS_SPECTRUM_STEPS + 1)];
} dls_spectrum_nodes;

/* @return as dls_spectrum_measure */
dls_status dls_spectrum_simulate(const dls_scheme_choice *choice, double ratio,
                                 const dls_spectrum_oscillator *oscillator, int run, size_t steps,
                                 dls_spectrum_nodes *out, dls_error *err);

/* Eigenvalues of the least linear recurrence of the nodes 1..DLS_SPECTRUM_STEPS of three runs, by Ho and Kalman's realization:
 * the block Hankel matrices [y_(i + j + 1)] = O R and [y_(i + j + 2)] = O A R have the same factors.
 * @param[in]  rounding  singular values below this part of the largest are rounding
 * @param[out] out       states, re, im
 * @return DLS_OK; DLS_ERR_NOT_APPLICABLE if there is none of DLS_SPECTRUM_STATES states or fewer; DLS_ERR_MEMORY */
dls_status dls_spectrum_realize(const dls_spectrum_nodes *runs, double rounding, dls_spectrum_point *out,
                                dls_error *err);

#endif
