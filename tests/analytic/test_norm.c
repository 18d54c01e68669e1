/* test_norm.c -- norms of differences: closed forms, a slow quadrature, and where each norm does not apply.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "random_graph.h"
#include <math.h>

static dls_measure measure_in(const char *name, const dls_graph *numeric, const dls_graph *reference,
                              double tau, double xi)
{
  const dls_norm *norm = dls_norm_find(name);
  const dls_metric metric = {tau, xi, 1e-3};
  dls_measure m = {NAN, NAN};
  dls_error err = {0};
  assert_non_null(norm);
  assert_ok(norm->measure(norm, numeric, reference, &metric, &m, &err), err);
  return m;
}

/* The value, within a bound that is at rounding level where there is a closed form; the graphs are thrown away.
 */
static void expect(const char *name, dls_graph *numeric, dls_graph *reference, double expected)
{
  const dls_measure m = measure_in(name, numeric, reference, 1.0, 1.0);
  assert_close(m.value, expected, m.bound);
  assert_between(m.bound, 0.0, strcmp(name, "hausdorff") == 0 ? 1e-3 * expected : 1e-12);
  dls_graph_destroy(numeric);
  dls_graph_destroy(reference);
}

static dls_graph *late(void)
{
  return GRAPH({0, 1}, {1.25, 1}, {1.25, -1}, {3, -1});
}
static dls_graph *in_time(void)
{
  return GRAPH({0, 1}, {1, 1}, {1, -1}, {3, -1});
}

DLS_TEST(displaced_jump)
{
  /* 2 high, 0.25 late */
  expect("l1", late(), in_time(), 0.5);
  expect("l2", late(), in_time(), 1.0);
  expect("max", late(), in_time(), 2.0);
  expect("hausdorff", late(), in_time(), 0.25);
  expect("events", late(), in_time(), 0.25);
  /* no node lies in between, that of the late jump apart, where both are on the other side: the grid sees
   * nothing */
  expect("grid-l1", late(), in_time(), 0.0);
  expect("grid-max", late(), in_time(), 0.0);
}

DLS_TEST(lines_that_cross)
{
  /* t - 1 on [0, 3] against 0 */
  expect("l1", GRAPH({0, -1}, {3, 2}), GRAPH({0, 0}, {3, 0}), 2.5);
  expect("l2", GRAPH({0, -1}, {3, 2}), GRAPH({0, 0}, {3, 0}), sqrt(3.0));
  expect("max", GRAPH({0, -1}, {3, 2}), GRAPH({0, 0}, {3, 0}), 2.0);
  /* only the time that both cover, [1, 2] */
  expect("l1", GRAPH({0, -1}, {2, 1}), GRAPH({1, 0}, {3, 0}), 0.5);
  expect("max", GRAPH({0, -1}, {2, 1}), GRAPH({1, 0}, {3, 0}), 1.0);
}

/* c (t - a)(t - b)(t - d) with nodes at the given times. */
static dls_graph *cubic(double c, double a, double b, double d, size_t count, const double *t)
{
  dls_graph *g = dls_graph_create(count, 1, true);
  for (size_t i = 0; i < count; i++) {
    const double p = t[i] - a, q = t[i] - b, r = t[i] - d;
    g->t[i] = t[i];
    g->x[i] = c * p * q * r;
    g->slope[i] = c * (p * q + p * r + q * r);
  }
  return g;
}

DLS_TEST(cubics_that_cross_three_times)
{
  /* t (t-1) (t+1) on [-1, 1]: two humps of 1/4; square integral 16/105; extremes 2 sqrt(3) / 9 */
  const double whole[] = {-1.0, 1.0}, parts[] = {-1.0, -0.3, 0.123, 0.9, 1.0};
  for (int cut = 0; cut < 2; cut++) {
    const double *t = cut ? parts : whole;
    const size_t n = cut ? 5 : 2;
    expect("l1", cubic(1, 0, 1, -1, n, t), GRAPH({-1, 0}, {1, 0}), 0.5);
    expect("l2", cubic(1, 0, 1, -1, n, t), GRAPH({-1, 0}, {1, 0}), sqrt(16.0 / 105.0));
    expect("max", cubic(1, 0, 1, -1, n, t), GRAPH({-1, 0}, {1, 0}), 2.0 * sqrt(3.0) / 9.0);
    /* double root at 0: t^2 (t + 1), which touches */
    expect("l1", cubic(1, 0, 0, -1, n, t), GRAPH({-1, 0}, {1, 0}), 2.0 / 3.0);
    /* triple root at 0.5 */
    expect("l1", cubic(1, 0.5, 0.5, 0.5, n, t), GRAPH({-1, 0}, {1, 0}), (81.0 / 16.0 + 1.0 / 16.0) / 4.0);
  }
}

DLS_TEST(isolated_points_do_not_count_in_max)
{
  /* up and down at one time: a spike of the filled-in graph, zero almost everywhere */
  expect("max", GRAPH({0, 0}, {1, 0}, {1, 9}, {1, 0}, {2, 0}), GRAPH({0, 0}, {2, 0}), 0.0);
  expect("hausdorff", GRAPH({0, 0}, {1, 0}, {1, 9}, {1, 0}, {2, 0}), GRAPH({0, 0}, {2, 0}), 9.0);
}

DLS_TEST(grid_norms_weigh_errors_with_the_step_before)
{
  /* errors 1, 2, 3, 4 at 0, 1, 3, 3.5 */
  for (int i = 0; i < 4; i++) {
    static const char *const name[] = {"grid-l1", "grid-l2", "grid-max", "relative-l1"};
    static const double expected[] = {1 * 2 + 2 * 3 + 0.5 * 4, 5.477225575051661, 4.0, 10.0 / 40.0};
    expect(name[i], GRAPH({0, 11}, {1, 12}, {3, 13}, {3.5, 14}), GRAPH({0, 10}, {4, 10}), expected[i]);
  }
}

DLS_TEST(grid_norms_take_right_limits_at_jumps)
{
  /* the node at 1 is (1, 5) in the numerical solution and (1, 3) in the reference; |f| = 1, 3, 3 */
  for (int i = 0; i < 4; i++) {
    static const char *const name[] = {"grid-l1", "grid-l2", "grid-max", "relative-l1"};
    static const double expected[] = {1 * 2, 1.4142135623730951 * 1.4142135623730951, 2.0, 2.0 / 7.0};
    expect(name[i], GRAPH({0, 1}, {1, 1}, {1, 5}, {2, 3}), GRAPH({0, 1}, {1, 1}, {1, 3}, {2, 3}), expected[i]);
  }
}

DLS_TEST(grid_nodes_outside_the_reference_do_not_count)
{
  expect("grid-max", GRAPH({-1, 50}, {0, 1}, {1, 2}, {9, 50}), GRAPH({-0.5, 0}, {2, 0}), 2.0);
  expect("grid-l1", GRAPH({-1, 50}, {0, 1}, {1, 2}, {9, 50}), GRAPH({-0.5, 0}, {2, 0}), 2.0);
}

DLS_TEST(vectors_count_with_their_largest_component)
{
  dls_graph *a = dls_graph_create(2, 2, false), *b = dls_graph_create(2, 2, false);
  a->t[1] = b->t[1] = 2.0;
  a->x[0] = a->x[2] = 1.0; /* first component: 1 always */
  a->x[1] = -3.0;          /* second: from -3 to 0 */
  assert_close(measure_in("l1", a, b, 1.0, 1.0).value, 3.0, 1e-14);
  assert_close(measure_in("l2", a, b, 1.0, 1.0).value, sqrt(6.0), 1e-14);
  assert_close(measure_in("max", a, b, 1.0, 1.0).value, 3.0, 1e-14);
  assert_close(measure_in("grid-l1", a, b, 1.0, 1.0).value, 2.0, 1e-14);
  assert_close(measure_in("grid-max", a, b, 1.0, 1.0).value, 3.0, 1e-14);
  dls_graph_destroy(a);
  dls_graph_destroy(b);
}

DLS_TEST(scales_are_the_units_of_the_norms)
{
  dls_graph *a = late(), *b = in_time();
  dls_graph *c = GRAPH({0, 1}, {1, 2}, {2, 3}), *d = GRAPH({0, 0}, {2, 0});
  assert_close(measure_in("l1", a, b, 2.0, 5.0).value, 0.5 / 10.0, 1e-15);
  assert_close(measure_in("l2", a, b, 2.0, 5.0).value, 1.0 / (5.0 * sqrt(2.0)), 1e-15);
  assert_close(measure_in("max", a, b, 2.0, 5.0).value, 2.0 / 5.0, 1e-15);
  assert_close(measure_in("events", a, b, 2.0, 5.0).value, 0.25 / 2.0, 1e-15);
  assert_close(measure_in("grid-l1", c, d, 2.0, 5.0).value, 5.0 / 10.0, 1e-15);
  assert_close(measure_in("grid-l2", c, d, 2.0, 5.0).value, sqrt(13.0 / 2.0) / 5.0, 1e-15);
  assert_close(measure_in("grid-max", c, d, 2.0, 5.0).value, 3.0 / 5.0, 1e-15);
  assert_close(measure_in("relative-l1", d, c, 2.0, 5.0).value, 1.0, 1e-15);
  dls_graph_destroy(a);
  dls_graph_destroy(b);
  dls_graph_destroy(c);
  dls_graph_destroy(d);
}

/* Midpoint rule with 40000 points, and the largest difference at those points. */
static void slow_norms(const dls_graph *a, const dls_graph *b, double end, double norms[3])
{
  const size_t n = 40000;
  double l1[3] = {0}, l2[3] = {0}, most = 0.0;
  for (size_t i = 0; i < n; i++) {
    double x[3], y[3];
    dls_graph_value(a, ((double)i + 0.5) / (double)n * end, 1, x);
    dls_graph_value(b, ((double)i + 0.5) / (double)n * end, 1, y);
    for (size_t k = 0; k < a->dim; k++) {
      l1[k] += fabs(x[k] - y[k]) * end / (double)n;
      l2[k] += (x[k] - y[k]) * (x[k] - y[k]) * end / (double)n;
      most = fmax(most, fabs(x[k] - y[k]));
    }
  }
  norms[0] = fmax(l1[0], fmax(l1[1], l1[2]));
  norms[1] = sqrt(fmax(l2[0], fmax(l2[1], l2[2])));
  norms[2] = most;
}

DLS_TEST(random_graphs_agree_with_slow_quadrature)
{
  for (uint64_t n = 0; n < 40; n++) {
    uint64_t seed = random_seed(n);
    const size_t dim = 1 + n % 3;
    dls_graph *a = random_graph(12, dim, n % 2 == 0, &seed), *b = random_graph(9, dim, n % 4 < 2, &seed);
    const double end = fmin(a->t[11], b->t[8]);
    double slow[3];
    slow_norms(a, b, end, slow);
    /* a jump misplaced by half a cell costs up to 4 * end / 80000, and there are at most 10 */
    assert_close(measure_in("l1", a, b, 1.0, 1.0).value, slow[0], 5e-4 * end);
    assert_close(measure_in("l2", a, b, 1.0, 1.0).value, slow[1], 2e-3 * end);
    assert_between(measure_in("max", a, b, 1.0, 1.0).value, slow[2] - 1e-12, slow[2] + 0.1);
    assert_close(measure_in("l1", a, b, 1.0, 1.0).value, measure_in("l1", b, a, 1.0, 1.0).value, 1e-13);
    dls_graph_destroy(a);
    dls_graph_destroy(b);
  }
}

DLS_TEST(norms_obey_hoelder)
{
  /* on an interval of length 1: l1 <= l2 <= max; hausdorff <= max */
  for (uint64_t n = 0; n < 100; n++) {
    uint64_t seed = random_seed(n);
    dls_graph *a = random_graph(12, 1, n % 2 == 0, &seed), *b = disturbed_graph(a, 0.3, &seed);
    const double end = a->t[11];
    const double l1 = measure_in("l1", a, b, end, 1.0).value, l2 = measure_in("l2", a, b, end, 1.0).value;
    const double most = measure_in("max", a, b, end, 1.0).value;
    assert_between(l1, 1e-3, l2 * (1.0 + 1e-14));
    assert_between(l2, 1e-3, most * (1.0 + 1e-14));
    dls_graph_destroy(a);
    dls_graph_destroy(b);
  }
}

DLS_TEST(equal_graphs_are_at_zero)
{
  for (const dls_norm *const *norm = dls_norms(); *norm != NULL; norm++) {
    uint64_t seed = random_seed(3);
    dls_graph *a = random_graph(30, 2, true, &seed);
    const dls_measure m = measure_in((*norm)->name, a, a, 1.0, 1.0);
    assert_between(m.value, 0.0, 1e-14);
    assert_between(m.bound, 0.0, 1e-11);
    dls_graph_destroy(a);
  }
}

DLS_TEST(events_are_matched_in_order)
{
  /* jumps at 1, 2.5 against 1.1, 2, 2.9: the third has no partner; that of 1e-13 is none; 1.5 jumps in slope
   * only */
  for (int swap = 0; swap < 2; swap++) {
    dls_graph *a =
        GRAPH({0, 0}, {0.5, 0}, {0.5, 1e-13}, {1, 0}, {1, 1}, {1.5, 3}, {1.5, 3}, {2.5, 0}, {2.5, 1});
    dls_graph *b = GRAPH({0, 0}, {1.1, 0}, {1.1, 1}, {2, 1}, {2, 2}, {2.9, 0}, {2.9, 9});
    expect("events", swap ? b : a, swap ? a : b, 0.5);
  }
}

DLS_TEST(a_chain_of_jumps_is_one_event)
{
  /* at 1 and 2 against 1 and 2.25: another jump at 1, or a way back, has no partner of its own */
  expect("events", GRAPH({0, 0}, {1, 0}, {1, 9}, {1, 4}, {2, 4}, {2, 0}, {3, 0}),
         GRAPH({0, 0}, {1, 0}, {1, 4}, {2.25, 4}, {2.25, 0}, {3, 0}), 0.25);
  expect("events", GRAPH({0, 0}, {1, 0}, {1, 4}, {2.25, 4}, {2.25, 0}, {3, 0}),
         GRAPH({0, 0}, {1, 0}, {1, 2}, {1, 3}, {1, 4}, {2, 4}, {2, 0}, {3, 0}), 0.25);
}

static void refused(const char *name, dls_graph *a, dls_graph *b, dls_status expected, const char *text)
{
  dls_measure m;
  dls_error err = {0};
  const dls_norm *norm = dls_norm_find(name);
  assert_int_equal(norm->measure(norm, a, b, &dls_metric_default, &m, &err), expected);
  if (strstr(err.text, text) == NULL) {
    fail_msg("'%s' is not in '%s'", text, err.text);
  }
  dls_graph_destroy(a);
  dls_graph_destroy(b);
}

DLS_TEST(what_cannot_be_measured_is_refused)
{
  refused("events", GRAPH({0, 0}, {1, 0}), in_time(), DLS_ERR_NOT_APPLICABLE, "the numeric graph has no jump");
  refused("events", in_time(), GRAPH({0, 0}, {1, 0}), DLS_ERR_NOT_APPLICABLE,
          "the reference graph has no jump");
  refused("relative-l1", in_time(), GRAPH({0, 0}, {3, 0}), DLS_ERR_NOT_APPLICABLE, "which is zero");
  refused("grid-l1", GRAPH({0, 0}, {9, 0}), GRAPH({1, 0}, {2, 0}), DLS_ERR_NOT_APPLICABLE, "no node in [1, 2]");
  for (const dls_norm *const *norm = dls_norms(); *norm != NULL; norm++) {
    refused((*norm)->name, in_time(), GRAPH({0, 0}, {1, NAN}), DLS_ERR_NONFINITE, "second graph");
    refused((*norm)->name, in_time(), dls_graph_create(2, 3, false), DLS_ERR_ARG, "1 and 3 components");
    const bool any_time = strcmp((*norm)->name, "hausdorff") == 0 || strcmp((*norm)->name, "m1") == 0;
    if (!any_time && strcmp((*norm)->name, "events") != 0) {
      refused((*norm)->name, in_time(), GRAPH({3, 0}, {4, 0}), DLS_ERR_ARG, "no time in common");
    }
  }
}

/* |f(T) - g(T)| / xi at the last common time, right limits. */
DLS_TEST(end_compares_right_limits_at_the_last_common_time)
{
  dls_graph *line = GRAPH({0, 1}, {4, 5}), *jump = GRAPH({0, 0}, {2, 0}, {2, 7}),
            *early = GRAPH({0, 1}, {1, 2.5});
  assert_close(measure_in("end", line, early, 1, 1).value, 0.5, 1e-15);
  assert_close(measure_in("end", early, line, 1, 1).value, 0.5, 1e-15);
  const dls_measure m = measure_in("end", jump, line, 1, 1); /* 7 against 3, not 0 against 3 */
  assert_close(m.value, 4, 1e-15);
  assert_between(m.bound, 1e-16, 1e-13);
  dls_metric metric = dls_metric_default;
  metric.value_scale = 2;
  dls_measure scaled;
  dls_error err = {0};
  const dls_norm *norm = dls_norm_find("end");
  assert_ok(norm->measure(norm, jump, line, &metric, &scaled, &err), err);
  assert_close(scaled.value, 2, 1e-15);
  dls_graph_destroy(line);
  dls_graph_destroy(jump);
  dls_graph_destroy(early);
}

DLS_TEST(norms_are_listed_once_and_found_by_name)
{
  size_t count = 0;
  for (const dls_norm *const *norm = dls_norms(); *norm != NULL; norm++, count++) {
    assert_ptr_equal(dls_norm_find((*norm)->name), *norm);
    assert_true(strlen((*norm)->summary) > 10);
  }
  assert_int_equal(count, 14);
  assert_null(dls_norm_find("L1"));
  assert_null(dls_norm_find(""));
}

/* A square or a difference that overflows is infinite, or has no number: never 0. */
DLS_TEST(distances_that_overflow_are_not_zero)
{
  static const double heights[] = {1e150, 1e200, 1e300, 1.7e308};
  for (const dls_norm *const *norm = dls_norms(); *norm != NULL; norm++) {
    const bool divides = strcmp((*norm)->name, "relative-l1") == 0,
               of_times = strcmp((*norm)->name, "events") == 0;
    for (size_t i = 0; i < sizeof heights / sizeof heights[0] && !divides && !of_times; i++) {
      dls_graph *far = GRAPH({0, 0}, {1, heights[i] / 1e9}, {2, heights[i]});
      dls_graph *opposite = GRAPH({0, 0}, {1, 0}, {2, i == 3 ? -heights[i] : 0});
      const dls_measure m = measure_in((*norm)->name, far, opposite, 1.0, 1.0);
      assert_false(m.value < 0.1 * heights[i]);
      dls_graph_destroy(far);
      dls_graph_destroy(opposite);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(displaced_jump),
      cmocka_unit_test(lines_that_cross),
      cmocka_unit_test(cubics_that_cross_three_times),
      cmocka_unit_test(isolated_points_do_not_count_in_max),
      cmocka_unit_test(grid_norms_weigh_errors_with_the_step_before),
      cmocka_unit_test(grid_norms_take_right_limits_at_jumps),
      cmocka_unit_test(grid_nodes_outside_the_reference_do_not_count),
      cmocka_unit_test(vectors_count_with_their_largest_component),
      cmocka_unit_test(scales_are_the_units_of_the_norms),
      cmocka_unit_test(random_graphs_agree_with_slow_quadrature),
      cmocka_unit_test(norms_obey_hoelder),
      cmocka_unit_test(equal_graphs_are_at_zero),
      cmocka_unit_test(events_are_matched_in_order),
      cmocka_unit_test(a_chain_of_jumps_is_one_event),
      cmocka_unit_test(what_cannot_be_measured_is_refused),
      cmocka_unit_test(distances_that_overflow_are_not_zero),
      cmocka_unit_test(end_compares_right_limits_at_the_last_common_time),
      cmocka_unit_test(norms_are_listed_once_and_found_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
