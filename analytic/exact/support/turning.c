/* turning.c -- see turning.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/turning.h"
#include <math.h>

void dls_turning_bounds(const long double d[5], long double *fourth, long double *fifth)
{
  const long double w = d[0], a = d[1], j = d[2], s = d[3];
  *fourth = w * w * w * w + 6 * w * w * a + 3 * a * a + 4 * w * j + s;
  *fifth =
      w * w * w * w * w + 10 * w * w * w * a + 15 * w * a * a + 10 * w * w * j + 10 * a * j + 5 * w * s + d[4];
}

double dls_turning_spacing(long double fourth, double accuracy)
{
  return fourth > 0 ? (double)sqrtl(sqrtl(384 * accuracy / fourth)) : HUGE_VAL;
}
