/* ledgers.h -- energy ledgers in a line, for tests.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_LEDGERS_H
#define DELASSUS_TESTS_LEDGERS_H

#include <delassus/energy.h>

/* The ledger of a run from texts, as for dls_test_run, with its rows; fails the test if anything goes wrong. */
dls_energy_ledger *dls_test_ledger(const char *model, const char *scheme, double step, double end);
/* The same of a system, which stays the caller's. */
dls_energy_ledger *dls_test_ledger_of(const dls_system *sys, const char *scheme, double step, double end);
/* Of a row, by the name of the column. */
double dls_test_entry(const dls_energy_ledger *ledger, size_t row, const char *column);
/* The largest |residual| of a step, of the energy scale. */
double dls_test_residual(const dls_energy_ledger *ledger);

#endif
