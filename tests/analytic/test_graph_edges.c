/* test_graph_edges.c -- graphs, graphs of impulses and fits at the edge: what is refused, and what is left out.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "random_graph.h"
#include <delassus/fit.h>
#include <math.h>

static void refuses(const dls_graph *a, const dls_graph *b, dls_metric metric, dls_status expected,
                    const char *reason)
{
  dls_measure m;
  dls_error err = {0};
  assert_int_equal(dls_hausdorff(a, b, &metric, &m, &err), expected);
  assert_string_equal(err.text, reason);
}

DLS_TEST(graphs_and_metrics_that_make_no_sense_are_refused)
{
  dls_graph *good = GRAPH({0, 1}, {1, 2}), *none = GRAPH({0, 1}, {1, 2}), *plane = dls_graph_create(2, 2, true);
  const dls_metric usual = {1, 1, 1e-3};
  refuses(good, good, (dls_metric){INFINITY, 1, 1e-3}, DLS_ERR_ARG,
          "time_scale = inf and value_scale = 1 must be positive and finite");
  refuses(good, good, (dls_metric){0, 1, 1e-3}, DLS_ERR_ARG,
          "time_scale = 0 and value_scale = 1 must be positive and finite");
  refuses(good, good, (dls_metric){1, INFINITY, 1e-3}, DLS_ERR_ARG,
          "time_scale = 1 and value_scale = inf must be positive and finite");
  refuses(good, good, (dls_metric){1, NAN, 1e-3}, DLS_ERR_ARG,
          "time_scale = 1 and value_scale = nan must be positive and finite");
  refuses(good, good, (dls_metric){1, 1, 0}, DLS_ERR_ARG, "accuracy = 0 is outside (0, 1)");
  refuses(good, good, (dls_metric){1, 1, 1}, DLS_ERR_ARG, "accuracy = 1 is outside (0, 1)");
  refuses(NULL, good, usual, DLS_ERR_ARG,
          "the first graph is empty: at least one node and one component are needed");
  none->count = 0;
  refuses(good, none, usual, DLS_ERR_ARG,
          "the second graph is empty: at least one node and one component are needed");
  none->count = 2;
  none->dim = 0;
  refuses(none, good, usual, DLS_ERR_ARG,
          "the first graph is empty: at least one node and one component are needed");
  none->dim = 1;
  for (size_t i = 0; i < 4; i++) {
    plane->t[i / 2] = (double)(i / 2);
    plane->x[i] = plane->slope[i] = 1;
  }
  refuses(good, plane, usual, DLS_ERR_ARG, "the graphs have 1 and 2 components, they must agree");
  plane->slope[3] = INFINITY;
  refuses(plane, plane, usual, DLS_ERR_NONFINITE,
          "the first graph: component 1 at t = 1 is 1 with slope inf, not finite");
  plane->slope[3] = 1;
  plane->x[2] = NAN;
  refuses(plane, plane, usual, DLS_ERR_NONFINITE,
          "the first graph: component 0 at t = 1 is nan with slope 1, not finite");
  none->t[1] = INFINITY;
  refuses(good, none, usual, DLS_ERR_NONFINITE, "the second graph: t[1] = inf is not finite");
  none->t[1] = -1;
  refuses(good, none, usual, DLS_ERR_ARG,
          "the second graph: t[1] = -1 is before t[0] = 0, times must not decrease");
  assert_null(dls_graph_create(2, SIZE_MAX / 4, false));
  dls_graph_destroy(good);
  dls_graph_destroy(none);
  dls_graph_destroy(plane);
}

/* Steps with p = 1, 2, 0: the total is 1, 3, 3, with a jump at each that is not 0. */
DLS_TEST(impulses_of_steps_are_summed)
{
  const char *const names[] = {"t", "p0"};
  dls_trajectory *traj = dls_trajectory_create_table(2, names);
  dls_graph *graph = NULL;
  dls_error err = {0};
  for (size_t i = 0; i < 4; i++) {
    if (i == 1) { /* one row is none */
      assert_int_equal(dls_graph_of_impulses(traj, 0, 1, &graph, &err), DLS_ERR_ARG);
      assert_string_equal(err.text, "impulses need at least one contact and two rows, not 1 and 1");
    }
    double *row = dls_trajectory_append(traj);
    row[0] = (double)i;
    row[1] = i < 3 ? (double)i : 0;
  }
  assert_int_equal(dls_graph_of_impulses(traj, 0, 0, &graph, &err), DLS_ERR_ARG);
  assert_ok(dls_graph_of_impulses(traj, 0, 1, &graph, &err), err);
  static const double left[] = {0, 0, 1, 3}, right[] = {0, 1, 3, 3};
  for (size_t i = 0; i < 4; i++) {
    double x;
    dls_graph_value(graph, (double)i, 1, &x);
    assert_close(x, right[i], 0);
    dls_graph_value(graph, (double)i, -1, &x);
    assert_close(x, left[i], 0);
  }
  dls_graph_destroy(graph);
  dls_trajectory_destroy(traj);
}

/* error = 3 h^2; points that are no points beside it change nothing. */
DLS_TEST(points_that_are_none_are_left_out_of_fits)
{
  enum { GOOD = 24, BAD = 6 };
  static const double bad_h[BAD] = {0.1, 0.1, 0.1, NAN, INFINITY, 0.05},
                      bad_error[BAD] = {NAN, INFINITY, 0, 1, 1, -INFINITY};
  double h[GOOD + BAD], error[GOOD + BAD];
  size_t level[GOOD + BAD];
  for (size_t i = 0; i < GOOD + BAD; i++) {
    level[i] = i < GOOD ? i / 4 : 2;
    h[i] = i < GOOD ? pow(0.5, (double)level[i]) : bad_h[i - GOOD];
    error[i] = i < GOOD ? 3 * h[i] * h[i] : bad_error[i - GOOD];
  }
  dls_fit fit, judged_by;
  dls_median_fit medians, with_bad;
  dls_power_law_check check, same;
  dls_error err = {0};
  assert_ok(dls_fit_order(GOOD, h, error, 0, &fit, &err), err);
  assert_close(fit.order, 2, 1e-12);
  judged_by = fit;
  assert_ok(dls_fit_judge(&fit, GOOD, h, error, &check, &err), err);
  assert_ok(dls_fit_judge(&judged_by, GOOD + BAD, h, error, &same, &err), err);
  assert_int_equal(same.verdict, check.verdict);
  assert_close(same.factor, check.factor, 1e-12);
  assert_close(same.typical, check.typical, 1e-12 * check.typical);
  assert_ok(dls_fit_medians(GOOD, h, error, level, 0, &medians, &err), err);
  assert_close(medians.order, 2, 1e-12);
  assert_close(medians.constant, 3, 1e-11);
  for (size_t i = GOOD; i < GOOD + BAD; i++) { /* all of them without an error */
    error[i] = i % 2 == 0 ? NAN : INFINITY;
    h[i] = 0.25;
  }
  assert_ok(dls_fit_medians(GOOD + BAD, h, error, level, 0, &with_bad, &err), err);
  assert_close(with_bad.order, 2, 1e-12);
  assert_int_equal(with_bad.levels, medians.levels);
  h[GOOD] = INFINITY;
  assert_int_equal(dls_fit_order(GOOD + 1, h, error, 0, &fit, &err), DLS_ERR_ARG);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(graphs_and_metrics_that_make_no_sense_are_refused),
      cmocka_unit_test(impulses_of_steps_are_summed),
      cmocka_unit_test(points_that_are_none_are_left_out_of_fits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
