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
DLS_TEST(identities_hold_on_nonlinear_systems)
{
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

static double sum_of(const dls_energy_ledger *ledger, size_t column)
{
  return dls_trajectory_at(ledger->rows, ledger->rows->rows - 1, dls_energy_sum_column(ledger, column));
}

/* Contacts too, by the impact law and by a penalty; loads and dampers, a support that moves. E + sum U of the penalty is what it was,
 * but for loads and the support. */
DLS_TEST(energy_preserving_has_an_identity)
{
  static const struct {
    const char *model;
    bool strikes, alone; /* has impacts; no load, nothing that moves */
  } models[] = {{"bouncing-pendulum", true, true},
                {"bouncing-pendulum-natural", true, true},
                {"double-pendulum:theta1=0.5,theta2=0.3", false, true},
                {"heavy-top:spin=20", false, true},
                {"pendulum-chain:N=8", false, true},
                {"random-linear:amplitude=3,damping=0.5", true, false},
                {"vibrating-table", true, false}};
  static const char *const schemes[] = {"energy-preserving", "energy-preserving:contact=penalty,kappa=1e4"};
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    for (size_t k = 0; k < 2; k++) {
      books b = keep(models[i].model, schemes[k]);
      const double scale = b.ledger->scale, external = sum_of(b.ledger, DLS_ENERGY_EXTERNAL),
                   impact = sum_of(b.ledger, DLS_ENERGY_IMPACT),
                   stored = sum_of(b.ledger, DLS_ENERGY_NUMERICAL);
      print_message("  %s, %s: residual %.2g, external %.2g, impact %.2g, stored %.2g\n", models[i].model,
                    schemes[k], b.ledger->residual / scale, external, impact, stored);
      assert_non_null(b.ledger->balance);
      assert_between(fabs(b.ledger->residual) / scale, 0, 1e-13);
      if (models[i].alone) {
        assert_close(external / scale, 0, 1e-12);
        assert_between(-impact / scale, k == 0 && models[i].strikes ? 1e-2 : -1,
                       k == 0 ? 1 : 1e-11 + fabs(stored));
      } else {
        assert_true(fabs(external) + fabs(b.ledger->drive) > 1e-3 * scale);
      }
      if (k == 0) {
        assert_true(stored == 0);
      } else if (models[i].alone) {
        const double H = b.ledger->algorithmic_last - b.ledger->algorithmic_start;
        assert_close(H / scale, 0, 1e-12);
        assert_close((impact + stored) / scale, 0, 1e-12);
      }
      dls_energy_destroy(b.ledger);
      dls_system_destroy(b.sys);
    }
  }
}

/* The terms of every scheme add up to the change of energy, whatever drives the system: a surface, a support, a load or a joint. Where no
 * identity is known, they do up to the error of the scheme. */
DLS_TEST(drives_and_loads_are_terms_of_their_own)
{
  static const char *const models[] = {"belt", "vibrating-table", "random-linear:amplitude=30,damping=0.5",
                                       "multibody:mechanism=" DLS_TEST_DATA "/driven_crank.yaml"};
  enum { LOAD = 2, JOINT = 3 };
  static const struct {
    const char *scheme;
    double step, error; /* of the sum of numerical terms without an identity [scale] */
  } schemes[] = {{"event-driven", 0, 1e-8},
                 {"event-driven:method=erk", 0, 1e-8},
                 {"rk-moreau", 1e-3, 1e-6},
                 {"moreau-jean", 1e-3, 1e-2},
                 {"schatzman-paoli", 1e-3, 0},
                 {"nonsmooth-generalized-alpha", 1e-3, 3e-2},
                 {"three-level-alpha", 1e-3, 3e-2},
                 {"conserving-penalty:kappa=1e5", 1e-3, 0},
                 {"standard-penalty:kappa=1e5", 1e-3, 0},
                 {"spring-damper", 1e-3, 0},
                 {"energy-preserving", 1e-3, 0},
                 {"energy-preserving:contact=penalty,kappa=1e5", 1e-3, 0},
                 {"energy-preserving:contact=midpoint-penalty,kappa=1e5", 1e-3, 0}};
  size_t checked = 0;
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    for (size_t k = 0; k < sizeof schemes / sizeof schemes[0]; k++) {
      books b = {.sys = dls_test_system(models[i])};
      dls_scheme_choice choice;
      dls_error err = {0};
      assert_ok(dls_scheme_choose(schemes[k].scheme, &choice, &err), err);
      const dls_energy_spec spec = {.sys = b.sys, .choice = &choice, .step = schemes[k].step, .end = 1};
      const dls_status status = dls_energy_run(&spec, &b.ledger, &err);
      if (status != DLS_ERR_NOT_APPLICABLE) {
        assert_ok(status, err);
        checked++;
        const dls_energy_ledger *l = b.ledger;
        const double left = l->balance != NULL ? l->residual : dls_energy_numerical(l);
        print_message("  %s, %s: left %.2g, drive %.3g, external %.3g, impact %.3g\n", models[i],
                      schemes[k].scheme, left / l->scale, l->drive, l->external, l->impact);
        assert_between(fabs(left) / l->scale, 0, l->balance != NULL ? 1e-12 : schemes[k].error);
        assert_true(fabs(i == LOAD ? l->external : l->drive) > 1e-3 * l->scale);
        assert_true((i == LOAD || i == JOINT ? 0 : fabs(l->external)) < 1e-9 * l->scale);
        if (l->balance != NULL && l->balance->push != NULL) { /* no impact of a law */
          assert_true(l->impact == 0);
        }
      }
      dls_energy_destroy(b.ledger);
      dls_system_destroy(b.sys);
    }
  }
  assert_between((double)checked, 40, 52);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(identities_hold_on_nonlinear_systems),
      cmocka_unit_test(energy_preserving_has_an_identity),
      cmocka_unit_test(drives_and_loads_are_terms_of_their_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
