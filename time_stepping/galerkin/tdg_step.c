/* tdg_step.c -- index sets, impulses and accelerations at the nodes of the time-discontinuous Galerkin schemes.
 *   impulse:       0 <= W L + H^T v- + E' U-  _|_  L >= 0,                 v+ = v- + M^-1 H L           (1)
 *                  E' the diagonal of e' of tdg_step.h: e where the contact was open or is struck, else 0
 *   acceleration:  0 <= W lambda + H^T M^-1 F + (dH^T/dt) v  _|_  lambda >= 0,   W = H^T M^-1 H         (2)
 * Sources: Acary, lecture on nonsmooth mechanical systems, eqs. (24)-(31); Schindler, Acary 2014.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/galerkin/tdg_step.h"
#include "common/base/arrays.h"
#include "common/base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void dls_tdg_destroy(dls_tdg *s)
{
  dls_contact_system_destroy(&s->contacts);
  free(s->active.index);
  free(s->block);
  free(s->flags);
  dls_impact_sequence_destroy(&s->sequence);
  dls_slip_destroy(&s->slip);
}

/* @return false if out of memory */
static bool allocate_arrays(dls_tdg *s, size_t n, size_t m, size_t rows)
{
  bool **sets[] = {&s->now.closed, &s->now.lasting, &s->next.closed, &s->next.lasting, &s->set, &s->struck};
  const size_t count = sizeof sets / sizeof sets[0];
  s->block = dls_arrays((const dls_slot[]){
      {n,
       {&s->now.free, &s->now.total, &s->next.free, &s->next.total, &s->q_next, &s->v_next, &s->v_left,
        &s->ahead}},
      {m, {&s->impulse, &s->g, &s->u_minus}},
      {rows, {&s->now.lambda, &s->next.lambda, &s->lambda_left, &s->u_left, &s->x, &s->b, &s->z, &s->u_node}},
      {rows, {&s->nothing}},
      {0}});
  s->flags = calloc(dls_size_sum(dls_size_product(count, m), 1), sizeof *s->flags);
  s->active.index = calloc(m + 1, sizeof *s->active.index);
  for (size_t i = 0; s->flags != NULL && i < count; i++) {
    *sets[i] = s->flags + i * m;
  }
  return s->block != NULL && s->flags != NULL && s->active.index != NULL;
}

static dls_status create(dls_sim *sim, dls_tdg *s, dls_error *err)
{
  const dls_system *sys = sim->sys;
  const dls_tdg_options *opt = sim->options;
  s->eps_g = opt->gap_tol * sys->length;
  s->eps_u = opt->velocity_tol * sys->length / sys->time;
  if (!allocate_arrays(s, sys->n, sys->m, sys->d * sys->m) || !dls_impact_sequence_create(sys, &s->sequence) ||
      !dls_slip_create(sys, &s->slip)) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom, %zu contacts", sys->n, sys->m);
  }
  sim->work.factorizations++;
  return dls_contact_system_create_mass(sys, &sim->work, &s->contacts, err);
}

void dls_tdg_free_acceleration(dls_sim *sim, dls_tdg *s, double t, const double *q, const double *v, double *a)
{
  dls_sim_force(sim, t, q, v, a);
  dls_factor_solve(s->contacts.M, a);
}

/* s->active := the contacts of a set */
static void take_active(dls_tdg *s, const bool *set)
{
  s->active.count = 0;
  for (size_t j = 0; j < s->contacts.config->sys->m; j++) {
    if (set[j]) {
      s->active.index[s->active.count++] = j;
    }
  }
}

dls_status dls_tdg_solve(dls_tdg *s, dls_contact_system *contacts, const bool *set, const double *x,
                         const double *shift, double *z, dls_error *err)
{
  const dls_configuration *config = contacts->config;
  const size_t d = config->d;
  take_active(s, set);
  if (s->active.count == 0) {
    memset(z, 0, config->rows * sizeof *z);
    return DLS_OK;
  }
  for (size_t k = 0; k < d * s->active.count; k++) {
    const size_t row = d * s->active.index[k / d] + k % d;
    s->b[k] =
        dls_matrix_column_dot(config->H, row, x) + shift[row]; /* H^T x + what the law or the curvature adds */
  }
  memset(s->z, 0, config->rows * sizeof *s->z);
  memset(z, 0, config->rows * sizeof *z);
  const dls_status status = dls_contact_system_impulse(contacts, &s->active, s->b, s->nothing, s->z, err);
  for (size_t k = 0; k < d * s->active.count; k++) {
    z[d * s->active.index[k / d] + k % d] = s->z[k];
  }
  return status;
}

void dls_tdg_push(dls_tdg *s, dls_contact_system *contacts, double alpha, double *x)
{
  dls_contact_system_apply(contacts, &s->active, alpha, s->z, x);
}

dls_status dls_tdg_contact_acceleration(dls_tdg *s, const bool *set, const double *v, double *a, double *lambda,
                                        dls_error *err)
{
  const dls_configuration *config = s->contacts.config;
  take_active(s, set);
  if (s->active.count == 0 && config->d == 1) { /* with tangents the curvature is asked for */
    memset(lambda, 0, config->rows * sizeof *lambda);
    return DLS_OK;
  }
  return dls_contact_system_force(&s->contacts, &s->active, v, a, lambda, err); /* (2) */
}

bool dls_tdg_held(const dls_tdg *s, size_t j)
{
  return s->now.lasting[j] && s->now.lambda[s->contacts.config->d * j] > 0;
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
static bool gather(dls_tdg *s)
{
  bool approaching = false;
  s->sequence.set.count = 0;
  for (size_t j = 0; j < s->contacts.config->sys->m; j++) {
    const double u = s->u_minus[j] = s->u_left[s->contacts.config->d * j];
    s->impulse[j] = 0;
    s->struck[j] = false;
    if (s->next.closed[j]) {
      dls_impact_sequence_add(&s->sequence, j, s->now.closed[j] ? 0 : u, true, /* E' U- of (1) */
                              !s->now.lasting[j] && u > s->eps_u);
      approaching = approaching || u < -s->eps_u;
    }
  }
  return approaching;
}

dls_status dls_tdg_impact(dls_sim *sim, dls_tdg *s, dls_error *err)
{
  const dls_impact_sequence *sequence = &s->sequence;
  const dls_configuration *config = s->contacts.config;
  memcpy(s->v_next, s->v_left, config->sys->n * sizeof *s->v_next);
  memset(sim->p_t, 0, (config->d - 1) * config->sys->m * sizeof *sim->p_t);
  dls_configuration_velocity(config, s->v_left, s->u_left);
  if (!gather(s)) {
    return DLS_OK;
  }
  const dls_status status =
      dls_impact_sequence_solve(sim, &s->contacts, &s->sequence, s->v_next, err); /* (1) */
  for (size_t k = 0; k < sequence->set.count; k++) {
    const size_t j = sequence->set.index[k];
    s->impulse[j] = sequence->P[config->d * k];
    memcpy(sim->p_t + (config->d - 1) * j, sequence->P + config->d * k + 1, (config->d - 1) * sizeof *sim->p_t);
    s->u_minus[j] = sequence->u_minus[k];
    s->struck[j] = sequence->struck[k];
  }
  return status;
}

void dls_tdg_arrive(dls_sim *sim, dls_tdg *s, double t)
{
  dls_tdg_node *next = &s->next;
  const size_t d = s->contacts.config->d;
  for (size_t j = 0; j < sim->sys->m; j++) {
    const bool stays = dls_tdg_held(s, j) && s->lambda_left[d * j] > 0;
    const double u = dls_configuration_row(s->contacts.config, d * j, s->v_next);
    next->lasting[j] = next->closed[j] && (stays || u <= s->eps_u);
    next->closed[j] = next->lasting[j] || s->g[j] <= s->eps_g;
  }
  dls_tdg_free_acceleration(sim, s, t, s->q_next, s->v_next, next->free);
}

dls_status dls_tdg_leave(dls_tdg *s, dls_error *err)
{
  dls_tdg_node *next = &s->next;
  memcpy(next->total, next->free, s->contacts.config->sys->n * sizeof *next->total);
  return dls_tdg_contact_acceleration(s, next->lasting, s->v_next, next->total, next->lambda, err);
}

static void report(dls_sim *sim, const dls_tdg *s, double t, size_t j)
{
  const size_t row = s->contacts.config->d * j;
  const bool fast = s->u_left[row] < -s->eps_u && !s->now.closed[j];
  const bool impact = s->impulse[j] > 0 && (fast || s->struck[j]), lasts = s->next.lasting[j];
  if (!impact && s->now.lasting[j] == lasts) {
    return;
  }
  dls_sim_event(sim, &(dls_event){.t = t,
                                  .kind = impact  ? DLS_IMPACT
                                          : lasts ? DLS_LANDING
                                                  : DLS_LIFT_OFF,
                                  .contact = j,
                                  .u_minus = s->u_minus[j],
                                  .u_plus = dls_configuration_row(s->contacts.config, row, s->v_next),
                                  .impulse = s->impulse[j]});
}

/* u at the node t+, and which contacts slip there. */
static void take_slips(dls_sim *sim, dls_tdg *s)
{
  const dls_configuration *config = s->contacts.config;
  if (config->d == 1) {
    return;
  }
  dls_configuration_velocity(config, s->v_next, s->u_node);
  dls_configuration_acceleration(config, s->next.total, s->contacts.curvature, s->x);
  for (size_t j = 0; j < sim->sys->m; j++) {
    if (sim->status[j] != 0) {
      sim->status[j] = dls_slip_status(&s->contacts, j, s->u_node, s->x, s->next.lambda);
    }
  }
}

void dls_tdg_commit(dls_sim *sim, dls_tdg *s, double t)
{
  const size_t n = sim->sys->n;
  for (size_t j = 0; j < sim->sys->m; j++) {
    sim->p[j] = s->impulse[j];
    sim->jump = sim->jump || s->impulse[j] > 0;
    sim->status[j] = s->next.closed[j];
    report(sim, s, t, j);
  }
  if (sim->jump) {
    dls_split_rows(sim->sys, s->lambda_left, sim->lambda_left, sim->lambda_t_left);
    memcpy(sim->v_left, s->v_left, n * sizeof *sim->v_left);
  }
  dls_split_rows(sim->sys, s->next.lambda, sim->lambda, sim->lambda_t);
  take_slips(sim, s);
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
  if (status != DLS_OK) {
    return status;
  }
  memcpy(s->q_next, sim->q, sim->sys->n * sizeof *sim->q);
  memcpy(s->v_left, sim->v, sim->sys->n * sizeof *sim->v);
  dls_configuration_contacts(s->contacts.config, sim->t, s->q_next);
  dls_tdg_closing(sim, s, sim->t);
  status = dls_tdg_impact(sim, s, err); /* (1) */
  if (status != DLS_OK) {
    return status;
  }
  dls_tdg_arrive(sim, s, sim->t);
  status = dls_tdg_leave(s, err); /* (2) */
  if (status == DLS_OK) {
    dls_tdg_commit(sim, s, sim->t);
  }
  return status;
}
