/* test_calendar.c -- instants inside a step at which terms of t alone have to be looked at.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/system/calendar.h"
#include "driven.h"
#include <math.h>

static double instants[DLS_CALENDAR_ROOM];

static dls_calendar *calendar_of(dls_system *sys, double end)
{
  dls_calendar *calendar = dls_calendar_create(sys, 0, end, 1e-10, end / 1000);
  assert_non_null(calendar);
  return calendar;
}

/* The least distance of an instant to t. */
static double distance_to(double t, size_t count)
{
  double least = HUGE_VAL;
  for (size_t i = 0; i < count; i++) {
    least = fmin(least, fabs(instants[i] - t));
    assert_true(i == 0 || instants[i] > instants[i - 1]);
  }
  return least;
}

DLS_TEST(bounds_lead_to_pulses_of_any_width)
{
  const double widths[] = {1e-9, 1e-6, 1e-3, 2};
  for (int i = 0; i < 4; i++) {
    const dls_driven what = {.load = {{100, 20.1, widths[i]}, {-0.01, 7.3, 1e-3}}, .height = 1};
    dls_system *sys = dls_test_driven(&what);
    dls_calendar *calendar = calendar_of(sys, 30);
    double until = 0;
    const size_t count = dls_calendar_instants(calendar, 0, 30, instants, &until);
    assert_true(until == 30);
    assert_between((double)count, 3, 250);
    assert_true(distance_to(20.1, count) <= widths[i]);
    assert_true(distance_to(7.3, count) <= 1e-3);
    assert_true(dls_calendar_resolution(calendar) == 0);
    assert_true(dls_calendar_instants(calendar, 21, 30, instants, &until) == 0 ||
                widths[i] == 2); /* nothing there */
    dls_calendar_destroy(calendar);
    dls_system_destroy(sys);
  }
}

enum { MOST_EQUAL = 32 };
static struct {
  int count;
  double at[MOST_EQUAL];
} train;
static const double train_width = 1e-6;

/* Sum of the bounds of pulses exp(-((t - t_k)/w)^2), as interval arithmetic has it. */
static void train_bounds(const dls_system *sys, double a, double b, double *low, double *high)
{
  (void)sys;
  *low = *high = 0;
  for (int k = 0; k < train.count; k++) {
    const double x = (a - train.at[k]) / train_width, y = (b - train.at[k]) / train_width;
    *low += exp(-fmax(x * x, y * y));
    *high += x < 0 && y > 0 ? 1 : exp(-fmin(x * x, y * y));
  }
}

/* Each half of a piece has half of them: that is not the mark of bounds that are too wide. */
DLS_TEST(each_of_several_equal_pulses_is_found)
{
  static const double apart[] = {1e-5, 1e-4, 1e-2, 0.7};
  static const int counts[] = {2, 3, 5, 8, 16, MOST_EQUAL};
  for (size_t i = 0; i < sizeof apart / sizeof *apart; i++) {
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
      train.count = counts[n];
      for (int k = 0; k < train.count; k++) {
        train.at[k] = 5 + apart[i] * (k + 0.2 * sin(k));
      }
      dls_system *sys = dls_system_create(1, 0);
      sys->explicit_time = DLS_TIME_EXPLICIT;
      sys->time_terms = 1;
      sys->time_enclosure = train_bounds;
      dls_calendar *calendar = calendar_of(sys, 30);
      double until = 0;
      const size_t count = dls_calendar_instants(calendar, 0, 30, instants, &until);
      for (int k = 0; k < train.count && train.at[k] < until; k++) {
        if (!(distance_to(train.at[k], count) <= train_width)) {
          fail_msg("pulse %d of %d, %g s apart, is %g s from an instant", k, train.count, apart[i],
                   distance_to(train.at[k], count));
        }
      }
      assert_true(until > train.at[0]);
      dls_calendar_destroy(calendar);
      dls_system_destroy(sys);
    }
  }
}

static size_t wide_evaluations;

/* t exp(-t) by interval arithmetic: too wide by the length of the interval. */
static void wide_bounds(const dls_system *sys, double a, double b, double *low, double *high)
{
  (void)sys;
  *low = a * exp(-b);
  *high = b * exp(-a);
  wide_evaluations++;
}

DLS_TEST(bounds_that_are_too_wide_cost_little)
{
  dls_system *sys = dls_system_create(1, 0);
  sys->explicit_time = DLS_TIME_EXPLICIT;
  sys->time_terms = 1;
  sys->time_enclosure = wide_bounds;
  dls_calendar *calendar = calendar_of(sys, 30);
  double until = 0;
  for (size_t k = 0; k < 100; k++) {
    const double a = 2 + 0.1 * (double)k;
    wide_evaluations = 0;
    assert_between((double)dls_calendar_instants(calendar, a, a + 0.1, instants, &until), 1, 4);
    assert_between((double)wide_evaluations, 4, k == 0 ? 200 : 60);
  }
  dls_calendar_destroy(calendar);
  dls_system_destroy(sys);
}

DLS_TEST(unknown_terms_are_sampled_with_another_shift_in_each_step)
{
  const dls_driven what = {.knowledge = DLS_DRIVEN_CALLBACK, .load = {{1, 5, 1}}, .height = 1};
  dls_system *sys = dls_test_driven(&what);
  dls_calendar *calendar = calendar_of(sys, 100);
  double until = 0;
  assert_close(dls_calendar_resolution(calendar), 0.1, 0);
  assert_int_equal(dls_calendar_instants(calendar, 0, 0.1, instants, &until),
                   0); /* no longer than the distance */
  assert_int_equal(dls_calendar_instants(calendar, 0, 1.05, instants, &until), 11);
  const double first = instants[0];
  assert_int_equal(dls_calendar_instants(calendar, 0, 1.05, instants, &until), 11);
  assert_true(first != instants[0]);
  assert_close(instants[10] - instants[9], 1.05 / 11, 1e-14);
  const size_t count =
      dls_calendar_instants(calendar, 0, 1e6, instants, &until); /* more than there is room for */
  assert_between((double)count, DLS_CALENDAR_ROOM - 1, DLS_CALENDAR_ROOM);
  assert_between(until, 102, 103);
  dls_calendar_destroy(calendar);
  dls_system_destroy(sys);
}

/* cos(5000 t), not declared as harmonic. */
static void fast_bounds(const dls_system *sys, double a, double b, double *low, double *high)
{
  (void)sys;
  const double x = cos(5000 * a), y = cos(5000 * b), pi = acos(-1);
  *low = floor((5000 * b - pi) / (2 * pi)) > floor((5000 * a - pi) / (2 * pi)) ? -1 : fmin(x, y);
  *high = floor(5000 * b / (2 * pi)) > floor(5000 * a / (2 * pi)) ? 1 : fmax(x, y);
}

static void useless_bounds(const dls_system *sys, double a, double b, double *low, double *high)
{
  (void)sys, (void)a, (void)b;
  *low = -1;
  *high = b > 20 ? HUGE_VAL : 1;
}

DLS_TEST(bounds_that_take_many_evaluations_lead_to_shorter_steps_and_useless_ones_to_samples)
{
  dls_system *sys = dls_system_create(1, 0);
  sys->explicit_time = DLS_TIME_EXPLICIT;
  sys->time_terms = 1;
  sys->time_enclosure = fast_bounds;
  dls_calendar *calendar = calendar_of(sys, 30);
  double until = 0;
  assert_true(dls_calendar_instants(calendar, 0, 1e-4, instants, &until) <= 4);
  assert_true(dls_calendar_instants(calendar, 0, 30, instants, &until) >= 100);
  assert_between(until, 0.1, 2);
  assert_true(dls_calendar_resolution(calendar) == 0);
  dls_calendar_destroy(calendar);
  sys->time_enclosure = useless_bounds;
  calendar = calendar_of(sys, 30);
  assert_true(dls_calendar_instants(calendar, 0, 30, instants, &until) >= 1000);
  assert_true(until == 30);
  assert_close(dls_calendar_resolution(calendar), 0.03, 1e-15);
  dls_calendar_destroy(calendar);
  dls_system_destroy(sys);
}

DLS_TEST(harmonic_terms_are_looked_at_in_each_quarter_of_a_period)
{
  dls_system *sys = dls_system_create(1, 0);
  double until = 0;
  dls_system_declare_harmonic(sys, 1, 2 * acos(-1));
  dls_calendar *calendar = calendar_of(sys, 30);
  assert_int_equal(dls_calendar_instants(calendar, 0, 0.25, instants, &until), 0);
  assert_int_equal(dls_calendar_instants(calendar, 3, 4, instants, &until), 4);
  assert_true(dls_calendar_resolution(calendar) == 0);
  dls_calendar_destroy(calendar);
  dls_system_destroy(sys);
}

static double feature_of(dls_system *sys, double end)
{
  double length = -1;
  dls_error err = {0};
  assert_ok(dls_system_shortest_feature(sys, 0, end, &length, &err), err);
  dls_system_destroy(sys);
  return length;
}

/* The flank of exp(-((t - t1)/w)^2) takes about w; the finest piece is a fraction of it. */
DLS_TEST(the_shortest_feature_of_pulses_is_a_part_of_their_width)
{
  const double widths[] = {1e-9, 1e-6, 1e-3, 0.5};
  for (int i = 0; i < 4; i++) {
    const dls_driven what = {.load = {{100, 20.1, widths[i]}, {3, 9, 2}}, .height = 1};
    assert_between(feature_of(dls_test_driven(&what), 30), 0.003 * widths[i], 2 * widths[i]);
  }
}

DLS_TEST(the_shortest_feature_is_half_a_period_or_what_is_stated)
{
  dls_system *sys = dls_system_create(1, 0);
  dls_system_declare_harmonic(sys, 1, 2 * acos(-1));
  assert_close(feature_of(sys, 30), 0.5, 1e-15);
  const dls_driven stated = {
      .knowledge = DLS_DRIVEN_FEATURE, .feature = 0.02, .load = {{1, 5, 1}}, .height = 1};
  assert_close(feature_of(dls_test_driven(&stated), 30), 0.02, 0);
  const dls_driven silent = {.knowledge = DLS_DRIVEN_CALLBACK, .load = {{1, 5, 1}}, .height = 1};
  assert_close(feature_of(dls_test_driven(&silent), 30), 0, 0);
  const dls_driven still = {.height = 1};
  assert_close(feature_of(dls_test_driven(&still), 30), 0, 0);
}

static double row_after(const dls_system *sys, double t)
{
  static const double rows[] = {1, 2.5, 2.75, 7};
  (void)sys;
  for (int i = 0; i < 4; i++) {
    if (rows[i] > t) {
      return rows[i];
    }
  }
  return INFINITY;
}

DLS_TEST(the_shortest_feature_of_a_table_is_the_least_distance_of_its_rows)
{
  const double ends[] = {30, 2.6}, expected[] = {0.25, 1.5};
  for (int i = 0; i < 2; i++) {
    dls_system *sys = dls_system_create(1, 0);
    sys->explicit_time = DLS_TIME_EXPLICIT;
    sys->next_break = row_after;
    assert_close(feature_of(sys, ends[i]), expected[i], 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_shortest_feature_of_pulses_is_a_part_of_their_width),
      cmocka_unit_test(the_shortest_feature_is_half_a_period_or_what_is_stated),
      cmocka_unit_test(the_shortest_feature_of_a_table_is_the_least_distance_of_its_rows),
      cmocka_unit_test(bounds_lead_to_pulses_of_any_width),
      cmocka_unit_test(each_of_several_equal_pulses_is_found),
      cmocka_unit_test(bounds_that_are_too_wide_cost_little),
      cmocka_unit_test(unknown_terms_are_sampled_with_another_shift_in_each_step),
      cmocka_unit_test(bounds_that_take_many_evaluations_lead_to_shorter_steps_and_useless_ones_to_samples),
      cmocka_unit_test(harmonic_terms_are_looked_at_in_each_quarter_of_a_period),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
