/* newmark_batch.c -- many steps at once: which runs can do that, and their numbers.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/batch/newmark_batch.h"

/* @return false if the run needs advance for this step */
static bool glides(dls_sim *sim, double h, dls_small_run *run)
{
  dls_newmark_memory *s = sim->memory;
  dls_small *small = s->small;
  if (small == NULL || s->h != h) {
    return false;
  }
  dls_small_watch(small, &s->contact, h);
  small->mass_term = s->c.alpha_m != 0;
  *run = (dls_small_run){.small = small,
                         .keep = {[DLS_NEWMARK_LOAD] = s->load, [DLS_NEWMARK_A] = s->a},
                         .number = {[DLS_NEWMARK_GAMMA] = s->c.gamma,
                                    [DLS_NEWMARK_BETA] = s->c.beta,
                                    [DLS_NEWMARK_ALPHA_M] = s->c.alpha_m,
                                    [DLS_NEWMARK_ALPHA_F] = s->c.alpha_f,
                                    [DLS_NEWMARK_ALPHA_C] = s->c.krenk_hogsberg ? s->c.alpha_m : s->c.alpha_f,
                                    [DLS_NEWMARK_WEIGHT_K] = s->weight_k,
                                    [DLS_NEWMARK_WEIGHT_C] = s->weight_c}};
  return small->made == dls_factor_made(s->A)
             ? small->usable
             : dls_small_take(small, sim, &s->contact.stage, s->A, s->M, false);
}

void dls_newmark_glide(dls_glide *lane, size_t count)
{
  static const dls_small_widths widths = {dls_newmark_one, dls_newmark_two, dls_newmark_four,
                                          dls_newmark_eight};
  dls_small_run run[DLS_GLIDE_MOST] = {{.small = NULL}};
  for (size_t l = 0; l < count; l++) {
    lane[l].status = DLS_OK;
    lane[l].stuck = !glides(lane[l].sim, lane[l].h, &run[l]);
  }
  dls_small_glide(lane, run, count, &widths);
  for (size_t l = 0; l < count; l++) {
    dls_newmark_memory *s = lane[l].sim->memory;
    s->contact.taken = s->contact.taken || lane[l].made > 0;
  }
}
