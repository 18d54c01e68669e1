/* event_driven/thresholds.c -- the table of thresholds, for `show event-driven --thresholds`.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/thresholds.h"

#ifdef DLS_VARY_THRESHOLDS
#define DLS_REAL_VARIABLE(name, value, unit, reason, effect) double threshold_##name = value;
#define DLS_COUNT_VARIABLE(name, value, unit, reason, effect) int threshold_##name = value;
DLS_THRESHOLD_REALS(DLS_REAL_VARIABLE)
DLS_THRESHOLD_COUNTS(DLS_COUNT_VARIABLE)
#endif

const dls_threshold dls_event_driven_thresholds[] = {DLS_THRESHOLD_REALS(DLS_THRESHOLD_ROW)
                                                         DLS_THRESHOLD_COUNTS(DLS_THRESHOLD_ROW){0}};
