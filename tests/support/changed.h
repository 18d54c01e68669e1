/* changed.h -- runs of systems that a test has changed, as seen from elsewhere.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_CHANGED_H
#define DELASSUS_TESTS_CHANGED_H

#include "runs.h"

/* As dls_test_run, after change(sys); NULL: as it is. */
test_run dls_test_run_changed(const char *model, const char *scheme, double step, double end,
                              void (*change)(dls_system *sys));

/* The two tangents of contact 0, turned by the angle. */
#define DLS_TEST_TURN 0.7 /* rad */
void dls_test_turn_tangents(dls_system *sys);
/* Seen from a belt that moves with DLS_TEST_BELT: the belt rests, what lies on it comes along with the opposite. */
#define DLS_TEST_BELT 0.75 /* m/s */
void dls_test_stand_on_belt(dls_system *sys);

#endif
