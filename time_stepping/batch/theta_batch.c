/* theta_batch.c -- many steps at once: which runs can do that, and their numbers.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/batch/theta_batch.h"
#include "time_stepping/moreau/theta_memory.h"
#include "time_stepping/moreau/theta_step.h"

/* The numbers of a run whose matrix is factored for this step. @return false if it needs advance */
static bool glides(dls_sim *sim, double h, dls_small_run *run)
{
  dls_theta_memory *s = sim->memory;
  dls_small *small = s->small;
  if (small == NULL || s->factored != h || s->load_time != sim->t) {
    return false;
  }
  dls_small_watch(small, &s->contact, h);
  *run = (dls_small_run){.small = small,
                         .keep = {[DLS_THETA_LOAD] = s->load},
                         .number = {[DLS_THETA_THETA] = dls_theta_value(sim), [DLS_THETA_ETA] = s->eta}};
  return small->made == dls_factor_made(s->A) ? small->usable
                                              : dls_small_take(small, sim, &s->contact.stage, s->A, NULL, true);
}

void dls_theta_glide(dls_glide *lane, size_t count)
{
  static const dls_small_widths widths = {dls_theta_one, dls_theta_two, dls_theta_four, dls_theta_eight};
  dls_small_run run[DLS_GLIDE_MOST] = {{.small = NULL}};
  for (size_t l = 0; l < count; l++) {
    lane[l].status = DLS_OK;
    lane[l].stuck = !glides(lane[l].sim, lane[l].h, &run[l]);
  }
  dls_small_glide(lane, run, count, &widths);
  for (size_t l = 0; l < count; l++) {
    dls_theta_memory *s = lane[l].sim->memory;
    s->contact.taken = s->contact.taken || lane[l].made > 0;
    s->load_time = lane[l].made > 0 ? lane[l].sim->t : s->load_time;
  }
}
