/* newmark_joints.c -- steps of the generalized-alpha method with joints.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/newmark_joints.h"
#include "common/base/arrays.h"
#include "common/base/larger.h"
#include "time_stepping/step/joint_matrix.h"
#include "time_stepping/step/joint_steps.h"
#include "time_stepping/step/newmark_equations.h"
#include "time_stepping/step/projection.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const dls_newmark_joint_choices[] = {"both", "positions", NULL};

struct dls_newmark_joints {
  dls_joint_matrix smooth;   /* (1), N = M + h gamma_s C + h^2 beta_s K - .. */
  dls_projection projection; /* (2), (3) */
  double *mu, *L;            /* r: mu~, L */
  double *c, *rate;          /* r: scratch */
  double *force;             /* n: scratch */
  double *block;
};

void dls_newmark_joints_destroy(dls_newmark_joints *j)
{
  if (j != NULL) {
    dls_joint_matrix_destroy(&j->smooth);
    dls_projection_destroy(&j->projection);
    free(j->block);
    free(j);
  }
}

dls_status dls_newmark_joints_create(dls_sim *sim, const dls_configuration *config, dls_newmark_joints **out,
                                     dls_error *err)
{
  const dls_system *sys = sim->sys;
  dls_newmark_joints *j = *out = calloc(1, sizeof *j);
  if (j == NULL || !dls_joint_matrix_create(sim, config, &j->smooth) ||
      (j->block = dls_arrays((const dls_slot[]){
           {sys->r, {&j->mu, &j->L, &j->c, &j->rate}}, {sys->n, {&j->force}}, {0}})) == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu equations of joints", sys->r);
  }
  return dls_projection_create(sim, &j->projection, err);
}

dls_delassus *dls_newmark_joints_delassus(dls_newmark_joints *j, const dls_matrix *H)
{
  return dls_delassus_create_joints(j->projection.contacts.joints, H);
}

void dls_newmark_joints_begin(dls_sim *sim, dls_newmark_joints *j, double *a)
{
  dls_joints_acceleration(j->projection.contacts.joints, sim->v, 0, a, j->mu);
  memcpy(sim->mu, j->mu, sim->sys->r * sizeof *sim->mu);
}

/* N and the joints at the iterate; rhs := F - M vt', c := -Phi/(h^2 beta_s). */
static dls_status linearise(dls_sim *sim, dls_newmark_memory *s, double h, dls_error *err)
{
  dls_newmark_joints *j = s->joints;
  const double t = dls_sim_next_time(sim, h);
  const double weights[] = {1, DLS_NEWMARK_V_A_NEXT(h, s->gamma_s), DLS_NEWMARK_Q_A_NEXT(h, s->beta_s)};
  dls_sim_force(sim, t, s->q_next, s->v_next, s->rhs); /* F(t', q~, v~) of (1) */
  dls_configuration_mass(&s->config, s->q_next);
  dls_iteration_linearise(sim, t, s->q_next, s->v_next, j->smooth.N);
  dls_matrix_multiply(s->config.M, -1, s->vt_next, s->rhs); /* - M vt' */
  dls_joint_matrix_weigh(&j->smooth, weights, weights[2], t, s->q_next, j->mu);
  dls_joints_follow(j->smooth.joints, j->projection.contacts.joints);
  const dls_status status = dls_joints_at(j->smooth.joints, t, s->q_next, err);
  const double *phi = dls_joints_phi(j->smooth.joints);
  for (size_t k = 0; k < sim->sys->r; k++) {
    j->c[k] = -phi[k] / weights[2]; /* Phi + h^2 beta_s G^T d(vt') = 0 */
  }
  sim->work.factorizations++;
  return status;
}

/* One iteration of (1): N d(vt') = F - M vt' + G mu~, G^T d(vt') = -Phi/(h^2 beta_s). */
static dls_status iterate(dls_sim *sim, void *step, double h, double *change, dls_error *err)
{
  dls_newmark_memory *s = step;
  dls_newmark_joints *j = s->joints;
  const size_t n = sim->sys->n;
  const dls_status status = linearise(sim, s, h, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_joints_solve(j->smooth.joints, s->rhs, j->c, j->mu); /* d(vt') in rhs, mu~ */
  *change = 0;
  for (size_t i = 0; i < n; i++) {
    *change = dls_larger(*change, h * fabs(s->rhs[i]));
  }
  const double part = dls_joint_damping(sim, h * s->beta_s * *change);
  for (size_t i = 0; i < n; i++) {
    s->vt_next[i] += part * s->rhs[i]; /* vt' */
  }
  dls_newmark_update(sim, s, h); /* v~, q~ of (2), (3) with w = 0, a' of (4) of newmark_step.c */
  return DLS_OK;
}

/* (2): q' of q~, on the contacts that q~ has closed; those that are closed then are active. */
static dls_status positions(dls_sim *sim, dls_newmark_memory *s, double t, dls_error *err)
{
  dls_projection *p = &s->joints->projection;
  dls_velocity_contact *c = &s->contact;
  p->set.count = c->active.count = 0;
  dls_system_gap(sim->sys, t, s->q_next, c->gap);
  for (size_t k = 0; k < sim->sys->m; k++) {
    if (c->gap[k] <= c->eps_g) {
      p->set.index[p->set.count++] = k;
    }
  }
  const dls_status status = dls_projection_apply(sim, p, t, s->q_next, err);
  for (size_t k = 0; k < p->set.count; k++) {
    const size_t i = p->set.index[k];
    const bool closed = p->pushed[i] || p->gap[i] <= c->eps_g; /* nu > 0 or g <= 0 */
    if (closed && (!c->test || c->velocity[c->contacts.config->d * i] <= c->eps_u)) {
      c->active.index[c->active.count++] = i;
    }
  }
  return status;
}

/* v := v~ + M^-1 G L with G^T v + dPhi/dt = 0. */
static void hold(dls_newmark_joints *j, size_t n, size_t r, double *v)
{
  dls_joints *joints = j->projection.contacts.joints;
  dls_joints_velocity(joints, v, j->c);
  for (size_t k = 0; k < r; k++) {
    j->c[k] = -j->c[k];
  }
  memset(j->force, 0, n * sizeof *j->force);
  dls_joints_solve(joints, j->force, j->c, j->L);
  for (size_t i = 0; i < n; i++) {
    v[i] += j->force[i];
  }
}

/* (3) for v_free, which is v~ in v_next: P of the active contacts, and their effect on L. */
static dls_status velocities(dls_sim *sim, dls_newmark_memory *s, double t, dls_error *err)
{
  dls_newmark_joints *j = s->joints;
  dls_velocity_contact *c = &s->contact;
  const size_t n = sim->sys->n, r = sim->sys->r;
  dls_status status = dls_projection_arrive(&j->projection, t, s->q_next, err);
  if (status != DLS_OK) {
    return status;
  }
  hold(j, n, r, s->v_next);
  memcpy(s->v_free, s->v_next, n * sizeof *s->v_free);
  if (c->active.count == 0) {
    return DLS_OK;
  }
  dls_configuration_contacts(&s->config, t, s->q_next);
  dls_delassus_reset(c->contacts.W);
  status = dls_velocity_contact_solve(sim, c, s->v_free, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_contact_system_apply(&c->contacts, &c->active, 1, c->impulse, s->v_next); /* S H P */
  memset(j->force, 0, n * sizeof *j->force);
  dls_contact_system_add_impulse(&c->contacts, &c->active, c->impulse, j->force);
  dls_joints_solve(j->projection.contacts.joints, j->force, NULL, j->rate);
  for (size_t k = 0; k < r; k++) {
    j->L[k] += j->rate[k];
  }
  return DLS_OK;
}

dls_status dls_newmark_joints_step(dls_sim *sim, dls_newmark_memory *s, double h, dls_error *err)
{
  const dls_newmark_options *opt = sim->options;
  dls_newmark_joints *j = s->joints;
  const size_t n = sim->sys->n, r = sim->sys->r;
  const double t = dls_sim_next_time(sim, h);
  const dls_newton newton = dls_joint_newton(sim, &opt->contact.newton, h);
  s->h = h;
  dls_velocity_contact_forecast(sim, &s->contact, h, sim->q); /* U; the set is that of (2) */
  memcpy(s->vt_next, s->vt, n * sizeof *s->vt);
  memset(s->w, 0, n * sizeof *s->w);
  dls_newmark_update(sim, s, h);
  dls_status status = dls_iterate(sim, &newton, iterate, s, h, err);        /* (1) */
  if (status != DLS_OK || (status = positions(sim, s, t, err)) != DLS_OK) { /* (2) */
    return status;
  }
  memset(j->L, 0, r * sizeof *j->L);
  memcpy(s->v_free, s->v_next, n * sizeof *s->v_free);
  if (opt->joints == DLS_NEWMARK_BOTH || s->contact.active.count > 0) {
    status = velocities(sim, s, t, err); /* (3) */
    if (status != DLS_OK) {
      return status;
    }
  }
  for (size_t k = 0; k < r; k++) {
    sim->mu[k] = sim->mu_left[k] = j->mu[k] + j->L[k] / h; /* mu~ + L/h */
  }
  return DLS_OK;
}
