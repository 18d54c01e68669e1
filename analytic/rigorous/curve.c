/* analytic/rigorous/curve.c -- see curve.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/curve.h"

void dls_ball_curve_init(dls_ball_curve *curve, slong dim)
{
  *curve = (dls_ball_curve){.dim = dim};
  mag_init(curve->time_slack);
  mag_init(curve->value_slack);
  arb_init(curve->area_slack);
}

void dls_ball_curve_clear(dls_ball_curve *curve)
{
  for (size_t i = 0; i < curve->count; i++) {
    dls_ball_segment *segment = &curve->segment[i];
    arf_clear(segment->low);
    arf_clear(segment->high);
    arf_clear(segment->centre);
    arf_clear(segment->t);
    _arb_vec_clear(segment->a, curve->dim * segment->n);
    _mag_vec_clear(segment->rest, curve->dim);
    flint_free(segment->least);
  }
  flint_free(curve->segment);
  mag_clear(curve->time_slack);
  mag_clear(curve->value_slack);
  arb_clear(curve->area_slack);
}

dls_ball_segment *dls_ball_curve_add(dls_ball_curve *curve, slong n)
{
  if (curve->count == curve->room) {
    curve->room = 2 * curve->room + 64;
    curve->segment = flint_realloc(curve->segment, curve->room * sizeof *curve->segment);
  }
  dls_ball_segment *segment = &curve->segment[curve->count++];
  *segment = (dls_ball_segment){.n = n};
  arf_init(segment->low);
  arf_init(segment->high);
  arf_init(segment->centre);
  arf_init(segment->t);
  segment->a = _arb_vec_init(curve->dim * n);
  segment->rest = _mag_vec_init(curve->dim);
  segment->least = flint_malloc(2 * (size_t)curve->dim * sizeof *segment->least);
  segment->most = segment->least + curve->dim;
  return segment;
}

/* A ball that holds low <= s <= high. */
static void whole(arb_t s, const dls_ball_segment *segment, slong prec)
{
  arb_set_interval_arf(s, segment->low, segment->high, prec);
}

void dls_ball_segment_finish(dls_ball_segment *segment, slong dim, slong prec)
{
  arb_t s, value;
  arf_t bound;
  arb_init(s);
  arb_init(value);
  arf_init(bound);
  whole(s, segment, prec);
  segment->from = arf_get_d(segment->jump ? segment->t : segment->low, ARF_RND_FLOOR);
  segment->to = arf_get_d(segment->jump ? segment->t : segment->high, ARF_RND_CEIL);
  for (slong j = 0; j < dim; j++) {
    dls_ball_segment_derivative(value, segment, j, 0, s, prec);
    arb_add_error_mag(value, segment->rest + j);
    arb_get_lbound_arf(bound, value, prec);
    segment->least[j] = arf_get_d(bound, ARF_RND_FLOOR);
    arb_get_ubound_arf(bound, value, prec);
    segment->most[j] = arf_get_d(bound, ARF_RND_CEIL);
  }
  arb_clear(s);
  arb_clear(value);
  arf_clear(bound);
}

/* sum_i a_i i!/(i-order)! (s - centre)^(i-order) */
static void horner(arb_t out, const dls_ball_segment *segment, slong j, ulong order, const arb_t d, slong prec)
{
  const slong n = segment->n;
  const arb_struct *a = segment->a + j * n;
  arb_t term;
  arb_init(term);
  arb_zero(out);
  for (slong i = n - 1; i >= (slong)order; i--) {
    arb_mul(out, out, d, prec);
    ulong factor = 1;
    for (ulong k = 0; k < order; k++) {
      factor *= (ulong)i - k;
    }
    if (factor == 1) {
      arb_add(out, out, a + i, prec);
      continue;
    }
    arb_mul_ui(term, a + i, factor, prec);
    arb_add(out, out, term, prec);
  }
  arb_clear(term);
}

void dls_ball_segment_derivative(arb_t out, const dls_ball_segment *segment, slong j, ulong order,
                                 const arb_t s, slong prec)
{
  arb_t d;
  arb_init(d);
  arb_sub_arf(d, s, segment->centre, prec);
  horner(out, segment, j, order, d, prec);
  arb_clear(d);
}

void dls_ball_segment_at(arb_ptr x, const dls_ball_segment *segment, slong dim, const arf_t s, slong prec)
{
  arb_t at;
  arb_init(at);
  arb_set_arf(at, s);
  for (slong j = 0; j < dim; j++) {
    dls_ball_segment_derivative(x + j, segment, j, 0, at, prec);
  }
  arb_clear(at);
}

void dls_ball_curve_add_jump(dls_ball_curve *curve, const arf_t t, arb_srcptr from, arb_srcptr to, slong prec)
{
  dls_ball_segment *segment = dls_ball_curve_add(curve, 2);
  segment->jump = true;
  arf_one(segment->high);
  arf_set(segment->t, t);
  for (slong j = 0; j < curve->dim; j++) {
    arb_set(segment->a + 2 * j, from + j);
    arb_sub(segment->a + 2 * j + 1, to + j, from + j, prec);
  }
  dls_ball_segment_finish(segment, curve->dim, prec);
}

/* --- a file --- */

/* Hermite's cubic in s = t - t0, D = x1 - x0: x0 + m0 s + (3 D - (2 m0 + m1) h) s^2/h^2 + ((m0 + m1) h - 2 D) s^3/h^3 */
static void cubic(arb_ptr a, const arb_t h, const double x[2], const double m[2], slong prec)
{
  arb_ptr w = _arb_vec_init(3); /* D, m0 h, m1 h */
  arb_set_d(a, x[0]);
  arb_set_d(w, x[1]);
  arb_sub(w, w, a, prec);
  for (slong i = 0; i < 2; i++) {
    arb_set_d(w + 1 + i, m[i]);
    arb_mul(w + 1 + i, w + 1 + i, h, prec);
  }
  arb_set(a + 1, w + 1);
  arb_mul_ui(a + 2, w, 3, prec);
  arb_submul_ui(a + 2, w + 1, 2, prec);
  arb_sub(a + 2, a + 2, w + 2, prec);
  arb_add(a + 3, w + 1, w + 2, prec);
  arb_submul_ui(a + 3, w, 2, prec);
  _arb_vec_clear(w, 3);
}

static void line(arb_ptr a, const double x[2], slong prec)
{
  arb_set_d(a, x[0]);
  arb_set_d(a + 1, x[1]);
  arb_sub(a + 1, a + 1, a, prec);
}

static void add_nodes(dls_ball_curve *curve, const double *t, const double *x, const double *slope,
                      const arb_t xi, slong prec)
{
  const slong dim = curve->dim, n = slope == NULL ? 2 : 4;
  dls_ball_segment *segment = dls_ball_curve_add(curve, n);
  arb_t h, factor;
  arb_init(h);
  arb_init(factor);
  arf_set_d(segment->low, t[0]);
  arf_set_d(segment->high, t[1]);
  arf_set(segment->centre, segment->low);
  arb_set_d(h, t[1]);
  arb_sub_arf(h, h, segment->low, ARF_PREC_EXACT);
  for (slong j = 0; j < dim; j++) {
    arb_ptr a = segment->a + j * n;
    if (slope == NULL) {
      line(a, (const double[]){x[j], x[j + dim]}, prec);
    } else {
      cubic(a, h, (const double[]){x[j], x[j + dim]}, (const double[]){slope[j], slope[j + dim]}, prec);
    }
    arb_inv(factor, xi, prec);
    for (slong i = 0; i < n; i++) { /* from s/h to s */
      arb_mul(a + i, a + i, factor, prec);
      arb_div(factor, factor, h, prec);
    }
  }
  arb_clear(h);
  arb_clear(factor);
  dls_ball_segment_finish(segment, dim, prec);
}

void dls_ball_curve_of_nodes(dls_ball_curve *curve, size_t count, const double *t, const double *x,
                             const double *slope, const arb_t xi, slong prec)
{
  const size_t dim = (size_t)curve->dim;
  arb_ptr from = _arb_vec_init(curve->dim), to = _arb_vec_init(curve->dim);
  arf_t when;
  arf_init(when);
  for (size_t i = 0; i + 1 < count; i++) {
    if (t[i] < t[i + 1]) {
      add_nodes(curve, t + i, x + i * dim, slope == NULL ? NULL : slope + i * dim, xi, prec);
      continue;
    }
    for (size_t j = 0; j < dim; j++) {
      arb_set_d(from + j, x[i * dim + j]);
      arb_set_d(to + j, x[(i + 1) * dim + j]);
      arb_div(from + j, from + j, xi, prec);
      arb_div(to + j, to + j, xi, prec);
    }
    arf_set_d(when, t[i]);
    dls_ball_curve_add_jump(curve, when, from, to, prec);
  }
  arf_clear(when);
  _arb_vec_clear(from, curve->dim);
  _arb_vec_clear(to, curve->dim);
}
