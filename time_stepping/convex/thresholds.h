/* thresholds.h -- the thresholds of the schemes with linearised gaps, with unit, reason and effect; see common/base/threshold_rows.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_CONVEX_THRESHOLDS_H
#define DELASSUS_TIME_STEPPING_CONVEX_THRESHOLDS_H

#include "common/base/threshold_rows.h"
#include <delassus/scheme.h>

/* clang-format off */
#define DLS_CONVEX_THRESHOLD_REALS(X) \
  X(slow_approach, 1e-9, "v_s", "round-off of the velocities of a motion", "slower approaches are no impacts, and gaps at rest are known to rounding")
/* clang-format on */

DLS_CONVEX_THRESHOLD_REALS(DLS_THRESHOLD_REAL)

/** All of them; ends with {0}. */
extern const dls_threshold dls_convex_thresholds[];

#endif
