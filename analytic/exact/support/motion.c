/* analytic/exact/support/motion.c -- see motion.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/motion.h"
#include "analytic/exact/support/pieces.h"
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 100000 };

dls_wave_state dls_motion_at(const dls_motion *motion, long double s)
{
  const dls_wave_state a = dls_wave_at(&motion->own, s), b = dls_wave_at(&motion->forced, s);
  return (dls_wave_state){a.x + b.x, a.d + b.d, a.dd + b.dd};
}

/* The same for rows of tables. */
static dls_wave_state row_at(const dls_motion *motion, long double s)
{
  const dls_wave_shape own = dls_wave_row_shape(motion->own.omega, s);
  const dls_wave_shape forced = dls_wave_row_shape(motion->forced.omega, s);
  const dls_wave_state a = dls_wave_with(&motion->own, &own), b = dls_wave_with(&motion->forced, &forced);
  return (dls_wave_state){a.x + b.x, a.d + b.d, a.dd + b.dd};
}

dls_exact_solution *dls_motion_create(size_t n, size_t m)
{
  dls_exact_solution *sol = calloc(1, sizeof *sol);
  if (sol != NULL) {
    sol->n = n;
    sol->m = m;
    for (size_t j = 0; j < m; j++) {
      sol->gap[j].minus = SIZE_MAX;
    }
  }
  return sol;
}

static long double fourth_of(const dls_motion_piece *piece, size_t n)
{
  long double fourth = 0;
  for (size_t i = 0; i < n; i++) {
    const dls_wave *own = &piece->of[i].own, *forced = &piece->of[i].forced;
    fourth = fmaxl(fourth, dls_wave_fourth(own) + dls_wave_fourth(forced));
    fourth = fmaxl(fourth, dls_wave_fifth(own) + dls_wave_fifth(forced));
  }
  return fourth;
}

dls_status dls_motion_push(dls_exact_solution *sol, const dls_motion_piece *piece, dls_error *err)
{
  void *pieces = sol->pieces;
  dls_status status = dls_pieces_allow(sol->pushed++, piece->start, err);
  if (status == DLS_OK) {
    status = dls_pieces_room(&pieces, sizeof *piece, sol->count, &sol->capacity, piece->start, err);
  }
  sol->pieces = pieces;
  if (status != DLS_OK) {
    return status;
  }
  if (sol->count > 0 && (double)piece->start <= (double)sol->pieces[sol->count - 1].start) {
    sol->count--;
  }
  sol->pieces[sol->count] = *piece;
  sol->pieces[sol->count++].fourth = fourth_of(piece, sol->n);
  return DLS_OK;
}

void dls_motion_destroy(dls_exact_solution *sol)
{
  free(sol->pieces);
  free(sol);
}

size_t dls_motion_pieces(const dls_exact_solution *sol)
{
  return sol->count;
}

double dls_motion_start(const dls_exact_solution *sol, size_t piece)
{
  return (double)sol->pieces[piece].start;
}

void dls_motion_gaps(const dls_exact_solution *sol, double t, const double *q, const double *v, double *g,
                     double *u)
{
  (void)t;
  for (size_t j = 0; j < sol->m; j++) {
    const dls_motion_gap *gap = &sol->gap[j];
    const bool two = gap->minus != SIZE_MAX;
    g[j] = q[gap->plus] - gap->offset - (two ? q[gap->minus] : 0);
    u[j] = v[gap->plus] - (two ? v[gap->minus] : 0);
  }
}

void dls_motion_initial(const dls_exact_solution *sol, dls_exact_value *out)
{
  dls_motion_value(sol, 0, 0, out);
  memcpy(out->q, sol->q0, sol->n * sizeof *out->q);
  memcpy(out->v, sol->v0, sol->n * sizeof *out->v);
}

/* The side of a start at which t lies: never before the piece, and its right limit up to the double of its start. */
static long double since(const dls_motion_piece *piece, double t)
{
  return t <= (double)piece->start ? 0 : fmaxl(0, t - piece->start);
}

void dls_motion_value(const dls_exact_solution *sol, size_t piece, double t, dls_exact_value *out)
{
  const dls_motion_piece *at = &sol->pieces[piece];
  long double s = since(at, t);
  if (piece + 1 < sol->count && t >= (double)at[1].start) {
    s = at[1].start - at->start; /* left limit */
  }
  for (size_t i = 0; i < sol->n; i++) {
    const dls_wave_state x = row_at(&at->of[i], s);
    out->q[i] = (double)x.x;
    out->v[i] = (double)x.d;
    out->a[i] = (double)x.dd;
  }
  for (size_t j = 0; j < sol->m; j++) {
    const bool impact = at->has_event && at->event.contact == j && t <= (double)at->start;
    out->p[j] = impact ? at->event.impulse : 0;
    out->lambda[j] = at->lambda[j];
    out->status[j] = at->status[j];
  }
}

bool dls_motion_event(const dls_exact_solution *sol, size_t piece, dls_event *out)
{
  *out = sol->pieces[piece].event;
  return sol->pieces[piece].has_event;
}

/* Cubic Hermite interpolation of x errs by h^4/384 max |x''''|. */
double dls_motion_spacing(const dls_exact_solution *sol, size_t piece, double t, double accuracy)
{
  const long double fourth = sol->pieces[piece].fourth;
  (void)t;
  return fourth > 0 ? (double)sqrtl(sqrtl(384 * accuracy / fourth)) : HUGE_VAL;
}

/* A step over which x > 0 for sure: until x + x' y - M y^2 / 2 = 0 for M >= |x''|, or where that is 0 at the start, the
 * same with one derivative more, or two. */
static long double sure_step(const dls_bounded *f, unsigned lead, const long double x[4])
{
  const long double M = fmaxl(f->second, LDBL_MIN), L = fmaxl(f->third, LDBL_MIN);
  if (lead == 3) {
    return 2 * x[3] / fmaxl(f->fourth, LDBL_MIN);
  }
  if (lead == 2) {
    return 1.5L * x[2] / L;
  }
  if (lead == 1) {
    return x[1] / M;
  }
  const long double root = sqrtl(x[1] * x[1] + 2 * M * x[0]);
  return x[1] > 0 ? (x[1] + root) / M : 2 * x[0] / (root - x[1]); /* without cancellation */
}

bool dls_bounded_first_zero(const dls_bounded *f, unsigned lead, long double s_max, long double *s)
{
  long double x[4];
  *s = 0;
  for (int k = 0; k < STEPS_MAX && *s <= s_max; k++) {
    f->at(f->data, *s, x);
    if (k > 0 && x[0] <= 0) {
      return true;
    }
    const long double step = sure_step(f, k == 0 ? lead : 0, x);
    if (k > 0 && !(step > 4 * LDBL_EPSILON * *s)) {
      return true;
    }
    *s += step;
  }
  return false;
}
