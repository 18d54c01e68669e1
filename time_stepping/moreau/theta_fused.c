/* theta_fused.c -- the passes of a fused step: towards the middle with the forces, away from it, and once over q and v with the impulse.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/moreau/theta_fused.h"
#include "common/linear/storage.h"
#include "time_stepping/moreau/theta_equations.h"
#include <string.h>

typedef struct forces {
  const double *q, *v, *load, *load_next;
  double h, theta, ahead; /* ahead: h theta */
} forces;

DLS_FUSED dls_pair load_at(const void *data, size_t i, size_t j)
{
  const forces *f = data;
  return DLS_THETA_FORCE(f->h, f->theta, dls_pair_of(f->load, i, j),
                         dls_pair_of(f->load_next, i, j)); /* (1): h F_theta of the load */
}

DLS_FUSED dls_pair strain_at(const void *data, size_t i, size_t j)
{
  const forces *f = data;
  return DLS_THETA_AHEAD(dls_pair_of(f->q, i, j), dls_pair_of(f->v, i, j), f->ahead); /* (1): K acts there */
}

/* work := v_free - v */
static void solve(dls_sim *sim, dls_theta_memory *s, const dls_tridiagonal *A, double theta, double h)
{
  forces f = {sim->q, sim->v, s->load, s->load_next, h, theta, h * theta};
  const dls_fused_rhs rhs = {sim->K->values, -h};
  const dls_fused_term K = {.of = &rhs, .at = strain_at}, none = {.at = NULL}; /* - h K (q + h theta v) */
  dls_banded_load(sim, s->t_next, s->load_next);
  if (dls_system_load_mean(sim->sys, sim->t, s->t_next,
                           s->v_next)) { /* a row of a table: the mean at both ends */
    f.load = f.load_next = s->v_next;
  }
  if (sim->sys->load == NULL) {
    dls_fused_inwards(A, dls_fused_no_load, K, none, &f, NULL, s->work);
  } else {
    dls_fused_inwards(A, load_at, K, none, &f, NULL, s->work);
  }
  dls_tridiagonal_outwards(A, s->work, s->work);
}

static void free_velocity(const dls_sim *sim, dls_theta_memory *s, dls_rows rows)
{
  for (size_t i = rows.first; i < rows.past; i++) {
    s->v_free[i] = s->work[i] + sim->v[i]; /* v_free = v + A^-1 (..) */
  }
}

void dls_theta_finish_in_place(dls_sim *sim, const dls_theta_memory *s, double h, const double *restrict column,
                               double impulse)
{
  const size_t n = sim->sys->n;
  const double eta = s->eta, *restrict x = s->work;
  double *restrict q = sim->q, *restrict v = sim->v;
  for (size_t i = 0; column == NULL && i < n; i++) {
    const double next = x[i] + v[i];
    q[i] = DLS_THETA_POSITION(q[i], h, eta, v[i], next); /* (1) */
    v[i] = next;
  }
  for (size_t i = 0; column != NULL && i < n; i++) {
    const double next = x[i] + v[i] + impulse * column[i]; /* v' = v_free + A^-1 H1 P */
    q[i] = DLS_THETA_POSITION(q[i], h, eta, v[i], next);   /* (1) */
    v[i] = next;
  }
}

dls_status dls_theta_fused_step(dls_sim *sim, dls_theta_memory *s, const dls_tridiagonal *A, double theta,
                                double h, dls_error *err)
{
  dls_velocity_contact *c = &s->contact;
  const size_t n = sim->sys->n;
  const double *column = NULL;
  double impulse = 0;
  solve(sim, s, A, theta, h);
  free_velocity(sim, s, dls_banded_rows(c->contacts.config, &c->active));
  const dls_status status = dls_velocity_contact_solve(sim, c, s->v_free, err);
  if (status != DLS_OK) {
    return status;
  }
  s->in_place = !dls_banded_jumps(c) &&
                dls_contact_system_single_impulse(&c->contacts, &c->active, c->impulse, &column, &impulse);
  if (s->in_place) {
    dls_theta_finish_in_place(sim, s, h, column, impulse);
    return DLS_OK;
  }
  free_velocity(sim, s, (dls_rows){0, n});
  memcpy(s->v_next, s->v_free, n * sizeof *s->v_next);
  dls_contact_system_apply(&c->contacts, &c->active, 1, c->impulse, s->v_next);
  return DLS_OK;
}
