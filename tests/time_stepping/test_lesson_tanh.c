/* test_lesson_tanh.c -- the claims of docs/notes/lesson-tanh-friction.md: a block on an incline that friction holds.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "runs.h"
#include <math.h>
#include <stdio.h>

#define SPRINGS "spring-damper:damping=given,c=2000,friction="

static const double rest = 0.184297885612349; /* place where it stops */

static test_run slide(const char *friction, double step, double end)
{
  char scheme[120];
  snprintf(scheme, sizeof scheme, SPRINGS "%s", friction);
  return dls_test_run("incline:mu=0.7", scheme, step, end);
}

/* u = -eps artanh(tan alpha/mu), and the place is behind by that much time. */
DLS_TEST(tanh_creeps_as_the_formula_says)
{
  const struct {
    double eps, place;
  } cases[] = {{0.1, -0.3749}, {0.01, 0.1279}, {0.001, 0.1787}};
  for (int k = 0; k < 3; k++) {
    char friction[40];
    snprintf(friction, sizeof friction, "tanh,eps=%g", cases[k].eps);
    test_run run = slide(friction, 1e-3, 5);
    assert_close(run.sim->v[0], -cases[k].eps * atanh(tan(acos(-1) / 6) / 0.7), 1e-6 * cases[k].eps);
    assert_close(run.sim->q[0], cases[k].place, 1e-4);
    dls_test_free(&run);
  }
}

/* L1 on [0, 2]: 0.0192 and 0.00192 at any step; by Coulomb's law order two. */
DLS_TEST(small_steps_do_not_help)
{
  const dls_fit coulomb =
      dls_test_order((test_study){"incline:mu=0.7", "moreau-jean", "l1", "q0", 2, 1e-2, 1e-4, 6, 4});
  assert_between(coulomb.order, 1.7, 2.3);
  const double steps[] = {5e-3, 2e-4};
  for (int k = 0; k < 4; k++) {
    const bool fine = k >= 2;
    double error = 0;
    test_run run = slide(fine ? "tanh,eps=0.001" : "tanh,eps=0.01", steps[k % 2], 2);
    for (size_t i = 1; i < run.traj->rows; i++) { /* by trapezoids; the way up is left out, it takes 0.2 s */
      const double t = dls_test_value(&run, i, "t"), h = t - dls_test_value(&run, i - 1, "t");
      const double mean = (dls_test_value(&run, i, "q0") + dls_test_value(&run, i - 1, "q0")) / 2;
      error += t > 0.2 ? h * (rest - mean) : 0;
    }
    assert_close(error, fine ? 1.92e-3 : 1.92e-2, fine ? 2e-4 : 2e-4);
    dls_test_free(&run);
  }
}

DLS_TEST(springs_hold_but_swing)
{
  const struct {
    const char *friction;
    double place, speed;
  } cases[] = {{"spring-slider", 0.1781, 1e-7}, {"lugre", 0.1715, 1e-9}};
  for (int k = 0; k < 2; k++) {
    test_run run = slide(cases[k].friction, 1e-3, 5);
    assert_close(run.sim->q[0], cases[k].place, 1e-4);
    assert_close(run.sim->v[0], 0, cases[k].speed);
    dls_test_free(&run);
  }
  test_run run = dls_test_run("incline:mu=0.7", "moreau-jean", 1e-3, 5);
  assert_close(run.sim->q[0], rest, 2e-6);
  assert_true(run.sim->v[0] == 0);
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tanh_creeps_as_the_formula_says),
      cmocka_unit_test(small_steps_do_not_help),
      cmocka_unit_test(springs_hold_but_swing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
