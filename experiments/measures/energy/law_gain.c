/* experiments/measures/energy/law_gain.c -- whether the law of contact creates energy in a run.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/energy/law_gain.h"
#include "common/base/arrays.h"
#include "common/base/larger.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool dls_law_gain_known(const dls_sim *sim)
{
  const dls_balance *balance = sim->scheme->balance;
  return balance != NULL && !balance->yields && balance->drive == NULL && sim->sys->linear &&
         dls_system_has_friction(sim->sys) && !dls_system_gap_moves(sim->sys);
}

bool dls_law_gain_create(const dls_sim *sim, dls_law_gain *g)
{
  *g = (dls_law_gain){0};
  g->v = dls_arrays((const dls_slot[]){{sim->sys->n, {&g->v, &g->work, &g->load}}, {0}});
  if (g->v != NULL && dls_system_has_steady_load(sim->sys)) {
    dls_system_load(sim->sys, 0, g->load);
  }
  return dls_energy_contacts_create(sim->sys, sim->scheme->balance, &g->contacts) && g->v != NULL;
}

void dls_law_gain_release(dls_law_gain *g)
{
  dls_energy_contacts_release(&g->contacts);
  free(g->v);
}

/* |V|, V = 1/2 q^T K q - F^T q with a steady load F. */
static double potential_size(const dls_law_gain *g, const dls_sim *sim)
{
  const dls_system *sys = sim->sys;
  return fabs(0.5 * dls_balance_product(sys->K, sys->n, sim->q, sim->q, g->work) -
              dls_balance_dot(sys->n, g->load, sim->q));
}

dls_status dls_law_gain_watch(void *data, const dls_sim *sim, dls_error *err)
{
  dls_law_gain *g = data;
  (void)err;
  g->sums.scale =
      dls_larger(g->sums.scale, dls_balance_kinetic(sim->sys, sim->v, g->work) + potential_size(g, sim));
  if (g->open) {
    dls_energy_contacts_watch(&g->contacts, sim, g->v, &g->sums);
  } else {
    dls_energy_contacts_keep(&g->contacts, sim);
  }
  g->open = true;
  memcpy(g->v, sim->v, sim->sys->n * sizeof *g->v);
  return DLS_OK;
}
