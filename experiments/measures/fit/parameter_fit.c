/* experiments/measures/fit/parameter_fit.c -- checks, starts and passes of a fit.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/fit/parameter_fit.h"

#include "experiments/catalogue/law_parameters.h"
#include "experiments/measures/fit/inference.h"
#include "experiments/measures/fit/thresholds.h"
#include "experiments/measures/gradient/gradient.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PASSES = 20 }; /* for the standard deviations of several columns */
enum { LEAST_ROWS = 4 };   /* of the first part of the data, for each parameter */
static const size_t halton_bases[] = {2, 3, 5, 7, 11, 13, 17, 19};
enum { MOST_SPREAD = sizeof halton_bases / sizeof halton_bases[0] };

/* --- checks --- */

static dls_status check_data(const dls_fit_data *data, size_t by_count, dls_error *err)
{
  if (data->rows * data->of_count <= by_count) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "%zu rows of %zu columns are too few for %zu parameters and the noise: %zu values are needed",
        data->rows, data->of_count, by_count, by_count + 1);
  }
  for (size_t i = 0; i < data->rows; i++) {
    if (!(data->t[i] >= 0) || !isfinite(data->t[i])) {
      return dls_fail(err, DLS_ERR_ARG, "row %zu: t = %g s, allowed is a time >= 0, at which the model starts",
                      i + 1, data->t[i]);
    }
    if (i > 0 && !(data->t[i] > data->t[i - 1])) {
      return dls_fail(err, DLS_ERR_ARG, "row %zu: t = %.17g s after %.17g s, times must increase", i + 1,
                      data->t[i], data->t[i - 1]);
    }
    for (size_t j = 0; j < data->of_count; j++) {
      if (!isfinite(data->values[i * data->of_count + j])) {
        return dls_fail(err, DLS_ERR_ARG, "row %zu, t = %g s: %.40s is not a finite number", i + 1, data->t[i],
                        data->of[j]);
      }
    }
  }
  return data->t[data->rows - 1] > 0 ? DLS_OK
                                     : dls_fail(err, DLS_ERR_ARG, "the last time is 0, the start of the model");
}

static dls_status check_numbers(const dls_parameter_fit_spec *spec, dls_error *err)
{
  if (!(spec->level > 0 && spec->level < 1)) {
    return dls_fail(err, DLS_ERR_ARG, "level = %g is outside (0, 1)", spec->level);
  }
  if (!(spec->tol > 0 && spec->tol < 1)) {
    return dls_fail(err, DLS_ERR_ARG, "tol = %g is outside (0, 1) [standard errors]", spec->tol);
  }
  if (!(spec->relative >= 0 && spec->relative < 1)) {
    return dls_fail(err, DLS_ERR_ARG, "difference:relative = %g is outside (0, 1)", spec->relative);
  }
  if (spec->iterations < 1 || spec->starts < 1) {
    return dls_fail(err, DLS_ERR_ARG, "%zu iterations and %zu starts: at least 1 of each is needed",
                    spec->iterations, spec->starts);
  }
  if (dls_scheme_needs_step(spec->scheme->scheme) && !(spec->step > 0)) {
    return dls_fail(err, DLS_ERR_ARG, "scheme %s needs a step > 0", spec->scheme->scheme->name);
  }
  for (size_t j = 0; spec->sigma != NULL && j < spec->data.of_count; j++) {
    if (!(spec->sigma[j] > 0) || !isfinite(spec->sigma[j])) {
      return dls_fail(err, DLS_ERR_ARG, "sigma of %.40s = %g must be > 0 and finite", spec->data.of[j],
                      spec->sigma[j]);
    }
  }
  return DLS_OK;
}

static dls_status check_by(const dls_parameter_fit_spec *spec, dls_error *err)
{
  if (spec->by_count == 0 || spec->data.of_count == 0) {
    return dls_fail(err, DLS_ERR_ARG, "%s",
                    spec->by_count == 0 ? "no parameter is to be fitted" : "no column is to be fitted");
  }
  for (size_t k = 0; k < spec->by_count; k++) {
    dls_direction direction;
    const dls_status status = dls_direction_create(spec->model, spec->parameters, spec->by[k], &direction, err);
    dls_direction_release(&direction);
    if (status != DLS_OK) {
      return status;
    }
    for (size_t i = 0; i < k; i++) {
      if (strcmp(spec->by[i], spec->by[k]) == 0) {
        return dls_fail(err, DLS_ERR_OPTION, "parameter %.40s is given twice", spec->by[k]);
      }
    }
  }
  return DLS_OK;
}

static dls_status find_places(dls_fit_run *run, dls_error *err)
{
  const dls_parameter_fit_spec *spec = run->spec;
  dls_system *sys = NULL;
  dls_status status = dls_model_create(spec->model, spec->parameters, &sys, err);
  for (size_t j = 0; j < spec->data.of_count && status == DLS_OK; j++) {
    status = dls_quantity_find(sys, spec->data.of[j], &run->place[j], err);
    if (status == DLS_OK && run->place[j] == 2 * sys->n) {
      status = dls_fail(err, DLS_ERR_OPTION, "--of = energy: allowed are q0 to q%zu and v0 to v%zu", sys->n - 1,
                        sys->n - 1);
    }
  }
  run->n = sys != NULL ? sys->n : 0;
  dls_system_destroy(sys);
  return status;
}

/* --- the run of a fit --- */

static double infinite_if_huge(double bound)
{
  return fabs(bound) > 1e300 ? copysign(INFINITY, bound) : bound;
}

/* A bound of the model that is far from the start value and from the default keeps wrong values out, and bounds no estimate: a start inside of
 * such a range would be moved by many times the value. */
static double bound_of_model(double bound, double value, double initial)
{
  const double size = value != 0 || initial != 0 ? fmax(fabs(value), fabs(initial)) : 1;
  return fabs(bound) > threshold_far_bound * size ? copysign(INFINITY, bound) : bound;
}

static dls_status set_ranges(dls_fit_run *run, dls_error *err)
{
  const dls_parameter_fit_spec *spec = run->spec;
  for (size_t k = 0; k < spec->by_count; k++) {
    const dls_option *option = &spec->model->parameters[dls_option_find(spec->model->parameters, spec->by[k])];
    const double value = spec->parameters[option - spec->model->parameters];
    run->low[k] = infinite_if_huge(fmax(bound_of_model(option->min, value, option->initial),
                                        spec->low != NULL ? spec->low[k] : -INFINITY));
    run->high[k] = infinite_if_huge(fmin(bound_of_model(option->max, value, option->initial),
                                         spec->high != NULL ? spec->high[k] : INFINITY));
    if (!(run->low[k] < run->high[k])) {
      return dls_fail(err, DLS_ERR_ARG, "the range of %.40s, [%g, %g], is empty", spec->by[k], run->low[k],
                      run->high[k]);
    }
    if (!(value >= run->low[k] && value <= run->high[k])) {
      return dls_fail(err, DLS_ERR_ARG, "the start value %.40s = %g is outside its range [%g, %g]", spec->by[k],
                      value, run->low[k], run->high[k]);
    }
    if (spec->starts > 1 && (!isfinite(run->low[k]) || !isfinite(run->high[k]))) {
      return dls_fail(
          err, DLS_ERR_ARG,
          "%zu starts are spread over the ranges, and that of %.40s is [%g, %g]: --range %.40s=A:B bounds it",
          spec->starts, spec->by[k], run->low[k], run->high[k], spec->by[k]);
    }
  }
  return spec->starts == 1 || spec->by_count <= MOST_SPREAD
             ? DLS_OK
             : dls_fail(err, DLS_ERR_ARG, "several starts are made for up to %d parameters, not for %zu",
                        MOST_SPREAD, spec->by_count);
}

/* Memory, ranges, places of the columns. */
static dls_status prepare_run(dls_fit_run *run, dls_error *err)
{
  const dls_parameter_fit_spec *spec = run->spec;
  const size_t by = spec->by_count, of = spec->data.of_count;
  run->block = calloc(4 * by + of + 1, sizeof *run->block);
  run->place = calloc(of + 1, sizeof *run->place);
  if (run->block == NULL || run->place == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a fit");
  }
  run->low = run->block;
  run->high = run->low + by;
  run->start = run->high + by;
  run->minimum.p = run->start + by;
  run->sigma = run->minimum.p + by;
  const dls_status status = set_ranges(run, err);
  return status != DLS_OK ? status : find_places(run, err);
}

static dls_status create_run(dls_fit_run *run, dls_error *err)
{
  const dls_parameter_fit_spec *spec = run->spec;
  const dls_status status = prepare_run(run, err);
  if (status != DLS_OK) {
    return status;
  }
  run->response = (dls_response_spec){
      .model = spec->model,
      .scheme = spec->scheme,
      .step = spec->step,
      .rows = spec->data.rows,
      .t = spec->data.t,
      .of_count = spec->data.of_count,
      .of = run->place,
      .by_count = spec->by_count,
      .by = spec->by,
      .relative = spec->relative,
      .poll = spec->poll,
      .poll_data = spec->poll_data,
  };
  run->problem = (dls_least_squares){
      .response = &run->response,
      .parameters = spec->parameters,
      .data = spec->data.values,
      .sigma = run->sigma,
      .low = run->low,
      .high = run->high,
      .tol = spec->tol,
      .iterations = spec->iterations,
  };
  return dls_response_create(&run->response, &run->answer, err);
}

static void release_run(dls_fit_run *run)
{
  dls_response_release(&run->answer);
  free(run->block);
  free(run->place);
}

/* First weights of columns: their size. Data that are 0 throughout have the size 1. */
static void first_sigma(dls_fit_run *run)
{
  const dls_fit_data *data = &run->spec->data;
  for (size_t j = 0; j < data->of_count; j++) {
    const double size = dls_fit_column_size(data, j);
    run->sigma[j] = run->spec->sigma != NULL ? run->spec->sigma[j] : size > 0 ? size : 1;
  }
}

/* --- minima --- */

static void take_start(const dls_fit_run *run, double *p)
{
  const dls_option *table = run->spec->model->parameters;
  for (size_t k = 0; k < run->spec->by_count; k++) {
    p[k] = run->spec->parameters[dls_option_find(table, run->spec->by[k])];
  }
}

/* The digits of index in the base, mirrored at the point: Halton's sequence. */
static double mirrored_digits(size_t index, size_t base)
{
  double value = 0, digit = 1;
  for (; index > 0; index /= base) {
    digit /= (double)base;
    value += digit * (double)(index % base);
  }
  return value;
}

static void spread_start(const dls_fit_run *run, size_t index, double *p)
{
  for (size_t k = 0; k < run->spec->by_count; k++) {
    p[k] = run->low[k] + (run->high[k] - run->low[k]) * mirrored_digits(index, halton_bases[k]);
  }
}

/* Minimise over `rows` rows from run->minimum.p. */
static dls_status minimise(dls_fit_run *run, size_t rows, dls_error *err)
{
  const dls_status status = dls_least_squares_minimise(&run->problem, rows, &run->minimum, &run->answer, err);
  run->iterations += run->minimum.iterations;
  run->failed_runs += run->minimum.failed_runs;
  if (run->minimum.failed_runs > 0) {
    run->failure = run->minimum.failure;
  }
  return status;
}

/* Over growing parts of the data from the beginning, in each from the minimum of the last: so events of the model follow those of the
 * data one after the other. */
static dls_status minimise_growing(dls_fit_run *run, dls_error *err)
{
  const size_t all = run->spec->data.rows;
  size_t rows = LEAST_ROWS * run->spec->by_count;
  dls_status status = DLS_OK;
  for (; rows < all && status == DLS_OK; rows *= 2) {
    if (run->spec->data.t[rows - 1] > 0) {
      status = minimise(run, rows, err);
    }
  }
  return status == DLS_OK ? minimise(run, all, err) : status;
}

/* Does the failure end the whole fit, or only the attempt from one start? */
static bool ends_fit(dls_status status)
{
  return status == DLS_ERR_MEMORY || status == DLS_ERR_INTERRUPTED;
}

/* Keep the present minimum in `best` if it is better. @return whether it is */
static bool keep_better(const dls_fit_run *run, dls_minimum *best)
{
  if (best->sum >= 0 && !(run->minimum.sum < best->sum * (1 - threshold_same_minimum))) {
    return false;
  }
  double *p = best->p;
  *best = run->minimum;
  best->p = p;
  memcpy(p, run->minimum.p, run->spec->by_count * sizeof *p);
  return true;
}

/* Attempts beside the one from the start values: over growing data, and from further starts. */
static dls_status search(dls_fit_run *run, dls_minimum *best, dls_error *first)
{
  dls_status status = DLS_OK;
  for (size_t s = 0; s < run->spec->starts; s++) {
    dls_error why = {0};
    if (s == 0) {
      take_start(run, run->minimum.p);
    } else {
      spread_start(run, s, run->minimum.p);
    }
    status = minimise_growing(run, &why);
    if (ends_fit(status)) {
      *first = why;
      return status;
    }
    run->failed_starts += status != DLS_OK;
    if (status == DLS_OK && keep_better(run, best)) {
      run->other_minimum = true;
    }
  }
  return best->sum >= 0 ? DLS_OK : first->status;
}

static dls_status find_minimum(dls_fit_run *run, dls_error *err)
{
  dls_minimum best = {.p = run->start, .sum = -1};
  take_start(run, run->minimum.p);
  dls_status status = minimise(run, run->spec->data.rows, err);
  if (ends_fit(status)) {
    return status;
  }
  if (status == DLS_OK) {
    keep_better(run, &best);
    run->first_sum = best.sum;
  }
  const bool noise = status == DLS_OK && dls_fit_is_noise(run);
  if (noise && run->spec->starts == 1) {
    return DLS_OK;
  }
  run->searched = true;
  status = search(run, &best, err);
  if (status != DLS_OK) {
    return status;
  }
  memcpy(run->minimum.p, best.p, run->spec->by_count * sizeof *best.p);
  return minimise(run, run->spec->data.rows, err); /* the answer of the best */
}

/* Estimate the standard deviations of the columns, and minimise with them as weights, until they settle. */
static dls_status settle_sigma(dls_fit_run *run, dls_error *err)
{
  dls_status status = DLS_OK;
  bool settled = false;
  if (run->spec->sigma != NULL) {
    return DLS_OK;
  }
  for (int pass = 0; pass < MOST_PASSES && !settled && status == DLS_OK; pass++) {
    settled =
        dls_fit_estimate_sigma(run) || run->spec->data.of_count == 1; /* one weight does not move the minimum */
    if (!settled) {
      status = minimise(run, run->spec->data.rows, err);
    }
  }
  run->sigma_settled = settled;
  return status;
}

static dls_status check_with(const dls_parameter_fit_spec *spec, dls_parameter_fit **out, dls_error *err)
{
  dls_fit_run run = {.spec = spec};
  (void)out;
  dls_status status = check_by(spec, err);
  if (status == DLS_OK) {
    status = prepare_run(&run, err);
  }
  release_run(&run);
  return status;
}

static dls_status fit_with(const dls_parameter_fit_spec *spec, dls_parameter_fit **out, dls_error *err)
{
  dls_fit_run run = {.spec = spec, .sigma_settled = true};
  dls_status status = check_by(spec, err);
  if (status == DLS_OK && (status = check_data(&spec->data, spec->by_count, err)) == DLS_OK &&
      (status = create_run(&run, err)) == DLS_OK) {
    first_sigma(&run);
    if ((status = find_minimum(&run, err)) == DLS_OK && (status = settle_sigma(&run, err)) == DLS_OK) {
      status = dls_fit_infer(&run, out, err);
    }
  }
  release_run(&run);
  return status;
}

/* With the coefficients of the law among the parameters. */
static dls_status with_law(const dls_parameter_fit_spec *spec,
                           dls_status (*perform)(const dls_parameter_fit_spec *spec, dls_parameter_fit **out,
                                                 dls_error *err),
                           dls_parameter_fit **out, dls_error *err)
{
  dls_error own = {0};
  dls_model_choice extended;
  dls_status status = check_numbers(spec, &own);
  if (status == DLS_OK && (status = dls_named_parameters(spec->model, spec->parameters, spec->by_count,
                                                         spec->by, &extended, &own)) == DLS_OK) {
    dls_parameter_fit_spec with = *spec;
    with.model = extended.model;
    with.parameters = extended.parameters;
    status = perform(&with, out, &own);
    dls_model_choice_release(&extended);
  }
  return status == DLS_OK ? DLS_OK : dls_fail(err, status, "%s", own.text);
}

dls_status dls_parameter_fit_check(const dls_parameter_fit_spec *spec, dls_error *err)
{
  return with_law(spec, check_with, NULL, err);
}

dls_status dls_parameter_fit_run(const dls_parameter_fit_spec *spec, dls_parameter_fit **out, dls_error *err)
{
  *out = NULL;
  return with_law(spec, fit_with, out, err);
}

static dls_status curve_with(const dls_parameter_fit_spec *spec, const dls_parameter_fit *fit, double *values,
                             double *half, dls_error *err)
{
  dls_fit_run run = {.spec = spec};
  const size_t rows = spec->data.rows;
  dls_status status = create_run(&run, err);
  if (status == DLS_OK &&
      (status = dls_response_at(&run.response, fit->parameters, rows, &run.answer, err)) == DLS_OK) {
    memcpy(values, run.answer.values, rows * fit->of_count * sizeof *values);
    dls_fit_band(fit, run.answer.jacobian, rows, half);
  }
  release_run(&run);
  return status;
}

dls_status dls_parameter_fit_curve(const dls_parameter_fit_spec *spec, const dls_parameter_fit *fit,
                                   size_t rows, const double *t, double *values, double *half, dls_error *err)
{
  dls_parameter_fit_spec at = *spec;
  dls_model_choice extended;
  dls_status status =
      dls_named_parameters(spec->model, spec->parameters, spec->by_count, spec->by, &extended, err);
  if (status == DLS_OK) {
    at.data.rows = rows;
    at.data.t = t;
    at.model = extended.model;
    at.parameters = extended.parameters;
    status = curve_with(&at, fit, values, half, err);
    dls_model_choice_release(&extended);
  }
  return status;
}
