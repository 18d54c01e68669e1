/* experiments/measures/fit/parameter_fit.h -- parameters of a model from measured motions: estimates with confidence intervals by nonlinear
 * least squares (least_squares.h), for data with independent normal noise of equal variance in each column.
 *
 *   C = (J^T diag(sigma)^-2 J)^-1,   p_k -+ t C_kk^(1/2),   t the quantile of Student's law with N - K degrees of freedom
 *
 * or of the normal law if sigma is given. Sources: Bates & Watts 1988, Nonlinear Regression Analysis, sections 2.2 and 2.3.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PARAMETER_FIT_H
#define DELASSUS_EXPERIMENTS_PARAMETER_FIT_H

#include <delassus/choice.h>
#include <delassus/error.h>
#include <delassus/sensitivity.h>
#include <delassus/trajectory.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** Measured values: rows x of_count, row by row. */
typedef struct dls_fit_data {
  size_t rows, of_count;
  const double *t;       /* increasing, >= 0 [s] */
  const double *values;  /* finite */
  const char *const *of; /* "q0", "v1", ... */
} dls_fit_data;

typedef struct dls_parameter_fit_spec {
  const dls_model *model;
  const double
      *parameters; /* one value each: the start of those that are fitted, and the values of the others */
  const dls_scheme_choice *scheme;
  double step;
  dls_fit_data data;
  size_t by_count; /* parameters to be fitted */
  const char *const *by;
  const double *low, *high; /* by_count: ranges inside those of the model; NULL: those of the model */
  const double *sigma;      /* of_count: standard deviations of the noise; NULL: estimated from the residuals */
  double level;             /* of confidence, in (0, 1) */
  double tol;               /* of the iterations, in standard errors, > 0 */
  size_t iterations;        /* at most, of each minimisation; >= 1 */
  size_t starts;   /* >= 1; more than one: further starts are spread over the ranges, which must be finite */
  double relative; /* > 0: derivatives by central differences with this part of a parameter; 0: tangents */
  bool (*poll)(void *data, double t); /* may be NULL */
  void *poll_data;
} dls_parameter_fit_spec;

typedef struct dls_estimate {
  double value, low, high, error; /* confidence interval, standard error; NaN: not identifiable */
  bool identifiable;
  dls_derivative_status status; /* of the derivatives at the estimate */
} dls_estimate;

typedef struct dls_parameter_fit {
  size_t by_count, of_count, rows;
  dls_estimate *estimates;
  double *
      parameters; /* of the model (with the coefficients of its law, as of dls_named_parameters), the estimates among them */
  double *covariance; /* by_count x by_count; NaN where a parameter is not identifiable */
  double *sigma;      /* of_count: given, or estimated */
  double *rms;        /* of_count: root mean square of the residuals */
  double *
      correlation_next; /* of_count: lag-one correlation of the residuals; NaN if they are too small to be noise */
  double *values;       /* rows x of_count: the model at the estimates */
  double quantile;      /* t of the intervals */
  size_t freedom;       /* degrees of freedom N - K */
  size_t iterations, runs;
  bool converged;
  char **messages; /* what a reader of the intervals must know, in order */
  size_t message_count;
  double *block;
} dls_parameter_fit;

/** Are names, ranges and numbers good? The rows of the data are not looked at. @return as dls_parameter_fit_run */
dls_status dls_parameter_fit_check(const dls_parameter_fit_spec *spec, dls_error *err);
/**
 * Fit. If the residuals from the start are not noise, the fit is repeated over growing parts of the data from its beginning, and from
 * further starts; the minimum with the smallest sum of squares counts.
 * @param[out] out  to be destroyed
 * @return DLS_OK, also if a parameter is not identifiable or the iterations did not converge: a message says so; DLS_ERR_ARG for data that
 *         are too few, not finite or not increasing, and for numbers out of range; DLS_ERR_OPTION for names that are unknown;
 *         DLS_ERR_NOT_APPLICABLE if a derivative does not exist; DLS_ERR_MEMORY; DLS_ERR_INTERRUPTED; what the run at the start fails with
 */
dls_status dls_parameter_fit_run(const dls_parameter_fit_spec *spec, dls_parameter_fit **out, dls_error *err);
void dls_parameter_fit_destroy(dls_parameter_fit *fit); /* NULL is fine */

/**
 * The model at the estimates, with half the width of its confidence band, at any increasing times.
 * @param[out] values, half  rows x of_count; half is NaN if a parameter is not identifiable
 */
dls_status dls_parameter_fit_curve(const dls_parameter_fit_spec *spec, const dls_parameter_fit *fit,
                                   size_t rows, const double *t, double *values, double *half, dls_error *err);

/** Tables: parameter,value,low,high; t,q0,... of the data; data, model and half width of its confidence band, t,q0,fit_q0,band_q0,... */
void dls_fit_write_estimates(const dls_parameter_fit_spec *spec, const dls_parameter_fit *fit, FILE *out);
void dls_fit_write_data(const dls_fit_data *data, FILE *out);
/** @return as dls_parameter_fit_curve */
dls_status dls_fit_write_motion(const dls_parameter_fit_spec *spec, const dls_parameter_fit *fit, FILE *out,
                                dls_error *err);

/** Columns of a table as data; both arrays in one block to be freed. */
typedef struct dls_fit_table {
  dls_fit_data data;
  double *block;
  size_t jumps; /* times with two rows, the limits of a jump: both are left out */
  size_t later; /* rows after `until`, left out */
} dls_fit_table;
/**
 * @param[in]  of     the columns to be fitted; borrowed
 * @param[in]  until  [s]; infinite: all
 * @return DLS_OK; DLS_ERR_ARG if a column is missing, or there is no row; DLS_ERR_MEMORY
 */
dls_status dls_fit_table_take(const dls_trajectory *table, const char *name, size_t of_count,
                              const char *const *of, double until, dls_fit_table *out, dls_error *err);

#endif
