/* event_driven/integrator/exact_flow.c -- the exact motion of linear systems: y' = A y + b(t) with constant A, by its power series.
 *
 * Within a step y(t0 + s h) = sum_k c_k s^k with
 *   c_0 = y(t0),   c_k+1 = h (A c_k + b_k) / (k + 1),   b(t0 + s h) = sum_k b_k s^k   (1)
 * which for b = 0 is exp(s h A) y(t0). The step h is the longest for which the last terms are below round-off, so that results
 * depend on the length of steps only by rounding. A free flight is one polynomial of degree two, and its steps have no limit.
 * A is evaluated column by column with the right-hand side at every restart, because the index set has changed. Loads are
 * polynomials through their values at Chebyshev points; their last coefficients have to be small beside the tolerance.
 *
 * Source: Moler & Van Loan 2003, SIAM Review 45, 3-49, method 1, with steps instead of squarings; Jorba & Zou 2005, Exp. Math. 14,
 * 99-117, eq. (17) for the step.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/memory.h"
#include "event_driven/integrator/engine_kind.h"
#include "event_driven/integrator/load_series.h"
#include <float.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>

enum { DEGREE = 20 }; /* of y; steps are then 1.9 divided by the rate of the system */

typedef struct flow_engine {
  dls_engine base;
  double *block;
  size_t columns;    /* of A that are not zero: the first ones */
  double *A;         /* size x columns, by rows */
  double *c;         /* (DEGREE + 1) x size: of the last step */
  double *zero, *at; /* size */
  dls_load_series load;
  double *w;       /* size: 1 / error allowed */
  double begin, h; /* the last step */
  double next;     /* proposed; > 0 */
  double longest;  /* of the next step: doubles from one to the next [s] */
  size_t steps, rejected;
} flow_engine;

static bool flow_open(dls_engine *engine)
{
  flow_engine *self = (flow_engine *)engine;
  const size_t size = engine->spec.size;
  self->block = calloc(dls_size_product(size, size + DEGREE + 1 + DLS_LOAD_POINTS + 3), sizeof *self->block);
  if (self->block == NULL) {
    return false;
  }
  self->A = self->block;
  self->c = self->A + size * size;
  double *b = self->c + size * (DEGREE + 1);
  self->zero = b + size * DLS_LOAD_POINTS;
  self->at = self->zero + size;
  self->w = self->at + size;
  dls_load_series_start(&self->load, size, b, self->at);
  return true;
}

static void flow_close(dls_engine *engine)
{
  free(((flow_engine *)engine)->block);
}

static int evaluate(flow_engine *self, double t, const double *y, double *dy)
{
  const dls_engine_spec *spec = &self->base.spec;
  return spec->rhs(spec->data, t, y, dy);
}

/* A := the columns (f(t, probe e_i) - f(t, 0)) / probe. */
static bool read_matrix(flow_engine *self, double t)
{
  const size_t size = self->base.spec.size, columns = self->columns = self->base.spec.columns;
  double *f = self->c, *f0 = self->c + size;
  if (evaluate(self, t, self->zero, f0) != 0) {
    return false;
  }
  for (size_t i = 0; i < columns; i++) {
    memcpy(self->at, self->zero, size * sizeof *f);
    self->at[i] = threshold_probe;
    if (evaluate(self, t, self->at, f) != 0) {
      return false;
    }
    for (size_t row = 0; row < size; row++) {
      self->A[row * columns + i] = (f[row] - f0[row]) / threshold_probe;
    }
  }
  memcpy(self->load.b, f0, size * sizeof *f);
  return true;
}

static dls_status failed(double t, dls_error *err)
{
  return dls_fail(err, DLS_ERR_INTEGRATOR,
                  "flow: the forces are not finite near t = %.17g; they must be finite there", t);
}

static dls_status flow_restart(dls_engine *engine, double t, const double *y, double flight, dls_error *err)
{
  flow_engine *self = (flow_engine *)engine;
  self->steps = self->rejected = 0;
  self->begin = t;
  self->h = 0;
  self->longest = flight > 0 ? threshold_past_flight * flight : engine->spec.time_scale;
  self->next = self->next > 0 ? self->next : self->longest;
  if (!read_matrix(self, t)) {
    return failed(t, err);
  }
  memcpy(NV_DATA_S(engine->y), y, engine->spec.size * sizeof *y);
  return DLS_OK;
}

static double weighted(const flow_engine *self, const double *x)
{
  double most = 0;
  for (size_t i = 0; i < self->base.spec.size; i++) {
    most = fmax(most, fabs(self->w[i] * x[i]));
  }
  return most;
}

/* (1): c_k+1 = h (A c_k + b_k) / (k + 1) */
static void next_term(flow_engine *self, double h, int k)
{
  const size_t size = self->base.spec.size, columns = self->columns;
  const double *c = self->c + (size_t)k * size, factor = h / (k + 1);
  double *next = self->c + (size_t)(k + 1) * size;
  for (size_t row = 0; row < size; row++) {
    double sum = k <= self->load.degree ? self->load.b[(size_t)k * size + row] : 0;
    for (size_t i = 0; i < columns; i++) {
      sum += self->A[row * columns + i] * c[i];
    }
    next[row] = factor * sum;
  }
}

/* The c_k for [0, h] become those for [0, factor h]. */
static void rescale(flow_engine *self, double factor)
{
  const size_t size = self->base.spec.size;
  double power = 1;
  for (int k = 1; k <= DEGREE; k++) {
    power *= factor;
    for (size_t i = 0; i < size; i++) {
      self->c[(size_t)k * size + i] *= power;
    }
  }
}

/* Factor by which the step may be longer so that its last two terms are round-off. 0: its terms have overflowed. */
static double room(const flow_engine *self)
{
  const size_t size = self->base.spec.size;
  double largest = 0;
  for (int k = 0; k <= DEGREE; k++) {
    largest = fmax(largest, weighted(self, self->c + (size_t)k * size));
  }
  double factor = HUGE_VAL;
  for (int k = DEGREE - 1; k <= DEGREE; k++) {
    const double term = weighted(self, self->c + (size_t)k * size);
    factor =
        fmin(factor, term > 0 ? pow(threshold_last_term * DBL_EPSILON * largest / term, 1.0 / k) : HUGE_VAL);
  }
  return largest < HUGE_VAL ? factor : 0;
}

static double limit(const dls_engine *engine, double t, double h)
{
  const dls_engine_spec *spec = &engine->spec;
  const double smooth = dls_engine_stop(engine) - t;
  return fmin(fmin(h, smooth > 0 ? smooth : h), spec->max_step > 0 ? spec->max_step : HUGE_VAL);
}

static int load_at(void *flow, double t, double *b)
{
  flow_engine *self = flow;
  return evaluate(self, t, self->zero, b);
}

/* Fit the load by a polynomial over the longest part of h where that is possible. @param[out] more  factor by which h might be longer
 * @return the length; 0: the load has no value, or is not a polynomial */
static double fit_load(flow_engine *self, double t, double h, double *more)
{
  for (int i = 0; i < threshold_load_tries && dls_load_series_read(&self->load, load_at, self, t, h); i++) {
    *more = dls_load_series_room(&self->load, self->w, t, h);
    if (*more >= 1 || t + h / 2 == t) {
      dls_load_series_to_powers(&self->load);
      return h;
    }
    h *= fmax(threshold_load_margin * *more, threshold_load_shrink);
    self->rejected++;
  }
  return 0;
}

/* The terms for [0, h]. @return false if they overflow */
static bool sum_terms(flow_engine *self, double h)
{
  for (int k = 0; k < DEGREE; k++) {
    next_term(self, h, k);
  }
  return room(self) > 0;
}

/* A step grows by up to this at once: its power of DEGREE is finite, and terms that are 0 stay so. */
static const double most_growth = 0x1p40;

/* Shorten the step, or lengthen it up to `most`, until its last terms are just round-off of its largest term. In a step that is much
 * too long the largest term is one of the last. @return the factor */
static double fit_step(flow_engine *self, double most)
{
  double factor = 1, change;
  do {
    change = fmin(fmin(room(self), most / factor), most_growth);
    factor *= change;
    rescale(self, change);
  } while (change < threshold_long_enough);
  return factor;
}

/* A step whose terms overflow is shortened by this; any factor below 1 leads to a step that fits. */
static const double overflow_step = 0x1p-10;

/* The series of one step. @return its length; 0 where the load has no value */
static double make_series(flow_engine *self, double t, double longest)
{
  const bool steady = self->base.spec.steady;
  double h = fmin(self->next, longest), more = HUGE_VAL;
  h = steady ? h : fit_load(self, t, h, &more);
  while (h > 0 && !sum_terms(self, h)) {
    h = steady ? h * overflow_step : fit_load(self, t, h * overflow_step, &more);
  }
  if (!(h > 0)) {
    return 0;
  }
  const double factor = fit_step(self, steady ? longest / h : 1);
  self->next = h * factor * (steady ? 1 : fmin(more, room(self)));
  return h * factor;
}

static dls_status flow_step(dls_engine *engine, double *t, double *y, double *bracket, dls_error *err)
{
  flow_engine *self = (flow_engine *)engine;
  const size_t size = engine->spec.size;
  const double begin = self->begin + self->h;
  double *state = NV_DATA_S(engine->y);
  (void)bracket; /* this engine has no root finder */
  memcpy(self->c, state, size * sizeof *state);
  engine->spec.weights(engine->spec.data, state, self->w);
  const double h = make_series(self, begin, limit(engine, begin, self->longest));
  if (!(h > 0)) {
    return failed(begin, err);
  }
  self->longest = 2 * fmax(self->longest, h);
  self->begin = begin;
  *t = begin + h;
  self->steps++;
  if (!(*t > begin)) { /* below the round-off of t: the series is kept for the derivatives at its start */
    self->h = h;
    memcpy(y, state, size * sizeof *state);
    return dls_engine_note_step(engine, begin, *t, err);
  }
  self->h = *t - begin; /* as t is rounded */
  rescale(self, self->h / h);
  memset(state, 0, size * sizeof *state);
  for (int k = DEGREE; k >= 0; k--) {
    for (size_t i = 0; i < size; i++) {
      state[i] += self->c[(size_t)k * size + i];
    }
  }
  memcpy(y, state, size * sizeof *y);
  return dls_engine_note_step(engine, begin, *t, err);
}

/* k (k - 1) ... (k - order + 1) */
static double falling(int k, int order)
{
  double product = 1;
  for (int i = 0; i < order; i++) {
    product *= k - i;
  }
  return product;
}

static void flow_interpolate(const dls_engine *engine, double t, int derivative, size_t first, size_t count,
                             double *y)
{
  const flow_engine *self = (const flow_engine *)engine;
  const size_t size = engine->spec.size;
  const double s = self->h > 0 ? (t - self->begin) / self->h : 0;
  memset(y + first, 0, count * sizeof *y);
  for (int k = DEGREE; k >= derivative; k--) {
    const double factor = falling(k, derivative);
    for (size_t i = first; i < first + count; i++) {
      y[i] = s * y[i] + factor * self->c[(size_t)k * size + i];
    }
  }
  for (int i = 0; i < derivative; i++) {
    for (size_t j = first; j < first + count; j++) {
      y[j] /= self->h;
    }
  }
}

static double binomial_of_six(int k)
{
  return falling(k, 6) / 720;
}

/* |f^(6)|/6! <= sum_k |f_k| binomial(k, 6)/h^6 for f = sum_k f_k s^k on [0, 1]; here f is a derivative of y. */
static double flow_derivative_bound(const dls_engine *engine, int derivative, const double *x)
{
  const flow_engine *self = (const flow_engine *)engine;
  const size_t size = engine->spec.size;
  double bound = 0;
  for (int k = 6 + derivative; k <= DEGREE; k++) {
    double term = 0;
    for (size_t i = 0; i < size; i++) {
      term += x[i] * self->c[(size_t)k * size + i];
    }
    bound += fabs(term) * falling(k, derivative) * binomial_of_six(k - derivative);
  }
  return bound / pow(self->h, 6 + derivative);
}

static void flow_count(const dls_engine *engine, dls_engine_work *total)
{
  const flow_engine *self = (const flow_engine *)engine;
  total->steps = self->steps;
  total->rejected = self->rejected;
}

const dls_engine_kind dls_engine_flow = {
    .name = "flow",
    .bytes = sizeof(flow_engine),
    .vectors = 1,
    .open = flow_open,
    .close = flow_close,
    .restart = flow_restart,
    .step = flow_step,
    .interpolate = flow_interpolate,
    .count = flow_count,
    .derivative_bound = flow_derivative_bound,
};
