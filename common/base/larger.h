/* larger.h -- the maximum of numbers among which NaN counts as the largest.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_LARGER_H
#define DELASSUS_COMMON_LARGER_H

/** The larger of both; NaN if one is NaN: fmax ignores it, and `x <= most ? most : x` loses it at the next x. */
static inline double dls_larger(double most, double x)
{
  return x > most || x != x ? x : most;
}

#endif
