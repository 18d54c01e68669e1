/* test_multibody_ledger.c -- the ledger of the schemes whose energy identity holds on nonlinear systems.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "models.h"
#include <delassus/catalogue.h>
#include <delassus/energy.h>
#include <math.h>

typedef struct books {
  dls_system *sys;
  dls_energy_ledger *ledger;
} books;

static books keep(const char *model, const char *scheme)
{
  books b = {.sys = dls_test_system(model)};
  dls_scheme_choice choice;
  dls_error err = {0};
  assert_ok(dls_scheme_choose(scheme, &choice, &err), err);
  const dls_energy_spec spec = {.sys = b.sys, .choice = &choice, .step = 0.01, .end = 1};
  assert_ok(dls_energy_run(&spec, &b.ledger, &err), err);
  return b;
}

/* Joints, and a potential that is no quadratic form; a load and dampers. */
static void identities_hold_on_nonlinear_systems(void **state)
{
  (void)state;
  static const char *const models[] = {"lens-cardona-a", "lens-cardona-b",
                                       "double-pendulum:theta1=0.5,theta2=0.3", "heavy-top:spin=20",
                                       "random-linear:m=0,amplitude=3,damping=0.5"};
  static const char *const schemes[] = {"tdg-alpha:alpha=0.5", "alpha-kappa:alpha=0.5",
                                        "alpha-kappa:alpha=1,kappa=free"};
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    for (size_t k = 0; k < sizeof schemes / sizeof schemes[0]; k++) {
      books b = keep(models[i], schemes[k]);
      double lost = 0;
      assert_non_null(b.ledger->balance);
      for (size_t term = 0; term < b.ledger->term_count; term++) {
        lost += dls_trajectory_at(b.ledger->rows, b.ledger->rows->rows - 1,
                                  dls_energy_sum_column(b.ledger, DLS_ENERGY_NUMERICAL + term));
      }
      print_message("  %s, %s: residual %.2g, lost %.2g\n", models[i], schemes[k],
                    b.ledger->residual / b.ledger->scale, lost);
      assert_between(fabs(b.ledger->residual) / b.ledger->scale, 0, 1e-13);
      assert_between(-lost, 1e-12, 1e3);
      dls_energy_destroy(b.ledger);
      dls_system_destroy(b.sys);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(identities_hold_on_nonlinear_systems),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
