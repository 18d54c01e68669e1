/* delassus/interval.h -- bounds of an expression over an interval of its argument: for time_enclosure of delassus/model.h.
 *
 *   {f(x): x in X} lies in F(X);   F(X) shrinks with X
 *
 * Each operation moves the endpoints outwards by a few units in the last place. This suffices for a search, not for a proof.
 * An unknown result, such as a quotient by an interval that contains 0, is (-infinity, infinity). If an expression is undefined
 * on a part of X (square roots, logarithms), its bounds are those on the rest.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_INTERVAL_H
#define DELASSUS_INTERVAL_H

#include <float.h>
#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dls_interval {
  double low, high; /* low <= high */
} dls_interval;

/** What is known of a condition over an interval. */
typedef enum dls_truth { DLS_TRUTH_HOLDS = 1, DLS_TRUTH_FAILS = 2, DLS_TRUTH_OPEN = 3 } dls_truth;

static inline dls_interval dls_interval_exact(double low, double high)
{
  dls_interval x;
  x.low = low;
  x.high = high;
  return x;
}

static inline dls_interval dls_interval_unknown(void)
{
  return dls_interval_exact(-HUGE_VAL, HUGE_VAL);
}

static inline dls_interval dls_interval_point(double x)
{
  return x == x ? dls_interval_exact(x, x) : dls_interval_unknown();
}

/** [low, high] widened by 4 ulp, twice the error of libm; unknown if a bound is NaN. */
static inline dls_interval dls_interval_outward(double low, double high)
{
  const double relative = 4 * DBL_EPSILON;
  if (low > high) { /* by rounding: libm's monotone functions are not monotone to the last bit */
    const double least = high;
    high = low;
    low = least;
  }
  if (!(low <= high)) {
    return dls_interval_unknown();
  }
  low = low == HUGE_VAL ? DBL_MAX : low - relative * fabs(low) - DBL_MIN;
  high = high == -HUGE_VAL ? -DBL_MAX : high + relative * fabs(high) + DBL_MIN;
  return dls_interval_exact(low, high);
}

static inline dls_interval dls_interval_hull(dls_interval x, dls_interval y)
{
  return dls_interval_exact(fmin(x.low, y.low), fmax(x.high, y.high));
}

/** The intersection of x with [low, high], the range of the expression; unknown if it is empty. */
static inline dls_interval dls_interval_within(dls_interval x, double low, double high)
{
  const dls_interval cut = dls_interval_exact(fmax(x.low, low), fmin(x.high, high));
  return cut.low <= cut.high ? cut : dls_interval_unknown();
}

static inline dls_interval dls_interval_add(dls_interval x, dls_interval y)
{
  return dls_interval_outward(x.low + y.low, x.high + y.high);
}

static inline dls_interval dls_interval_negative(dls_interval x)
{
  return dls_interval_exact(-x.high, -x.low);
}

static inline dls_interval dls_interval_subtract(dls_interval x, dls_interval y)
{
  return dls_interval_add(x, dls_interval_negative(y));
}

/* 0 infinity = 0: a bound that is not attained. */
static inline double dls_interval_product(double a, double b)
{
  return a == 0 || b == 0 ? 0 : a * b;
}

static inline dls_interval dls_interval_multiply(dls_interval x, dls_interval y)
{
  const double a = dls_interval_product(x.low, y.low), b = dls_interval_product(x.low, y.high);
  const double c = dls_interval_product(x.high, y.low), d = dls_interval_product(x.high, y.high);
  return dls_interval_outward(fmin(fmin(a, b), fmin(c, d)), fmax(fmax(a, b), fmax(c, d)));
}

/** 1/x; one-sided where x ends at 0. */
static inline dls_interval dls_interval_inverse(dls_interval x)
{
  if (x.low > 0 || x.high < 0) {
    return dls_interval_outward(1 / x.high, 1 / x.low);
  }
  if (x.low == 0 && x.high > 0) {
    return dls_interval_outward(1 / x.high, HUGE_VAL);
  }
  return x.high == 0 && x.low < 0 ? dls_interval_outward(-HUGE_VAL, 1 / x.low) : dls_interval_unknown();
}

static inline dls_interval dls_interval_divide(dls_interval x, dls_interval y)
{
  return dls_interval_multiply(x, dls_interval_inverse(y));
}

static inline dls_interval dls_interval_absolute(dls_interval x)
{
  const double far = fmax(-x.low, x.high);
  return x.low <= 0 && x.high >= 0 ? dls_interval_exact(0, far)
                                   : dls_interval_exact(fmin(fabs(x.low), fabs(x.high)), far);
}

static inline dls_interval dls_interval_maximum(dls_interval x, dls_interval y)
{
  return dls_interval_exact(fmax(x.low, y.low), fmax(x.high, y.high));
}

static inline dls_interval dls_interval_minimum(dls_interval x, dls_interval y)
{
  return dls_interval_exact(fmin(x.low, y.low), fmin(x.high, y.high));
}

/** -1, 0 or 1. */
static inline dls_interval dls_interval_sign(dls_interval x)
{
  return dls_interval_exact((x.low > 0) - (x.low < 0), (x.high > 0) - (x.high < 0));
}

static inline dls_interval dls_interval_floor(dls_interval x)
{
  return dls_interval_exact(floor(x.low), floor(x.high));
}

static inline dls_interval dls_interval_ceil(dls_interval x)
{
  return dls_interval_exact(ceil(x.low), ceil(x.high));
}

/** x^n. An even power is a power of |x|: [-1, 2]^2 = [0, 4]. */
static inline dls_interval dls_interval_integer_power(dls_interval x, int n)
{
  if (n < 0) {
    return dls_interval_inverse(dls_interval_integer_power(x, -n));
  }
  const dls_interval base = n % 2 == 0 ? dls_interval_absolute(x) : x;
  const dls_interval power = dls_interval_outward(pow(base.low, n), pow(base.high, n));
  return n % 2 == 0 ? dls_interval_within(power, 0, HUGE_VAL) : power;
}

/** x^y for x >= 0: monotone in x and in y, so that its bounds are at the corners. An integer y is allowed for any x. */
static inline dls_interval dls_interval_power(dls_interval x, dls_interval y)
{
  if (y.low == y.high && y.low == floor(y.low) && fabs(y.low) <= 1e6) { /* larger powers do not occur */
    return dls_interval_integer_power(x, (int)y.low);
  }
  if (!(x.high >= 0) || (x.low < 0 && y.low != y.high)) {
    return dls_interval_unknown();
  }
  const double from = fmax(x.low, 0);
  const double a = pow(from, y.low), b = pow(from, y.high), c = pow(x.high, y.low), d = pow(x.high, y.high);
  const dls_interval power = dls_interval_outward(fmin(fmin(a, b), fmin(c, d)), fmax(fmax(a, b), fmax(c, d)));
  return dls_interval_within(power, 0, HUGE_VAL);
}

static inline dls_interval dls_interval_sqrt(dls_interval x)
{
  return x.high >= 0
             ? dls_interval_within(dls_interval_outward(sqrt(fmax(x.low, 0)), sqrt(x.high)), 0, HUGE_VAL)
             : dls_interval_unknown();
}

static inline dls_interval dls_interval_exp(dls_interval x)
{
  return dls_interval_within(dls_interval_outward(exp(x.low), exp(x.high)), 0, HUGE_VAL);
}

static inline dls_interval dls_interval_log(dls_interval x)
{
  return x.high > 0 ? dls_interval_outward(log(fmax(x.low, 0)), log(x.high)) : dls_interval_unknown();
}

/* Monotone functions, each with its range. */
static inline dls_interval dls_interval_tanh(dls_interval x)
{
  return dls_interval_within(dls_interval_outward(tanh(x.low), tanh(x.high)), -1, 1);
}

static inline dls_interval dls_interval_sinh(dls_interval x)
{
  return dls_interval_outward(sinh(x.low), sinh(x.high));
}

static inline dls_interval dls_interval_cosh(dls_interval x)
{
  const dls_interval size = dls_interval_absolute(x);
  return dls_interval_within(dls_interval_outward(cosh(size.low), cosh(size.high)), 1, HUGE_VAL);
}

static inline dls_interval dls_interval_erf(dls_interval x)
{
  return dls_interval_within(dls_interval_outward(erf(x.low), erf(x.high)), -1, 1);
}

static inline dls_interval dls_interval_atan(dls_interval x)
{
  return dls_interval_outward(atan(x.low), atan(x.high));
}

static inline dls_interval dls_interval_asin(dls_interval x)
{
  const dls_interval sine = dls_interval_within(x, -1, 1);
  return dls_interval_outward(asin(fmax(sine.low, -1)), asin(fmin(sine.high, 1)));
}

static inline dls_interval dls_interval_acos(dls_interval x)
{
  const dls_interval cosine = dls_interval_within(x, -1, 1);
  return dls_interval_outward(acos(fmin(cosine.high, 1)), acos(fmax(cosine.low, -1)));
}

/* Whether phase + k period lies in x for an integer k; yes if rounding does not decide it. */
static inline int dls_interval_meets(dls_interval x, double phase, double period)
{
  const double slack = 8 * DBL_EPSILON * (fabs(x.low) + fabs(x.high) + period);
  const double k = ceil((x.low - slack - phase) / period);
  return !(phase + k * period > x.high + slack);
}

/** cos(x - phase): extrema at phase + k pi. */
static inline dls_interval dls_interval_shifted_cos(dls_interval x, double phase, double at_low, double at_high)
{
  const double pi = 3.14159265358979323846;
  const dls_interval ends = dls_interval_outward(fmin(at_low, at_high), fmax(at_low, at_high));
  const double high = dls_interval_meets(x, phase, 2 * pi) ? 1 : ends.high;
  const double low = dls_interval_meets(x, phase + pi, 2 * pi) ? -1 : ends.low;
  return dls_interval_within(dls_interval_exact(low, high), -1, 1);
}

static inline dls_interval dls_interval_cos(dls_interval x)
{
  return dls_interval_shifted_cos(x, 0, cos(x.low), cos(x.high));
}

static inline dls_interval dls_interval_sin(dls_interval x)
{
  return dls_interval_shifted_cos(x, 1.57079632679489661923, sin(x.low), sin(x.high));
}

static inline dls_interval dls_interval_tan(dls_interval x)
{
  return dls_interval_meets(x, 1.57079632679489661923, 3.14159265358979323846)
             ? dls_interval_unknown()
             : dls_interval_outward(tan(x.low), tan(x.high));
}

/* Conditions. */
static inline dls_truth dls_truth_of(int may_hold, int may_fail)
{
  return (dls_truth)((may_hold ? DLS_TRUTH_HOLDS : 0) | (may_fail ? DLS_TRUTH_FAILS : 0));
}

/** x < y */
static inline dls_truth dls_truth_less(dls_interval x, dls_interval y)
{
  return dls_truth_of(x.low < y.high, x.high >= y.low);
}

/** x <= y */
static inline dls_truth dls_truth_at_most(dls_interval x, dls_interval y)
{
  return dls_truth_of(x.low <= y.high, x.high > y.low);
}

/** x = y */
static inline dls_truth dls_truth_equal(dls_interval x, dls_interval y)
{
  return dls_truth_of(x.low <= y.high && y.low <= x.high, x.low < y.high || y.low < x.high);
}

static inline dls_truth dls_truth_not(dls_truth a)
{
  return dls_truth_of(a & DLS_TRUTH_FAILS, a & DLS_TRUTH_HOLDS);
}

static inline dls_truth dls_truth_and(dls_truth a, dls_truth b)
{
  return dls_truth_of(a & b & DLS_TRUTH_HOLDS, (a | b) & DLS_TRUTH_FAILS);
}

static inline dls_truth dls_truth_or(dls_truth a, dls_truth b)
{
  return dls_truth_of((a | b) & DLS_TRUTH_HOLDS, a & b & DLS_TRUTH_FAILS);
}

/** x where the condition holds, y where it fails: a branch of a piecewise expression. */
static inline dls_interval dls_interval_choose(dls_truth condition, dls_interval x, dls_interval y)
{
  return condition == DLS_TRUTH_HOLDS ? x : condition == DLS_TRUTH_FAILS ? y : dls_interval_hull(x, y);
}

#ifdef __cplusplus
}
#endif

#endif
