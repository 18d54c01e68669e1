/* newmark_batch.c -- which runs can go in a batch, and their numbers.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/batch/newmark_batch.h"
#include "time_stepping/newmark/newmark_step.h"

/* A dls_batch_reader. */
static bool read(dls_sim *sim, double h, dls_batch_data *run)
{
  dls_newmark_memory *s = sim->memory;
  dls_small_system *small_system = s->small_system;
  if (small_system == NULL || s->h != h) {
    return false;
  }
  dls_small_system_set_contact(small_system, &s->contact, h);
  small_system->mass_term = s->c.alpha_m != 0;
  *run = (dls_batch_data){.small_system = small_system,
                          .kept = {[DLS_NEWMARK_LOAD] = s->load, [DLS_NEWMARK_A] = s->a},
                          .number = {[DLS_NEWMARK_GAMMA] = s->c.gamma,
                                     [DLS_NEWMARK_BETA] = s->c.beta,
                                     [DLS_NEWMARK_ALPHA_M] = s->c.alpha_m,
                                     [DLS_NEWMARK_ALPHA_F] = s->c.alpha_f,
                                     [DLS_NEWMARK_ALPHA_C] = s->c.krenk_hogsberg ? s->c.alpha_m : s->c.alpha_f,
                                     [DLS_NEWMARK_WEIGHT_K] = s->weight_k,
                                     [DLS_NEWMARK_WEIGHT_C] = s->weight_c}};
  return dls_small_system_read(small_system, sim, &s->contact.contacts, s->A, s->M, false);
}

void dls_newmark_advance_batch(dls_batch_member *member, size_t count)
{
  static const dls_batch_widths widths = DLS_BATCH_WIDTHS(dls_newmark);
  dls_batch_advance(member, count, read, &widths);
  for (size_t l = 0; l < count; l++) {
    dls_newmark_memory *s = member[l].sim->memory;
    s->contact.taken = s->contact.taken || member[l].made > 0;
  }
}
