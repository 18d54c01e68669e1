/* three_level_joints.c -- joints at the levels of positions, velocities and accelerations.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/three_level_alpha.h"
#include "time_stepping/step/instant.h"
#include "time_stepping/step/newmark_equations.h"
#include <stdlib.h>
#include <string.h>

bool dls_three_level_joints_create(dls_sim *sim, dls_three_level *s)
{
  if (sim->sys->r == 0) {
    return true;
  }
  dls_joints_learn(s->mass.joints);
  s->joints = sim->C == NULL && sim->K == NULL ? s->mass.joints : dls_joints_create(sim->sys, s->S);
  dls_joints_count_fallbacks(s->joints, &sim->work.fallbacks);
  s->G = dls_matrix_clone(sim->sys->G);
  return s->joints != NULL && s->G != NULL && dls_joint_matrix_create(sim, s->mass.config, &s->curved);
}

void dls_three_level_joints_begin(dls_sim *sim, dls_three_level *s)
{
  const dls_instant x = {.t = sim->t, .q = sim->q, .v = sim->v, .lambda = s->now.lambda};
  dls_instant_multipliers(sim, &s->mass, &x, s->x, s->now.lambda + s->mass.config->rows);
  memcpy(sim->mu, s->now.lambda + s->mass.config->rows, sim->sys->r * sizeof *sim->mu);
}

dls_status dls_three_level_joints_at(dls_sim *sim, dls_three_level *s, double t, dls_error *err)
{
  if (s->joints == NULL) {
    return DLS_OK;
  }
  dls_system_joint_gradient(sim->sys, t, s->q, s->G);
  if (s->gaps.W != NULL) {
    dls_delassus_reset(s->gaps.W);
  }
  if (s->joints == s->mass.joints) {
    return DLS_OK; /* S is M, and they are there */
  }
  dls_joints_touch(s->joints);
  dls_joints_follow(s->joints, s->mass.joints);
  return dls_joints_at(s->joints, t, s->q, err);
}

dls_status dls_three_level_joints_place(dls_sim *sim, dls_three_level *s, double t, double h, dls_error *err)
{
  const dls_system *sys = sim->sys;
  const size_t rows = s->mass.config->rows;
  const double by_lambda = DLS_NEWMARK_Q_A_NEXT(h, s->c.beta) * (1 - s->c.alpha_f) / (1 - s->c.alpha_m);
  if (s->joints == NULL || sys->joint_stiffness == NULL) {
    return DLS_OK;
  }
  for (size_t i = 0; i < sys->r; i++) { /* what multiplies G(q) in q' by (1), (2), (4) and (5) */
    const double last = s->now.lambda_bar[rows + i], bar = s->next.lambda_bar[rows + i];
    s->mu[i] = s->k[rows + i] - h * h * DLS_NEWMARK_Q_MEAN(s->c.beta, last, bar) +
               by_lambda * s->next.lambda[rows + i];
  }
  dls_joint_matrix_weigh(&s->curved, (const double[]){1, 0, 0}, 1, t, s->q_last, s->mu);
  dls_joints_follow(s->curved.joints, s->mass.joints);
  const dls_status status = dls_joints_at(s->curved.joints, t, s->q_last, err);
  for (size_t i = 0; i < sys->n; i++) {
    s->q[i] -= s->q_last[i];
  }
  memset(s->rest, 0, sys->r * sizeof *s->rest);
  dls_matrix_multiply_transposed(s->G, 1, s->q, s->rest); /* G^T x = G^T (q' - q_last) */
  memset(s->interval, 0, sys->n * sizeof *s->interval);
  dls_matrix_multiply(s->mass.config->M, 1, s->q, s->interval); /* (M - ..) x = M (q' - q_last) + G .. */
  if (status == DLS_OK) {
    dls_joints_solve(s->curved.joints, s->interval, s->rest, NULL);
  }
  for (size_t i = 0; i < sys->n; i++) {
    s->q[i] = s->q_last[i] + s->interval[i];
  }
  return status;
}

/* With joints an increment x of the acceleration that they leave free changes F by -(weight_C C + weight_K K) x:
 *   S x = R + G m, G^T x = 0;   M df = R - (weight_C C + weight_K K) x. */
void dls_three_level_joints_newton(const dls_sim *sim, dls_three_level *s, double *x)
{
  if (s->joints == NULL) {
    dls_factor_solve(s->S, x); /* df = S^-1 R */
    return;
  }
  if (sim->C != NULL || sim->K != NULL) {
    memcpy(s->interval, x, sim->sys->n * sizeof *x);
    dls_joints_project(s->joints, s->interval); /* x: S x = R + G m, G^T x = 0 */
  }
  if (sim->C != NULL) {
    dls_matrix_multiply(sim->C, -s->weight_C, s->interval, x); /* R - weight_C C x */
  }
  if (sim->K != NULL) {
    dls_matrix_multiply(sim->K, -s->weight_K, s->interval, x); /* - weight_K K x */
  }
  dls_factor_solve(s->mass.M, x); /* df */
}

/* x := the shortest with G^T x = -c; more[r]: its multipliers are added. */
static void meet(dls_joints *joints, const dls_system *sys, double *c, double *mu, double *x, double *more)
{
  for (size_t i = 0; i < sys->r; i++) {
    c[i] = -c[i];
  }
  memset(x, 0, sys->n * sizeof *x);
  dls_joints_solve(joints, x, c, mu);
  for (size_t i = 0; i < sys->r; i++) {
    more[i] += mu[i];
  }
}

void dls_three_level_joints_positions(dls_sim *sim, dls_three_level *s, double t, double *x)
{
  const dls_system *sys = sim->sys;
  memset(x, 0, sys->n * sizeof *x);
  if (s->joints != NULL) {
    dls_system_joint(sys, t, s->q, s->rest); /* Phi(t', q') */
    meet(s->joints, sys, s->rest, s->mu, x, s->k + s->mass.config->rows);
  }
}

void dls_three_level_joints_velocities(dls_three_level *s, double *x)
{
  const dls_system *sys = s->mass.config->sys;
  double *p = s->p + s->mass.config->rows;
  if (s->joints == NULL) {
    return;
  }
  memset(p, 0, sys->r * sizeof *p);
  dls_joints_velocity(s->mass.joints, x, s->rest); /* G^T x + dPhi/dt */
  meet(s->mass.joints, sys, s->rest, s->mu, s->interval, p);
  for (size_t i = 0; i < sys->n; i++) {
    x[i] += s->interval[i];
  }
}

void dls_three_level_joints_accelerations(dls_three_level *s, double *x)
{
  const dls_configuration *config = s->mass.config;
  if (s->joints == NULL) {
    return;
  }
  memset(x, 0, config->sys->n * sizeof *x);
  dls_matrix_multiply(config->M, 1, s->f, x); /* F */
  dls_joints_acceleration(s->mass.joints, s->v, 0, x, s->next.lambda + config->rows);
}

void dls_three_level_joints_answer(dls_three_level *s, dls_joints *joints, double *impulse, double sign)
{
  const dls_configuration *config = s->mass.config;
  if (s->joints == NULL || dls_three_level_all_zero(config->rows, impulse)) {
    return;
  }
  memset(s->interval, 0, config->sys->n * sizeof *s->interval);
  dls_matrix_multiply(config->H, 1, impulse, s->interval);
  dls_joints_solve(joints, s->interval, NULL, s->mu);
  for (size_t i = 0; i < config->sys->r; i++) {
    impulse[config->rows + i] += sign * s->mu[i];
  }
}

void dls_three_level_joints_jump(dls_three_level *s)
{
  const dls_configuration *config = s->mass.config;
  if (s->joints != NULL) {
    memset(s->interval, 0, config->sys->n * sizeof *s->interval);
    dls_matrix_multiply(config->M, 1, s->jump, s->interval); /* H L + G L_b, of which S G = 0 */
    dls_joints_project(s->mass.joints, s->interval);
    memcpy(s->jump, s->interval, config->sys->n * sizeof *s->jump);
  }
}
