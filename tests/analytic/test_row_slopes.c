/* test_row_slopes.c -- columns of meaning DLS_CUBIC: exact for polynomials of degree three, of the fourth order, within a part of the record.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "random_graph.h"
#include <math.h>

static const char *const names[] = {"t", "lambda0", "p0"};

static dls_trajectory *table(size_t rows, const double *t, double (*f)(double))
{
  dls_trajectory *traj = dls_trajectory_create_table(3, names);
  assert_non_null(traj);
  traj->meaning[1] = DLS_CUBIC;
  for (size_t i = 0; i < rows; i++) {
    const double row[] = {t[i], f(t[i]), 0};
    memcpy(dls_trajectory_append(traj), row, sizeof row);
  }
  return traj;
}

/* Largest error at ten instants of each interval. */
static double error_between(const dls_trajectory *traj, double (*f)(double))
{
  dls_graph *g = NULL;
  dls_error err = {0};
  double worst = 0;
  assert_ok(dls_graph_of(traj, 1, (const size_t[]){1}, &g, &err), err);
  assert_int_equal(g->count, traj->rows);
  for (size_t i = 0; i + 1 < g->count; i++) {
    for (int k = 1; k < 10 && g->t[i + 1] > g->t[i]; k++) {
      const double t = g->t[i] + k * (g->t[i + 1] - g->t[i]) / 10;
      double x = 0;
      dls_graph_value(g, t, 1, &x);
      worst = fmax(worst, fabs(x - f(t)));
    }
  }
  dls_graph_destroy(g);
  return worst;
}

static double cube(double t)
{
  return 1 + t * (2 - t * (3 - t));
}

static double square(double t)
{
  return 1 - t + 3 * t * t;
}

static double line(double t)
{
  return 2 - 3 * t;
}

DLS_TEST(polynomials_are_reproduced_as_far_as_the_rows_allow)
{
  static const double t[] = {0, 0.2, 0.4, 0.7, 1, 1.2, 1.5};
  double (*const f[])(double) = {line, line, square, cube};
  for (size_t rows = 2; rows <= 7; rows++) {
    for (size_t degree = 1; degree <= 3; degree++) {
      dls_trajectory *traj = table(rows, t, f[degree]);
      const double error = error_between(traj, f[degree]);
      if (degree < rows) {
        assert_between(error, 0, 1e-13);
      } else {
        assert_between(error, 1e-4, 1);
      }
      dls_trajectory_destroy(traj);
    }
  }
}

static double sine_error(size_t rows, double ratio)
{
  double t[200];
  for (size_t i = 0; i < rows; i++) { /* every second interval longer */
    t[i] = (double)i + (i % 2 == 1 ? ratio - 1 : 0);
  }
  for (size_t i = 0; i < rows; i++) {
    t[i] *= 3 / t[rows - 1];
  }
  dls_trajectory *traj = table(rows, t, sin);
  const double error = error_between(traj, sin);
  dls_trajectory_destroy(traj);
  return error;
}

DLS_TEST(the_order_is_four_on_unequal_intervals_too)
{
  assert_between(sine_error(20, 1) / sine_error(39, 1), 12, 40);
  assert_between(sine_error(20, 1.5) / sine_error(39, 1.5), 12, 40);
  assert_between(sine_error(39, 1), 1e-8, 1e-6);
}

static double step(double t)
{
  return t < 1 ? t : 5 * t;
}

/* Both limits at 1: each side is a line, as if the other were not there. */
DLS_TEST(no_slope_reaches_over_a_jump)
{
  static const double t[] = {0, 0.4, 0.7, 1, 1, 1.2, 1.5, 1.9};
  dls_trajectory *traj = table(8, t, step);
  traj->data[3 * 3 + 1] = 1;
  assert_between(error_between(traj, step), 0, 1e-13);
  dls_trajectory_destroy(traj);
}

/* Rounding of two rows at almost the same time does not reach the intervals beside them. */
DLS_TEST(close_rows_do_not_amplify_errors)
{
  static const double t[] = {0, 0.2, 0.4, 0.4 + 1e-9, 0.6, 0.8, 1};
  dls_trajectory *traj = table(7, t, line);
  traj->data[3 * 3 + 1] += 1e-6;
  assert_between(error_between(traj, line), 5e-7, 3e-6);
  dls_trajectory_destroy(traj);
}

/* The impulse is the integral of the cubic, and its rate at the rows is the force. */
DLS_TEST(impulses_integrate_cubic_forces)
{
  static const double t[] = {0, 0.3, 0.7, 1, 1.4};
  dls_trajectory *traj = table(5, t, cube);
  dls_graph *g = NULL;
  dls_error err = {0};
  double x = 0;
  assert_ok(dls_graph_of_impulses(traj, 0, 1, &g, &err), err);
  dls_graph_value(g, 1.4, 1, &x);
  assert_close(x, 1.4 * (1 + 1.4 * (1 - 1.4 * (1 - 1.4 / 4))), 1e-13);
  dls_graph_destroy(g);
  dls_trajectory_destroy(traj);
}

/* Cubics of both kinds make one graph; with a line they do not. */
DLS_TEST(graphs_mix_cubics_only)
{
  static const double row[] = {0, 1, 2, 3, 4, 1, 2, 2, 3, 5};
  dls_trajectory *traj = dls_trajectory_create_table(5, (const char *const[]){"t", "q0", "v0", "u0", "p0"});
  dls_graph *g = NULL;
  dls_error err = {0};
  assert_non_null(traj);
  memcpy(dls_trajectory_append(traj), row, 5 * sizeof *row);
  memcpy(dls_trajectory_append(traj), row + 5, 5 * sizeof *row);
  traj->meaning[1] = DLS_HERMITE;
  traj->meaning[3] = DLS_CUBIC;
  assert_ok(dls_graph_of(traj, 2, (const size_t[]){1, 3}, &g, &err), err);
  assert_close(g->slope[0], 2, 0);
  assert_close(g->slope[1], 0, 0);
  dls_graph_destroy(g);
  assert_int_equal(dls_graph_of(traj, 2, (const size_t[]){3, 4}, &g, &err), DLS_ERR_NOT_APPLICABLE);
  dls_trajectory_destroy(traj);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(polynomials_are_reproduced_as_far_as_the_rows_allow),
      cmocka_unit_test(the_order_is_four_on_unequal_intervals_too),
      cmocka_unit_test(no_slope_reaches_over_a_jump),
      cmocka_unit_test(close_rows_do_not_amplify_errors),
      cmocka_unit_test(impulses_integrate_cubic_forces),
      cmocka_unit_test(graphs_mix_cubics_only),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
