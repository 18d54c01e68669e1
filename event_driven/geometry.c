/* event_driven/geometry.c -- what follows from the configuration at (t, q): contacts, free motion, projections.
 *
 *   free motion   M a = F + G mu,   Gamma_alpha = H_alpha^T a + (dH_alpha^T/dt) v
 *   projections   g = 0 and Phi = 0, then u = 0 on the rows that are held, nearest in the mass metric
 * Source: Acary, lecture, eqs. (23), (29); with the sign of (dH^T/dt) v in (23) corrected.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/storage.h"
#include "event_driven/event_integrator.h"
#include <float.h>
#include <math.h>
#include <string.h>

double dls_geometry_before_break(const dls_event_state *state, double t)
{
  return t < state->next_break ? t : nextafter(state->next_break, 0);
}

dls_status dls_geometry_set(const dls_event_state *state, dls_event_work *work, double t, const double *q,
                            dls_error *err)
{
  return dls_contact_system_at(&work->contacts, dls_geometry_before_break(state, t), q, err);
}

void dls_geometry_gap_velocity(const dls_event_method *method, dls_event_work *work, double t, const double *q,
                               const double *v)
{
  if (method->m > 0) {
    if (work->contacts.config->moves) { /* else it stays 0 */
      dls_system_gap_rate(method->sys, t, q, work->rate);
    }
    memcpy(work->u, work->rate, method->m * sizeof *work->u);
    dls_matrix_multiply_transposed(work->contacts.config->normals, 1, v, work->u);
  }
}

/* x := M^-1 h, where h has entries if M is diagonal, else everywhere. */
static void divide_by_mass(dls_contact_system *contacts, size_t j, double *x)
{
  const dls_matrix *normals = contacts->config->normals;
  const dls_factor_view M = dls_factor_look(contacts->M);
  if (M.form == DLS_FACTOR_DIVIDES && contacts->joints == NULL) {
    const dls_column h = dls_matrix_column(normals, j);
    for (size_t k = 0; k < h.count; k++) {
      x[dls_column_row(&h, k)] = h.values[k] / M.d[dls_column_row(&h, k)];
    }
    return;
  }
  memset(x, 0, contacts->config->sys->n * sizeof *x);
  dls_matrix_column_add(normals, j, 1, x);
  dls_contact_system_inverse(contacts, x);
}

void dls_geometry_contact_weight(dls_event_integrator *run, size_t j)
{
  const dls_configuration *config = run->work.contacts.config;
  if (run->state.contact[j].weighed && !config->mass_varies && !config->gradient_varies) {
    return;
  }
  run->state.contact[j].weighed = true;
  divide_by_mass(&run->work.contacts, j, run->work.a);
  const double weight = dls_matrix_column_dot(config->normals, j, run->work.a); /* h^T M^-1 h */
  run->state.contact[j].weight =
      weight > 0 ? weight : 1; /* the gradient may vanish where the contact is open */
}

void dls_geometry_split_rows(const dls_event_method *method, const double *r, double *normal,
                             double *tangential)
{
  for (size_t j = 0; j < method->m; j++) {
    normal[j] = r[method->d * j];
    for (size_t i = 1; i < method->d; i++) {
      *tangential++ = r[method->d * j + i];
    }
  }
}

double dls_geometry_gap_round_off(const dls_event_integrator *run, size_t j, double t, const double *q)
{
  const dls_system *sys = run->method.sys;
  const dls_column h = dls_matrix_column(run->work.contacts.config->normals, j);
  const double inner = sys->linear ? 0 : sys->length; /* size of terms that cancel in a nonlinear gap */
  double terms = fabs(sys->w[j]) + fabs(run->work.rate[j] * t);
  for (size_t k = 0; k < h.count; k++) {
    terms += fabs(h.values[k]) * (fabs(q[dls_column_row(&h, k)]) + inner);
  }
  return threshold_gap_rounding * DBL_EPSILON * terms;
}

void dls_geometry_free_acceleration(dls_event_integrator *run, double t, const double *q, const double *v,
                                    double *a)
{
  dls_sim_force(run->sim, dls_geometry_before_break(&run->state, t), q, v, a);
  dls_contact_system_acceleration(&run->work.contacts, v, a);
}

void dls_geometry_free_gap_acceleration(dls_event_integrator *run, double t, const double *q, const double *v,
                                        size_t count, const size_t *set, double *b)
{
  dls_event_work *work = &run->work;
  dls_geometry_free_acceleration(run, t, q, v, work->a);
  if (work->contacts.config->bends) {
    dls_system_curvature(run->method.sys, t, q, v, work->curvature);
  }
  for (size_t k = 0; k < count; k++) {
    b[k] = dls_matrix_column_dot(work->contacts.config->normals, set[k], work->a) + work->curvature[set[k]];
  }
}

void dls_geometry_multipliers(dls_event_integrator *run, double t, const double *q, const double *v,
                              const double *lambda, double *a, double *mu)
{
  if (run->work.contacts.joints != NULL) {
    dls_sim_force(run->sim, dls_geometry_before_break(&run->state, t), q, v, a);
    if (run->method.m > 0) {
      dls_matrix_multiply(run->work.contacts.config->H, 1, lambda, a);
    }
    dls_joints_acceleration(run->work.contacts.joints, v, run->work.contacts.baumgarte, a, mu);
  }
}

void dls_geometry_count_redundant(dls_sim *sim, size_t redundant)
{
  size_t *most = &sim->work.redundant;
  *most = redundant > *most ? redundant : *most;
}

static bool sticks(const dls_event_state *state, size_t j)
{
  return state->contact[j].has_friction && state->mode[j].kind == DLS_MODE_STICKS;
}

size_t dls_geometry_hold_rows(dls_event_integrator *run, const dls_contacts *set, bool tangents)
{
  const size_t d = run->method.d;
  size_t rows = 0;
  for (size_t k = 0; k < set->count; k++) {
    const size_t j = set->index[k];
    for (size_t i = 0; i < (tangents && sticks(&run->state, j) ? d : 1); i++) {
      run->work.held[rows++] = d * j + i;
    }
  }
  return rows;
}

/* The rows of the subset that are held, by the bodies. */
static dls_status hold_many(dls_event_integrator *run, size_t rest, dls_error *err)
{
  dls_event_work *work = &run->work;
  const dls_contacts set = {rest, work->subset};
  for (size_t k = 0; k < rest; k++) {
    const size_t j = work->subset[k];
    work->spare_mode[j] =
        sticks(&run->state, j) ? run->state.mode[j] : (dls_contact_mode){.kind = DLS_MODE_FRICTIONLESS};
  }
  const dls_status status =
      dls_mode_solver_hold(work->solver, &set, work->spare_mode, work->v, work->force, err);
  for (size_t k = 0; status == DLS_OK && k < work->held_rows; k++) {
    work->impulse[k] = work->force[work->held[k]];
  }
  return status;
}

dls_status dls_geometry_project(dls_event_integrator *run, size_t down, size_t rest, dls_error *err)
{
  dls_event_state *state = &run->state;
  const dls_contacts closed = {down, run->work.down};
  dls_status status = dls_geometry_set(state, &run->work, state->located.t, run->work.q, err);
  status = status != DLS_OK
               ? status
               : dls_contact_system_project_q(&run->work.contacts, &closed, state->located.t, run->work.q, err);
  const size_t rows = dls_geometry_hold_rows(run, &(dls_contacts){rest, run->work.subset}, true);
  run->work.held_rows = rows;
  if (status != DLS_OK) {
    return status;
  }
  return dls_mode_solver_holds(run->work.solver, rows)
             ? hold_many(run, rest, err)
             : dls_contact_system_hold(&run->work.contacts, rows, run->work.held, run->work.v,
                                       run->work.impulse, err);
}

void dls_geometry_add_held_impulses(dls_event_integrator *run, size_t count)
{
  for (size_t k = 0, row = 0; k < count; k++) {
    dls_participant *participant = &run->state.participant[k];
    for (; row < run->work.held_rows && run->work.held[row] / run->method.d == participant->contact; row++) {
      const size_t i = run->work.held[row] % run->method.d;
      *(i == 0 ? &participant->impulse : &participant->friction[i - 1]) += run->work.impulse[row];
    }
  }
}

bool dls_geometry_joints_drift(dls_event_integrator *run)
{
  dls_joints *joints = run->work.contacts.joints;
  if (joints == NULL || run->work.contacts.loose) {
    return false;
  }
  dls_joints_conditions(joints, run->state.right.t, run->state.right.y);
  return dls_joints_distance(joints, NULL) > threshold_drift_joints * run->method.eps.g ||
         dls_joints_drift(joints, run->state.right.y + run->method.n, NULL) >
             threshold_drift_joints * run->method.eps.u * run->method.sys->length / run->method.sys->time;
}

dls_status dls_geometry_check_rank(const dls_event_work *work, const dls_sim *sim, double t, dls_error *err)
{
  if (work->contacts.joints == NULL || work->contacts.loose || !dls_joints_lose_rank(work->contacts.joints)) {
    return DLS_OK;
  }
  return dls_sim_fail(
      sim, err, DLS_ERR_SINGULAR,
      "the joints lose rank at t = %.17g: a row of their gradients depends on others up to 1e-6 there, and "
      "motion by events cannot be followed through that (energy-preserving can)",
      t);
}

dls_status dls_geometry_project_joints(const dls_event_state *state, dls_event_work *work, double t,
                                       const dls_contacts *set, double *q, double *v, dls_error *err)
{
  dls_status status =
      dls_contact_system_project_q(&work->contacts, set, dls_geometry_before_break(state, t), q, err);
  if (status == DLS_OK) {
    status = dls_geometry_set(state, work, t, q, err);
  }
  if (status != DLS_OK || work->contacts.loose) {
    return status;
  }
  dls_joints_learn(work->contacts.joints);
  return dls_contact_system_project_v(&work->contacts, set, v, err);
}
