/* test_penalty_energy.c -- what penalty contact does to the energy of a step, by the phase of the grid, and where a ledger books what
 * the springs hold.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ledgers.h"
#include "models.h"
#include "penalty_runs.h"
#include "time_stepping/penalty/penalty_step.h"
#include <stdlib.h>

/* Systems that are not linear: the ledger is that of E + U, so that what the springs hold is not called numerical. */
DLS_TEST(ledger_of_a_nonlinear_system_has_what_the_springs_hold)
{
  static const struct {
    const char *model;
    double end, most_stored, least_stored, numerical;
  } cases[] = {{"rigid-discs", 9, 2.5, 1, 1e-11},
               {"bouncing-pendulum", 2, 9, 3, 0.02},
               {"rough-bowl", 1.5, 0.03, 0.02, 1e-5}};
  for (size_t i = 0; i < 3; i++) {
    dls_error err = {0};
    dls_scheme_choice choice;
    dls_energy_ledger *ledger = NULL;
    dls_system *sys = dls_test_system(cases[i].model);
    assert_ok(dls_scheme_choose("conserving-penalty:kappa=1e4,newton_tol=1e-14", &choice, &err), err);
    const dls_energy_spec spec = {.sys = sys, .choice = &choice, .step = 4e-3, .end = cases[i].end};
    assert_ok(dls_energy_run(&spec, &ledger, &err), err);
    double stored = 0;
    for (size_t row = 0; row < ledger->rows->rows; row++) {
      const double H = dls_trajectory_at(ledger->rows, row, DLS_ENERGY_ALGORITHMIC);
      stored = fmax(stored, H - dls_trajectory_at(ledger->rows, row, DLS_ENERGY_MECHANICAL));
      double numerical = 0;
      for (size_t k = 0; k < ledger->term_count; k++) {
        numerical += dls_trajectory_at(ledger->rows, row, DLS_ENERGY_NUMERICAL + k);
      }
      assert_close(numerical, 0, cases[i].numerical);
    }
    assert_non_null(ledger->balance);
    assert_close(ledger->impact, 0, 0);
    assert_true(i == 2 ? ledger->sliding < -1 : ledger->sliding == 0);
    assert_between(stored, cases[i].least_stored, cases[i].most_stored);
    assert_close(ledger->algorithmic_last - ledger->algorithmic_start,
                 dls_energy_numerical(ledger) + ledger->external + ledger->sliding, 1e-12);
    dls_energy_destroy(ledger);
    dls_system_destroy(sys);
  }
}

/* With continuum=hht, friction and tangents that turn it is the plain one of E + U. */
DLS_TEST(ledger_without_an_identity_has_what_the_springs_hold)
{
  dls_energy_ledger *l = dls_test_ledger("rough-bowl", "standard-penalty:kappa=1e4,continuum=hht", 4e-3, 1.5);
  double stored = 0;
  assert_true(l->yields && l->balance == NULL);
  for (size_t row = 0; row < l->rows->rows; row++) {
    stored = fmax(stored, dls_test_entry(l, row, "algorithmic") - dls_test_entry(l, row, "mechanical"));
  }
  assert_between(stored, 0.02, 0.03);
  assert_close(l->impact, 0, 0);
  assert_true(l->sliding < 0);
  assert_close(l->algorithmic_last - l->algorithmic_start, dls_energy_numerical(l) + l->external + l->sliding,
               1e-12);
  dls_energy_destroy(l);
}

/* What one step of a mass that flies does, with gap g before and g' after it, to E + U beside the continuum, from the penalty
 * alone: the midpoint rule creates kappa/2 g^2 where it is in contact at the middle of the step that closes, U(g') where it is not;
 * the trapezoidal rule loses kappa/2 g |g'| when the contact closes and gains it when it opens. */
DLS_TEST(standard_penalty_gains_by_the_phase_of_the_grid)
{
  const double kappa = 1e3, h = 0.01;
  for (int phase = 1; phase < 20; phase++) {
    for (int average = 0; average < 2; average++) {
      char model[100], scheme[100];
      double work[1], closing = NAN, opening = NAN;
      dls_error err = {0};
      snprintf(model, sizeof model, "bouncing-ball:f=0,v0=-1,q0=%.17g", 0.1 + 0.05 * phase * h);
      snprintf(scheme, sizeof scheme, "standard-penalty:kappa=%g%s", kappa,
               average ? ",continuum=trapezoidal" : "");
      test_run run = dls_test_prepare(model, scheme);
      assert_ok(dls_sim_start(run.sim, &err), err);
      double H = 0.5, g = run.sim->q[0];
      for (int k = 0; k < 40; k++) {
        assert_ok(dls_sim_advance(run.sim, h, &err), err);
        const double now = dls_balance_mechanical(run.sim, work) + dls_penalty_energy(kappa, run.sim->q[0]);
        const double next = run.sim->q[0], created = now - H;
        if (g > 0 && next < 0) {
          closing = created;
          assert_close(created,
                       average        ? -0.5 * kappa * g * -next
                       : g + next < 0 ? 0.5 * kappa * g * g
                                      : dls_penalty_energy(kappa, next),
                       1e-13);
        } else if (g < 0 && next > 0) {
          opening = created;
          assert_close(created,
                       average        ? 0.5 * kappa * -g * next
                       : g + next < 0 ? -0.5 * kappa * next * next
                                      : -dls_penalty_energy(kappa, g),
                       1e-13);
        } else {
          assert_close(created, 0, 1e-13);
        }
        H = now;
        g = next;
      }
      assert_true(isfinite(closing + opening));
      dls_test_free(&run);
    }
  }
}

/* Last energy of a free beam that turns and bends, over that at the start. */
static double growth(const char *element, const char *scheme, double h, double end)
{
  char model[100];
  dls_error err = {0};
  dls_scheme_choice choice;
  dls_energy_ledger *ledger = NULL;
  snprintf(model, sizeof model, "flying-beam:wall=off,EA=1e6,GA=1e6,omega=2,element=%s", element);
  dls_system *sys = dls_test_system(model);
  assert_ok(dls_scheme_choose(scheme, &choice, &err), err);
  const dls_energy_spec spec = {.sys = sys, .choice = &choice, .step = h, .end = end};
  assert_ok(dls_energy_run(&spec, &ledger, &err), err);
  const double factor = ledger->last / ledger->start;
  dls_energy_destroy(ledger);
  dls_system_destroy(sys);
  return factor;
}

DLS_TEST(rules_that_conserve_in_linear_systems_blow_up_without_contact)
{
  assert_between(growth("angle", "standard-penalty", 0.05, 30), 1.05, 1.1);
  assert_between(growth("angle", "standard-penalty", 0.1, 12), 50, 52);
  assert_between(growth("angle", "standard-penalty:continuum=trapezoidal", 0.1, 20), 2.3, 2.5);
  assert_close(growth("angle", "energy-preserving", 0.05, 30), 1, 1e-11);
  assert_close(growth("directors", "energy-preserving", 0.1, 30), 1, 1e-11);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ledger_of_a_nonlinear_system_has_what_the_springs_hold),
      cmocka_unit_test(ledger_without_an_identity_has_what_the_springs_hold),
      cmocka_unit_test(standard_penalty_gains_by_the_phase_of_the_grid),
      cmocka_unit_test(rules_that_conserve_in_linear_systems_blow_up_without_contact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
