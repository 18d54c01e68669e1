/* paoli_batch.c -- many steps at once: which runs can do that, and their numbers.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/batch/paoli_batch.h"
#include "time_stepping/position/schatzman_paoli.h"
#include <string.h>

/* @return false if the run needs advance for this step */
static bool glides(dls_sim *sim, double h, dls_small_run *run)
{
  const dls_paoli_options *opt = sim->options;
  dls_paoli_memory *s = sim->memory;
  dls_small *small = s->small;
  if (small == NULL || s->h != h || s->factored != h) {
    return false;
  }
  small->eps_u = s->eps_u;
  dls_system_load(sim->sys, dls_sim_next_time(sim, h) + opt->theta * h, s->F);
  *run = (dls_small_run){.small = small,
                         .keep = {[DLS_PAOLI_LOAD] = s->F,
                                  [DLS_PAOLI_Q] = s->q,
                                  [DLS_PAOLI_D] = s->d,
                                  [DLS_PAOLI_G_LAST] = s->g_last,
                                  [DLS_PAOLI_G] = s->g,
                                  [DLS_PAOLI_U_MINUS] = s->u_minus,
                                  [DLS_PAOLI_IMPULSE] = s->impulse,
                                  [DLS_PAOLI_PI] = s->Pi},
                         .number = {[DLS_PAOLI_THETA] = opt->theta}};
  return small->made == dls_factor_made(s->A) ? small->usable
                                              : dls_small_take(small, sim, &s->stage, s->A, NULL, true);
}

void dls_paoli_glide(dls_glide *lane, size_t count)
{
  static const dls_small_widths widths = {dls_paoli_one, dls_paoli_two, dls_paoli_four, dls_paoli_eight};
  dls_small_run run[DLS_GLIDE_MOST] = {{.small = NULL}};
  for (size_t l = 0; l < count; l++) {
    lane[l].status = DLS_OK;
    lane[l].stuck = !glides(lane[l].sim, lane[l].h, &run[l]);
  }
  dls_small_glide(lane, run, count, &widths);
  for (size_t l = 0; l < count; l++) {
    dls_paoli_memory *s = lane[l].sim->memory;
    if (lane[l].made > 0) {
      memcpy(s->q_last, lane[l].sim->q, lane[l].sim->sys->n * sizeof *s->q_last);
    }
  }
}
