/* experiments/order_study.c -- run every scheme at every step, measure, fit.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/text.h"
#include "experiments/order_levels.h"
#include "experiments/order_spec.h"
#include "experiments/order_steps.h"
#include "experiments/reference.h"
#include <float.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The study and what its spec points to. */
typedef struct storage {
  dls_order_study study; /* first: dls_order_destroy gets back here */
  double *parameters;
  dls_scheme_choice *schemes;
  const dls_norm **norms;
  char **of;
} storage;

/* A study in progress. */
typedef struct study_job {
  storage *store;
  dls_order_study *study;
  dls_system *sys;
  dls_reference reference;
  dls_graph **reference_graphs; /* one per quantity, shared by all runs */
  double *steps;                /* levels x repeats, the same for all schemes */
  double *tolerances;           /* tol_levels x repeats, the same for all schemes that take one */
  double *times;                /* timings */
  size_t pass;                  /* of the present run: 0 the one that is measured, then those that are timed */
  double done, total, running;  /* work in steps: finished, all, that of the present run */
} study_job;

/* A run by events counts for as much as this many steps in the fraction done. */
static const double event_run_steps = 1e4;

/* Errors below 100 times those of the reference or of rounding say nothing about a scheme. */
static const double floor_factor = 100;

static void free_texts(char **texts, size_t count)
{
  for (size_t i = 0; texts != NULL && i < count; i++) {
    free(texts[i]);
  }
  free(texts);
}

/* @return NULL if out of memory */
static char **copy_texts(const char *const *texts, size_t count)
{
  char **copies = calloc(count, sizeof *copies);
  for (size_t i = 0; copies != NULL && i < count; i++) {
    copies[i] = dls_text_copy(texts[i]);
    if (copies[i] == NULL) {
      free_texts(copies, i);
      return NULL;
    }
  }
  return copies;
}

/* @return false if out of memory */
static bool copy_spec(storage *store, const dls_order_spec *spec)
{
  const size_t parameters = dls_option_count(spec->model->parameters);
  store->study.spec = *spec;
  store->parameters = calloc(parameters + 1, sizeof *store->parameters);
  store->schemes = calloc(spec->scheme_count, sizeof *store->schemes);
  store->norms = calloc(spec->norm_count, sizeof *store->norms);
  store->of = copy_texts(spec->of, spec->of_count);
  if (store->parameters == NULL || store->schemes == NULL || store->norms == NULL || store->of == NULL) {
    return false;
  }
  dls_option_defaults(spec->model->parameters, store->parameters);
  if (spec->parameters != NULL) {
    memcpy(store->parameters, spec->parameters, parameters * sizeof *store->parameters);
  }
  memcpy(store->schemes, spec->schemes, spec->scheme_count * sizeof *store->schemes);
  memcpy(store->norms, spec->norms, spec->norm_count * sizeof *store->norms);
  store->study.spec.parameters = store->parameters;
  store->study.spec.schemes = store->schemes;
  store->study.spec.norms = store->norms;
  store->study.spec.of = (const char *const *)store->of;
  return true;
}

void dls_order_destroy(dls_order_study *study)
{
  if (study == NULL) {
    return;
  }
  storage *store = (storage *)study;
  free_texts(store->of, study->spec.of_count);
  free(store->parameters);
  free(store->schemes);
  free(store->norms);
  free(study->points);
  free(study->lines);
  free(study->floors);
  free(store);
}

/* The most that a scheme runs. */
static size_t most_runs(const dls_order_spec *spec)
{
  const size_t levels = spec->levels > spec->tol_levels ? spec->levels : spec->tol_levels;
  return levels * spec->repeats;
}

static dls_status create(const dls_order_spec *spec, storage **out, dls_error *err)
{
  const size_t runs = spec->scheme_count * most_runs(spec);
  const size_t measures = spec->norm_count * spec->of_count;
  storage *store = calloc(1, sizeof *store);
  if (store != NULL && copy_spec(store, spec)) {
    store->study.points = calloc(runs * measures, sizeof *store->study.points);
    store->study.lines = calloc(spec->scheme_count * measures, sizeof *store->study.lines);
  }
  if (store == NULL || store->study.points == NULL || store->study.lines == NULL) {
    dls_order_destroy(store == NULL ? NULL : &store->study);
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a study of %zu runs", runs);
  }
  *out = store;
  return DLS_OK;
}

/* Tell the fraction done. */
static bool poll_at(const study_job *job, double running)
{
  const dls_order_spec *spec = &job->study->spec;
  const double fraction = job->total > 0 ? fmin((job->done + running) / job->total, 1) : 0;
  return spec->poll == NULL || spec->poll(spec->poll_data, fraction);
}

static bool poll_run(void *data, double t)
{
  const study_job *job = data;
  const double passes = 1 + (double)job->study->spec.timings;
  return poll_at(job, job->running * ((double)job->pass + t / job->study->spec.end) / passes);
}

static double largest_value(const dls_graph *graph)
{
  double largest = 0;
  for (size_t i = 0; i < graph->count * graph->dim; i++) {
    largest = fmax(largest, fabs(graph->x[i]));
  }
  return largest;
}

static dls_status make_reference(study_job *job, dls_error *err)
{
  const dls_order_spec *spec = &job->study->spec;
  dls_status status = dls_reference_make(spec, job->sys, poll_run, job, &job->reference, err);
  if (status != DLS_OK) {
    return status;
  }
  memcpy(job->study->reference, job->reference.text, sizeof job->study->reference);
  job->study->reference_error = job->reference.error;
  job->reference_graphs = calloc(spec->of_count, sizeof *job->reference_graphs);
  job->study->floors = calloc(spec->of_count, sizeof *job->study->floors);
  if (job->reference_graphs == NULL || job->study->floors == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu reference graphs", spec->of_count);
  }
  for (size_t of = 0; of < spec->of_count && status == DLS_OK; of++) {
    status = dls_quantity_graph(job->reference.traj, spec->of[of], &job->reference_graphs[of], err);
    if (status == DLS_OK) {
      const double rounding = DBL_EPSILON * largest_value(job->reference_graphs[of]) / spec->metric.value_scale;
      job->study->floors[of] = floor_factor * fmax(rounding, job->reference.error);
    }
  }
  return status;
}

static dls_status make_steps(study_job *job, dls_error *err)
{
  const dls_order_spec *spec = &job->study->spec;
  const dls_trajectory *traj = job->reference.traj;
  double *events = malloc((traj->event_count + 1) * sizeof *events);
  job->steps = malloc((most_runs(spec) + 1) * sizeof *job->steps);
  job->tolerances = malloc((most_runs(spec) + 1) * sizeof *job->tolerances);
  job->times = malloc((spec->timings + 1) * sizeof *job->times);
  dls_status status = DLS_OK;
  if (events == NULL || job->steps == NULL || job->tolerances == NULL || job->times == NULL) {
    status = dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu steps", most_runs(spec));
  } else {
    size_t count = 0;
    for (size_t i = 0; i < traj->event_count; i++) {
      if (traj->events[i].t > 0) {
        events[count++] = traj->events[i].t;
      }
    }
    status = dls_order_steps(spec, count, events, job->steps, err);
    status = status != DLS_OK ? status : dls_order_tolerances(spec, job->tolerances, err);
  }
  free(events);
  return status;
}

static size_t runs_of(const dls_order_spec *spec, size_t scheme)
{
  if (dls_order_swept(spec, scheme)) {
    return spec->tol_levels * spec->repeats;
  }
  return spec->schemes[scheme].scheme->stepping == DLS_BY_EVENT ? 1 : spec->levels * spec->repeats;
}

static double step_of(const study_job *job, size_t scheme, size_t run)
{
  return job->study->spec.schemes[scheme].scheme->stepping == DLS_BY_EVENT ? NAN : job->steps[run];
}

static double work_of(const study_job *job, double step)
{
  return isnan(step) ? event_run_steps : job->study->spec.end / step;
}

static void fail_point(dls_order_point *point, const dls_error *why)
{
  point->error = (dls_measure){NAN, NAN};
  snprintf(point->reason, sizeof point->reason, "%.199s", why->text);
}

/* All norms of one quantity of one run; points[norm * of_count + of]. */
static void measure_quantity(const study_job *job, const dls_trajectory *traj, size_t of,
                             dls_order_point *points)
{
  const dls_order_spec *spec = &job->study->spec;
  dls_graph *whole = NULL, *numeric = NULL, *reference = NULL;
  dls_error why = {0};
  dls_status status = dls_quantity_graph(traj, spec->of[of], &whole, &why);
  if (status == DLS_OK) {
    status = dls_clip_to_common(whole, job->reference_graphs[of], &numeric, &reference, &why);
  }
  for (size_t norm = 0; norm < spec->norm_count; norm++) {
    dls_order_point *point = &points[norm * spec->of_count + of];
    const dls_status measured =
        status != DLS_OK ? status
                         : spec->norms[norm]->measure(numeric, reference, &spec->metric, &point->error, &why);
    if (measured != DLS_OK) {
      fail_point(point, &why);
    }
  }
  dls_graph_destroy(whole);
  dls_graph_destroy(numeric);
  dls_graph_destroy(reference);
}

/* Where the points of the next run go, with their places filled in; they count once point_count says so. */
static dls_order_point *prepare_points(const study_job *job, size_t scheme, size_t run)
{
  const dls_order_spec *spec = &job->study->spec;
  dls_order_point *points = &job->study->points[job->study->point_count];
  for (size_t i = 0; i < spec->norm_count * spec->of_count; i++) {
    points[i] = (dls_order_point){.scheme = scheme,
                                  .level = run / spec->repeats,
                                  .repeat = run % spec->repeats,
                                  .norm = i / spec->of_count,
                                  .of = i % spec->of_count,
                                  .step = step_of(job, scheme, run),
                                  .tol = dls_order_swept(spec, scheme) ? job->tolerances[run] : NAN};
  }
  return points;
}

/* The scheme of a run with all its options. */
static dls_status choose(const study_job *job, const dls_order_point *run, dls_scheme_choice *out,
                         dls_error *err)
{
  *out = job->study->spec.schemes[run->scheme];
  return isnan(run->tol) ? DLS_OK : dls_order_choice(&job->study->spec, run->scheme, run->tol, out, err);
}

static dls_status run_sim(const study_job *job, dls_sim *sim, double step, dls_trajectory *record,
                          dls_error *err)
{
  const dls_run_spec spec = {
      .step = step, .end = job->study->spec.end, .record = record, .poll = poll_run, .poll_data = (void *)job};
  return dls_run(sim, &spec, err);
}

/* The run that is measured. @param[in,out] run  its work and quality are filled in */
static dls_status simulate(const study_job *job, const dls_scheme_choice *choice, dls_order_point *run,
                           dls_trajectory **traj, dls_error *err)
{
  dls_sim *sim = NULL;
  dls_status status = dls_scheme_choice_sim(choice, job->sys, &sim, err);
  if (status != DLS_OK) {
    return status;
  }
  *traj = dls_sim_trajectory(sim, err);
  if (*traj == NULL) {
    status = DLS_ERR_MEMORY;
  } else {
    status = run_sim(job, sim, run->step, *traj, err);
    run->work = sim->work;
    dls_error why = {0};
    const dls_status measured = dls_quality_measure(sim, *traj, &run->quality, &why);
    if (status == DLS_OK && measured != DLS_OK) {
      *err = why;
      status = measured;
    }
  }
  dls_sim_destroy(sim);
  return status;
}

/* The median of the times of runs without record; the run that was measured has warmed up. */
static dls_status take_times(study_job *job, const dls_scheme_choice *choice, dls_order_point *run,
                             dls_error *err)
{
  const size_t count = job->study->spec.timings;
  dls_status status = DLS_OK;
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    dls_sim *sim = NULL;
    job->pass = i + 1;
    status = dls_scheme_choice_sim(choice, job->sys, &sim, err);
    if (status == DLS_OK) {
      status = run_sim(job, sim, run->step, NULL, err);
      job->times[i] = sim->work.wall_seconds;
    }
    dls_sim_destroy(sim);
  }
  if (status == DLS_OK && count > 0) {
    run->work.wall_seconds = gsl_stats_median(job->times, 1, count);
  }
  return status;
}

/* One run and its points. @return false if interrupted */
static bool run_one(study_job *job, size_t scheme, size_t run)
{
  const dls_order_spec *spec = &job->study->spec;
  const size_t count = spec->norm_count * spec->of_count;
  dls_order_point *points = prepare_points(job, scheme, run);
  dls_order_point done = points[0];
  dls_trajectory *traj = NULL;
  dls_scheme_choice choice;
  dls_error why = {0};
  job->running = work_of(job, done.step);
  job->pass = 0;
  dls_status status = poll_at(job, 0) ? choose(job, &done, &choice, &why) : DLS_ERR_INTERRUPTED;
  status = status != DLS_OK ? status : simulate(job, &choice, &done, &traj, &why);
  status = status != DLS_OK ? status : take_times(job, &choice, &done, &why);
  for (size_t i = 0; i < count; i++) {
    points[i].work = done.work;
    points[i].quality = done.quality;
    if (status != DLS_OK) {
      fail_point(&points[i], &why);
    }
  }
  for (size_t of = 0; of < spec->of_count && status == DLS_OK; of++) {
    measure_quantity(job, traj, of, points);
  }
  dls_trajectory_destroy(traj);
  if (status == DLS_ERR_INTERRUPTED) {
    return false;
  }
  job->study->point_count += count;
  job->done += job->running;
  return true;
}

static bool run_all(study_job *job)
{
  const dls_order_spec *spec = &job->study->spec;
  for (size_t scheme = 0; scheme < spec->scheme_count; scheme++) {
    for (size_t run = 0; run < runs_of(spec, scheme); run++) {
      job->total += work_of(job, step_of(job, scheme, run));
    }
  }
  for (size_t scheme = 0; scheme < spec->scheme_count; scheme++) {
    for (size_t run = 0; run < runs_of(spec, scheme); run++) {
      if (!run_one(job, scheme, run)) {
        return false;
      }
    }
  }
  return true;
}

/* Fit one line; h and error are scratch for all its points. */
static void fit_line(const dls_order_study *study, double floor, double *h, double *error, dls_order_line *line)
{
  size_t count = 0;
  for (size_t i = 0; i < study->point_count; i++) {
    if (dls_order_on_line(&study->points[i], line)) {
      h[count] = study->points[i].step;
      error[count++] = study->points[i].error.value;
    }
  }
  line->fitted =
      !dls_order_by_event(study, line) && dls_fit_order(count, h, error, floor, &line->fit, NULL) == DLS_OK;
  if (!line->fitted) {
    line->fit = (dls_fit){.order = NAN,
                          .constant = NAN,
                          .ci_low = NAN,
                          .ci_high = NAN,
                          .h_max = NAN,
                          .h_min = NAN,
                          .order_coarse = NAN,
                          .order_fine = NAN};
  }
}

static dls_status fit_lines(const study_job *job, dls_error *err)
{
  dls_order_study *study = job->study;
  const dls_order_spec *spec = &study->spec;
  const size_t measures = spec->norm_count * spec->of_count;
  double *scratch = malloc(2 * most_runs(spec) * sizeof *scratch);
  if (scratch == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory to fit %zu errors", most_runs(spec));
  }
  study->line_count = spec->scheme_count * measures;
  for (size_t i = 0; i < study->line_count; i++) {
    dls_order_line *line = &study->lines[i];
    line->scheme = i / measures;
    line->norm = i % measures / spec->of_count;
    line->of = i % spec->of_count;
    const double floor =
        study->floors == NULL ? 0 : study->floors[line->of]; /* NULL: interrupted before any run */
    fit_line(study, floor, scratch, scratch + most_runs(spec), line);
  }
  free(scratch);
  return DLS_OK;
}

static void clear_job(study_job *job)
{
  for (size_t of = 0; job->reference_graphs != NULL && of < job->study->spec.of_count; of++) {
    dls_graph_destroy(job->reference_graphs[of]);
  }
  free(job->reference_graphs);
  free(job->times);
  free(job->steps);
  free(job->tolerances);
  dls_reference_clear(&job->reference);
  dls_system_destroy(job->sys);
}

static dls_status run_job(study_job *job, dls_error *err)
{
  dls_status status = dls_model_create(job->study->spec.model, job->store->parameters, &job->sys, err);
  if (status == DLS_OK) {
    status = make_reference(job, err);
  }
  if (status == DLS_OK) {
    status = make_steps(job, err);
  }
  if (status == DLS_OK) {
    job->study->complete = run_all(job);
  }
  return status == DLS_OK || status == DLS_ERR_INTERRUPTED ? fit_lines(job, err) : status;
}

dls_status dls_order_run(const dls_order_spec *spec, dls_order_study **out, dls_error *err)
{
  *out = NULL;
  study_job job = {0};
  dls_status status = dls_order_check(spec, err);
  if (status == DLS_OK) {
    status = create(spec, &job.store, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  job.study = &job.store->study;
  status = run_job(&job, err);
  clear_job(&job);
  if (status != DLS_OK) {
    dls_order_destroy(job.study);
    return status;
  }
  *out = job.study;
  return DLS_OK;
}
