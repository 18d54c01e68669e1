/* limits.h -- rows of the table of all limits (bench/table): what is measured now beside what is allowed.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_BENCH_LIMITS_H
#define DELASSUS_BENCH_LIMITS_H

#include <math.h>
#include <stdio.h>

/* One row. least, most: of all turns, or NAN where there are none. share: of the limit. */
static inline void limit_row(const char *work, const char *unit, double now, double least, double most,
                             const char *relation, double limit, double share)
{
  printf("= %s | %.3g %s | ", work, now, unit);
  if (isnan(least)) {
    printf("-");
  } else {
    printf("%.3g to %.3g", least, most);
  }
  printf(" | %s %g | %.2f\n", relation, limit, share);
}

static inline void limit_at_most(const char *work, const char *unit, double now, double least, double most,
                                 double limit)
{
  limit_row(work, unit, now, least, most, "<=", limit, now / limit);
}

static inline void limit_at_least(const char *work, const char *unit, double now, double least, double most,
                                  double limit)
{
  limit_row(work, unit, now, least, most, ">=", limit, limit / now);
}

#endif
