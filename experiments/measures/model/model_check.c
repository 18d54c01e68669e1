/* experiments/measures/model/model_check.c -- callbacks against difference quotients, at random states.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/model/model_check.h"

#include "common/base/arrays.h"
#include "common/base/larger.h"
#include "experiments/measures/model/model_probe.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps of the quotients, in scales of what is varied: their own error is of order 4 in it, rounding of
 * order -1. */
static const double step = 1e-4;
/* Tolerances, relative to the largest value of the derivative, and to the function over the scale of the varied coordinate. */
static const double allowed_of_slope = 1e-6, allowed_of_value = 1e-9;
/* If the quotients of both steps differ by more than this fraction, there is a kink between: the state is skipped. */
static const double kink = 3e-4;

/* f at the state, moved by s along the path. */
static void value_at(const dls_probe *p, const dls_claim *claim, size_t column, double s, double *f)
{
  const size_t n = p->sys->n;
  double t = p->t;
  memcpy(p->q_moved, p->q, n * sizeof *p->q);
  memcpy(p->v_moved, p->v, n * sizeof *p->v);
  if (claim->along == DLS_ALONG_Q) {
    p->q_moved[column] += s;
  } else if (claim->along == DLS_ALONG_V) {
    p->v_moved[column] += s;
  } else if (claim->along != DLS_ALONG_X) {
    t += s;
  }
  for (size_t i = 0; i < n && claim->along >= DLS_ALONG_MOTION; i++) {
    p->q_moved[i] += s * (claim->along == DLS_ALONG_X ? p->x[i] : p->v[i]);
  }
  claim->value(p, t, p->q_moved, p->v_moved, f);
}

static double path_scale(const dls_probe *p, const dls_claim *claim, size_t column)
{
  switch (claim->along) {
  case DLS_ALONG_Q:
    return dls_probe_scale(p->sys, column);
  case DLS_ALONG_V:
    return dls_probe_scale(p->sys, column) / p->sys->time;
  case DLS_ALONG_X:
    return 1;
  default:
    return p->sys->time;
  }
}

/* Arrays of the values of a function. */
typedef struct room {
  double *plus, *minus, *coarse, *quotient, *slope;
  double *block;
} room;

/* quotient := (4 D(h/2) - D(h)) / 3 and coarse := D(h) with D(h) = (f(h) - f(-h)) / 2h. @return the largest
 * |f| */
static double differentiate(const dls_probe *p, const dls_claim *claim, size_t column, size_t rows, room *r)
{
  const double h = step * path_scale(p, claim, column);
  double size = 0;
  for (int half = 0; half < 2; half++) {
    const double s = half ? h / 2 : h;
    value_at(p, claim, column, s, r->plus);
    value_at(p, claim, column, -s, r->minus);
    for (size_t i = 0; i < rows; i++) {
      const double D = (r->plus[i] - r->minus[i]) / (2 * s);
      r->quotient[i] = half ? (4 * D - r->coarse[i]) / 3 : D;
      r->coarse[i] = half ? r->coarse[i] : D;
      size = dls_larger(size, fabs(r->plus[i]));
    }
  }
  return size;
}

static bool has_kink(double coarse, double fine, double allowed)
{
  return fabs(fine - coarse) > kink * fmax(fabs(fine), fabs(coarse)) + allowed;
}

static void note(dls_model_check_row *row, double slope, double quotient, size_t i, size_t column, double t)
{
  const double difference = fabs(slope - quotient);
  row->size = dls_larger(row->size, dls_larger(fabs(slope), fabs(quotient)));
  if (!(difference <= row->difference) &&
      !isnan(row->difference)) { /* a callback that is NaN where its function is not, too */
    row->difference = difference;
    row->value = slope;
    row->quotient = quotient;
    row->row = i;
    row->column = column;
    row->t = t;
  }
}

/* One derivative at one state. States outside the domain of the model, where values are not finite, are skipped. */
static void compare(const dls_probe *p, const dls_claim *claim, size_t column, size_t rows, room *r,
                    dls_model_check_row *row)
{
  const double size = differentiate(p, claim, column, rows, r);
  claim->slope(p, column, r->slope);
  if (!isfinite(size)) {
    return;
  }
  const double allowed = allowed_of_value * size / path_scale(p, claim, column);
  row->allowed = fmax(row->allowed, allowed);
  for (size_t i = 0; i < rows; i++) {
    if (!has_kink(r->coarse[i], r->quotient[i], allowed)) {
      note(row, r->slope[i], r->quotient[i], i, column, p->t);
    }
  }
}

/* Of many coordinates some at random. */
static size_t column_at(const dls_probe *p, gsl_rng *rng, size_t k)
{
  enum { ALL = 24 };
  return p->sys->n <= ALL ? k : gsl_rng_uniform_int(rng, p->sys->n);
}

static size_t column_count(const dls_probe *p, const dls_claim *claim)
{
  enum { MOST = 24 };
  const size_t n = p->sys->n;
  return claim->along > DLS_ALONG_V ? 1 : n < MOST ? n : MOST;
}

static void check_claim(dls_probe *p, const dls_claim *claim, size_t states, gsl_rng *rng, room *r,
                        dls_model_check *out)
{
  dls_model_check_row *row = &out->rows[out->count++];
  *row = (dls_model_check_row){.callback = claim->callback,
                               .meaning = claim->meaning,
                               .absent = !claim->given(p->sys),
                               .difference = -1};
  const size_t rows = claim->rows(p->sys);
  for (size_t k = 0; k < states; k++) {
    dls_probe_draw(p, rng);
    for (size_t j = 0; j < column_count(p, claim); j++) {
      const size_t column = claim->along > DLS_ALONG_V ? 0 : column_at(p, rng, j);
      compare(p, claim, column, rows, r, row);
    }
  }
  row->allowed = fmax(row->allowed, allowed_of_slope * row->size);
  if (row->difference < 0) {
    row->difference = NAN;
  }
  row->agrees = row->difference <= row->allowed;
  out->wrong += !row->agrees;
}

static void check_symmetry(dls_probe *p, dls_model_check_row *row)
{
  for (size_t i = 0; i < p->sys->n; i++) {
    for (size_t j = 0; j <= i; j++) {
      const double one = dls_matrix_get(p->M, i, j), other = dls_matrix_get(p->M, j, i);
      row->size = dls_larger(row->size, fabs(one));
      if (!(fabs(one - other) <= row->difference)) {
        row->difference = fabs(one - other);
        row->value = one;
        row->quotient = other;
        row->row = i;
        row->column = j;
      }
    }
  }
}

/* A mass matrix that varies: symmetric, and positive definite. */
static dls_status check_mass(dls_probe *p, size_t states, gsl_rng *rng, dls_model_check *out, dls_error *err)
{
  dls_model_check_row *row = &out->rows[out->count++];
  *row = (dls_model_check_row){.callback = "mass", .meaning = "symmetric, definite", .agrees = true};
  dls_status status = DLS_OK;
  for (size_t k = 0; k < states && status == DLS_OK; k++) {
    size_t pivot = p->sys->n;
    dls_probe_draw(p, rng);
    dls_system_mass(p->sys, p->q, p->M);
    check_symmetry(p, row);
    status = dls_matrix_positive_definite(p->M, &pivot, err);
    if (status == DLS_OK && pivot < p->sys->n) {
      row->agrees = false;
      row->row = row->column = pivot;
      row->value = dls_matrix_get(p->M, pivot, pivot);
      row->quotient = NAN;
    }
  }
  row->allowed = allowed_of_slope * row->size;
  row->agrees = row->agrees && row->difference <= row->allowed;
  out->wrong += !row->agrees;
  return status;
}

static dls_status check_all(dls_probe *p, size_t states, gsl_rng *rng, dls_model_check *out, dls_error *err)
{
  for (const dls_claim *claim = dls_claims; claim->callback != NULL; claim++) {
    const size_t rows = claim->rows(p->sys);
    room r;
    if (rows == 0) {
      continue;
    }
    r.block =
        dls_arrays((const dls_slot[]){{rows, {&r.plus, &r.minus, &r.coarse, &r.quotient, &r.slope}}, {0}});
    if (r.block == NULL) {
      return dls_fail(err, DLS_ERR_MEMORY, "no memory to check %s", claim->callback);
    }
    check_claim(p, claim, states, rng, &r, out);
    free(r.block);
  }
  return dls_system_mass_varies(p->sys) ? check_mass(p, states, rng, out, err) : DLS_OK;
}

dls_status dls_model_check_run(const dls_system *sys, size_t states, unsigned long seed, dls_model_check *out,
                               dls_error *err)
{
  *out = (dls_model_check){0};
  if (states == 0) {
    return dls_fail(err, DLS_ERR_ARG, "states = 0: a model is checked at one state at least");
  }
  dls_probe probe;
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_status status = dls_probe_create(sys, &probe, err);
  if (rng == NULL) {
    status = dls_fail(err, DLS_ERR_MEMORY, "no memory to check a model");
  }
  if (status == DLS_OK) {
    gsl_rng_set(rng, seed);
    status = check_all(&probe, states, rng, out, err);
  }
  dls_probe_destroy(&probe);
  gsl_rng_free(rng);
  return status;
}
