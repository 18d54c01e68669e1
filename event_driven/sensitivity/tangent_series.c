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

/* The same of two x and y: A is read once. */
static void multiply_both(size_t rows, size_t columns, const double *restrict A, const double *const x[2],
                          double *restrict y, double *restrict z)
{
  const double *first = x[0], *second = x[1];
  for (size_t j = 0; j < columns; j += 4) {
    const double *restrict a = A + j * rows;
    for (size_t i = 0; i < rows; i++) {
      const double a0 = a[i], a1 = a[i + rows], a2 = a[i + 2 * rows], a3 = a[i + 3 * rows];
      y[i] += a0 * first[j] + a1 * first[j + 1] + a2 * first[j + 2] + a3 * first[j + 3];
      z[i] += a0 * second[j] + a1 * second[j + 1] + a2 * second[j + 2] + a3 * second[j + 3];
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

/* dv of all columns of dy += A y. Tangents may be 0 up to an event. */
static void accelerate(const dls_motion_tangents *tangents, const double *y, double *dy)
{
  const dls_tangent_series *s = &tangents->series;
  const size_t n = tangents->n, count = tangents->count + s->with_motion;
  for (size_t k = 0; k + 1 < count; k += 2) {
    const double *const x[2] = {y + 2 * n * k, y + 2 * n * (k + 1)};
    double *first = dy + 2 * n * k + n, *second = first + 2 * n;
    if (!is_nonzero(2 * n, x[0])) {
      multiply(n, s->columns, s->A, x[1], second);
    } else if (!is_nonzero(2 * n, x[1])) {
      multiply(n, s->columns, s->A, x[0], first);
    } else {
      multiply_both(n, s->columns, s->A, x, first, second);
    }
  }
  if (count % 2 > 0) {
    multiply(n, s->columns, s->A, y + 2 * n * (count - 1), dy + 2 * n * (count - 1) + n);
  }
}

/* dv += accelerations by -dK q, -dC v and -dM v' of direction k */
static void accelerate_by_parameter(dls_motion_tangents *tangents, size_t k, const double *y, double *dv)
{
  const dls_tangent_series *s = &tangents->series;
  const dls_changed_terms changed = tangents->changed[k];
  const size_t n = tangents->n;
  double *forces = s->columns > 0 ? tangents->dv : dv;
  if (s->columns > 0 && !changed.M) {
    const size_t begin = changed.K ? 0 : n / 4 * 4, end = changed.C ? s->columns : (n + 3) / 4 * 4;
    if (changed.K || changed.C) {
      multiply(n, end - begin, s->by + n * (k * s->columns + begin), y + begin, dv);
    }
    return;
  }
  if (s->columns > 0) {
    memset(forces, 0, n * sizeof *forces);
  }
  dls_slopes_along_matrices(tangents, k, y, y + n, forces);
  if (s->columns > 0) {
    dls_contact_system_inverse(&tangents->self.run->work.contacts, forces);
    for (size_t i = 0; i < n; i++) {
      dv[i] += forces[i];
    }
  }
}

/* dy := the right-hand side of (1) without loads. */
static void linear_part(dls_motion_tangents *tangents, const double *y, double *dy)
{
  const dls_tangent_series *s = &tangents->series;
  const size_t n = tangents->n, before = s->with_motion;
  for (size_t k = 0; k < tangents->count + before; k++) {
    memcpy(dy + 2 * n * k, y + 2 * n * k + n, n * sizeof *dy);
    memset(dy + 2 * n * k + n, 0, n * sizeof *dy);
  }
  if (s->columns > 0) {
    accelerate(tangents, y, dy);
  }
  for (size_t k = 0; k < tangents->count + before; k++) {
    const double *x = y + 2 * n * k;
    double *dv = dy + 2 * n * k + n;
    if (k > 0 && before > 0) {
      accelerate_by_parameter(tangents, k - 1, y, dv);
    }
    if (s->columns > 0) {
      react(tangents, dv);
    } else {
      subtract_forces(tangents->self.run->method.sys, x, x + n, dv);
      solve(tangents, dv);
    }
    if (before > 0 && k == 0) {
      memcpy(tangents->a, dv, n * sizeof *dv);
    }
  }
}

/* b[n columns] := accelerations of (1) at y = 0. @return 0; -1 where they are not finite */
static int accelerations_by_loads(void *data, double t, double *b)
{
  dls_motion_tangents *tangents = data;
  const size_t n = tangents->n, before = tangents->series.with_motion;
  const double *zero = tangents->series.zero;
  memset(b, 0, n * (tangents->count + before) * sizeof *b);
  if (before > 0) {
    dls_system_load(tangents->self.run->method.sys, dls_geometry_before_break(&tangents->self.run->state, t),
                    b);
    solve(tangents, b);
    memcpy(tangents->a, b, n * sizeof *b);
  }
  for (size_t k = 0; k < tangents->count; k++) {
    double *dv = b + n * (k + before);
    if (dls_tangent_has_ended(tangents, k)) {
      continue;
    }
    dls_slopes_along_load(tangents, k, t, dv);
    if (tangents->changed[k].M) {
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

/* A += weight (-K, -C) of a system; without K or C: without its columns. */
static void add_matrices(const dls_system *sys, bool K, bool C, double weight, size_t n, double *A)
{
  for (size_t j = 0; j < n; j++) {
    if (K && sys->K != NULL) {
      dls_matrix_column_add(sys->K, j, -weight, A + j * n);
    }
    if (C && sys->C != NULL) {
      dls_matrix_column_add(sys->C, j, -weight, A + (n + j) * n);
    }
  }
}

/* inverse := M^-1 of a dense M: a product costs less than a solve. */
static void invert_mass(dls_motion_tangents *tangents)
{
  dls_tangent_series *s = &tangents->series;
  for (size_t j = 0; j < tangents->n && s->inverse_columns > 0; j++) {
    s->inverse[j * tangents->n + j] = 1;
    dls_contact_system_inverse(&tangents->self.run->work.contacts, s->inverse + j * tangents->n);
  }
}

/* A := M^-1 A of some of its columns */
static void divide_by_mass(dls_motion_tangents *tangents, size_t begin, size_t end, double *A)
{
  dls_tangent_series *s = &tangents->series;
  const size_t n = tangents->n, bytes = n * sizeof *A;
  double *column = A + begin * n;
  for (size_t j = begin; j < end; j++, column += n) {
    if (s->inverse_columns == 0) {
      dls_contact_system_inverse(&tangents->self.run->work.contacts, column);
      continue;
    }
    memcpy(s->column, column, bytes);
    memset(column, 0, bytes);
    multiply(n, s->inverse_columns, s->inverse, s->column, column);
  }
}

/* A := M^-1 (-K, -C), and of directions their derivatives while M is fixed, padded by zeros; M is factored. */
static void form_matrices(dls_motion_tangents *tangents)
{
  const dls_system *sys = tangents->self.run->method.sys;
  dls_tangent_series *s = &tangents->series;
  const size_t n = tangents->n;
  invert_mass(tangents);
  add_matrices(sys, true, true, 1, n, s->A);
  divide_by_mass(tangents, sys->K != NULL ? 0 : n, sys->C != NULL ? 2 * n : n, s->A);
  for (size_t k = 0; k < tangents->count && s->with_motion; k++) {
    const dls_direction *direction = &tangents->result->direction[k];
    const dls_changed_terms changed = tangents->changed[k];
    double *by = s->by + k * n * s->columns;
    for (size_t i = 0; i < direction->count && !changed.M; i++) {
      add_matrices(direction->system[i], changed.K, changed.C, direction->weight[i], n, by);
    }
    if (!changed.M) {
      divide_by_mass(tangents, changed.K ? 0 : n, changed.C ? 2 * n : n, by);
    }
  }
  s->formed = true;
}

/* whole := A of (2), column by column. */
static void form_whole(dls_motion_tangents *tangents)
{
  dls_tangent_series *s = &tangents->series;
  double *unit = s->value;
  memset(unit, 0, s->size * sizeof *unit);
  for (size_t j = 0; j < s->size; j++) {
    unit[j] = 1;
    linear_part(tangents, unit, s->whole + j * s->rows);
    unit[j] = 0;
  }
  s->whole_formed = true;
}

void dls_tangent_series_create(dls_motion_tangents *tangents)
{
  const dls_system *sys = tangents->self.run->method.sys;
  const dls_configuration *config = tangents->self.run->work.contacts.config;
  const dls_changed_terms any = tangents->any;
  dls_tangent_series *s = &tangents->series;
  s->linear = tangents->exact && sys->r == 0 && tangents->tape == NULL;
  if (!s->linear) {
    return;
  }
  s->closed = !any.H && tangents->self.run->work.solver == NULL && !config->moves && !config->bends &&
              tangents->self.run->work.contacts.baumgarte == 0;
  s->with_motion = any.M || any.K || any.C;
  s->steady = !any.load && (!s->with_motion || sys->load == NULL || sys->steady_load);
  s->unit = sys->time;
  s->size = 2 * tangents->n * (tangents->count + s->with_motion);
  s->rate = 1 / s->unit;
  const bool dense = tangents->n <= threshold_tangent_dense;
  s->columns =
      dense || is_dense(sys->K) || is_dense(sys->C) || is_dense(sys->M) ? (2 * tangents->n + 3) / 4 * 4 : 0;
  s->inverse_columns = s->columns > 0 && is_dense(sys->M) ? (tangents->n + 3) / 4 * 4 : 0;
  s->rows = s->columns > 0 && !any.M && s->size <= threshold_tangent_whole ? (s->size + 3) / 4 * 4 : 0;
}

/* For the first phase: friction may leave none to series. @return false if out of memory */
static bool reserve(dls_motion_tangents *tangents)
{
  dls_tangent_series *s = &tangents->series;
  const size_t loads = s->size / 2, padding = 4;
  double *coefficients, *at;
  s->block = dls_arrays((const dls_slot[]){
      {dls_size_product(s->columns, tangents->n), {&s->A}},
      {dls_size_product(s->inverse_columns, tangents->n), {&s->inverse}},
      {s->inverse_columns, {&s->column}},
      {dls_size_product(s->with_motion ? tangents->count : 0, dls_size_product(s->columns, tangents->n)),
       {&s->by}},
      {s->rows * s->size, {&s->whole}},
      {(DLS_TANGENT_TERMS + 1) * s->size + padding, {&s->c}},
      {s->size + padding, {&s->w, &s->value}},
      {loads, {&s->w_load, &at}},
      {DLS_LOAD_POINTS * loads, {&s->b, &coefficients}},
      {tangents->n, {&s->zero}},
      {0}});
  s->load.used = loads;
  if (s->block != NULL && !s->steady) {
    dls_load_series_start(&s->load, loads, coefficients, at);
  }
  return s->block != NULL;
}

void dls_tangent_series_destroy(dls_motion_tangents *tangents)
{
  free(tangents->series.block);
}

/* --- the series --- */

/* NaN if an entry is not finite, so that sums of terms are finite. */
static double weighted(const dls_tangent_series *s, const double *x)
{
  double most = 0, zero = 0;
  for (size_t i = 0; i < s->size; i++) {
    const double value = fabs(s->w[i] * x[i]);
    most = value > most ? value : most;
    zero += 0 * value;
  }
  return most + zero;
}

/* next := whole c, four rows at once; behind next there is room for three more. */
static void multiply_whole(const dls_tangent_series *s, const double *restrict c, double *restrict next)
{
  for (size_t i = 0; i < s->size; i += 4) {
    const double *restrict a = s->whole + i;
    double sum[4] = {0};
    for (size_t j = 0; j < s->size; j++, a += s->rows) {
      for (int k = 0; k < 4; k++) {
        sum[k] += a[k] * c[j];
      }
    }
    for (int k = 0; k < 4; k++) {
      next[i + (size_t)k] = sum[k];
    }
  }
}

/* (2) */
static void add_term(dls_motion_tangents *tangents)
{
  dls_tangent_series *s = &tangents->series;
  const size_t n = tangents->n;
  const int k = s->terms;
  double *next = s->c + (size_t)(k + 1) * s->size;
  if (s->whole_formed && tangents->self.run->state.active.count == 0) {
    multiply_whole(s, next - s->size, next);
  } else {
    linear_part(tangents, next - s->size, next);
  }
  for (size_t i = 0; k <= s->load.degree && i < s->load.used; i++) {
    next[i / n * 2 * n + n + i % n] += s->b[(size_t)k * (s->size / 2) + i];
  }
  const double factor = s->unit / (k + 1);
  for (size_t i = 0; i < s->size; i++) {
    next[i] *= factor;
  }
  s->norm[k + 1] = weighted(s, next);
  s->failed = s->failed || isnan(s->norm[k + 1]);
  s->terms++;
}

typedef double pair __attribute__((vector_size(2 * sizeof(double)))); /* of entries; their number is even */

static inline pair read_pair(const double *x)
{
  pair y;
  memcpy(&y, x, sizeof y);
  return y;
}

static inline void write_pair(pair y, double *x)
{
  memcpy(x, &y, sizeof y);
}

/* value := the sum of the first terms at s, and rates := its derivative by t unless NULL, of `width` entries from i on, 2 or 4, in registers */
static inline void sum_entries(const dls_tangent_series *s, int terms, double at, size_t i, int width,
                               double *value, double *rates)
{
  const bool both = width > 2;
  const double *c = s->c + (size_t)terms * s->size + i;
  pair y = read_pair(c), z = both ? read_pair(c + 2) : y, dy = {0}, dz = {0};
  if (rates == NULL) {
    for (int k = terms; k > 0; k--) {
      c -= s->size;
      y = at * y + read_pair(c);
      z = both ? at * z + read_pair(c + 2) : z;
    }
  } else {
    for (int k = terms; k > 0; k--) {
      c -= s->size;
      dy = at * dy + y;
      y = at * y + read_pair(c);
      dz = both ? at * dz + z : dz;
      z = both ? at * z + read_pair(c + 2) : z;
    }
    write_pair(s->rate * dy, rates);
  }
  write_pair(y, value);
  if (both) {
    write_pair(z, value + 2);
  }
  if (both && rates != NULL) {
    write_pair(s->rate * dz, rates + 2);
  }
}

/* The same of entries `first` and behind, four at once. */
static void sum_terms(const dls_tangent_series *s, int terms, double at, size_t first, double *value,
                      double *rates)
{
  size_t i = first;
  for (; i + 2 < s->size; i += 4, value += 4, rates += rates != NULL ? 4 : 0) {
    sum_entries(s, terms, at, i, 4, value, rates);
  }
  if (i < s->size) {
    sum_entries(s, terms, at, i, 2, value, rates);
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
  sum_terms(s, s->terms, at, 2 * n * before, s->value + 2 * n * before, NULL);
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
  for (size_t i = 0; i < s->size / 2 && !s->steady; i++) {
    s->w_load[i] = s->w[i / n * 2 * n + n + i % n];
  }
  for (int k = 0; k <= s->terms; k++) {
    s->norm[k] = weighted(s, s->c + (size_t)k * s->size);
    s->failed = s->failed || isnan(s->norm[k]);
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
  s->terms = s->used = 0;
  s->enough = 0;
  if (!s->steady && !(t >= s->load_begin && t < s->load_end)) { /* for the polynomials of loads */
    set_weights(tangents, run, 0);
  }
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
  int small = 0,
      k = s->used > 1 ? s->used - 1 : 0; /* a node before needed `used`, and this one as many at least */
  double square = at;
  for (int i = k; i > 0; i /= 2, square *= square) {
    power *= i % 2 > 0 ? square : 1;
  }
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

/* The terms for a sum at s, and at later nodes of the step up to a little further on. @return s; less: there are not enough */
static double choose_terms(dls_motion_tangents *tangents, const dls_event_integrator *run, double at)
{
  dls_tangent_series *s = &tangents->series;
  const double end = (fmin(run->state.located.t, run->state.right.t) - s->origin) / s->unit;
  const double enough = fmax(fmin(threshold_tangent_terms_ahead * at, end), at);
  const int terms = terms_for(tangents, enough);
  s->used = terms <= DLS_TANGENT_TERMS ? terms : DLS_TANGENT_TERMS;
  s->enough = terms <= DLS_TANGENT_TERMS ? enough : longest(s);
  return fmin(at, s->enough);
}

/* The tangents, and the motion, at the begin of a phase. M and the rows of closed contacts do not depend on (t, q). */
static void begin_phase(dls_motion_tangents *tangents, const dls_event_integrator *run)
{
  dls_tangent_series *s = &tangents->series;
  const size_t n = tangents->n, before = s->with_motion;
  const bool closed = tangents->self.run->state.active.count > 0;
  if (before > 0) {
    dls_engine_interpolate(run->work.engine, tangents->t, 0, tangents->y);
    memcpy(s->c, tangents->y, 2 * n * sizeof *s->c);
  }
  s->any_ended = false;
  for (size_t k = 0; k < tangents->count; k++) {
    double *c = s->c + 2 * n * (k + before);
    memset(c, 0, 2 * n * sizeof *c);
    if (dls_tangent_has_ended(tangents, k)) {
      s->any_ended = true;
    } else {
      memcpy(c, tangents->x + 2 * n * k, 2 * n * sizeof *c);
    }
  }
  if (closed || s->was_closed) { /* accelerations by loads depend on the contacts */
    s->load_end = s->load_begin;
  }
  s->was_closed = closed;
  if (s->columns > 0 && !s->formed) {
    form_matrices(tangents);
  }
  if (s->rows > 0 && !s->whole_formed && !closed) {
    form_whole(tangents);
  }
}

/* The tangents, unless they have ended, and their rates := the sum at t. */
static void take_sum(dls_motion_tangents *tangents, double t, double at)
{
  dls_tangent_series *s = &tangents->series;
  const size_t n = tangents->n, first = 2 * n * s->with_motion;
  sum_terms(s, s->used, at, first, s->any_ended ? s->value : tangents->x, tangents->rates);
  for (size_t k = 0; k < tangents->count && s->any_ended; k++) {
    if (!dls_tangent_has_ended(tangents, k)) {
      memcpy(tangents->x + 2 * n * k, s->value + 2 * n * k, 2 * n * sizeof *s->value);
    }
  }
  tangents->t = s->at_t = t;
}

/* To t. @return false: no series leads there */
static bool evaluate(dls_motion_tangents *tangents, dls_event_integrator *run, double t)
{
  dls_tangent_series *s = &tangents->series;
  for (int steps = 0; steps < threshold_tangent_series_steps; steps++) {
    const double end = t < s->load_end ? t : s->load_end, whole = (end - s->origin) / s->unit;
    const double at = whole <= s->enough ? whole : choose_terms(tangents, run, whole);
    if (s->failed) {
      return false;
    }
    if (at == whole && end == t) {
      take_sum(tangents, t, at);
      return true;
    }
    sum_terms(s, s->used, at, 0, s->value, NULL);
    const double reached = at == whole ? end : s->origin + at * s->unit;
    memcpy(s->c, s->value, s->size * sizeof *s->c);
    if (!(reached > s->origin) || !begin_series(tangents, run, reached, (t - reached) / s->unit)) {
      return false;
    }
  }
  return false;
}

/* The same by more terms, or by another series. */
static bool advance_series(dls_motion_tangents *tangents, dls_event_integrator *run, double t)
{
  dls_tangent_series *s = &tangents->series;
  if (!s->linear || s->failed || !(s->closed || tangents->self.run->state.active.count == 0)) {
    return false;
  }
  if (s->block == NULL && !reserve(tangents)) {
    s->failed = s->no_memory = true;
    return false;
  }
  if (!s->begun) {
    begin_phase(tangents, run);
    s->begun = true;
    s->failed = !begin_series(tangents, run, tangents->t, (t - tangents->t) / s->unit) || s->failed;
  }
  s->failed = s->failed || !evaluate(tangents, run, t);
  return !s->failed;
}

bool dls_tangent_series_advance(dls_motion_tangents *tangents, dls_event_integrator *run, double t)
{
  dls_tangent_series *s = &tangents->series;
  const double at = (t - s->origin) / s->unit;
  if (!(s->begun && !s->failed && at <= s->enough && t <= s->load_end)) {
    return advance_series(tangents, run, t);
  }
  take_sum(tangents, t, at);
  return true;
}
