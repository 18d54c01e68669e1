/* event_driven/sensitivity/multistep.c -- tangents on the steps or nodes of the run: predict, evaluate, correct, evaluate by the rules
 * of Adams, of variable order and step, with modified divided differences of the slopes f,
 *
 *   psi_i = t_n+1 - t_n+1-i,   phi_i = psi_1 ... psi_i-1 f[t_n+1, ..., t_n+2-i],   phi*_i = beta_i phi_i of the node before
 *   predictor  p = x_n + h sum_i<=k g_i phi*_i                                    (1)
 *   corrector  x_n+1 = p + h g_k+1 (f(p) - sum_i<=k phi*_i)                       (2)
 *
 * Steps are those of a multistep engine, so that slopes are at states which it has computed, or lead from node to node of another one. Where
 * the error of a step is too large for them, the rule on the dense output takes the step, and its slope enters the differences.
 * Source: Shampine & Gordon 1975, Computer Solution of Ordinary Differential Equations, chapters 5, 7 and 10.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/sensitivity/neighbours.h"
#include <math.h>
#include <string.h>

enum { MOST = DLS_TANGENT_ORDERS };

/* |gamma*_k|, by order, of the errors of corrected steps. */
static const double constant[MOST + 1] = {1,
                                          1.0 / 2,
                                          1.0 / 12,
                                          1.0 / 24,
                                          19.0 / 720,
                                          3.0 / 160,
                                          863.0 / 60480,
                                          275.0 / 24192,
                                          33953.0 / 3628800,
                                          8183.0 / 1036800,
                                          3250433.0 / 479001600,
                                          4671.0 / 788480,
                                          13695779093.0 / 2615348736000};

static size_t size_of(const dls_motion_tangents *tangents)
{
  return 2 * tangents->n * tangents->count;
}

/* phi_i, i from 1. */
static double *difference(const dls_motion_tangents *tangents, int i)
{
  return tangents->differences + (size_t)(i - 1) * size_of(tangents);
}

/* psi, beta, sigma and g of the next step h, of order k. */
static void set_coefficients(dls_tangent_history *s, double h)
{
  double alpha[MOST + 2], w[MOST + 2], distance = h;
  const int k = s->order;
  s->beta[1] = s->sigma[1] = s->sigma[2] = 1;
  for (int i = 2; i <= k; i++) {
    const double before = s->psi[i - 1];
    s->psi[i - 1] = distance;
    s->beta[i] = s->beta[i - 1] * distance / before;
    distance = before + h;
    alpha[i] = h / distance;
    s->sigma[i + 1] = i * alpha[i] * s->sigma[i];
  }
  s->psi[k] = distance;
  for (int i = 1; i <= k + 1; i++) {
    w[i] = 1.0 / (i * (i + 1));
  }
  s->g[1] = 1;
  s->g[2] = 0.5;
  for (int i = 3; i <= k + 1; i++) {
    for (int j = 1; j <= k + 2 - i; j++) {
      w[j] -= alpha[i - 1] * w[j + 1];
    }
    s->g[i] = w[1];
  }
}

/* (1), in tangents->mid; phi_i := sum over j >= i of phi*_j. */
static void predict(dls_motion_tangents *tangents, double h)
{
  const dls_tangent_history *s = &tangents->history;
  const size_t size = size_of(tangents);
  double *p = tangents->mid;
  memset(p, 0, size * sizeof *p);
  for (int i = s->order; i >= 1; i--) {
    double *phi = difference(tangents, i);
    const double *higher = difference(tangents, i + 1);
    for (size_t j = 0; j < size; j++) {
      const double own = s->beta[i] * phi[j];
      p[j] += s->g[i] * own;
      phi[j] = i < s->order ? own + higher[j] : own;
    }
  }
  for (size_t j = 0; j < size; j++) {
    p[j] = tangents->end[j] + h * p[j];
  }
}

/* Largest entries of f(p) - phi_1 and of its sums with phi_k and phi_k-1, in units of what is allowed in the step. */
typedef struct change {
  double now, lower, lowest;
} change;

static change changes(const dls_motion_tangents *tangents, const dls_event_integrator *run, double h)
{
  const size_t n = tangents->n;
  const int k = tangents->history.order;
  const double *f = tangents->slope, *first = difference(tangents, 1), *phi = difference(tangents, k),
               *before = difference(tangents, k > 1 ? k - 1 : 1);
  change most = {0, 0, 0};
  for (size_t d = 0; d < tangents->count; d++) {
    change own = {0, 0, 0};
    for (size_t i = 2 * n * d; i < 2 * n * (d + 1); i++) {
      const double unit = dls_tangent_unit(run, i - 2 * n * d), diff = f[i] - first[i];
      own.now = fmax(own.now, unit * fabs(diff));
      own.lower = fmax(own.lower, unit * fabs(diff + phi[i]));
      own.lowest = fmax(own.lowest, unit * fabs(diff + before[i]));
    }
    const double allowed = dls_tangent_allowed(tangents, run, d, h, tangents->end, tangents->mid);
    if (own.now > 0) { /* not of a direction that has ended */
      most.now = fmax(most.now, own.now / allowed);
      most.lower = fmax(most.lower, own.lower / allowed);
      most.lowest = fmax(most.lowest, own.lowest / allowed);
    }
  }
  return most;
}

/* The order rises while errors fall with it. */
static void choose_order(dls_tangent_history *s, const change *c, double h)
{
  const int k = s->order;
  const double error = h * c->now * s->sigma[k + 1] * constant[k],
               lower = k > 1 ? h * c->lower * s->sigma[k] * constant[k - 1] : HUGE_VAL,
               lowest = k > 2 ? h * c->lowest * s->sigma[k - 1] * constant[k - 2] : 0;
  s->next_order = k > 1 && fmax(lower, lowest) <= error                         ? k - 1
                  : k < MOST && error <= threshold_tangent_higher_order * lower ? k + 1
                                                                                : k;
}

/* The slope in tangents->slope, at the state in tangents->end, enters the differences. */
static void add_node(dls_motion_tangents *tangents, double t)
{
  dls_tangent_history *s = &tangents->history;
  const size_t size = size_of(tangents);
  double *last = difference(tangents, s->order + 1);
  const double *first = difference(tangents, 1);
  for (size_t j = 0; j < size; j++) {
    last[j] = tangents->slope[j] - first[j];
  }
  for (int i = 1; i <= s->order; i++) {
    double *phi = difference(tangents, i);
    for (size_t j = 0; j < size; j++) {
      phi[j] += last[j];
    }
  }
  s->last_order = s->order;
  s->order = s->next_order;
  s->t = t;
  s->refused = false;
}

/* The end of a step to t or beyond: a node of a one-step integrator, whose steps are long. */
static double node_after(const dls_event_integrator *run, double t)
{
  return run->method.integrator == DLS_ENGINE_ADAMS ? run->state.right.t : t;
}

static const double *state_at(dls_motion_tangents *tangents, const dls_event_integrator *run, double t)
{
  if (t == run->state.right.t) {
    return run->state.right.y;
  }
  dls_engine_interpolate(run->work.engine, t, 0, tangents->y);
  return tangents->y;
}

/* A step to a node. @return DLS_OK; s->refused if its error is too large */
static dls_status step(dls_motion_tangents *tangents, const dls_event_integrator *run, double t, dls_error *err)
{
  dls_tangent_history *s = &tangents->history;
  const double h = t - s->t, *y = state_at(tangents, run, t);
  const size_t size = size_of(tangents);
  set_coefficients(s, h);
  predict(tangents, h);
  tangents->acceleration = 0;
  dls_status status = dls_slopes(tangents, t, y, tangents->mid, tangents->slope, err);
  if (status != DLS_OK) {
    return status;
  }
  const change c = changes(tangents, run, h);
  choose_order(s, &c, h);
  s->refused = !(h * c.now * fabs(s->g[s->order] - s->g[s->order + 1]) <= 1);
  s->refused_t = t;
  if (s->refused) {
    return DLS_OK;
  }
  const double *first = difference(tangents, 1);
  for (size_t j = 0; j < size; j++) { /* (2) */
    tangents->end[j] = tangents->mid[j] + h * s->g[s->order + 1] * (tangents->slope[j] - first[j]);
  }
  status = dls_slopes_again(tangents, t, y, tangents->end, tangents->slope, err);
  add_node(tangents, t);
  return status;
}

/* x := the corrector's polynomial at t. */
static void interpolate(dls_motion_tangents *tangents, double t)
{
  const dls_tangent_history *s = &tangents->history;
  const int k = s->last_order + 1;
  const double h = t - s->t;
  const size_t size = size_of(tangents);
  double w[MOST + 2], g[MOST + 2], before = 0;
  memset(tangents->x, 0, size * sizeof *tangents->x);
  for (int i = 1; i <= k; i++) {
    w[i] = 1.0 / i;
  }
  g[1] = 1;
  for (int j = 2; j <= k; j++) {
    const double gamma = (h + before) / s->psi[j - 1], eta = h / s->psi[j - 1];
    for (int i = 1; i <= k + 1 - j; i++) {
      w[i] = gamma * w[i] - eta * w[i + 1];
    }
    g[j] = w[1];
    before = s->psi[j - 1];
  }
  for (int i = k; i >= 1; i--) {
    const double *phi = difference(tangents, i);
    for (size_t j = 0; j < size; j++) {
      tangents->x[j] += g[i] * phi[j];
    }
  }
  for (size_t j = 0; j < size; j++) {
    tangents->x[j] = tangents->end[j] + h * tangents->x[j];
  }
}

/* The differences start at the time of the tangents. */
static dls_status begin(dls_motion_tangents *tangents, const dls_event_integrator *run, dls_error *err)
{
  dls_engine_interpolate(run->work.engine, tangents->t, 0, tangents->y);
  memcpy(tangents->end, tangents->x, size_of(tangents) * sizeof *tangents->x);
  tangents->history = (dls_tangent_history){.order = 1, .t = tangents->t};
  return dls_slopes(tangents, tangents->t, tangents->y, tangents->x, difference(tangents, 1), err);
}

/* To t, in a step that was refused; its end enters the differences. */
static dls_status by_dense_output(dls_motion_tangents *tangents, dls_event_integrator *run, double t,
                                  dls_error *err)
{
  dls_tangent_history *s = &tangents->history;
  const size_t bytes = size_of(tangents) * sizeof *tangents->x;
  if (tangents->t < s->t) {
    memcpy(tangents->x, tangents->end, bytes);
    tangents->t = s->t;
  }
  dls_status status = dls_tangent_extrapolate(tangents, run, t, err);
  if (status == DLS_OK && t >= s->refused_t) {
    memcpy(tangents->end, tangents->x, bytes);
    status = dls_slopes(tangents, t, state_at(tangents, run, t), tangents->x, tangents->slope, err);
    add_node(tangents, t);
  }
  return status;
}

dls_status dls_tangent_multistep(dls_motion_tangents *tangents, dls_event_integrator *run, double t,
                                 dls_error *err)
{
  dls_tangent_history *s = &tangents->history;
  dls_status status = DLS_OK;
  if (s->order == 0 || (s->refused && s->refused_t != node_after(run, t))) {
    status = begin(tangents, run, err);
  }
  if (status == DLS_OK && t > s->t && !s->refused) {
    status = step(tangents, run, node_after(run, t), err);
  }
  if (status != DLS_OK) {
    return status;
  }
  if (s->refused) {
    return by_dense_output(tangents, run, t, err);
  }
  if (t < s->t) {
    interpolate(tangents, t);
  } else {
    memcpy(tangents->x, tangents->end, size_of(tangents) * sizeof *tangents->x);
  }
  tangents->t = t;
  return status;
}
