/* event_driven/geometry.c -- what the configuration gives at (t, q): contacts, free motion, projections.
 *   free motion   M a = F + G mu,   Gamma_alpha = H_alpha^T a + (dH_alpha^T/dt) v
 *   projections   g = 0 and Phi = 0, then u = 0 on the rows that are held, nearest in the mass metric
 * Source: Acary, lecture, eqs. (23), (29); with the sign of (dH^T/dt) v in (23) corrected.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/storage.h"
#include "event_driven/event_integrator.h"
#include <float.h>
#include <math.h>
#include <string.h>

double dls_geometry_before_break(const dls_event_integrator *tr, double t)
{
  return t < tr->next_break ? t : nextafter(tr->next_break, 0);
}

dls_status dls_geometry_set(dls_event_integrator *tr, double t, const double *q, dls_error *err)
{
  return dls_contact_system_at(&tr->contacts, dls_geometry_before_break(tr, t), q, err);
}

void dls_geometry_gap_velocity(dls_event_integrator *tr, double t, const double *q, const double *v)
{
  if (tr->m > 0) {
    if (tr->contacts.config->moves) { /* else it stays 0 */
      dls_system_gap_rate(tr->sys, t, q, tr->rate);
    }
    memcpy(tr->u, tr->rate, tr->m * sizeof *tr->u);
    dls_matrix_multiply_transposed(tr->contacts.config->normals, 1, v, tr->u);
  }
}

void dls_geometry_contact_weight(dls_event_integrator *tr, size_t j)
{
  const dls_configuration *place = tr->contacts.config;
  if (tr->contact[j].weighed && !place->mass_varies && !place->gradient_varies) {
    return;
  }
  tr->contact[j].weighed = true;
  const dls_matrix *normals = tr->contacts.config->normals;
  double *column = tr->a;
  memset(column, 0, tr->n * sizeof *column);
  dls_matrix_column_add(normals, j, 1, column);
  dls_contact_system_inverse(&tr->contacts, column);
  const double weight = dls_matrix_column_dot(normals, j, column);
  tr->contact[j].weight = weight > 0 ? weight : 1; /* the gradient may vanish where the contact is open */
}

void dls_geometry_split_rows(const dls_event_integrator *tr, const double *r, double *normal,
                             double *tangential)
{
  for (size_t j = 0; j < tr->m; j++) {
    normal[j] = r[tr->d * j];
    for (size_t i = 1; i < tr->d; i++) {
      *tangential++ = r[tr->d * j + i];
    }
  }
}

double dls_geometry_restitution(const dls_event_integrator *tr, size_t j)
{
  return dls_law_of(tr->sys, j)->expands ? tr->sys->e[j] : tr->contacts.mixture[tr->d * j];
}

double dls_geometry_gap_round_off(const dls_event_integrator *tr, size_t j, double t, const double *q)
{
  const dls_system *sys = tr->sys;
  const dls_column h = dls_matrix_column(tr->contacts.config->normals, j);
  const double inner = sys->linear ? 0 : sys->length; /* terms that a nonlinear gap may hide */
  double terms = fabs(sys->w[j]) + fabs(tr->rate[j] * t);
  for (size_t k = 0; k < h.count; k++) {
    terms += fabs(h.values[k]) * (fabs(q[dls_column_row(&h, k)]) + inner);
  }
  return threshold_gap_rounding * DBL_EPSILON * terms;
}

void dls_geometry_free_acceleration(dls_event_integrator *tr, double t, const double *q, const double *v,
                                    double *a)
{
  dls_sim_force(tr->sim, dls_geometry_before_break(tr, t), q, v, a);
  dls_contact_system_acceleration(&tr->contacts, v, a);
}

void dls_geometry_free_gap_acceleration(dls_event_integrator *tr, double t, const double *q, const double *v,
                                        size_t count, const size_t *set, double *b)
{
  dls_geometry_free_acceleration(tr, t, q, v, tr->a);
  if (tr->contacts.config->bends) {
    dls_system_curvature(tr->sys, t, q, v, tr->curvature);
  }
  for (size_t k = 0; k < count; k++) {
    b[k] = dls_matrix_column_dot(tr->contacts.config->normals, set[k], tr->a) + tr->curvature[set[k]];
  }
}

void dls_geometry_multipliers(dls_event_integrator *tr, double t, const double *q, const double *v,
                              const double *lambda, double *a, double *mu)
{
  if (tr->contacts.joints != NULL) {
    dls_sim_force(tr->sim, dls_geometry_before_break(tr, t), q, v, a);
    if (tr->m > 0) {
      dls_matrix_multiply(tr->contacts.config->H, 1, lambda, a);
    }
    dls_joints_acceleration(tr->contacts.joints, v, tr->contacts.baumgarte, a, mu);
  }
}

void dls_geometry_count_redundant(dls_event_integrator *tr, size_t redundant)
{
  size_t *most = &tr->sim->work.redundant;
  *most = redundant > *most ? redundant : *most;
}

dls_status dls_geometry_project(dls_event_integrator *tr, size_t down, size_t rest, dls_error *err)
{
  const dls_contacts closed = {down, tr->down};
  dls_status status = dls_geometry_set(tr, tr->located.t, tr->q, err);
  status = status != DLS_OK ? status
                            : dls_contact_system_project_q(&tr->contacts, &closed, tr->located.t, tr->q, err);
  size_t rows = 0;
  for (size_t k = 0; k < rest; k++) {
    const size_t j = tr->subset[k];
    tr->held[rows++] = tr->d * j;
    for (size_t i = 1; tr->contact[j].has_friction && tr->mode[j].kind == DLS_MODE_STICKS && i < tr->d; i++) {
      tr->held[rows++] = tr->d * j + i;
    }
  }
  tr->held_rows = rows;
  return status != DLS_OK ? status
                          : dls_contact_system_hold(&tr->contacts, rows, tr->held, tr->v, tr->impulse, err);
}

void dls_geometry_add_held_impulses(dls_event_integrator *tr, size_t count)
{
  for (size_t k = 0, row = 0; k < count; k++) {
    dls_participant *participant = &tr->participant[k];
    for (; row < tr->held_rows && tr->held[row] / tr->d == participant->contact; row++) {
      const size_t i = tr->held[row] % tr->d;
      *(i == 0 ? &participant->impulse : &participant->friction[i - 1]) += tr->impulse[row];
    }
  }
}

bool dls_geometry_joints_drift(dls_event_integrator *tr)
{
  dls_joints *joints = tr->contacts.joints;
  if (joints == NULL || tr->contacts.loose) {
    return false;
  }
  dls_joints_conditions(joints, tr->right.t, tr->right.y);
  return dls_joints_distance(joints, NULL) > threshold_drift_joints * tr->eps.g ||
         dls_joints_drift(joints, tr->right.y + tr->n, NULL) >
             threshold_drift_joints * tr->eps.u * tr->sys->length / tr->sys->time;
}

dls_status dls_geometry_check_rank(const dls_event_integrator *tr, double t, dls_error *err)
{
  if (tr->contacts.joints == NULL || tr->contacts.loose || !dls_joints_lose_rank(tr->contacts.joints)) {
    return DLS_OK;
  }
  return dls_sim_fail(
      tr->sim, err, DLS_ERR_SINGULAR,
      "the joints lose rank at t = %.17g: a row of their gradients depends on others up to 1e-6 there, and "
      "motion by events cannot be followed through that (energy-preserving can)",
      t);
}

dls_status dls_geometry_project_joints(dls_event_integrator *tr, double t, const dls_contacts *set, double *q,
                                       double *v, dls_error *err)
{
  dls_status status =
      dls_contact_system_project_q(&tr->contacts, set, dls_geometry_before_break(tr, t), q, err);
  status = status != DLS_OK ? status : dls_geometry_set(tr, t, q, err);
  if (status != DLS_OK || tr->contacts.loose) {
    return status;
  }
  dls_joints_learn(tr->contacts.joints);
  return dls_contact_system_project_v(&tr->contacts, set, v, err);
}
