/* test_interval.c -- bounds of expressions over intervals: they contain every sampled value, shrink with the interval,
 * and find a pulse by bisection wherever it is.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/interval.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

/* A unary or binary operation in numbers and in intervals. */
typedef struct operation {
  const char *name;
  double (*value)(double x, double y);
  dls_interval (*bounds)(dls_interval x, dls_interval y);
  bool lipschitz; /* near every point where it is defined */
} operation;

#define UNARY(name, value_of, bounds_of)                                                                       \
  static double name##_value(double x, double y)                                                               \
  {                                                                                                            \
    (void)y;                                                                                                   \
    return value_of;                                                                                           \
  }                                                                                                            \
  static dls_interval name##_bounds(dls_interval x, dls_interval y)                                            \
  {                                                                                                            \
    (void)y;                                                                                                   \
    return bounds_of;                                                                                          \
  }
#define BINARY(name, value_of, bounds_of)                                                                      \
  static double name##_value(double x, double y)                                                               \
  {                                                                                                            \
    return value_of;                                                                                           \
  }                                                                                                            \
  static dls_interval name##_bounds(dls_interval x, dls_interval y)                                            \
  {                                                                                                            \
    return bounds_of;                                                                                          \
  }

BINARY(add, x + y, dls_interval_add(x, y))
BINARY(subtract, x - y, dls_interval_subtract(x, y))
BINARY(multiply, x *y, dls_interval_multiply(x, y))
BINARY(divide, x / y, dls_interval_divide(x, y))
BINARY(maximum, fmax(x, y), dls_interval_maximum(x, y))
BINARY(minimum, fmin(x, y), dls_interval_minimum(x, y))
BINARY(power, pow(x, y), dls_interval_power(x, y))
BINARY(choice, x < y ? x * x : sin(y),
       dls_interval_choose(dls_truth_less(x, y), dls_interval_integer_power(x, 2), dls_interval_sin(y)))
UNARY(square, pow(x, 2), dls_interval_integer_power(x, 2))
UNARY(cube, pow(x, 3), dls_interval_integer_power(x, 3))
UNARY(inverse_square, pow(x, -2), dls_interval_integer_power(x, -2))
UNARY(exponential, exp(x), dls_interval_exp(x))
UNARY(logarithm, log(x), dls_interval_log(x))
UNARY(square_root, sqrt(x), dls_interval_sqrt(x))
UNARY(sine, sin(x), dls_interval_sin(x))
UNARY(cosine, cos(x), dls_interval_cos(x))
UNARY(tangent, tan(x), dls_interval_tan(x))
UNARY(hyperbolic_tangent, tanh(x), dls_interval_tanh(x))
UNARY(hyperbolic_sine, sinh(x), dls_interval_sinh(x))
UNARY(hyperbolic_cosine, cosh(x), dls_interval_cosh(x))
UNARY(error_function, erf(x), dls_interval_erf(x))
UNARY(arc_tangent, atan(x), dls_interval_atan(x))
UNARY(arc_sine, asin(x), dls_interval_asin(x))
UNARY(arc_cosine, acos(x), dls_interval_acos(x))
UNARY(absolute, fabs(x), dls_interval_absolute(x))
UNARY(signum, (x > 0) - (x < 0), dls_interval_sign(x))
UNARY(round_down, floor(x), dls_interval_floor(x))
UNARY(round_up, ceil(x), dls_interval_ceil(x))

#define ROW(name, lipschitz)                                                                                   \
  {                                                                                                            \
#name, name##_value, name##_bounds, lipschitz                                                              \
  }
static const operation operations[] = {
    ROW(add, true),
    ROW(subtract, true),
    ROW(multiply, true),
    ROW(maximum, true),
    ROW(minimum, true),
    ROW(square, true),
    ROW(cube, true),
    ROW(exponential, true),
    ROW(sine, true),
    ROW(cosine, true),
    ROW(hyperbolic_tangent, true),
    ROW(error_function, true),
    ROW(arc_tangent, true),
    ROW(absolute, true),
    ROW(divide, false),
    ROW(power, false),
    ROW(choice, false),
    ROW(inverse_square, false),
    ROW(logarithm, false),
    ROW(square_root, false),
    ROW(tangent, false),
    ROW(hyperbolic_sine, false),
    ROW(hyperbolic_cosine, false),
    ROW(arc_sine, false),
    ROW(arc_cosine, false),
    ROW(signum, false),
    ROW(round_down, false),
    ROW(round_up, false),
};
enum {
  OPERATIONS = sizeof operations / sizeof *operations,
  LIPSCHITZ = 14,
  LEAVES = 4,
  NODES = 2 * LEAVES + 3
};

/* A random expression of t: leaves are t or constants, every later node combines two earlier ones. */
typedef struct expression {
  const operation *operation[NODES]; /* NULL: a leaf */
  size_t left[NODES], right[NODES];
  double constant[NODES]; /* of leaves; NaN: t */
} expression;

static expression random_expression(gsl_rng *rng, size_t allowed)
{
  expression e = {.constant = {0}};
  for (size_t i = 0; i < NODES; i++) {
    e.constant[i] = gsl_rng_uniform(rng) < 0.6 ? NAN : floor(20 * gsl_rng_uniform(rng) - 10) / 4;
    e.operation[i] = i < LEAVES ? NULL : &operations[gsl_rng_uniform_int(rng, allowed)];
    e.left[i] = i > 0 ? gsl_rng_uniform_int(rng, i) : 0;
    e.right[i] = i > 0 ? gsl_rng_uniform_int(rng, i) : 0;
  }
  return e;
}

/* NaN where a part of it is not defined. */
static double value_at(const expression *e, double t)
{
  double value[NODES] = {0};
  for (size_t i = 0; i < NODES; i++) {
    const double x = value[e->left[i]], y = value[e->right[i]];
    value[i] = e->operation[i] == NULL ? (isnan(e->constant[i]) ? t : e->constant[i])
               : isnan(x) || isnan(y)  ? NAN
                                       : e->operation[i]->value(x, y);
  }
  return value[NODES - 1];
}

static dls_interval bounds_over(const expression *e, dls_interval t)
{
  dls_interval bounds[NODES];
  for (size_t i = 0; i < NODES; i++) {
    bounds[i] = e->operation[i] != NULL ? e->operation[i]->bounds(bounds[e->left[i]], bounds[e->right[i]])
                : isnan(e->constant[i]) ? t
                                        : dls_interval_point(e->constant[i]);
  }
  return bounds[NODES - 1];
}

/* Of all operations; over intervals from 1e-6 to 100 long. Values that are not numbers have no bounds. */
DLS_TEST(bounds_contain_every_value)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  size_t compared = 0, bounded = 0;
  for (size_t k = 0; k < 20000; k++) {
    const expression e = random_expression(rng, OPERATIONS);
    const double a = 20 * gsl_rng_uniform(rng) - 10, length = pow(10, 8 * gsl_rng_uniform(rng) - 6);
    const dls_interval bounds = bounds_over(&e, dls_interval_exact(a, a + length));
    assert_true(bounds.low <= bounds.high);
    bounded += isfinite(bounds.low) && isfinite(bounds.high);
    for (size_t i = 0; i <= 20; i++) {
      const double t = i == 20 ? a + length : a + length * (double)i / 20, value = value_at(&e, t);
      if (!isnan(value) && !(bounds.low <= value && value <= bounds.high)) {
        printf("expression %zu at %.17g: %.17g is outside [%.17g, %.17g]\n", k, t, value, bounds.low,
               bounds.high);
        assert_true(false);
      }
      compared += !isnan(value);
    }
  }
  gsl_rng_free(rng);
  assert_between((double)compared, 2e5, 4.2e5);
  assert_between((double)bounded, 8e3, 2e4);
}

/* The width is O(length) where the expression is Lipschitz: a thousandth of the interval has at most a hundredth of the
 * width, until rounding is all that is left of it. */
DLS_TEST(bounds_shrink_with_the_interval)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  size_t compared = 0;
  for (size_t k = 0; k < 5000; k++) {
    const expression e = random_expression(rng, LIPSCHITZ);
    const double t = 4 * gsl_rng_uniform(rng) - 2;
    const dls_interval at = bounds_over(&e, dls_interval_point(t));
    const double size = fmax(fabs(at.low), fabs(at.high));
    dls_interval wide = bounds_over(&e, dls_interval_exact(t - 1e-4, t + 1e-4));
    if (!(size < 1e3) || !(wide.high - wide.low < 1)) {
      continue; /* too steep for these lengths */
    }
    const dls_interval narrow = bounds_over(&e, dls_interval_exact(t - 1e-7, t + 1e-7));
    assert_between(narrow.high - narrow.low, 0, 1e-2 * (wide.high - wide.low) + 1e-10);
    assert_between(at.high - at.low, 0, 1e-10);
    compared++;
  }
  gsl_rng_free(rng);
  assert_between((double)compared, 2000, 5000);
}

/* A monotone function of libm may fall by a bit where it rises. */
DLS_TEST(ends_that_rounding_has_exchanged_are_tight_bounds)
{
  const double next = nextafter(1, 2);
  const dls_interval bounds = dls_interval_outward(next, 1), unknown = dls_interval_outward(NAN, 1);
  assert_true(bounds.low <= 1 && bounds.high >= next);
  assert_between(bounds.high - bounds.low, 0, 1e-14);
  assert_true(unknown.low == -HUGE_VAL && unknown.high == HUGE_VAL);
}

DLS_TEST(bounds_of_single_operations_are_tight)
{
  const dls_interval x = dls_interval_exact(-1, 2), pi = dls_interval_exact(3, 3.5);
  const double unknown = HUGE_VAL;
  const struct {
    dls_interval bounds;
    double low, high;
  } cases[] = {
      {dls_interval_integer_power(x, 2), 0, 4},
      {dls_interval_integer_power(x, 3), -1, 8},
      {dls_interval_integer_power(x, 300), 0, pow(2, 300)},
      {dls_interval_integer_power(x, -2), 0.25, unknown},
      {dls_interval_absolute(x), 0, 2},
      {dls_interval_sign(x), -1, 1},
      {dls_interval_sign(pi), 1, 1},
      {dls_interval_cos(pi), -1, cos(3.5)},
      {dls_interval_sin(x), -sin(1), 1},
      {dls_interval_sin(dls_interval_exact(100, 107)), -1, 1},
      {dls_interval_tan(dls_interval_exact(-1, 1)), -tan(1), tan(1)},
      {dls_interval_tan(x), -unknown, unknown},
      {dls_interval_sqrt(x), 0, sqrt(2)},
      {dls_interval_log(x), -unknown, log(2)},
      {dls_interval_log(dls_interval_exact(-2, -1)), -unknown, unknown},
      {dls_interval_inverse(dls_interval_exact(0, 2)), 0.5, unknown},
      {dls_interval_inverse(x), -unknown, unknown},
      {dls_interval_multiply(x, dls_interval_exact(-3, 5)), -6, 10},
      {dls_interval_multiply(dls_interval_point(0), dls_interval_unknown()), 0, 0},
      {dls_interval_exp(dls_interval_exact(-1e4, 1e4)), 0, unknown},
      {dls_interval_power(dls_interval_exact(0, 4), dls_interval_point(1.5)), 0, 8},
      {dls_interval_cosh(x), 1, cosh(2)},
      {dls_interval_acos(dls_interval_exact(-1, 1)), 0, acos(-1)},
      {dls_interval_choose(dls_truth_less(x, dls_interval_point(3)), x, pi), -1, 2},
      {dls_interval_choose(dls_truth_less(x, dls_interval_point(2)), x, pi), -1, 3.5},
      {dls_interval_choose(dls_truth_at_most(x, dls_interval_point(2)), x, pi), -1, 2},
      {dls_interval_choose(dls_truth_equal(x, dls_interval_point(5)), x, pi), 3, 3.5},
      {dls_interval_point(NAN), -unknown, unknown},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const double low = cases[i].bounds.low, high = cases[i].bounds.high;
    assert_true(isinf(cases[i].low) ? low == cases[i].low : low <= cases[i].low);
    assert_true(isinf(cases[i].high) ? high == cases[i].high : high >= cases[i].high);
    assert_true(isinf(low) || low >= cases[i].low - 1e-14 * fabs(cases[i].low) - 1e-300);
    assert_true(isinf(high) || high <= cases[i].high + 1e-14 * fabs(cases[i].high) + 1e-300);
  }
}

DLS_TEST(conditions_join_as_logic_does)
{
  const dls_truth all[] = {DLS_TRUTH_HOLDS, DLS_TRUTH_FAILS, DLS_TRUTH_OPEN};
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(dls_truth_not(dls_truth_not(all[i])), all[i]);
    assert_int_equal(dls_truth_and(all[i], DLS_TRUTH_HOLDS), all[i]);
    assert_int_equal(dls_truth_and(all[i], DLS_TRUTH_FAILS), DLS_TRUTH_FAILS);
    assert_int_equal(dls_truth_or(all[i], DLS_TRUTH_FAILS), all[i]);
    assert_int_equal(dls_truth_or(all[i], DLS_TRUTH_HOLDS), DLS_TRUTH_HOLDS);
  }
  assert_int_equal(dls_truth_not(DLS_TRUTH_HOLDS), DLS_TRUTH_FAILS);
}

/* A load, and how a search by bisection sees it. */
typedef struct search {
  dls_interval (*bounds)(dls_interval t, double width);
  double width, fine, end; /* of the pulse; of quiet pieces in the load; of the run */
  size_t evaluations;
  double active_from, active_to; /* hull of the pieces with a load above `fine` */
} search;

static void bisect(search *s, double a, double b)
{
  const dls_interval bounds = s->bounds(dls_interval_exact(a, b), s->width);
  s->evaluations++;
  if (bounds.high - bounds.low <= s->fine || b - a <= 1e-12 * s->end) {
    if (bounds.high > s->fine) {
      s->active_from = fmin(s->active_from, a);
      s->active_to = fmax(s->active_to, b);
    }
    return;
  }
  const double middle = (a + b) / 2;
  bisect(s, a, middle);
  bisect(s, middle, b);
}

static dls_interval pulse(dls_interval t, double width)
{
  const dls_interval from = dls_interval_subtract(t, dls_interval_point(20));
  const dls_interval ratio = dls_interval_divide(from, dls_interval_point(width));
  return dls_interval_exp(dls_interval_negative(dls_interval_integer_power(ratio, 2)));
}

static dls_interval high_power(dls_interval t, double width)
{
  return dls_interval_integer_power(dls_interval_sin(dls_interval_divide(t, dls_interval_point(width))), 300);
}

static search searched(dls_interval (*bounds)(dls_interval t, double width), double width, double fine,
                       double end)
{
  search s = {bounds, width, fine, end, 0, end, 0};
  bisect(&s, 0, end);
  return s;
}

/* Pulses of 2 s, 1 ms, 1 ns in 30 s, and sin^300, which only even powers of an interval around 0 make quiet. */
DLS_TEST(bisection_finds_pulses_of_any_width)
{
  const double widths[] = {2, 1e-3, 1e-9}, counts[][2] = {{57, 313}, {77, 335}, {119, 293}};
  for (size_t i = 0; i < 3; i++) {
    for (size_t k = 0; k < 2; k++) {
      const search s = searched(pulse, widths[i], k == 0 ? 0.1 : 0.02, 30);
      assert_between((double)s.evaluations, counts[i][k] - 2, counts[i][k] + 2);
      assert_between(s.active_from, 20 - 4 * widths[i], 20 - widths[i]);
      assert_between(s.active_to, 20 + widths[i], 20 + 4 * widths[i]);
    }
  }
  const search s = searched(high_power, 1000, 0.2, 3000); /* a tenth of 1 + sin^300 */
  assert_between((double)s.evaluations, 41, 45);
  assert_between(s.active_from, 1400, 1500);
  assert_between(s.active_to, 1640, 1740);
  assert_between((double)searched(high_power, 1000, 0.04, 3000).evaluations, 157, 161);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bounds_contain_every_value),
      cmocka_unit_test(bounds_shrink_with_the_interval),
      cmocka_unit_test(ends_that_rounding_has_exchanged_are_tight_bounds),
      cmocka_unit_test(bounds_of_single_operations_are_tight),
      cmocka_unit_test(conditions_join_as_logic_does),
      cmocka_unit_test(bisection_finds_pulses_of_any_width),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
