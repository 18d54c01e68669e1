/* position_contact.c -- the complementarity problem of gaps at the end of a step.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/position_contact.h"

#include <string.h>

dls_status dls_position_contact_primal_dual(const dls_sim *sim, dls_velocity_contact *c, dls_primal_dual *R,
                                            const double *q, const double *f, double *x, dls_error *err)
{
  bool presses = false;
  c->active.count = sim->sys->m;
  dls_system_gap(sim->sys, c->contacts.config->t, q, c->gap);
  for (size_t j = 0; j < sim->sys->m; j++) {
    c->active.index[j] = j;
    c->u_free[j] = c->gap[j];
    c->u_minus[j] = 0;                          /* no impact law */
    c->impulse[j] = dls_sim_impulse(sim, j, 0); /* of the last step: to start with */
  }
  const dls_status status = dls_primal_dual_solve(R, &c->active, f, c->u_free, c->u_minus, c->impulse, x, err);
  for (size_t j = 0; j < sim->sys->m; j++) {
    presses = presses || c->impulse[j] > 0;
  }
  c->active.count = presses ? sim->sys->m : 0;
  return status;
}

dls_status dls_position_contact_solve(const dls_sim *sim, dls_velocity_contact *c, const double *q,
                                      double scale, const double *dq, dls_error *err)
{
  const dls_configuration *config = c->contacts.config;
  const size_t d = config->d;
  bool closing = false;
  c->active.count = 0;
  if (sim->sys->m == 0) {
    return DLS_OK;
  }
  dls_system_gap(sim->sys, config->t, q, c->gap);
  memset(c->impulse, 0, config->rows * sizeof *c->impulse);
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double b = c->gap[j] + scale * dls_matrix_column_dot(config->H, d * j, dq); /* g(q) + scale H^T dq */
    c->u_free[d * j] = b;
    c->active.index[j] = j;
    closing = closing || !(b >= 0);
  }
  if (!closing) {
    return DLS_OK;
  }
  c->active.count = sim->sys->m;
  return dls_contact_system_solve(&c->contacts, &c->active, c->u_free, c->impulse, err);
}
