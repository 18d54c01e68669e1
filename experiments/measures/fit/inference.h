/* experiments/measures/fit/inference.h -- a fit in progress, and what follows from its minimum: noise, intervals, what is not identifiable,
 * and messages.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_FIT_INFERENCE_H
#define DELASSUS_EXPERIMENTS_FIT_INFERENCE_H

#include "experiments/measures/fit/least_squares.h"
#include "experiments/measures/fit/parameter_fit.h"

typedef struct dls_fit_run {
  const dls_parameter_fit_spec *spec;
  dls_response_spec response;
  dls_least_squares problem;
  dls_response answer; /* at the minimum */
  dls_minimum minimum;
  size_t n, *place;                   /* of the quantities among (q, v) */
  double *low, *high, *start, *sigma; /* in the block */
  double *block;
  size_t iterations, failed_runs, failed_starts; /* of all minimisations */
  dls_error failure;
  bool searched;      /* the minimum from the start values alone was not accepted at once */
  bool other_minimum; /* another attempt has found a smaller one */
  double first_sum;   /* S from the start values alone */
  bool sigma_settled;
} dls_fit_run;

/** Root mean square of a column of data. */
double dls_fit_column_size(const dls_fit_data *data, size_t column);
/** Are the residuals of every column uncorrelated, or too small to be noise? */
bool dls_fit_is_noise(const dls_fit_run *run);
/** sigma := the standard deviations of the residuals, with the degrees of freedom shared by the columns. @return no one has changed */
bool dls_fit_estimate_sigma(dls_fit_run *run);
/** @return DLS_OK; DLS_ERR_MEMORY; as dls_least_squares_decompose */
dls_status dls_fit_infer(dls_fit_run *run, dls_parameter_fit **out, dls_error *err);
/** half[i] := t (J_i C J_i^T)^(1/2) for each quantity and row. */
void dls_fit_band(const dls_parameter_fit *fit, const double *jacobian, size_t rows, double *half);

#endif
