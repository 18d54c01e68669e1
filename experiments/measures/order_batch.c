/* experiments/measures/order_batch.c -- runs that differ in their steps go side by side, by dls_run_many, and are measured one by one.
 * A run that fails there is made again alone, for its own words.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/order_batch.h"
#include "time_stepping/step/small_system.h"
#include <delassus/many.h>
#include <math.h>

/* Records that a crew may have in memory, in nodes: longer runs go alone. */
static const double most_nodes = 1e6;

typedef struct lane {
  size_t turn;
  dls_shop_run *run;
  dls_progress walk;
  dls_scheme_choice choice;
  dls_order_point done; /* its step, work and quality */
  dls_sim *sim;
  dls_trajectory *traj;
} lane;

typedef struct crew {
  dls_workshop *shop;
  size_t count;
  lane lanes[DLS_BATCH_MOST];
} crew;

static bool goes_in_crews(const dls_workshop *shop, const dls_shop_run *run)
{
  const dls_system *sys = shop->inputs->sys;
  const dls_scheme *scheme = shop->inputs->spec->schemes[run->scheme].scheme;
  return !run->done && !run->elsewhere && scheme->advance_batch != NULL && sys->linear &&
         sys->n <= DLS_SMALL_N && sys->m <= DLS_SMALL_M;
}

/* The turn behind a crew of at most `most` that begins with `first`. */
static size_t end_of(const dls_workshop *shop, size_t first, size_t most)
{
  const dls_shop_run *begin = &shop->runs[shop->turns[first]];
  double nodes = begin->weight;
  size_t end = first + 1;
  for (; goes_in_crews(shop, begin) && end < shop->count && end - first < most; end++) {
    const dls_shop_run *run = &shop->runs[shop->turns[end]];
    nodes += run->weight;
    if (!goes_in_crews(shop, run) || run->scheme != begin->scheme || nodes > most_nodes) {
      break;
    }
  }
  return end;
}

void dls_crew_deal(dls_workshop *shop)
{
  const size_t jobs = shop->inputs->spec->jobs > 1 ? shop->inputs->spec->jobs : 1;
  const size_t share = jobs > 1 ? shop->count / (2 * jobs) : shop->count; /* two crews a thread, or more */
  const size_t most = share < DLS_BATCH_MOST ? share : DLS_BATCH_MOST;
  shop->crew_count = 0;
  shop->crews[0] = 0;
  for (size_t turn = 0; turn < shop->count;) {
    turn = end_of(shop, turn, most);
    shop->crews[++shop->crew_count] = turn;
  }
}

/* @return false if there is no memory, or the run cannot start: then it is left to be made alone */
static bool open_lane(crew *c, size_t turn)
{
  const dls_order_inputs *in = c->shop->inputs;
  dls_shop_run *run = &c->shop->runs[c->shop->turns[turn]];
  lane *l = &c->lanes[c->count];
  dls_error why = {0};
  *l = (lane){
      .turn = turn, .run = run, .walk = {.shop = c->shop, .weight = run->weight}, .done = run->points[0]};
  if (dls_shop_choose(in->spec, &l->done, &l->choice, &why) != DLS_OK ||
      dls_scheme_choice_sim(&l->choice, in->sys, &l->sim, &why) != DLS_OK) {
    return false;
  }
  l->traj = dls_sim_trajectory(l->sim, &why);
  if (l->traj == NULL) {
    dls_sim_destroy(l->sim);
    return false;
  }
  c->count++;
  return true;
}

/* The seconds of all are shared by steps, which cost the same in all lanes. */
static void share_seconds(crew *c)
{
  double seconds = 0, steps = 0;
  for (size_t i = 0; i < c->count; i++) {
    seconds += c->lanes[i].sim->work.wall_seconds;
    steps += (double)c->lanes[i].sim->work.steps;
  }
  for (size_t i = 0; i < c->count && steps > 0; i++) {
    c->lanes[i].sim->work.wall_seconds = seconds * ((double)c->lanes[i].sim->work.steps / steps);
  }
}

static void close_lane(crew *c, lane *l, dls_status status)
{
  dls_error why = {0};
  if (status == DLS_OK) {
    l->done.work = l->sim->work;
    status = dls_quality_measure(l->sim, l->traj, &l->done.quality, &why);
    dls_sim_destroy(l->sim);
    dls_shop_settle(c->shop, l->run, &l->walk, &l->done, l->traj, status, &why);
    return;
  }
  dls_sim_destroy(l->sim);
  dls_trajectory_destroy(l->traj);
  if (status != DLS_ERR_INTERRUPTED && dls_progress_report(&l->walk, 0)) {
    dls_shop_make(c->shop, l->turn);
  }
}

static void run_lanes(crew *c)
{
  dls_sim *sims[DLS_BATCH_MOST];
  dls_run_spec specs[DLS_BATCH_MOST];
  dls_status statuses[DLS_BATCH_MOST];
  for (size_t i = 0; i < c->count; i++) {
    sims[i] = c->lanes[i].sim;
    specs[i] = dls_progress_spec(&c->lanes[i].walk, c->lanes[i].done.step, c->lanes[i].traj);
    statuses[i] = DLS_ERR_ARG; /* of all if one is refused before they start */
  }
  dls_run_many(c->count, sims, specs, statuses, NULL);
  share_seconds(c);
  for (size_t i = 0; i < c->count; i++) {
    close_lane(c, &c->lanes[i], statuses[i]);
  }
}

void dls_crew_make(void *data, size_t index)
{
  dls_workshop *shop = data;
  const size_t first = shop->crews[index], end = shop->crews[index + 1];
  dls_progress w = {.shop = shop};
  if (end - first == 1) {
    dls_shop_make(shop, first);
    return;
  }
  if (!dls_progress_report(&w, 0)) {
    return;
  }
  crew c = {.shop = shop};
  for (size_t turn = first; turn < end; turn++) {
    if (!open_lane(&c, turn)) {
      dls_shop_make(shop, turn);
    }
  }
  if (c.count > 0) {
    run_lanes(&c);
  }
}
