/* analytic/rigorous/area.c -- see area.h. Where the difference has one sign its integral is that of polynomials; where it has not the interval is
 * halved, until what is left is little: between 0 and its length times the largest value.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/area.h"
#include <arb_poly.h>
#include <math.h>

enum { DEPTH = 60, COARSE = 3 };
static const double least = 1e-28; /* a difference that is taken as none [xi] */

typedef struct pair {
  dls_ball_segment d; /* x_j - y_j, one component, about the middle of where both are */
  slong prec;
  double share; /* a difference that may be left without a sign [xi] */
} pair;

/* int_a^b of a polynomial. */
static void integral(arb_t out, const dls_ball_segment *segment, slong j, const arf_t a, const arf_t b,
                     slong prec)
{
  const arb_struct *c = segment->a + j * segment->n;
  arb_t d, sum;
  arb_init(d);
  arb_init(sum);
  arb_zero(out);
  for (int end = 0; end < 2; end++) {
    arb_set_arf(d, end == 0 ? a : b);
    arb_sub_arf(d, d, segment->centre, prec);
    arb_zero(sum);
    for (slong i = segment->n - 1; i >= 0; i--) { /* sum c_i d^(i+1)/(i+1) */
      arb_t term;
      arb_init(term);
      arb_div_ui(term, c + i, (ulong)i + 1, prec);
      arb_mul(sum, sum, d, prec);
      arb_add(sum, sum, term, prec);
      arb_clear(term);
    }
    arb_mul(sum, sum, d, prec);
    if (end == 0) {
      arb_sub(out, out, sum, prec);
    } else {
      arb_add(out, out, sum, prec);
    }
  }
  arb_clear(d);
  arb_clear(sum);
}

/* All values of the difference on [a, b]: about its middle. @return is what is not known there more than what it changes? */
static bool range(arb_t out, const pair *p, const arf_t a, const arf_t b)
{
  arb_t s, middle, slope;
  mag_t change;
  arb_init(s);
  arb_init(middle);
  arb_init(slope);
  mag_init(change);
  arb_set_interval_arf(s, a, b, p->prec);
  arb_get_mid_arb(middle, s);
  dls_ball_segment_derivative(slope, &p->d, 0, 1, s, p->prec);
  arb_sub(s, s, middle, p->prec);
  arb_mul(slope, slope, s, p->prec);
  dls_ball_segment_derivative(out, &p->d, 0, 0, middle, p->prec);
  arb_add_error_mag(out, p->d.rest);
  arb_get_mag(change, slope);
  const bool vague = arb_contains_zero(out) && mag_cmp(change, arb_radref(out)) <= 0;
  arb_add(out, out, slope, p->prec);
  arb_clear(s);
  arb_clear(middle);
  arb_clear(slope);
  mag_clear(change);
  return vague;
}

/* The integral of a difference of one sign, without it. */
static void smooth(arb_t out, const pair *p, const arf_t a, const arf_t b, const arb_t length)
{
  mag_t rest;
  mag_init(rest);
  integral(out, &p->d, 0, a, b, p->prec);
  arb_get_mag(rest, length);
  mag_mul(rest, rest, p->d.rest);
  arb_add_error_mag(out, rest);
  arb_abs(out, out);
  mag_clear(rest);
}

static void gather(arb_t sum, const pair *p, const arf_t a, const arf_t b, int depth)
{
  arb_t values, length;
  arf_t middle, open;
  arb_init(values);
  arb_init(length);
  arf_init(middle);
  arf_init(open);
  const bool vague = range(values, p, a, b);
  arb_set_arf(length, b);
  arb_sub_arf(length, length, a, p->prec);
  arb_get_abs_ubound_arf(open, values, p->prec);
  if (!arb_contains_zero(values)) {
    smooth(values, p, a, b, length);
    arb_add(sum, sum, values, p->prec);
  } else if (depth == 0 || vague || arf_cmp_d(open, p->share) <= 0) { /* in [0, open length] */
    arb_set_arf(values, open);
    arb_mul(values, values, length, p->prec);
    arb_zero(length);
    arb_union(values, values, length, p->prec);
    arb_add(sum, sum, values, p->prec);
  } else {
    arf_add(middle, a, b, ARF_PREC_EXACT, ARF_RND_DOWN);
    arf_mul_2exp_si(middle, middle, -1);
    gather(sum, p, a, middle, depth - 1);
    gather(sum, p, middle, b, depth - 1);
  }
  arb_clear(values);
  arb_clear(length);
  arf_clear(middle);
  arf_clear(open);
}

/* Coefficients of component j about another centre, added to or taken from those of a. */
static void shift(arb_ptr a, const dls_ball_segment *x, slong j, const arf_t centre, int sign, slong prec)
{
  arb_ptr c = _arb_vec_init(x->n);
  arb_t by;
  arb_init(by);
  _arb_vec_set(c, x->a + j * x->n, x->n);
  arb_set_arf(by, centre);
  arb_sub_arf(by, by, x->centre, prec);
  _arb_poly_taylor_shift(c, by, x->n, prec);
  for (slong i = 0; i < x->n; i++) {
    if (sign > 0) {
      arb_add(a + i, a + i, c + i, prec);
    } else {
      arb_sub(a + i, a + i, c + i, prec);
    }
  }
  arb_clear(by);
  _arb_vec_clear(c, x->n);
}

/* The integral where x and y both are, [a, b]. The difference's own coefficients are as small as it is. */
static void add(arb_t sum, const dls_ball_segment *x, const dls_ball_segment *y, slong j, const arf_t a,
                const arf_t b, double share, int depth, slong prec)
{
  pair p = {.d = {.n = x->n > y->n ? x->n : y->n}, .share = share, .prec = prec};
  p.d.a = _arb_vec_init(p.d.n);
  p.d.rest = _mag_vec_init(1);
  arf_init(p.d.centre);
  arf_add(p.d.centre, a, b, ARF_PREC_EXACT, ARF_RND_DOWN);
  arf_mul_2exp_si(p.d.centre, p.d.centre, -1);
  shift(p.d.a, x, j, p.d.centre, 1, prec);
  shift(p.d.a, y, j, p.d.centre, -1, prec);
  mag_add(p.d.rest, x->rest + j, y->rest + j);
  gather(sum, &p, a, b, depth);
  arf_clear(p.d.centre);
  _arb_vec_clear(p.d.a, p.d.n);
  _mag_vec_clear(p.d.rest, 1);
}

static const dls_ball_segment *next_smooth(const dls_ball_curve *curve, size_t *i)
{
  while (*i < curve->count && curve->segment[*i].jump) {
    (*i)++;
  }
  return *i < curve->count ? &curve->segment[*i] : NULL;
}

static void sweep(arb_t sum, const dls_ball_curve *x, const dls_ball_curve *y, slong j, double share, int depth,
                  slong prec)
{
  size_t i = 0, k = 0;
  arf_t a, b;
  arf_init(a);
  arf_init(b);
  arb_zero(sum);
  for (;;) {
    const dls_ball_segment *f = next_smooth(x, &i), *g = next_smooth(y, &k);
    if (f == NULL || g == NULL) {
      break;
    }
    arf_max(a, f->low, g->low);
    arf_min(b, f->high, g->high);
    if (arf_cmp(a, b) < 0) {
      add(sum, f, g, j, a, b, share, depth, prec);
    }
    const int order = arf_cmp(f->high, g->high);
    i += order <= 0;
    k += order >= 0;
  }
  arf_clear(a);
  arf_clear(b);
}

void dls_ball_area(arb_t out, const dls_ball_curve *x, const dls_ball_curve *y, slong j, double tolerance,
                   slong prec)
{
  sweep(out, x, y, j, 0, COARSE, prec);
  const double about = arf_get_d(arb_midref(out), ARF_RND_NEAR);
  const dls_ball_segment *last = &x->segment[x->count - 1];
  sweep(out, x, y, j, fmax(least, tolerance / 8 * about / (last->to - x->segment[0].from)), DEPTH, prec);
}
