/* experiments/measures/order_levels.c -- medians over the repeats of a level.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/order_levels.h"
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

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
