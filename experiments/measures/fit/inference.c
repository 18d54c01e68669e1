/* experiments/measures/fit/inference.c -- see inference.h
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/fit/inference.h"

#include "common/base/memory.h"
#include "experiments/measures/fit/fit_messages.h"
#include "experiments/measures/fit/thresholds.h"
#include <float.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- residuals --- */

double dls_fit_column_size(const dls_fit_data *data, size_t column)
{
  double sum = 0;
  for (size_t i = 0; i < data->rows; i++) {
    const double x = data->values[i * data->of_count + column];
    sum += x * x;
  }
  return sqrt(sum / (double)data->rows);
}

static double residual(const dls_fit_run *run, size_t row, size_t column)
{
  const size_t i = row * run->spec->data.of_count + column;
  return run->answer.values[i] - run->spec->data.values[i];
}

static double rms(const dls_fit_run *run, size_t column)
{
  const size_t rows = run->spec->data.rows;
  double sum = 0;
  for (size_t i = 0; i < rows; i++) {
    const double r = residual(run, i, column);
    sum += r * r;
  }
  return sqrt(sum / (double)rows);
}

/* sum r_i r_(i+1) / sum r_i^2; NaN if the residuals are too small to be noise. */
static double correlation_next(const dls_fit_run *run, size_t column)
{
  const size_t rows = run->spec->data.rows;
  double next = 0, all = 0;
  for (size_t i = 0; i < rows; i++) {
    const double r = residual(run, i, column);
    all += r * r;
    next += i + 1 < rows ? r * residual(run, i + 1, column) : 0;
  }
  const double size = dls_fit_column_size(&run->spec->data, column);
  return sqrt(all / (double)rows) > threshold_exact_data * size ? next / all : NAN;
}

bool dls_fit_is_noise(const dls_fit_run *run)
{
  const double allowed = threshold_not_noise / sqrt((double)run->spec->data.rows);
  for (size_t j = 0; j < run->spec->data.of_count; j++) {
    if (correlation_next(run, j) > allowed) {
      return false;
    }
  }
  return true;
}

/* N - K of one of several columns. */
static double column_freedom(const dls_fit_data *data, size_t by_count)
{
  return (double)data->rows - (double)by_count / (double)data->of_count;
}

bool dls_fit_estimate_sigma(dls_fit_run *run)
{
  const dls_fit_data *data = &run->spec->data;
  bool settled = true;
  for (size_t j = 0; j < data->of_count; j++) {
    const double size = dls_fit_column_size(data, j), r = rms(run, j);
    const double sigma = r * sqrt((double)data->rows / column_freedom(data, run->spec->by_count));
    const double kept = fmax(sigma, DBL_EPSILON * (size > 0 ? size : 1)); /* data without noise */
    settled = settled && fabs(kept - run->sigma[j]) <= threshold_sigma_settled * kept;
    run->sigma[j] = kept;
  }
  return settled;
}

/* --- intervals --- */

/* The covariance without null directions; what has a part in one of them is not identifiable. */
static void set_covariance(const dls_fit_run *run, const double *S, const double *V, const double *norm,
                           dls_parameter_fit *fit)
{
  const size_t count = fit->by_count;
  for (size_t k = 0; k < count; k++) {
    dls_estimate *estimate = &fit->estimates[k];
    estimate->identifiable =
        dls_least_squares_has_effect(&run->problem, fit->rows, &run->answer, run->minimum.p, k);
    for (size_t l = 0; l < count; l++) {
      const bool null = !(S[l] > threshold_rank * S[0]);
      estimate->identifiable =
          estimate->identifiable && !(null && fabs(V[k * count + l]) > threshold_in_combination);
    }
  }
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < count; j++) {
      double sum = fit->estimates[i].identifiable && fit->estimates[j].identifiable ? 0 : NAN;
      for (size_t l = 0; l < count; l++) {
        if (S[l] > threshold_rank * S[0]) {
          sum += V[i * count + l] * V[j * count + l] / (S[l] * S[l]);
        }
      }
      fit->covariance[i * count + j] = sum / (norm[i] * norm[j]);
    }
  }
}

static void set_estimates(const dls_fit_run *run, dls_parameter_fit *fit)
{
  const dls_option *table = run->spec->model->parameters;
  for (size_t k = 0; k < fit->by_count; k++) {
    dls_estimate *estimate = &fit->estimates[k];
    const double p = run->minimum.p[k], error = sqrt(fit->covariance[k * fit->by_count + k]);
    const double half = fit->quantile * error;
    fit->parameters[dls_option_find(table, run->spec->by[k])] = p;
    estimate->value = p;
    estimate->error = error;
    estimate->low = estimate->identifiable ? fmax(p - half, run->low[k]) : NAN;
    estimate->high = estimate->identifiable ? fmin(p + half, run->high[k]) : NAN;
    estimate->status = run->answer.status[k].status;
  }
}

static dls_status create(const dls_fit_run *run, dls_parameter_fit **out, dls_error *err)
{
  const dls_parameter_fit_spec *spec = run->spec;
  const size_t by = spec->by_count, of = spec->data.of_count, all = dls_option_count(spec->model->parameters);
  dls_parameter_fit *fit = *out = calloc(1, sizeof *fit);
  if (fit != NULL) {
    fit->estimates = calloc(by, sizeof *fit->estimates);
    fit->block = calloc(
        dls_size_sum(dls_size_product(spec->data.rows + 3, of), dls_size_sum(dls_size_product(by, by), all)),
        sizeof *fit->block);
  }
  if (fit == NULL || fit->estimates == NULL || fit->block == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the result of a fit");
  }
  fit->by_count = by;
  fit->of_count = of;
  fit->rows = spec->data.rows;
  fit->parameters = fit->block;
  fit->covariance = fit->parameters + all;
  fit->sigma = fit->covariance + by * by;
  fit->rms = fit->sigma + of;
  fit->correlation_next = fit->rms + of;
  fit->values = fit->correlation_next + of;
  memcpy(fit->parameters, spec->parameters, all * sizeof *fit->parameters);
  memcpy(fit->sigma, run->sigma, of * sizeof *fit->sigma);
  memcpy(fit->values, run->answer.values, fit->rows * of * sizeof *fit->values);
  for (size_t j = 0; j < of; j++) {
    fit->rms[j] = rms(run, j);
    fit->correlation_next[j] = correlation_next(run, j);
  }
  return DLS_OK;
}

dls_status dls_fit_infer(dls_fit_run *run, dls_parameter_fit **out, dls_error *err)
{
  const dls_parameter_fit_spec *spec = run->spec;
  const size_t count = spec->by_count, residuals = spec->data.rows * spec->data.of_count;
  double *block = calloc(dls_size_product(count, residuals + count + 2), sizeof *block);
  if (block == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu residuals", residuals);
  }
  double *U = block, *V = U + residuals * count, *S = V + count * count, *norm = S + count;
  dls_status status = create(run, out, err);
  if (status == DLS_OK) {
    status =
        dls_least_squares_decompose(&run->problem, spec->data.rows, &run->answer, NULL, U, S, V, norm, err);
  }
  if (status == DLS_OK) {
    dls_parameter_fit *fit = *out;
    const double tail = 0.5 * (1 - spec->level);
    fit->freedom = residuals - count;
    fit->quantile =
        spec->sigma != NULL ? gsl_cdf_ugaussian_Qinv(tail) : gsl_cdf_tdist_Qinv(tail, (double)fit->freedom);
    fit->iterations = run->iterations;
    fit->runs = run->answer.runs;
    fit->converged = run->minimum.converged;
    set_covariance(run, S, V, norm, fit);
    set_estimates(run, fit);
    status = dls_fit_write_messages(run, S, V, fit, err);
  }
  free(block);
  if (status != DLS_OK) {
    dls_parameter_fit_destroy(*out);
    *out = NULL;
  }
  return status;
}

void dls_fit_band(const dls_parameter_fit *fit, const double *jacobian, size_t rows, double *half)
{
  const size_t count = fit->by_count;
  for (size_t i = 0; i < rows * fit->of_count; i++) {
    const double *J = jacobian + i * count;
    double variance = 0;
    for (size_t k = 0; k < count; k++) {
      for (size_t l = 0; l < count; l++) {
        variance += J[k] * fit->covariance[k * count + l] * J[l];
      }
    }
    half[i] = fit->quantile * sqrt(variance > 0 ? variance : isnan(variance) ? NAN : 0);
  }
}

void dls_parameter_fit_destroy(dls_parameter_fit *fit)
{
  if (fit != NULL) {
    for (size_t i = 0; i < fit->message_count; i++) {
      free(fit->messages[i]);
    }
    free(fit->messages);
    free(fit->estimates);
    free(fit->block);
    free(fit);
  }
}
