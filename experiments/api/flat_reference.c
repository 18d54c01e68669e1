/* experiments/api/flat_reference.c -- a reference that is kept, distances of runs from it and fitted lines, in plain C types. The numbers are
 * those of `order`: each pair of a norm and a quantity is the job of a study without schemes, whose reference is the one that is kept.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/flat.h>

#include "experiments/api/flat_internal.h"
#include "experiments/measures/order/order_derivatives.h"
#include "experiments/measures/order/order_remarks.h"
#include "experiments/measures/order/order_runs.h"
#include "experiments/measures/order/order_study.h"
#include "experiments/measures/order/published_order.h"
#include <delassus/work.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A norm of a quantity, with all that does not depend on a run: graph of the reference, floor of errors, and their size once a line is fitted. */
typedef struct measure {
  struct measure *next;
  dls_norm_choice norm;
  char of[64];
  dls_order_job job;
} measure;

struct dls_flat_reference {
  const dls_catalogue *catalogue;
  dls_model_choice choice;
  double end;
  dls_reference reference;
  bool exact;
  measure *measures;
};

static dls_order_spec spec_of(const dls_flat_reference *ref)
{
  return (dls_order_spec){.model = ref->choice.model,
                          .catalogue = ref->catalogue,
                          .parameters = ref->choice.parameters,
                          .end = ref->end,
                          .repeats = 1,
                          .metric = dls_metric_default};
}

/* --- the reference --- */

typedef struct caller {
  int (*poll)(void *data, double done);
  void *data;
  double end;
} caller;

static bool poll_caller(void *data, double t)
{
  const caller *c = data;
  return c->poll == NULL || c->poll(c->data, t / c->end) != 0;
}

static dls_status check_quantities(size_t count, const char *const *of, dls_error *err)
{
  for (size_t i = 0; i < count; i++) {
    if (of[i] == NULL || dls_derivative_parameter(of[i]) != NULL) {
      return dls_fail(err, DLS_ERR_ARG, "of = %.60s: it must be a quantity of each row, not a derivative",
                      of[i] != NULL ? of[i] : "NULL");
    }
  }
  return DLS_OK;
}

static dls_status make_reference(dls_flat_reference *ref, dls_reference_kind kind, size_t of_count,
                                 const char *const *of, caller *own, dls_error *err)
{
  static const char *const usual[] = {"q", "v"};
  dls_system *sys = NULL;
  dls_order_spec spec = spec_of(ref);
  spec.reference = kind;
  spec.of_count = of_count > 0 ? of_count : sizeof usual / sizeof usual[0];
  spec.of = of_count > 0 ? of : usual;
  dls_status status = check_quantities(spec.of_count, spec.of, err);
  if (status == DLS_OK && !(ref->end > 0 && ref->end < INFINITY)) {
    status = dls_fail(err, DLS_ERR_ARG, "end = %g s is not allowed: it must be > 0 and finite", ref->end);
  }
  status = status != DLS_OK ? status : dls_model_create(ref->choice.model, ref->choice.parameters, &sys, err);
  status = status != DLS_OK ? status : dls_reference_make(&spec, sys, poll_caller, own, &ref->reference, err);
  ref->exact =
      kind == DLS_REFERENCE_EXACT && dls_catalogue_exact(ref->catalogue, ref->choice.model->name) != NULL;
  dls_system_destroy(sys);
  return status;
}

int dls_flat_reference_create(const dls_catalogue *catalogue, const char *model, size_t count,
                              const char *const *settings, double end, int kind, size_t of_count,
                              const char *const *of, int (*poll)(void *poll_data, double done), void *poll_data,
                              dls_flat_reference **out, char *error, size_t size)
{
  dls_error err = {0};
  caller own = {poll, poll_data, end};
  dls_flat_reference *ref = calloc(1, sizeof *ref);
  *out = NULL;
  if (ref == NULL) {
    return dls_flat_report(dls_fail(&err, DLS_ERR_MEMORY, "no memory for a reference"), &err, error, size);
  }
  ref->catalogue = catalogue;
  ref->end = end;
  dls_status status = kind >= DLS_REFERENCE_EXACT && kind <= DLS_REFERENCE_EVENT_DRIVEN
                          ? dls_flat_choose(catalogue, model, count, settings, &ref->choice, &err)
                          : dls_fail(&err, DLS_ERR_ARG, "kind = %d is outside [0, 1]", kind);
  status = status != DLS_OK ? status : make_reference(ref, (dls_reference_kind)kind, of_count, of, &own, &err);
  if (status == DLS_OK) {
    *out = ref;
  } else {
    dls_flat_reference_free(ref);
  }
  return dls_flat_report(status, &err, error, size);
}

static void free_measure(measure *m)
{
  dls_order_end(&m->job);
  dls_order_destroy(m->job.study);
  free(m);
}

void dls_flat_reference_free(dls_flat_reference *reference)
{
  if (reference == NULL) {
    return;
  }
  for (measure *m = reference->measures, *next; m != NULL; m = next) {
    next = m->next;
    free_measure(m);
  }
  dls_reference_clear(&reference->reference);
  dls_model_choice_release(&reference->choice);
  free(reference);
}

const dls_trajectory *dls_flat_reference_rows(const dls_flat_reference *reference)
{
  return reference->reference.traj;
}

const char *dls_flat_reference_text(const dls_flat_reference *reference)
{
  return reference->reference.text;
}

int dls_flat_reference_exact(const dls_flat_reference *reference)
{
  return reference->exact;
}

double dls_flat_reference_error(const dls_flat_reference *reference)
{
  return reference->reference.error;
}

/* --- distances --- */

static dls_status begin_measure(const dls_flat_reference *ref, measure *m, dls_error *err)
{
  const dls_norm *norm = &m->norm.norm;
  const char *const of = m->of;
  dls_order_spec spec = spec_of(ref);
  spec.norm_count = spec.of_count = 1;
  spec.norms = &norm;
  spec.of = &of;
  return dls_order_begin_with(&spec, &ref->reference, &m->job, err);
}

/* The measure of a norm and a quantity; it is made when first asked for. */
static dls_status find_measure(dls_flat_reference *ref, const char *norm, const char *of, measure **out,
                               dls_error *err)
{
  dls_norm_choice choice;
  dls_status status = check_quantities(1, &of, err);
  status = status != DLS_OK ? status : dls_flat_choose_norm(norm, &choice, err);
  if (status != DLS_OK) {
    return status;
  }
  for (measure *m = ref->measures; m != NULL; m = m->next) {
    if (strcmp(m->norm.norm.name, choice.norm.name) == 0 && strcmp(m->of, of) == 0) {
      *out = m;
      return DLS_OK;
    }
  }
  measure *m = calloc(1, sizeof *m);
  if (m == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the norm %.60s", norm);
  }
  status = dls_flat_choose_norm(norm, &m->norm, err); /* in place: its name may be a member */
  if (status == DLS_OK && (size_t)snprintf(m->of, sizeof m->of, "%s", of) >= sizeof m->of) {
    status = dls_fail(err, DLS_ERR_ARG, "of = %.60s... has more than %zu characters", of, sizeof m->of - 1);
  }
  status = status != DLS_OK ? status : begin_measure(ref, m, err);
  if (status != DLS_OK) {
    free_measure(m);
    return status;
  }
  m->next = ref->measures;
  *out = ref->measures = m;
  return DLS_OK;
}

static dls_status check_run(const dls_flat_reference *ref, const dls_trajectory *run, dls_error *err)
{
  const dls_trajectory *own = ref->reference.traj;
  if (run == NULL) {
    return dls_fail(err, DLS_ERR_ARG, "there is no run to measure: run = NULL");
  }
  return run->n == own->n && run->m == own->m
             ? DLS_OK
             : dls_fail(err, DLS_ERR_ARG,
                        "the run has %zu coordinates and %zu contacts, its reference %zu and %zu: they are of "
                        "different models",
                        run->n, run->m, own->n, own->m);
}

int dls_flat_distance(dls_flat_reference *reference, const dls_trajectory *run, const char *norm,
                      const char *of, double values[2], char *error, size_t size)
{
  dls_error err = {0};
  measure *m = NULL;
  dls_order_point point = {0};
  values[0] = values[1] = NAN;
  dls_status status = check_run(reference, run, &err);
  status = status != DLS_OK ? status : find_measure(reference, norm, of, &m, &err);
  if (status == DLS_OK) {
    const dls_order_inputs inputs = {
        .spec = &m->job.study->spec, .sys = m->job.sys, .prepared = m->job.prepared};
    status = dls_order_measure(&inputs, run, 0, &point);
    if (status == DLS_OK && point.reason[0] != '\0') {
      status = DLS_ERR_NOT_APPLICABLE;
    }
    if (status != DLS_OK) {
      dls_fail(&err, status, "%s", point.reason);
    }
    values[0] = point.error.value;
    values[1] = point.error.bound;
  }
  return dls_flat_report(status, &err, error, size);
}

int dls_flat_distance_unit(dls_flat_reference *reference, const char *norm, const char *of, char *unit,
                           size_t unit_size, char *error, size_t size)
{
  dls_error err = {0};
  measure *m = NULL;
  char words[60] = "";
  const dls_status status = find_measure(reference, norm, of, &m, &err);
  if (status == DLS_OK) {
    dls_order_error_unit(&m->norm.norm, m->job.study->units[0], words);
  }
  const size_t length = strlen(words); /* " [...]" */
  snprintf(unit, unit_size, "%.*s", length > 3 ? (int)length - 3 : 0, length > 3 ? words + 2 : "");
  return dls_flat_report(status, &err, error, size);
}

/* --- lines --- */

/* What x is. */
static dls_status read_against(const char *text, dls_against *out, dls_error *err)
{
  *out = DLS_AGAINST_STEP;
  for (size_t i = 0; text != NULL && dls_work_names[i] != NULL; i++) {
    if (strcmp(text, dls_work_names[i]) == 0) {
      *out = (dls_against)(DLS_AGAINST_STEPS + i);
      return DLS_OK;
    }
  }
  return text == NULL || strcmp(text, "step") == 0
             ? DLS_OK
             : dls_fail(err, DLS_ERR_OPTION,
                        "against = '%.60s': it must be step, steps, problems, evals or seconds", text);
}

/* Levels, and the largest number of runs of one. */
static dls_status count_levels(const dls_flat_points *points, dls_against against, size_t *levels,
                               size_t *repeats, dls_error *err)
{
  enum { MOST = 100000 };
  *levels = points->count;
  *repeats = 1;
  if (points->x == NULL || points->errors == NULL) {
    return dls_fail(err, DLS_ERR_ARG, "the points have no %s: it is NULL", points->x == NULL ? "x" : "errors");
  }
  if (points->count == 0 || points->count > MOST) {
    return dls_fail(err, DLS_ERR_ARG, "count = %zu points is outside [1, %d]", points->count, MOST);
  }
  for (size_t i = 0; i < points->count; i++) {
    const double x = points->x[i];
    const bool counted = against != DLS_AGAINST_STEP && against != DLS_AGAINST_SECONDS;
    if (!(x > 0 && x < INFINITY) || (counted && x != floor(x))) {
      return dls_fail(err, DLS_ERR_ARG, "x = %g of point %zu is not allowed: it must be > 0 and finite%s", x, i,
                      counted ? ", and an integer" : "");
    }
    if (points->level != NULL && points->level[i] >= points->count) {
      return dls_fail(err, DLS_ERR_ARG, "level %zu of point %zu is outside [0, %zu]", points->level[i], i,
                      points->count - 1);
    }
  }
  for (size_t i = 0; points->level != NULL && i < points->count; i++) {
    size_t runs = 0;
    for (size_t j = 0; j < points->count; j++) {
      runs += points->level[j] == points->level[i];
    }
    *repeats = runs > *repeats ? runs : *repeats;
  }
  return DLS_OK;
}

static void put_points(const dls_flat_points *points, dls_against against, dls_order_study *study)
{
  for (size_t i = 0; i < points->count; i++) {
    const double x = points->x[i], error = isfinite(points->errors[i]) ? points->errors[i] : NAN;
    dls_order_point *point = &study->points[i];
    *point = (dls_order_point){.level = points->level != NULL ? points->level[i] : i,
                               .step = against == DLS_AGAINST_STEP ? x : NAN,
                               .tol = NAN,
                               .error = {error, isnan(error) ? NAN : 0},
                               .value = NAN,
                               .exact = NAN,
                               .limit_error = {NAN, NAN},
                               .quality.contact = dls_contact_quality_none()};
    point->work.steps = against == DLS_AGAINST_STEPS ? (size_t)x : 0;
    point->work.problems = against == DLS_AGAINST_PROBLEMS ? (size_t)x : 0;
    point->work.force_evals = against == DLS_AGAINST_EVALS ? (size_t)x : 0;
    point->work.wall_seconds = against == DLS_AGAINST_SECONDS ? x : NAN;
  }
  study->point_count = points->count;
  study->complete = true;
}

static void put_line(const dls_order_line *line, dls_against against, double values[DLS_FLAT_LINE_VALUES])
{
  const dls_fit *fit = &line->fit;
  const bool step = against == DLS_AGAINST_STEP;
  const dls_median_fit none = dls_median_fit_none();
  const dls_median_fit *medians = step ? &line->medians : &none;
  const double all[DLS_FLAT_LINE_VALUES] = {
      [DLS_FLAT_LINE_FITTED] = line->fitted,
      [DLS_FLAT_LINE_ORDER] = fit->order,
      [DLS_FLAT_LINE_LOW] = fit->ci_low,
      [DLS_FLAT_LINE_HIGH] = fit->ci_high,
      [DLS_FLAT_LINE_CONSTANT] = fit->constant,
      [DLS_FLAT_LINE_X_MIN] = fit->h_min,
      [DLS_FLAT_LINE_X_MAX] = fit->h_max,
      [DLS_FLAT_LINE_POINTS] = (double)fit->points,
      [DLS_FLAT_LINE_MEDIAN] = medians->order,
      [DLS_FLAT_LINE_MEDIAN_LOW] = medians->ci_low,
      [DLS_FLAT_LINE_MEDIAN_HIGH] = medians->ci_high,
      [DLS_FLAT_LINE_PUBLISHED] = step ? line->published : NAN,
      [DLS_FLAT_LINE_DECIMALS] = step ? dls_published_order_decimals(line, fit->ci_low, fit->ci_high) : 2,
  };
  memcpy(values, all, sizeof all);
}

/* A study with the points of one line, fitted. */
static dls_status fit(measure *m, const dls_flat_points *points, dls_against against, size_t levels,
                      size_t repeats, const dls_scheme_choice *choice, dls_order_study **out, dls_error *err)
{
  const dls_order_study *like = m->job.study;
  dls_order_spec spec = like->spec;
  spec.scheme_count = 1;
  spec.schemes = choice;
  spec.levels = spec.tol_levels = levels;
  spec.repeats = repeats;
  dls_status status = like->sizes == NULL ? dls_order_measure_sizes(&m->job, err) : DLS_OK;
  if (status == DLS_OK) {
    status = dls_order_create(&spec, out, err);
  }
  if (status == DLS_OK) {
    status = dls_order_set_floors(*out, like, like->floors[0], err);
  }
  if (status == DLS_OK) {
    (*out)->impacts = like->impacts;
    put_points(points, against, *out);
    status = dls_order_fit_lines(*out, err);
  }
  return status;
}

static dls_status report_line(const dls_order_study *study, dls_against against,
                              double values[DLS_FLAT_LINE_VALUES], char *words, size_t words_size,
                              dls_error *err)
{
  if (against == DLS_AGAINST_STEP) {
    char remarks[300];
    const dls_status status = dls_order_remarks(study, &study->lines[0], remarks, sizeof remarks, err);
    put_line(&study->lines[0], against, values);
    snprintf(words, words_size, "%s", remarks);
    return status;
  }
  dls_work_study *work = NULL;
  const dls_status status = dls_work_fit(study, against, &work, err);
  if (status == DLS_OK) {
    put_line(&work->lines[0], against, values);
    snprintf(words, words_size, "%s", work->lines[0].reason);
  }
  dls_work_destroy(work);
  return status;
}

int dls_flat_line(dls_flat_reference *reference, const char *scheme, const char *norm, const char *of,
                  const dls_flat_points *points, double values[DLS_FLAT_LINE_VALUES], char *words,
                  size_t words_size, char *error, size_t size)
{
  dls_error err = {0};
  measure *m = NULL;
  dls_scheme_choice choice;
  dls_against against;
  dls_order_study *study = NULL;
  size_t levels = 0, repeats = 0;
  if (scheme == NULL) {
    return dls_flat_report(dls_fail(&err, DLS_ERR_ARG, "scheme = NULL"), &err, error, size);
  }
  const bool good = dls_catalogue_choose(reference->catalogue, scheme, &choice, &err) == DLS_OK &&
                    read_against(points->against, &against, &err) == DLS_OK &&
                    count_levels(points, against, &levels, &repeats, &err) == DLS_OK &&
                    find_measure(reference, norm, of, &m, &err) == DLS_OK &&
                    fit(m, points, against, levels, repeats, &choice, &study, &err) == DLS_OK &&
                    report_line(study, against, values, words, words_size, &err) == DLS_OK;
  dls_order_destroy(study);
  return dls_flat_report(good ? DLS_OK : err.status, &err, error, size);
}
