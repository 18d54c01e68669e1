/* event_driven/sensitivity/multistep.c -- tangents on the steps or nodes of the run: predict, evaluate, correct, evaluate by the rules
 * of Adams, of variable order and step, with modified divided differences of the slopes f,
 *
 *   psi_i = t_n+1 - t_n+1-i,   phi_i = psi_1 ... psi_i-1 f[t_n+1, ..., t_n+2-i],   phi*_i = beta_i phi_i of the node before
 *   predictor  p = x_n + h sum_i<=k g_i phi*_i                                    (1)
 *   corrector  x_n+1 = p + h g_k+1 (f(p) - sum_i<=k phi*_i)                       (2)
 *
 * Steps are those of a multistep engine, so that slopes are at states which it has computed. Where the error of a step is too large it is
 * divided, with states of the dense output, as are the long steps of a one-step engine. Where the parts become too short, the rule on the
 * dense output takes the step, and its slope enters the differences.
 * CVODES, staggered, takes 1.8 to 2.2 runs for one direction and 3.7 to 4.7 for four on five smooth motions at rtol = 1e-10. Where tangents
 * vibrate and the motion does not it takes 98, and changes the steps of the run; without tangents in its error test it errs by 4e-4.
 * Source: Shampine & Gordon 1975, Computer Solution of Ordinary Differential Equations, chapters 5, 7 and 10.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/sensitivity/neighbours.h"
#include "event_driven/sensitivity/redundant.h"
#include <float.h>
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

/* phi_i, i from 1. */
static double *difference(const dls_motion_tangents *tangents, int i)
{
  return tangents->differences + (size_t)(i - 1) * dls_tangents_size(tangents);
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
  const size_t size = dls_tangents_size(tangents);
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
  double own_lower; /* lower of the entry with the largest now */
  size_t worst;     /* direction of now */
  bool is_noise;    /* now is round-off */
} change;

/* NaN counts as infinite: fmax would pass it by. */
static double larger(double most, double x)
{
  return x <= most ? most : isnan(x) ? HUGE_VAL : x;
}

static change changes(const dls_motion_tangents *tangents, const dls_event_integrator *run, double h)
{
  const size_t n = tangents->n;
  const int k = tangents->history.order;
  const double *f = tangents->slope, *first = difference(tangents, 1), *phi = difference(tangents, k),
               *before = difference(tangents, k > 1 ? k - 1 : 1);
  const double turned = h * tangents->acceleration * (run->method.sys->time / run->method.sys->length);
  change most = {.is_noise = true};
  for (size_t d = 0; d < tangents->count; d++) {
    change own = {0};
    const size_t turns = 2 * n * tangents->count + tangents->turns * d;
    for (size_t i = 0; i < 2 * n + tangents->turns;
         i++) { /* turns: by the velocity that friction brings about */
      const size_t j = i < 2 * n ? 2 * n * d + i : turns + i - 2 * n;
      const double unit = i < 2 * n ? dls_tangent_unit(run, i) : turned, diff = f[j] - first[j];
      if (!(unit * fabs(diff) <= own.now)) {
        own.now = larger(own.now, unit * fabs(diff));
        own.own_lower = unit * fabs(diff + phi[j]);
      }
      own.lower = larger(own.lower, unit * fabs(diff + phi[j]));
      own.lowest = larger(own.lowest, unit * fabs(diff + before[j]));
    }
    const double allowed = dls_tangent_allowed(tangents, run, d, h, tangents->end, tangents->mid);
    if (own.now > 0) { /* not of a direction that has ended */
      most.is_noise =
          most.is_noise && own.now <= threshold_tangent_order_noise * dls_tangent_noise(tangents, run, d);
      if (!(own.now / allowed <= most.now)) { /* infinite over infinite: it overflows */
        most.now = larger(0, own.now / allowed);
        most.own_lower = own.own_lower / allowed;
        most.worst = d;
      }
      most.lower = larger(most.lower, own.lower / allowed);
      most.lowest = larger(most.lowest, own.lowest / allowed);
    }
  }
  return most;
}

/* The order rises while errors fall with it. Without an error it stays, and while the error is round-off, which a longer step by a
 * higher order would multiply. */
static void choose_order(dls_tangent_history *s, const change *c, double h)
{
  const int k = s->order;
  const double error = h * c->now * s->sigma[k + 1] * constant[k],
               unit = k > 1 ? h * s->sigma[k] * constant[k - 1] : HUGE_VAL,
               lower = k > 1 ? unit * c->lower : HUGE_VAL, own = k > 1 ? unit * c->own_lower : HUGE_VAL,
               lowest = k > 2 ? h * c->lowest * s->sigma[k - 1] * constant[k - 2] : 0;
  s->next_order = error == 0 || c->is_noise ? k
                  : k > 1 && (fmax(lower, lowest) <= error || lower <= threshold_tangent_higher_order * error)
                      ? k - 1
                  : k < MOST && error <= threshold_tangent_higher_order * own ? k + 1
                                                                              : k;
}

/* Derivatives of forces of the last slopes, behind the slopes. */
static void append_forces(dls_motion_tangents *tangents, double *slope)
{
  const size_t all = tangents->forces * tangents->count;
  memcpy(slope + dls_tangents_size(tangents) - all, tangents->force_slopes, all * sizeof *slope);
  tangents->history.without_forces = tangents->history.without_forces ||
                                     dls_slopes_by_accelerations(tangents) ||
                                     dls_redundant_any(tangents->self.run);
}

/* The slope in tangents->slope, at the state in tangents->end, enters the differences. */
static void add_node(dls_motion_tangents *tangents, double t)
{
  dls_tangent_history *s = &tangents->history;
  const size_t size = dls_tangents_size(tangents);
  double *last = difference(tangents, s->order + 1);
  const double *first = difference(tangents, 1);
  if (tangents->forces > 0) {
    append_forces(tangents, tangents->slope);
  }
  for (size_t j = 0; j < size; j++) {
    last[j] = tangents->slope[j] - first[j];
  }
  for (int i = 1; i <= s->order; i++) {
    double *phi = difference(tangents, i);
    for (size_t j = 0; j < size; j++) {
      phi[j] += last[j];
    }
  }
  memcpy(tangents->by_slip_before, tangents->by_slip, tangents->count * sizeof *tangents->by_slip);
  s->last_order = s->order;
  s->order = s->next_order;
  s->t = t;
  s->refused = false;
}

/* Do steps of the engine suit its tangents? Those of a one-step method are longer. */
static bool follows_steps(const dls_event_integrator *run)
{
  return run->method.integrator == DLS_ENGINE_ADAMS || run->method.integrator == DLS_ENGINE_BDF;
}

static const double *state_at(dls_motion_tangents *tangents, const dls_event_integrator *run, double t)
{
  if (t == run->state.right.t) {
    return run->state.right.y;
  }
  dls_engine_interpolate(run->work.engine, t, 0, tangents->y);
  return tangents->y;
}

/* Undo set_coefficients and predict. */
static void restore(dls_motion_tangents *tangents, double h)
{
  dls_tangent_history *s = &tangents->history;
  const size_t size = dls_tangents_size(tangents);
  for (int i = 1; i <= s->order; i++) {
    double *phi = difference(tangents, i);
    const double *higher = difference(tangents, i + 1);
    for (size_t j = 0; j < size; j++) {
      phi[j] = (i < s->order ? phi[j] - higher[j] : phi[j]) / s->beta[i];
    }
  }
  for (int i = 2; i <= s->order; i++) {
    s->psi[i - 1] = s->psi[i] - h;
  }
}

/* Does the correction of a step with this error change the slope? It does by the rate at which slopes change with the tangents. */
static bool changes_slope(dls_tangent_history *s, double error, double h)
{
  const bool changes =
      error > threshold_tangent_evaluate_again &&
      !(s->skipped < threshold_tangent_rate_steps && error * s->rate * h <= threshold_tangent_slope_error);
  s->skipped = changes ? 0 : s->skipped + 1;
  return changes;
}

/* The slope at the corrected tangents, and the rate. */
static dls_status evaluate_again(dls_motion_tangents *tangents, const dls_event_integrator *run, double t,
                                 const double *y, dls_error *err)
{
  const size_t n = tangents->n;
  double *rate = &tangents->history.rate, *predicted = tangents->last, slope = 0, moved = 0;
  memcpy(predicted, tangents->slope, dls_tangents_size(tangents) * sizeof *predicted);
  const dls_status status = dls_slopes_again(tangents, t, y, tangents->end, tangents->slope, err);
  for (size_t i = 0; i < 2 * n * tangents->count; i++) {
    const double unit = dls_tangent_unit(run, i % (2 * n));
    slope = larger(slope, unit * fabs(tangents->slope[i] - predicted[i]));
    moved = larger(moved, unit * fabs(tangents->end[i] - tangents->mid[i]));
  }
  *rate = *rate < HUGE_VAL ? fmax(slope / moved, 0.5 * *rate) : slope / moved;
  return status;
}

/* One step to t. @param[out] error  of it, in units of what is allowed; above 1 the step is undone */
static dls_status try_step(dls_motion_tangents *tangents, const dls_event_integrator *run, double t,
                           double *error, dls_error *err)
{
  dls_tangent_history *s = &tangents->history;
  const double h = t - s->t, *y = state_at(tangents, run, t);
  const size_t size = dls_tangents_size(tangents);
  set_coefficients(s, h);
  predict(tangents, h);
  tangents->acceleration = 0;
  tangents->memo = y == run->state.right.y ? &run->work.memo : NULL;
  dls_status status = dls_slopes(tangents, t, y, tangents->mid, tangents->slope, err);
  tangents->memo = NULL;
  if (status != DLS_OK) {
    return status;
  }
  const change c = changes(tangents, run, h);
  choose_order(s, &c, h);
  s->worst = c.worst;
  *error = h * c.now * fabs(s->g[s->order] - s->g[s->order + 1]);
  if (!(*error <= 1)) {
    restore(tangents, h);
    return DLS_OK;
  }
  const double *first = difference(tangents, 1);
  for (size_t j = 0; j < size; j++) { /* (2) */
    tangents->end[j] = tangents->mid[j] + h * s->g[s->order + 1] * (tangents->slope[j] - first[j]);
  }
  if (changes_slope(s, *error, h)) {
    status = evaluate_again(tangents, run, t, y, err);
  }
  add_node(tangents, t);
  return status;
}

/* Least factor of a step that is refused. The first step of a phase may be many times too long, and errors of order one tell how many. */
static double least_factor(const dls_tangent_history *s, double error)
{
  return s->last_order == 0 && error < HUGE_VAL ? threshold_tangent_first_shrink
                                                : threshold_tangent_step_shrink;
}

/* Steps to t or beyond: to the end of the engine's step, or parts of it after one was refused.
 * @return DLS_OK; s->refused if the parts become too short */
static dls_status advance(dls_motion_tangents *tangents, const dls_event_integrator *run, double t,
                          dls_error *err)
{
  dls_tangent_history *s = &tangents->history;
  const double last = run->state.right.t;
  const double largest_growth =
      run->method.integrator == DLS_ENGINE_ADAMS ? threshold_early_growth : threshold_tangent_step_growth;
  dls_status status = DLS_OK;
  int failures = 0;
  double last_error = HUGE_VAL;
  for (int steps = 0; s->t < t && !s->refused && status == DLS_OK; steps++) {
    if (steps == threshold_tangent_steps) {
      return dls_tangent_fail_steps(tangents, run, s->worst, s->t, last, err);
    }
    const double rest = last - s->t, parts = s->h > 0 ? ceil(rest / s->h) : 1, h = rest / parts;
    const int order = s->order;
    double error = 0;
    status = try_step(tangents, run, parts > 1 ? s->t + h : last, &error, err);
    const bool done = error <= 1;
    const bool follows = done && parts == 1 && follows_steps(run);
    const double factor =
        follows ? 1 : pow(fmax(error, DBL_EPSILON) / threshold_tangent_step_error, -1.0 / (order + 1));
    failures = done ? 0 : failures + 1;
    s->h = follows ? 0
           : done  ? h * fmin(factor, largest_growth)
                   : h * fmax(factor < 1 ? factor : 0, least_factor(s, error));
    if (!done && s->next_order < order) {
      s->order = s->next_order;
    }
    /* an error that does not fall with the step is round-off of slopes, or they overflow */
    s->refused = failures > threshold_tangent_step_failures ||
                 (failures > 1 && (error > threshold_tangent_step_gain * last_error || isinf(error)));
    s->refused_t = last;
    s->h = s->refused ? 0 : s->h;
    last_error = done ? HUGE_VAL : error;
  }
  return status;
}

/* x := the corrector's polynomial at t. */
static void interpolate(dls_motion_tangents *tangents, double t)
{
  const dls_tangent_history *s = &tangents->history;
  const int k = s->last_order + 1;
  const double h = t - s->t;
  const size_t size = dls_tangents_size(tangents);
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

const double *dls_tangent_multistep_slopes(dls_motion_tangents *tangents, double t)
{
  const dls_tangent_history *s = &tangents->history;
  const size_t size = dls_tangents_size(tangents);
  double *slope = tangents->last, rho[MOST + 2], before = 0;
  if (s->order == 0 || s->refused || tangents->t != t || t > s->t) {
    return NULL;
  }
  rho[1] = 1;
  for (int j = 2; j <= s->last_order + 1; j++) {
    rho[j] = rho[j - 1] * (t - s->t + before) / s->psi[j - 1];
    before = s->psi[j - 1];
  }
  memset(slope, 0, size * sizeof *slope);
  for (int i = s->last_order + 1; i >= 1; i--) {
    const double *phi = difference(tangents, i);
    for (size_t j = 0; j < size; j++) {
      slope[j] += rho[i] * phi[j];
    }
  }
  return slope;
}

/* Is the polynomial accurate in these entries? The first term that it leaves out has the next differences, which are less than the last by the
 * factor by which these are less than the ones before. */
static bool is_followed(const double *slope, const double *last, const double *lower, size_t count,
                        double allowed, double noise)
{
  double size = 0, now = 0, before = 0;
  for (size_t i = 0; i < count; i++) {
    size = larger(size, fabs(slope[i]));
    now = larger(now, fabs(last[i]));
    before = larger(before, fabs(lower[i] - last[i]));
  }
  return now * now <= (allowed * size + noise) * before;
}

/* Do accelerations and forces of the polynomial err by no more than columns of the record? */
static bool follows_slopes(const dls_motion_tangents *tangents, const dls_event_integrator *run)
{
  const int k = tangents->history.last_order;
  const size_t n = tangents->n, forces = tangents->forces,
               behind = dls_tangents_size(tangents) - forces * tangents->count;
  const double *slope = difference(tangents, 1), *last = difference(tangents, k + 1),
               *lower = difference(tangents, k);
  const double allowed = threshold_column_error * run->method.eps.tol / constant[k];
  bool follows = true;
  for (size_t j = 0; j < tangents->count && follows; j++) {
    const size_t v = 2 * n * j + n, f = behind + forces * j;
    const double noise = dls_tangent_noise(tangents, run, j) / dls_tangent_unit(run, n);
    follows = is_followed(slope + v, last + v, lower + v, n, allowed, noise) &&
              is_followed(slope + f, last + f, lower + f, forces, allowed, 0);
  }
  return follows;
}

bool dls_tangent_multistep_follows(dls_motion_tangents *tangents, const dls_event_integrator *run)
{
  dls_tangent_history *s = &tangents->history;
  if (tangents->forces == 0 || s->without_forces || s->last_order == 0) {
    return false;
  }
  if (s->judged_t != s->t) {
    s->judged_t = s->t;
    s->follows = follows_slopes(tangents, run);
  }
  return s->follows;
}

/* The differences start at the time of the tangents. */
static dls_status begin(dls_motion_tangents *tangents, const dls_event_integrator *run, dls_error *err)
{
  dls_engine_interpolate(run->work.engine, tangents->t, 0, tangents->y);
  if (!tangents->turns_known) {
    const dls_status status = dls_slopes_set_turns(tangents, tangents->t, tangents->y, tangents->x, err);
    if (status != DLS_OK) {
      return status;
    }
  }
  memcpy(tangents->end, tangents->x, dls_tangents_size(tangents) * sizeof *tangents->x);
  tangents->history = (dls_tangent_history){.order = 1, .t = tangents->t, .rate = HUGE_VAL};
  const dls_status status =
      dls_slopes(tangents, tangents->t, tangents->y, tangents->x, difference(tangents, 1), err);
  if (tangents->forces > 0) {
    append_forces(tangents, difference(tangents, 1));
  }
  memcpy(tangents->by_slip_before, tangents->by_slip, tangents->count * sizeof *tangents->by_slip);
  return status;
}

/* To t, in a step that was refused; its end enters the differences. */
static dls_status by_dense_output(dls_motion_tangents *tangents, dls_event_integrator *run, double t,
                                  dls_error *err)
{
  dls_tangent_history *s = &tangents->history;
  const size_t bytes = dls_tangents_size(tangents) * sizeof *tangents->x;
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
  if (s->order == 0 || (s->refused && s->refused_t != run->state.right.t)) {
    status = begin(tangents, run, err);
  }
  if (status == DLS_OK && t > s->t && !s->refused) {
    status = advance(tangents, run, t, err);
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
    memcpy(tangents->x, tangents->end, dls_tangents_size(tangents) * sizeof *tangents->x);
  }
  tangents->t = t;
  return status;
}
