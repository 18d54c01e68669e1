/* experiments/measures/order_shop.c -- a run of a study is made, measured and handed to the caller.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/order_shop.h"
#include "experiments/measures/order_long.h"
#include "experiments/measures/order_study.h"
#include "experiments/measures/reference.h"
#include <math.h>
#include <stdlib.h>

enum { WIDER = 8 }; /* a run whose distance needs more nodes has so many times more the next time */

/* --- the fraction done, and the end before it --- */

/* Tell that part of a walk, in [0, 1], is done. @return false if the study is to stop */
bool dls_progress_report(dls_progress *w, double part)
{
  dls_workshop *shop = w->shop;
  const dls_order_spec *spec = shop->inputs->spec;
  pthread_mutex_lock(&shop->lock);
  shop->reported += part * w->weight - w->reported;
  w->reported = part * w->weight;
  if (!shop->stopped && spec->poll != NULL) {
    shop->stopped = !spec->poll(spec->poll_data, fmin(shop->reported / shop->total, 1));
  }
  const bool stopped = shop->stopped;
  pthread_mutex_unlock(&shop->lock);
  return !stopped;
}

/* While the run is measured. */
static bool poll_distance(void *data)
{
  dls_progress *w = data;
  return dls_progress_report(w, w->reported / w->weight);
}

dls_interrupt dls_progress_interrupts(dls_progress *w)
{
  return dls_interrupt_set((dls_interrupt){poll_distance, w, 0, false});
}

static bool poll_progress(void *data, double t)
{
  dls_progress *w = data;
  return dls_progress_report(w, fmin(t / w->shop->inputs->spec->end, 1));
}

/* The run is finished: hand it to the caller. */
void dls_shop_finish(dls_workshop *shop, dls_shop_run *run, dls_progress *w)
{
  const dls_order_spec *spec = shop->inputs->spec;
  dls_error why = {0};
  pthread_mutex_lock(&shop->lock);
  shop->reported += w->weight - w->reported;
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

void dls_shop_fail(dls_order_point *point, const dls_error *why)
{
  point->error = (dls_measure){NAN, NAN};
  snprintf(point->reason, sizeof point->reason, "%.199s", why->text);
}

/* The run is left to be made again. */
static void starve(dls_workshop *shop)
{
  pthread_mutex_lock(&shop->lock);
  shop->out_of_memory++;
  pthread_mutex_unlock(&shop->lock);
}

dls_status dls_order_measure(const dls_order_inputs *in, const dls_trajectory *traj, size_t of,
                             dls_order_point *points)
{
  const dls_order_spec *spec = in->spec;
  dls_graph *numeric = NULL;
  dls_comparison pair = {0};
  dls_error why = {0};
  dls_status status = dls_quantity_graph(traj, spec->of[of], &numeric, &why);
  if (status == DLS_OK) {
    status = dls_cut_to_common(&numeric, in->prepared[of].graph, &why);
  }
  if (status == DLS_OK) {
    pair = dls_comparison_of(numeric, &in->prepared[of], &spec->metric);
  }
  dls_status ends = status == DLS_ERR_MEMORY ? status : DLS_OK;
  for (size_t norm = 0; norm < spec->norm_count; norm++) {
    dls_order_point *point = &points[norm * spec->of_count + of];
    const dls_status measured =
        status != DLS_OK ? status : dls_comparison_measure(&pair, spec->norms[norm], &point->error, &why);
    ends = measured == DLS_ERR_MEMORY || measured == DLS_ERR_INTERRUPTED ? measured : ends;
    if (measured != DLS_OK) {
      dls_shop_fail(point, &why);
    }
  }
  dls_comparison_clear(&pair);
  dls_graph_destroy(numeric);
  return ends;
}

/* The scheme of a run with all its options. */
dls_status dls_shop_choose(const dls_order_spec *spec, const dls_order_point *run, dls_scheme_choice *out,
                           dls_error *err)
{
  *out = spec->schemes[run->scheme];
  return isnan(run->tol) ? DLS_OK : dls_order_choice(spec, run->scheme, run->tol, out, err);
}

dls_run_spec dls_progress_spec(dls_progress *w, double step, dls_trajectory *record)
{
  const dls_order_spec *study = w->shop->inputs->spec;
  return (dls_run_spec){.step = step,
                        .end = study->end,
                        .start = study->start,
                        .record = record,
                        .poll = poll_progress,
                        .poll_data = w};
}

dls_status dls_progress_sim(dls_progress *w, dls_sim *sim, double step, dls_trajectory *record, dls_error *err)
{
  const dls_run_spec spec = dls_progress_spec(w, step, record);
  return dls_run(sim, &spec, err);
}

dls_external_case dls_progress_external(dls_progress *w, double step)
{
  const dls_order_spec *spec = w->shop->inputs->spec;
  return (dls_external_case){.model = spec->model,
                             .parameters = spec->parameters,
                             .step = step,
                             .end = spec->end,
                             .poll = poll_progress,
                             .poll_data = w};
}

/* By another program, whose steps are those that it is asked for; how it treats contacts it does not tell. */
static dls_status run_external(dls_progress *w, const dls_external *external, dls_order_point *run,
                               dls_trajectory **traj, dls_error *err)
{
  const dls_external_case c = dls_progress_external(w, run->step);
  const double rounding = 1e-12; /* as in the number of steps of a run */
  run->work.steps = (size_t)floor(c.end / c.step * (1 + rounding));
  return dls_external_run(external, &c, traj, &run->work.wall_seconds, err);
}

/* What becomes of a turn: its work and quality, and a record to be measured, or the errors themselves. */
typedef struct product {
  dls_order_point done;
  dls_trajectory *traj; /* NULL: the errors are there */
  dls_order_point *points;
} product;

/* Run, measure it on the way if it is long, with `span` nodes for its distance. @param[out] narrow  which were too few */
static dls_status run_sim(dls_progress *w, dls_sim *sim, product *out, size_t span, bool *narrow,
                          dls_error *err)
{
  const double step = out->done.step;
  out->traj = dls_sim_trajectory(sim, err);
  if (out->traj == NULL) {
    return DLS_ERR_MEMORY;
  }
  const bool is_long = dls_shop_is_long(w->shop, step, out->traj);
  const dls_status status = is_long ? dls_shop_run_long(w, sim, step, span, out->traj, out->points, narrow, err)
                                    : dls_progress_sim(w, sim, step, out->traj, err);
  dls_error why = {0};
  const dls_status measured = dls_quality_measure(sim, out->traj, &out->done.quality, &why);
  out->done.work = sim->work;
  if (is_long) {
    dls_trajectory_destroy(out->traj);
    out->traj = NULL;
  }
  if (status == DLS_OK && measured != DLS_OK) {
    *err = why;
    return measured;
  }
  return status;
}

/* The run that is measured. */
static dls_status simulate(dls_progress *w, const dls_scheme_choice *choice, product *out, dls_error *err)
{
  const dls_external *external = dls_external_of(choice->scheme);
  if (external != NULL) {
    return run_external(w, external, &out->done, &out->traj, err);
  }
  dls_status status = DLS_OK;
  bool narrow = true;
  for (size_t span = DLS_SPAN; narrow; span *= WIDER) {
    dls_sim *sim = NULL;
    narrow = false;
    status = dls_scheme_choice_sim(choice, w->shop->inputs->sys, &sim, err);
    status = status != DLS_OK ? status : run_sim(w, sim, out, span, &narrow, err);
    dls_sim_destroy(sim);
  }
  return status;
}

/* The error of a run in at least one norm is there. */
bool dls_shop_has_error(const dls_workshop *shop, const dls_shop_run *run)
{
  bool found = false;
  for (size_t i = 0; i < shop->measures; i++) {
    found = found || isfinite(run->points[i].error.value);
  }
  return found;
}

/* Seconds are those of a run that had the machine for itself, which a shard does not know; those that are timed get theirs
 * later. */
static void drop_seconds(const dls_workshop *shop, dls_shop_run *run)
{
  const dls_order_spec *spec = shop->inputs->spec;
  if (spec->jobs > 1 || spec->shards > 1 || (spec->timings > 0 && dls_shop_has_error(shop, run))) {
    for (size_t i = 0; i < shop->measures; i++) {
      run->points[i].work.wall_seconds = NAN;
    }
  }
}

void dls_shop_settle(dls_workshop *shop, dls_shop_run *run, dls_progress *w, const dls_order_point *done,
                     dls_trajectory *traj, dls_status status, const dls_error *why)
{
  for (size_t j = 0; j < shop->measures; j++) {
    run->points[j].work = done->work;
    run->points[j].quality = done->quality;
    if (status != DLS_OK) {
      dls_shop_fail(&run->points[j], why);
    }
  }
  const dls_interrupt before = dls_progress_interrupts(w);
  for (size_t of = 0; traj != NULL && of < shop->inputs->spec->of_count && status == DLS_OK; of++) {
    status = dls_order_measure(shop->inputs, traj, of, run->points);
  }
  dls_interrupt_set(before);
  dls_trajectory_destroy(traj);
  if (status == DLS_ERR_MEMORY) {
    starve(shop);
  } else if (status != DLS_ERR_INTERRUPTED) {
    drop_seconds(shop, run);
    dls_shop_finish(shop, run, w);
  }
}

/* A turn of the loop over the runs. */
void dls_shop_make(void *data, size_t turn)
{
  dls_workshop *shop = data;
  dls_shop_run *run = &shop->runs[shop->turns[turn]];
  dls_progress w = {.shop = shop, .weight = run->weight};
  if (run->done || run->elsewhere || !dls_progress_report(&w, 0)) {
    return;
  }
  product out = {.done = run->points[0], .points = run->points};
  dls_scheme_choice choice;
  dls_error why = {0};
  dls_status status = dls_shop_choose(shop->inputs->spec, &out.done, &choice, &why);
  status = status != DLS_OK ? status : simulate(&w, &choice, &out, &why);
  dls_shop_settle(shop, run, &w, &out.done, out.traj, status, &why);
}
