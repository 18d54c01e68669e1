/* tests/experiments/test_energy_friction.c -- energy ledgers of event-driven runs with friction: its work is an integral along
 * the path, so that nothing is left but the tolerance of the run.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "models.h"
#include <delassus/catalogue.h>
#include <delassus/energy.h>
#include <math.h>

/* What is not booked of a run at tol = 1e-10, of the largest energy. */
static double left_over(const char *model, double end, double *friction)
{
  dls_error err = {0};
  dls_scheme_choice choice;
  dls_energy_ledger *ledger = NULL;
  dls_system *sys = dls_test_system(model);
  assert_ok(dls_scheme_choose("event-driven", &choice, &err), err);
  const dls_energy_spec spec = {.sys = sys, .choice = &choice, .end = end, .totals_only = true};
  assert_ok(dls_energy_run(&spec, &ledger, &err), err);
  const double rest = fabs(dls_energy_numerical(ledger)) / ledger->scale;
  *friction = ledger->friction / ledger->scale;
  dls_energy_destroy(ledger);
  dls_system_destroy(sys);
  return rest;
}

DLS_TEST(the_work_of_friction_is_booked_to_the_tolerance)
{
  static const struct {
    const char *model;
    double end;
  } runs[] = {{"belt:Fs=1.5", 3},    {"forced-block", 3}, {"den-hartog", 3}, {"spring-block", 3},
              {"puck", 0.4},         {"rough-bowl", 1.5}, {"sphere", 1},     {"bounce-slip", 2.5},
              {"painleve-rod", 0.2}, {"woodpecker", 0.3}};
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
    double friction = 0;
    const double rest = left_over(runs[i].model, runs[i].end, &friction);
    if (!(rest <= 1e-9 && fabs(friction) > 1e-3)) {
      fail_msg("%s: left %g of the energy, work of friction %g", runs[i].model, rest, friction);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_work_of_friction_is_booked_to_the_tolerance)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
