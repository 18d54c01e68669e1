/* experiments/measures/order/order_lines.c -- medians of the levels of a line; its fit, or the reason why there is none.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/order/order_lines.h"
#include "experiments/measures/order/order_spec.h"
#include "experiments/measures/order/thresholds.h"
#include <float.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* NaN for none. */
static double median_of(double *values, size_t count)
{
  gsl_sort(values, 1, count);
  return count == 0 ? NAN : gsl_stats_median_from_sorted_data(values, 1, count);
}

double dls_order_abscissa(const dls_order_point *point, dls_against against)
{
  const dls_work *work = &point->work;
  switch (against) {
  case DLS_AGAINST_STEPS:
    return (double)(work->steps + work->rejected);
  case DLS_AGAINST_PROBLEMS:
    return (double)(work->problems > 0 ? work->problems : work->steps + work->rejected);
  case DLS_AGAINST_EVALS:
    return (double)(work->force_evals + work->lcp_solves + work->factorizations);
  case DLS_AGAINST_SECONDS:
    return work->wall_seconds;
  case DLS_AGAINST_STEP:
    break;
  }
  return isnan(point->tol) ? point->step : point->tol;
}

dls_status dls_order_level_of(const dls_order_study *study, const dls_order_line *line, size_t level,
                              dls_against against, dls_order_level *out, dls_error *err)
{
  double *errors = malloc(2 * study->spec.repeats * sizeof *errors);
  if (errors == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu errors", study->spec.repeats);
  }
  double *x = errors + study->spec.repeats;
  size_t count = 0;
  size_t x_count = 0;
  *out = (dls_order_level){0};
  for (size_t i = 0; i < study->point_count; i++) {
    const dls_order_point *point = &study->points[i];
    if (!dls_order_on_line(point, line) || point->level != level) {
      continue;
    }
    const bool measured = isfinite(point->error.value);
    out->runs++;
    if (measured || against == DLS_AGAINST_STEP) { /* a run that failed did not do the work for its error */
      x[x_count++] = dls_order_abscissa(point, against);
    }
    if (measured) {
      errors[count++] = point->error.value;
    }
  }
  out->failures = out->runs - count;
  out->x = median_of(x, x_count);
  out->median = median_of(errors, count);
  out->max = count > 0 ? errors[count - 1] : NAN;
  free(errors);
  return DLS_OK;
}

size_t dls_order_level_count(const dls_order_study *study, const dls_order_line *line)
{
  const size_t swept = study->spec.tol_levels > 0 ? study->spec.tol_levels : 1;
  return dls_order_by_event(study, line) ? swept : study->spec.levels;
}

void dls_order_scheme_label(const dls_order_study *study, size_t scheme, char *text, size_t size)
{
  const dls_scheme_choice *choice = &study->spec.schemes[scheme];
  const bool tell = choice->options[0] != '\0';
  snprintf(text, size, "%s%s%s", choice->scheme->name, tell ? ":" : "", tell ? choice->options : "");
}

/* NULL: interrupted before any run. */
static double floor_of(const dls_order_study *study, const dls_order_line *line)
{
  return study->floors == NULL ? 0 : study->floors[line->of];
}

/* The norm of the solution itself; infinite if unknown. */
static double size_of(const dls_order_study *study, const dls_order_line *line)
{
  return study->sizes == NULL ? INFINITY : study->sizes[line->norm * study->spec.of_count + line->of];
}

bool dls_order_explodes(const dls_order_study *study, const dls_order_line *line, double error)
{
  if (dls_derivative_parameter(study->spec.of[line->of]) != NULL) {
    return false; /* that of a step may be far from that of the motion though the run is not */
  }
  return error > threshold_explosion * size_of(study, line); /* not NaN */
}

bool dls_order_at_floor(const dls_order_study *study, const dls_order_line *line, double error)
{
  const double size = study->sizes == NULL ? 0 : size_of(study, line);
  return error <= floor_of(study, line) || error <= threshold_rounding * DBL_EPSILON * size;
}

/* Medians of the levels above the floor. @return their number, in x and error */
static dls_status gather_medians(const dls_order_study *study, dls_against against, const dls_order_line *line,
                                 size_t *count, double *x, double *error, dls_error *err)
{
  const size_t levels = dls_order_level_count(study, line);
  *count = 0;
  for (size_t i = 0; i < levels; i++) {
    dls_order_level level;
    const dls_status status = dls_order_level_of(study, line, i, against, &level, err);
    if (status != DLS_OK) {
      return status;
    }
    if (level.median > floor_of(study, line)) { /* not NaN */
      x[*count] = level.x;
      error[(*count)++] = level.median;
    }
  }
  return DLS_OK;
}

/* Does an interval exclude that errors rise or fall? */
static bool no_order_in(double low, double high)
{
  return low > -DLS_LEAST_ORDER && high < DLS_LEAST_ORDER;
}

static void say_flat(const dls_order_study *study, const char *unknown, const dls_power_law_check *check,
                     dls_order_line *line)
{
  const size_t size = sizeof line->reason;
  if (dls_order_at_floor(study, line, check->typical)) {
    snprintf(line->reason, size, "at its floor: error %.1e at every %s", check->typical, unknown);
  } else if (check->factor > threshold_plateau_scatter || !no_order_in(line->fit.ci_low, line->fit.ci_high)) {
    snprintf(line->reason, size,
             "no order: medians scatter by a factor of up to %.2g around %.2g; 95 %% interval %.2g to %.2g",
             check->factor, check->typical, line->fit.ci_low, line->fit.ci_high);
  } else if (check->typical < size_of(study, line)) {
    snprintf(line->reason, size, "plateau: converges to something else, error %.2g at every %s", check->typical,
             unknown);
  } else {
    snprintf(line->reason, size, "does not converge: error %.2g at every %s, as large as the motion",
             check->typical, unknown);
  }
}

/* Does convergence stop at small steps, or at much work? */
static bool ends(double first, double last)
{
  return first > 0 && fabs(last) <= fmax(threshold_no_order_part * first, threshold_no_order);
}

static void say_bent(const dls_order_study *study, bool by_step, double finest, dls_order_line *line)
{
  const dls_fit *fit = &line->fit;
  const double first = by_step ? fit->order_coarse : -fit->order_fine;
  const double last = by_step ? fit->order_fine : -fit->order_coarse;
  const char *what = by_step ? "order" : "slope";
  const size_t size = sizeof line->reason;
  const double sign = by_step ? 1 : -1, half = by_step ? fit->half_fine : fit->half_coarse;
  if (ends(first, last) && dls_order_at_floor(study, line, finest)) {
    snprintf(line->reason, size, "%s %.2f at first, then at its floor: error %.1e", what, sign * first, finest);
  } else if (ends(first, last) && no_order_in(last - half, last + half)) {
    snprintf(line->reason, size, "plateau: %s %.2f at first, then converges to something else, error %.2g",
             what, sign * first, finest);
  } else {
    snprintf(line->reason, size, "%s %.2f with %s, %.2f with %s", what, sign * first,
             by_step ? "large steps" : "little work", sign * last, by_step ? "small steps" : "much work");
  }
}

/* Smallest of the medians. */
static double least(size_t count, const double *error)
{
  double value = INFINITY;
  for (size_t i = 0; i < count; i++) {
    value = fmin(value, error[i]);
  }
  return value;
}

/* Is the range of work too short to fit a power law? */
static bool is_short(const dls_order_study *study, dls_against against, const dls_order_line *line)
{
  return against != DLS_AGAINST_STEP && dls_order_by_event(study, line) &&
         line->fit.h_max < threshold_shortest_range * line->fit.h_min;
}

static void say_why(const dls_order_study *study, dls_against against, const dls_power_law_check *check,
                    double finest, dls_order_line *line)
{
  const bool by_step = against == DLS_AGAINST_STEP;
  const size_t size = sizeof line->reason;
  switch (check->verdict) {
  case DLS_POWER_LAW_HOLDS:
    break;
  case DLS_POWER_LAW_FLAT:
    say_flat(study, by_step ? "step" : "amount of work", check, line);
    break;
  case DLS_POWER_LAW_UNSURE:
    snprintf(line->reason, size, "its 95 %% interval, %.2g to %.2g, contains 0", line->fit.ci_low,
             line->fit.ci_high);
    break;
  case DLS_POWER_LAW_SCATTERS:
    snprintf(line->reason, size, "medians off any line, by a factor of up to %.2g", check->factor);
    break;
  case DLS_POWER_LAW_BENT:
    say_bent(study, by_step, finest, line);
    break;
  }
}

/* A line without fit. */
static void clear_fit(dls_fit *fit)
{
  *fit = (dls_fit){.order = NAN,
                   .constant = NAN,
                   .ci_low = NAN,
                   .ci_high = NAN,
                   .h_max = NAN,
                   .h_min = NAN,
                   .dropped_floor = fit->dropped_floor,
                   .warn_floor = fit->warn_floor,
                   .order_coarse = NAN,
                   .order_fine = NAN,
                   .half_coarse = NAN,
                   .half_fine = NAN};
}

/* Median of error/x^order over the fitted runs of a level; NaN for none. */
static double constant_of_level(const dls_order_study *study, dls_against against, const dls_order_line *line,
                                size_t level, double *scratch)
{
  size_t count = 0;
  for (size_t i = 0; i < study->point_count; i++) {
    const dls_order_point *point = &study->points[i];
    if (dls_order_on_line(point, line) && point->level == level && point->error.value > floor_of(study, line)) {
      scratch[count++] = point->error.value / pow(dls_order_abscissa(point, against), line->fit.order);
    }
  }
  return count > 0 ? gsl_stats_median(scratch, 1, count) : NAN;
}

/* Median over the levels: half of them are above the line. The mean over all runs would be below nearly all levels if some runs
 * are far better than the others, as where an error changes its sign. */
static double constant_of_levels(const dls_order_study *study, dls_against against, const dls_order_line *line,
                                 double *scratch, double *constants)
{
  size_t count = 0;
  for (size_t level = 0; level < dls_order_level_count(study, line); level++) {
    const double constant = constant_of_level(study, against, line, level, scratch);
    if (isfinite(constant)) {
      constants[count++] = constant;
    }
  }
  return gsl_stats_median(constants, 1, count);
}

/* The line through the medians of the levels that do not explode. */
static dls_status fit_medians(const dls_order_study *study, dls_order_line *line, dls_error *err)
{
  const size_t most = study->point_count + 1;
  double *h = malloc(2 * most * sizeof *h);
  size_t *level = malloc(most * sizeof *level);
  dls_status status = DLS_ERR_MEMORY;
  if (h != NULL && level != NULL) {
    double *error = h + most;
    size_t count = 0;
    for (size_t i = 0; i < study->point_count; i++) {
      const dls_order_point *point = &study->points[i];
      if (dls_order_on_line(point, line) && !dls_order_explodes(study, line, point->error.value)) {
        h[count] = dls_order_abscissa(point, DLS_AGAINST_STEP);
        error[count] = point->error.value;
        level[count++] = point->level;
      }
    }
    status = dls_fit_medians(count, h, error, level, floor_of(study, line), &line->medians, err);
  } else {
    dls_fail(err, status, "no memory for %zu errors", study->point_count);
  }
  free(h);
  free(level);
  return status == DLS_ERR_ARG ? DLS_OK : status; /* one median above the floor: no line through them */
}

static dls_status judge(const dls_order_study *study, dls_against against, dls_order_line *line, dls_error *err)
{
  const size_t levels = dls_order_level_count(study, line);
  double *x = malloc((2 * levels + study->spec.repeats + 2) * sizeof *x);
  if (x == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the medians of %zu levels", levels);
  }
  double *error = x + levels + 1, *points = error + levels + 1;
  size_t count = 0;
  dls_power_law_check check = {.verdict = DLS_POWER_LAW_HOLDS};
  dls_status status = gather_medians(study, against, line, &count, x, error, err);
  status = status != DLS_OK ? status : dls_fit_judge(&line->fit, count, x, error, &check, err);
  const bool law = status == DLS_OK && check.levels > 0 && check.verdict == DLS_POWER_LAW_HOLDS;
  line->fitted = law && !is_short(study, against, line);
  if (line->fitted) {
    line->fit.constant = constant_of_levels(study, against, line, points, x);
  } else if (law) {
    snprintf(line->reason, sizeof line->reason,
             "the work grows only by a factor of %.2g, too little to fit a power law",
             line->fit.h_max / line->fit.h_min);
  } else if (status == DLS_OK && check.levels == 0) { /* single runs are above the floor, no level is */
    snprintf(line->reason, sizeof line->reason, "at its floor: no median error above %.1e",
             floor_of(study, line));
  } else {
    say_why(study, against, &check, least(count, error), line);
  }
  free(x);
  return status;
}

/* Leave out the runs that exploded. @return the number of those that are left */
static size_t drop_exploded(const dls_order_study *study, size_t count, double *x, double *error,
                            dls_order_line *line)
{
  size_t kept = 0;
  line->exploded = 0;
  line->exploded_from = INFINITY;
  for (size_t i = 0; i < count; i++) {
    if (dls_order_explodes(study, line, error[i])) {
      line->exploded++;
      line->exploded_from = fmin(line->exploded_from, x[i]);
    } else {
      x[kept] = x[i];
      error[kept++] = error[i];
    }
  }
  return kept;
}

dls_status dls_order_fit(const dls_order_study *study, dls_against against, size_t count, double *x,
                         double *error, dls_order_line *line, dls_error *err)
{
  const size_t kept = drop_exploded(study, count, x, error, line);
  const dls_status fitted = dls_fit_order(kept, x, error, floor_of(study, line), &line->fit, err);
  dls_status status = fitted == DLS_ERR_MEMORY ? fitted : DLS_OK;
  line->reason[0] = '\0';
  line->fitted = false;
  line->medians = dls_median_fit_none();
  if (fitted == DLS_OK) {
    status = judge(study, against, line, err);
    status = status == DLS_OK && line->fitted && against == DLS_AGAINST_STEP ? fit_medians(study, line, err)
                                                                             : status;
  } else if (line->exploded > 0) {
    snprintf(line->reason, sizeof line->reason,
             "explodes: error of more than %g times the motion in %zu of %zu runs", threshold_explosion,
             line->exploded, count);
  } else if (line->fit.points == 0 && line->fit.warn_floor) {
    snprintf(line->reason, sizeof line->reason, "at its floor: no error above %.1e", floor_of(study, line));
  } else {
    snprintf(line->reason, sizeof line->reason, "fewer than 3 errors above the floor at 2 different %s",
             against == DLS_AGAINST_STEP ? "steps" : "amounts of work");
  }
  if (!line->fitted) {
    clear_fit(&line->fit);
  }
  return status;
}
