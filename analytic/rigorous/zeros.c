/* analytic/rigorous/zeros.c -- see zeros.h.
 * On an interval where phi has its sign at the left end there is no zero if all values have that sign, if the slope has
 * it, or if the slope has the other one and phi at the right end has it; exactly one if the slope has the other one and phi at
 * the right end too. Otherwise the interval is split. Ranges come from Taylor series about the middle with all that they
 * leave out. A zero where phi does not change its sign is never decided: that is said.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/zeros.h"

enum { DEPTH = 60, NEWTON = 60 };
static const double reach = 4.0;     /* of a series: |L| times its span */
static const double splits = 0.4871; /* no simple fraction: zeros like to be where these are */

typedef struct search {
  const dls_ball_watch *watch;
  dls_ball_series series;
  double hint;
  ulong lead;
  arf_t low, high; /* of a zero; local */
  slong prec;
} search;

static int sign_of(const arb_t x)
{
  return arb_is_positive(x) ? 1 : arb_is_negative(x) ? -1 : 0;
}

/* The sign of a derivative on [a, b], 0 if it cannot be decided. */
static int sign_on(const search *s, ulong order, const arf_t a, const arf_t b)
{
  arf_t middle, half;
  arb_t range;
  mag_t radius;
  arf_init(middle);
  arf_init(half);
  arb_init(range);
  mag_init(radius);
  arf_add(middle, a, b, s->prec, ARF_RND_NEAR);
  arf_mul_2exp_si(middle, middle, -1);
  arf_sub(half, b, middle, MAG_BITS, ARF_RND_UP);
  arf_get_mag(radius, half);
  arf_sub(half, middle, a, MAG_BITS, ARF_RND_UP);
  mag_t other;
  mag_init(other);
  arf_get_mag(other, half);
  mag_max(radius, radius, other);
  dls_ball_series_range(range, &s->series, order, middle, radius, s->prec);
  const int sign = s->watch->sign * sign_of(range);
  arf_clear(middle);
  arf_clear(half);
  arb_clear(range);
  mag_clear(radius);
  mag_clear(other);
  return sign;
}

static dls_ball_verdict examine(search *s, const arf_t a, const arf_t b, int depth);

static dls_ball_verdict split(search *s, const arf_t a, const arf_t b, int depth)
{
  arf_t middle, part;
  if (depth == 0) {
    arf_set(s->low, a);
    return DLS_BALL_UNDECIDED;
  }
  arf_init(middle);
  arf_init(part);
  arf_sub(part, b, a, s->prec, ARF_RND_DOWN);
  arf_set_d(middle, splits);
  arf_mul(part, part, middle, 53, ARF_RND_DOWN);
  arf_add(middle, a, part, s->prec, ARF_RND_DOWN);
  dls_ball_verdict verdict = examine(s, a, middle, depth - 1);
  if (verdict == DLS_BALL_NONE) {
    verdict = examine(s, middle, b, depth - 1);
  }
  arf_clear(middle);
  arf_clear(part);
  return verdict;
}

/* phi has its sign at a, or, with a lead, right after it. */
static dls_ball_verdict examine(search *s, const arf_t a, const arf_t b, int depth)
{
  if (s->lead > 0) {
    if (sign_on(s, s->lead, a, b) <= 0) {
      return split(s, a, b, depth);
    }
    s->lead = 0;
    return DLS_BALL_NONE;
  }
  if (sign_on(s, 0, a, b) > 0) {
    return DLS_BALL_NONE;
  }
  const int slope = sign_on(s, 1, a, b);
  const int end = slope < 0 ? sign_on(s, 0, b, b) : 0;
  if (slope > 0 || end > 0) {
    return DLS_BALL_NONE;
  }
  if (slope < 0 && end < 0) {
    arf_set(s->low, a);
    arf_set(s->high, b);
    return DLS_BALL_FOUND;
  }
  return split(s, a, b, depth);
}

/* How far a series reaches from here, at most to `until`. */
static void set_span(arf_t span, const dls_ball_flow *flow, double hint, const arf_t from, const arf_t until)
{
  arf_t left, rate;
  arf_init(left);
  arf_init(rate);
  arf_set_mag(rate, flow->rate);
  arf_set_d(span, reach);
  arf_sub(left, until, from, ARF_PREC_EXACT, ARF_RND_DOWN);
  arf_div(span, span, rate, 20, ARF_RND_DOWN);
  if (arf_is_zero(rate) || arf_cmp(left, span) < 0) { /* where nothing moves one series does */
    arf_set(span, left);
  }
  arf_set_d(rate, hint);
  if (hint > 0 && arf_cmp(rate, span) < 0) {
    arf_set(span, rate);
  }
  arf_clear(left);
  arf_clear(rate);
}

/* One series about `from`, as far as it reaches; `from` moves on. */
static dls_ball_verdict step(search *s, arf_t from, const arf_t until)
{
  const dls_ball_flow *flow = s->watch->flow;
  arf_t span, zero;
  arb_t at;
  mag_t length;
  arb_ptr x = _arb_vec_init(flow->k);
  arf_init(span);
  arf_init(zero);
  arb_init(at);
  mag_init(length);
  set_span(span, flow, s->hint, from, until);
  s->hint *= 2;
  arb_set_arf(at, from);
  dls_ball_flow_at(x, flow, s->watch->x, at, s->prec);
  arf_get_mag(length, span);
  dls_ball_series_init(&s->series, flow, s->watch->w, x, length, s->prec);
  const dls_ball_verdict verdict = examine(s, zero, span, DEPTH);
  if (verdict == DLS_BALL_FOUND) {
    arf_add(s->low, s->low, from, ARF_PREC_EXACT, ARF_RND_DOWN);
    arf_add(s->high, s->high, from, ARF_PREC_EXACT, ARF_RND_DOWN);
    arf_set(from, s->low);
  } else if (verdict == DLS_BALL_UNDECIDED) {
    arf_add(from, from, s->low, ARF_PREC_EXACT, ARF_RND_DOWN);
  } else {
    arf_add(from, from, span, ARF_PREC_EXACT, ARF_RND_DOWN);
  }
  dls_ball_series_clear(&s->series);
  arf_clear(span);
  arf_clear(zero);
  arb_clear(at);
  mag_clear(length);
  _arb_vec_clear(x, flow->k);
  return verdict;
}

dls_ball_verdict dls_ball_next_zero(const dls_ball_watch *watch, arf_t from, const arf_t until, arf_t low,
                                    arf_t high, slong prec)
{
  search s = {.watch = watch, .hint = watch->hint, .lead = watch->lead, .prec = prec};
  dls_ball_verdict verdict = DLS_BALL_NONE;
  arf_init(s.low);
  arf_init(s.high);
  while (verdict == DLS_BALL_NONE && arf_cmp(from, until) < 0) {
    verdict = step(&s, from, until);
  }
  arf_swap(low, s.low);
  arf_swap(high, s.high);
  arf_clear(s.low);
  arf_clear(s.high);
  return verdict;
}

dls_ball_verdict dls_ball_one_sign(const dls_ball_watch *watch, const arf_t low, const arf_t high, slong prec)
{
  arf_t from, a, b;
  arf_init(from);
  arf_init(a);
  arf_init(b);
  arf_set(from, low);
  const dls_ball_verdict verdict = dls_ball_next_zero(watch, from, high, a, b, prec);
  arf_clear(from);
  arf_clear(a);
  arf_clear(b);
  return verdict;
}

/* N = m - phi(m)/phi'(zero), m the middle of zero, cut with zero. @return false if the slope may be 0 */
static int newton(arb_t zero, const dls_ball_watch *watch, slong prec)
{
  arb_t middle, value, slope, next;
  arb_ptr x = _arb_vec_init(watch->flow->k);
  dls_ball_series series;
  arf_t here;
  arb_init(middle);
  arb_init(value);
  arb_init(slope);
  arb_init(next);
  arf_init(here);
  arb_get_mid_arb(middle, zero);
  dls_ball_flow_at(x, watch->flow, watch->x, middle, prec);
  dls_ball_dot(value, watch->w, x, watch->flow->k, prec);
  dls_ball_series_init(&series, watch->flow, watch->w, x, arb_radref(zero), prec);
  dls_ball_series_range(slope, &series, 1, here, arb_radref(zero), prec);
  const int good = !arb_contains_zero(slope);
  if (good) {
    arb_div(next, value, slope, prec);
    arb_sub(next, middle, next, prec);
    arb_intersection(zero, zero, next, prec);
  }
  dls_ball_series_clear(&series);
  arb_clear(middle);
  arb_clear(value);
  arb_clear(slope);
  arb_clear(next);
  arf_clear(here);
  _arb_vec_clear(x, watch->flow->k);
  return good;
}

int dls_ball_refine(arb_t zero, const dls_ball_watch *watch, const arf_t low, const arf_t high, slong prec)
{
  mag_t before;
  int good = 1;
  mag_init(before);
  arb_set_interval_arf(zero, low, high, prec);
  for (int i = 0; i < NEWTON && good; i++) {
    mag_mul_2exp_si(before, arb_radref(zero), -1);
    good = newton(zero, watch, prec);
    if (mag_cmp(arb_radref(zero), before) > 0) { /* it narrows no more */
      break;
    }
  }
  mag_clear(before);
  return good;
}
