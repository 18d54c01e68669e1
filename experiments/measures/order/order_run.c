/* experiments/measures/order/order_run.c -- a run of a study is made, measured and handed to the campaign.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/order/order_run.h"
#include "experiments/measures/order/order_derivatives.h"
#include "experiments/measures/order/order_limit.h"
#include "experiments/measures/order/order_spec.h"
#include "experiments/measures/order/reference.h"
#include <math.h>
#include <stdlib.h>

enum { WIDER = 8 }; /* a run whose distance needs more nodes is repeated with so many times more */

void dls_order_fail(dls_order_point *point, const dls_error *why)
{
  point->error = (dls_measure){NAN, NAN};
  point->value = NAN;
  snprintf(point->reason, sizeof point->reason, "%.199s", why->text);
}

bool dls_order_has_error(const dls_order_cells *cells, size_t cell)
{
  const dls_order_point *points = dls_order_points(cells, cell);
  bool found = false;
  for (size_t i = 0; i < cells->measures; i++) {
    found = found || isfinite(points[i].error.value);
  }
  return found;
}

dls_status dls_order_choose(const dls_order_spec *spec, const dls_order_point *run, dls_scheme_choice *out,
                            dls_error *err)
{
  *out = spec->schemes[run->scheme];
  return isnan(run->tol) ? DLS_OK : dls_order_choice(spec, run->scheme, run->tol, out, err);
}

/* The errors of a quantity against the limit model of the scheme. @return as dls_order_measure */
static dls_status measure_limit(const dls_order_inputs *in, const dls_graph *numeric, size_t of,
                                dls_order_point *points)
{
  const dls_order_spec *spec = in->spec;
  const dls_order_limit *limit = &in->limits[points[0].scheme];
  dls_status ends = DLS_OK;
  if (limit->at == NULL) {
    return DLS_OK;
  }
  dls_comparison pair = dls_comparison_of(numeric, &limit->at[of], &spec->metric);
  for (size_t norm = 0; norm < spec->norm_count; norm++) {
    dls_error why = {0};
    dls_measure *error = &points[norm * spec->of_count + of].limit_error;
    const dls_status status = dls_comparison_measure(&pair, spec->norms[norm], error, &why);
    *error = status == DLS_OK ? *error : (dls_measure){NAN, NAN};
    ends = status == DLS_ERR_MEMORY || status == DLS_ERR_INTERRUPTED ? status : ends;
  }
  dls_comparison_clear(&pair);
  return ends;
}

/* The values of a derivative at the last node. */
static void take_derivative(const dls_order_inputs *in, const dls_graph *numeric, size_t of,
                            dls_order_point *points)
{
  const dls_order_spec *spec = in->spec;
  const double end = numeric->t[numeric->count - 1];
  double value = NAN, exact = NAN;
  dls_graph_value(numeric, end, 1, &value);
  dls_graph_value(in->prepared[of].graph, end, 1, &exact);
  for (size_t norm = 0; norm < spec->norm_count; norm++) {
    points[norm * spec->of_count + of].value = value;
    points[norm * spec->of_count + of].exact = exact;
  }
}

dls_status dls_order_measure(const dls_order_inputs *in, const dls_trajectory *traj, size_t of,
                             dls_order_point *points)
{
  const dls_order_spec *spec = in->spec;
  dls_graph *numeric = NULL;
  dls_comparison pair = {0};
  dls_error why = {0};
  const bool derivative = dls_derivative_parameter(spec->of[of]) != NULL;
  dls_status status = derivative ? dls_derivative_graph(traj, spec->of[of], &numeric, &why)
                                 : dls_quantity_graph(traj, spec->of[of], &numeric, &why);
  if (status == DLS_OK) {
    status = dls_cut_to_common(&numeric, in->prepared[of].graph, &why);
  }
  if (status == DLS_OK && derivative) {
    take_derivative(in, numeric, of, points);
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
      dls_order_fail(point, &why);
    }
  }
  dls_comparison_clear(&pair);
  if (status == DLS_OK && in->limits != NULL && ends == DLS_OK) {
    ends = measure_limit(in, numeric, of, points);
  }
  dls_graph_destroy(numeric);
  return ends;
}

/* --- the run --- */

static bool poll_run(void *data, double t)
{
  dls_order_task *task = data;
  return dls_progress_report(&task->progress, fmin(t / task->cells->inputs->spec->end, 1));
}

dls_run_spec dls_order_task_spec(dls_order_task *task, double step, dls_trajectory *record)
{
  const dls_order_spec *study = task->cells->inputs->spec;
  return (dls_run_spec){.step = step,
                        .end = study->end,
                        .start = study->start,
                        .record = record,
                        .poll = poll_run,
                        .poll_data = task};
}

dls_external_case dls_order_task_external(dls_order_task *task, double step)
{
  const dls_order_spec *spec = task->cells->inputs->spec;
  return (dls_external_case){.model = spec->model,
                             .parameters = spec->parameters,
                             .step = step,
                             .end = spec->end,
                             .poll = poll_run,
                             .poll_data = task};
}

/* By another program, which makes the steps that it is asked for and does not report how it treats contacts. */
static dls_status run_external(dls_order_task *task, const dls_external *external, dls_order_point *run,
                               dls_trajectory **traj, dls_error *err)
{
  const dls_external_case c = dls_order_task_external(task, run->step);
  const double rounding = 1e-12; /* as in the number of steps of a run */
  run->work.steps = (size_t)floor(c.end / c.step * (1 + rounding));
  return dls_external_run(external, &c, traj, &run->work.wall_seconds, err);
}

/* Result of a run: its work and quality, and a record to be measured, or the errors themselves. */
typedef struct product {
  dls_order_point done;
  dls_trajectory *traj; /* NULL: the errors are there */
  dls_order_point *points;
} product;

/* Make a run; measure a long one during the run, with `span` nodes for its distance. @param[out] narrow  they were too few */
static dls_status run_sim(dls_order_task *task, dls_sim *sim, dls_order_tangents *tangents, product *out,
                          size_t span, bool *narrow, dls_error *err)
{
  const double step = out->done.step;
  out->traj = dls_sim_trajectory(sim, err);
  if (out->traj == NULL) {
    return DLS_ERR_MEMORY;
  }
  const bool is_long = dls_order_is_long(task->cells->inputs, step, out->traj);
  dls_run_spec whole = dls_order_task_spec(task, step, out->traj);
  dls_status status = dls_order_tangents_attach(task->cells->inputs->spec, sim, &whole, tangents, err);
  if (status == DLS_OK) {
    status = is_long ? dls_order_run_long(task->cells->inputs, &task->progress, sim, &whole, span, out->points,
                                          narrow, err)
                     : dls_run(sim, &whole, err);
  }
  if (status == DLS_OK) {
    status = dls_order_tangents_join(tangents, sim, out->traj, err);
  }
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

static dls_status simulate(dls_order_task *task, const dls_scheme_choice *choice, product *out, dls_error *err)
{
  const dls_external *external = dls_external_of(choice->scheme);
  if (external != NULL) {
    return run_external(task, external, &out->done, &out->traj, err);
  }
  dls_status status = DLS_OK;
  bool narrow = true;
  for (size_t span = DLS_SPAN; narrow; span *= WIDER) {
    dls_sim *sim = NULL;
    dls_order_tangents tangents = {.count = 0};
    narrow = false;
    status = dls_scheme_choice_sim(choice, task->cells->inputs->sys, &sim, err);
    if (status == DLS_OK) {
      status = run_sim(task, sim, &tangents, out, span, &narrow, err);
    }
    dls_sim_destroy(sim);
    dls_order_tangents_release(&tangents);
  }
  return status;
}

/* Seconds are kept only of a run that had the machine for itself, which a shard cannot know. Runs to be timed get theirs later. */
static void drop_seconds(const dls_order_cells *cells, size_t cell)
{
  const dls_order_spec *spec = cells->inputs->spec;
  if (spec->jobs > 1 || spec->shards > 1 || (spec->timings > 0 && dls_order_has_error(cells, cell))) {
    for (size_t i = 0; i < cells->measures; i++) {
      dls_order_points(cells, cell)[i].work.wall_seconds = NAN;
    }
  }
}

void dls_order_finish(dls_order_task *task, const dls_order_point *done, dls_trajectory *traj,
                      dls_status status, const dls_error *why)
{
  const dls_order_cells *cells = task->cells;
  dls_order_point *points = dls_order_points(cells, task->cell);
  for (size_t j = 0; j < cells->measures; j++) {
    points[j].work = done->work;
    points[j].quality = done->quality;
    if (status != DLS_OK) {
      dls_order_fail(&points[j], why);
    }
  }
  const dls_interrupt before = dls_progress_interrupts(&task->progress);
  if (traj != NULL && status == DLS_OK && cells->inputs->reference != NULL) {
    status = dls_order_measure_contacts(cells->inputs, traj, points);
    for (size_t j = 1; j < cells->measures; j++) {
      points[j].quality.contact = points[0].quality.contact;
    }
  }
  for (size_t of = 0; traj != NULL && of < cells->inputs->spec->of_count && status == DLS_OK; of++) {
    status = dls_order_measure(cells->inputs, traj, of, points);
  }
  dls_interrupt_set(before);
  dls_trajectory_destroy(traj);
  if (status == DLS_ERR_MEMORY) {
    dls_campaign_lacks_memory(task->progress.campaign);
  } else if (status != DLS_ERR_INTERRUPTED) {
    drop_seconds(cells, task->cell);
    dls_campaign_finish(&task->progress, &task->cell, 1);
  }
}

void dls_order_make(dls_campaign *c, size_t cell)
{
  const dls_order_cells *cells = c->data;
  dls_order_task task = {dls_campaign_progress(c, &cell, 1), cells, cell};
  product out = {.done = *dls_order_points(cells, cell), .points = dls_order_points(cells, cell)};
  dls_scheme_choice choice;
  dls_error why = {0};
  dls_status status = dls_order_choose(cells->inputs->spec, &out.done, &choice, &why);
  if (status == DLS_OK) {
    status = simulate(&task, &choice, &out, &why);
  }
  dls_order_finish(&task, &out.done, out.traj, status, &why);
}
