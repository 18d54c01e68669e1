/* ipc.c -- incremental potential contact: the gaps at the end of a step are kept above 0 by a barrier,
 *
 *   M (v' - v_ref) = beta (F(t', q', v') + H f + H_T f_T + G mu),   q' = q_ref + beta v',   Phi(t', q') = 0    (1)
 *   f = -kappa s/h^2 b'(g(q')),   b(x) = -(x - x^)^2 ln(x/x^) for 0 < x < x^, 0 from x^ on                     (2)
 *   f_T = -mu lambda f_1(|u_T|) u_T/|u_T|,   f_1 = 2 u/eps_v - u^2/eps_v^2 below eps_v, else 1                 (3)
 *
 * which is a stationary point of 1/2 |q' - x^|_M^2 + beta^2 (V + s/h^2 kappa sum of b). x is the gap with x^ = d^, or its square.
 * lambda is f of the step before. M, H and G are those at q'. Rules:
 *   euler        beta = h,      q_ref = q,                       v_ref = v
 *   bdf2         beta = 2 h/3,  q_ref = (4 q_k - q_k-1)/3,       v_ref = (4 v_k - v_k-1)/3
 *   trapezoidal  beta = h/2,    q_ref = q + h/2 v,               v_ref = v + h/2 a,   a = M^-1 (F + H f) at the node
 * Newton's method in v' has the matrix A + H D H^T, A = M + beta C + beta^2 K, D = -d(beta f)/du, without second derivatives of
 * the gaps. It is solved in the form (2) of convex_minimisation.c. A step ends before 0.8 of the way to the first g = 0, and is halved while
 * the slope of the potential is too large there.
 * Source: M. Li, Z. Ferguson, T. Schneider, T. Langlois, D. Zorin, D. Panozzo, C. Jiang & D. Kaufman 2020.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/soft/ipc.h"
#include "common/base/arrays.h"
#include "common/base/larger.h"
#include "common/run/reported.h"
#include "time_stepping/soft/balance_ipc.h"
#include "time_stepping/soft/soft_equations.h"
#include "time_stepping/soft/thresholds.h"
#include "time_stepping/step/joint_steps.h"
#include "time_stepping/step/own_restitution.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 9 };
static const char *const rules[] = {"euler", "bdf2", "trapezoidal", NULL};
static const char *const scalings[] = {"h2", "one", NULL};
static const char *const distances[] = {"gap", "squared", NULL};
#define REAL(field, unit, help, initial, min, max, open)                                                       \
  DLS_REAL_OPTION(0, dls_ipc_options, field, unit, help, initial, min, max, open)
static const dls_option table[] = {
    DLS_CHOICE_OPTION(0, dls_ipc_options, rule, "integration rule", DLS_IPC_EULER, rules),
    DLS_CHOICE_OPTION(
        0, dls_ipc_options, scaling,
        "factor s of the barrier in the potential of a step: h^2, or 1 as in the publication, which "
        "makes the contact depend on h",
        DLS_IPC_SCALING_H2, scalings),
    DLS_CHOICE_OPTION(0, dls_ipc_options, distance, "argument of the barrier: the gap or its square",
                      DLS_IPC_GAP, distances),
    REAL(dhat, "l_s", "gap below which the barrier acts", 1e-3, 0, 1, DLS_OPEN_MIN),
    REAL(kappa, "N/m", "scaling=h2: stiffness of the barrier; with distance=squared over dhat^2", 1e6, 0,
         DBL_MAX, DLS_OPEN_MIN),
    REAL(kappa_one, "kg", "scaling=one: the same", 1, 0, DBL_MAX, DLS_OPEN_MIN),
    REAL(epsv, "l_s/s", "slip from which on friction has its bound", 1e-3, 0, DBL_MAX, DLS_OPEN_MIN),
    DLS_INTEGER_OPTION(0, dls_ipc_options, friction_iterations,
                       "solutions of a step, each with the normal forces of the last one in its friction", 1, 1,
                       1000),
    DLS_OWN_RESTITUTION_OPTION(0, dls_ipc_options),
    DLS_NEWTON_OPTIONS(offsetof(dls_ipc_options, newton), "v_s",
                       "last change of a velocity accepted, in units of the model's velocity scale", 1e-12,
                       "iterations allowed in a step", 200),
    {0},
};

static const dls_ipc_options *options(const dls_sim *sim)
{
  return sim->options;
}

/* --- an iterate --- */

static double friction_of(const dls_sim *sim, size_t j)
{
  return dls_law_has_friction(sim->sys, j) ? sim->sys->mu[j] : 0;
}

/* gamma and D of the tangents of a contact, (3). bound: beta mu lambda; u: its slip. */
static void rub(const dls_ipc *s, size_t d, double bound, const double *u, double *gamma, double *D)
{
  const double speed = d == 3 ? hypot(u[1], u[2]) : fabs(u[1]), eps = s->epsv;
  const double ratio = speed < eps ? DLS_IPC_MOLLIFIER_RATIO(speed, eps) : 1 / speed; /* f_1/|u_T| */
  const double along = speed < eps ? DLS_IPC_MOLLIFIER_1(speed, eps) : 0;             /* df_1/d|u_T| */
  for (size_t i = 1; i < d; i++) {
    gamma[i] = -bound * ratio * u[i];
    for (size_t k = 1; k < d; k++) {
      const double product = speed > 0 ? u[i] / speed * (u[k] / speed) : 0;
      D[i + 3 * k] = bound * (ratio * ((i == k) - product) + along * product);
    }
  }
}

/* The set, its impulses and their derivatives at the iterate, where the configuration is. */
static void push(const dls_sim *sim, dls_ipc *s, dls_ipc_iterate *x)
{
  const size_t d = s->config.d;
  s->set.count = 0;
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double bound = s->beta * friction_of(sim, j) * s->lagged[j];
    if (!(x->g[j] < s->barrier.end) && bound == 0) {
      continue;
    }
    const size_t k = s->set.count++;
    double u[3] = {0}, slope, *gamma = x->gamma + d * k, *D = x->D + BLOCK * k;
    s->set.index[k] = j;
    memset(D, 0, BLOCK * sizeof *D);
    for (size_t i = 0; i < d; i++) {
      s->rows[d * k + i] = d * j + i;
      u[i] = i > 0 ? dls_configuration_row(&s->config, d * j + i, x->v) : 0;
    }
    rub(s, d, bound, u, gamma, D);
    gamma[0] = s->beta * dls_ipc_force(&s->barrier, x->g[j], &slope); /* (2) */
    D[0] = s->beta * s->beta * slope;
  }
}

/* q' and the gaps of v'. @return whether all gaps are above 0 */
static bool move(const dls_sim *sim, const dls_ipc *s, dls_ipc_iterate *x)
{
  bool above = true;
  for (size_t i = 0; i < sim->sys->n; i++) {
    x->q[i] = DLS_IPC_POSITION(s->q_ref[i], s->beta, x->v[i]);
  }
  dls_system_gap(sim->sys, s->t_next, x->q, x->g);
  for (size_t j = 0; j < sim->sys->m; j++) {
    above = above && x->g[j] > 0;
  }
  return above;
}

/* Forces and impulses of (1) at v', q' and the gaps. */
static void evaluate(dls_sim *sim, dls_ipc *s, dls_ipc_iterate *x)
{
  const size_t n = sim->sys->n;
  dls_configuration_contacts(&s->config, s->t_next, x->q);
  dls_configuration_mass(&s->config, x->q);
  dls_sim_force(sim, s->t_next, x->q, x->v, x->smooth);
  for (size_t i = 0; i < n; i++) {
    x->smooth[i] *= s->beta;
    s->force[i] = s->v_ref[i] - x->v[i];
  }
  dls_matrix_multiply(s->config.M, 1, s->force, x->smooth); /* M (v_ref - v') + beta F */
  push(sim, s, x);
}

/* force := smooth + H gamma + G nu, which is 0 at the solution. */
static void unbalanced(const dls_sim *sim, dls_ipc *s, const dls_ipc_iterate *x)
{
  const size_t d = s->config.d;
  memcpy(s->force, x->smooth, sim->sys->n * sizeof *s->force);
  for (size_t k = 0; k < d * s->set.count; k++) {
    dls_matrix_column_add(s->config.H, s->rows[k], x->gamma[k], s->force);
  }
}

static double dot(size_t n, const double *x, const double *y)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    sum += x[i] * y[i];
  }
  return sum;
}

/* --- Newton's method --- */

static dls_status factor(dls_sim *sim, dls_ipc *s, const dls_ipc_iterate *x, dls_error *err)
{
  const double weights[] = {1, s->beta, s->beta * s->beta};
  if (sim->sys->r == 0) {
    dls_iteration_linearise(sim, s->t_next, x->q, x->v, s->A);
    return dls_iteration_factor_step(sim, s->A, s->beta, &s->factored, weights, s->W, err);
  }
  dls_iteration_linearise(sim, s->t_next, x->q, x->v, s->joint.N);
  dls_joint_matrix_weigh(&s->joint, weights, s->beta, s->t_next, x->q, s->nu); /* nu = beta mu */
  dls_joints_follow(s->joint.joints, s->mass.joints);
  const dls_status status = dls_joints_at(s->joint.joints, s->t_next, x->q, err);
  const double *phi = dls_joints_phi(s->joint.joints);
  for (size_t i = 0; i < sim->sys->r; i++) {
    s->c[i] = -phi[i] / s->beta; /* Phi + beta G^T dv = 0 */
  }
  sim->work.factorizations++;
  return status;
}

/* dv := A^-1 f, with joints those of A and their impulses nu. */
static void solve(dls_ipc *s, double *x)
{
  if (s->joint.joints != NULL) {
    dls_joints_solve(s->joint.joints, x, s->c, s->nu);
  } else {
    dls_factor_solve(s->A, x);
  }
}

/* dv of the iterate, from (A + H D H^T) dv = smooth + H gamma: y = gamma - D H^T dv, (1 + D W) y = gamma - D H^T A^-1 smooth. */
static dls_status increment(dls_sim *sim, dls_ipc *s, const dls_ipc_iterate *x, dls_error *err)
{
  const size_t n = sim->sys->n, d = s->config.d, rows = d * s->set.count;
  dls_status status = factor(sim, s, x, err);
  if (status != DLS_OK) {
    return status;
  }
  memcpy(s->dv, x->smooth, n * sizeof *s->dv);
  solve(s, s->dv);
  if (rows == 0) {
    return DLS_OK;
  }
  if (s->config.gradient_varies || s->joint.joints != NULL || !sim->sys->linear) {
    dls_delassus_reset(s->W);
  }
  for (size_t k = 0; k < s->set.count; k++) {
    for (size_t i = 0; i < d; i++) {
      const double *D = x->D + BLOCK * k + i;
      s->y[d * k + i] = x->gamma[d * k + i];
      for (size_t l = 0; l < d; l++) {
        s->y[d * k + i] -= D[3 * l] * dls_matrix_column_dot(s->config.H, s->rows[d * k + l], s->dv);
      }
    }
  }
  status = dls_delassus_solve_blocks(s->W, d, s->set.count, s->rows, x->D, s->one, s->y, err);
  memcpy(s->dv, x->smooth, n * sizeof *s->dv);
  for (size_t k = 0; k < rows && status == DLS_OK; k++) {
    dls_matrix_column_add(s->config.H, s->rows[k], s->y[k], s->dv);
  }
  solve(s, s->dv);
  return status;
}

/* tried := v' + along dv, q' and gaps. */
static bool try_step(const dls_sim *sim, dls_ipc *s, double along)
{
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->tried.v[i] = s->now.v[i] + along * s->dv[i];
  }
  return move(sim, s, &s->tried);
}

/* tried := the longest part of the step up to `along` that ends before the first g = 0; of curved gaps by secants. */
static double stay_above(const dls_sim *sim, dls_ipc *s, double along)
{
  while (!try_step(sim, s, along)) {
    double first = 1;
    for (size_t j = 0; j < sim->sys->m; j++) {
      if (!(s->tried.g[j] > 0)) {
        first = fmin(first, s->now.g[j] / (s->now.g[j] - s->tried.g[j]));
      }
    }
    along *= threshold_before_zero * first;
  }
  return along;
}

static double largest(size_t n, const double *x)
{
  double most = 0;
  for (size_t i = 0; i < n; i++) {
    most = dls_larger(most, fabs(x[i]));
  }
  return most;
}

/* Slope of the potential along dv at an iterate. */
static double slope_at(const dls_sim *sim, dls_ipc *s, const dls_ipc_iterate *x)
{
  unbalanced(sim, s, x);
  double slope = -dot(sim->sys->n, s->dv, s->force);
  for (size_t i = 0; i < sim->sys->r; i++) {
    slope -= s->nu[i] * s->c[i]; /* G nu, of G^T dv = c */
  }
  return slope;
}

/* One iteration: now := tried. *change := the largest |dv|. */
static dls_status iterate(dls_sim *sim, void *step, double h, double *change, dls_error *err)
{
  dls_ipc *s = step;
  const size_t n = sim->sys->n;
  (void)h;
  const dls_status status = increment(sim, s, &s->now, err);
  if (status != DLS_OK) {
    return status;
  }
  *change = largest(n, s->dv);
  if (!isfinite(*change)) {
    return DLS_OK; /* dls_iterate fails */
  }
  const bool free = s->set.count == 0;
  const double first = slope_at(sim, s, &s->now);
  const double along = dls_joint_damping(sim, s->beta * *change);
  double taken = stay_above(sim, s, along);
  evaluate(sim, s, &s->tried);
  const bool last = *change <= s->newton.tolerance;
  for (int k = 0;
       k < threshold_halvings && !last && slope_at(sim, s, &s->tried) > threshold_slope_rises * fabs(first);
       k++) {
    taken = stay_above(sim, s, 0.5 * taken);
    evaluate(sim, s, &s->tried);
  }
  if (taken < 1) {
    *change = fmax(*change, 2 * s->newton.tolerance); /* only a whole step is the last one */
  } else if (sim->sys->linear && free && s->set.count == 0) {
    *change = 0; /* no contact: the equations are linear */
  }
  const dls_ipc_iterate swap = s->now;
  s->now = s->tried;
  s->tried = swap;
  return DLS_OK;
}

/* --- a step --- */

/* v_ref, q_ref and beta. */
static void refer(const dls_sim *sim, dls_ipc *s, double h)
{
  const int rule = options(sim)->rule;
  const bool two =
      rule == DLS_IPC_BDF2 && h == s->h_last; /* its first step, and one of another length, are euler's */
  s->beta = two ? 2 * h / 3 : rule == DLS_IPC_TRAPEZOIDAL ? h / 2 : h;
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->v_ref[i] = two                           ? DLS_IPC_BDF2_REFERENCE(sim->v[i], s->v_last[i])
                  : rule == DLS_IPC_TRAPEZOIDAL ? sim->v[i] + s->beta * s->a[i]
                                                : sim->v[i];
    s->q_ref[i] = two                           ? DLS_IPC_BDF2_REFERENCE(sim->q[i], s->q_last[i])
                  : rule == DLS_IPC_TRAPEZOIDAL ? DLS_IPC_POSITION(sim->q[i], s->beta, sim->v[i])
                                                : sim->q[i];
  }
}

/* The first iterate: q' = q, which is feasible. */
static void begin_iteration(dls_sim *sim, dls_ipc *s)
{
  const size_t n = sim->sys->n;
  for (size_t i = 0; i < n; i++) {
    s->now.v[i] = (sim->q[i] - s->q_ref[i]) / s->beta;
  }
  memcpy(s->now.q, sim->q, n * sizeof *s->now.q); /* not q_ref + beta v', which is it up to rounding */
  memcpy(s->now.g, sim->g, sim->sys->m * sizeof *s->now.g);
  evaluate(sim, s, &s->now);
}

/* v' projected on the velocity equations of joints at q'; nu_hold: the impulses of that. */
static dls_status hold(dls_sim *sim, dls_ipc *s, dls_error *err)
{
  const size_t n = sim->sys->n;
  if (sim->sys->r == 0) {
    return DLS_OK;
  }
  const dls_status status = dls_contact_system_at(&s->mass, s->t_next, s->now.q, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_joints_velocity(s->mass.joints, s->now.v, s->c);
  for (size_t i = 0; i < sim->sys->r; i++) {
    s->c[i] = -s->c[i];
  }
  memset(s->dv, 0, n * sizeof *s->dv);
  dls_joints_solve(s->mass.joints, s->dv, s->c, s->nu_hold);
  for (size_t i = 0; i < n; i++) {
    s->now.v[i] += s->dv[i];
  }
  return DLS_OK;
}

/* Contact forces of an iterate: f[rows]. */
static void forces_of(dls_ipc *s, const dls_ipc_iterate *x, double *f)
{
  memset(f, 0, s->config.rows * sizeof *f);
  for (size_t k = 0; k < s->config.d * s->set.count; k++) {
    f[s->rows[k]] = x->gamma[k] / s->beta;
  }
}

/* Write the end of the step to the sim. */
static void take(dls_sim *sim, dls_ipc *s, double h)
{
  const size_t n = sim->sys->n, m = sim->sys->m, d = s->config.d;
  const bool mean = options(sim)->rule == DLS_IPC_TRAPEZOIDAL;
  dls_swap(&s->f, &s->f_before);
  forces_of(s, &s->now, s->f);
  memcpy(s->gap, sim->g, m * sizeof *s->gap);
  for (size_t j = 0; j < m; j++) {
    const double *f = s->f + d * j, *before = s->f_before + d * j;
    double slip = 0;
    for (size_t i = 0; i < d; i++) {
      const double impulse = h * (mean ? 0.5 * (before[i] + f[i]) : f[i]);
      *(i == 0 ? &sim->p[j] : &sim->p_t[(d - 1) * j + i - 1]) = impulse;
      *(i == 0 ? &sim->lambda[j] : &sim->lambda_t[(d - 1) * j + i - 1]) = f[i];
      slip = i == 0 ? 0 : hypot(slip, dls_configuration_row(&s->config, d * j + i, s->now.v));
    }
    sim->status[j] = f[0] > 0 ? (friction_of(sim, j) > 0 && slip > s->epsv ? 2 : 1) : 0;
    dls_contact_episode_follow(sim, &s->episodes[j], j, s->t_next, f[0] > 0, f[0] > 0, sim->u[j], sim->p[j],
                               &s->config, s->now.v);
  }
  for (size_t i = 0; i < sim->sys->r; i++) {
    sim->mu[i] = sim->mu_left[i] = s->nu[i] / s->beta + s->nu_hold[i] / h;
  }
  for (size_t i = 0; i < n; i++) {
    s->a[i] = (s->now.v[i] - s->v_ref[i]) / s->beta;
  }
  memcpy(s->q_last, sim->q, n * sizeof *s->q_last);
  memcpy(s->v_last, sim->v, n * sizeof *s->v_last);
  memcpy(sim->q, s->now.q, n * sizeof *sim->q);
  memcpy(sim->v, s->now.v, n * sizeof *sim->v);
  s->h_last = h;
}

static dls_status advance(dls_sim *sim, double h, dls_error *err)
{
  dls_ipc *s = sim->memory;
  const dls_ipc_options *opt = options(sim);
  const size_t d = s->config.d;
  s->t_next = dls_sim_next_time(sim, h);
  s->barrier = dls_ipc_barrier_of(opt, sim->sys->length, h);
  refer(sim, s, h);
  for (size_t j = 0; j < sim->sys->m; j++) {
    double slope;
    s->lagged[j] = dls_ipc_force(&s->barrier, sim->g[j], &slope); /* lambda of (3) */
  }
  dls_sim_load_begin(sim, sim->t, s->t_next, opt->rule == DLS_IPC_TRAPEZOIDAL ? 0.5 : 0);
  begin_iteration(sim, s);
  s->newton.tolerance = s->tolerance + threshold_iterate_rounding * (largest(sim->sys->n, sim->v) +
                                                                     largest(sim->sys->n, sim->q) / s->beta);
  dls_status status = dls_iterate(sim, &s->newton, iterate, s, h, err);
  for (size_t k = 1; k < opt->friction_iterations && status == DLS_OK; k++) {
    for (size_t i = 0; i < s->set.count; i++) {
      s->lagged[s->set.index[i]] = s->now.gamma[d * i] / s->beta;
    }
    evaluate(sim, s, &s->now);
    status = dls_iterate(sim, &s->newton, iterate, s, h, err);
  }
  dls_sim_load_end(sim);
  if (status != DLS_OK || (status = hold(sim, s, err)) != DLS_OK) {
    return status;
  }
  take(sim, s, h);
  return DLS_OK;
}

/* --- the start --- */

static void finish(dls_sim *sim)
{
  dls_ipc *s = sim->memory;
  if (s != NULL) {
    dls_contact_system_destroy(&s->mass);
    dls_delassus_destroy(s->W);
    dls_factor_destroy(s->A);
    dls_joint_matrix_destroy(&s->joint);
    dls_configuration_destroy(&s->config);
    free(s->set.index);
    free(s->rows);
    free(s->episodes);
    free(s->block);
    free(s);
  }
}

/* @return false if out of memory */
static bool allocate(dls_sim *sim, dls_ipc *s)
{
  const dls_system *sys = sim->sys;
  const size_t n = sys->n, m = sys->m, rows = sys->d * m;
  s->block = dls_arrays(
      (const dls_slot[]){{n,
                          {&s->a, &s->q_last, &s->v_last, &s->v_ref, &s->q_ref, &s->now.v, &s->now.q,
                           &s->now.smooth, &s->tried.v, &s->tried.q, &s->tried.smooth, &s->dv, &s->force}},
                         {rows, {&s->f, &s->f_before, &s->now.gamma, &s->tried.gamma, &s->y}},
                         {m, {&s->gap, &s->lagged, &s->now.g, &s->tried.g}},
                         {BLOCK * m, {&s->now.D, &s->tried.D, &s->one}},
                         {sys->r, {&s->c, &s->nu, &s->nu_hold}},
                         {0}});
  s->set.index = calloc(m + 1, sizeof *s->set.index);
  s->rows = calloc(rows + 1, sizeof *s->rows);
  s->episodes = calloc(m + 1, sizeof *s->episodes);
  for (size_t k = 0; s->block != NULL && k < BLOCK * m; k++) {
    s->one[k] = k % BLOCK % 4 == 0;
  }
  if (s->block == NULL || s->set.index == NULL || s->rows == NULL || s->episodes == NULL ||
      !dls_configuration_create(sys, &s->config)) {
    return false;
  }
  if (sys->r > 0 ? !dls_joint_matrix_create(sim, &s->config, &s->joint)
                 : (s->A = dls_iteration_matrix(&s->config, sim)) == NULL) {
    return false;
  }
  if (m > 0) {
    s->W = sys->r > 0 ? dls_delassus_create_joints(s->joint.joints, s->config.H)
                      : dls_delassus_create(s->A, s->config.H);
  }
  return m == 0 || (s->W != NULL && dls_delassus_reserve_blocks(s->W, sys->d));
}

/* The contacts that touch, and where the barrier carries their forces. @param[out] target  m: gaps */
static dls_status find_rest(dls_sim *sim, dls_ipc *s, double *target, dls_error *err)
{
  const dls_system *sys = sim->sys;
  const size_t d = s->config.d;
  const double rest = threshold_resting_speed * sys->length / sys->time;
  double *u = s->now.gamma, *r = s->f;
  s->set.count = 0;
  dls_configuration_velocity(s->mass.config, sim->v, u);
  for (size_t j = 0; j < sys->m; j++) {
    target[j] = s->barrier.end;
    if (sim->g[j] <= threshold_touching_gap * s->barrier.end && fabs(u[d * j]) <= rest) {
      s->set.index[s->set.count++] = j;
    }
  }
  dls_sim_force(sim, sim->t, sim->q, sim->v, s->dv);
  dls_contact_system_acceleration(&s->mass, sim->v, s->dv);
  dls_status status = DLS_OK;
  if (s->set.count > 0) {
    status = dls_contact_system_force(&s->mass, &s->set, sim->v, s->dv, r, err);
  }
  for (size_t k = 0; k < s->set.count && status == DLS_OK; k++) {
    const size_t j = s->set.index[k];
    target[j] = isfinite(s->barrier.kappa) ? dls_ipc_rest_gap(&s->barrier, r[d * j]) : s->barrier.end;
  }
  s->set.count = 0;
  for (size_t j = 0; j < sys->m; j++) {
    if (sim->g[j] <= threshold_touching_gap * s->barrier.end) {
      s->set.index[s->set.count++] = j;
    }
  }
  return status;
}

/* One correction of q towards the targets. */
static dls_status approach(dls_sim *sim, dls_ipc *s, const double *target, dls_error *err)
{
  double *b = s->y, *p = s->now.gamma;
  for (size_t k = 0; k < s->set.count; k++) {
    const size_t j = s->set.index[k];
    s->rows[k] = s->config.d * j;
    b[k] = sim->g[j] - target[j];
    p[k] = 0;
  }
  dls_status status = dls_delassus_solve_bilateral(s->mass.W, s->set.count, s->rows, b, p, err);
  if (status == DLS_OK) {
    dls_delassus_apply(s->mass.W, s->set.count, s->rows, 1, p, sim->q);
    status = s->mass.joints != NULL ? dls_joints_project_q(s->mass.joints, sim->t, sim->q, err) : DLS_OK;
  }
  status = status != DLS_OK ? status : dls_contact_system_at(&s->mass, sim->t, sim->q, err);
  dls_system_gap(sim->sys, sim->t, sim->q, sim->g);
  return status;
}

/* Bodies that touch are moved to where the barrier carries their contact forces: at g = 0 its energy is infinite. */
static dls_status separate(dls_sim *sim, dls_ipc *s, dls_error *err)
{
  double *target = s->lagged, offset = 0;
  dls_status status = find_rest(sim, s, target, err);
  const size_t count = s->set.count;
  for (size_t k = 0; k < count; k++) {
    const size_t j = s->set.index[k];
    offset = fmax(offset, target[j] - sim->g[j]);
  }
  for (int k = 0; k < threshold_placings && status == DLS_OK && count > 0; k++) {
    double left = 0;
    for (size_t i = 0; i < count; i++) {
      left = dls_larger(left, fabs(sim->g[s->set.index[i]] - target[s->set.index[i]]));
    }
    if (left <= threshold_iterate_rounding * sim->sys->length) {
      break;
    }
    status = approach(sim, s, target, err);
  }
  for (size_t j = 0; j < sim->sys->m && status == DLS_OK; j++) {
    if (!(sim->g[j] > 0)) {
      char name[80];
      dls_contact_name(sim->sys, j, name, sizeof name);
      return dls_sim_fail(sim, err, DLS_ERR_NOT_APPLICABLE,
                          "%s begins with the gap %g m, and cannot be moved apart; a barrier needs g > 0", name,
                          sim->g[j]);
    }
  }
  return status != DLS_OK || count == 0 || sim->record == NULL
             ? status
             : dls_trajectory_note(sim->record, err, "offset",
                                   "%zu contacts that touch begin with gaps increased by up to %.17g m", count,
                                   offset);
}

/* At the start: gaps, forces of the barrier, accelerations for the trapezoidal rule. */
static void begin_run(dls_sim *sim, dls_ipc *s)
{
  const dls_system *sys = sim->sys;
  const size_t d = s->config.d;
  const bool known = isfinite(s->barrier.kappa);
  dls_sim_force(sim, sim->t, sim->q, sim->v, s->a);
  for (size_t j = 0; j < sys->m; j++) {
    double slope;
    const double f = known ? dls_ipc_force(&s->barrier, sim->g[j], &slope) : 0;
    const double u = dls_configuration_row(s->mass.config, d * j, sim->v);
    s->f[d * j] = sim->lambda[j] = f;
    sim->status[j] = f > 0;
    s->episodes[j] = (dls_contact_episode){.open = f > 0, .t = sim->t, .u_minus = u};
    dls_matrix_column_add(s->mass.config->H, d * j, f, s->a);
  }
  dls_contact_system_inverse(&s->mass, s->a); /* a = M^-1 (F + H f) */
}

static double own_e(const dls_sim *sim, size_t j, char *text, size_t size)
{
  (void)sim;
  (void)j;
  snprintf(text, size, "a function of h |u-|/dhat that tends to 1 for h -> 0");
  return NAN;
}

static const dls_own_restitution own = {.e = own_e};

/* The restitution coefficient of the first contact, at the scale of velocities, goes to the metadata. */
static dls_status note_restitution(dls_sim *sim, dls_ipc *s, dls_error *err)
{
  const double speed = sim->sys->length / sim->sys->time;
  char name[80];
  dls_ipc_rebounds e;
  if (sim->record == NULL || sim->spec == NULL || s->mass.W == NULL ||
      !dls_ipc_restitution(options(sim)->rule, &s->barrier, sim->spec->step, speed,
                           dls_delassus_entry(s->mass.W, 0, 0), &e)) {
    return DLS_OK;
  }
  dls_contact_name(sim->sys, 0, name, sizeof name);
  return dls_trajectory_note(sim->record, err, "restitution", "of %s: %.3g to %.3g at |u-| = %g m/s, h = %g s",
                             name, e.least, e.most, speed, sim->spec->step);
}

static dls_status check(const dls_scheme *self, const void *given, dls_error *err)
{
  static const size_t kappa[] = {offsetof(dls_ipc_options, kappa)},
                      one[] = {offsetof(dls_ipc_options, kappa_one)};
  const bool is_one = ((const dls_ipc_options *)given)->scaling == DLS_IPC_SCALING_ONE;
  char owner[80];
  snprintf(owner, sizeof owner, "scheme %s", self->name);
  return dls_option_unused(table, given, owner, 1, is_one ? kappa : one, is_one ? "scaling=one" : "scaling=h2",
                           err);
}

static dls_status start(dls_sim *sim, dls_error *err)
{
  const dls_system *sys = sim->sys;
  const dls_ipc_options *opt = options(sim);
  if (sys->r > 0 && opt->rule == DLS_IPC_TRAPEZOIDAL) {
    return dls_sim_fail(sim, err, DLS_ERR_NOT_APPLICABLE,
                        "rule=trapezoidal is unstable with joints; use rule=euler or rule=bdf2");
  }
  dls_ipc *s = sim->memory = calloc(1, sizeof *s);
  if (s == NULL || !allocate(sim, s)) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu contacts", sys->m);
  }
  s->epsv = opt->epsv * sys->length;
  s->newton = dls_newton_of_velocity(sys, &opt->newton);
  s->newton.kinked = true;
  s->tolerance = s->newton.tolerance;
  s->barrier = dls_ipc_barrier_of(opt, sys->length, sim->spec != NULL ? sim->spec->step : 0);
  dls_status status = dls_own_restitution_check(sim, &own, opt->restitution, err);
  if (status != DLS_OK || (status = dls_contact_system_create_mass(sys, &sim->work, &s->mass, err)) != DLS_OK ||
      (status = dls_contact_system_at(&s->mass, sim->t, sim->q, err)) != DLS_OK) {
    return status;
  }
  if (s->mass.joints != NULL) {
    dls_joints_learn(s->mass.joints);
  }
  dls_system_gap(sys, sim->t, sim->q, sim->g);
  if ((status = dls_own_restitution_check(sim, &own, opt->restitution, err)) != DLS_OK ||
      (status = separate(sim, s, err)) != DLS_OK || (status = note_restitution(sim, s, err)) != DLS_OK) {
    return status;
  }
  begin_run(sim, s);
  dls_reported_destroy(sim); /* all is reported: friction that lags is 0 in the first steps of a contact */
  return DLS_OK;
}

static void note(const dls_sim *sim, char *text, size_t size)
{
  dls_own_restitution_note(sim, &own, options(sim)->restitution, text, size);
}

static dls_status limit(const dls_scheme *self, const void *given, const dls_limit_contact *contact,
                        dls_limit_model *out, dls_error *err)
{
  const dls_ipc_options *opt = given;
  (void)contact;
  (void)out;
  return dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                  opt->scaling == DLS_IPC_SCALING_ONE
                      ? "scheme %s: with scaling=one the contact depends on h, and has no limit model"
                      : "scheme %s: the limit is an elastic barrier, e = 1, whose motion is not computed",
                  self->name);
}

const dls_scheme dls_scheme_ipc = {
    .name = "ipc",
    .family = DLS_FAMILY_SOFT,
    .summary = "incremental potential contact: a barrier keeps all gaps above 0; lagged friction",
    .source = "M. Li, Z. Ferguson, T. Schneider et al. 2020",
    .equations =
        "M (v' - v_ref) = beta (F(t', q', v') + H f + H_T f_T + G mu),  q' = q_ref + beta v',  Phi(t', q') = "
        "0\n"
        "f = -kappa s/h^2 b'(g(q')),  b(g) = -(g - dhat)^2 ln(g/dhat) for 0 < g < dhat, 0 from dhat on\n"
        "distance=squared: b(g^2)/dhat^2, with dhat^2 in place of dhat;  scaling=one: s = 1, kappa_one\n"
        "f_T = -mu lambda f_1(|u_T|) u_T/|u_T|,  f_1 = 2 u/epsv - (u/epsv)^2 for u < epsv, else 1\n"
        "lambda = f at the start of the step, or of the last friction iteration\n"
        "euler:        beta = h,     q_ref = q,                  v_ref = v\n"
        "bdf2:         beta = 2 h/3, q_ref = (4 q_k - q_k-1)/3,  v_ref = (4 v_k - v_k-1)/3\n"
        "trapezoidal:  beta = h/2,   q_ref = q + h/2 v,          v_ref = v + h/2 a\n"
        "s = h^2 or 1. M, H and G at q'. The first step of bdf2 is that of euler\n",
    .remarks =
        "The defaults are fractions of the model's length: dhat 1e-3, epsv 1e-3 per second. No gap at a node "
        "is\n"
        "0 or less. The scheme has no restitution coefficient of its own: a contact is an elastic barrier,\n"
        "and the rule loses or adds energy in it. For dhat = 1 mm, kappa = 1e6 N/m, 1 kg and 2 m/s, "
        "rule=euler\n"
        "rebounds with 0.008, 0.115 and 0.577 at h = 1e-2, 1e-3 and 1e-4 s: smaller steps are farther from\n"
        "e = 0. rule=trapezoidal rebounds with up to 2.9 times the speed until h |u-| is far below dhat.\n"
        "scaling=one is the publication's: the force is kappa_one/h^2 |b'|, so that the contact depends on h.\n"
        "A body rests at the gap where kappa s/h^2 |b'| is its weight. Bodies that touch at the start are\n"
        "moved there, or to dhat if they do not rest; the metadata give the largest move as `offset`.\n"
        "A sticking contact creeps with epsv (1 - sqrt(1 - xi)), xi = |r_T|/(mu r_N). Slip does not lift.\n"
        "Newton's method leaves out second derivatives of the gaps: on curved contacts it converges linearly.\n"
        "Forces are implicit, so that stiff springs do not bound h. rule=trapezoidal does not treat joints.\n",
    .options = table,
    .options_size = sizeof(dls_ipc_options),
    .stepping = DLS_BY_STEP,
    .handles = DLS_HANDLES_FRICTION | DLS_HANDLES_JOINTS | DLS_HANDLES_ANY_STEP,
    .q_between = DLS_LINEAR,
    .v_between = DLS_LINEAR,
    .check = check,
    .start = start,
    .advance = advance,
    .finish = finish,
    .thresholds = dls_soft_thresholds,
    .balance = &dls_balance_ipc,
    .limit = {.kind = DLS_LIMIT_COMPLIANT,
              .text = "an elastic barrier, e = 1; with scaling=one it depends on h and there is none",
              .model = limit},
    .note = note,
};
