/* ledgers.c -- see ledgers.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ledgers.h"
#include "check.h"
#include "models.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

dls_energy_ledger *dls_test_ledger_of(const dls_system *sys, const char *scheme, double step, double end)
{
  dls_scheme_choice choice;
  dls_error err = {0};
  dls_energy_ledger *ledger = NULL;
  assert_ok(dls_scheme_choose(scheme, &choice, &err), err);
  if (dls_option_find(choice.scheme->options, "restitution") >= 0 && strstr(scheme, "restitution=") == NULL) {
    char text[200]; /* with the restitution coefficient of the scheme, as in runs.h */
    snprintf(text, sizeof text, "%s%crestitution=own", scheme, strchr(scheme, ':') == NULL ? ':' : ',');
    assert_ok(dls_scheme_choose(text, &choice, &err), err);
  }
  const dls_energy_spec spec = {.sys = sys, .choice = &choice, .step = step, .end = end};
  assert_ok(dls_energy_run(&spec, &ledger, &err), err);
  return ledger;
}

dls_energy_ledger *dls_test_ledger(const char *model, const char *scheme, double step, double end)
{
  dls_system *sys = dls_test_system(model);
  dls_energy_ledger *ledger = dls_test_ledger_of(sys, scheme, step, end);
  dls_system_destroy(sys);
  return ledger;
}

double dls_test_entry(const dls_energy_ledger *ledger, size_t row, const char *column)
{
  const int at = dls_trajectory_column(ledger->rows, column);
  assert_true(at >= 0);
  return dls_trajectory_at(ledger->rows, row, (size_t)at);
}

double dls_test_residual(const dls_energy_ledger *ledger)
{
  return fabs(ledger->residual) / ledger->scale;
}
