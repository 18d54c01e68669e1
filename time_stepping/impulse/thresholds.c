/* time_stepping/impulse/thresholds.c -- the table of thresholds, for `show SCHEME --thresholds`.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/impulse/thresholds.h"

const dls_threshold dls_impulse_thresholds[] = {DLS_IMPULSE_THRESHOLD_REALS(DLS_THRESHOLD_ROW){0}};
