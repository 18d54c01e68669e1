/* experiments/measures/story/thresholds.h -- the thresholds of explained runs, by common/base/threshold_rows.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_STORY_THRESHOLDS_H
#define DELASSUS_EXPERIMENTS_STORY_THRESHOLDS_H

#include "common/base/threshold_rows.h"

#define DLS_STORY_THRESHOLDS(X)                                                                                \
  X(rounding, 1e-9, "of the largest value", "files have 17 digits, sums of many steps lose some",              \
    "smaller speeds, depths and gains are not reported")                                                       \
  X(other_restitution, 0.02, "1", "schemes of order one err by the change of velocity in a step",              \
    "a larger difference between measured and given restitution is reported")                                  \
  X(same_ratio, 0.05, "of their mean", "the intervals of an accumulation are a geometric series",              \
    "intervals between impacts whose ratios differ by less shrink by one factor")                              \
  X(shrinks, 0.98, "1", "for e = 1 the factor is 1 up to the error of a step",                                 \
    "impacts accumulate if the factor is smaller")                                                             \
  X(apart, 1e-3, "of the largest gap", "a body at rest hops by the error of a step",                           \
    "a larger gap between two contact forces ends a lasting contact")                                          \
  X(steady, 0.25, "1", "drift is a constant speed, a settling spring is not",                                  \
    "the speeds of both halves of a drift differ by less than this fraction")                                  \
  X(slides, 0.01, "of the fastest slip", "1e-4 of its energy", "a contact whose slip is slower sticks")        \
  X(friction_limit, 1 - 1e-6, "of mu p_N", "solvers of contact problems end at 1e-8",                          \
    "a contact with more friction slides, in steps whose impulses are in the file")                            \
  X(steady_slip, 0.5, "of the largest slip", "creep is steady, a slip that turns passes zero",                 \
    "a contact sticks if the slip of its middle rows is larger than this fraction of it")                      \
  X(far_below_slides, 0.25, "of the limit of `slides`", "a slip that turns reaches the limit",                 \
    "a contact sticks if the slip of its middle rows is smaller")                                              \
  X(late_steps, 1.1, "steps", "schemes act at the nodes of their grid, the fastest impact is measured",        \
    "a penetration of at most the distance that the fastest impact covers in them is explained by the step")   \
  X(energy, 1e-3, "of the largest kinetic energy", "a plot shows no less",                                     \
    "smaller gains and losses of energy are not reported")                                                     \
  X(work_error, 1.0 / 6, "of |dF . dq|", "the trapezoidal rule on a path without reversal between two rows",   \
    "a gain or loss is reported if it exceeds the sum of these errors")                                        \
  X(grazes, 1e-3, "of the largest gap before",                                                                 \
    "an impact appears or vanishes with a small change of the data",                                           \
    "a flight that passes the surface at a smaller gap is reported")

DLS_STORY_THRESHOLDS(DLS_THRESHOLD_REAL)

/* Least number of contact forces in a lasting contact, of impacts in a series, of rows without a force in a passage; impacts that are
 * reported one by one; lasting contacts, and contacts, whose phases are reported. */
enum {
  STORY_FORCES = 5,
  STORY_SERIES = 4,
  STORY_PASSAGE = 3,
  STORY_IMPACTS = 3,
  STORY_LASTING = 5,
  STORY_CONTACTS = 4
};

#endif
