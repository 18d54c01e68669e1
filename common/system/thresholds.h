/* common/system/thresholds.h -- thresholds of directions of parameters (direction.c), by common/base/threshold_rows.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_SYSTEM_THRESHOLDS_H
#define DELASSUS_SYSTEM_THRESHOLDS_H

#include "common/base/threshold_rows.h"

/* clang-format off */
#define DLS_SYSTEM_THRESHOLD_REALS(X) \
  X(parameter_distance, 0x1p-17, "size of p", "truncation 1e-10, of second order, and round-off 1e-11 of a difference; a power of two, so that values and differences are exact", "distance of neighbouring values") \
  X(least_change, 0x1p-10, "scales", "differences have few digits", "systems that change by less, or by more than its inverse where p = 0, when p changes by its size, have another distance") \
  X(straight_line, 0x1p-8, "difference of the systems", "of smooth data it is the distance", "systems at p and two other values are on a line if the middle one is off by less") \
  X(lost_change, 0x1p-20, "scales", "no digits of a difference are left", "data that change by less, when p changes by its size, are below rounding") \
  X(most_change, 4, "scales", "the motion is then another", "a larger distance is too large if the systems change by more when p changes by the size that it stands for") \
  X(beside, 0x1p-45, "size of p", "far below every distance, far above rounding", "where a value out of the range is looked for beside p") \
  X(large_rounding, 1e-6, "change by p", "derivatives then have fewer than six digits", "rounding of forces that is reported") \
  X(least_size, 0x1p-100, "first size", "no range is so narrow", "smallest size tried where p = 0") \
  X(shorter_size, 0x1p-10, "1", "ten tries in all", "factor of the next size tried where p = 0 and its range is narrower")

#define DLS_SYSTEM_THRESHOLD_COUNTS(X) \
  X(most_sizes, 10, "sizes", "each fits the scales better", "sizes fitted to the scales where p = 0")
/* clang-format on */

DLS_SYSTEM_THRESHOLD_REALS(DLS_THRESHOLD_REAL)
enum { DLS_SYSTEM_THRESHOLD_COUNTS(DLS_THRESHOLD_COUNT) };

#endif
