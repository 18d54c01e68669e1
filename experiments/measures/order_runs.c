/* experiments/measures/order_runs.c -- every run of a study has a place of its own for its results, so that they are the same
 * in whatever order the runs are made, and however many go at a time.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/order_runs.h"
#include "experiments/campaign/parallel.h"
#include "experiments/campaign/shard.h"
#include "experiments/extra/foreign/external.h"
#include "experiments/measures/order_batch.h"
#include "experiments/measures/order_study.h"
#include <float.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A run by events counts for as much as this many steps in the fraction done. */
static const double event_run_steps = 1e4;

size_t dls_order_most_runs(const dls_order_spec *spec)
{
  const size_t levels = spec->levels > spec->tol_levels ? spec->levels : spec->tol_levels;
  return levels * spec->repeats;
}

size_t dls_order_runs_of(const dls_order_spec *spec, size_t scheme)
{
  if (dls_order_swept(spec, scheme)) {
    return spec->tol_levels * spec->repeats;
  }
  return spec->schemes[scheme].scheme->stepping == DLS_BY_EVENT ? 1 : spec->levels * spec->repeats;
}

/* --- timings --- */

static bool to_be_timed(const dls_workshop *shop, const dls_shop_run *run)
{
  return !run->elsewhere && shop->inputs->spec->timings > 0 && isnan(run->points[0].work.wall_seconds) &&
         dls_shop_has_error(shop, run);
}

static dls_status time_once(dls_progress *pass, const dls_scheme_choice *choice, double step, double *seconds,
                            dls_error *err)
{
  dls_sim *sim = NULL;
  const dls_external *external = dls_external_of(choice->scheme);
  if (external != NULL) {
    const dls_external_case c = dls_progress_external(pass, step);
    return dls_external_time(external, &c, seconds, err);
  }
  dls_status status = dls_scheme_choice_sim(choice, pass->shop->inputs->sys, &sim, err);
  if (status == DLS_OK) {
    status = dls_progress_sim(pass, sim, step, NULL, err);
    *seconds = sim->work.wall_seconds;
  }
  dls_sim_destroy(sim);
  return status;
}

/* A pass that warms up, then those that are timed, without record. */
static dls_status take_times(dls_progress *w, const dls_order_point *run, dls_error *err)
{
  const dls_order_inputs *in = w->shop->inputs;
  const size_t passes = 1 + in->spec->timings;
  const double weight = w->weight;
  dls_scheme_choice choice;
  dls_status status = dls_shop_choose(in->spec, run, &choice, err);
  for (size_t i = 0; i < passes && status == DLS_OK; i++) {
    dls_progress pass = {.shop = w->shop, .weight = weight / (double)passes};
    status = time_once(&pass, &choice, run->step, &w->shop->times[i], err);
    w->reported += pass.reported;
  }
  return status;
}

/* @return false if interrupted */
static bool time_run(dls_workshop *shop, dls_shop_run *run)
{
  const size_t timings = shop->inputs->spec->timings;
  dls_progress w = {.shop = shop, .weight = run->weight * (double)(1 + timings)};
  dls_error why = {0};
  const dls_status status =
      dls_progress_report(&w, 0) ? take_times(&w, &run->points[0], &why) : DLS_ERR_INTERRUPTED;
  if (status == DLS_ERR_INTERRUPTED) {
    return false;
  }
  if (status == DLS_ERR_MEMORY) { /* its errors are there, its seconds are still to come */
    shop->out_of_memory++;
    return true;
  }
  const double seconds = status == DLS_OK ? gsl_stats_median(shop->times + 1, 1, timings) : NAN;
  for (size_t i = 0; i < shop->measures; i++) {
    run->points[i].work.wall_seconds = seconds;
    if (status != DLS_OK) {
      dls_shop_fail(&run->points[i], &why);
    }
  }
  dls_shop_finish(shop, run, &w);
  return true;
}

/* --- all runs --- */

/* Places for the points of run number k of a scheme. */
static void prepare(dls_workshop *shop, dls_shop_run *run, size_t scheme, size_t k)
{
  const dls_order_inputs *in = shop->inputs;
  const dls_order_spec *spec = in->spec;
  const bool by_event = spec->schemes[scheme].scheme->stepping == DLS_BY_EVENT;
  for (size_t i = 0; i < shop->measures; i++) {
    run->points[i] = (dls_order_point){.scheme = scheme,
                                       .level = k / spec->repeats,
                                       .repeat = k % spec->repeats,
                                       .norm = i / spec->of_count,
                                       .of = i % spec->of_count,
                                       .step = by_event ? NAN : in->steps[k],
                                       .tol = dls_order_swept(spec, scheme) ? in->tolerances[k] : NAN};
  }
  run->scheme = scheme;
  run->weight = by_event ? event_run_steps : spec->end / in->steps[k];
}

/* Steps come from pow, whose last digits are those of the C library on the processor: runs move between machines. */
static bool equal(double a, double b)
{
  const double rounding = 16 * DBL_EPSILON;
  return fabs(a - b) <= rounding * fabs(a) || (isnan(a) && isnan(b));
}

/* What was kept of a run must belong to its step. */
static dls_status recall(const dls_order_spec *spec, dls_shop_run *run, dls_error *err)
{
  dls_order_point *point = &run->points[0];
  const double step = point->step, tol = point->tol;
  run->done = spec->recall != NULL && spec->recall(spec->keep_data, run->points);
  if (run->done && !(equal(step, point->step) && equal(tol, point->tol))) {
    return dls_fail(err, DLS_ERR_ARG,
                    "scheme %s, level %zu, repeat %zu: what was kept is a run with step %.17g s and tolerance "
                    "%.17g where %.17g s and %.17g are due",
                    spec->schemes[run->scheme].scheme->name, point->level + 1, point->repeat + 1, point->step,
                    point->tol, step, tol);
  }
  return DLS_OK;
}

static dls_status lay_out(dls_workshop *shop, dls_order_point *points, dls_error *err)
{
  const dls_order_spec *spec = shop->inputs->spec;
  dls_status status = DLS_OK;
  size_t next = 0;
  for (size_t scheme = 0; scheme < spec->scheme_count; scheme++) {
    for (size_t k = 0; k < dls_order_runs_of(spec, scheme) && status == DLS_OK; k++) {
      dls_shop_run *run = &shop->runs[next];
      run->points = &points[next++ * shop->measures];
      prepare(shop, run, scheme, k);
      status = recall(spec, run, err);
    }
  }
  shop->count = next;
  return status;
}

/* Which runs are ours, and in what order they are made: those of a shard longest first, so that none is left alone at the end.
 * Runs that choose their own steps have levels of their own. */
static dls_status deal(dls_workshop *shop, dls_error *err)
{
  const dls_order_spec *spec = shop->inputs->spec;
  dls_shard_run *hands = malloc((shop->count + 1) * sizeof *hands);
  bool dealt = hands != NULL;
  for (size_t i = 0; dealt && i < shop->count; i++) {
    const dls_order_point *point = &shop->runs[i].points[0];
    shop->turns[i] = i;
    hands[i].level = point->level + (isnan(point->step) ? spec->levels : 0);
    hands[i].weight = ceil(shop->runs[i].weight);
  }
  if (dealt && spec->shards > 0) {
    dealt = dls_shard_deal(hands, shop->count, spec->shards, shop->turns);
    for (size_t i = 0; dealt && i < shop->count; i++) {
      shop->runs[i].elsewhere = hands[i].owner + 1 != spec->shard;
    }
  }
  free(hands);
  return dealt ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu runs", shop->count);
}

/* What there is to be done, in steps. */
static void sum_up(dls_workshop *shop)
{
  const size_t timings = shop->inputs->spec->timings;
  for (size_t i = 0; i < shop->count; i++) {
    const dls_shop_run *run = &shop->runs[i];
    const bool make = !run->done && !run->elsewhere;
    const double timed = make || to_be_timed(shop, run) ? (double)(timings + 1) : 0;
    shop->total += run->weight * ((make ? 1 : 0) + (timings > 0 ? timed : 0));
  }
}

static void make_all(dls_workshop *shop)
{
  const size_t jobs = shop->inputs->spec->jobs;
  dls_crew_deal(shop);
  dls_parallel_for(jobs > 1 ? jobs : 1, shop->crew_count, dls_crew_make, shop);
  for (size_t i = 0; i < shop->count && !shop->stopped; i++) {
    if (to_be_timed(shop, &shop->runs[i]) && !time_run(shop, &shop->runs[i])) {
      break;
    }
  }
}

/* Close the gaps that runs left which were not finished. @return number of points */
static size_t gather(const dls_workshop *shop, dls_order_point *points)
{
  size_t count = 0;
  for (size_t i = 0; i < shop->count; i++) {
    if (shop->runs[i].done) {
      memmove(&points[count], shop->runs[i].points, shop->measures * sizeof *points);
      count += shop->measures;
    }
  }
  return count;
}

dls_status dls_order_run_all(const dls_order_inputs *inputs, dls_order_point *points, size_t *count,
                             size_t *out_of_memory, bool *complete, dls_error *err)
{
  const dls_order_spec *spec = inputs->spec;
  const size_t most = spec->scheme_count * dls_order_most_runs(spec);
  dls_workshop shop = {.inputs = inputs, .measures = spec->norm_count * spec->of_count};
  shop.runs = calloc(most, sizeof *shop.runs);
  shop.turns = calloc(most, sizeof *shop.turns);
  shop.crews = calloc(most + 1, sizeof *shop.crews);
  shop.times = malloc((spec->timings + 1) * sizeof *shop.times);
  dls_status status = DLS_OK;
  if (shop.runs == NULL || shop.turns == NULL || shop.crews == NULL || shop.times == NULL ||
      pthread_mutex_init(&shop.lock, NULL) != 0) {
    status = dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu runs", most);
  } else {
    status = lay_out(&shop, points, err);
    status = status != DLS_OK ? status : deal(&shop, err);
    if (status == DLS_OK) {
      sum_up(&shop);
      make_all(&shop);
      *count = gather(&shop, points);
      *out_of_memory = shop.out_of_memory;
      *complete = !shop.stopped && shop.out_of_memory == 0;
      status = shop.status != DLS_OK ? dls_fail(err, shop.status, "%s", shop.why.text) : DLS_OK;
    }
    pthread_mutex_destroy(&shop.lock);
  }
  free(shop.runs);
  free(shop.turns);
  free(shop.crews);
  free(shop.times);
  return status;
}
