/* test_runge_kutta.c -- order conditions of the tables; first zeros of the gap's quintic.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/contact/gap_root.h"
#include "time_stepping/runge_kutta/runge_kutta.h"
#include <math.h>

/* ARKODE tests the conditions up to order 6. */
DLS_TEST(tables_satisfy_the_order_conditions)
{
  static const int orders[] = {2, 3, 4, 5, 5, 8, 2, 4, 3, 5};
  for (int method = DLS_RK_HEUN; method <= DLS_RK_RADAU5; method++) {
    ARKodeButcherTable table = dls_rk_table((dls_rk_method)method);
    int order = 0;
    int embedded = 0;
    ARKodeButcherTable_CheckOrder(table, &order, &embedded, NULL);
    assert_int_equal(table->q, orders[method]);
    assert_int_equal(order, orders[method] < 6 ? orders[method] : 6);
    ARKodeButcherTable_Free(table);
  }
  assert_null(dls_rk_names[DLS_RK_RADAU5 + 1]);
}

/* Polynomials of degree up to 5 are met exactly: g = product of (t - roots), scaled. */
static dls_gap_end end_of(double (*g)(double), double t)
{
  const double d = 1e-3; /* differences of order 4, exact up to degree 5 but for rounding */
  const double first = (8 * (g(t + d) - g(t - d)) - (g(t + 2 * d) - g(t - 2 * d))) / (12 * d);
  const double second = (16 * (g(t + d) + g(t - d)) - (g(t + 2 * d) + g(t - 2 * d)) - 30 * g(t)) / (12 * d * d);
  return (dls_gap_end){g(t), first, second};
}

static double one_zero(double t)
{
  return 0.3 - t * t * t * (1 + t);
}
static double two_zeros(double t)
{
  return (t - 0.62) * (t - 0.6201) * (1 + t);
}
static double from_zero(double t)
{
  return t * (0.7 - t);
}
static double no_zero(double t)
{
  return (t - 0.4) * (t - 0.4) * (1 + t) + 1e-9;
}
static double three_zeros(double t)
{
  return -(t - 0.2) * (t - 0.5) * (t - 0.9);
}

DLS_TEST(the_first_zero_is_found)
{
  const struct {
    double (*g)(double);
    double zero, next; /* next zero, or the end */
  } cases[] = {
      {one_zero, 0.575329, 1}, {two_zeros, 0.62, 0.6201}, {from_zero, 0.7, 1}, {three_zeros, 0.2, 0.5}};
  double root = 0;
  double below = 0;
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    assert_true(dls_gap_root(end_of(cases[k].g, 0), end_of(cases[k].g, 1), 1, &root, &below));
    assert_close(root, cases[k].zero, 1e-4); /* the first of three: falling at 0.2 */
    assert_between(below, cases[k].zero, cases[k].next + 1e-9);
    assert_true(cases[k].g(below) < 0);
  }
  assert_false(dls_gap_root(end_of(no_zero, 0), end_of(no_zero, 1), 1, &root, &below));
}

DLS_TEST(a_gap_that_begins_below_zero_is_closed_at_once)
{
  double root = 1;
  double below = 1;
  assert_true(dls_gap_root((dls_gap_end){-1e-3, -1, 0}, (dls_gap_end){1, 1, 0}, 1, &root, &below));
  assert_close(root, 0, 0);
  assert_close(below, 0, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables_satisfy_the_order_conditions),
      cmocka_unit_test(the_first_zero_is_found),
      cmocka_unit_test(a_gap_that_begins_below_zero_is_closed_at_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
