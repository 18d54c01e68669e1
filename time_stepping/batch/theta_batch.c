/* theta_batch.c -- which runs can go in a batch, and their numbers.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/batch/theta_batch.h"
#include "time_stepping/moreau/theta_step.h"

/* A dls_batch_reader. */
static bool read(dls_sim *sim, double h, dls_batch_data *run)
{
  dls_theta_memory *s = sim->memory;
  dls_small_system *small_system = s->small_system;
  if (small_system == NULL || s->factored != h || s->load_time != sim->t) {
    return false;
  }
  dls_small_system_set_contact(small_system, &s->contact, h);
  *run = (dls_batch_data){.small_system = small_system,
                          .kept = {[DLS_THETA_LOAD] = s->load},
                          .number = {[DLS_THETA_THETA] = dls_theta_value(sim), [DLS_THETA_ETA] = s->eta}};
  return dls_small_system_read(small_system, sim, &s->contact.contacts, s->A, NULL, true);
}

void dls_theta_advance_batch(dls_batch_member *member, size_t count)
{
  static const dls_batch_widths widths = DLS_BATCH_WIDTHS(dls_theta);
  dls_batch_advance(member, count, read, &widths);
  for (size_t l = 0; l < count; l++) {
    dls_theta_memory *s = member[l].sim->memory;
    s->contact.taken = s->contact.taken || member[l].made > 0;
    s->load_time = member[l].made > 0 ? member[l].sim->t : s->load_time;
  }
}
