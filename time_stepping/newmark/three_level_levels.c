/* three_level_levels.c -- the levels of three_level_alpha.c one by one; equation numbers refer to that file.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/operator/column.h"
#include "common/linear/boundary.h"
#include "time_stepping/newmark/three_level_alpha.h"
#include "time_stepping/step/newmark_equations.h"
#include <string.h>

/* Number of passes after which contacts closed in the last pass remain closed: friction may open and close a gap
 * alternately. */
enum { FREE_ROUNDS = 20 };

/* (1) */
static void bar(const dls_three_level *s, size_t count, const double *last, const double *last_bar,
                const double *x, double *x_bar)
{
  for (size_t i = 0; i < count; i++) {
    x_bar[i] = DLS_NEWMARK_FILTER(s->c.alpha_m, s->c.alpha_f, last[i], x[i], last_bar[i]);
  }
}

void dls_three_level_push(dls_three_level *s, const double *r, double *y)
{
  const dls_configuration *config = s->mass.config;
  memset(y, 0, config->sys->n * sizeof *y);
  const bool contacts = !dls_three_level_all_zero(config->rows, r);
  const bool joints = !dls_three_level_all_zero(config->sys->r, r + config->rows);
  if (contacts) {
    dls_matrix_multiply(config->H, 1, r, y);
  }
  if (joints) {
    dls_matrix_multiply(s->G, 1, r + config->rows, y);
  }
  const bool from_contacts = contacts && s->constant && dls_factor_solve_from_last(s->mass.M, y);
  if ((contacts || joints) && !from_contacts) {
    dls_factor_solve(s->mass.M, y);
  }
}

static bool is_tangent(const dls_three_level *s, size_t row)
{
  return row < s->mass.config->rows && row % s->mass.config->d != 0;
}

/* L of (5), and the rows of H_N kappa + h/2 H_T L_T; joints are like normal rows. */
static void corrections(dls_three_level *s, double h, double *L, double *y)
{
  for (size_t row = 0; row < dls_three_level_rows(s); row++) {
    const double last = s->now.lambda_bar[row], bar = s->next.lambda_bar[row];
    L[row] = s->p[row] - h * DLS_AVERAGE(s->c.gamma, last, bar);
    y[row] = is_tangent(s, row) ? DLS_NEWMARK_Q_W(h, L[row])
                                : s->k[row] - h * h * DLS_NEWMARK_Q_MEAN(s->c.beta, last, bar);
  }
}

/* q' of (4) for p and k, with the accelerations that are there. L is left in `set`. */
static void move_positions(const dls_sim *sim, dls_three_level *s, double h)
{
  const dls_three_level_node *now = &s->now, *next = &s->next;
  corrections(s, h, s->set, s->solution);
  dls_three_level_push(s, s->solution, s->x);
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->q[i] = sim->q[i] + h * sim->v[i] +
              h * h / 2 * ((1 - 2 * s->c.beta) * now->a_bar[i] + 2 * s->c.beta * next->a_bar[i]) + s->x[i];
  }
  for (size_t i = 0; s->row && i < sim->sys->n; i++) { /* D of load_rows.h acts like an impulse */
    s->q[i] += DLS_NEWMARK_Q_W(h, s->w_load[i]);
  }
}

/* v' of (3) for the L in `set`. It depends on p, not on k. */
static void move_velocities(const dls_sim *sim, dls_three_level *s, double h)
{
  dls_three_level_push(s, s->set, s->jump);
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->v[i] = sim->v[i] + h * DLS_AVERAGE(s->c.gamma, s->now.a_bar[i], s->next.a_bar[i]) + s->jump[i];
  }
  for (size_t i = 0; s->row && i < sim->sys->n; i++) {
    s->v[i] += s->w_load[i];
  }
}

/* (1) */
static void bars(dls_three_level *s)
{
  dls_three_level_node *now = &s->now, *next = &s->next;
  bar(s, s->mass.config->sys->n, now->a, now->a_bar, next->a, next->a_bar);
  bar(s, dls_three_level_rows(s), now->lambda, now->lambda_bar, next->lambda, next->lambda_bar);
}

/* (1), (2) */
static void accelerate(dls_three_level *s)
{
  dls_three_level_push(s, s->next.lambda, s->next.a);
  for (size_t i = 0; i < s->mass.config->sys->n; i++) {
    s->next.a[i] += s->f[i];
  }
  bars(s);
}

void dls_three_level_compose(const dls_sim *sim, dls_three_level *s, double h)
{
  accelerate(s);
  move_positions(sim, s, h);
  move_velocities(sim, s, h);
}

void dls_three_level_change(dls_three_level *s, const double *df)
{
  const double c = (1 - s->c.alpha_f) / (1 - s->c.alpha_m);
  for (size_t i = 0; i < s->mass.config->sys->n; i++) {
    s->next.a[i] += df[i];
    s->next.a_bar[i] += c * df[i];  /* (1) */
    s->v[i] += s->weight_C * df[i]; /* (3) */
    s->q[i] += s->weight_K * df[i]; /* (4) */
  }
}

void dls_three_level_jump(dls_three_level *s, double h)
{
  corrections(s, h, s->set, s->solution);
  dls_three_level_push(s, s->set, s->jump);
}

void dls_three_level_begin(const dls_sim *sim, dls_three_level *s, double h)
{
  accelerate(s);
  memset(s->p, 0, dls_three_level_rows(s) * sizeof *s->p);
  memset(s->k, 0, dls_three_level_rows(s) * sizeof *s->k);
  corrections(s, h, s->set, s->solution);
  for (size_t row = 0; row < dls_three_level_rows(s); row++) {
    if (s->now.lambda[row] != 0) { /* (5) for kappa = 0, L = 0 */
      s->p[row] = -s->set[row];
      s->k[row] = is_tangent(s, row) ? 0 : -s->solution[row];
    }
  }
  move_positions(sim, s, h);
  move_velocities(sim, s, h);
  if (s->constant) {
    dls_three_level_push(s, s->p, s->pushed);
  }
}

/* x[d count] := rows of all contacts on a set; and back, 0 elsewhere. */
static void take_rows(const dls_three_level *s, const dls_contacts *set, const double *rows, double *x)
{
  const size_t d = s->mass.config->d;
  for (size_t i = 0; i < d * set->count; i++) {
    x[i] = rows[d * set->index[i / d] + i % d];
  }
}

static void put_rows(const dls_three_level *s, const dls_contacts *set, const double *x, double *rows)
{
  const size_t d = s->mass.config->d;
  memset(rows, 0, s->mass.config->rows * sizeof *rows);
  for (size_t i = 0; i < d * set->count; i++) {
    rows[d * set->index[i / d] + i % d] = x[i];
  }
}

/* Effect of k on q: g[rows] += alpha H^T S^-1 H k in the normal rows, where W is held by columns; else x += alpha S^-1 H k. */
static void push_positions(dls_three_level *s, double alpha, double *g)
{
  const size_t d = s->mass.config->d;
  for (size_t j = 0; j < s->all.count; j++) {
    const double k = s->k[d * j], *W = k != 0 ? dls_delassus_column(s->gaps.W, d * j) : NULL;
    if (k != 0 && W == NULL) {
      dls_contact_system_apply(&s->gaps, &s->all, alpha, s->k, s->x);
      return;
    }
    for (size_t i = 0; k != 0 && i < s->all.count; i++) {
      g[d * i] += alpha * W[d * i] * k;
    }
  }
}

/* (6): 0 <= g(q') _|_ k >= 0, linearised at the iterate; the contacts that are closed then. */
dls_status dls_three_level_positions(dls_sim *sim, dls_three_level *s, double t, double h, dls_error *err)
{
  const dls_configuration *config = s->mass.config;
  const size_t d = config->d;
  dls_system_gap(sim->sys, t, s->q, s->solution);    /* m numbers */
  dls_three_level_joints_positions(sim, s, t, s->x); /* to Phi = 0 */
  for (size_t j = 0; j < sim->sys->m; j++) {
    s->set[d * j] = s->solution[j];
  }
  push_positions(s, -1, s->set);
  dls_three_level_joints_answer(s, s->joints, s->k, -1);
  for (size_t j = 0; j < sim->sys->m; j++) {
    s->set[d * j] += dls_matrix_column_dot(config->H, d * j, s->x); /* g for k = 0 */
  }
  const dls_status status = dls_contact_system_solve(&s->gaps, &s->all, s->set, s->k, err);
  dls_three_level_joints_answer(s, s->joints, s->k, 1);
  memset(s->x, 0, sim->sys->n * sizeof *s->x);
  push_positions(s, 1, s->set);
  s->closed.count = 0;
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double g = s->set[d * j] + dls_matrix_column_dot(config->H, d * j, s->x);
    const bool stays = s->was_closed[j] && s->round > FREE_ROUNDS;
    s->was_closed[j] = s->k[d * j] > 0 || g <= s->eps_g || stays;
    if (s->was_closed[j]) {
      s->closed.index[s->closed.count++] = j;
    }
  }
  if (!s->constant) {
    move_positions(sim, s, h);
  }
  return status;
}

/* v' of (3) with the new p; x is v' for p = 0. */
static void move_to_impulses(const dls_sim *sim, dls_three_level *s, double h)
{
  if (!s->constant) {
    corrections(s, h, s->set, s->solution);
    move_velocities(sim, s, h);
    return;
  }
  dls_three_level_push(s, s->p, s->pushed);
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->v[i] = s->x[i] + s->pushed[i];
  }
}

/* (6): p by the laws of the closed contacts; those that are held there, and u^. */
dls_status dls_three_level_velocities(dls_sim *sim, dls_three_level *s, double h, dls_error *err)
{
  const dls_configuration *config = s->mass.config;
  const size_t d = config->d;
  if (s->constant) {
    memcpy(s->x, s->pushed, sim->sys->n * sizeof *s->x);
  } else {
    dls_three_level_push(s, s->p, s->x);
  }
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->x[i] = s->v[i] - s->x[i]; /* v' for p = 0 */
  }
  dls_three_level_joints_velocities(s, s->x);
  dls_contact_system_velocity(&s->mass, &s->closed, s->x, s->u_hat);
  take_rows(s, &s->closed, s->u_minus, s->set);
  take_rows(s, &s->closed, s->p, s->solution);
  const dls_status status =
      dls_contact_system_impulse(&s->mass, &s->closed, s->u_hat, s->set, s->solution, err);
  put_rows(s, &s->closed, s->solution, s->p);
  dls_three_level_joints_answer(s, s->mass.joints, s->p, 1);
  move_to_impulses(sim, s, h);
  dls_configuration_velocity(config, s->v, s->u_hat);
  s->held.count = 0;
  for (size_t row = 0; row < config->rows; row++) { /* u^ = u' + c u */
    s->u_hat[row] += s->mass.mixture[row] * s->u_minus[row];
  }
  for (size_t k = 0; k < s->closed.count; k++) {
    const size_t j = s->closed.index[k];
    if (s->p[d * j] > 0 || s->u_hat[d * j] <= s->eps_u) {
      s->held.index[s->held.count++] = j;
    }
  }
  return status;
}

/* (6): lambda of the contacts that are held; where u^_T = 0 with Coulomb's law of u''_T. */
dls_status dls_three_level_accelerations(dls_sim *sim, dls_three_level *s, double h, dls_error *err)
{
  memcpy(s->x, s->f, sim->sys->n * sizeof *s->x);
  dls_three_level_joints_accelerations(s, s->x);
  dls_contact_system_begin_interval(&s->mass, s->u_hat);
  const dls_status status = dls_contact_system_force(&s->mass, &s->held, s->v, s->x, s->next.lambda, err);
  dls_three_level_joints_answer(s, s->mass.joints, s->next.lambda, 1);
  if (!s->constant) {
    dls_three_level_compose(sim, s, h);
    return status;
  }
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->interval[i] = s->x[i] - s->next.a[i];
    s->next.a[i] = s->x[i]; /* (2); lambda cancels in (3) */
  }
  bars(s);
  move_positions(sim, s, h);
  return status;
}
