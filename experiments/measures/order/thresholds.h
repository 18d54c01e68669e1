/* experiments/measures/order/thresholds.h -- the thresholds of verdicts on orders, by common/base/threshold_rows.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ORDER_THRESHOLDS_H
#define DELASSUS_EXPERIMENTS_ORDER_THRESHOLDS_H

#include "common/base/threshold_rows.h"

/* clang-format off */
#define DLS_ORDER_THRESHOLDS(X) \
  /* order_lines.c */ \
  X(rounding, 1e10, "rounding of the solution", "second differences of positions round by 2e-16/h^2, and h is seldom below 1e-5 of the time scale; iterations of schemes end at 1e-8 and less", "flat errors up to this, 2e-6 of the solution, are rounding or a tolerance of the scheme; larger ones, above the floor of the reference, are a plateau") \
  X(plateau_scatter, 2, "1", "a plateau itself may change by 1.5", "medians farther from the middle of a flat line than this factor are no plateau") \
  X(explosion, 10, "largest value of the solution", "no scheme that follows the motion errs by so much", "a run with a larger error has diverged") \
  X(no_order_part, 0.25, "order of the other half", "errors of both halves are one line up to it", "a half with a smaller order has none") \
  X(no_order, 0.1, "1", "halving h changes the error by 7 %", "the same") \
  X(shortest_range, 4, "1", "the error of a method of variable order falls exponentially with the work; over less, the slopes of both halves differ by less than 2", "range of the work over which a power law is fitted") \
  /* order_derivatives.c */ \
  X(one_limit, 0.1, "mean error", "phases with one limit differ by O(h)", "a smaller spread over the phases means that all have the same limit, whatever rare phases of larger steps have") \
  X(mean_is_right, 3, "standard deviations of the mean", "one in 400 by chance", "a smaller mean error is none") \
  X(part_of_phases, 0.8, "of the runs", "rare phases, of a share that falls with h, do not count", "verdicts are on the error that so many runs do not exceed") \
  X(deviations, 2, "standard deviations", "95 % intervals", "uncertainty of the rank of that error in the orders that fit") \
  X(exact, 1e-7, "largest derivative", "rounding of the neighbouring runs that plain derivatives are made of", "smaller errors are none")
/* clang-format on */

DLS_ORDER_THRESHOLDS(DLS_THRESHOLD_REAL)

#endif
