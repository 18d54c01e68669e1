/* time_stepping/convex/thresholds.c -- the table of thresholds, for `show SCHEME --thresholds`.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/convex/thresholds.h"

const dls_threshold dls_convex_thresholds[] = {DLS_CONVEX_THRESHOLD_REALS(DLS_THRESHOLD_ROW){0}};
