/* step_thresholds.h -- every threshold of derivatives of runs by step, with unit, reason and effect; see common/base/threshold_rows.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_RUN_STEP_THRESHOLDS_H
#define DELASSUS_COMMON_RUN_STEP_THRESHOLDS_H

#include "common/base/threshold_rows.h"

/* clang-format off */
#define DLS_STEP_TANGENT_REALS(X) \
  /* step_tangents.c */ \
  X(neighbour_distance, 0x1p-22, "size of p", "far above rounding, far below a step", "distance of neighbouring runs: rounding is 1e-9 of x/p, one neighbour in 1e-7/h switches in another step") \
  X(bend, 0.01, "difference of neighbours", "smooth maps bend by 1e-7 x''/x'", "neighbours that lie less on a line with the run have switched") \
  X(bend_rounding, 1e-12, "scales", "round-off of states", "differences of neighbours below this are not compared")
/* clang-format on */

DLS_STEP_TANGENT_REALS(DLS_THRESHOLD_REAL)

#endif
