/* test_exact_nodes.c -- rows of exact solutions are as far apart as the accuracy allows: what interpolation errs between them is no more, and
 * not a small part of it. Of a motion whose derivatives are all as large as their bounds, a steady turn, it is nearly all.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "models.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* In the middle of [t, t + h] the cubic is (x(t) + x(t + h))/2 + h (x'(t) - x'(t + h))/8. */
static double middle_of(const dls_trajectory *rows, size_t row, size_t x, size_t rate)
{
  const double h = dls_trajectory_at(rows, row + 1, 0) - dls_trajectory_at(rows, row, 0);
  return (dls_trajectory_at(rows, row, x) + dls_trajectory_at(rows, row + 1, x)) / 2 +
         h * (dls_trajectory_at(rows, row, rate) - dls_trajectory_at(rows, row + 1, rate)) / 8;
}

/* The largest error of q and v in the middle between two rows. */
static double worst(const dls_trajectory *rows, const dls_trajectory *exact, size_t n)
{
  const size_t a = (size_t)dls_trajectory_column(rows, "a0"); /* behind t, q, v and more */
  double most = 0;
  for (size_t row = 0, at = 0; row + 1 < rows->rows; row++) {
    if (dls_trajectory_at(rows, row + 1, 0) > dls_trajectory_at(rows, row, 0)) {
      for (size_t i = 0; i < 2 * n; i++) {
        const size_t x = 1 + i, rate = i < n ? x + n : a + i - n;
        most = fmax(most, fabs(middle_of(rows, row, x, rate) - dls_trajectory_at(exact, at, x)));
      }
      at++;
    }
  }
  return most;
}

/* What rows for an accuracy err, as a part of it. */
static double share(const char *text, double end, double accuracy)
{
  dls_error err = {0};
  dls_model_choice choice = dls_test_model(text);
  dls_system *sys = dls_test_system(text);
  const dls_exact *exact = dls_exact_find(choice.model->name);
  dls_trajectory *rows = NULL, *between = NULL;
  assert_ok(dls_exact_trajectory(exact, choice.parameters, end, accuracy, &rows, &err), err);
  assert_in_range(rows->rows, 20, 2000);
  double *times = calloc(rows->rows, sizeof *times);
  size_t count = 0;
  for (size_t row = 0; row + 1 < rows->rows; row++) {
    const double from = dls_trajectory_at(rows, row, 0), to = dls_trajectory_at(rows, row + 1, 0);
    times[count] = (from + to) / 2;
    count += to > from;
  }
  assert_ok(dls_exact_at(exact, choice.parameters, count, times, &between, &err), err);
  assert_int_equal(between->rows, count);
  const double most = worst(rows, between, sys->n);
  dls_system_destroy(sys);
  dls_trajectory_destroy(rows);
  dls_trajectory_destroy(between);
  dls_model_choice_release(&choice);
  free(times);
  return most / accuracy;
}

/* Upright and almost without weight: d1 and d3 turn with the spin, and the fifth derivative of cos(spin t) is as large as spin^5. */
DLS_TEST(a_top_that_sleeps_is_sampled_as_a_turning_arrow)
{
  assert_between(share("heavy-top:theta0=0,precession=0,spin=20,g=1e-12", 1, 1e-6), 0.99, 1);
}

/* x = theta0 R cos(omega t), omega^2 = g/R, of small swings: 15 + 10 + 5 + 1 products of theta0 omega^5 bound its fifth derivative, theta0
 * omega^5. */
DLS_TEST(small_swings_in_a_rough_bowl_take_no_more_rows_than_their_bound)
{
  assert_between(share("rough-bowl:mu=0.0005,theta0=-0.001,g=1e6", 0.01, 1e-8), 0.01, 1);
  assert_between(share("rough-bowl", 4, 1e-8), 0.01, 1);
}

/* A puck that turns downhill: near kappa = 1 it ends on a straight path, where rows are needed for plots alone, end/256. */
DLS_TEST(a_puck_takes_rows_while_its_path_turns)
{
  assert_between(share("puck:mu=0.199998", 20, 1e-10), 0.1, 1);
  assert_between(share("puck:mu=0.199998,phi0=3.1", 1000, 1e-10), 0.1, 1);
  assert_between(share("puck", 0.4, 1e-11), 0.1, 1);
  assert_between(share("puck:mu=0.05", 100, 1e-9), 0.1, 1);
}

/* Over a support that moves as A cos(omega t): a flight takes rows for its own frequency, contact for that of the support. */
DLS_TEST(a_mass_over_a_moving_support_takes_rows_for_the_motion_it_has)
{
  assert_between(share("cam-follower", 1, 1e-10), 0.9, 1);
  assert_between(share("vibrating-table:e=0,q0=0.01", 0.5, 1e-10), 0.9, 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_top_that_sleeps_is_sampled_as_a_turning_arrow),
      cmocka_unit_test(a_puck_takes_rows_while_its_path_turns),
      cmocka_unit_test(a_mass_over_a_moving_support_takes_rows_for_the_motion_it_has),
      cmocka_unit_test(small_swings_in_a_rough_bowl_take_no_more_rows_than_their_bound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
