/* test_median_fit.c -- lines through the medians of levels: exact laws, outliers, and intervals that cover.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "random_graph.h"
#include <delassus/fit.h>
#include <math.h>

enum { MOST = 12 * 12, STUDIES = 2000 };

typedef struct study {
  size_t levels, repeats;
  double h[MOST], error[MOST];
  size_t level[MOST];
} study;

/* log(error/h) has the median 0 and the skewness -2: minus an exponential variable. */
static double skewed(uint64_t *seed)
{
  return log(2 * random_unit(seed));
}

/* |cos| of a random phase, as of an error that changes its sign from step to step. */
static double changes_sign(uint64_t *seed)
{
  return log(fabs(cos(3.141592653589793 * random_unit(seed))) / sqrt(0.5));
}

/* Errors h exp(noise) at steps that differ by up to 1.25 from the mean of their level. */
static void synthetic(double (*noise)(uint64_t *seed), uint64_t *seed, study *s)
{
  for (size_t i = 0; i < s->levels * s->repeats; i++) {
    s->level[i] = i / s->repeats;
    s->h[i] = 0.1 * pow(0.5, (double)s->level[i]) * pow(1.25, 2 * random_unit(seed) - 1);
    s->error[i] = s->h[i] * exp(noise(seed));
  }
}

static dls_median_fit fit(const study *s, double floor)
{
  dls_median_fit out;
  dls_error err = {0};
  assert_ok(dls_fit_medians(s->levels * s->repeats, s->h, s->error, s->level, floor, &out, &err), err);
  return out;
}

typedef struct coverage {
  double order,
      height; /* percent of the studies whose interval of q, or of C h^q in the middle of the steps, has the truth */
} coverage;

static coverage cover(size_t levels, size_t repeats, double (*noise)(uint64_t *seed))
{
  coverage out = {0};
  study s = {.levels = levels, .repeats = repeats};
  for (uint64_t n = 0; n < STUDIES; n++) {
    uint64_t seed = random_seed(n);
    synthetic(noise, &seed, &s);
    const dls_median_fit f = fit(&s, 0);
    const double h = 0.1 * pow(0.5, 0.5 * (double)(levels - 1));
    out.order += f.ci_low <= 1 && 1 <= f.ci_high;
    out.height += fabs(log(f.constant * pow(h, f.order - 1))) <= log(dls_median_band(&f, h));
  }
  out.order *= 100.0 / STUDIES;
  out.height *= 100.0 / STUDIES;
  print_message("%zu levels of %zu runs: %.2f %% of the orders, %.2f %% of the heights\n", levels, repeats,
                out.order, out.height);
  return out;
}

DLS_TEST(intervals_cover_with_heavy_lower_tails)
{
  static const size_t designs[][2] = {{8, 8}, {8, 3}};
  for (size_t i = 0; i < sizeof designs / sizeof designs[0]; i++) {
    const coverage c = cover(designs[i][0], designs[i][1], skewed);
    assert_between(c.order, 93, 97);
    assert_between(c.height, 93, 98);
  }
}

DLS_TEST(intervals_cover_where_errors_change_their_sign)
{
  const coverage c = cover(5, 6, changes_sign);
  assert_between(c.order, 93, 97);
  assert_between(c.height, 93, 98);
}

DLS_TEST(an_exact_law_has_no_band)
{
  study s = {.levels = 6, .repeats = 5};
  uint64_t seed = 1;
  synthetic(skewed, &seed, &s);
  for (size_t i = 0; i < s.levels * s.repeats; i++) {
    s.error[i] = 3 * pow(s.h[i], 1.5);
  }
  const dls_median_fit f = fit(&s, 0);
  assert_close(f.order, 1.5, 1e-13);
  assert_close(f.constant, 3, 1e-12);
  assert_between(f.ci_high - f.ci_low, 0, 1e-12);
  assert_close(dls_median_band(&f, 1e-3), 1, 1e-12);
  assert_int_equal(f.levels, 6);
}

/* Slopes of the pairs of (x, y) = (0, 0), (1, 1), (2, 2), (3, 9): 1, 1, 1, 3, 4, 7; their median is 2. Offsets y - 2 x:
 * 0, -1, -2, 3; their median is -1/2. */
DLS_TEST(closed_form_of_four_levels)
{
  const double y[] = {0, 1, 2, 9};
  study s = {.levels = 4, .repeats = 1};
  for (size_t i = 0; i < 4; i++) {
    s.level[i] = i;
    s.h[i] = exp((double)i);
    s.error[i] = exp(y[i]);
  }
  const dls_median_fit f = fit(&s, 0);
  assert_close(f.order, 2, 1e-14);
  assert_close(f.constant, exp(-0.5), 1e-14);
  assert_true(isnan(f.ci_low) && isnan(f.ci_high) && isnan(dls_median_band(&f, 1))); /* one run a level */
}

DLS_TEST(one_run_in_three_may_be_a_million_times_better)
{
  study s = {.levels = 7, .repeats = 9};
  uint64_t seed = 3;
  synthetic(skewed, &seed, &s);
  for (size_t i = 0; i < s.levels * s.repeats; i++) {
    s.error[i] = s.h[i] * (i % 3 == s.level[i] % 3 && s.level[i] > 3 ? 1e-6 : 1);
  }
  const dls_median_fit f = fit(&s, 0);
  dls_fit squares;
  assert_ok(dls_fit_order(s.levels * s.repeats, s.h, s.error, 0, &squares, NULL), (dls_error){0});
  assert_between(f.order, 0.9, 1.25);
  assert_between(squares.order, 2, 3);
}

DLS_TEST(levels_at_the_floor_are_left_out)
{
  study s = {.levels = 6, .repeats = 4};
  uint64_t seed = 5;
  synthetic(skewed, &seed, &s);
  for (size_t i = 0; i < s.levels * s.repeats; i++) {
    s.error[i] = s.level[i] < 4 ? s.h[i] * s.h[i] : i % 4 == 0 ? 0 : 1e-9;
  }
  s.error[0] = INFINITY;
  s.error[5] = NAN;
  const dls_median_fit f = fit(&s, 1e-8);
  assert_int_equal(f.levels, 4);
  assert_close(f.order, 2, 1e-12);
}

DLS_TEST(the_same_runs_have_the_same_interval)
{
  study s = {.levels = 8, .repeats = 8};
  uint64_t seed = 7;
  synthetic(skewed, &seed, &s);
  const dls_median_fit a = fit(&s, 0), b = fit(&s, 0);
  assert_memory_equal(&a, &b, offsetof(dls_median_fit, levels) + sizeof a.levels); /* padding may differ */
  assert_true(a.ci_high > a.ci_low);
  /* The band is narrowest at the centre, which is amid the steps. */
  assert_between(a.centre, 0.1 * pow(0.5, 7), 0.1);
  assert_true(dls_median_band(&a, a.centre) < dls_median_band(&a, 0.1));
  assert_true(dls_median_band(&a, a.centre) > 1);
}

/* Runs without a step or an error count for nothing, and two levels of one step for no slope. */
DLS_TEST(what_has_no_slope_is_left_out)
{
  static const double h[] = {1, 2, 4, 4, 0, INFINITY, 1}, error[] = {3, 6, 12, 12, 1, 1, NAN};
  static const size_t level[] = {0, 1, 2, 3, 1, 1, 1};
  dls_median_fit out;
  dls_error err = {0};
  assert_ok(dls_fit_medians(7, h, error, level, 0, &out, &err), err);
  assert_int_equal(out.levels, 4);
  assert_close(out.order, 1, 1e-15);
  assert_close(out.constant, 3, 1e-14);
}

DLS_TEST(too_little_is_refused)
{
  const double h[] = {0.1, 0.1, 0.2}, error[] = {1, 2, 0};
  const size_t level[] = {0, 0, 1};
  dls_median_fit f;
  dls_error err = {0};
  assert_int_equal(dls_fit_medians(3, h, error, level, 1e-3, &f, &err), DLS_ERR_ARG);
  assert_string_equal(err.text, "a fit needs medians above the floor at 2 different h; there are 1");
  assert_true(isnan(f.order));
  assert_int_equal(dls_fit_medians(0, h, error, level, 0, &f, &err), DLS_ERR_ARG);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(intervals_cover_with_heavy_lower_tails),
      cmocka_unit_test(intervals_cover_where_errors_change_their_sign),
      cmocka_unit_test(an_exact_law_has_no_band),
      cmocka_unit_test(closed_form_of_four_levels),
      cmocka_unit_test(one_run_in_three_may_be_a_million_times_better),
      cmocka_unit_test(levels_at_the_floor_are_left_out),
      cmocka_unit_test(the_same_runs_have_the_same_interval),
      cmocka_unit_test(what_has_no_slope_is_left_out),
      cmocka_unit_test(too_little_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
