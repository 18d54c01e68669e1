/* theta_joints.c -- joints in a theta-step.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/moreau/theta_joints.h"
#include "common/base/arrays.h"
#include "common/linear/storage.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PROJECTIONS = 20 };
static const double unmet = 1e-12; /* [q_s]: what the projection may leave of a joint or a gap */

const char *const dls_joint_place_choices[] = {"midpoint", "end", "conserving", NULL};
const char *const dls_joint_projection_choices[] = {"direct", "combined", "none", NULL};

/* The two problems (1). @return false if out of memory */
static bool create_solvers(const dls_sim *sim, const dls_place *place, dls_theta_joints *j)
{
  j->geometric = dls_matrix_clone(sim->sys->geometric);
  if (j->geometric == NULL && sim->sys->geometric != NULL) {
    return false;
  }
  j->N = dls_factor_create((const dls_matrix *const[]){place->M, sim->C, sim->K, j->geometric}, 4);
  j->smooth = j->N != NULL ? dls_joints_create(sim->sys, j->N) : NULL;
  j->contact = j->N != NULL ? dls_joints_create(sim->sys, j->A) : NULL;
  return j->smooth != NULL && j->contact != NULL;
}

dls_status dls_theta_joints_create(dls_sim *sim, const dls_place *place, dls_factor *A,
                                   const dls_joint_options *opt, dls_theta_joints *j, dls_error *err)
{
  const dls_system *sys = sim->sys;
  j->opt = opt;
  j->n = sys->n;
  j->A = A;
  j->pushed.index = calloc(sys->m + 1, sizeof *j->pushed.index);
  j->block = dls_arrays((const dls_slot[]){{sys->n, {&j->jump, &j->force, &j->y, &j->middle}},
                                           {sys->r, {&j->c, &j->rate, &j->nu}},
                                           {sys->m, {&j->gap}},
                                           {sys->d * sys->m, {&j->push, &j->r}},
                                           {0}});
  dls_status status = dls_stage_create_mass(sys, &sim->work, &j->stage, err);
  status = status != DLS_OK ? status : dls_stage_at(&j->stage, sim->t, sim->q, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_joints_learn(j->stage.joints);
  return create_solvers(sim, place, j) && j->block != NULL && j->pushed.index != NULL
             ? DLS_OK
             : dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu equations of joints", sys->r);
}

void dls_theta_joints_destroy(dls_theta_joints *j)
{
  dls_joints_destroy(j->smooth);
  dls_joints_destroy(j->contact);
  dls_factor_destroy(j->N);
  dls_stage_destroy(&j->stage);
  dls_matrix_destroy(j->geometric);
  free(j->pushed.index);
  free(j->block);
}

void dls_theta_joints_begin(dls_theta_joints *j, size_t active)
{
  j->touching = active > 0;
  memset(j->jump, 0, j->n * sizeof *j->jump);
  memset(j->force, 0, j->n * sizeof *j->force);
}

/* c for an increment of y: what is left of the condition. */
static void take_condition(const dls_sim *sim, dls_theta_joints *j, const double *y)
{
  const size_t r = sim->sys->r;
  dls_joints_velocity(j->smooth, y, j->c); /* C^T v' + dPhi/dt */
  if (j->opt->joints == DLS_JOINTS_CONSERVING) {
    dls_joints_velocity(j->smooth, sim->v, j->rate);
    for (size_t i = 0; i < r; i++) {
      j->c[i] += j->rate[i];
    }
  }
  for (size_t i = 0; i < r; i++) {
    j->c[i] = -j->c[i];
  }
}

static void take_middle(const dls_sim *sim, dls_theta_joints *j, const double *q_next)
{
  for (size_t i = 0; i < j->n; i++) {
    j->middle[i] = 0.5 * (sim->q[i] + q_next[i]);
  }
}

/* C := derivative of the condition where Phi is quadratic: gradients farther on, C_i(q) + s H_i v = C_i(q + s v). */
static void look_ahead(const dls_sim *sim, dls_theta_joints *j, double t, double s, const double *q_next,
                       const double *v)
{
  const bool both = j->opt->joints == DLS_JOINTS_CONSERVING;
  for (size_t i = 0; i < j->n; i++) {
    j->middle[i] = both ? j->middle[i] + 0.5 * s * (sim->v[i] + v[i]) : q_next[i] + s * v[i];
  }
  dls_joints_rows(j->smooth, t, j->middle);
}

/* N with the stiffness -s sum nu_i H_i of the joints' forces. */
static dls_status factor_smooth(const dls_sim *sim, dls_theta_joints *j, const double *shares, double s,
                                double t, const double *q, dls_error *err)
{
  memcpy(j->shares, shares, 3 * sizeof *shares);
  if (j->geometric != NULL) {
    sim->sys->joint_stiffness(sim->sys, t, q, j->nu, j->geometric);
    j->shares[3] = -s;
  }
  dls_factor_touch(j->N);
  return dls_factor_sum(j->N, j->shares, err);
}

/* D, C and c at the iterate, both problems factored. */
static dls_status take_places(const dls_sim *sim, dls_theta_joints *j, double h, const double *shares, double s,
                              const double *q_next, const double *y, dls_error *err)
{
  const double end = dls_sim_next_time(sim, h), half = 0.5 * (sim->t + end);
  const bool at_end = j->opt->joints == DLS_JOINTS_END, within = j->opt->joints == DLS_JOINTS_CONSERVING;
  take_middle(sim, j, q_next);
  dls_status status = factor_smooth(sim, j, shares, at_end ? s : 0.5 * s, at_end ? end : half,
                                    at_end ? q_next : j->middle, err);
  dls_joints_touch(j->contact);
  dls_joints_follow(j->contact, j->stage.joints);
  status = status != DLS_OK || !j->touching
               ? status
               : dls_joints_at(j->contact, within ? half : end, within ? j->middle : q_next, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_joints_directions(j->smooth, at_end ? end : half, at_end ? q_next : j->middle);
  dls_joints_conditions(j->smooth, within ? half : end, within ? j->middle : q_next);
  take_condition(sim, j, y);
  look_ahead(sim, j, within ? half : end, s, q_next, y);
  dls_joints_touch(j->smooth);
  dls_joints_follow(j->smooth, j->stage.joints);
  return dls_joints_factor(j->smooth, err);
}

dls_status dls_theta_joints_free(const dls_sim *sim, dls_theta_joints *j, double h, const double *shares,
                                 double s, const double *q_next, const double *v_next, double *x,
                                 dls_error *err)
{
  for (size_t i = 0; i < j->n; i++) {
    j->y[i] = v_next[i] - j->jump[i];
    x[i] += j->force[i]; /* H P + C nu_P */
  }
  const dls_status status = take_places(sim, j, h, shares, s, q_next, j->y, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_joints_solve(j->smooth, x, j->c, j->nu);
  for (size_t i = 0; i < j->n; i++) {
    x[i] += j->y[i];
  }
  return DLS_OK;
}

void dls_theta_joints_struck(dls_theta_joints *j, const double *v_free, const double *v_next)
{
  for (size_t i = 0; i < j->n; i++) {
    j->jump[i] = v_next[i] - v_free[i];
  }
  memset(j->force, 0, j->n * sizeof *j->force);
  dls_factor_multiply(j->A, j->shares, j->jump, j->force);
}

void dls_theta_joints_multipliers(dls_sim *sim, dls_theta_joints *j, const dls_velocity_contact *contact,
                                  double h)
{
  memset(j->rate, 0, sim->sys->r * sizeof *j->rate);
  if (contact->active.count > 0) {
    memset(j->force, 0, j->n * sizeof *j->force);
    dls_stage_add(&contact->stage, &contact->active, contact->impulse, j->force);
    dls_joints_solve(j->contact, j->force, NULL, j->rate);
  }
  for (size_t i = 0; i < sim->sys->r; i++) {
    sim->mu[i] = (j->nu[i] + j->rate[i]) / h;
  }
}

/* The contacts that had an impulse; direct: also those that q penetrates, as the forecast has missed them. */
static void take_pushed(const dls_sim *sim, dls_theta_joints *j, const dls_velocity_contact *contact, double t,
                        const double *q)
{
  const size_t d = contact->stage.place->d;
  const bool all = j->opt->projection == DLS_PROJECT_DIRECT;
  size_t k = 0;
  j->pushed.count = 0;
  dls_system_gap(sim->sys, t, q, j->gap);
  for (size_t i = 0; i < sim->sys->m; i++) {
    const bool active = k < contact->active.count && contact->active.index[k] == i;
    const bool struck = active && contact->impulse[d * k] > 0;
    k += active;
    if (struck || (all && j->gap[i] < 0)) {
      j->pushed.index[j->pushed.count++] = i;
    }
  }
}
/* How far q is from the joints and behind the contacts of the set; push := their gaps. */
static double distance(dls_theta_joints *j)
{
  const size_t d = j->stage.place->d;
  double worst = dls_joints_distance(j->stage.joints, NULL);
  dls_place_gap(j->stage.place, j->gap);
  for (size_t k = 0; k < j->pushed.count; k++) {
    j->push[d * k] = j->gap[j->pushed.index[k]];
    worst = fmax(worst, -j->push[d * k]);
  }
  return worst;
}

/* q += M^-1 (G tau_b + H tau) with Phi + G^T dq = 0,  0 <= g + H^T dq _|_ tau >= 0. */
static dls_status push(dls_theta_joints *j, double *q, dls_error *err)
{
  const size_t d = j->stage.place->d;
  double *dq = j->middle;
  dls_joints_correction(j->stage.joints, dq);
  for (size_t i = 0; i < j->n; i++) {
    q[i] += dq[i];
  }
  for (size_t k = 0; k < j->pushed.count; k++) {
    j->push[d * k] += dls_place_row(j->stage.place, d * j->pushed.index[k], dq);
    j->r[d * k] = 0;
  }
  const dls_status status = dls_stage_solve(&j->stage, &j->pushed, j->push, j->r, err);
  if (status == DLS_OK) {
    dls_stage_apply(&j->stage, &j->pushed, 1, j->r, q);
  }
  return status;
}

static dls_status direct(dls_sim *sim, dls_theta_joints *j, double t, double *q, dls_error *err)
{
  const double enough = unmet * sim->sys->length;
  dls_status status = dls_stage_at(&j->stage, t, q, err);
  double left = status == DLS_OK ? distance(j) : 0, last = HUGE_VAL;
  for (int k = 0; k < MOST_PROJECTIONS && status == DLS_OK; k++) {
    if (left == 0 || (left <= enough && !(left < 0.5 * last))) { /* rounding */
      dls_joints_learn(j->stage.joints);
      return DLS_OK;
    }
    last = left;
    status = push(j, q, err);
    status = status != DLS_OK ? status : dls_stage_at(&j->stage, t, q, err);
    left = status == DLS_OK ? distance(j) : 0;
  }
  return status != DLS_OK || left <= enough
             ? status
             : dls_sim_fail(
                   sim, err, DLS_ERR_NOCONV,
                   "the projection left %.3g of the joints and gaps, allowed is %.3g, after %d iterations",
                   left, enough, MOST_PROJECTIONS);
}

dls_status dls_theta_joints_project(dls_sim *sim, dls_theta_joints *j, const dls_velocity_contact *contact,
                                    double t, double *q, dls_error *err)
{
  if (j->opt->projection == DLS_PROJECT_NONE) {
    return DLS_OK;
  }
  take_pushed(sim, j, contact, t, q);
  return j->opt->projection == DLS_PROJECT_DIRECT ? direct(sim, j, t, q, err)
                                                  : dls_stage_project_q(&j->stage, &j->pushed, t, q, err);
}

bool dls_theta_joints_grow(const dls_sim *sim, dls_theta_joints *j, dls_velocity_contact *contact, double t,
                           const double *q)
{
  dls_contacts *active = &contact->active;
  const size_t before = active->count;
  size_t next = 0;
  dls_system_gap(sim->sys, t, q, j->gap);
  memcpy(j->pushed.index, active->index, before * sizeof *active->index);
  active->count = 0;
  for (size_t i = 0; i < sim->sys->m; i++) {
    const bool was = next < before && j->pushed.index[next] == i;
    next += was;
    if (was || j->gap[i] <= 0) {
      active->index[active->count++] = i;
    }
  }
  return active->count > before;
}
