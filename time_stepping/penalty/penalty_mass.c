/* penalty_mass.c -- reported velocities and forces with a mass penalty m_p on the closed contacts.
 *
 *   p = M v + sum m_s h_s H_s,   h_s = H_s^T v,   m_s = m_p where the contact is closed or exerted a force      (1)
 *
 * with the momenta p that the scheme works with. The unknowns x_s = m_s h_s solve
 *   (1/m_p + H^T M^-1 H) x = H^T M^-1 p,   v = M^-1 (p - H x)                                                   (2)
 * and the force of the step becomes f - (x' - x)/h. Positions, gaps and p do not depend on m_p: it only
 * post-processes the momenta. Augmented, p = M v + sum (m_s h_s + lambda_s) H_s with lambda := lambda + m_s h_s = x,
 * from 0:
 *   (1/m_p + H^T M^-1 H) x := H^T M^-1 p + x/m_p                                                      (3)
 * again and again; h_s falls by 1/(1 + m_p H^T M^-1 H) each time, towards the projection H^T v = 0.
 * Source: Armero & Petocz 1996, eqs. (3.28)-(3.34), (3.46), (3.47).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/penalty/penalty_mass.h"
#include <string.h>

/* H and M of the end of the step. */
static dls_status config(dls_sim *sim, dls_penalty *s, dls_error *err)
{
  dls_configuration_mass(&s->config, sim->q);
  if (s->config.mass_varies) {
    dls_factor_touch(s->M);
    sim->work.factorizations++;
  }
  if (s->config.mass_varies || s->config.gradient_varies) {
    dls_delassus_reset(s->W_mass);
  }
  return dls_factor_sum(s->M, (const double[]){1}, err);
}

/* (2), then (3) as often as asked, for the contacts of s->set, x in their order. */
static dls_status solve(dls_penalty *s, size_t count, double *x, dls_error *err)
{
  double *compliance = s->contact.E, *rate = s->contact.r;
  dls_status status = DLS_OK;
  for (size_t i = 0; i < count; i++) {
    compliance[i] = 1 / s->mass.mass;
    rate[i] = dls_matrix_column_dot(s->config.normals, s->set[i], s->v); /* H^T M^-1 p */
    x[i] = 0;
  }
  for (size_t k = 0; k <= s->mass.augmentations && status == DLS_OK; k++) {
    for (size_t i = 0; i < count; i++) {
      x[i] = rate[i] + compliance[i] * x[i];
    }
    status = dls_compliant_linear(&s->contact, s->W_mass, 1, count, s->set, compliance, x, err);
  }
  return status;
}

dls_status dls_penalty_mass_velocity(dls_sim *sim, dls_penalty *s, double h, dls_error *err)
{
  const size_t m = sim->sys->m;
  double *x = s->dy;
  size_t count = 0;
  memcpy(sim->v, s->v, sim->sys->n * sizeof *sim->v);
  if (s->W_mass == NULL) {
    return DLS_OK;
  }
  for (size_t j = 0; j < m; j++) {
    if (s->touches[j] || (s->f_node[j] != 0 && !s->mass.closed_only)) {
      s->set[count++] = j;
    }
  }
  dls_status status = config(sim, s, err);
  if (status != DLS_OK || (status = solve(s, count, x, err)) != DLS_OK) {
    return status;
  }
  dls_delassus_apply(s->W_mass, count, s->set, -1, x, sim->v); /* M v + sum m_p (H^T v) H = p */
  for (size_t j = 0, i = 0; j < m; j++) {
    const double now = i < count && s->set[i] == j ? x[i++] : 0;
    sim->lambda[j] -= (now - s->mass_momentum[j]) / h; /* less what the mass penalty stores */
    sim->p[j] -= now - s->mass_momentum[j];
    s->mass_momentum[j] = now;
  }
  return DLS_OK;
}
