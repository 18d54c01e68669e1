/* flight.c -- see flight.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/batch/flight.h"
#include "common/run/checks.h"
#include "time_stepping/step/small_system.h"
#include <delassus/trajectory.h>
#include <string.h>

bool dls_batch_unseen(const dls_sim *sim)
{
  return (sim->record == NULL || sim->record->skip_nodes) && sim->load_rows == NULL &&
         (sim->sys->load == NULL || sim->sys->steady_load);
}

void dls_batch_at_flight(dls_sim *sim)
{
  const size_t m = sim->sys->m, slips = (sim->sys->d - 1) * m;
  memset(sim->p, 0, m * sizeof *sim->p);
  memset(sim->p_t, 0, slips * sizeof *sim->p_t);
  memset(sim->lambda, 0, m * sizeof *sim->lambda);
  memset(sim->lambda_t, 0, slips * sizeof *sim->lambda_t);
  memset(sim->status, 0, m * sizeof *sim->status);
  sim->jump = false;
  dls_configuration_contacts(&sim->config, sim->t, sim->q);
  if (m > 0) {
    dls_configuration_node(&sim->config, sim->v, sim->g, sim->u);
    dls_sim_slip(sim, sim->v, sim->u_t);
  }
  dls_checks_begin(sim);
}

/* What a run hands from step to step. */
typedef struct state {
  double numbers[3 * DLS_SMALL_N + 4 * DLS_SMALL_M + 3 * DLS_SMALL_ROWS];
  int status[DLS_SMALL_M];
} state;

static void take_state(const dls_sim *sim, state *x)
{
  const size_t n = sim->sys->n, m = sim->sys->m, slips = (sim->sys->d - 1) * m;
  const struct {
    const double *array;
    size_t count;
  } all[] = {{sim->q, n}, {sim->v, n},      {sim->a, n},       {sim->g, m},       {sim->u, m},
             {sim->p, m}, {sim->lambda, m}, {sim->u_t, slips}, {sim->p_t, slips}, {sim->lambda_t, slips}};
  double *to = memset(x, 0, sizeof *x);
  for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
    memcpy(to, all[k].array, all[k].count * sizeof *to);
    to += all[k].count;
  }
  memcpy(x->status, sim->status, m * sizeof *sim->status);
}

/* Did no event happen, and no counter change that is not in the list? */
static bool same_work(const dls_work *before, const dls_work *after)
{
  dls_work same = *before;
#define DLS_TAKE(name) same.name = after->name;
  DLS_WORK_LIST(DLS_TAKE)
  same.problems = after->problems;
  return memcmp(&same, after, sizeof same) == 0 && after->events == before->events;
}

bool dls_batch_find_period(dls_batch_member *member, size_t period, dls_work *before)
{
  dls_sim *sim = member->sim;
  const size_t begin = sim->step;
  state from, to;
  bool again = false, jumps = false;
  *before = sim->work;
  take_state(sim, &from);
  for (size_t k = 0; k < period && k < member->most && !again; k++) {
    if (dls_sim_advance(sim, member->h, NULL) != DLS_OK || sim->step != begin + k + 1) {
      break; /* the driver calls advance again, which reports the failure */
    }
    jumps = jumps || sim->jump;
    take_state(sim, &to);
    again = memcmp(&from, &to, sizeof from) == 0;
  }
  member->made = sim->step - begin;
  return again && !jumps && same_work(before, &sim->work);
}

void dls_batch_repeat(dls_batch_member *member, const dls_work *before)
{
  dls_sim *sim = member->sim;
  const dls_work after = sim->work;
  const size_t times = member->most / member->made - 1, more = times * member->made;
  if (more == 0) {
    return;
  }
#define DLS_REPEAT(name) sim->work.name += times * (after.name - before->name);
  DLS_WORK_LIST(DLS_REPEAT)
  DLS_REPEAT(problems)
  sim->step += more - 1;
  sim->t = dls_sim_next_time(sim, member->h);
  sim->step++;
  member->made += more;
}
