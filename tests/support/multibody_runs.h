/* multibody_runs.h -- energies and joints of a run, for tests of schemes with joints.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_MULTIBODY_RUNS_H
#define DELASSUS_TESTS_MULTIBODY_RUNS_H

#include "runs.h"

typedef struct test_ledger {
  double first, last, least, most; /* T + V [J] */
  double joints, rates;            /* the largest |phi| and |G^T v| */
} test_ledger;

/** T + V of the state. */
double dls_test_mechanical(const dls_sim *sim);
/** A step more, from the start on with least > most. */
void dls_test_ledger_add(test_ledger *l, const dls_sim *sim);
/** Of a whole run. */
test_ledger dls_test_energies(const char *model, const char *scheme, double step, double end);
/** Largest error of mu0 over the steps of length h on [0, end], against the exact one at t - late h. */
double dls_test_multiplier_error(const char *model, const char *scheme, double h, double end, double late);

#endif
