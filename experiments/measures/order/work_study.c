/* experiments/measures/order/work_study.c -- errors against work: the runs of a study, fitted over their cost.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/order/order_lines.h"
#include <delassus/work.h>
#include <math.h>
#include <stdlib.h>

const char *const dls_work_names[] = {"steps", "problems", "evals", "seconds", NULL};

const char *dls_work_name(dls_against against)
{
  return dls_work_names[against - DLS_AGAINST_STEPS];
}

const char *dls_work_text(dls_against against)
{
  static const char *const texts[] = {"steps, rejected ones too", "one-step problems, rejected ones too",
                                      "force evaluations + LCP solves + factorizations", "wall time [s]"};
  return texts[against - DLS_AGAINST_STEPS];
}

/* The work and the errors of the runs of a line that have both. @return their number */
static size_t gather(const dls_work_study *study, const dls_order_line *line, double *work, double *error)
{
  size_t count = 0;
  for (size_t i = 0; i < study->runs->point_count; i++) {
    const dls_order_point *point = &study->runs->points[i];
    const double x = dls_order_abscissa(point, study->against);
    if (dls_order_on_line(point, line) && isfinite(point->error.value) && x > 0) {
      work[count] = x;
      error[count++] = point->error.value;
    }
  }
  return count;
}

static dls_status fit_lines(dls_work_study *study, dls_error *err)
{
  const dls_order_study *runs = study->runs;
  double *work = malloc(2 * (runs->point_count + 1) * sizeof *work);
  study->lines = calloc(runs->line_count, sizeof *study->lines);
  if (work == NULL || study->lines == NULL) {
    free(work);
    return dls_fail(err, DLS_ERR_MEMORY, "no memory to fit %zu errors", runs->point_count);
  }
  double *error = work + runs->point_count + 1;
  dls_status status = DLS_OK;
  study->line_count = runs->line_count;
  for (size_t i = 0; i < study->line_count && status == DLS_OK; i++) {
    dls_order_line *line = &study->lines[i];
    *line =
        (dls_order_line){.scheme = runs->lines[i].scheme, .norm = runs->lines[i].norm, .of = runs->lines[i].of};
    status = dls_order_fit(runs, study->against, gather(study, line, work, error), work, error, line, err);
  }
  free(work);
  return status;
}

dls_status dls_work_fit(const dls_order_study *runs, dls_against against, dls_work_study **out, dls_error *err)
{
  *out = NULL;
  if (against == DLS_AGAINST_STEP) {
    return dls_fail(err, DLS_ERR_ARG, "work study: the step is not a measure of work");
  }
  dls_work_study *study = calloc(1, sizeof *study);
  if (study == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a work study");
  }
  study->runs = runs;
  study->against = against;
  const dls_status status = fit_lines(study, err);
  if (status != DLS_OK) {
    dls_work_destroy(study);
    return status;
  }
  *out = study;
  return DLS_OK;
}

void dls_work_destroy(dls_work_study *study)
{
  if (study != NULL) {
    free(study->lines);
    free(study);
  }
}

/* Work at an error between those of two neighbouring levels; NaN if it is not between them. */
static double between(const dls_order_level *a, const dls_order_level *b, double error)
{
  const double high = fmax(a->median, b->median), low = fmin(a->median, b->median);
  if (!(a->median > 0 && b->median > 0 && a->x > 0 && b->x > 0 && error <= high && error >= low)) {
    return NAN;
  }
  const double weight = high > low ? log(error / a->median) / log(b->median / a->median) : 1;
  return a->x * pow(b->x / a->x, weight);
}

/* A line is extrapolated by at most this factor beyond the largest work. */
static const double extrapolation_most = 10;

dls_work_need dls_work_needed(const dls_work_study *study, const dls_order_line *line, double error)
{
  double measured = NAN, cheapest = NAN; /* fmin leaves NaN out */
  dls_order_level last = {.x = NAN, .median = NAN}, level = last;
  for (size_t i = 0; i < dls_order_level_count(study->runs, line); i++, last = level) {
    if (dls_order_level_of(study->runs, line, i, study->against, &level, NULL) != DLS_OK) {
      return (dls_work_need){NAN, DLS_NEED_NO_MEMORY};
    }
    measured = fmin(measured, between(&last, &level, error));
    if (level.median <= error) {
      cheapest = fmin(cheapest, level.x);
    }
  }
  if (isfinite(measured)) {
    return (dls_work_need){fmin(measured, cheapest), DLS_NEED_MEASURED};
  }
  if (isfinite(cheapest)) {
    return (dls_work_need){cheapest, DLS_NEED_AT_MOST};
  }
  const bool falls = line->fitted && line->fit.ci_high < 0;
  const double work = falls ? pow(error / line->fit.constant, 1 / line->fit.order) : NAN;
  return (dls_work_need){work <= extrapolation_most * line->fit.h_max ? work : NAN, DLS_NEED_EXTRAPOLATED};
}
