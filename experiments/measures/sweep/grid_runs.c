/* experiments/measures/sweep/grid_runs.c -- a cell as runs: numbers of their columns and of the runs themselves.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/larger.h"
#include "experiments/measures/energy/derived.h"
#include "experiments/measures/order/order_lines.h"
#include "experiments/measures/order/reference.h"
#include "experiments/measures/sweep/grid_cells.h"

#include <delassus/many.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- what is wanted --- */

void dls_grid_run_columns(const dls_grid_spec *spec, dls_grid_column *out)
{
  static const char *const labels[] = {
      [DLS_GRID_LAST] = "last ",       [DLS_GRID_LEAST] = "least ",
      [DLS_GRID_LARGEST] = "largest ", [DLS_GRID_MEAN] = "mean ",
      [DLS_GRID_IMPACTS] = "impacts",  [DLS_GRID_PENETRATION] = "worst penetration [m]",
      [DLS_GRID_STEPS] = "steps",      [DLS_GRID_EVALS] = "evaluations"};
  for (size_t i = 0; i < spec->wanted_count; i++) {
    const dls_grid_wanted *w = &spec->wanted[i];
    out[i] = (dls_grid_column){.name = w->name, .label = labels[w->measure], .of = w->column, .drawn = true};
  }
}

/* q3 or v3, which is known at the end of a run without a record. @param[out] index */
static bool is_state(const dls_grid_wanted *w, size_t *index)
{
  if (w->measure != DLS_GRID_LAST || strchr("qv", w->column[0]) == NULL) {
    return false;
  }
  char *end = NULL;
  *index = (size_t)strtoul(w->column + 1, &end, 10);
  return end != w->column + 1 && *end == '\0';
}

bool dls_grid_records(const dls_grid_spec *spec)
{
  size_t index = 0;
  bool needs = false;
  for (size_t i = 0; i < spec->wanted_count; i++) {
    needs = needs || (spec->wanted[i].column != NULL && !is_state(&spec->wanted[i], &index));
  }
  return needs;
}

bool dls_grid_side_by_side(const dls_grid_spec *spec, const dls_scheme *scheme)
{
  return scheme->advance_batch != NULL && !dls_grid_records(spec);
}

bool dls_grid_has_batches(const dls_grid_spec *spec)
{
  bool has = spec->kind == DLS_GRID_OF_RUNS;
  for (size_t i = 0; i < spec->errors.scheme_count && has; i++) {
    has = dls_grid_side_by_side(spec, spec->errors.schemes[i].scheme);
  }
  return has;
}

/* --- one run --- */

static void close_member(dls_grid_member *l)
{
  dls_trajectory_destroy(l->record);
  dls_sim_destroy(l->sim);
  dls_system_destroy(l->sys);
  l->record = NULL;
  l->sim = NULL;
  l->sys = NULL;
}

void dls_grid_close_members(const dls_grid_worker *w)
{
  for (size_t i = 0; i < DLS_BATCH_MOST * w->grid->spec.errors.scheme_count; i++) {
    close_member(&w->members[i]);
  }
}

/* The system of a cell. The last one takes its values, and its sim is renewed, where that can be. @return status of dls_model_create */
static dls_status take_system(const dls_grid_worker *w, size_t cell, dls_grid_member *l)
{
  dls_system *sys = NULL;
  const dls_status status =
      dls_model_create(w->grid->spec.errors.model, dls_grid_parameters(w, cell), &sys, &l->why);
  if (status == DLS_OK && l->sim != NULL && dls_system_take_values(l->sys, sys)) {
    dls_system_destroy(sys);
    if (dls_sim_renew(l->sim, NULL) != DLS_OK) {
      dls_sim_destroy(l->sim);
      l->sim = NULL;
    }
    return DLS_OK;
  }
  close_member(l);
  l->sys = sys;
  return status;
}

/* @param[in,out] l  zero, or as the last run of the scheme has left it */
static void open_member(dls_grid_worker *w, size_t scheme, size_t cell, dls_grid_member *l)
{
  const dls_grid_spec *spec = &w->grid->spec;
  const dls_scheme_choice *choice = &spec->errors.schemes[scheme];
  l->cell = cell;
  l->why.text[0] = '\0';
  l->status = take_system(w, cell, l);
  if (l->status == DLS_OK && l->sim == NULL) {
    l->status = dls_scheme_choice_sim(choice, l->sys, &l->sim, &l->why);
  }
  if (l->status == DLS_OK && w->grid->records) {
    l->record = dls_sim_trajectory(l->sim, &l->why);
    l->status = l->record != NULL ? DLS_OK : DLS_ERR_MEMORY;
  }
  l->run = (dls_run_spec){.step = spec->step,
                          .end = spec->errors.end,
                          .record = l->record,
                          .recording = {.max_rows = spec->max_rows},
                          .start = spec->errors.start,
                          .halvings = dls_scheme_needs_step(choice->scheme) ? spec->halvings : 0,
                          .poll = dls_grid_poll,
                          .poll_data = w};
}

static double reduce(const dls_grid_wanted *w, const dls_graph *graph)
{
  double least = graph->x[0], largest = graph->x[0], sum = 0;
  for (size_t i = 0; i < graph->count; i++) {
    least = fmin(least, graph->x[i]);
    largest = fmax(largest, graph->x[i]);
    sum += graph->x[i];
  }
  return w->measure == DLS_GRID_LAST      ? graph->x[graph->count - 1]
         : w->measure == DLS_GRID_LEAST   ? least
         : w->measure == DLS_GRID_LARGEST ? largest
                                          : sum / (double)graph->count;
}

/* A number of a column of the record. */
static dls_status look_up(const dls_grid_spec *spec, const dls_grid_wanted *w, const dls_trajectory *traj,
                          double *out, dls_error *err)
{
  dls_graph *whole = NULL, *part = NULL;
  dls_status status = dls_quantity_graph(traj, w->column, &whole, err);
  if (status == DLS_OK && w->measure != DLS_GRID_LAST) {
    status = dls_graph_clip(whole, spec->from, INFINITY, &part, err);
  }
  if (status == DLS_OK) {
    *out = reduce(w, part != NULL ? part : whole);
  }
  dls_graph_destroy(whole);
  dls_graph_destroy(part);
  return status;
}

/* A number of the run itself. */
static double count(const dls_grid_wanted *w, const dls_sim *sim)
{
  switch (w->measure) {
  case DLS_GRID_IMPACTS:
    return (double)sim->work.impacts;
  case DLS_GRID_PENETRATION:
    return dls_larger(0, -sim->worst_gap);
  case DLS_GRID_STEPS:
    return (double)sim->work.steps;
  default:
    return dls_order_abscissa(&(dls_order_point){.work = sim->work}, DLS_AGAINST_EVALS);
  }
}

/* *wide := the record with derived columns, if a requested column is missing; else NULL. */
static dls_status widen(const dls_grid_spec *spec, const dls_grid_member *l, dls_trajectory **wide,
                        dls_error *err)
{
  bool has_all = true;
  *wide = NULL;
  for (size_t i = 0; i < spec->wanted_count && l->record != NULL; i++) {
    const char *column = spec->wanted[i].column;
    has_all = has_all && (column == NULL || dls_trajectory_column(l->record, column) > 0);
  }
  return has_all ? DLS_OK : dls_derive(l->record, l->sys, l->sim->scheme, wide, err);
}

static dls_status measure(const dls_grid_spec *spec, const dls_grid_member *l, double *out, dls_error *err)
{
  dls_trajectory *wide = NULL;
  dls_status status = widen(spec, l, &wide, err);
  const dls_trajectory *traj = wide != NULL ? wide : l->record;
  for (size_t i = 0; i < spec->wanted_count && status == DLS_OK; i++) {
    const dls_grid_wanted *w = &spec->wanted[i];
    size_t index = 0;
    if (w->column == NULL) {
      out[i] = count(w, l->sim);
    } else if (is_state(w, &index)) {
      out[i] = w->column[0] == 'q' ? l->sim->q[index] : l->sim->v[index];
    } else {
      status = look_up(spec, w, traj, &out[i], err);
    }
  }
  dls_trajectory_destroy(wide);
  return status;
}

/* The numbers of a run that is over, or why there are none. */
static dls_status finish_member(dls_grid_worker *w, size_t scheme, dls_grid_member *l, dls_error *err)
{
  dls_grid *grid = w->grid;
  dls_status status = l->status;
  dls_warning_tally_add(&w->warnings, l->sim != NULL ? dls_sim_warning_count(l->sim) : 0,
                        l->sim != NULL ? dls_sim_warning_explained(l->sim) : 0);
  if (status == DLS_OK) {
    status = measure(&grid->spec, l, dls_grid_row(grid, l->cell, scheme), &l->why);
  }
  if (status == DLS_OK) {
    return DLS_OK;
  }
  if (status != DLS_ERR_INTERRUPTED && status != DLS_ERR_MEMORY) {
    status = dls_grid_fail(grid, l->cell, scheme, l->why.text, &l->why);
  }
  return status == DLS_OK ? DLS_OK : dls_fail(err, status, "%s", l->why.text);
}

/* --- many --- */

/* Run the opened members side by side. Only one failure is reported, so failed runs are repeated alone for their messages. */
static void run_many(dls_grid_worker *w, size_t scheme, dls_grid_member *members, size_t count)
{
  dls_sim *sims[DLS_BATCH_MOST];
  dls_run_spec runs[DLS_BATCH_MOST];
  dls_status statuses[DLS_BATCH_MOST];
  size_t of[DLS_BATCH_MOST], good = 0;
  for (size_t i = 0; i < count; i++) {
    if (members[i].status == DLS_OK) {
      sims[good] = members[i].sim;
      runs[good] = members[i].run;
      statuses[good] = DLS_ERR_ARG; /* nothing is started if they cannot go side by side */
      of[good++] = i;
    }
  }
  if (good > 0) {
    dls_run_many(good, sims, runs, statuses, NULL);
  }
  for (size_t k = 0; k < good; k++) {
    dls_grid_member *l = &members[of[k]];
    if (statuses[k] != DLS_OK) {
      close_member(l);
      open_member(w, scheme, l->cell, l);
      l->status = l->status == DLS_OK ? dls_run(l->sim, &l->run, &l->why) : l->status;
    }
  }
}

/* Up to DLS_BATCH_MOST cells. Members that are done are kept for the next ones. */
static dls_status make_batch(dls_grid_worker *w, size_t scheme, const size_t *cells, size_t count,
                             dls_grid_member *members, dls_error *err)
{
  dls_status status = DLS_OK;
  const bool many = dls_grid_side_by_side(&w->grid->spec, w->grid->spec.errors.schemes[scheme].scheme);
  for (size_t i = 0; i < count; i++) {
    open_member(w, scheme, cells[i], &members[i]);
  }
  if (many) {
    run_many(w, scheme, members, count);
  }
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    dls_grid_member *l = &members[i];
    if (!many && l->status == DLS_OK) {
      l->status = dls_run(l->sim, &l->run, &l->why);
    }
    status = finish_member(w, scheme, l, err);
  }
  for (size_t i = 0; i < count; i++) {
    if (members[i].status != DLS_OK || members[i].record != NULL) {
      close_member(&members[i]);
    }
  }
  return status;
}

/* In batches of as many runs as go side by side, so that their memory stays in the caches. */
dls_status dls_grid_make_runs(dls_grid_worker *w, const size_t *cells, size_t count, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t scheme = 0; scheme < w->grid->spec.errors.scheme_count; scheme++) {
    dls_grid_member *members = w->members + DLS_BATCH_MOST * scheme;
    for (size_t i = 0; i < count && status == DLS_OK; i += DLS_BATCH_MOST) {
      const size_t left = count - i;
      status = make_batch(w, scheme, cells + i, left < DLS_BATCH_MOST ? left : DLS_BATCH_MOST, members, err);
    }
  }
  return status;
}
