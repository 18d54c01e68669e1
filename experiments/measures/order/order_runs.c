/* experiments/measures/order/order_runs.c -- the runs of a study as cells of a campaign: each has a place of its own for its results, so
 * that they do not depend on how many go at a time. Timings are a second campaign over the same cells, one at a time.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/order/order_runs.h"
#include "experiments/campaign/shard.h"
#include "experiments/measures/order/order_run.h"
#include <float.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Weight of a run by events in steps. */
static const double event_run_steps = 1e4;

static double run_weight(const dls_campaign *c, size_t cell)
{
  const dls_order_cells *cells = c->data;
  const double step = dls_order_points(cells, cell)->step;
  return isnan(step) ? event_run_steps : cells->inputs->spec->end / step;
}

static dls_status keep(dls_progress *p, const size_t *cells, size_t count, dls_error *err)
{
  const dls_order_cells *all = p->campaign->data;
  const dls_order_spec *spec = all->inputs->spec;
  dls_status status = DLS_OK;
  for (size_t i = 0; i < count && status == DLS_OK && spec->keep != NULL; i++) {
    status = spec->keep(spec->keep_data, dls_order_points(all, cells[i]), err);
  }
  return status;
}

/* --- timings --- */

static bool to_be_timed(const dls_campaign *c, size_t cell)
{
  const dls_order_cells *cells = c->data;
  return !(c->other_shard != NULL && c->other_shard[cell]) && cells->inputs->spec->timings > 0 &&
         isnan(dls_order_points(cells, cell)->work.wall_seconds) && dls_order_has_error(cells, cell);
}

static double timing_weight(const dls_campaign *c, size_t cell)
{
  const dls_order_cells *cells = c->data;
  return run_weight(c, cell) * (double)(1 + cells->inputs->spec->timings);
}

static dls_status time_once(dls_order_task *pass, const dls_scheme_choice *choice, double step, double *seconds,
                            dls_error *err)
{
  dls_sim *sim = NULL;
  const dls_external *external = dls_external_of(choice->scheme);
  if (external != NULL) {
    const dls_external_case c = dls_order_task_external(pass, step);
    return dls_external_time(external, &c, seconds, err);
  }
  dls_status status = dls_scheme_choice_sim(choice, pass->cells->inputs->sys, &sim, err);
  if (status == DLS_OK) {
    const dls_run_spec run = dls_order_task_spec(pass, step, NULL);
    status = dls_run(sim, &run, err);
    *seconds = sim->work.wall_seconds;
  }
  dls_sim_destroy(sim);
  return status;
}

/* A warm-up pass, then the timed passes, without record. */
static dls_status take_times(dls_order_task *task, dls_error *err)
{
  const dls_order_inputs *in = task->cells->inputs;
  const dls_order_point *run = dls_order_points(task->cells, task->cell);
  const size_t passes = 1 + in->spec->timings;
  dls_scheme_choice choice;
  dls_status status = dls_order_choose(in->spec, run, &choice, err);
  for (size_t i = 0; i < passes && status == DLS_OK; i++) {
    dls_order_task pass = *task;
    pass.progress.weight = task->progress.weight / (double)passes;
    pass.progress.reported = 0;
    status = time_once(&pass, &choice, run->step, &task->cells->times[i], err);
    task->progress.reported += pass.progress.reported;
  }
  return status;
}

static dls_status time_run(dls_progress *p, const size_t *cells, size_t count, void *scratch, dls_error *err)
{
  (void)scratch;
  (void)err;
  dls_campaign *c = p->campaign;
  const dls_order_cells *all = c->data;
  dls_order_task task = {*p, all, cells[0]};
  dls_order_point *points = dls_order_points(all, cells[0]);
  dls_error why = {0};
  const dls_status status = take_times(&task, &why);
  if (status == DLS_ERR_INTERRUPTED) {
    return DLS_OK;
  }
  if (status == DLS_ERR_MEMORY) { /* its errors are kept, its seconds are still missing */
    dls_campaign_lacks_memory(c);
    return DLS_OK;
  }
  const double seconds =
      status == DLS_OK ? gsl_stats_median(all->times + 1, 1, all->inputs->spec->timings) : NAN;
  for (size_t i = 0; i < all->measures; i++) {
    points[i].work.wall_seconds = seconds;
    if (status != DLS_OK) {
      dls_order_fail(&points[i], &why);
    }
  }
  dls_campaign_finish(&task.progress, cells, count);
  return DLS_OK;
}

static const dls_campaign_measure runs = {run_weight, dls_order_joins, dls_order_run_batch, keep, NULL},
                                  timings = {timing_weight, NULL, time_run, keep, NULL};

/* --- all runs --- */

/* Places for the points of run number k of a scheme. */
static void prepare(const dls_order_cells *cells, size_t cell, size_t scheme, size_t k)
{
  const dls_order_inputs *in = cells->inputs;
  const dls_order_spec *spec = in->spec;
  const bool by_event = spec->schemes[scheme].scheme->stepping == DLS_BY_EVENT;
  for (size_t i = 0; i < cells->measures; i++) {
    dls_order_points(cells, cell)[i] =
        (dls_order_point){.scheme = scheme,
                          .level = k / spec->repeats,
                          .repeat = k % spec->repeats,
                          .norm = i / spec->of_count,
                          .of = i % spec->of_count,
                          .step = by_event ? NAN : in->steps[k],
                          .tol = dls_order_swept(spec, scheme) ? in->tolerances[k] : NAN,
                          .value = NAN,
                          .exact = NAN,
                          .limit_error = {NAN, NAN},
                          .quality.contact = dls_contact_quality_none()};
  }
}

/* Steps come from pow, whose last digits depend on the C library and the processor. Runs may come from another machine. */
static bool equal(double a, double b)
{
  const double rounding = 16 * DBL_EPSILON;
  return fabs(a - b) <= rounding * fabs(a) || (isnan(a) && isnan(b));
}

/* A kept run must have the step and the tolerance of the study. */
static dls_status recall(const dls_order_spec *spec, dls_order_point *points, bool *done, dls_error *err)
{
  dls_order_point *point = &points[0];
  const double step = point->step, tol = point->tol;
  *done = spec->recall != NULL && spec->recall(spec->keep_data, points);
  if (*done && !(equal(step, point->step) && equal(tol, point->tol))) {
    return dls_fail(err, DLS_ERR_ARG,
                    "scheme %s, level %zu, repeat %zu: what was kept is a run with step %.17g s and tolerance "
                    "%.17g where %.17g s and %.17g are due",
                    spec->schemes[point->scheme].scheme->name, point->level + 1, point->repeat + 1, point->step,
                    point->tol, step, tol);
  }
  return DLS_OK;
}

static void lay_out(dls_campaign *c)
{
  const dls_order_cells *cells = c->data;
  const dls_order_spec *spec = cells->inputs->spec;
  for (size_t scheme = 0; scheme < spec->scheme_count; scheme++) {
    for (size_t k = 0; k < dls_order_runs_of(spec, scheme); k++) {
      prepare(cells, c->count++, scheme, k);
    }
  }
}

static dls_status recall_all(const dls_campaign *c, dls_error *err)
{
  const dls_order_cells *cells = c->data;
  dls_status status = DLS_OK;
  for (size_t i = 0; i < c->count && status == DLS_OK; i++) {
    status = recall(cells->inputs->spec, dls_order_points(cells, i), &c->done[i], err);
  }
  return status;
}

/* Assign runs to shards and order them, longest first, so that no long run is left for the end. Runs that choose their own steps
 * have levels of their own. */
static dls_status deal(const dls_campaign *c, bool *other_shard, size_t *order, dls_error *err)
{
  const dls_order_cells *cells = c->data;
  const dls_order_spec *spec = cells->inputs->spec;
  dls_shard_run *dealt = malloc((c->count + 1) * sizeof *dealt);
  bool good = dealt != NULL;
  for (size_t i = 0; good && i < c->count; i++) {
    const dls_order_point *point = dls_order_points(cells, i);
    dealt[i].level = point->level + (isnan(point->step) ? spec->levels : 0);
    dealt[i].weight = ceil(run_weight(c, i));
  }
  good = good && dls_shard_deal(dealt, c->count, spec->shards, order);
  for (size_t i = 0; good && i < c->count; i++) {
    other_shard[i] = dealt[i].owner + 1 != spec->shard;
  }
  free(dealt);
  return good ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu runs", c->count);
}

/* The work of all runs and timings, in steps. */
static double total_of(const dls_campaign *c)
{
  const dls_order_cells *cells = c->data;
  const bool timed = cells->inputs->spec->timings > 0;
  double total = 0;
  for (size_t i = 0; i < c->count; i++) {
    const bool make = !c->done[i] && !(c->other_shard != NULL && c->other_shard[i]);
    total += make ? run_weight(c, i) : 0;
    total += timed && (make || to_be_timed(c, i)) ? timing_weight(c, i) : 0;
  }
  return total;
}

/* @param[in,out] timed  a campaign's `done` of the timings */
static dls_status make_all(dls_campaign *c, bool *timed, dls_error *err)
{
  bool *const made = c->done;
  const dls_order_cells *cells = c->data;
  c->total = total_of(c);
  const dls_status status = dls_campaign_run(c, err);
  if (status != DLS_OK || cells->inputs->spec->timings == 0) {
    return status;
  }
  for (size_t i = 0; i < c->count; i++) {
    timed[i] = !to_be_timed(c, i);
  }
  c->measure = &timings;
  c->done = timed;
  c->jobs = 1;
  const dls_status ended = dls_campaign_run(c, err);
  c->done = made;
  return ended;
}

/* Close the gaps of runs that are not finished. @return number of points */
static size_t gather(const dls_campaign *c)
{
  const dls_order_cells *cells = c->data;
  size_t count = 0;
  for (size_t i = 0; i < c->count; i++) {
    if (c->done[i]) {
      memmove(&cells->points[count], dls_order_points(cells, i), cells->measures * sizeof *cells->points);
      count += cells->measures;
    }
  }
  return count;
}

dls_status dls_order_run_all(const dls_order_inputs *inputs, dls_order_point *points, size_t *count,
                             size_t *out_of_memory, bool *complete, dls_error *err)
{
  const dls_order_spec *spec = inputs->spec;
  const size_t most = spec->scheme_count * dls_order_most_runs(spec);
  const size_t jobs = spec->jobs > 1 ? spec->jobs : 1;
  bool *flags = calloc(3 * most + 1, sizeof *flags); /* done, timed, of other shards */
  size_t *order = spec->shards > 0 ? calloc(most + 1, sizeof *order) : NULL;
  dls_order_cells cells = {.inputs = inputs, .points = points, .measures = spec->norm_count * spec->of_count};
  cells.times = malloc((spec->timings + 1) * sizeof *cells.times);
  dls_campaign c = {.done = flags,
                    .measure = &runs,
                    .data = &cells,
                    .jobs = jobs,
                    .poll = spec->poll,
                    .poll_data = spec->poll_data};
  dls_status status = DLS_OK;
  if (flags == NULL || (order == NULL && spec->shards > 0) || cells.times == NULL) {
    status = dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu runs", most);
  } else {
    lay_out(&c);
    cells.batch_most = jobs > 1 ? c.count / (2 * jobs) : c.count; /* two batches a thread, or more */
    cells.batch_most = cells.batch_most < DLS_BATCH_MOST ? cells.batch_most : DLS_BATCH_MOST;
    if (spec->shards > 0) {
      c.order = order;
      c.other_shard = flags + 2 * most;
      status = deal(&c, flags + 2 * most, order, err);
    }
    status = status == DLS_OK ? recall_all(&c, err) : status;
  }
  if (status == DLS_OK) {
    status = make_all(&c, flags + most, err);
    *count = gather(&c);
    *out_of_memory = c.out_of_memory;
    *complete = !c.stopped && c.out_of_memory == 0;
    status = status == DLS_ERR_INTERRUPTED ? DLS_OK : status;
  }
  free(flags);
  free(order);
  free(cells.times);
  return status;
}
