/* paoli_batch.c -- which runs can go in a batch, and their numbers.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/batch/paoli_batch.h"
#include "time_stepping/position/paoli_equations.h"
#include "time_stepping/position/schatzman_paoli.h"
#include <string.h>

/* A dls_batch_reader. */
static bool read(dls_sim *sim, double h, dls_batch_data *run)
{
  const dls_paoli_options *opt = sim->options;
  dls_paoli_memory *s = sim->memory;
  dls_small_system *small_system = s->small_system;
  if (small_system == NULL || s->h != h || s->factored != h) {
    return false;
  }
  small_system->eps_u = s->eps_u;
  dls_system_load(sim->sys, DLS_PAOLI_TIME(dls_sim_next_time(sim, h), opt->theta, h), s->F);
  *run = (dls_batch_data){.small_system = small_system,
                          .kept = {[DLS_PAOLI_LOAD] = s->F,
                                   [DLS_PAOLI_Q] = s->q,
                                   [DLS_PAOLI_D] = s->d,
                                   [DLS_PAOLI_G_LAST] = s->g_last,
                                   [DLS_PAOLI_G] = s->g,
                                   [DLS_PAOLI_U_MINUS] = s->u_minus,
                                   [DLS_PAOLI_IMPULSE] = s->impulse,
                                   [DLS_PAOLI_PI] = s->Pi},
                          .number = {[DLS_PAOLI_THETA] = opt->theta}};
  return dls_small_system_read(small_system, sim, &s->contacts, s->A, NULL, true);
}

void dls_paoli_advance_batch(dls_batch_member *member, size_t count)
{
  static const dls_batch_widths widths = DLS_BATCH_WIDTHS(dls_paoli);
  dls_batch_advance(member, count, read, &widths);
  for (size_t l = 0; l < count; l++) {
    dls_paoli_memory *s = member[l].sim->memory;
    if (member[l].made > 0) {
      memcpy(s->q_last, member[l].sim->q, member[l].sim->sys->n * sizeof *s->q_last);
    }
  }
}
