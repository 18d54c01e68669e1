/* redistributed_mass_midpoint.c -- contact on coordinates without mass: a static problem at every instant, no impacts.
 * With x = q' - q, w' = 2 x/h - w, and each row of a coordinate that has mass (i) or none (c):
 *
 *   i:  M (w' - w)/h = F(t + h/2, q + x/2, x/h) + H f                                           (1)
 *   c:  0 = F(t + h, q + x, w') + H lambda',   0 <= g(t + h, q + x)  _|_  lambda' >= 0          (2)
 *   f = (lambda + lambda')/2 of contacts that move some c, lambda' of those that move masses alone
 *
 * If a system has a discrete derivative V* of its potential, (1) uses it in place of V' at the middle. With (2) halved,
 *   A = (2/h^2) M + C/h + K/2,   A dx = R(x) + H s lambda',   s = 1/2, or 1 for masses alone             (3)
 * is Newton's method. It is symmetric for linear systems, which need one iteration. R has no lambda'; K is taken at the middle, its rows c
 * at the end. The contact problem is W r + b with r = s lambda' and W = H^T A^-1 H, on contacts that had a force and on those that would
 * close. At the start, coordinates without mass move to where (2) holds at t = 0; the others are at rest.
 * v of a node is w with mass and x/h without: there the sequence w alternates after a kink.
 * Sources: Khenous, Laborde & Renard 2008 (mass), with the midpoint rule for the masses; (3) by this project.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/position/redistributed_mass_midpoint.h"
#include "common/base/arrays.h"
#include "common/base/larger.h"
#include "common/linear/storage.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double lcp_tolerance = 1e-12; /* relative residual; rounding leaves about 1e-15 */
static const double start_step = 1e-8;     /* of the time scale: h of (3) that holds the masses at the start */
enum { FEW_PROBLEMS = 2 };                 /* of an iteration, before all contacts join if W is sparse */
static const dls_option table[] = {
    DLS_NEWTON_OPTIONS(
        offsetof(dls_static_contact_options, newton), "v_s",
        "nonlinear systems: last increment of positions over the step accepted, in units of the model's "
        "velocity scale",
        1e-11, DLS_NEWTON_MAX, 30),
    {0},
};

static void finish(dls_sim *sim)
{
  dls_static_contact_memory *s = sim->memory;
  if (s == NULL) {
    return;
  }
  dls_lcp_destroy(s->lcp);
  dls_delassus_destroy(s->W);
  dls_factor_destroy(s->A);
  dls_configuration_destroy(&s->config);
  dls_matrix_destroy(s->K_end);
  free(s->active);
  free(s->massless);
  free(s->light);
  free(s->block);
  free(s);
}

/* @return false if out of memory */
static bool allocate(dls_sim *sim, dls_static_contact_memory *s)
{
  const size_t n = sim->sys->n, m = sim->sys->m;
  s->block = dls_arrays((const dls_slot[]){
      {n, {&s->w, &s->kept, &s->x, &s->dx, &s->q_at, &s->v_at, &s->middle, &s->end, &s->zero}},
      {m, {&s->lambda, &s->b, &s->b_active, &s->r}},
      {0}});
  s->active = calloc(m + 1, sizeof *s->active);
  s->massless = calloc(n, sizeof *s->massless);
  s->light = calloc(2 * m + 1, sizeof *s->light);
  if (s->block == NULL || s->active == NULL || s->massless == NULL || s->light == NULL) {
    return false;
  }
  s->problem = s->light + m;
  s->without = dls_system_massless(sim->sys, s->massless);
  const bool two = s->without > 0 && !sim->sys->linear && sim->sys->K != NULL;
  s->K_end = two ? dls_matrix_clone(sim->sys->K) : NULL;
  return (!two || s->K_end != NULL) && dls_configuration_create(sim->sys, &s->config) &&
         (s->A = dls_iteration_matrix(&s->config, sim)) != NULL &&
         (m == 0 || (s->W = dls_delassus_create(s->A, s->config.normals)) != NULL);
}

static double weight(const dls_static_contact_memory *s, size_t j)
{
  return s->light[j] ? 0.5 : 1;
}

/* Contacts at (t, q): H, light, and gaps to b. */
static void place_contacts(dls_static_contact_memory *s, double t, const double *q)
{
  dls_configuration_contacts(&s->config, t, q);
  dls_configuration_gap(&s->config, s->b);
  if (s->config.gradient_varies) {
    dls_delassus_reset(s->W);
  }
  for (size_t j = 0; j < s->config.sys->m; j++) {
    const dls_column column = dls_matrix_column(s->config.normals, j);
    s->light[j] = false;
    for (size_t k = 0; k < column.count; k++) {
      s->light[j] = s->light[j] || (s->massless[dls_column_row(&column, k)] && column.values[k] != 0);
    }
  }
}

/* F of (1) at the middle; with a discrete derivative of the system's own F(m, x/h) - F(m, 0) - V*. */
static void middle_force(dls_sim *sim, dls_static_contact_memory *s)
{
  const dls_system *sys = sim->sys;
  const double t = s->t + 0.5 * s->step;
  for (size_t i = 0; i < sys->n; i++) {
    s->q_at[i] = sim->q[i] + 0.5 * s->x[i]; /* q + x/2 */
    s->v_at[i] = s->x[i] / s->step;         /* x/h */
  }
  dls_sim_load_begin(sim, s->t, s->t + s->step, 0);
  dls_sim_force(sim, t, s->q_at, s->v_at, s->middle); /* F(m, x/h) */
  dls_sim_load_end(sim);
  if (sys->discrete_gradient == NULL) {
    return;
  }
  dls_sim_force(sim, t, s->q_at, s->zero, s->end); /* F(m, 0) */
  for (size_t i = 0; i < sys->n; i++) {
    s->middle[i] -= s->end[i];
    s->end[i] = sim->q[i] + s->x[i];
  }
  sys->discrete_gradient(sys, sim->q, s->end, s->dx);
  for (size_t i = 0; i < sys->n; i++) {
    s->middle[i] -= s->dx[i]; /* V* */
  }
}

/* q_at, v_at := q + x and w' = 2 x/h - w, the arguments of (2). */
static void end_state(const dls_sim *sim, dls_static_contact_memory *s)
{
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->q_at[i] = sim->q[i] + s->x[i];
    s->v_at[i] = s->holding ? s->w[i] : 2 * s->x[i] / s->step - s->w[i];
  }
}

/* F of (2) */
static void end_force(dls_sim *sim, dls_static_contact_memory *s)
{
  end_state(sim, s);
  if (s->without > 0) {
    dls_sim_force(sim, s->t + s->step, s->q_at, s->v_at, s->end);
  }
}

/* dx := R of (3) */
static void residual(dls_sim *sim, dls_static_contact_memory *s)
{
  const double h = s->step;
  end_force(sim, s);
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->dx[i] = s->massless[i] ? 0.5 * s->end[i] : s->holding ? 0 : s->middle[i] + s->kept[i];
    s->v_at[i] = s->x[i] - h * s->w[i];
  }
  if (!s->holding) {
    dls_matrix_multiply(s->config.M, -2 / (h * h), s->v_at, s->dx);
  }
}

typedef struct rows {
  const bool *massless;
  dls_matrix *K;
} rows;

static void take_row(void *data, size_t i, size_t j, double x)
{
  const rows *r = data;
  if (r->massless[i]) {
    dls_matrix_set(r->K, i, j, x);
  }
}

/* M, C and rows of K with mass at the middle, where q_at and v_at are; those without at the end. */
static void linearise(dls_sim *sim, dls_static_contact_memory *s)
{
  const dls_system *sys = sim->sys;
  dls_iteration_linearise(sim, s->t + 0.5 * s->step, s->q_at, s->v_at, s->A);
  dls_configuration_mass(&s->config, s->q_at);
  if (s->K_end != NULL) {
    end_state(sim, s);
    sys->stiffness(sys, s->t + s->step, s->q_at, s->v_at, s->K_end);
    dls_matrix_visit(s->K_end, take_row, &(rows){s->massless, sim->K});
  }
}

/* dx := A^-1 R */
static dls_status free_increment(dls_sim *sim, dls_static_contact_memory *s, dls_error *err)
{
  const double h = s->step, coefficients[] = {2 / (h * h), s->holding ? 0 : 1 / h, 0.5};
  middle_force(sim, s);
  if (!sim->sys->linear) {
    linearise(sim, s);
  }
  residual(sim, s);
  const dls_status status = dls_iteration_factor(sim, s->A, coefficients, s->W, err);
  if (status == DLS_OK) {
    dls_factor_solve(s->A, s->dx);
  }
  return status;
}

/* Contacts that close with the increment dx join the problem. @return false if none does */
static bool join(dls_static_contact_memory *s, const double *dx)
{
  const size_t before = s->count;
  s->count = 0;
  for (size_t j = 0; j < s->config.sys->m; j++) {
    const bool takes = s->light[j] || !s->holding; /* of a rest */
    const bool closes = takes && s->b[j] + dls_matrix_column_dot(s->config.normals, j, dx) < 0;
    s->problem[j] = s->problem[j] || closes;
    if (s->problem[j]) {
      s->active[s->count++] = j;
    }
  }
  return s->count > before;
}

/* All contacts that may carry a force join: an impact that passes through a row of bodies closes one contact for each
 * problem. The others have r = 0. */
static void join_all(dls_static_contact_memory *s)
{
  s->count = 0;
  for (size_t j = 0; j < s->config.sys->m; j++) {
    s->problem[j] = s->problem[j] || s->light[j] || !s->holding;
    if (s->problem[j]) {
      s->active[s->count++] = j;
    }
  }
}

/* r of the problem, and middle := A^-1 H r. */
static dls_status solve(dls_sim *sim, dls_static_contact_memory *s, dls_error *err)
{
  for (size_t k = 0; k < s->count; k++) {
    const size_t j = s->active[k];
    s->b_active[k] = s->b[j];
    s->r[k] = weight(s, j) * s->lambda[j];
  }
  const dls_status status = dls_delassus_solve(s->W, s->lcp, s->count, s->active, s->b_active, s->r,
                                               &sim->work.lcp_solves, &sim->work.lcp_pivots, err);
  memset(s->middle, 0, sim->sys->n * sizeof *s->middle);
  if (status == DLS_OK) {
    dls_delassus_apply(s->W, s->count, s->active, 1, s->r, s->middle);
  }
  return status;
}

/* lambda, and dx with it. */
static dls_status contact(dls_sim *sim, dls_static_contact_memory *s, dls_error *err)
{
  const size_t m = sim->sys->m;
  dls_status status = DLS_OK;
  for (size_t j = 0; j < m; j++) {
    s->b[j] += dls_matrix_column_dot(s->config.normals, j, s->dx);
    s->problem[j] = s->lambda[j] > 0;
  }
  memset(s->middle, 0, sim->sys->n * sizeof *s->middle);
  s->count = 0;
  const bool sparse = dls_factor_storage(s->A) == DLS_DIAGONAL; /* then W of all contacts is sparse, too */
  for (size_t problems = 0; join(s, s->middle) && status == DLS_OK; problems++) {
    if (sparse && problems >= FEW_PROBLEMS) {
      join_all(s);
    }
    status = solve(sim, s, err);
  }
  memset(s->lambda, 0, m * sizeof *s->lambda);
  for (size_t k = 0; k < s->count; k++) {
    const size_t j = s->active[k];
    s->lambda[j] = s->r[k] / weight(s, j);
  }
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->dx[i] += s->middle[i];
  }
  return status;
}

static dls_status iterate(dls_sim *sim, void *step, double h, double *change, dls_error *err)
{
  dls_static_contact_memory *s = step;
  dls_status status = free_increment(sim, s, err);
  if (status == DLS_OK && sim->sys->m > 0) {
    for (size_t i = 0; i < sim->sys->n; i++) {
      s->q_at[i] = sim->q[i] + s->x[i];
    }
    place_contacts(s, s->t + s->step, s->q_at);
    status = contact(sim, s, err);
  }
  *change = 0;
  for (size_t i = 0; i < sim->sys->n; i++) {
    const double dx = s->holding && !s->massless[i] ? 0 : s->dx[i];
    *change = dls_larger(*change, fabs(dx) / h);
    s->x[i] += dx;
  }
  return status;
}

/* kept := the part of lambda at the node for the rows with mass in the next step; H there. */
static void keep_forces(dls_static_contact_memory *s)
{
  memset(s->kept, 0, s->config.sys->n * sizeof *s->kept);
  for (size_t j = 0; j < s->config.sys->m; j++) {
    if (s->light[j] && s->lambda[j] > 0) {
      dls_matrix_column_add(s->config.normals, j, 0.5 * s->lambda[j], s->kept); /* lambda/2 of f in (1) */
    }
  }
}

/* Move coordinates without mass to where (2) holds. */
static dls_status balance_start(dls_sim *sim, dls_static_contact_memory *s, dls_error *err)
{
  const double unit = sim->sys->time;
  s->step = start_step * unit;
  s->t = sim->t - s->step;
  s->holding = true;
  const dls_status status = dls_iterate(sim, &s->newton, iterate, s, unit, err);
  s->holding = false;
  if (status != DLS_OK) {
    return status;
  }
  for (size_t i = 0; i < sim->sys->n; i++) {
    sim->q[i] += s->x[i];
    s->x[i] = 0;
  }
  for (size_t j = 0; j < sim->sys->m; j++) {
    sim->lambda[j] = s->lambda[j];
    sim->status[j] = s->lambda[j] > 0;
  }
  return DLS_OK;
}

static dls_status start(dls_sim *sim, dls_error *err)
{
  const dls_system *sys = sim->sys;
  const dls_static_contact_options *opt = sim->options;
  dls_static_contact_memory *s = sim->memory = calloc(1, sizeof *s);
  if (s == NULL || !allocate(sim, s)) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", sys->n);
  }
  s->newton = dls_newton_of_velocity(sys, &opt->newton);
  memcpy(s->w, sim->v, sys->n * sizeof *s->w);
  dls_status status = dls_delassus_create_lcp(s->W, sys->m, lcp_tolerance, &s->lcp, err);
  status = status == DLS_OK && s->without > 0 ? balance_start(sim, s, err) : status;
  if (status == DLS_OK && sys->m > 0) {
    place_contacts(s, sim->t, sim->q);
    keep_forces(s);
  }
  return status;
}

/* A contact of masses alone impacts, step by step; others close and open without impulse. */
static void report(dls_sim *sim, const dls_static_contact_memory *s, double t, size_t j)
{
  const bool closed = s->lambda[j] > 0, was = sim->status[j] != 0;
  dls_event event = {.t = t, .contact = j};
  if (!s->light[j] && closed && sim->u[j] < -s->newton.rounding) {
    event.kind = DLS_IMPACT;
    event.u_minus = sim->u[j];
    event.u_plus = dls_configuration_row(&s->config, s->config.d * j, sim->v);
    event.impulse = sim->p[j];
    dls_sim_event(sim, &event);
  } else if (closed != was) {
    event.kind = closed ? DLS_LANDING : DLS_LIFT_OFF;
    dls_sim_event(sim, &event);
  }
}

static void take_contacts(dls_sim *sim, dls_static_contact_memory *s, double t)
{
  place_contacts(s, t, sim->q);
  keep_forces(s);
  for (size_t j = 0; j < sim->sys->m; j++) {
    sim->p[j] = s->step * (s->light[j] ? 0.5 * (sim->lambda[j] + s->lambda[j]) : s->lambda[j]); /* h f */
    report(sim, s, t, j);
    sim->lambda[j] = s->lambda[j];
    sim->status[j] = s->lambda[j] > 0;
  }
}

static dls_status advance(dls_sim *sim, double h, dls_error *err)
{
  dls_static_contact_memory *s = sim->memory;
  s->t = sim->t;
  s->step = h;
  memcpy(s->lambda, sim->lambda, sim->sys->m * sizeof *s->lambda);
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->x[i] = h * sim->v[i];
  }
  const dls_status status = dls_iterate(sim, &s->newton, iterate, s, h, err);
  if (status != DLS_OK) {
    return status;
  }
  for (size_t i = 0; i < sim->sys->n; i++) {
    sim->q[i] += s->x[i];                               /* q' = q + x */
    s->w[i] = 2 * s->x[i] / h - s->w[i];                /* w' = 2 x/h - w */
    sim->v[i] = s->massless[i] ? s->x[i] / h : s->w[i]; /* x/h without mass, w with mass */
  }
  if (sim->sys->m > 0) {
    take_contacts(sim, s, dls_sim_next_time(sim, h));
  }
  return DLS_OK;
}

const dls_scheme dls_scheme_redistributed_mass_midpoint = {
    .name = "redistributed-mass-midpoint",
    .family = DLS_FAMILY_POSITION,
    .summary = "midpoint rule for masses, static contact of coordinates without mass: no impacts",
    .source = "after H. B. Khenous, P. Laborde & Y. Renard 2008",
    .equations =
        "with mass:     M (v' - v)/h = F(t + h/2, (q + q')/2, (v + v')/2) + H f,   q' = q + h (v + v')/2\n"
        "without mass:  0 = F(t + h, q', v') + H lambda',   0 <= g(q')  _|_  lambda' >= 0\n"
        "f = (lambda + lambda')/2; lambda' at contacts that move masses alone\n"
        "Discrete derivatives of a potential that the system knows stand for its forces at the middle.\n",
    .remarks =
        "For systems whose contacts move coordinates without mass (mass=redistributed): the motion is smooth "
        "but\n"
        "for kinks where a contact closes or opens, e has no effect. In linear systems E' - E is dg (lambda +\n"
        "lambda')/2, which is 0 but for steps with a kink. Order 2. v of coordinates without mass: (q' - "
        "q)/h.\n"
        "Contacts of masses are treated at position level with the force of the end of the step, for "
        "comparison:\n"
        "they chatter (mass=lumped), and one that starts inside creates energy.\n",
    .options = table,
    .options_size = sizeof(dls_static_contact_options),
    .stepping = DLS_BY_STEP,
    .handles = DLS_HANDLES_MASSLESS | DLS_HANDLES_ANY_STEP,
    .q_between = DLS_LINEAR,
    .v_between = DLS_LINEAR,
    .start = start,
    .advance = advance,
    .finish = finish,
    .balance = &dls_balance_redistributed_mass_midpoint,
    .limit = {.kind = DLS_LIMIT_NONE, .text = "of contacts that move masses; without mass there is no impact"},
};
