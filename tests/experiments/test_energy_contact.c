/* test_energy_contact.c -- the column of the ledger that has the work of normal contact forces, step by step: what is closed and stays so
 * works nothing, what rebounds what the law says, and what yields gives back what it takes.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "ledgers.h"
#include <math.h>

/* The ball falls for a second, and lies still then, pressed by 2 N. */
DLS_TEST(a_contact_that_stays_closed_works_nothing)
{
  static const char *const schemes[] = {"moreau-jean", "moreau-jean:theta=0.6",
                                        "nonsmooth-newmark:gamma=0.5,beta=0.25", "event-driven"};
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    dls_energy_ledger *l = dls_test_ledger("bouncing-ball:e=0", schemes[i], 0.01, 6);
    size_t steps = 0;
    for (size_t row = 0; row < l->rows->rows; row++) {
      if (dls_trajectory_at(l->rows, row, 0) > 4) {
        assert_close(dls_test_entry(l, row, "normal"), 0, 1e-15);
        steps++;
      }
    }
    assert_true(steps > 0);
    assert_between(l->normal, -3, -1);
    dls_energy_destroy(l);
  }
}

/* Of the theta method the impulse works on the velocity between: impact and the numerical term impulse together. */
DLS_TEST(normal_work_is_that_on_the_velocity_of_the_impulse)
{
  dls_energy_ledger *l = dls_test_ledger("impacting-oscillator:e=0.8,f=-1", "moreau-jean:theta=0.8", 0.01, 10);
  double largest = 0;
  for (size_t row = 1; row < l->rows->rows; row++) {
    const double normal = dls_test_entry(l, row, "normal");
    assert_close(normal, dls_test_entry(l, row, "impact") + dls_test_entry(l, row, "num_impulse"), 1e-14);
    largest = fmax(largest, fabs(normal));
  }
  assert_between(largest, 1e-3, 5);
  assert_close(l->friction, 0, 0);
  assert_close(l->drive, 0, 0);
  dls_energy_destroy(l);
}

/* H - E = sum U(g) of the midpoint rule: the conserving spring stores what it takes, the standard one makes the rest. */
DLS_TEST(springs_give_back_what_they_take_if_they_conserve)
{
  static const struct {
    const char *scheme, *made;
  } runs[] = {{"conserving-penalty", NULL},
              {"conserving-penalty:theta=0.8", "num_contact"},
              {"standard-penalty", "num_contact"},
              {"standard-penalty:continuum=trapezoidal", "num_contact"}};
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
    dls_energy_ledger *l = dls_test_ledger("rod-impact", runs[i].scheme, 0.02, 2.6);
    double taken = 0, stored = 0;
    for (size_t row = 1; row < l->rows->rows; row++) {
      const double now = dls_test_entry(l, row, "algorithmic") - dls_test_entry(l, row, "mechanical");
      const double made = runs[i].made != NULL ? dls_test_entry(l, row, runs[i].made) : 0;
      const double normal = dls_test_entry(l, row, "normal");
      assert_close(normal, made - (now - stored), 1e-12 * fmax(1, l->scale));
      stored = now;
      taken = fmin(taken, normal);
    }
    assert_between(taken, -1e4, -1e-4);
    assert_close(l->impact, 0, 0);
    assert_true(i > 0 || fabs(l->normal) < 1e-14);
    dls_energy_destroy(l);
  }
}

/* Nonlinear, with the gradient of the middle of the step. */
DLS_TEST(normal_work_of_a_discrete_gradient_is_that_of_its_identity)
{
  dls_energy_ledger *l = dls_test_ledger("rope:e=0.5", "energy-preserving", 1e-3, 1.5);
  double largest = 0;
  for (size_t row = 1; row < l->rows->rows; row++) {
    assert_close(dls_test_entry(l, row, "normal"), dls_test_entry(l, row, "impact"), 0);
    largest = fmax(largest, fabs(dls_test_entry(l, row, "normal")));
  }
  assert_between(largest, 1e-3, 100);
  dls_energy_destroy(l);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_contact_that_stays_closed_works_nothing),
      cmocka_unit_test(normal_work_is_that_on_the_velocity_of_the_impulse),
      cmocka_unit_test(springs_give_back_what_they_take_if_they_conserve),
      cmocka_unit_test(normal_work_of_a_discrete_gradient_is_that_of_its_identity),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
