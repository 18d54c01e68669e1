/* experiments/measures/order/order_batch.c -- runs that differ in their steps go side by side, by dls_run_many, and are measured one by one.
 * A run that fails there is made again alone, for its own message.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/order/order_run.h"
#include "time_stepping/step/small_system.h"
#include <delassus/many.h>
#include <math.h>

/* Records that a batch may have in memory, in nodes: longer runs go alone. */
static const double most_nodes = 1e6;

typedef struct member {
  dls_order_task task;
  dls_scheme_choice choice;
  dls_order_point done; /* its step, work and quality */
  dls_sim *sim;
  dls_trajectory *traj;
} member;

typedef struct batch {
  dls_campaign *campaign;
  size_t count;
  member members[DLS_BATCH_MOST];
} batch;

static bool goes_in_batches(const dls_order_cells *cells, size_t cell)
{
  const dls_system *sys = cells->inputs->sys;
  const dls_scheme *scheme = cells->inputs->spec->schemes[dls_order_points(cells, cell)->scheme].scheme;
  return !dls_order_differentiates(cells->inputs->spec) && scheme->advance_batch != NULL && sys->linear &&
         sys->n <= DLS_SMALL_N && sys->m <= DLS_SMALL_M;
}

bool dls_order_joins(const dls_campaign *c, size_t first, size_t count, double weight, size_t cell)
{
  const dls_order_cells *cells = c->data;
  return count < cells->batch_most &&
         dls_order_points(cells, first)->scheme == dls_order_points(cells, cell)->scheme &&
         goes_in_batches(cells, cell) && weight + c->measure->weight(c, cell) <= most_nodes;
}

/* @return false if there is no memory, or the run cannot start: then it is left to be made alone */
static bool open_member(batch *b, size_t cell)
{
  const dls_order_cells *cells = b->campaign->data;
  const dls_order_inputs *in = cells->inputs;
  member *m = &b->members[b->count];
  dls_error why = {0};
  *m = (member){.task = {dls_campaign_progress(b->campaign, &cell, 1), cells, cell},
                .done = *dls_order_points(cells, cell)};
  if (dls_order_choose(in->spec, &m->done, &m->choice, &why) != DLS_OK ||
      dls_scheme_choice_sim(&m->choice, in->sys, &m->sim, &why) != DLS_OK) {
    return false;
  }
  m->traj = dls_sim_trajectory(m->sim, &why);
  if (m->traj == NULL) {
    dls_sim_destroy(m->sim);
    return false;
  }
  b->count++;
  return true;
}

/* The seconds of all are shared by steps, which cost the same in all runs. */
static void share_seconds(batch *b)
{
  double seconds = 0, steps = 0;
  for (size_t i = 0; i < b->count; i++) {
    seconds += b->members[i].sim->work.wall_seconds;
    steps += (double)b->members[i].sim->work.steps;
  }
  for (size_t i = 0; i < b->count && steps > 0; i++) {
    b->members[i].sim->work.wall_seconds = seconds * ((double)b->members[i].sim->work.steps / steps);
  }
}

static void close_member(dls_campaign *c, member *m, dls_status status)
{
  dls_error why = {0};
  if (status == DLS_OK) {
    m->done.work = m->sim->work;
    status = dls_quality_measure(m->sim, m->traj, &m->done.quality, &why);
    dls_sim_destroy(m->sim);
    dls_order_finish(&m->task, &m->done, m->traj, status, &why);
    return;
  }
  dls_sim_destroy(m->sim);
  dls_trajectory_destroy(m->traj);
  if (status != DLS_ERR_INTERRUPTED && dls_progress_report(&m->task.progress, 0)) {
    dls_order_make(c, m->task.cell);
  }
}

static void run_members(batch *b)
{
  dls_sim *sims[DLS_BATCH_MOST];
  dls_run_spec specs[DLS_BATCH_MOST];
  dls_status statuses[DLS_BATCH_MOST];
  for (size_t i = 0; i < b->count; i++) {
    member *m = &b->members[i];
    sims[i] = m->sim;
    specs[i] = dls_order_task_spec(&m->task, m->done.step, m->traj);
    statuses[i] = DLS_ERR_ARG; /* of all if one is refused before they start */
  }
  dls_run_many(b->count, sims, specs, statuses, NULL);
  share_seconds(b);
  for (size_t i = 0; i < b->count; i++) {
    close_member(b->campaign, &b->members[i], statuses[i]);
  }
}

dls_status dls_order_run_batch(dls_progress *p, const size_t *cells, size_t count, void *scratch,
                               dls_error *err)
{
  (void)scratch;
  (void)err;
  dls_campaign *c = p->campaign;
  batch b = {.campaign = c};
  if (count == 1) {
    dls_order_make(c, cells[0]);
    return DLS_OK;
  }
  for (size_t i = 0; i < count; i++) {
    if (!open_member(&b, cells[i])) {
      dls_order_make(c, cells[i]);
    }
  }
  if (b.count > 0) {
    run_members(&b);
  }
  return DLS_OK;
}
