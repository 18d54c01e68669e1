/* experiments/work_study.c -- errors against work: the runs of an order study, fitted over what they cost.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/order_levels.h"
#include <delassus/work.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const dls_work_names[] = {"steps", "problems", "evals", "seconds", NULL};

const char *dls_work_text(dls_against against)
{
  static const char *const texts[] = {[DLS_AGAINST_STEP] = "step h [s]",
                                      [DLS_AGAINST_STEPS] = "steps, rejected ones too",
                                      [DLS_AGAINST_PROBLEMS] = "one-step problems, rejected ones too",
                                      [DLS_AGAINST_EVALS] = "force evaluations + LCP solves + factorizations",
                                      [DLS_AGAINST_SECONDS] = "wall time [s]"};
  return texts[against];
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
  study->line_count = runs->line_count;
  for (size_t i = 0; i < study->line_count; i++) {
    dls_order_line *line = &study->lines[i];
    *line = runs->lines[i];
    const double floor = runs->floors != NULL ? runs->floors[line->of] : 0; /* NULL: there is no run */
    const size_t count = gather(study, line, work, error);
    line->fitted = dls_fit_order(count, work, error, floor, &line->fit, NULL) == DLS_OK;
  }
  free(work);
  return DLS_OK;
}

dls_status dls_work_run(const dls_order_spec *spec, dls_against against, dls_work_study **out, dls_error *err)
{
  *out = NULL;
  dls_work_study *study = calloc(1, sizeof *study);
  if (study == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a work study");
  }
  study->against = against;
  dls_status status = dls_order_run(spec, &study->runs, err);
  status = status != DLS_OK ? status : fit_lines(study, err);
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
    dls_order_destroy(study->runs);
    free(study->lines);
    free(study);
  }
}

double dls_work_needed(const dls_work_study *study, const dls_order_line *line, double error)
{
  double needed = NAN;
  dls_order_level last = {.x = NAN, .median = NAN};
  for (size_t i = 0; i < dls_order_level_count(study->runs, line); i++) {
    dls_order_level level;
    if (dls_order_level_of(study->runs, line, i, study->against, &level, NULL) != DLS_OK) {
      return NAN;
    }
    const double high = fmax(last.median, level.median), low = fmin(last.median, level.median);
    if (last.median > 0 && level.median > 0 && error <= high && error >= low && last.x > 0 && level.x > 0) {
      const double weight = high > low ? log(error / last.median) / log(level.median / last.median) : 1;
      needed = fmin(needed, last.x * pow(level.x / last.x, weight)); /* fmin leaves NaN out */
    }
    last = level;
  }
  return needed;
}

/* Cut the first "OPTION=sweep" out of a list of options. @return whether there was one; name may be cut short */
static bool cut_swept(char *options, char *name, size_t size)
{
  for (char *start = options; *start != '\0';) {
    const size_t length = strcspn(start, ",");
    const size_t before = strcspn(start, "=,");
    if (length == before + strlen("=sweep") && strncmp(start + before, "=sweep", length - before) == 0) {
      snprintf(name, size, "%.*s", (int)before, start);
      char *rest = start + length + (start[length] == ',');
      if (*rest == '\0' && start > options) {
        start--; /* the comma before the last option goes with it */
      }
      memmove(start, rest, strlen(rest) + 1);
      return true;
    }
    start += length + (start[length] == ',');
  }
  return false;
}

dls_status dls_work_choose(const char *text, dls_scheme_choice *out, char *tol_option, size_t size,
                           dls_error *err)
{
  char rest[2 * sizeof out->options], second[8] = "";
  const size_t length = strcspn(text, ":");
  tol_option[0] = '\0';
  snprintf(rest, sizeof rest, "%s", text);
  if (strlen(text) >= sizeof rest || text[length] == '\0' || !cut_swept(rest + length + 1, tol_option, size)) {
    return dls_scheme_choose(text, out, err);
  }
  if (cut_swept(rest + length + 1, second, sizeof second)) {
    return dls_fail(err, DLS_ERR_OPTION, "scheme '%.150s': two options are swept, there can be one", text);
  }
  if (rest[length + 1] == '\0') {
    rest[length] = '\0'; /* no option is left behind the colon */
  }
  const dls_status status = dls_scheme_choose(rest, out, err);
  if (status == DLS_OK && out->scheme->stepping != DLS_BY_EVENT) {
    return dls_fail(err, DLS_ERR_OPTION,
                    "scheme '%.150s': it needs a step from outside, so --steps is swept, not %.40s", text,
                    tol_option);
  }
  return status;
}
