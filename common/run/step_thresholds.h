/* step_thresholds.h -- every threshold of derivatives of runs by step, with unit, reason and effect; see common/base/threshold_rows.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_RUN_STEP_THRESHOLDS_H
#define DELASSUS_COMMON_RUN_STEP_THRESHOLDS_H

#include "common/base/threshold_rows.h"

/* clang-format off */
#define DLS_STEP_TANGENT_REALS(X) \
  /* step_tangents.c */ \
  X(neighbour_distance, 0x1p-22, "size of p", "far above rounding, far below a step", "distance of neighbouring runs: rounding is 1e-9 of x/p, one neighbour in 1e-7/h switches in another step") \
  X(steps_rounding, 16, "DBL_EPSILON", "a thousand steps add up to some ten roundings", "error of differences of neighbouring runs that is reported as rounding") \
  X(quotient_rounding, 2, "DBL_EPSILON q/h", "that of both positions of a step, which does not add up", "error of velocities without mass, x/h: in differences of neighbouring runs, and in what bends their line") \
  X(bend, 0.01, "difference of neighbours", "smooth maps bend by 1e-7 x''/x'", "neighbours that lie less on a line with the run have switched") \
  X(bend_rounding, 1e-12, "scales", "round-off of states", "differences of neighbours below this are not compared") \
  /* gap_derivatives.c, energy_slopes.c */ \
  X(state_distance, 0x1p-11, "scales", "truncation 1e-13, round-off 1e-13", "distance of states in the differences of gaps and energies along a direction; energies of linear systems are quadratic, theirs is 1") \
  /* step_events.c */ \
  X(slow_landing, 3, "h |g''|", "theory and measurement: bounces of a few steps", "slower impacts are landings") \
  X(least_landing, 1e-3, "h |g''|", "far above the distances of neighbours", "impulse of a slow landing, where the step has none beside the force at rest") \
  X(unexpected, 0.25, "|u-|", "far above the errors of a step", "a contact whose velocity after an impact differs more from that of its law has no derivative by that law") \
  X(unexpected_steps, 12, "h |g''|", "velocities change from step to step", "is added to that") \
  X(opens, 1e-6, "|u-| of the impact", "round-off of an impact", "contacts that separate faster are open after it") \
  X(simultaneous, 1e-6, "h", "round-off of the times in a step", "impacts that are closer are at the same time") \
  X(same_shift, 1e-4, "larger of t_s/p, q_s/(p u-)", "errors of neighbours: iterations end at 1e-11 of the scales", "impacts at the same time whose dt differ by less stay simultaneous, and are one") \
  X(acts, 1e-6, "sqrt(W_ii W_jj)", "round-off of W", "impacts of contacts with a larger W_ij act on each other") \
  X(nearest_event, 3, "h", "impulses of two-step schemes come a step late", "impulses of contacts that are farther away belong to the impacts of others") \
  X(still, 1e-9, "q_s/t_s", "round-off", "slower slip is none") \
  X(stick, 1e6, "mu_s", "limit of friction that no contact reaches", "the force of a contact that sticks is computed with it")
/* clang-format on */

DLS_STEP_TANGENT_REALS(DLS_THRESHOLD_REAL)

#endif
