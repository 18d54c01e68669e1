/* experiments/study/order_runs.c -- every run of a study has a place of its own for its results, so that they are the same
 * in whatever order the runs are made, and however many go at a time.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/study/order_runs.h"
#include "experiments/foreign/external.h"
#include "experiments/study/order_shard.h"
#include "experiments/study/order_spec.h"
#include "experiments/study/parallel.h"
#include "experiments/study/reference.h"
#include <float.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A run by events counts for as much as this many steps in the fraction done. */
static const double event_run_steps = 1e4;

/* One run. */
typedef struct order_run {
  size_t scheme;
  dls_order_point *points; /* norms x quantities */
  double weight;           /* its work in steps */
  bool done, elsewhere;    /* elsewhere: another shard makes it */
} order_run;

typedef struct workshop {
  const dls_order_inputs *inputs;
  order_run *runs;
  size_t *turns;          /* numbers of the runs in the order in which they are made */
  size_t count, measures; /* runs; points of each */
  double *times;          /* timings */
  pthread_mutex_t lock;   /* of what follows, and of the caller's poll and keep */
  double told, total;     /* work in steps: done, and to be done in all */
  size_t starved;         /* runs for which there was no memory: neither finished nor kept */
  bool stopped;           /* by poll, or by a failure */
  dls_status status;
  dls_error why;
} workshop;

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

/* --- the fraction done, and the end before it --- */

/* A run through [0, end] that tells how far it is. */
typedef struct walk {
  workshop *shop;
  double weight; /* all of it */
  double told;   /* of the weight */
} walk;

/* Tell that part of a walk, in [0, 1], is done. @return false if the study is to stop */
static bool tell(walk *w, double part)
{
  workshop *shop = w->shop;
  const dls_order_spec *spec = shop->inputs->spec;
  pthread_mutex_lock(&shop->lock);
  shop->told += part * w->weight - w->told;
  w->told = part * w->weight;
  if (!shop->stopped && spec->poll != NULL) {
    shop->stopped = !spec->poll(spec->poll_data, fmin(shop->told / shop->total, 1));
  }
  const bool stopped = shop->stopped;
  pthread_mutex_unlock(&shop->lock);
  return !stopped;
}

static bool poll_walk(void *data, double t)
{
  walk *w = data;
  return tell(w, fmin(t / w->shop->inputs->spec->end, 1));
}

/* The run is finished: hand it to the caller. */
static void finish(workshop *shop, order_run *run, walk *w)
{
  const dls_order_spec *spec = shop->inputs->spec;
  dls_error why = {0};
  pthread_mutex_lock(&shop->lock);
  shop->told += w->weight - w->told;
  run->done = true;
  const dls_status status = spec->keep != NULL ? spec->keep(spec->keep_data, run->points, &why) : DLS_OK;
  if (status != DLS_OK && shop->status == DLS_OK) {
    shop->status = status;
    shop->why = why;
    shop->stopped = true;
  }
  pthread_mutex_unlock(&shop->lock);
}

/* --- one run --- */

static void fail_point(dls_order_point *point, const dls_error *why)
{
  point->error = (dls_measure){NAN, NAN};
  snprintf(point->reason, sizeof point->reason, "%.199s", why->text);
}

/* The run is left to be made again. */
static void starve(workshop *shop)
{
  pthread_mutex_lock(&shop->lock);
  shop->starved++;
  pthread_mutex_unlock(&shop->lock);
}

dls_status dls_order_measure(const dls_order_inputs *in, const dls_trajectory *traj, size_t of,
                             dls_order_point *points)
{
  const dls_order_spec *spec = in->spec;
  dls_graph *numeric = NULL;
  dls_pairing pair = {0};
  dls_error why = {0};
  dls_status status = dls_quantity_graph(traj, spec->of[of], &numeric, &why);
  if (status == DLS_OK) {
    status = dls_cut_to_common(&numeric, in->standards[of].graph, &why);
  }
  if (status == DLS_OK) {
    pair = dls_pairing_of(numeric, &in->standards[of]);
  }
  bool starved = status == DLS_ERR_MEMORY;
  for (size_t norm = 0; norm < spec->norm_count; norm++) {
    dls_order_point *point = &points[norm * spec->of_count + of];
    const dls_status measured =
        status != DLS_OK ? status
                         : dls_pairing_measure(&pair, spec->norms[norm], &spec->metric, &point->error, &why);
    starved = starved || measured == DLS_ERR_MEMORY;
    if (measured != DLS_OK) {
      fail_point(point, &why);
    }
  }
  dls_pairing_clear(&pair);
  dls_graph_destroy(numeric);
  return starved ? DLS_ERR_MEMORY : DLS_OK;
}

/* The scheme of a run with all its options. */
static dls_status choose(const dls_order_spec *spec, const dls_order_point *run, dls_scheme_choice *out,
                         dls_error *err)
{
  *out = spec->schemes[run->scheme];
  return isnan(run->tol) ? DLS_OK : dls_order_choice(spec, run->scheme, run->tol, out, err);
}

static dls_status run_sim(walk *w, dls_sim *sim, double step, dls_trajectory *record, dls_error *err)
{
  const dls_order_spec *study = w->shop->inputs->spec;
  const dls_run_spec spec = {.step = step,
                             .end = study->end,
                             .start = study->start,
                             .record = record,
                             .poll = poll_walk,
                             .poll_data = w};
  return dls_run(sim, &spec, err);
}

static dls_external_case external_case(walk *w, double step)
{
  const dls_order_spec *spec = w->shop->inputs->spec;
  return (dls_external_case){.model = spec->model,
                             .parameters = spec->parameters,
                             .step = step,
                             .end = spec->end,
                             .poll = poll_walk,
                             .poll_data = w};
}

/* By another program, whose steps are those that it is asked for; how it treats contacts it does not tell. */
static dls_status run_external(walk *w, const dls_external *external, dls_order_point *run,
                               dls_trajectory **traj, dls_error *err)
{
  const dls_external_case c = external_case(w, run->step);
  const double rounding = 1e-12; /* as in the number of steps of a run */
  run->work.steps = (size_t)floor(c.end / c.step * (1 + rounding));
  return dls_external_run(external, &c, traj, &run->work.wall_seconds, err);
}

/* The run that is measured. @param[in,out] run  its work and quality are filled in */
static dls_status simulate(walk *w, const dls_scheme_choice *choice, dls_order_point *run,
                           dls_trajectory **traj, dls_error *err)
{
  dls_sim *sim = NULL;
  const dls_external *external = dls_external_of(choice->scheme);
  if (external != NULL) {
    return run_external(w, external, run, traj, err);
  }
  dls_status status = dls_scheme_choice_sim(choice, w->shop->inputs->sys, &sim, err);
  if (status != DLS_OK) {
    return status;
  }
  *traj = dls_sim_trajectory(sim, err);
  if (*traj == NULL) {
    status = DLS_ERR_MEMORY;
  } else {
    status = run_sim(w, sim, run->step, *traj, err);
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

/* The error of a run in at least one norm is there. */
static bool has_error(const workshop *shop, const order_run *run)
{
  bool found = false;
  for (size_t i = 0; i < shop->measures; i++) {
    found = found || isfinite(run->points[i].error.value);
  }
  return found;
}

/* Seconds are those of a run that had the machine for itself, which a shard does not know; those that are timed get theirs
 * later. */
static void drop_seconds(const workshop *shop, order_run *run)
{
  const dls_order_spec *spec = shop->inputs->spec;
  if (spec->jobs > 1 || spec->shards > 1 || (spec->timings > 0 && has_error(shop, run))) {
    for (size_t i = 0; i < shop->measures; i++) {
      run->points[i].work.wall_seconds = NAN;
    }
  }
}

/* A turn of the loop over the runs. */
static void make_run(void *data, size_t turn)
{
  workshop *shop = data;
  order_run *run = &shop->runs[shop->turns[turn]];
  walk w = {.shop = shop, .weight = run->weight};
  if (run->done || run->elsewhere || !tell(&w, 0)) {
    return;
  }
  dls_order_point done = run->points[0];
  dls_trajectory *traj = NULL;
  dls_scheme_choice choice;
  dls_error why = {0};
  dls_status status = choose(shop->inputs->spec, &done, &choice, &why);
  status = status != DLS_OK ? status : simulate(&w, &choice, &done, &traj, &why);
  for (size_t j = 0; j < shop->measures; j++) {
    run->points[j].work = done.work;
    run->points[j].quality = done.quality;
    if (status != DLS_OK) {
      fail_point(&run->points[j], &why);
    }
  }
  for (size_t of = 0; of < shop->inputs->spec->of_count && status == DLS_OK; of++) {
    status = dls_order_measure(shop->inputs, traj, of, run->points);
  }
  dls_trajectory_destroy(traj);
  if (status == DLS_ERR_MEMORY) {
    starve(shop);
  } else if (status != DLS_ERR_INTERRUPTED) {
    drop_seconds(shop, run);
    finish(shop, run, &w);
  }
}

/* --- timings --- */

static bool to_be_timed(const workshop *shop, const order_run *run)
{
  return !run->elsewhere && shop->inputs->spec->timings > 0 && isnan(run->points[0].work.wall_seconds) &&
         has_error(shop, run);
}

static dls_status time_once(walk *pass, const dls_scheme_choice *choice, double step, double *seconds,
                            dls_error *err)
{
  dls_sim *sim = NULL;
  const dls_external *external = dls_external_of(choice->scheme);
  if (external != NULL) {
    const dls_external_case c = external_case(pass, step);
    return dls_external_time(external, &c, seconds, err);
  }
  dls_status status = dls_scheme_choice_sim(choice, pass->shop->inputs->sys, &sim, err);
  if (status == DLS_OK) {
    status = run_sim(pass, sim, step, NULL, err);
    *seconds = sim->work.wall_seconds;
  }
  dls_sim_destroy(sim);
  return status;
}

/* A pass that warms up, then those that are timed, without record. */
static dls_status take_times(walk *w, const dls_order_point *run, dls_error *err)
{
  const dls_order_inputs *in = w->shop->inputs;
  const size_t passes = 1 + in->spec->timings;
  const double weight = w->weight;
  dls_scheme_choice choice;
  dls_status status = choose(in->spec, run, &choice, err);
  for (size_t i = 0; i < passes && status == DLS_OK; i++) {
    walk pass = {.shop = w->shop, .weight = weight / (double)passes};
    status = time_once(&pass, &choice, run->step, &w->shop->times[i], err);
    w->told += pass.told;
  }
  return status;
}

/* @return false if interrupted */
static bool time_run(workshop *shop, order_run *run)
{
  const size_t timings = shop->inputs->spec->timings;
  walk w = {.shop = shop, .weight = run->weight * (double)(1 + timings)};
  dls_error why = {0};
  const dls_status status = tell(&w, 0) ? take_times(&w, &run->points[0], &why) : DLS_ERR_INTERRUPTED;
  if (status == DLS_ERR_INTERRUPTED) {
    return false;
  }
  if (status == DLS_ERR_MEMORY) { /* its errors are there, its seconds are still to come */
    shop->starved++;
    return true;
  }
  const double seconds = status == DLS_OK ? gsl_stats_median(shop->times + 1, 1, timings) : NAN;
  for (size_t i = 0; i < shop->measures; i++) {
    run->points[i].work.wall_seconds = seconds;
    if (status != DLS_OK) {
      fail_point(&run->points[i], &why);
    }
  }
  finish(shop, run, &w);
  return true;
}

/* --- all runs --- */

/* Places for the points of run number k of a scheme. */
static void prepare(workshop *shop, order_run *run, size_t scheme, size_t k)
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
static dls_status recall(const dls_order_spec *spec, order_run *run, dls_error *err)
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

static dls_status lay_out(workshop *shop, dls_order_point *points, dls_error *err)
{
  const dls_order_spec *spec = shop->inputs->spec;
  dls_status status = DLS_OK;
  size_t next = 0;
  for (size_t scheme = 0; scheme < spec->scheme_count; scheme++) {
    for (size_t k = 0; k < dls_order_runs_of(spec, scheme) && status == DLS_OK; k++) {
      order_run *run = &shop->runs[next];
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
static dls_status deal(workshop *shop, dls_error *err)
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
static void sum_up(workshop *shop)
{
  const size_t timings = shop->inputs->spec->timings;
  for (size_t i = 0; i < shop->count; i++) {
    const order_run *run = &shop->runs[i];
    const bool make = !run->done && !run->elsewhere;
    const double timed = make || to_be_timed(shop, run) ? (double)(timings + 1) : 0;
    shop->total += run->weight * ((make ? 1 : 0) + (timings > 0 ? timed : 0));
  }
}

static void make_all(workshop *shop)
{
  const size_t jobs = shop->inputs->spec->jobs;
  dls_parallel_for(jobs > 1 ? jobs : 1, shop->count, make_run, shop);
  for (size_t i = 0; i < shop->count && !shop->stopped; i++) {
    if (to_be_timed(shop, &shop->runs[i]) && !time_run(shop, &shop->runs[i])) {
      break;
    }
  }
}

/* Close the gaps that runs left which were not finished. @return number of points */
static size_t gather(const workshop *shop, dls_order_point *points)
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
                             size_t *starved, bool *complete, dls_error *err)
{
  const dls_order_spec *spec = inputs->spec;
  const size_t most = spec->scheme_count * dls_order_most_runs(spec);
  workshop shop = {.inputs = inputs, .measures = spec->norm_count * spec->of_count};
  shop.runs = calloc(most, sizeof *shop.runs);
  shop.turns = calloc(most, sizeof *shop.turns);
  shop.times = malloc((spec->timings + 1) * sizeof *shop.times);
  dls_status status = DLS_OK;
  if (shop.runs == NULL || shop.turns == NULL || shop.times == NULL ||
      pthread_mutex_init(&shop.lock, NULL) != 0) {
    status = dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu runs", most);
  } else {
    status = lay_out(&shop, points, err);
    status = status != DLS_OK ? status : deal(&shop, err);
    if (status == DLS_OK) {
      sum_up(&shop);
      make_all(&shop);
      *count = gather(&shop, points);
      *starved = shop.starved;
      *complete = !shop.stopped && shop.starved == 0;
      status = shop.status != DLS_OK ? dls_fail(err, shop.status, "%s", shop.why.text) : DLS_OK;
    }
    pthread_mutex_destroy(&shop.lock);
  }
  free(shop.runs);
  free(shop.turns);
  free(shop.times);
  return status;
}
