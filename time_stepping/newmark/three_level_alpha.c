/* three_level_alpha.c -- generalized-alpha method with contact laws at the levels of positions, velocities and
 * accelerations, and friction at the last two. With a, lambda the acceleration and the contact force at t', and bars
 *   x- = (alpha_f x_k + (1 - alpha_f) x' - alpha_m x-_k)/(1 - alpha_m)   of x = a, lambda                            (1)
 *   M a = F(t', q', v') + H lambda                                                                                  (2)
 *   v' = v + h [(1 - gamma) a-_k + gamma a-] + M^-1 H L                                                              (3)
 *   q' = q + h v + h^2/2 [(1 - 2 beta) a-_k + 2 beta a-] + M^-1 (H_N kappa + h/2 H_T L_T)                             (4)
 *   p = L + h [(1 - gamma) lambda-_k + gamma lambda-],   k = kappa + h^2 [(1/2 - beta) lambda-_N,k + beta lambda-_N]   (5)
 *   0 <= g(q')  _|_  k >= 0;  where it is closed: the law between u, u' and p;  where u^_N = 0 there: 0 <= u''_N  _|_
 *   lambda_N >= 0, with Coulomb's law of the slip's rate where u^_T = 0, with lambda_T against u_T elsewhere          (6)
 * Solved by iteration over the levels: in terms of p and k, lambda drops out of (3), and of (4) but for h^2 (beta - gamma/2)
 * in tangential rows, so that they are coupled by the forces F alone.
 * Source: Capobianco, Harsch, Eugster, Leine 2021. What "closed" means is found by the complementarity problem itself, where
 * the source has sign tests of natural maps.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/three_level_alpha.h"
#include "common/base/arrays.h"
#include "common/base/larger.h"
#include "time_stepping/newmark/balance_newmark.h"
#include "time_stepping/step/instant.h"
#include "time_stepping/step/iteration.h"
#include "time_stepping/step/slip.h"
#include "time_stepping/step/start_contact.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct alpha_options {
  double rho_inf, velocity_tol, tol;
  size_t max_iterations;
} alpha_options;
static const dls_option table[] = {
    DLS_REAL_OPTION(0, alpha_options, rho_inf, "1", "spectral radius at infinite frequency; 1: no damping", 0.8,
                    0, 1, 0),
    DLS_REAL_OPTION(
        0, alpha_options, velocity_tol, "v_s",
        "gap velocity up to which a closed contact has a force, in units of the model's velocity scale; "
        "impacts are counted below minus this",
        1e-9, 0, 1, 0),
    DLS_REAL_OPTION(0, alpha_options, tol, "v_s",
                    "last velocity increment of the iteration accepted, in units of the velocity scale", 1e-12,
                    0, 1, DLS_OPEN_MIN),
    DLS_INTEGER_OPTION(0, alpha_options, max_iterations, "iterations allowed in a step", 200, 1, 10000),
    {0},
};

/* After so many rounds contacts that were closed in the last one stay so: friction may open and close a gap in turn. */
enum { FREE_ROUNDS = 20 };
static const double gap_rounding =
    1e-11; /* [q_s]: gaps up to this are closed: residuals of the gaps' problem */

static void finish(dls_sim *sim)
{
  dls_three_level *s = sim->memory;
  if (s != NULL) {
    dls_stage_destroy(&s->gaps);
    dls_stage_destroy(&s->mass);
    dls_factor_destroy(s->S);
    free(s->all.index);
    free(s->block);
    free(s->was_closed);
    free(s);
  }
}

/* @return false if out of memory */
static bool allocate_arrays(dls_three_level *s, size_t n, size_t m, size_t rows)
{
  s->block = dls_arrays(
      (const dls_slot[]){{n,
                          {&s->now.a, &s->now.a_bar, &s->next.a, &s->next.a_bar, &s->f, &s->q, &s->v,
                           &s->v_last, &s->x, &s->jump}},
                         {rows,
                          {&s->now.lambda, &s->now.lambda_bar, &s->next.lambda, &s->next.lambda_bar, &s->p,
                           &s->k, &s->lambda_last, &s->u_minus, &s->u_hat, &s->set, &s->solution}},
                         {0}});
  s->was_closed = calloc(m + 1, sizeof *s->was_closed);
  size_t *index = s->all.index = calloc(3 * m + 1, sizeof *s->all.index);
  if (s->block == NULL || index == NULL || s->was_closed == NULL) {
    return false;
  }
  s->closed.index = index + m;
  s->held.index = index + 2 * m;
  for (s->all.count = 0; s->all.count < m; s->all.count++) {
    index[s->all.count] = s->all.count;
  }
  return true;
}

static dls_status create(dls_sim *sim, dls_three_level *s, dls_error *err)
{
  const dls_system *sys = sim->sys;
  const alpha_options *opt = sim->options;
  const double rho = opt->rho_inf;
  s->c.alpha_m = (2 * rho - 1) / (rho + 1);
  s->c.alpha_f = rho / (rho + 1);
  s->c.gamma = 0.5 + s->c.alpha_f - s->c.alpha_m;
  s->c.beta = (s->c.gamma + 0.5) * (s->c.gamma + 0.5) / 4;
  s->eps_u = opt->velocity_tol * sys->length / sys->time;
  s->eps_g = gap_rounding * sys->length;
  if (!allocate_arrays(s, sys->n, sys->m, sys->d * sys->m)) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", sys->n);
  }
  dls_status status = dls_stage_create_mass(sys, &sim->work, &s->mass, err);
  if (status == DLS_OK && (s->S = dls_iteration_matrix(s->mass.place, sim)) == NULL) {
    status = dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", sys->n);
  }
  dls_delassus *W = status != DLS_OK || sys->m == 0 ? NULL : dls_delassus_create(s->S, s->mass.place->H);
  return status != DLS_OK ? status : dls_stage_create(s->mass.place, W, 0.5, &sim->work, &s->gaps, err);
}

/* Forces and accelerations at the start, in contact too. */
static dls_status start(dls_sim *sim, dls_error *err)
{
  dls_three_level *s = sim->memory = calloc(1, sizeof *s);
  dls_status status = s == NULL ? dls_fail(err, DLS_ERR_MEMORY, "no memory") : create(sim, s, err);
  status = status != DLS_OK ? status : dls_start_contact(sim, s->eps_u, s->now.a, NULL, err);
  if (status != DLS_OK) {
    return status;
  }
  const size_t d = s->mass.place->d;
  dls_place_contacts(s->mass.place, sim->t, sim->q);
  dls_place_gap(s->mass.place, s->set);
  for (size_t j = 0; j < sim->sys->m; j++) {
    if (s->set[j] <= s->eps_g && dls_place_row(s->mass.place, d * j, sim->v) <= s->eps_u) {
      s->held.index[s->held.count++] = j;
    }
  }
  status = dls_instant_acceleration(sim, &s->mass, sim->t, sim->q, sim->v, &s->held, s->now.a, s->now.lambda,
                                    s->u_hat, NULL, err);
  dls_split_rows(sim->sys, s->now.lambda, sim->lambda, sim->lambda_t);
  return status;
}

/* (1) */
static void bar(const dls_three_level *s, size_t count, const double *last, const double *last_bar,
                const double *x, double *x_bar)
{
  for (size_t i = 0; i < count; i++) {
    x_bar[i] =
        (s->c.alpha_f * last[i] + (1 - s->c.alpha_f) * x[i] - s->c.alpha_m * last_bar[i]) / (1 - s->c.alpha_m);
  }
}

/* y := M^-1 H r */
static void push(dls_three_level *s, const double *r, double *y)
{
  const dls_place *place = s->mass.place;
  memset(y, 0, place->sys->n * sizeof *y);
  if (place->rows > 0) {
    dls_matrix_multiply(place->H, 1, r, y);
    dls_factor_solve(s->mass.M, y);
  }
}

/* L of (5), and in the place of H_N kappa + h/2 H_T L_T its rows. */
static void corrections(dls_three_level *s, double h, double *L, double *y)
{
  const size_t d = s->mass.place->d;
  for (size_t row = 0; row < s->mass.place->rows; row++) {
    const double last = s->now.lambda_bar[row], bar = s->next.lambda_bar[row];
    L[row] = s->p[row] - h * ((1 - s->c.gamma) * last + s->c.gamma * bar);
    y[row] = row % d == 0 ? s->k[row] - h * h * ((0.5 - s->c.beta) * last + s->c.beta * bar) : h / 2 * L[row];
  }
}

/* (1), (3), (4) for f, p, k and lambda. */
static void compose(const dls_sim *sim, dls_three_level *s, double h)
{
  const size_t n = sim->sys->n;
  dls_three_level_node *now = &s->now, *next = &s->next;
  push(s, next->lambda, next->a); /* (2) */
  for (size_t i = 0; i < n; i++) {
    next->a[i] += s->f[i];
  }
  bar(s, n, now->a, now->a_bar, next->a, next->a_bar);
  bar(s, s->mass.place->rows, now->lambda, now->lambda_bar, next->lambda, next->lambda_bar);
  corrections(s, h, s->set, s->solution);
  push(s, s->set, s->jump);
  push(s, s->solution, s->x);
  for (size_t i = 0; i < n; i++) {
    s->v[i] = sim->v[i] + h * ((1 - s->c.gamma) * now->a_bar[i] + s->c.gamma * next->a_bar[i]) + s->jump[i];
    s->q[i] = sim->q[i] + h * sim->v[i] +
              h * h / 2 * ((1 - 2 * s->c.beta) * now->a_bar[i] + 2 * s->c.beta * next->a_bar[i]) + s->x[i];
  }
}

/* One step of Newton's method for (2): f += S^-1 (F - M f); q and v with it. *change := h times the increment of f. */
static dls_status forces(dls_sim *sim, dls_three_level *s, double t, double h, double *change, dls_error *err)
{
  const dls_system *sys = sim->sys;
  dls_status status = dls_stage_at(&s->mass, t, s->q, err);
  if (status != DLS_OK) {
    return status;
  }
  if (!sys->linear) {
    dls_iteration_linearise(sim, t, s->q, s->v, s->S);
  }
  if (s->gaps.W != NULL && s->mass.place->gradient_varies) {
    dls_delassus_reset(s->gaps.W);
  }
  const double c = (1 - s->c.alpha_f) / (1 - s->c.alpha_m);
  status = dls_iteration_factor(sim, s->S, (const double[]){1, h * s->c.gamma * c, h * h * s->c.beta * c},
                                s->gaps.W, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_sim_force(sim, t, s->q, s->v, s->x);
  dls_matrix_multiply(s->mass.place->M, -1, s->f, s->x);
  dls_factor_solve(s->S, s->x);
  *change = 0;
  for (size_t i = 0; i < sys->n; i++) {
    s->f[i] += s->x[i];
    *change = dls_larger(*change, h * fabs(s->x[i]));
  }
  compose(sim, s, h);
  return DLS_OK;
}

/* x[d count] := rows of all contacts on a set; and back, 0 elsewhere. */
static void take_rows(const dls_three_level *s, const dls_contacts *set, const double *rows, double *x)
{
  const size_t d = s->mass.place->d;
  for (size_t i = 0; i < d * set->count; i++) {
    x[i] = rows[d * set->index[i / d] + i % d];
  }
}

static void put_rows(const dls_three_level *s, const dls_contacts *set, const double *x, double *rows)
{
  const size_t d = s->mass.place->d;
  memset(rows, 0, s->mass.place->rows * sizeof *rows);
  for (size_t i = 0; i < d * set->count; i++) {
    rows[d * set->index[i / d] + i % d] = x[i];
  }
}

/* x := S^-1 H k, what k does to q. */
static void push_positions(dls_three_level *s)
{
  memset(s->x, 0, s->mass.place->sys->n * sizeof *s->x);
  dls_stage_apply(&s->gaps, &s->all, 1, s->k, s->x);
}

/* (6): 0 <= g(q') _|_ k >= 0, linearised at the iterate; the contacts that are closed then. */
static dls_status positions(dls_sim *sim, dls_three_level *s, double t, double h, dls_error *err)
{
  const dls_place *place = s->mass.place;
  const size_t d = place->d;
  dls_system_gap(sim->sys, t, s->q, s->solution); /* m numbers */
  push_positions(s);
  for (size_t j = 0; j < sim->sys->m; j++) {
    s->set[d * j] = s->solution[j] - dls_matrix_column_dot(place->H, d * j, s->x);
  }
  const dls_status status = dls_stage_solve(&s->gaps, &s->all, s->set, s->k, err);
  push_positions(s);
  s->closed.count = 0;
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double g = s->set[d * j] + dls_matrix_column_dot(place->H, d * j, s->x);
    const bool stays = s->was_closed[j] && s->round > FREE_ROUNDS;
    s->was_closed[j] = s->k[d * j] > 0 || g <= s->eps_g || stays;
    if (s->was_closed[j]) {
      s->closed.index[s->closed.count++] = j;
    }
  }
  compose(sim, s, h);
  return status;
}

/* (6): p by the laws of the closed contacts; those that are held there, and u^. */
static dls_status velocities(dls_sim *sim, dls_three_level *s, double h, dls_error *err)
{
  const dls_place *place = s->mass.place;
  const size_t d = place->d;
  push(s, s->p, s->x);
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->x[i] = s->v[i] - s->x[i];
  }
  dls_stage_velocity(&s->mass, &s->closed, s->x, s->u_hat);
  take_rows(s, &s->closed, s->u_minus, s->set);
  take_rows(s, &s->closed, s->p, s->solution);
  const dls_status status = dls_stage_impulse(&s->mass, &s->closed, s->u_hat, s->set, s->solution, err);
  put_rows(s, &s->closed, s->solution, s->p);
  compose(sim, s, h);
  dls_place_velocity(place, s->v, s->u_hat);
  s->held.count = 0;
  for (size_t row = 0; row < place->rows; row++) {
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
static dls_status accelerations(dls_sim *sim, dls_three_level *s, double h, dls_error *err)
{
  memcpy(s->x, s->f, sim->sys->n * sizeof *s->x);
  dls_stage_way(&s->mass, s->u_hat);
  const dls_status status = dls_stage_force(&s->mass, &s->held, s->v, s->x, s->next.lambda, err);
  compose(sim, s, h);
  return status;
}

/* One round over the levels. @param[out] change  of v and h f, and h times that of accelerations by lambda */
static dls_status iterate(dls_sim *sim, dls_three_level *s, double h, double *change, dls_error *err)
{
  const double t = dls_sim_next_time(sim, h);
  memcpy(s->v_last, s->v, sim->sys->n * sizeof *s->v);
  memcpy(s->lambda_last, s->next.lambda, s->mass.place->rows * sizeof *s->lambda_last);
  dls_status status = forces(sim, s, t, h, change, err);
  status = status != DLS_OK ? status : positions(sim, s, t, h, err);
  status = status != DLS_OK ? status : velocities(sim, s, h, err);
  status = status != DLS_OK ? status : accelerations(sim, s, h, err);
  for (size_t row = 0; row < s->mass.place->rows; row++) {
    s->set[row] = h * (s->next.lambda[row] - s->lambda_last[row]);
  }
  push(s, s->set, s->x);
  for (size_t i = 0; i < sim->sys->n; i++) {
    *change = dls_larger(*change, fabs(s->v[i] - s->v_last[i]) + fabs(s->x[i]));
  }
  return status;
}

/* Where the iteration begins: the accelerations and forces of the last node, no impulse. */
static void predict(dls_sim *sim, dls_three_level *s, double h)
{
  const dls_place *place = s->mass.place;
  const size_t rows = place->rows, d = place->d;
  for (size_t j = 0; j < sim->sys->m; j++) {
    s->u_minus[d * j] = sim->u[j];
    memcpy(s->u_minus + d * j + 1, sim->u_t + (d - 1) * j, (d - 1) * sizeof *s->u_minus);
  }
  memcpy(s->next.lambda, s->now.lambda, rows * sizeof *s->next.lambda);
  push(s, s->now.lambda, s->f);
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->f[i] = s->now.a[i] - s->f[i];
  }
  memset(s->p, 0, rows * sizeof *s->p);
  memset(s->k, 0, rows * sizeof *s->k);
  compose(sim, s, h);
}

static dls_status solve(dls_sim *sim, dls_three_level *s, double h, dls_error *err)
{
  const alpha_options *opt = sim->options;
  const double tolerance = opt->tol * sim->sys->length / sim->sys->time;
  double change = HUGE_VAL;
  predict(sim, s, h);
  for (size_t i = 0; i < opt->max_iterations && !(change <= tolerance); i++) {
    dls_status status = dls_sim_poll(sim, err);
    s->round = i;
    status = status != DLS_OK ? status : iterate(sim, s, h, &change, err);
    if (status != DLS_OK) {
      return status;
    }
    sim->work.newton_iterations++;
  }
  return change <= tolerance
             ? DLS_OK
             : dls_sim_fail(sim, err, DLS_ERR_NOCONV,
                            "the iteration over the levels of contact left a velocity increment of %g "
                            "> %g m/s after %zu rounds: a shorter step may help",
                            change, tolerance, opt->max_iterations);
}

/* Impulses, status and events of the step. */
static void take_contacts(dls_sim *sim, const dls_three_level *s, double t)
{
  const size_t d = s->mass.place->d;
  memset(sim->status, 0, sim->sys->m * sizeof *sim->status);
  dls_split_rows(sim->sys, s->p, sim->p, sim->p_t);
  dls_split_rows(sim->sys, s->next.lambda, sim->lambda, sim->lambda_t);
  for (size_t k = 0; k < s->held.count; k++) {
    const size_t j = s->held.index[k];
    double slip = 0;
    for (size_t i = 1; i < d; i++) {
      slip = hypot(slip, s->u_hat[d * j + i]);
    }
    sim->status[j] = dls_law_has_friction(sim->sys, j) && slip > s->eps_u ? 2 : 1;
    if (s->p[d * j] > 0 && s->u_minus[d * j] < -s->eps_u) {
      sim->jump = true;
      dls_sim_event(sim, &(dls_event){.t = t,
                                      .kind = DLS_IMPACT,
                                      .contact = j,
                                      .u_minus = s->u_minus[d * j],
                                      .u_plus = dls_place_row(s->mass.place, d * j, s->v),
                                      .impulse = s->p[d * j]});
    }
  }
}

/* Before the first step: where friction ends a slip within it the bars begin with the means over the step. */
static dls_status begin(dls_sim *sim, dls_three_level *s, double h, dls_error *err)
{
  const dls_status status =
      s->begun ? DLS_OK : dls_start_friction(sim, h, s->eps_u, s->now.a, s->now.lambda, err);
  if (!s->begun) {
    memcpy(s->now.a_bar, s->now.a, sim->sys->n * sizeof *s->now.a);
    memcpy(s->now.lambda_bar, s->now.lambda, s->mass.place->rows * sizeof *s->now.lambda);
  }
  s->begun = true;
  return status;
}

static dls_status advance(dls_sim *sim, double h, dls_error *err)
{
  dls_three_level *s = sim->memory;
  const size_t n = sim->sys->n;
  dls_status status = begin(sim, s, h, err);
  status = status != DLS_OK ? status : solve(sim, s, h, err);
  if (status != DLS_OK) {
    return status;
  }
  take_contacts(sim, s, dls_sim_next_time(sim, h));
  for (size_t i = 0; sim->jump && i < n; i++) {
    sim->v_left[i] = s->v[i] - s->jump[i];
  }
  memcpy(sim->q, s->q, n * sizeof *sim->q);
  memcpy(sim->v, s->v, n * sizeof *sim->v);
  const dls_three_level_node past = s->now;
  s->now = s->next;
  s->next = past;
  return DLS_OK;
}

const dls_scheme dls_scheme_three_level_alpha = {
    .name = "three-level-alpha",
    .family = DLS_FAMILY_NEWMARK,
    .summary = "generalized-alpha method with contact at the levels of positions, velocities and accelerations",
    .source = "G. Capobianco, J. Harsch, S. R. Eugster, R. I. Leine 2021 (IJNME 122, 6497)",
    .equations = "M a = F(t', q', v') + H lambda;  bars: x- = (alpha_f x_k + (1 - alpha_f) x' - alpha_m "
                 "x-_k)/(1 - alpha_m)\n"
                 "v' = v + h [(1 - gamma) a-_k + gamma a-] + M^-1 H L,   p = L + h [(1 - gamma) lambda-_k + "
                 "gamma lambda-]\n"
                 "q' = q + h v + h^2/2 [(1 - 2 beta) a-_k + 2 beta a-] + M^-1 (H_N kappa + h/2 H_T L_T)\n"
                 "k = kappa + h^2 [(1/2 - beta) lambda-_N,k + beta lambda-_N]\n"
                 "positions:     0 <= g(q')  _|_  k >= 0\n"
                 "velocities:    where g = 0, the law of the contact between u, u' and p\n"
                 "accelerations: where u'_N + e u_N = 0 too, 0 <= du_N/dt  _|_  lambda_N >= 0, with friction "
                 "against du_T/dt\n"
                 "               where it sticks, against u_T where it slips\n"
                 "coefficients from rho_inf as in nonsmooth-generalized-alpha\n",
    .remarks = "Order 1 with impacts, 2 through stick and slip, lift-off and lasting contact. No penetration, "
               "no drift;\n"
               "lambda is the contact force. The levels are iterated, coupled by the forces alone: where "
               "friction acts\n"
               "on stiff parts (h omega > 1) that takes many rounds, and may fail.\n",
    .options = table,
    .options_size = sizeof(alpha_options),
    .stepping = DLS_BY_STEP,
    .friction = true,
    .moving_gaps = true,
    .q_between = DLS_LINEAR,
    .v_between = DLS_LINEAR,
    .start = start,
    .advance = advance,
    .finish = finish,
    .balance = &dls_balance_three_level_alpha,
};
