/* tdg_step.c -- index sets, impulses and accelerations at the nodes of the time-discontinuous Galerkin schemes.
 *   impulse:       0 <= W L + H^T v- + E' U-  _|_  L >= 0,                 v+ = v- + M^-1 H L           (1)
 *   acceleration:  0 <= W lambda + H^T M^-1 F + (dH^T/dt) v  _|_  lambda >= 0,   W = H^T M^-1 H         (2)
 * Sources: Acary, lecture on nonsmooth mechanical systems, eqs. (24)-(31); Schindler, Acary 2014.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/galerkin/tdg_step.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double lcp_tolerance = 1e-12; /* relative residual; rounding leaves about 1e-15 */

void dls_tdg_destroy(dls_tdg *s)
{
  dls_factor_destroy(s->M);
  dls_delassus_destroy(s->W);
  dls_lcp_destroy(s->lcp);
  free(s->active);
  free(s->block);
  free(s->flags);
  dls_impact_sequence_destroy(&s->sequence);
}

/* Cut the arrays out of one block. @return false if out of memory */
static bool allocate_arrays(dls_tdg *s, size_t n, size_t m)
{
  double **states[] = {&s->now.free, &s->now.total, &s->next.free, &s->next.total,
                       &s->q_next,   &s->v_next,    &s->v_left,    &s->ahead};
  double **contacts[] = {&s->now.lambda, &s->next.lambda, &s->lambda_left, &s->impulse, &s->g,
                         &s->u_left,     &s->u_minus,     &s->x,           &s->b,       &s->z};
  bool **sets[] = {&s->now.closed, &s->now.lasting, &s->next.closed, &s->next.lasting, &s->set, &s->struck};
  const size_t of_n = sizeof states / sizeof states[0];
  const size_t of_m = sizeof contacts / sizeof contacts[0];
  const size_t flags = sizeof sets / sizeof sets[0];
  s->block = calloc(of_n * n + of_m * m, sizeof *s->block);
  s->flags = calloc(flags * m + 1, sizeof *s->flags);
  s->active = calloc(m + 1, sizeof *s->active);
  if (s->block == NULL || s->flags == NULL || s->active == NULL) {
    return false;
  }
  for (size_t i = 0; i < of_n; i++) {
    *states[i] = s->block + i * n;
  }
  for (size_t i = 0; i < of_m; i++) {
    *contacts[i] = s->block + of_n * n + i * m;
  }
  for (size_t i = 0; i < flags; i++) {
    *sets[i] = s->flags + i * m;
  }
  return true;
}

static dls_status create(dls_sim *sim, dls_tdg *s, dls_error *err)
{
  const dls_system *sys = sim->sys;
  const dls_matrix *mass[] = {sim->M};
  s->eps_g = sim->opt[DLS_TDG_GAP_TOL] * sys->length;
  s->eps_u = sim->opt[DLS_TDG_VELOCITY_TOL] * sys->length / sys->time;
  if (!allocate_arrays(s, sys->n, sys->m) || !dls_impact_sequence_create(sys->m, &s->sequence) ||
      (s->M = dls_factor_create(mass, 1)) == NULL ||
      (sys->m > 0 && (s->W = dls_delassus_create(s->M, sim->H)) == NULL)) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom, %zu contacts", sys->n,
                        sys->m);
  }
  return dls_lcp_create(sys->m, NULL, lcp_tolerance, &s->lcp, err);
}

dls_status dls_tdg_place(dls_sim *sim, dls_tdg *s, const double *q, dls_error *err)
{
  const dls_system *sys = sim->sys;
  const size_t made = dls_factor_made(s->M);
  const double one = 1;
  if (dls_system_mass_varies(sys)) {
    dls_system_mass(sys, q, sim->M);
    dls_factor_touch(s->M);
  }
  dls_system_gradient(sys, q, sim->H);
  if (s->W != NULL && (dls_system_mass_varies(sys) || dls_system_gradient_varies(sys))) {
    dls_delassus_reset(s->W);
  }
  const dls_status status = dls_factor_sum(s->M, &one, err);
  sim->work.factorizations += dls_factor_made(s->M) - made;
  return status;
}

void dls_tdg_free_acceleration(dls_sim *sim, dls_tdg *s, double t, const double *q, const double *v, double *a)
{
  dls_sim_force(sim, t, q, v, a);
  dls_factor_solve(s->M, a);
}

dls_status dls_tdg_solve(dls_sim *sim, dls_tdg *s, dls_delassus *W, const bool *set, const double *x,
                         const double *shift, double *z, dls_error *err)
{
  s->count = 0;
  for (size_t j = 0; j < sim->sys->m; j++) {
    z[j] = 0;
    if (set[j]) {
      s->b[s->count] = dls_matrix_column_dot(sim->H, j, x) + (shift != NULL ? shift[j] : 0);
      s->z[s->count] = 0;
      s->active[s->count++] = j;
    }
  }
  if (s->count == 0) {
    return DLS_OK;
  }
  dls_error cause = {0};
  const dls_status status = dls_delassus_solve(W, s->lcp, s->count, s->active, s->b, s->z,
                                               &sim->work.lcp_solves, &sim->work.lcp_pivots, &cause);
  for (size_t k = 0; k < s->count; k++) {
    z[s->active[k]] = s->z[k];
  }
  return status == DLS_OK ? DLS_OK : dls_sim_fail(sim, err, status, "%s", cause.text);
}

void dls_tdg_push(dls_tdg *s, dls_delassus *W, double alpha, double *x)
{
  if (s->count > 0) {
    dls_delassus_apply(W, s->count, s->active, alpha, s->z, x);
  }
}

dls_status dls_tdg_contact_acceleration(dls_sim *sim, dls_tdg *s, double t, const bool *set, const double *q,
                                        const double *v, double *a, double *lambda, dls_error *err)
{
  if (sim->sys->m > 0) {
    dls_system_curvature(sim->sys, t, q, v, s->x);
  }
  const dls_status status = dls_tdg_solve(sim, s, s->W, set, a, s->x, lambda, err); /* (2) */
  if (status == DLS_OK) {
    dls_tdg_push(s, s->W, 1, a);
  }
  return status;
}

bool dls_tdg_held(const dls_tdg *s, size_t j)
{
  return s->now.lasting[j] && s->now.lambda[j] > 0;
}

bool dls_tdg_closing(dls_sim *sim, dls_tdg *s, double t)
{
  bool closing = false;
  dls_system_gap(sim->sys, t, s->q_next, s->g);
  for (size_t j = 0; j < sim->sys->m; j++) {
    s->next.closed[j] = s->g[j] <= s->eps_g || dls_tdg_held(s, j);
    closing = closing || (s->next.closed[j] && !s->now.closed[j]);
  }
  return closing;
}

/* The contacts closed at q_next, and which of them separate. @return whether one of them approaches */
static bool gather(dls_sim *sim, dls_tdg *s)
{
  const double *e = sim->sys->e;
  dls_impact_sequence *sequence = &s->sequence;
  bool approaching = false;
  sequence->count = 0;
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double u = s->u_minus[j] = s->u_left[j];
    const size_t k = sequence->count;
    s->impulse[j] = 0;
    s->struck[j] = false;
    if (s->next.closed[j]) {
      sequence->index[k] = j;
      sequence->e[k] = e[j];
      sequence->bounce[k] = s->now.closed[j] ? 0 : e[j] * fmin(u, 0);
      sequence->waits[k] = !s->now.lasting[j] && u > s->eps_u;
      sequence->count++;
      approaching = approaching || u < -s->eps_u;
    }
  }
  return approaching;
}

dls_status dls_tdg_impact(dls_sim *sim, dls_tdg *s, dls_error *err)
{
  const dls_impact_sequence *sequence = &s->sequence;
  memcpy(s->v_next, s->v_left, sim->sys->n * sizeof *s->v_next);
  dls_sim_gap_velocity(sim, s->v_left, s->u_left);
  if (!gather(sim, s)) {
    return DLS_OK;
  }
  dls_error cause = {0};
  const dls_status status =
      dls_impact_sequence_solve(sim, s->W, s->lcp, &s->sequence, s->v_next, &cause); /* (1) */
  for (size_t k = 0; k < sequence->count; k++) {
    s->impulse[sequence->index[k]] = sequence->P[k];
    s->u_minus[sequence->index[k]] = sequence->u_minus[k];
    s->struck[sequence->index[k]] = sequence->struck[k];
  }
  return status == DLS_OK ? DLS_OK : dls_sim_fail(sim, err, status, "%s", cause.text);
}

void dls_tdg_arrive(dls_sim *sim, dls_tdg *s, double t)
{
  dls_tdg_node *next = &s->next;
  for (size_t j = 0; j < sim->sys->m; j++) {
    const bool stays = dls_tdg_held(s, j) && s->lambda_left[j] > 0;
    const double u = dls_matrix_column_dot(sim->H, j, s->v_next);
    next->lasting[j] = next->closed[j] && (stays || u <= s->eps_u);
    next->closed[j] = next->lasting[j] || s->g[j] <= s->eps_g;
  }
  dls_tdg_free_acceleration(sim, s, t, s->q_next, s->v_next, next->free);
}

dls_status dls_tdg_leave(dls_sim *sim, dls_tdg *s, double t, dls_error *err)
{
  dls_tdg_node *next = &s->next;
  memcpy(next->total, next->free, sim->sys->n * sizeof *next->total);
  return dls_tdg_contact_acceleration(sim, s, t, next->lasting, s->q_next, s->v_next, next->total, next->lambda,
                                      err);
}

static void report(dls_sim *sim, const dls_tdg *s, double t, size_t j)
{
  const bool impact = s->u_left[j] < -s->eps_u && !s->now.closed[j];
  dls_event event = {.t = t,
                     .contact = j,
                     .u_minus = s->u_minus[j],
                     .u_plus = dls_matrix_column_dot(sim->H, j, s->v_next),
                     .impulse = s->impulse[j]};
  if (s->impulse[j] > 0 && (impact || s->struck[j])) {
    event.kind = DLS_IMPACT;
  } else if (s->now.lasting[j] != s->next.lasting[j]) {
    event.kind = s->next.lasting[j] ? DLS_LANDING : DLS_LIFT_OFF;
  } else {
    return;
  }
  dls_sim_event(sim, &event);
}

void dls_tdg_commit(dls_sim *sim, dls_tdg *s, double t)
{
  const size_t n = sim->sys->n;
  for (size_t j = 0; j < sim->sys->m; j++) {
    sim->p[j] = s->impulse[j];
    sim->jump = sim->jump || s->impulse[j] > 0;
    sim->lambda_left[j] = s->lambda_left[j];
    sim->lambda[j] = s->next.lambda[j];
    sim->status[j] = s->next.closed[j];
    report(sim, s, t, j);
  }
  memcpy(sim->v_left, s->v_left, n * sizeof *sim->v_left);
  memcpy(sim->q, s->q_next, n * sizeof *sim->q);
  memcpy(sim->v, s->v_next, n * sizeof *sim->v);
  const dls_tdg_node past = s->now;
  s->now = s->next;
  s->next = past;
}

/* The start is the end of a step in which every contact was open. */
dls_status dls_tdg_start(dls_sim *sim, dls_tdg *s, dls_error *err)
{
  dls_status status = create(sim, s, err);
  status = status != DLS_OK ? status : dls_tdg_place(sim, s, sim->q, err);
  if (status != DLS_OK) {
    return status;
  }
  memcpy(s->q_next, sim->q, sim->sys->n * sizeof *sim->q);
  memcpy(s->v_left, sim->v, sim->sys->n * sizeof *sim->v);
  dls_tdg_closing(sim, s, sim->t);
  status = dls_tdg_impact(sim, s, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_tdg_arrive(sim, s, sim->t);
  status = dls_tdg_leave(sim, s, sim->t, err);
  if (status == DLS_OK) {
    dls_tdg_commit(sim, s, sim->t);
  }
  return status;
}
