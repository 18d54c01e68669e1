/* analytic/exact/support/wide.h -- numbers of twice the precision of long double, as an unevaluated sum hi + lo.
 * For event times: near an accumulation of impacts, t - t_n must keep its digits although t and t_n agree in
 * all digits of a double. Source: Dekker 1971; Hida, Li, Bailey 2001 (algorithms of add, mul, div, sqrt).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_WIDE_H
#define DELASSUS_WIDE_H

#include <math.h>

typedef struct dls_wide {
  long double hi, lo;
} dls_wide;

static inline dls_wide dls_wide_of(long double x)
{
  return (dls_wide){x, 0};
}

static inline dls_wide dls_wide_sum(long double a, long double b) /* exact */
{
  const long double s = a + b, part = s - a;
  return (dls_wide){s, (a - (s - part)) + (b - part)};
}

static inline dls_wide dls_wide_add(dls_wide a, dls_wide b)
{
  const dls_wide high = dls_wide_sum(a.hi, b.hi), low = dls_wide_sum(a.lo, b.lo);
  const dls_wide part = dls_wide_sum(high.hi, high.lo + low.hi);
  return dls_wide_sum(part.hi, part.lo + low.lo);
}

static inline dls_wide dls_wide_sub(dls_wide a, dls_wide b)
{
  return dls_wide_add(a, (dls_wide){-b.hi, -b.lo});
}

static inline dls_wide dls_wide_mul(dls_wide a, dls_wide b)
{
  const long double p = a.hi * b.hi;
  return dls_wide_sum(p, fmal(a.hi, b.hi, -p) + (a.hi * b.lo + a.lo * b.hi));
}

static inline dls_wide dls_wide_div(dls_wide a, dls_wide b)
{
  const long double first = a.hi / b.hi;
  const dls_wide rest = dls_wide_sub(a, dls_wide_mul(dls_wide_of(first), b));
  const long double second = rest.hi / b.hi;
  const dls_wide last = dls_wide_sub(rest, dls_wide_mul(dls_wide_of(second), b));
  return dls_wide_add(dls_wide_sum(first, second), dls_wide_of(last.hi / b.hi));
}

static inline dls_wide dls_wide_sqrt(dls_wide a) /* a >= 0 */
{
  if (!(a.hi > 0)) {
    return dls_wide_of(0);
  }
  const long double x = sqrtl(a.hi);
  const dls_wide rest = dls_wide_sub(a, dls_wide_mul(dls_wide_of(x), dls_wide_of(x)));
  return dls_wide_sum(x, rest.hi / (2 * x));
}

static inline dls_wide dls_wide_power(dls_wide a, unsigned long n)
{
  dls_wide power = dls_wide_of(1);
  for (; n > 0; n /= 2) {
    power = n % 2 ? dls_wide_mul(power, a) : power;
    a = dls_wide_mul(a, a);
  }
  return power;
}

/* One rounding, except where hi lies halfway between two doubles. */
static inline double dls_wide_round(dls_wide a)
{
  const double near = (double)a.hi;
  return near + (double)((a.hi - near) + a.lo);
}

#endif
