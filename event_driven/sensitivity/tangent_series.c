/* event_driven/sensitivity/tangent_series.c -- tangents of linear systems between events, without friction, by Taylor series. The steps do not
 * depend on those of the run, whose motion may be smoother. With the motion (q, v), if it appears in their equations,
 *
 *   M v' = F(t) - K q - C v,     M dv' = dF(t) - dK q - dC v - dM v' - K dq - C dv                        (1)
 *   y(t0 + s H) = sum_k c_k s^k,     c_k+1 = H (A c_k + b_k) / (k + 1)                                    (2)
 *
 * Terms are added as far as a node needs them: flights between impacts are short. Loads are polynomials over intervals that may be longer
 * than a flight (load_series.h).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/arrays.h"
#include "common/base/memory.h"
#include "event_driven/sensitivity/neighbours.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the equation --- */

/* dv := zero at closed contacts, by their forces */
static void react(dls_motion_tangents *tangents, double *dv)
{
  dls_event_integrator *self = tangents->self.run;
  if (self->state.active.count > 0) {
    dls_error why = {0};
    const dls_status status = dls_contact_system_reaction(&self->work.contacts, &self->state.active, NULL, dv,
                                                          self->work.lambda, &why);
    tangents->series.failed = tangents->series.failed || status != DLS_OK;
  }
}

/* dv := accelerations by the forces dv */
static void solve(dls_motion_tangents *tangents, double *dv)
{
  dls_contact_system_inverse(&tangents->self.run->work.contacts, dv);
  react(tangents, dv);
}

/* dv -= K q + C v */
static void subtract_forces(const dls_system *sys, const double *q, const double *v, double *dv)
{
  if (sys->K != NULL) {
    dls_matrix_multiply(sys->K, -1, q, dv);
  }
  if (sys->C != NULL) {
    dls_matrix_multiply(sys->C, -1, v, dv);
  }
}

/* y += A x, four columns in one pass */
static void multiply(size_t rows, size_t columns, const double *restrict A, const double *x, double *restrict y)
{
  for (size_t j = 0; j < columns; j += 4) {
    const double *restrict a = A + j * rows;
    for (size_t i = 0; i < rows; i++) {
      y[i] += a[i] * x[j] + a[i + rows] * x[j + 1] + a[i + 2 * rows] * x[j + 2] + a[i + 3 * rows] * x[j + 3];
    }
  }
}

/* dv := acceleration by the forces dv, -K q and -C v, where x = (q, v) */
static void accelerate(dls_motion_tangents *tangents, bool forces, const double *x, double *dv)
{
  const dls_tangent_series *s = &tangents->series;
  const size_t n = tangents->n;
  if (s->columns == 0) {
    subtract_forces(tangents->self.run->method.sys, x, x + n, dv);
    solve(tangents, dv);
    return;
  }
  if (forces) {
    dls_contact_system_inverse(&tangents->self.run->work.contacts, dv);
  }
  multiply(n, s->columns, s->A, x, dv);
  react(tangents, dv);
}

/* dy := the right-hand side of (1) without loads. */
static void linear_part(dls_motion_tangents *tangents, const double *y, double *dy)
{
  const size_t n = tangents->n, before = tangents->series.with_motion;
  const double *q = y, *v = y + n;
  for (size_t k = 0; k < tangents->count + before; k++, y += 2 * n, dy += 2 * n) {
    const dls_changed_terms *changed = before > 0 && k > 0 ? &tangents->changed[k - 1] : NULL;
    const bool by_parameter = changed != NULL && (changed->M || changed->K || changed->C);
    memcpy(dy, y + n, n * sizeof *dy);
    memset(dy + n, 0, n * sizeof *dy);
    if (by_parameter) {
      dls_slopes_along_matrices(tangents, k - 1, q, v, dy + n);
    }
    accelerate(tangents, by_parameter, y, dy + n);
    if (before > 0 && k == 0) {
      memcpy(tangents->a, dy + n, n * sizeof *dy);
    }
  }
}

static bool is_nonzero(size_t n, const double *x)
{
  size_t i = 0;
  while (i < n && x[i] == 0) {
    i++;
  }
  return i < n;
}

/* b[n columns] := accelerations of (1) at y = 0. @return 0; -1 where they are not finite */
static int accelerations_by_loads(void *data, double t, double *b)
{
  dls_motion_tangents *tangents = data;
  const size_t n = tangents->n, before = tangents->series.with_motion;
  const double *zero = tangents->series.zero;
  memset(b, 0, n * (tangents->count + before) * sizeof *b);
  if (before > 0) {
    dls_sim_force(tangents->self.sim, dls_geometry_before_break(&tangents->self.run->state, t), zero, zero, b);
    solve(tangents, b);
    memcpy(tangents->a, b, n * sizeof *b);
  }
  for (size_t k = 0; k < tangents->count; k++) {
    double *dv = b + n * (k + before);
    if (dls_tangent_has_ended(tangents, k)) {
      continue;
    }
    dls_slopes_along_load(tangents, k, t, dv);
    if (before > 0) {
      dls_slopes_along_matrices(tangents, k, zero, zero, dv);
    }
    if (is_nonzero(n, dv)) {
      solve(tangents, dv);
    }
  }
  for (size_t i = 0; i < n * (tangents->count + before); i++) {
    if (!isfinite(b[i])) {
      return -1;
    }
  }
  return 0;
}

/* --- creation --- */

static bool is_dense(const dls_matrix *A)
{
  return A != NULL && dls_matrix_storage(A) == DLS_DENSE;
}

/* A := M^-1 (-K, -C), padded by zeros; M is factored. */
static void form_matrix(dls_motion_tangents *tangents)
{
  dls_tangent_series *s = &tangents->series;
  const dls_system *sys = tangents->self.run->method.sys;
  const size_t n = tangents->n;
  double *unit = s->value;
  memset(unit, 0, 2 * n * sizeof *unit);
  for (size_t j = 0; j < 2 * n; j++) {
    unit[j] = 1;
    memset(s->A + j * n, 0, n * sizeof *unit);
    subtract_forces(sys, unit, unit + n, s->A + j * n);
    dls_contact_system_inverse(&tangents->self.run->work.contacts, s->A + j * n);
    unit[j] = 0;
  }
  s->formed = true;
}

bool dls_tangent_series_create(dls_motion_tangents *tangents)
{
  const dls_system *sys = tangents->self.run->method.sys;
  const dls_configuration *config = tangents->self.run->work.contacts.config;
  const dls_changed_terms any = tangents->any;
  dls_tangent_series *s = &tangents->series;
  s->linear = tangents->exact && sys->r == 0 && tangents->tape == NULL;
  if (!s->linear) {
    return true;
  }
  s->closed = !any.H && tangents->self.run->work.solver == NULL && !config->moves && !config->bends &&
              tangents->self.run->work.contacts.baumgarte == 0;
  s->with_motion = any.M || any.K || any.C;
  s->steady = !any.load && (!s->with_motion || sys->load == NULL || sys->steady_load);
  s->unit = sys->time;
  s->size = 2 * tangents->n * (tangents->count + s->with_motion);
  s->columns = is_dense(sys->K) || is_dense(sys->C) || is_dense(sys->M) ? (2 * tangents->n + 3) / 4 * 4 : 0;
  const size_t loads = s->size / 2, padding = 4;
  double *coefficients, *at;
  s->block = dls_arrays((const dls_slot[]){{dls_size_product(s->columns, tangents->n), {&s->A}},
                                           {(DLS_TANGENT_TERMS + 1) * s->size + padding, {&s->c}},
                                           {s->size + padding, {&s->w, &s->value}},
                                           {loads, {&s->w_load, &at}},
                                           {DLS_LOAD_POINTS * loads, {&s->b, &coefficients}},
                                           {tangents->n, {&s->zero}},
                                           {0}});
  if (s->block != NULL) {
    dls_load_series_start(&s->load, loads, coefficients, at);
  }
  return s->block != NULL;
}

void dls_tangent_series_destroy(dls_motion_tangents *tangents)
{
  free(tangents->series.block);
}

/* --- the series --- */

static double weighted(const dls_tangent_series *s, const double *x)
{
  double most = 0;
  for (size_t i = 0; i < s->size; i++) {
    const double value = fabs(s->w[i] * x[i]);
    most = value > most ? value : most;
  }
  return most;
}

/* (2) */
static void add_term(dls_motion_tangents *tangents)
{
  dls_tangent_series *s = &tangents->series;
  const size_t n = tangents->n;
  const int k = s->terms;
  double *next = s->c + (size_t)(k + 1) * s->size;
  linear_part(tangents, next - s->size, next);
  for (size_t i = 0; k <= s->load.degree && i < s->size / 2; i++) {
    next[i / n * 2 * n + n + i % n] += s->b[(size_t)k * (s->size / 2) + i];
  }
  for (size_t i = 0; i < s->size; i++) {
    next[i] *= s->unit / (k + 1);
  }
  s->norm[k + 1] = weighted(s, next);
  s->terms++;
}

/* value := the sum of the first terms at s, entries `first` and behind. */
static void sum_terms(const dls_tangent_series *s, int terms, double at, size_t first)
{
  double *restrict y = s->value;
  memcpy(y + first, s->c + (size_t)terms * s->size + first, (s->size - first) * sizeof *y);
  for (int k = terms - 1; k >= 0; k--) {
    const double *restrict c = s->c + (size_t)k * s->size;
    for (size_t i = first; i < s->size; i++) {
      y[i] = at * y[i] + c[i];
    }
  }
}

/* The loads over an interval from t on, which ends at the next break. @return false: they are no polynomial */
static bool fit_loads(dls_motion_tangents *tangents, double t)
{
  dls_tangent_series *s = &tangents->series;
  const double rest = tangents->self.run->state.next_break - t;
  double h = s->load_next > 0 ? s->load_next : s->unit;
  for (int i = 0; i < threshold_tangent_load_tries; i++) {
    h = rest > 0 ? fmin(h, rest) : h;
    if (!dls_load_series_read(&s->load, accelerations_by_loads, tangents, t, h)) {
      return false;
    }
    const double more = dls_load_series_room(&s->load, s->w_load, t, h);
    if (more >= 1) {
      dls_load_series_to_powers(&s->load);
      s->load_begin = t;
      s->load_end = t + h;
      s->load_next = h * more;
      return true;
    }
    h *= fmax(threshold_load_margin * more, threshold_load_shrink);
  }
  return false;
}

/* The errors allowed, from the tangents at the origin and at s = at by the terms that are known. */
static void set_weights(dls_motion_tangents *tangents, dls_event_integrator *run, double at)
{
  dls_tangent_series *s = &tangents->series;
  const size_t n = tangents->n, before = s->with_motion;
  sum_terms(s, s->terms, at, 2 * n * before);
  if (before > 0) {
    dls_smooth_weights(run, s->c, s->w);
  }
  for (size_t k = 0; k < tangents->count; k++) {
    const size_t first = 2 * n * before;
    const double allowed = dls_tangent_allowed(tangents, run, k, s->unit, s->c + first, s->value + first);
    for (size_t i = 0; i < 2 * n; i++) {
      s->w[first + 2 * n * k + i] = dls_tangent_unit(run, i) / fmax(allowed, threshold_tangent_zero);
    }
  }
  for (size_t i = 0; i < s->size / 2; i++) {
    s->w_load[i] = s->w[i / n * 2 * n + n + i % n];
  }
  for (int k = 0; k <= s->terms; k++) {
    s->norm[k] = weighted(s, s->c + (size_t)k * s->size);
  }
}

/* b := the loads about the origin. @return false: they are no polynomial */
static bool set_loads(dls_motion_tangents *tangents)
{
  dls_tangent_series *s = &tangents->series;
  if (s->origin >= s->load_begin && s->origin < s->load_end) {
    if (s->steady) {
      return true;
    }
  } else if (s->steady) {
    const bool finite = accelerations_by_loads(tangents, s->origin, s->b) == 0;
    s->load_end = finite ? HUGE_VAL : s->load_begin;
    return finite;
  } else if (!fit_loads(tangents, s->origin)) {
    s->load_end = s->load_begin;
    return false;
  }
  const double length = s->load_end - s->load_begin;
  dls_load_series_about(&s->load, (s->origin - s->load_begin) / length, s->unit / length, s->b);
  return true;
}

/* The series about t, where c_0 is known; the first node is t + at unit. @return false: loads are no polynomial */
static bool begin_series(dls_motion_tangents *tangents, dls_event_integrator *run, double t, double at)
{
  enum { FIRST_TERMS = 3 }; /* a tangent that is 0 at t differs from 0 after them */
  dls_tangent_series *s = &tangents->series;
  s->origin = t;
  s->terms = 0;
  set_weights(tangents, run, 0);
  if (!set_loads(tangents)) {
    return false;
  }
  while (s->terms < FIRST_TERMS) {
    add_term(tangents);
  }
  set_weights(tangents, run, at);
  return true;
}

/* Terms for a sum at s: two in a row and those of loads behind them are negligible. @return DLS_TANGENT_TERMS + 1: more */
static int terms_for(dls_motion_tangents *tangents, double at)
{
  dls_tangent_series *s = &tangents->series;
  double power = 1;
  int small = 0, k = 0;
  for (; k <= DLS_TANGENT_TERMS; k++, power *= at) {
    if (k > s->terms) {
      add_term(tangents);
    }
    small = s->norm[k] * power <= threshold_tangent_last_term ? small + 1 : 0;
    if (small >= 2 && k > s->load.degree) {
      return k;
    }
  }
  return k;
}

/* The largest s at which the last terms are negligible. */
static double longest(const dls_tangent_series *s)
{
  double most = HUGE_VAL;
  for (int k = DLS_TANGENT_TERMS - 1; k <= DLS_TANGENT_TERMS; k++) {
    most = s->norm[k] > 0 ? fmin(most, pow(threshold_tangent_last_term / s->norm[k], 1.0 / k)) : most;
  }
  return most;
}

/* The tangents, and the motion, at the begin of a phase. */
static dls_status begin_phase(dls_motion_tangents *tangents, dls_event_integrator *run, dls_error *err)
{
  dls_tangent_series *s = &tangents->series;
  dls_event_integrator *self = tangents->self.run;
  const size_t n = tangents->n, before = s->with_motion;
  dls_engine_interpolate(run->work.engine, tangents->t, 0, tangents->y);
  memcpy(s->c, tangents->y, 2 * n * before * sizeof *s->c);
  for (size_t k = 0; k < tangents->count; k++) {
    double *c = s->c + 2 * n * (k + before);
    memset(c, 0, 2 * n * sizeof *c);
    if (!dls_tangent_has_ended(tangents, k)) {
      memcpy(c, tangents->x + 2 * n * k, 2 * n * sizeof *c);
    }
  }
  if (self->state.active.count > 0 || s->was_closed) { /* accelerations by loads depend on the contacts */
    s->load_end = s->load_begin;
  }
  s->was_closed = self->state.active.count > 0;
  const dls_status status = dls_geometry_set(&self->state, &self->work, tangents->t, tangents->y, err);
  if (status == DLS_OK && s->columns > 0 && !s->formed) {
    form_matrix(tangents);
  }
  return status;
}

/* s->value := the solution at t. @return false: no series leads there */
static bool evaluate(dls_motion_tangents *tangents, dls_event_integrator *run, double t)
{
  dls_tangent_series *s = &tangents->series;
  for (int steps = 0; steps < threshold_tangent_series_steps; steps++) {
    const double end = fmin(t, s->load_end), whole = (end - s->origin) / s->unit;
    const int terms = terms_for(tangents, whole);
    const double at = terms <= DLS_TANGENT_TERMS ? whole : fmin(whole, longest(s));
    s->used = terms <= DLS_TANGENT_TERMS ? terms : DLS_TANGENT_TERMS;
    const bool arrived = at == whole && end == t;
    sum_terms(s, s->used, at, arrived && s->with_motion ? 2 * tangents->n : 0);
    if (arrived) {
      return true;
    }
    const double reached = at == whole ? end : s->origin + at * s->unit;
    memcpy(s->c, s->value, s->size * sizeof *s->c);
    if (!(reached > s->origin) || !begin_series(tangents, run, reached, (t - reached) / s->unit)) {
      return false;
    }
  }
  return false;
}

bool dls_tangent_series_slopes(const dls_motion_tangents *tangents, double t, size_t k, double *dv)
{
  const dls_tangent_series *s = &tangents->series;
  const size_t n = tangents->n, first = 2 * n * (k + s->with_motion);
  if (!s->linear || !s->begun || s->failed || tangents->self.run->state.active.count > 0 || tangents->t != t ||
      memcmp(tangents->x + 2 * n * k, s->value + first, 2 * n * sizeof *dv) != 0) {
    return false;
  }
  const double at = (t - s->origin) / s->unit;
  memset(dv, 0, n * sizeof *dv);
  for (int j = s->used; j > 0; j--) {
    const double *c = s->c + (size_t)j * s->size + first + n;
    for (size_t i = 0; i < n; i++) {
      dv[i] = at * dv[i] + j / s->unit * c[i];
    }
  }
  return true;
}

dls_status dls_tangent_series_advance(dls_motion_tangents *tangents, dls_event_integrator *run, double t,
                                      bool *done, dls_error *err)
{
  dls_tangent_series *s = &tangents->series;
  const size_t n = tangents->n, before = s->with_motion;
  *done = s->linear && !s->failed && (s->closed || tangents->self.run->state.active.count == 0);
  if (!*done) {
    return DLS_OK;
  }
  if (!s->begun) {
    const dls_status status = begin_phase(tangents, run, err);
    if (status != DLS_OK) {
      return status;
    }
    s->begun = true;
    s->failed = !begin_series(tangents, run, tangents->t, (t - tangents->t) / s->unit) || s->failed;
  }
  s->failed = s->failed || !evaluate(tangents, run, t) || s->failed;
  *done = !s->failed;
  for (size_t k = 0; *done && k < tangents->count; k++) {
    if (!dls_tangent_has_ended(tangents, k)) {
      memcpy(tangents->x + 2 * n * k, s->value + 2 * n * (k + before), 2 * n * sizeof *s->value);
    }
  }
  tangents->t = *done ? t : tangents->t;
  return DLS_OK;
}
