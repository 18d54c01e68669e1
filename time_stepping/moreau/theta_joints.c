/* theta_joints.c -- joints in a theta-step.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/moreau/theta_joints.h"
#include "common/base/arrays.h"
#include "common/linear/storage.h"
#include <stdlib.h>
#include <string.h>

const char *const dls_joint_place_choices[] = {"midpoint", "end", "conserving", NULL};
const char *const dls_joint_projection_choices[] = {"direct", "combined", "none", NULL};

dls_status dls_theta_joints_unused(const dls_sim *sim, dls_error *err)
{
  static const char name[] = "projection";
  const int i = dls_sim_was_set(sim, name) ? dls_option_find(sim->scheme->options, name) : -1;
  if (i < 0 || (int)sim->opt[i] == DLS_PROJECT_NONE) {
    return DLS_OK;
  }
  return dls_fail(
      err, DLS_ERR_NOT_APPLICABLE,
      "%s: projection=%s needs a system with joints, and this one has none; without joints, contacts are not "
      "projected either; use projection=none or omit the option",
      sim->scheme->name, dls_joint_projection_choices[(int)sim->opt[i]]);
}

dls_status dls_theta_joints_create(dls_sim *sim, const dls_configuration *config, dls_factor *A,
                                   const dls_joint_options *opt, dls_theta_joints *j, dls_error *err)
{
  const dls_system *sys = sim->sys;
  j->opt = opt;
  j->n = sys->n;
  j->A = A;
  j->block = dls_arrays((const dls_slot[]){{sys->n, {&j->jump, &j->force, &j->y, &j->middle}},
                                           {sys->r, {&j->c, &j->rate, &j->nu}},
                                           {sys->m, {&j->gap}},
                                           {0}});
  const dls_status status = dls_projection_create(sim, &j->projection, err);
  if (status != DLS_OK) {
    return status;
  }
  j->contact = dls_joints_create(sys, A);
  dls_joints_count_fallbacks(j->contact, &sim->work.fallbacks);
  return dls_joint_matrix_create(sim, config, &j->smooth) && j->contact != NULL && j->block != NULL
             ? DLS_OK
             : dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu equations of joints", sys->r);
}

void dls_theta_joints_destroy(dls_theta_joints *j)
{
  dls_joint_matrix_destroy(&j->smooth);
  dls_joints_destroy(j->contact);
  dls_projection_destroy(&j->projection);
  free(j->block);
}

void dls_theta_joints_begin(dls_theta_joints *j, size_t active)
{
  j->touching = active > 0;
  memset(j->jump, 0, j->n * sizeof *j->jump);
  memset(j->force, 0, j->n * sizeof *j->force);
}

/* c for an increment of y: the residual of the condition. */
static void take_condition(const dls_sim *sim, dls_theta_joints *j, const double *y)
{
  const size_t r = sim->sys->r;
  dls_joints_velocity(j->smooth.joints, y, j->c); /* C^T v' + dPhi/dt */
  if (j->opt->joints == DLS_JOINTS_CONSERVING) {
    dls_joints_velocity(j->smooth.joints, sim->v, j->rate);
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
  dls_joints_rows(j->smooth.joints, t, j->middle);
}

/* D, C and c at the iterate; the problem of contacts is factored. */
static dls_status take_places(const dls_sim *sim, dls_theta_joints *j, double h, double s, const double *q_next,
                              const double *y, dls_error *err)
{
  const double end = dls_sim_next_time(sim, h), half = 0.5 * (sim->t + end);
  const bool at_end = j->opt->joints == DLS_JOINTS_END, within = j->opt->joints == DLS_JOINTS_CONSERVING;
  const dls_joints *known = j->projection.contacts.joints;
  const double t_D = at_end ? end : half, t_C = within ? half : end;
  take_middle(sim, j, q_next);
  const double *q_D = at_end ? q_next : j->middle, *q_C = within ? j->middle : q_next;
  dls_joint_matrix_weigh(&j->smooth, j->weights, at_end ? s : 0.5 * s, t_D, q_D, j->nu);
  dls_joints_touch(j->contact);
  dls_joints_follow(j->contact, known);
  const dls_status status = j->touching ? dls_joints_at(j->contact, t_C, q_C, err) : DLS_OK;
  if (status != DLS_OK) {
    return status;
  }
  dls_joints_directions(j->smooth.joints, t_D, q_D); /* D */
  dls_joints_conditions(j->smooth.joints, t_C, q_C); /* C */
  take_condition(sim, j, y);                         /* c */
  look_ahead(sim, j, t_C, s, q_next, y);
  dls_joints_follow(j->smooth.joints, known);
  return DLS_OK;
}

dls_status dls_theta_joints_free(const dls_sim *sim, dls_theta_joints *j, double h, const double *weights,
                                 double s, const double *q_next, const double *v_next, double *x,
                                 dls_error *err)
{
  for (size_t i = 0; i < j->n; i++) {
    j->y[i] = v_next[i] - j->jump[i];
    x[i] += j->force[i]; /* H P + C nu_P */
  }
  memcpy(j->weights, weights, sizeof j->weights);
  dls_factor_weigh(j->A, weights); /* its entries count, not its factors */
  dls_status status = take_places(sim, j, h, s, q_next, j->y, err);
  if (status != DLS_OK || (status = dls_joints_factor_solve(j->smooth.joints, x, j->c, j->nu, err)) != DLS_OK) {
    return status;
  }
  for (size_t i = 0; i < j->n; i++) {
    x[i] += j->y[i];
  }
  return DLS_OK;
}

void dls_theta_joints_struck(dls_theta_joints *j, const double *v_free, const double *v_next)
{
  bool jumps = false;
  for (size_t i = 0; i < j->n; i++) {
    j->jump[i] = v_next[i] - v_free[i];
    jumps = jumps || j->jump[i] != 0;
  }
  memset(j->force, 0, j->n * sizeof *j->force);
  if (jumps) {
    dls_factor_multiply(j->A, j->weights, j->jump, j->force);
  }
}

void dls_theta_joints_multipliers(dls_sim *sim, dls_theta_joints *j, const dls_velocity_contact *contact,
                                  double h)
{
  memset(j->rate, 0, sim->sys->r * sizeof *j->rate);
  if (contact->active.count > 0) {
    memset(j->force, 0, j->n * sizeof *j->force);
    dls_contact_system_add_impulse(&contact->contacts, &contact->active, contact->impulse, j->force);
    dls_joints_solve(j->contact, j->force, NULL, j->rate);
  }
  for (size_t i = 0; i < sim->sys->r; i++) {
    sim->mu[i] = sim->mu_left[i] = (j->nu[i] + j->rate[i]) / h;
  }
}

/* The contacts that had an impulse; direct: also those that q penetrates, as the forecast has missed them. */
static void take_pushed(const dls_sim *sim, dls_theta_joints *j, const dls_velocity_contact *contact, double t,
                        const double *q)
{
  dls_contacts *pushed = &j->projection.set;
  const size_t d = contact->contacts.config->d;
  const bool all = j->opt->projection == DLS_PROJECT_DIRECT;
  size_t k = 0;
  pushed->count = 0;
  dls_system_gap(sim->sys, t, q, j->gap);
  for (size_t i = 0; i < sim->sys->m; i++) {
    const bool active = k < contact->active.count && contact->active.index[k] == i;
    const bool struck = active && contact->impulse[d * k] > 0; /* P > 0 */
    k += active;
    if (struck || (all && j->gap[i] < 0)) {
      pushed->index[pushed->count++] = i;
    }
  }
}

dls_status dls_theta_joints_project(dls_sim *sim, dls_theta_joints *j, const dls_velocity_contact *contact,
                                    double t, double *q, dls_error *err)
{
  dls_projection *p = &j->projection;
  if (j->opt->projection == DLS_PROJECT_NONE) {
    return DLS_OK;
  }
  take_pushed(sim, j, contact, t, q);
  return j->opt->projection == DLS_PROJECT_DIRECT
             ? dls_projection_apply(sim, p, t, q, err)                         /* g >= 0 */
             : dls_contact_system_project_q(&p->contacts, &p->set, t, q, err); /* g = 0 */
}

bool dls_theta_joints_grow(const dls_sim *sim, dls_theta_joints *j, dls_velocity_contact *contact, double t,
                           const double *q)
{
  dls_contacts *active = &contact->active;
  const size_t before = active->count;
  size_t *was = j->projection.set.index, next = 0; /* scratch */
  dls_system_gap(sim->sys, t, q, j->gap);
  memcpy(was, active->index, before * sizeof *was);
  active->count = 0;
  for (size_t i = 0; i < sim->sys->m; i++) {
    const bool there = next < before && was[next] == i;
    next += there;
    if (there || j->gap[i] <= 0) { /* I_1 only grows */
      active->index[active->count++] = i;
    }
  }
  return active->count > before;
}
