/* test_fit.c -- fitted orders, their confidence intervals, and the two warnings.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "random_graph.h"
#include <delassus/fit.h>
#include <math.h>

enum { LEVELS = 10, REPEATS = 6, RUNS = LEVELS * REPEATS };

/* Standard normal, Box-Muller. */
static double normal(uint64_t *seed)
{
  const double r = sqrt(-2.0 * log(random_unit(seed)));
  return r * cos(6.283185307179586 * random_unit(seed));
}

/* Errors 3 h^q exp(sigma N) at LEVELS mean steps, each REPEATS times. */
static void synthetic(double q, double sigma, uint64_t *seed, double *h, double *error)
{
  for (size_t i = 0; i < RUNS; i++) {
    h[i] = 0.1 * pow(0.5, (double)(i / REPEATS)) / (1.0 + 0.3 * random_unit(seed));
    error[i] = 3.0 * pow(h[i], q) * exp(sigma * normal(seed));
  }
}

static dls_fit fit(size_t count, const double *h, const double *error, double floor)
{
  dls_fit out;
  dls_error err = {0};
  assert_ok(dls_fit_order(count, h, error, floor, &out, &err), err);
  return out;
}

DLS_TEST(exact_power_is_recovered)
{
  double h[RUNS], error[RUNS];
  for (double q = 0.5; q < 3.5; q += 0.5) {
    uint64_t seed = random_seed(1);
    synthetic(q, 0.0, &seed, h, error);
    const dls_fit out = fit(RUNS, h, error, 0.0);
    assert_close(out.order, q, 1e-13);
    assert_close(out.constant, 3.0, 1e-12);
    assert_between(out.ci_high - out.ci_low, 0.0, 1e-12);
    assert_close(out.order_coarse, q, 1e-12);
    assert_close(out.order_fine, q, 1e-12);
    assert_false(out.warn_floor || out.warn_preasymptotic);
    assert_int_equal(out.points, RUNS);
  }
}

DLS_TEST(confidence_interval_holds_the_order_in_95_of_100_studies)
{
  size_t inside = 0, warned = 0;
  double h[RUNS], error[RUNS];
  for (uint64_t n = 0; n < 1000; n++) {
    uint64_t seed = random_seed(n);
    synthetic(1.0, 0.5, &seed, h, error);
    const dls_fit out = fit(RUNS, h, error, 0.0);
    inside += out.ci_low <= 1.0 && 1.0 <= out.ci_high;
    warned += out.warn_preasymptotic;
    assert_between(out.order, 0.8, 1.2);
    assert_between(out.ci_high - out.ci_low, 0.05, 0.3);
  }
  assert_between((double)inside, 930.0, 970.0); /* binomial, three standard deviations: 950 +- 21 */
  assert_between((double)warned, 0.0, 20.0);    /* two intervals apart by chance: 0.5 % */
}

DLS_TEST(closed_form_of_five_points)
{
  /* x = -2..2, y = x + (1,-1,0,-1,1)/10: q = 1, s^2 = 0.04/3, se = sqrt(s^2/10), t(3)
                  = 3.18244630528 */
  const double bump[] = {0.1, -0.1, 0.0, -0.1, 0.1};
  double h[5], error[5];
  for (int i = 0; i < 5; i++) {
    h[i] = exp(i - 2.0);
    error[i] = exp(i - 2.0 + bump[i]);
  }
  const dls_fit out = fit(5, h, error, 0.0);
  assert_close(out.order, 1.0, 1e-14);
  assert_close(out.constant, 1.0, 1e-14);
  const double half = 3.182446305284263 * sqrt(0.04 / 3.0 / 10.0);
  assert_close(out.ci_low, 1.0 - half, 1e-12);
  assert_close(out.ci_high, 1.0 + half, 1e-12);
  assert_close(out.h_min, h[0], 0.0);
  assert_close(out.h_max, h[4], 0.0);
}

DLS_TEST(points_at_the_floor_are_left_out_and_reported)
{
  double h[12], error[12];
  for (int i = 0; i < 12; i++) {
    h[i] = pow(0.5, i);
    error[i] = fmax(h[i] * h[i] * h[i], 1e-9); /* h^3 = 1e-9 between i = 9 and 10 */
  }
  dls_fit out = fit(12, h, error, 1e-9);
  assert_int_equal(out.points, 10);
  assert_int_equal(out.dropped_floor, 2);
  assert_true(out.warn_floor);
  assert_false(out.warn_preasymptotic);
  assert_close(out.order, 3.0, 1e-12);
  assert_close(out.h_min, h[9], 0.0);
  assert_false(fit(10, h, error, 1e-9).warn_floor);
}

DLS_TEST(points_that_are_no_numbers_are_left_out_without_a_floor_warning)
{
  const double h[] = {1.0, 0.5, 0.25, 0.125, 0.0625}, error[] = {1.0, NAN, 0.25, INFINITY, 0.0625};
  const dls_fit out = fit(5, h, error, 0.0);
  assert_int_equal(out.points, 3);
  assert_int_equal(out.dropped_floor, 2);
  assert_false(out.warn_floor);
  assert_close(out.order, 1.0, 1e-14);
  assert_true(isnan(out.order_coarse) && isnan(out.order_fine)); /* two points in each half */
  const double zero[] = {1.0, 0.5, 0.25, 0.125, 0.0};
  assert_true(fit(5, h, zero, 0.0).warn_floor); /* log 0 cannot be used, whatever the floor */
}

DLS_TEST(order_that_changes_is_reported_as_preasymptotic)
{
  double h[12], error[12];
  for (int i = 0; i < 12; i++) {
    h[i] = pow(0.5, i);
    error[i] = h[i] + 300.0 * pow(h[i], 3.0);
  }
  const dls_fit out = fit(12, h, error, 0.0);
  assert_true(out.warn_preasymptotic);
  assert_false(out.warn_floor);
  assert_between(out.order_fine, 0.98, 1.2);
  assert_between(out.order_coarse, 2.0, 3.0);
  assert_false(fit(6, h + 6, error + 6, 0.0).warn_preasymptotic && out.order_fine < 1.0);
  for (int i = 0; i < 12; i++) { /* a term that changes the order by 0.01 is no reason to warn */
    error[i] = h[i] * (1.0 + 0.02 * h[i]);
  }
  assert_false(fit(12, h, error, 0.0).warn_preasymptotic);
}

/* Four levels with 2, 1, 1, 1 runs: two points of the coarse half are no line with an interval. */
DLS_TEST(halves_of_too_few_points_are_not_compared)
{
  static const double h[] = {1, 1, 2, 4, 8}, error[] = {1, 1, 2, 4, 800};
  const dls_fit out = fit(5, h, error, 0);
  assert_true(isnan(out.order_fine) && isnan(out.order_coarse));
  assert_true(isnan(out.half_fine) && isnan(out.half_coarse));
  assert_false(out.warn_preasymptotic);
}

DLS_TEST(a_law_is_not_judged_by_nothing)
{
  static const double h[] = {1, 2, 4}, error[] = {1, 2, 4}, beyond[] = {8, 16, 32};
  const dls_fit line = fit(3, h, error, 0);
  dls_power_law_check out;
  assert_int_equal(dls_fit_judge(&line, 3, h, error, &out, NULL), DLS_OK);
  assert_int_equal(out.levels, 3);
  assert_close(out.typical, 2, 1e-15);
  assert_int_equal(dls_fit_judge(&line, 3, beyond, error, &out, NULL), DLS_OK);
  assert_int_equal(out.levels, 0);
  assert_true(isnan(out.typical) && isnan(out.factor));
}

DLS_TEST(too_little_is_refused)
{
  dls_fit out;
  dls_error err = {0};
  const double h[] = {1.0, 0.5, 0.25}, same[] = {0.5, 0.5, 0.5}, error[] = {1.0, 0.5, 0.25};
  assert_int_equal(dls_fit_order(0, h, error, 0.0, &out, &err), DLS_ERR_ARG);
  assert_int_equal(dls_fit_order(2, h, error, 0.0, &out, &err), DLS_ERR_ARG);
  assert_int_equal(dls_fit_order(3, same, error, 0.0, &out, &err), DLS_ERR_ARG);
  assert_non_null(strstr(err.text, "3 of 3 points at 1 different h"));
  assert_int_equal(dls_fit_order(3, h, error, 0.25, &out, &err), DLS_ERR_ARG);
  assert_non_null(strstr(err.text, "floor 0.25"));
  const double zero[] = {1.0, 0.0, 0.25};
  assert_int_equal(dls_fit_order(3, zero, error, 0.0, &out, &err), DLS_ERR_ARG);
  assert_string_equal(err.text, "h[1] = 0 must be positive and finite");
}

DLS_TEST(pairwise_order_of_two_levels)
{
  assert_close(dls_pairwise_order(0.1, 1e-2, 0.05, 2.5e-3), 2.0, 1e-14);
  assert_true(isnan(dls_pairwise_order(0.1, 0.0, 0.05, 1.0)));
  assert_true(isnan(dls_pairwise_order(0.1, 1.0, 0.05, -1.0)));
  assert_true(isnan(dls_pairwise_order(0.1, 1.0, 0.05, NAN)));
}

/* Medians of synthetic levels: errors 3 h^q changed by `change`, judged. */
static dls_power_law_check judged(double q, double (*change)(size_t level, double h))
{
  double h[LEVELS], error[LEVELS];
  dls_power_law_check out;
  dls_error err = {0};
  for (size_t i = 0; i < LEVELS; i++) {
    h[i] = 0.1 * pow(0.5, (double)i);
    error[i] = 3 * pow(h[i], q) * change(i, h[i]);
  }
  const dls_fit fitted = fit(LEVELS, h, error, 0);
  assert_ok(dls_fit_judge(&fitted, LEVELS, h, error, &out, &err), err);
  assert_int_equal(out.levels, LEVELS);
  return out;
}

static double alternate(size_t level, double h)
{
  (void)h;
  return level % 2 == 0 ? 1.2 : 1 / 1.2;
}

static double jump(size_t level, double h)
{
  (void)h;
  return level % 2 == 0 ? 1 : 1e-3;
}

static double bend(size_t level, double h)
{
  return level < LEVELS / 2 ? pow(h / 0.00625, 0.8) : 1; /* order 1.8, then 1 */
}

/* Orders -0.3 and 0.3 of a line without slope. */
static double hill(size_t level, double h)
{
  (void)level;
  const double top = 0.1 * pow(0.5, 0.5 * (LEVELS - 1));
  return pow(fmax(h, top) / fmin(h, top), -0.3);
}

static double floor_of_scheme(size_t level, double h)
{
  (void)level;
  return (1e-9 + pow(h, 4)) / pow(h, 4);
}

DLS_TEST(a_power_law_holds_only_if_the_medians_follow_it)
{
  assert_int_equal(judged(1, alternate).verdict, DLS_POWER_LAW_HOLDS);
  assert_int_equal(judged(-5, alternate).verdict, DLS_POWER_LAW_HOLDS);
  assert_int_equal(judged(0.02, alternate).verdict, DLS_POWER_LAW_FLAT);
  assert_int_equal(judged(0.1, jump).verdict, DLS_POWER_LAW_UNSURE);
  assert_int_equal(judged(4, jump).verdict, DLS_POWER_LAW_SCATTERS);
  assert_int_equal(judged(1, bend).verdict, DLS_POWER_LAW_BENT);
  assert_int_equal(judged(0, hill).verdict, DLS_POWER_LAW_BENT);
  assert_int_equal(judged(4, floor_of_scheme).verdict, DLS_POWER_LAW_BENT);
  assert_between(judged(4, jump).factor, 10, 200);
  assert_close(judged(0, alternate).typical, 3, 1e-12);
}

DLS_TEST(a_bend_is_one_beyond_its_intervals)
{
  dls_power_law_check out;
  const double h[] = {0.01, 0.1, 1};
  dls_fit line = {.order = 1,
                  .constant = 1,
                  .ci_low = 0.9,
                  .ci_high = 1.1,
                  .h_max = 1,
                  .h_min = 0.01,
                  .order_coarse = 1.4,
                  .half_coarse = 0.1,
                  .order_fine = 0.7,
                  .half_fine = 0.1};
  assert_int_equal(dls_fit_judge(&line, 3, h, h, &out, NULL), DLS_OK);
  assert_int_equal(out.verdict, DLS_POWER_LAW_BENT); /* 1.3 against 0.8 */
  line.half_fine = 0.2;
  assert_int_equal(dls_fit_judge(&line, 3, h, h, &out, NULL), DLS_OK);
  assert_int_equal(out.verdict, DLS_POWER_LAW_HOLDS); /* 1.3 against 0.9 */
  line.order_fine = -0.7;
  assert_int_equal(dls_fit_judge(&line, 3, h, h, &out, NULL), DLS_OK);
  assert_int_equal(out.verdict, DLS_POWER_LAW_BENT); /* of two signs */
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_power_law_holds_only_if_the_medians_follow_it),
      cmocka_unit_test(a_bend_is_one_beyond_its_intervals),
      cmocka_unit_test(exact_power_is_recovered),
      cmocka_unit_test(confidence_interval_holds_the_order_in_95_of_100_studies),
      cmocka_unit_test(closed_form_of_five_points),
      cmocka_unit_test(points_at_the_floor_are_left_out_and_reported),
      cmocka_unit_test(points_that_are_no_numbers_are_left_out_without_a_floor_warning),
      cmocka_unit_test(order_that_changes_is_reported_as_preasymptotic),
      cmocka_unit_test(halves_of_too_few_points_are_not_compared),
      cmocka_unit_test(a_law_is_not_judged_by_nothing),
      cmocka_unit_test(too_little_is_refused),
      cmocka_unit_test(pairwise_order_of_two_levels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
