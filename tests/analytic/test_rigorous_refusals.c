/* test_rigorous_refusals.c -- what cannot be enclosed is refused with its reason; distances whose closed form is known are enclosed.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigorous_problem.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void refuses(const dls_rigorous_problem *problem, dls_status expected, const char *reason)
{
  dls_rigorous_table table;
  dls_error err = {0};
  assert_int_equal(dls_rigorous_solve(problem, &table, &err), expected);
  assert_string_equal(err.text, reason);
  dls_rigorous_free(&table);
}

DLS_TEST(what_is_no_decimal_is_refused)
{
  model_text text;
  dls_rigorous_problem problem = problem_of("bouncing-ball", "abc", &text);
  refuses(&problem, DLS_ERR_ARG, "end = abc is no positive decimal number");
  problem.end = "-1";
  refuses(&problem, DLS_ERR_ARG, "end = -1 is no positive decimal number");
  text.values[1] = "1e"; /* of the second parameter */
  refuses(&problem, DLS_ERR_ARG, "bouncing-ball: f = 1e is no decimal number");
  text.values[1] = "inf";
  refuses(&problem, DLS_ERR_ARG, "bouncing-ball: f = inf is no decimal number");
  text.values[1] = "-2";
  problem.end = "0.8";
  problem.time_count = 1;
  problem.times = (const char *const[]){"half"};
  refuses(&problem, DLS_ERR_ARG, "time half is no decimal number");
  problem.times = (const char *const[]){"inf"};
  refuses(&problem, DLS_ERR_ARG, "time inf is no decimal number");
}

static void refuses_distance(const dls_rigorous_distance_problem *problem, dls_status expected,
                             const char *reason)
{
  dls_rigorous_cell cell;
  dls_error err = {0};
  bool wide = false;
  assert_int_equal(dls_rigorous_distance(problem, &cell, &wide, &err), expected);
  assert_non_null(strstr(err.text, reason));
  assert_null(cell.low);
  assert_null(cell.high);
}

DLS_TEST(a_distance_from_what_is_not_there_is_refused)
{
  double t[NODES], x[NODES];
  model_text text;
  dls_rigorous_distance_problem problem = chords(&text, t, x);
  problem.tau = "0";
  refuses_distance(&problem, DLS_ERR_ARG, "tau = 0 and xi = 1 must be positive decimals");
  problem.tau = "1 s";
  refuses_distance(&problem, DLS_ERR_ARG, "tau = 1 s and xi = 1 must be positive decimals");
  problem.tau = "1";
  problem.xi = "-2";
  refuses_distance(&problem, DLS_ERR_ARG, "tau = 1 and xi = -2 must be positive decimals");
  problem.xi = "x";
  refuses_distance(&problem, DLS_ERR_ARG, "tau = 1 and xi = x must be positive decimals");
  problem.xi = "1";
  static const char *const none[] = {"q1", "p0", "lambda0"};
  for (size_t i = 0; i < 3; i++) {
    problem.columns = &none[i];
    refuses_distance(&problem, DLS_ERR_OPTION, none[i]);
  }
  problem.exact.model = "wedge";
  refuses_distance(&problem, DLS_ERR_NOT_APPLICABLE, "wedge has no rigorous solution");
}

/* The area between both, to the digits that are asked for. */
static void has_area(dls_rigorous_distance_problem problem, double area)
{
  dls_error err = {0};
  dls_rigorous_cell cell;
  bool wide = true;
  problem.norm = DLS_RIGOROUS_L1;
  problem.exact.digits = 8;
  assert_ok(dls_rigorous_distance(&problem, &cell, &wide, &err), err);
  assert_between(area, strtod(cell.low, NULL) - 1e-16, strtod(cell.high, NULL) + 1e-16);
  assert_between(strtod(cell.high, NULL) - strtod(cell.low, NULL), 0, 1.1e-8 * area);
  assert_false(wide);
  free(cell.low);
  free(cell.high);
}

/* Over each of 4 chords of length h = 0.2 the parabola is h^2/4 higher in the middle, and the area between them is h^3/6. The square
 * around the middle of the first arc, where both have the slope -0.2, reaches the chord with the half side r = h^2/4 - 0.2 r. */
DLS_TEST(distances_of_chords_from_the_parabola_are_enclosed)
{
  double t[NODES], x[NODES];
  model_text text;
  dls_error err = {0};
  dls_rigorous_cell cell;
  bool wide = true;
  dls_rigorous_distance_problem problem = chords(&text, t, x);
  problem.exact.digits = 8;
  has_area(problem, 4 * 0.2 * 0.2 * 0.2 / 6);
  problem.norm = DLS_RIGOROUS_HAUSDORFF;
  assert_ok(dls_rigorous_distance(&problem, &cell, &wide, &err), err);
  assert_between(1.0 / 120, strtod(cell.low, NULL) - 1e-16, strtod(cell.high, NULL) + 1e-16);
  assert_between(strtod(cell.high, NULL) / strtod(cell.low, NULL), 1, 1 + 1.1e-8);
  free(cell.low);
  free(cell.high);
}

/* A parabola is the cubic through its nodes with its slopes; with slopes of 0 the cubic of [0, h] differs by m h (s^3 - s^2), s = t/h, from the
 * parabola of which m is the slope at h: m h^2/12 in all. */
DLS_TEST(cubics_through_nodes_with_slopes_are_what_is_compared)
{
  double t[NODES], x[NODES], slope[NODES];
  model_text text;
  dls_rigorous_distance_problem problem = chords(&text, t, x);
  problem.slope = slope;
  for (size_t i = 0; i < NODES; i++) {
    slope[i] = -2 * t[i];
  }
  for (problem.norm = DLS_RIGOROUS_HAUSDORFF; problem.norm <= DLS_RIGOROUS_L1; problem.norm++) {
    dls_error err = {0};
    dls_rigorous_cell cell;
    bool wide = false;
    assert_ok(dls_rigorous_distance(&problem, &cell, &wide, &err), err);
    assert_between(strtod(cell.low, NULL), 0, 1e-16);
    assert_between(strtod(cell.high, NULL), 0, 1e-15);
    free(cell.low);
    free(cell.high);
  }
  problem.count = 2;
  slope[1] = 0;
  has_area(problem, 0.4 * 0.2 * 0.2 / 12);
}

/* Of the second flight, q = s - s^2 with s = t - 1, chords of 0.2 <= s <= 0.6: h^3/6 each. */
DLS_TEST(nodes_within_a_later_flight_are_compared_with_that)
{
  double t[NODES], x[NODES];
  model_text text;
  dls_rigorous_distance_problem problem = chords(&text, t, x);
  problem.exact.end = "3.5";
  for (size_t i = 0; i < NODES; i++) {
    const double s = 0.2 + 0.1 * (double)i;
    t[i] = 1 + s;
    x[i] = s - s * s;
  }
  has_area(problem, 4 * 0.1 * 0.1 * 0.1 / 6);
}

/* The same with columns that have no error, more of them than are kept without memory of their own. */
static void distance_of_all(dls_rigorous_distance_problem problem, const double *place)
{
  enum { DIM = 10 };
  static const char *const columns[DIM] = {"q0", "q1", "q2", "v0", "v1", "v2", "g0", "u0", "u0t1", "u0t2"};
  double x[DIM * NODES] = {0};
  dls_error err = {0};
  dls_rigorous_cell cell;
  bool wide = false;
  for (size_t i = 0; i < NODES; i++) {
    x[DIM * i] = place[i];
    x[DIM * i + 3] = x[DIM * i + 8] = 2 - problem.t[i];
  }
  problem.dim = DIM;
  problem.columns = columns;
  problem.x = x;
  has_area(problem, 4 * 0.2 * 0.2 * 0.2 / 12);
  problem.norm = DLS_RIGOROUS_HAUSDORFF;
  problem.exact.digits = 3;
  assert_ok(dls_rigorous_distance(&problem, &cell, &wide, &err), err);
  assert_between(strtod(cell.low, NULL), 0.2 * 0.2 / 8 / (2 + 1),
                 0.2 * 0.2 / 8); /* the path's slope is 2 at most */
  assert_between(strtod(cell.high, NULL) / strtod(cell.low, NULL), 1, 1.0011);
  free(cell.low);
  free(cell.high);
}

/* Straight on a level plane x = 2 t - t^2/2: over each of 4 chords of length h = 0.2 the area between is h^3/12. */
DLS_TEST(distance_of_chords_from_the_path_of_a_puck)
{
  static const char *const columns[] = {"q0"}, *const names[] = {"m", "alpha", "mu", "v0", "phi0", "g"};
  static const char *const values[] = {"1", "0", "0.1", "2", "0", "10"};
  double t[NODES], x[NODES];
  model_text text;
  dls_rigorous_distance_problem problem = chords(&text, t, x);
  problem.exact = (dls_rigorous_problem){
      .model = "puck", .parameter_count = 6, .names = names, .values = values, .end = "0.8"};
  problem.columns = columns;
  for (size_t i = 0; i < NODES; i++) {
    x[i] = 2 * t[i] - t[i] * t[i] / 2;
  }
  has_area(problem, 4 * 0.2 * 0.2 * 0.2 / 12);
  distance_of_all(problem, x);
}

/* The puck of the default rests at 0.416 s; of nodes up to 0.4 s no less is known where the solution continues after them. */
DLS_TEST(a_solution_beyond_the_last_node_is_not_asked)
{
  static const char *const ends[] = {"0.4", "0.8"};
  double t[NODES], x[NODES], area[2];
  model_text text;
  dls_rigorous_distance_problem problem = chords(&text, t, x);
  problem.norm = DLS_RIGOROUS_L1;
  for (size_t i = 0; i < NODES; i++) {
    t[i] /= 2;
    x[i] = 0;
  }
  for (size_t k = 0; k < 2; k++) {
    dls_rigorous_cell cell = {0};
    dls_error err = {0};
    bool wide = false;
    problem.exact = problem_of("puck", ends[k], &text);
    assert_ok(dls_rigorous_distance(&problem, &cell, &wide, &err), err);
    area[k] = strtod(cell.low, NULL);
    assert_between(strtod(cell.high, NULL) / area[k], 1, 1 + 1e-9);
    free(cell.low);
    free(cell.high);
  }
  assert_close(area[1], area[0], 1e-9 * area[0]);
  assert_between(area[0], 1e-3, 1e-1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_no_decimal_is_refused),
      cmocka_unit_test(a_distance_from_what_is_not_there_is_refused),
      cmocka_unit_test(distances_of_chords_from_the_parabola_are_enclosed),
      cmocka_unit_test(cubics_through_nodes_with_slopes_are_what_is_compared),
      cmocka_unit_test(nodes_within_a_later_flight_are_compared_with_that),
      cmocka_unit_test(distance_of_chords_from_the_path_of_a_puck),
      cmocka_unit_test(a_solution_beyond_the_last_node_is_not_asked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
