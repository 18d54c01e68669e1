/* position_contact.c -- the complementarity problem of gaps at the end of a step.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/position_contact.h"
#include "common/solve/large/cascade.h"
#include <math.h>
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

enum { MOST_AT_ONCE = 100 };          /* contacts up to which the problem is made of all, where W stays */
static const double rounding = 1e-13; /* of a gap, in units of its terms */

/* b := g(q) + scale H^T dq of all contacts; those of an impulse in the last step, and those that close, are chosen.
 * @return does one close? */
static bool choose_closing(const dls_sim *sim, dls_velocity_contact *c, const double *q, double scale,
                           const double *dq)
{
  const dls_configuration *config = c->contacts.config;
  const size_t d = config->d;
  const bool few = sim->sys->linear && sim->sys->m <= MOST_AT_ONCE;
  /* Also where W needs no solves: in a chain of touching contacts, each problem would close only one contact more. */
  const bool all = few || dls_delassus_diagonal(c->contacts.W) != NULL;
  bool closing = false;
  dls_system_gap(sim->sys, config->t, q, c->gap);
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double b = c->gap[j] + scale * dls_matrix_column_dot(config->H, d * j, dq);
    c->u_free[d * j] = b;
    c->chosen[j] = all || !(b >= 0) || dls_sim_impulse(sim, j, 0) > 0;
    closing = closing || !(b >= 0);
  }
  return closing;
}

/* The problem of the chosen contacts. */
static dls_status solve_chosen(const dls_sim *sim, dls_velocity_contact *c, dls_error *err)
{
  const size_t d = c->contacts.config->d;
  c->active.count = 0;
  for (size_t j = 0; j < sim->sys->m; j++) {
    if (c->chosen[j]) {
      c->u_minus[d * c->active.count] = c->u_free[d * j]; /* b side by side */
      c->active.index[c->active.count++] = j;
    }
  }
  memset(c->impulse, 0, c->contacts.config->rows * sizeof *c->impulse);
  for (size_t k = 0; c->active.count > DLS_CASCADE_SMALLEST && k < c->active.count; k++) {
    c->impulse[d * k] = dls_sim_impulse(sim, c->active.index[k], 0); /* of the last step: to start with */
  }
  return dls_contact_system_solve(&c->contacts, &c->active, c->u_minus, c->impulse, err);
}

/* Choose the contacts that the impulses of the others close. @return is there one? */
static bool choose_more(const dls_sim *sim, dls_velocity_contact *c)
{
  const size_t d = c->contacts.config->d;
  bool more = false;
  if (c->active.count == sim->sys->m) {
    return false;
  }
  memset(c->q_ahead, 0, sim->sys->n * sizeof *c->q_ahead);
  dls_contact_system_apply(&c->contacts, &c->active, 1, c->impulse, c->q_ahead); /* W z = H^T of it */
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double b = c->u_free[d * j],
                 change = c->chosen[j] ? 0 : dls_matrix_column_dot(c->contacts.config->H, d * j, c->q_ahead);
    if (!c->chosen[j] && b + change < -rounding * (fabs(b) + fabs(change))) {
      c->chosen[j] = more = true;
    }
  }
  return more;
}

dls_status dls_position_contact_solve(const dls_sim *sim, dls_velocity_contact *c, const double *q,
                                      double scale, const double *dq, dls_error *err)
{
  c->active.count = 0;
  if (sim->sys->m == 0 || !choose_closing(sim, c, q, scale, dq)) {
    return DLS_OK;
  }
  dls_status status = solve_chosen(sim, c, err);
  while (status == DLS_OK && choose_more(sim, c)) { /* a larger set each time */
    status = solve_chosen(sim, c, err);
  }
  return status;
}
