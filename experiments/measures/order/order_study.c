/* experiments/measures/order/order_study.c -- the model and the reference of a convergence study, and its fitted lines.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/order/order_study.h"
#include "analytic/distance/interrupt.h"
#include "common/base/memory.h"
#include "common/base/pool.h"
#include "common/run/coordinates.h"
#include "experiments/measures/order/order_derivatives.h"
#include "experiments/measures/order/order_lines.h"
#include "experiments/measures/order/published_order.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The study and the memory it points to. */
typedef struct storage {
  dls_order_study study; /* first: dls_order_destroy gets back here */
  dls_pool pool;
} storage;

/* Errors below 100 times those of the reference or of rounding say nothing about a scheme. */
static const double floor_factor = 100;
/* Derivatives of references are interpolated, and those of steps are differences of neighbouring runs. */
static const double derivative_accuracy = 1e-10;

static void *copy(dls_pool *pool, const void *array, size_t size)
{
  void *made = dls_pool_take(pool, size + 1);
  return made != NULL && size > 0 ? memcpy(made, array, size) : made;
}

/* Without memory the pool says so. */
static void copy_spec(storage *store, const dls_order_spec *spec)
{
  const size_t parameters = dls_option_count(spec->model->parameters);
  dls_order_spec *own = &store->study.spec;
  double *values = dls_pool_take(&store->pool, (parameters + 1) * sizeof *values);
  const char **of = dls_pool_take(&store->pool, spec->of_count * sizeof *of);
  *own = *spec;
  if (values != NULL) {
    dls_option_defaults(spec->model->parameters, values);
    if (spec->parameters != NULL) {
      memcpy(values, spec->parameters, parameters * sizeof *values);
    }
  }
  for (size_t i = 0; i < spec->of_count && of != NULL; i++) {
    of[i] = dls_pool_copy(&store->pool, spec->of[i], strlen(spec->of[i]));
  }
  own->parameters = values;
  own->of = of;
  own->schemes = copy(&store->pool, spec->schemes, spec->scheme_count * sizeof *spec->schemes);
  own->norms = copy(&store->pool, spec->norms, spec->norm_count * sizeof *spec->norms);
}

void dls_order_destroy(dls_order_study *study)
{
  if (study != NULL) {
    storage *store = (storage *)study;
    dls_order_destroy(study->limit);
    dls_pool_release(&store->pool);
    free(store);
  }
}

dls_status dls_order_create(const dls_order_spec *spec, dls_order_study **out, dls_error *err)
{
  const size_t runs = spec->scheme_count * dls_order_most_runs(spec);
  const size_t measures = spec->norm_count * spec->of_count;
  storage *store = calloc(1, sizeof *store);
  if (store != NULL) {
    dls_order_study *study = &store->study;
    copy_spec(store, spec);
    study->points =
        dls_pool_take(&store->pool, dls_size_product(dls_size_product(runs, measures), sizeof *study->points));
    study->lines = dls_pool_take(
        &store->pool, dls_size_product(dls_size_product(spec->scheme_count, measures), sizeof *study->lines));
    study->units = dls_pool_take(&store->pool, spec->of_count * sizeof *study->units);
  }
  if (store == NULL || store->pool.failed) {
    dls_order_destroy(store == NULL ? NULL : &store->study);
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a study of %zu runs", runs);
  }
  *out = &store->study;
  return DLS_OK;
}

bool dls_order_poll(void *data, double t)
{
  const dls_order_spec *spec = data;
  (void)t;
  return spec->poll == NULL || spec->poll(spec->poll_data, 0);
}

static bool poll_distance(void *data)
{
  return dls_order_poll(data, 0);
}

dls_interrupt dls_order_interrupts(const dls_order_spec *spec)
{
  return dls_interrupt_set((dls_interrupt){poll_distance, (void *)spec, 0, false});
}

static double largest_value(const dls_graph *graph)
{
  double largest = 0;
  for (size_t i = 0; i < graph->count * graph->dim; i++) {
    largest = fmax(largest, fabs(graph->x[i]));
  }
  return largest;
}

/* The norm of the reference: the error of a run that stays at 0. Up to `least` it is the rounding of a rest, which is not a
 * scale for errors. */
static dls_status measure_size(const dls_order_spec *spec, const dls_norm *norm, const dls_graph *reference,
                               double least, double *size, dls_error *err)
{
  dls_graph *zero = dls_graph_create(reference->count, reference->dim, false);
  dls_measure measure = {.value = INFINITY};
  dls_error why = {0};
  if (zero == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a graph of %zu nodes", reference->count);
  }
  memcpy(zero->t, reference->t, reference->count * sizeof *zero->t);
  memset(zero->x, 0, reference->count * reference->dim * sizeof *zero->x);
  const dls_status status = norm->measure(norm, zero, reference, &spec->metric, &measure, &why);
  dls_graph_destroy(zero);
  *size = status == DLS_OK && measure.value > least ? measure.value : INFINITY;
  const bool ends = status == DLS_ERR_MEMORY || status == DLS_ERR_INTERRUPTED;
  return ends ? dls_fail(err, status, "%s", why.text) : DLS_OK;
}

dls_status dls_order_measure_sizes(dls_order_job *job, dls_error *err)
{
  const dls_order_spec *spec = &job->study->spec;
  const double least = DBL_EPSILON * fmin(job->sys->length, job->sys->length / job->sys->time);
  const size_t count = spec->norm_count * spec->of_count;
  double *sizes = dls_pool_take(&((storage *)job->study)->pool, dls_size_product(count, sizeof *sizes));
  if (sizes == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the sizes of %zu errors", count);
  }
  dls_status status = DLS_OK;
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    const dls_graph *reference = job->reference_graphs[i % spec->of_count];
    if (dls_derivative_parameter(spec->of[i % spec->of_count]) != NULL) { /* it may be 0 at the end */
      sizes[i] = largest_value(reference) / spec->metric.value_scale;
    } else {
      status = measure_size(spec, spec->norms[i / spec->of_count], reference, least / spec->metric.value_scale,
                            &sizes[i], err);
    }
  }
  job->study->sizes = status == DLS_OK ? sizes : NULL;
  return status;
}

static bool has_impacts(const dls_trajectory *traj)
{
  for (size_t i = 0; i < traj->event_count; i++) {
    if (traj->events[i].kind == DLS_IMPACT && traj->events[i].t > 0) {
      return true;
    }
  }
  return false;
}

/* The graphs of the reference, and floors of errors. */
static dls_status prepare_reference(dls_order_job *job, dls_error *err)
{
  const dls_order_spec *spec = &job->study->spec;
  dls_status status = DLS_OK;
  memcpy(job->study->reference, job->reference.text, sizeof job->study->reference);
  job->study->reference_error = job->reference.error;
  job->study->impacts = has_impacts(job->reference.traj);
  job->reference_graphs = calloc(spec->of_count, sizeof *job->reference_graphs);
  job->prepared = calloc(spec->of_count, sizeof *job->prepared);
  job->study->floors =
      dls_pool_take(&((storage *)job->study)->pool, spec->of_count * sizeof *job->study->floors);
  if (job->reference_graphs == NULL || job->prepared == NULL || job->study->floors == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu reference graphs", spec->of_count);
  }
  for (size_t of = 0; of < spec->of_count && status == DLS_OK; of++) {
    status = dls_quantity_graph(job->reference.traj, spec->of[of], &job->reference_graphs[of], err);
    if (status == DLS_OK) {
      const bool derivative = dls_derivative_parameter(spec->of[of]) != NULL;
      const double rounding = (derivative ? derivative_accuracy : DBL_EPSILON) *
                              largest_value(job->reference_graphs[of]) / spec->metric.value_scale;
      job->study->floors[of] = floor_factor * fmax(rounding, job->reference.error);
      status = dls_prepared_reference_create(job->reference_graphs[of], &job->prepared[of], err);
    }
  }
  return status;
}

dls_status dls_order_set_floors(dls_order_study *study, const dls_order_study *like, double floor,
                                dls_error *err)
{
  const dls_order_spec *spec = &study->spec;
  dls_pool *pool = &((storage *)study)->pool;
  study->floors = copy(pool, like->floors, spec->of_count * sizeof *study->floors);
  study->sizes = copy(pool, like->sizes, spec->norm_count * spec->of_count * sizeof *study->sizes);
  if (study->floors == NULL || study->sizes == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu floors", spec->of_count);
  }
  for (size_t of = 0; of < spec->of_count; of++) {
    study->floors[of] = floor;
  }
  return DLS_OK;
}

/* Fit one line; h and error are scratch for all its points. */
static dls_status fit_line(const dls_order_study *study, double *h, double *error, dls_order_line *line,
                           dls_error *err)
{
  size_t count = 0;
  for (size_t i = 0; i < study->point_count; i++) {
    if (dls_order_on_line(&study->points[i], line)) {
      h[count] = study->points[i].step;
      error[count++] = study->points[i].error.value;
    }
  }
  const bool by_event = dls_order_by_event(study, line);
  const dls_status status = dls_order_fit(study, DLS_AGAINST_STEP, by_event ? 0 : count, h, error, line, err);
  dls_published_order_compare(study, line);
  dls_order_judge_derivative(study, line);
  if (by_event) {
    snprintf(line->reason, sizeof line->reason, "it chooses its own steps");
  }
  return status;
}

dls_status dls_order_fit_scheme(dls_order_study *study, size_t scheme, dls_error *err)
{
  const dls_order_spec *spec = &study->spec;
  const size_t measures = spec->norm_count * spec->of_count;
  double *scratch = malloc(2 * dls_order_most_runs(spec) * sizeof *scratch);
  if (scratch == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory to fit %zu errors", dls_order_most_runs(spec));
  }
  dls_status status = DLS_OK;
  for (size_t i = 0; i < measures && status == DLS_OK; i++) {
    dls_order_line *line = &study->lines[scheme * measures + i];
    line->scheme = scheme;
    line->norm = i / spec->of_count;
    line->of = i % spec->of_count;
    status = fit_line(study, scratch, scratch + dls_order_most_runs(spec), line, err);
  }
  free(scratch);
  return status;
}

dls_status dls_order_fit_lines(dls_order_study *study, dls_error *err)
{
  const dls_order_spec *spec = &study->spec;
  dls_status status = DLS_OK;
  study->line_count = spec->scheme_count * spec->norm_count * spec->of_count;
  for (size_t scheme = 0; scheme < spec->scheme_count && status == DLS_OK; scheme++) {
    status = dls_order_fit_scheme(study, scheme, err);
  }
  return status;
}

/* @param[in] kept  the caller's reference; NULL: make one */
static dls_status begin(const dls_order_spec *spec, const dls_reference *kept, dls_order_job *job,
                        dls_error *err)
{
  *job = (dls_order_job){.borrows = kept != NULL};
  dls_status status = dls_order_create(spec, &job->study, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_order_spec *own = &job->study->spec;
  status = dls_model_create(own->model, own->parameters, &job->sys, err);
  for (size_t of = 0; status == DLS_OK && of < own->of_count; of++) {
    dls_order_unit(own, job->sys, of, job->study->units[of]);
  }
  if (status == DLS_OK) {
    const dls_interrupt before = dls_order_interrupts(own);
    if (kept != NULL) {
      job->reference = *kept;
    } else {
      status = dls_reference_make(own, job->sys, dls_order_poll, own, &job->reference, err);
    }
    status = status == DLS_OK ? prepare_reference(job, err) : status;
    status = status == DLS_OK && kept == NULL ? dls_order_measure_sizes(job, err) : status;
    dls_interrupt_set(before);
  }
  return status;
}

dls_status dls_order_begin(const dls_order_spec *spec, dls_order_job *job, dls_error *err)
{
  return begin(spec, NULL, job, err);
}

dls_status dls_order_begin_with(const dls_order_spec *spec, const dls_reference *reference, dls_order_job *job,
                                dls_error *err)
{
  return begin(spec, reference, job, err);
}

void dls_order_end(dls_order_job *job)
{
  for (size_t of = 0; job->reference_graphs != NULL && of < job->study->spec.of_count; of++) {
    dls_graph_destroy(job->reference_graphs[of]);
  }
  for (size_t of = 0; job->prepared != NULL && of < job->study->spec.of_count; of++) {
    dls_prepared_reference_free(&job->prepared[of]);
  }
  free(job->reference_graphs);
  free(job->prepared);
  if (!job->borrows) {
    dls_reference_clear(&job->reference);
  }
  dls_system_destroy(job->sys);
}
