/* time_stepping/soft/thresholds.c -- the table of thresholds, for `show SCHEME --thresholds`.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/soft/thresholds.h"

const dls_threshold dls_soft_thresholds[] = {DLS_SOFT_THRESHOLD_REALS(DLS_THRESHOLD_ROW)
                                                 DLS_SOFT_THRESHOLD_COUNTS(DLS_THRESHOLD_ROW){0}};
