/* vary_threshold.h -- thresholds of the event-driven method as variables.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_VARY_THRESHOLD_H
#define DELASSUS_TESTS_VARY_THRESHOLD_H

#include "event_driven/thresholds.h"
#include <stddef.h>

#ifndef DLS_VARY_THRESHOLDS
#error "compile with DLS_VARY_THRESHOLDS"
#endif

/* A row of the table; counts are at least 1. */
void dls_test_set_threshold(size_t row, double value);

#endif
