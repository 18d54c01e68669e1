/* theta_step.c -- theta-method with impacts at velocity level.
 *
 *   M (v' - v) = h [theta F' + (1 - theta) F] + H P,   q' = q + h [(1 - eta) v + eta v']            (1)
 *   on I1:  0 <= U' + e U  _|_  P >= 0,   U = H^T v + b(t_k), U' = H^T v' + b(t_k+1), same H;  P = 0 elsewhere  (2)
 *   I1 = { contacts with g(q + gamma h v) <= 0 and U <= eps_u }                                     (3)
 *
 * P is the impulse over the step, never a force. eta = theta: Moreau-Jean; eta = 1/2: its variant.
 * The terms of (1) stand in theta_equations.h. With A = M + h theta C + h^2 theta eta K a linear step is
 *   v_free = v + A^-1 h [theta F_ext' + (1 - theta) F_ext - K q - C v - h theta K v],
 *   LCP:  W = H1^T A^-1 H1,  b = H1^T v_free + e U,   v' = v_free + A^-1 H1 P;
 * A nonlinear step is Newton's method with C = -dF/dv, K = -dF/dq, and the residual of (1) in the bracket. M and H are taken at
 * q + h theta v, at q, or at (1 - theta) q + theta q' of the iterate; their derivatives by v' are neglected. The set I1 is fixed
 * before the first iteration. With joints, the projector of theta_joints.h replaces A^-1.
 * Sources: Jean 1999; Acary 2014 (RR-8602), eqs. (23)-(26), (31).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/moreau/theta_step.h"
#include "common/base/arrays.h"
#include "time_stepping/moreau/theta_equations.h"
#include "time_stepping/moreau/theta_fused.h"
#include "time_stepping/step/iteration.h"
#include "time_stepping/step/velocity_contact.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const dls_theta_place_choices[] = {"ahead", "start", "implicit", NULL};
const char *const dls_theta_forecast_choices[] = {"curved", "linear", NULL};
const char *const dls_theta_stability_choices[] = {"refuse", "ignore", NULL};

double dls_theta_value(const dls_sim *sim)
{
  return ((const dls_theta_options *)sim->options)->theta;
}

dls_status dls_theta_check(const dls_scheme *self, const void *options, dls_error *err)
{
  const dls_theta_options *opt = options;
  return opt->theta >= 0.5 || opt->stability != 0
             ? DLS_OK
             : dls_fail(err, DLS_ERR_OPTION,
                        "scheme %s: theta = %g is outside [0.5, 1]; stability=ignore accepts it", self->name,
                        opt->theta);
}

void dls_theta_finish(dls_sim *sim)
{
  dls_theta_memory *s = sim->memory;
  if (s != NULL) {
    dls_velocity_contact_destroy(&s->contact);
    dls_primal_dual_destroy(s->primal_dual);
    dls_theta_joints_destroy(&s->joints);
    dls_factor_destroy(s->A);
    dls_configuration_destroy(&s->config);
    free(s->small_system);
    free(s->block);
    free(s);
  }
}

static dls_status create_joints(dls_sim *sim, dls_theta_memory *s, const dls_theta_kind *kind, dls_error *err)
{
  const void *options = (const char *)sim->options + kind->joints;
  return dls_theta_joints_create(sim, &s->config, s->A, options, &s->joints, err);
}

/* With theta = 0 impulses work on u alone: laws that divide by theta are not applicable. */
static dls_status check_laws(const dls_sim *sim, const dls_theta_memory *s, dls_error *err)
{
  for (size_t row = 0; row < s->config.rows; row++) {
    if (!isfinite(s->contact.contacts.mixture[row])) {
      return dls_sim_fail(
          sim, err, DLS_ERR_NOT_APPLICABLE,
          "theta = 0: the friction of contact %zu opposes the slip at t + theta h, which needs theta > 0",
          row / s->config.d);
    }
  }
  return DLS_OK;
}

/* The law of members that are persistent. */
static void take_persistent(const dls_sim *sim, dls_theta_memory *s)
{
  const dls_theta_kind *kind = sim->scheme->kind;
  for (size_t j = 0; j < sim->sys->m && kind->persistent; j++) {
    s->contact.contacts.mixture[s->config.d * j] = 1; /* U' + U */
  }
}

static dls_status create_contact(dls_sim *sim, dls_theta_memory *s, dls_error *err)
{
  const dls_theta_options *opt = sim->options;
  const dls_system *sys = sim->sys;
  dls_delassus *W = sys->m == 0   ? NULL
                    : sys->r == 0 ? dls_delassus_create(s->A, s->config.H)
                                  : dls_delassus_create_joints(s->joints.contact, s->config.H);
  const dls_status status = dls_velocity_contact_create(
      sim, &s->config, W, s->eta, opt->gamma, opt->velocity_test != 0, opt->velocity_tol, &s->contact, err);
  s->contact.linear = opt->gap_forecast != 0;
  if (status == DLS_OK) {
    take_persistent(sim, s);
  }
  if (status == DLS_OK && s->contact.as_at_node &&
      !dls_primal_dual_create(&s->contact.contacts, s->A, &s->primal_dual)) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu contacts", sys->m);
  }
  s->fused = s->primal_dual == NULL && (sys->m == 0 || s->contact.as_at_node) && dls_banded(sim, &s->config);
  return status;
}

/* All that allocates. */
static dls_status create(dls_sim *sim, dls_error *err)
{
  const dls_theta_options *opt = sim->options;
  const dls_theta_kind *kind = sim->scheme->kind;
  const dls_system *sys = sim->sys;
  dls_theta_memory *s = calloc(1, sizeof *s);
  sim->memory = s;
  const size_t n = sys->n;
  dls_status status = sys->r == 0 ? dls_theta_joints_unused(sim, err) : DLS_OK;
  if (status != DLS_OK) {
    return status;
  }
  if (s == NULL ||
      (s->block = dls_arrays((const dls_slot[]){
           {n, {&s->load, &s->load_next, &s->v_free, &s->v_next, &s->v_last, &s->q_next, &s->work}}, {0}})) ==
          NULL ||
      !dls_configuration_create(sys, &s->config) || (s->A = dls_iteration_matrix(&s->config, sim)) == NULL) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", sys->n);
  }
  s->eta = kind->eta > 0 ? kind->eta : opt->theta;
  if (sys->r > 0 && (status = create_joints(sim, s, kind, err)) != DLS_OK) {
    return status;
  }
  status = create_contact(sim, s, err);
  return status != DLS_OK ? status : dls_small_system_create(sim, &s->contact.contacts, &s->small_system, err);
}

bool dls_theta_starts_again(const dls_sim *sim)
{
  const dls_theta_memory *s = sim->memory;
  return s != NULL && s->primal_dual == NULL && dls_small_system_starts_again(sim, &s->contact.contacts, s->A);
}

/* As created, for the present values of the system. */
static void restart(const dls_sim *sim, dls_theta_memory *s)
{
  const dls_theta_options *opt = sim->options;
  memset(s->block, 0, 7 * sim->sys->n * sizeof *s->block);
  dls_factor_touch(s->A);
  s->factored = s->t_next = 0;
  s->reduces = s->in_place = false;
  dls_configuration_at(&s->config, 0, sim->sys->q0);
  dls_velocity_contact_restart(sim, opt->velocity_tol, &s->contact);
  take_persistent(sim, s);
}

dls_status dls_theta_start(dls_sim *sim, dls_error *err)
{
  const dls_system *sys = sim->sys;
  if (sim->memory != NULL) {
    restart(sim, sim->memory);
  } else {
    const dls_status status = create(sim, err);
    if (status != DLS_OK) {
      return status;
    }
  }
  dls_theta_memory *s = sim->memory;
  if (sys->linear) {
    dls_system_load(sys, sim->t, s->load);
    memcpy(s->load_next, s->load, sys->n * sizeof *s->load);
    s->load_time = sim->t;
  }
  return check_laws(sim, s, err);
}

dls_status dls_theta_moved(dls_sim *sim, dls_error *err)
{
  (void)err;
  dls_theta_memory *s = sim->memory;
  if (sim->sys->linear && s->load_time != sim->t) {
    dls_system_load(sim->sys, sim->t, s->load);
    s->load_time = sim->t;
    sim->work.force_evals++;
  }
  return DLS_OK;
}

static dls_status factor(dls_sim *sim, dls_theta_memory *s, double h, dls_error *err)
{
  const double theta = dls_theta_value(sim);
  return dls_iteration_factor_step(sim, s->A, h, &s->factored,
                                   (const double[])DLS_THETA_MATRIX(h, theta, s->eta), s->contact.contacts.W,
                                   err);
}

/* (2) for the free velocity v_free, which v_next is a copy of: v_next += A^-1 H1 P. */
static dls_status impact(dls_sim *sim, dls_theta_memory *s, dls_error *err)
{
  dls_velocity_contact *c = &s->contact;
  const dls_status status = dls_velocity_contact_solve(sim, c, s->v_free, err);
  if (status == DLS_OK) {
    dls_contact_system_apply(&c->contacts, &c->active, 1, c->impulse, s->v_next);
  }
  return status;
}

/* v_free += D of load_rows.h, in a step that contains a row of a table of loads. */
static void add_load_impulse(const dls_sim *sim, dls_theta_memory *s)
{
  if (dls_sim_load_impulse(sim, sim->t, s->t_next, dls_theta_value(sim), s->work)) {
    for (size_t i = 0; i < sim->sys->n; i++) {
      s->v_free[i] += s->work[i];
    }
  }
}

/* v_free := A (v_free - v), the bracket of a linear step. */
static void linear_forces(dls_sim *sim, dls_theta_memory *s, double h)
{
  const dls_system *sys = sim->sys;
  const size_t n = sys->n;
  const double theta = dls_theta_value(sim);
  const double *v = sim->v, *load = s->load, *load_next = s->load_next;
  double *restrict v_free = s->v_free, *restrict work = s->work;
  dls_system_load(sys, s->t_next, s->load_next);
  sim->work.force_evals++;
  for (size_t i = 0; i < n; i++) {
    v_free[i] = DLS_THETA_FORCE(h, theta, load[i], load_next[i]); /* (1): h F_theta of the load */
  }
  add_load_impulse(sim, s);
  if (sys->K != NULL) {
    for (size_t i = 0; i < n; i++) {
      work[i] = DLS_THETA_AHEAD(sim->q[i], v[i], h * theta); /* (1): K acts at q + h theta v */
    }
    dls_matrix_multiply(sys->K, -h, work, v_free); /* - h K (q + h theta v) */
  }
  if (sys->C != NULL) {
    dls_matrix_multiply(sys->C, -h, v, v_free); /* - h C v */
  }
}

/* v_next and the impulses by a system without the unknowns of closed contacts. @return DLS_ERR_NOT_APPLICABLE: not in this
 * step; v_free is as it was */
static dls_status primal_dual_step(dls_sim *sim, dls_theta_memory *s, double h, dls_error *err)
{
  const double theta = dls_theta_value(sim);
  dls_status status =
      dls_primal_dual_matrix(s->primal_dual, (const double[])DLS_THETA_MATRIX(h, theta, s->eta), 0);
  if (status != DLS_OK) {
    return status;
  }
  status = dls_velocity_contact_primal_dual(sim, &s->contact, s->primal_dual, NULL, s->v_free, s->work, err);
  s->in_place = status == DLS_OK && !dls_banded_jumps(&s->contact);
  if (s->in_place) {
    dls_theta_finish_in_place(sim, s, h, NULL, 0);
    return DLS_OK;
  }
  for (size_t i = 0; i < sim->sys->n && status == DLS_OK; i++) {
    s->v_next[i] = sim->v[i] + s->work[i]; /* v' = v + x */
  }
  return status;
}

/* (1) of a linear system, by v_free; then (2). */
static dls_status linear_step(dls_sim *sim, dls_theta_memory *s, double h, dls_error *err)
{
  double *restrict v_free = s->v_free, *restrict v_next = s->v_next;
  linear_forces(sim, s, h);
  dls_status status = s->primal_dual != NULL ? primal_dual_step(sim, s, h, err) : DLS_ERR_NOT_APPLICABLE;
  s->reduces = status != DLS_ERR_NOT_APPLICABLE;
  if (s->reduces) {
    return status;
  }
  status = factor(sim, s, h, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_factor_solve(s->A, v_free);
  for (size_t i = 0; i < sim->sys->n; i++) {
    v_next[i] = v_free[i] += sim->v[i]; /* v_free = v + A^-1 (..) */
  }
  return impact(sim, s, err);
}

/* (1), (2) of a linear system, fused where the factors allow it. */
static dls_status solve_linear(dls_sim *sim, dls_theta_memory *s, double h, dls_error *err)
{
  dls_tridiagonal A;
  const dls_status status = s->fused ? factor(sim, s, h, err) : DLS_OK;
  s->in_place = false;
  return status != DLS_OK ? status
         : s->fused && dls_banded_factors(s->A, sim->sys->n, &A)
             ? dls_theta_fused_step(sim, s, &A, dls_theta_value(sim), h, err)
             : linear_step(sim, s, h, err);
}

/* The free velocity of a step that was made without it, where it is the left limit of a jump. */
static dls_status left_limit(dls_sim *sim, dls_theta_memory *s, double h, dls_error *err)
{
  dls_status status =
      dls_primal_dual_unconstrained(s->primal_dual, s->v_free, s->work); /* v' - v is the guess */
  if (status == DLS_ERR_NOT_APPLICABLE) {
    status = factor(sim, s, h, err);
    memcpy(s->work, s->v_free, sim->sys->n * sizeof *s->work);
    if (status == DLS_OK) {
      dls_factor_solve(s->A, s->work);
    }
  }
  for (size_t i = 0; i < sim->sys->n; i++) {
    sim->v_left[i] = sim->v[i] + s->work[i];
  }
  return status == DLS_ERR_MEMORY ? dls_sim_fail(sim, err, status, "no memory for the velocity before a jump")
                                  : status;
}

/* v_next := v_free := that of -R in v_free, with joints. */
static dls_status solve_joints(dls_sim *sim, dls_theta_memory *s, double h, dls_error *err)
{
  const double theta = dls_theta_value(sim), weights[3] = DLS_THETA_MATRIX(h, theta, s->eta);
  const dls_status status =
      dls_theta_joints_free(sim, &s->joints, h, weights, h * s->eta, s->q_next, s->v_next, s->v_free, err);
  sim->work.factorizations++;
  if (s->contact.contacts.W != NULL) {
    dls_delassus_reset(s->contact.contacts.W);
  }
  memcpy(s->v_next, s->v_free, sim->sys->n * sizeof *s->v_next);
  return status;
}

/* q' of (1) */
static void take_positions(const dls_sim *sim, dls_theta_memory *s, double h)
{
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->q_next[i] = DLS_THETA_POSITION(sim->q[i], h, s->eta, sim->v[i], s->v_next[i]); /* (1) */
  }
}

/* M, H and U at (1 - theta) q + theta q' of the iterate. */
static void place_on_the_way(const dls_sim *sim, dls_theta_memory *s, double h)
{
  const double theta = dls_theta_value(sim);
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->work[i] = DLS_AVERAGE(theta, sim->q[i], s->q_next[i]); /* q_k+theta */
  }
  dls_configuration_mass(&s->config, s->work);
  dls_velocity_contact_configuration(sim, &s->contact, h, s->work);
}

/* v_free := v - A^-1 R(v) for the iterate v = v_next, R the residual of (1) without impulses. */
static dls_status newton_free_velocity(dls_sim *sim, dls_theta_memory *s, double h, dls_error *err)
{
  const dls_system *sys = sim->sys;
  const double theta = dls_theta_value(sim), t_next = s->t_next;
  take_positions(sim, s, h); /* q' of (1) */
  if (((const dls_theta_options *)sim->options)->place == DLS_THETA_IMPLICIT) {
    place_on_the_way(sim, s, h);
  }
  dls_sim_force(sim, t_next, s->q_next, s->v_next, s->load_next);
  dls_iteration_linearise(sim, t_next, s->q_next, s->v_next, s->A);
  const dls_status status = sys->r > 0 ? DLS_OK : factor(sim, s, h, err);
  if (status != DLS_OK) {
    return status;
  }
  for (size_t i = 0; i < sys->n; i++) {
    s->v_free[i] = DLS_THETA_FORCE(h, theta, s->load[i], s->load_next[i]); /* (1): h F_theta */
  }
  add_load_impulse(sim, s);
  for (size_t i = 0; i < sys->n; i++) {
    s->work[i] = s->v_next[i] - sim->v[i]; /* v' - v */
  }
  dls_matrix_multiply(s->config.M, -1, s->work, s->v_free); /* - M (v' - v): -R */
  if (sys->r > 0) {
    return solve_joints(sim, s, h, err);
  }
  dls_factor_solve(s->A, s->v_free);
  for (size_t i = 0; i < sys->n; i++) {
    s->v_next[i] = s->v_free[i] += s->v_next[i]; /* v' - A^-1 R */
  }
  return DLS_OK;
}

static dls_status iterate(dls_sim *sim, void *step, double h, double *change, dls_error *err)
{
  dls_theta_memory *s = step;
  const size_t n = sim->sys->n;
  memcpy(s->v_last, s->v_next, n * sizeof *s->v_last);
  dls_status status = newton_free_velocity(sim, s, h, err);
  if (status != DLS_OK || (status = impact(sim, s, err)) != DLS_OK) { /* (1), then (2) */
    return status;
  }
  if (sim->sys->r > 0) {
    dls_theta_joints_struck(&s->joints, s->v_free, s->v_next);
  }
  *change = dls_iteration_change(n, s->v_next, s->v_last);
  return DLS_OK;
}

static dls_status newton_step(dls_sim *sim, dls_theta_memory *s, double h, dls_error *err)
{
  const dls_theta_options *opt = sim->options;
  dls_newton newton = dls_newton_of_velocity(sim->sys, &opt->newton);
  newton.residual = (dls_residual){.A = s->A,
                                   .weights = sim->sys->r > 0 ? s->joints.weights : NULL,
                                   .M = s->config.M,
                                   .x = s->v_next,
                                   .q = s->q_next,
                                   .v = s->v_next,
                                   .F = s->load_next,
                                   .scratch = s->work,
                                   .weight = h,
                                   .scale = 1};
  dls_sim_force(sim, sim->t, sim->q, sim->v, s->load);
  memcpy(s->v_next, sim->v, sim->sys->n * sizeof *s->v_next);
  return dls_iterate(sim, &newton, iterate, s, h, err);
}

/* Whether one Newton iteration makes the step; not with varying tangents, whose place depends on the step. */
static bool one_iteration(const dls_sim *sim, const dls_theta_memory *s)
{
  const dls_theta_options *opt = sim->options;
  return sim->sys->linear && !(opt->place == DLS_THETA_IMPLICIT && s->config.gradient_varies);
}

/* M, H and I1, at the forecast position q + h theta v, or at q. */
static void place_contacts(dls_sim *sim, dls_theta_memory *s, double h)
{
  const dls_theta_options *opt = sim->options;
  if (!dls_configuration_constant(&s->config)) {
    const double ahead = opt->place == DLS_THETA_START ? 0 : h * opt->theta;
    for (size_t i = 0; i < sim->sys->n; i++) {
      s->work[i] = DLS_THETA_AHEAD(sim->q[i], sim->v[i], ahead);
    }
    dls_configuration_mass(&s->config, s->work);
  }
  dls_velocity_contact_forecast(sim, &s->contact, h, s->work);
}

/* A step with joints; combined: again with the contacts that its end penetrates. */
static dls_status joints_step(dls_sim *sim, dls_theta_memory *s, double h, dls_error *err)
{
  dls_theta_joints *j = &s->joints;
  const double end = dls_sim_next_time(sim, h);
  const bool combined = j->opt->projection == DLS_PROJECT_COMBINED;
  bool again = true;
  if (combined) {
    s->contact.active.count = 0;
  }
  while (again) {
    dls_theta_joints_begin(j, s->contact.active.count);
    dls_status status = newton_step(sim, s, h, err); /* (1) with the joints, (2) */
    if (status != DLS_OK) {
      return status;
    }
    take_positions(sim, s, h); /* q' of (1) */
    status = dls_theta_joints_project(sim, j, &s->contact, end, s->q_next, err);
    if (status != DLS_OK) { /* q' onto Phi = 0 and g >= 0 */
      return status;
    }
    again = combined &&
            dls_theta_joints_grow(sim, j, &s->contact, end, s->q_next); /* I1 of the combined projection */
  }
  dls_theta_joints_multipliers(sim, j, &s->contact, h); /* mu */
  return DLS_OK;
}

dls_status dls_theta_advance(dls_sim *sim, double h, dls_error *err)
{
  dls_theta_memory *s = sim->memory;
  const size_t n = sim->sys->n;
  s->t_next = dls_sim_next_time(sim, h);
  place_contacts(sim, s, h); /* (3) */
  /* v' of (1) with P of (2); joints_step also makes q' of (1) */
  const dls_status status = one_iteration(sim, s) ? solve_linear(sim, s, h, err)
                            : sim->sys->r > 0     ? joints_step(sim, s, h, err)
                                                  : newton_step(sim, s, h, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_velocity_contact_take(sim, &s->contact, s->t_next, s->v_free, s->v_next);
  if (s->reduces && sim->jump) {
    const dls_status left = left_limit(sim, s, h, err);
    if (left != DLS_OK) {
      return left;
    }
  }
  if (sim->sys->r == 0 && !s->in_place) {
    take_positions(sim, s, h); /* q' of (1) */
  }
  if (!s->in_place) {
    memcpy(sim->q, s->q_next, n * sizeof *sim->q);
    memcpy(sim->v, s->v_next, n * sizeof *sim->v);
  }
  dls_swap(&s->load, &s->load_next); /* F_ext(t_k+1) serves the next step too */
  s->load_time = s->t_next;
  return DLS_OK;
}
