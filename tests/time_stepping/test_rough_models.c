/* test_rough_models.c -- the bowl, the rocking block, Painleve's rod and the woodpecker by time stepping: instants and states
 * that are known from quadratures and from other programs. Steps are small, the schemes of order one: errors are bounded by
 * some steps.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "models.h"
#include "runs.h"
#include <math.h>

enum { NOWHERE = -1 };

/* The first time from `from` on at which a column falls through zero, by a straight line between two rows. */
static double falls(const test_run *run, const char *column, double from, size_t *row)
{
  for (size_t i = 1; i < run->traj->rows; i++) {
    const double t = dls_test_value(run, i, "t"), x = dls_test_value(run, i, column);
    const double t0 = dls_test_value(run, i - 1, "t"), x0 = dls_test_value(run, i - 1, column);
    if (t0 >= from && x0 > 0 && x <= 0) {
      *row = i;
      return t0 + (t - t0) * x0 / (x0 - x);
    }
  }
  *row = 0;
  return NOWHERE;
}

/* The bottom at 0.577613 s with 2.648698 m/s, the highest point at 1.054380 s and 0.736070 rad. */
DLS_TEST(the_bowl_is_passed_in_time)
{
  const char *const schemes[] = {"moreau-jean", "moreau-jean:theta=1", "moreau-jean-variant",
                                 "nonsmooth-newmark"};
  for (size_t k = 0; k < 4; k++) {
    test_run run = dls_test_run("rough-bowl:theta0=1.0471975511965976", schemes[k], 2e-4, 1.2);
    size_t row = 0;
    assert_close(falls(&run, "q0", 0, &row), 0.577613188225255, 4e-4);
    assert_close(dls_test_value(&run, row, "v0"), -2.64869830338015, 4e-3);
    for (row = run.traj->rows / 2; dls_test_value(&run, row, "v0") < 0; row++) {
    }
    assert_close(dls_test_value(&run, row, "t"), 1.05437996837416, 6e-4);
    assert_close(asin(dls_test_value(&run, row, "q0")), -0.73606974298544, 3e-3);
    dls_test_free(&run);
  }
}

/* The first quarter of the period 1.388374 s. */
DLS_TEST(the_block_rocks_as_housner_says)
{
  test_run run = dls_test_run("rocking-block", "moreau-jean", 1e-5, 0.36);
  size_t row = 0;
  const double R = hypot(0.1, 0.5), p2 = 3 * 9.81 / (4 * R), alpha = atan(0.2);
  assert_close(falls(&run, "q2", 0, &row), 1.38837434715553 / 4, 3e-5);
  assert_close(dls_test_value(&run, row - 100, "v2"), -sqrt(2 * p2 * (cos(alpha / 2) - cos(alpha))), 0.01);
  dls_test_free(&run);
}

/* Ratio of the angular velocities of an impact on both corners of a block that turns about the left one. */
static double impact_ratio(const char *model)
{
  dls_error err = {0};
  dls_scheme_choice choice;
  dls_sim *sim = NULL;
  dls_system *sys = dls_test_system(model);
  assert_ok(dls_scheme_choose("moreau-jean", &choice, &err), err);
  sys->v0[2] = -1;
  sys->v0[0] = 0.5;
  sys->v0[1] = -0.1;
  assert_ok(dls_scheme_choice_sim(&choice, sys, &sim, &err), err);
  assert_ok(dls_run(sim, &(dls_run_spec){.step = 1e-10, .end = 1e-10}, &err), err);
  const double ratio = sim->v[2] / sys->v0[2];
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return ratio;
}

/* 1 - 3/2 sin(alpha)^2, here 49/52, down to mu = 3 sin cos/(4 - 3 sin^2) = 15/101; below it slips. */
DLS_TEST(impacts_of_the_block_are_housners_with_enough_friction)
{
  assert_close(impact_ratio("rocking-block:phi0=0"), 49.0 / 52, 1e-8);
  assert_close(impact_ratio("rocking-block:phi0=0,mu=0.14852"), 49.0 / 52, 1e-8);
  assert_between(impact_ratio("rocking-block:phi0=0,mu=0.1484"), 0.5, 49.0 / 52 - 1e-5);
  assert_close(impact_ratio("rocking-block:phi0=0,mu=0.1"), 0.890909090909, 1e-8);
}

/* Slip stops at 0.0707187663 s and 63.4652394 degrees. */
DLS_TEST(the_rod_stops_in_time)
{
  test_run run = dls_test_run("painleve-rod", "moreau-jean:theta=1", 1e-5, 0.08);
  size_t row = 1;
  while (dls_test_value(&run, row, "u0t") < -1e-7) {
    row++;
    assert_true(row < run.traj->rows);
  }
  assert_close(dls_test_value(&run, row, "t"), 0.0707187663, 3e-5);
  assert_close(dls_test_value(&run, row, "q2") * 180 / acos(-1), 63.4652394, 1e-3);
  assert_close(dls_test_value(&run, row, "u0t"), 0, 1e-7);
  dls_test_free(&run);
}

/* The limit cycle, which is reached slowly (multiplier -0.84): means over the last ten of its periods. */
DLS_TEST(the_woodpecker_comes_down_as_the_literature_says)
{
  enum { CYCLES = 20, LAST = 10 };
  test_run run = dls_test_run("woodpecker", "moreau-jean", 2e-5, 3);
  double t[CYCLES], y[CYCLES], from = 0;
  for (int k = 0; k < CYCLES; k++) { /* once a cycle the bird swings through the level downward */
    size_t row = 0;
    t[k] = falls(&run, "q2", from, &row);
    assert_true(t[k] > from);
    y[k] = dls_test_value(&run, row, "q0");
    from = dls_test_value(&run, row, "t");
  }
  assert_close((t[CYCLES - 1] - t[CYCLES - 1 - LAST]) / LAST, 0.145976, 1e-4);
  assert_close((y[CYCLES - 1] - y[CYCLES - 1 - LAST]) / LAST, -0.0194454, 1e-4);
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_bowl_is_passed_in_time),
      cmocka_unit_test(the_block_rocks_as_housner_says),
      cmocka_unit_test(impacts_of_the_block_are_housners_with_enough_friction),
      cmocka_unit_test(the_rod_stops_in_time),
      cmocka_unit_test(the_woodpecker_comes_down_as_the_literature_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
