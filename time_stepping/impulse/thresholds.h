/* thresholds.h -- every threshold of sequential-impulse, xpbd and soft-step, with unit, reason and effect; see
 * common/base/threshold_rows.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_IMPULSE_THRESHOLDS_H
#define DELASSUS_TIME_STEPPING_IMPULSE_THRESHOLDS_H

#include "common/base/threshold_rows.h"
#include <delassus/scheme.h>
#include <float.h>

/* clang-format off */
#define DLS_IMPULSE_THRESHOLD_REALS(X) \
  /* all three (impulse_step.c) */ \
  X(rest_speed, 1e-9, "q_s/t_s", "round-off of the velocities of a motion", "slower approaches are no impacts, slower slip is none") \
  X(gap_rounding, 1e-13, "q_s", "round-off of a gap", "up to this a gap at rest is closed") \
  X(coordinate_rounding, 4 * DBL_EPSILON, "largest coordinate", "a gap is a difference of coordinates", "up to this a gap at rest is closed") \
  X(limit_margin, 1e-9, "limit of friction", "round-off of a sweep", "friction so near to its limit is at it") \
  /* xpbd.c */ \
  X(slow_impact, 2, "|a_N| h", "as in the paper", "slower impacts do not rebound") \
  /* soft_step.c */ \
  X(contact_frequency, 0.125, "1/h_s", "as in Box2D", "largest frequency of a contact") \
  X(joint_frequency, 0.25, "1/h_s", "as in Box2D", "largest frequency of a joint") \
  X(slops, 4, "linear_slop", "as in Box2D", "nearer contacts are solved") \
  X(kept_momentum, 1e-9, "N s", "round-off of impulses of 1 to 2 N s", "impulses that change the momentum by more show a support")
/* clang-format on */

DLS_IMPULSE_THRESHOLD_REALS(DLS_THRESHOLD_REAL)

/** All of them; ends with {0}. */
extern const dls_threshold dls_impulse_thresholds[];

#endif
