/* tests/analytic/test_rigorous_series.c -- series of impacts that lose little speed: proven with as many digits as are asked for.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/models.h"
#include "analytic/rigorous/short_flight.h"
#include "rigorous_problem.h"
#include <math.h>

/* The row of the first event of a name. */
static size_t row_of(const dls_rigorous_table *table, const char *event)
{
  for (size_t i = 0; i < table->rows; i++) {
    if (strcmp(table->event[i], event) == 0) {
      return i;
    }
  }
  fail_msg("no %s", event);
  return 0;
}

static size_t impacts(const dls_rigorous_table *table)
{
  size_t count = 0;
  for (size_t i = 0; i < table->rows; i++) {
    count += strcmp(table->event[i], "impact") == 0;
  }
  return count;
}

/* From 1 m with 9.81 m/s^2: rest at sqrt(2/9.81) (1 + e)/(1 - e), after impacts with e^n times the speed of the first. */
DLS_TEST(a_ball_that_loses_little_speed_comes_to_rest)
{
  static const struct {
    const char *values;
    double e;
    unsigned digits;
  } balls[] = {{"f=-9.81,e=0.9", 0.9, 20},
               {"f=-9.81,e=0.9", 0.9, 60},
               {"f=-9.81,e=0.95", 0.95, 20},
               {"f=-9.81,e=0.99", 0.99, 60}};
  for (size_t i = 0; i < sizeof balls / sizeof balls[0]; i++) {
    model_text of;
    dls_error err = {0};
    dls_rigorous_table table;
    dls_rigorous_problem problem = problem_with("bouncing-ball", "100", balls[i].values, &of);
    problem.digits = balls[i].digits;
    const dls_status status = dls_rigorous_solve(&problem, &table, &err);
    assert_ok(status, err);
    const double e = balls[i].e, rest = sqrt(2 / 9.81) * (1 + e) / (1 - e);
    const dls_rigorous_cell *t = &table.cell[row_of(&table, "accumulation") * table.columns];
    assert_close(strtod(t->low, NULL), rest, 4e-15 * rest / (1 - e));
    assert_close(strtod(t->high, NULL), rest, 4e-15 * rest / (1 - e));
    /* until 2 e^n V/(g (1 - e)) < 10^(-4 - D), by bits */
    const double least = (balls[i].digits + 3) * log(10) / -log(e);
    assert_between((double)impacts(&table), least, least + 9 * log(10) / -log(e));
    dls_rigorous_free(&table);
  }
}

/* Each state, in one flight after the other, against that of the series: at a time between two impacts. */
DLS_TEST(states_in_the_series_are_those_of_its_flights)
{
  static const char *const times[] = {"8.5"};
  model_text of;
  dls_error err = {0};
  dls_rigorous_table table;
  dls_rigorous_problem problem = problem_with("bouncing-ball", "9", "f=-9.81,e=0.9", &of);
  problem.time_count = 1;
  problem.times = times;
  problem.digits = 12;
  const dls_status status = dls_rigorous_solve(&problem, &table, &err);
  assert_ok(status, err);
  double t = sqrt(2 / 9.81), V = 9.81 * t, next = t;
  while (next < 8.5) {
    t = next;
    V *= 0.9;
    next = t + 2 * V / 9.81;
  }
  const double s = 8.5 - t;
  assert_close(strtod(table.cell[1].low, NULL), s * (V - 0.5 * 9.81 * s), 1e-11);
  assert_close(strtod(table.cell[2].high, NULL), V - 9.81 * s, 1e-10);
  dls_rigorous_free(&table);
}

/* With one digit the impacts of the last 2^-16 s before the rest at t = 3 are one event. At 3 - 3.7e-6 s, after the impact at
 * 3 - 2^-18 s, the ball rises: v = 2 (3 - t) - 3 2^-19, with q the product of the distances to both impacts. */
DLS_TEST(a_time_among_impacts_that_are_left_out_is_enclosed)
{
  static const char *const times[] = {"2.9999963"};
  model_text of;
  dls_error err = {0};
  dls_rigorous_table table;
  dls_rigorous_problem problem = problem_with("bouncing-ball", "2.9999963", "", &of);
  problem.time_count = 1;
  problem.times = times;
  problem.digits = 1;
  const dls_status status = dls_rigorous_solve(&problem, &table, &err);
  assert_ok(status, err);
  const double left = 3.7e-6, q = (0x1p-18 - left) * (left - 0x1p-19), v = 2 * left - 0x1p-18 - 0x1p-19;
  assert_between(q, strtod(table.cell[1].low, NULL), strtod(table.cell[1].high, NULL));
  assert_between(v, strtod(table.cell[2].low, NULL), strtod(table.cell[2].high, NULL));
  assert_between(strtod(table.cell[2].high, NULL) - strtod(table.cell[2].low, NULL), v, 0.2);
  dls_rigorous_free(&table);
}

/* Recipe: the sum of the flights of m q'' = -k q + f by the closed form of each in 50 digits (mpmath) to 1e-18 s. */
DLS_TEST(an_oscillator_that_loses_little_speed_comes_to_rest)
{
  model_text of;
  dls_error err = {0};
  dls_rigorous_table table;
  dls_rigorous_problem problem = problem_with("impacting-oscillator", "50", "f=-0.5,e=0.9", &of);
  problem.digits = 20;
  const dls_status status = dls_rigorous_solve(&problem, &table, &err);
  assert_ok(status, err);
  const dls_rigorous_cell *t = &table.cell[row_of(&table, "accumulation") * table.columns];
  assert_true(strncmp(t->low, "37.629486802819171917", 21) == 0);
  assert_between((double)impacts(&table), 480, 620);
  dls_rigorous_free(&table);
}

/* Without damping -u' = f + q, and u = -V before the impact: T = acos(1/2) + 2 sum atan(sqrt(3) e^k) for f = -1. The digits with
 * damping: the sum of its flights in 70 digits (mpmath) until V = 1e-24 m/s, V^2 = 1e-48. */
DLS_TEST(an_oscillator_comes_to_rest_at_a_time_of_many_digits)
{
  static const struct {
    const char *values, *rest;
    unsigned digits;
    double e;
  } runs[] = {
      {"f=-1,e=0.9", "26.981973586211045282105834018668018785467915191440961500827573", 60, 0.9},
      {"f=-0.5,e=0.9,c=0.1", "25.260114903783504473324254628112511699020265", 43, 0.9},
      {"f=-1,e=0.97", "93.308415851550", 13, 0.97},
  };
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
    model_text of;
    dls_error err = {0};
    dls_rigorous_table table;
    dls_rigorous_problem problem = problem_with("impacting-oscillator", "100", runs[i].values, &of);
    problem.digits = runs[i].digits;
    const dls_status status = dls_rigorous_solve(&problem, &table, &err);
    assert_ok(status, err);
    const dls_rigorous_cell *t = &table.cell[row_of(&table, "accumulation") * table.columns];
    assert_int_equal(strncmp(t->low, runs[i].rest, strlen(runs[i].rest)), 0);
    assert_int_equal(strncmp(t->high, runs[i].rest, strlen(runs[i].rest) - 2), 0);
    const double least = (runs[i].digits + 3) * log(10) / -log(runs[i].e);
    assert_between((double)impacts(&table), least, least + 9 * log(10) / -log(runs[i].e));
    dls_rigorous_free(&table);
  }
}

/* m = k = 1, f = -1: a flight from V lasts 2 atan V and ends with -V. The enclosures hold that for both ends of V, and are a
 * little wider than the range. */
DLS_TEST(a_short_flight_is_enclosed_as_narrowly_as_its_start)
{
  enum { PREC = 300 };
  model_text of;
  dls_error err = {0};
  dls_ball_solution sol;
  const dls_rigorous_problem problem = problem_with("impacting-oscillator", "0.1", "f=-1", &of);
  const dls_status status = dls_ball_solve(&problem, PREC, 100, &sol, &err);
  assert_ok(status, err);
  arb_t since, truth, half;
  arb_init(since);
  arb_init(truth);
  arb_init(half);
  arb_ptr x = _arb_vec_init(sol.k), left = _arb_vec_init(sol.k);
  _arb_vec_set(x, sol.piece[0].x, sol.k);
  arb_zero(x + DLS_BALL_GAP);
  for (slong bits = 3; bits < 200; bits = 3 * bits / 2) { /* V = 2^-bits, to 40 bits and to 100 */
    for (slong width = 40; width <= 100; width += 60) {
      arb_ptr V = x + DLS_BALL_RATE;
      arb_one(V);
      arb_mul_2exp_si(V, V, -bits);
      mag_set_ui_2exp_si(arb_radref(V), 1, -bits - width);
      assert_true(dls_ball_short_flight(sol.system, x, since, left, PREC));
      for (int end = -1; end <= 1; end += 2) {
        arb_set_si(half, end);
        arb_mul_2exp_si(half, half, -bits - width);
        arb_get_mid_arb(truth, V);
        arb_add(truth, truth, half, PREC);
        arb_neg(half, truth);
        assert_true(arb_contains(left + DLS_BALL_RATE, half));
        arb_atan(truth, truth, 3 * PREC);
        arb_mul_2exp_si(truth, truth, 1);
        assert_true(arb_contains(since, truth));
      }
      arb_get_rad_arb(half, left + DLS_BALL_RATE);
      arb_mul_2exp_si(half, half, bits + width);
      assert_between(arf_get_d(arb_midref(half), ARF_RND_NEAR), 1, 1.001);
      arb_get_rad_arb(half, since);
      arb_mul_2exp_si(half, half, bits + width - 1);
      assert_between(arf_get_d(arb_midref(half), ARF_RND_NEAR), 0.9, 1.001);
    }
  }
  arb_one(x + DLS_BALL_RATE); /* too long: |L| s of 2 or more */
  arb_mul_2exp_si(x + DLS_BALL_RATE, x + DLS_BALL_RATE, 2);
  assert_false(dls_ball_short_flight(sol.system, x, since, left, PREC));
  arb_set_d(x + DLS_BALL_RATE, -0.1); /* no flight */
  assert_false(dls_ball_short_flight(sol.system, x, since, left, PREC));
  arb_set_d(x + DLS_BALL_RATE, 0.1);
  arb_set_si(x + 2, -1); /* a force away from the wall */
  assert_false(dls_ball_short_flight(sol.system, x, since, left, PREC));
  arb_zero(x + 2); /* and none but the spring's: the gap is 0 after half a period */
  assert_false(dls_ball_short_flight(sol.system, x, since, left, PREC));
  _arb_vec_clear(x, sol.k);
  _arb_vec_clear(left, sol.k);
  arb_clear(since);
  arb_clear(truth);
  arb_clear(half);
  dls_ball_solution_clear(&sol);
}

/* On a table each rest ends where A omega^2 sin(omega t) = g. Its time does not depend on that of the accumulation before it, and
 * with 2^-56 s for each of these the enclosures of all lift-offs are as narrow as the precision. */
DLS_TEST(a_rest_forgets_how_uncertain_its_beginning_was)
{
  enum { PREC = 176 };
  model_text of;
  dls_error err = {0};
  dls_ball_solution sol;
  const dls_rigorous_problem problem =
      problem_with("vibrating-table", "4", "e=0.3,g=20.3,v0=-0.475,A=0.01,omega=60", &of);
  const dls_status status = dls_ball_solve(&problem, PREC, 56, &sol, &err);
  assert_ok(status, err);
  arb_t angle, t, pi;
  mag_t width;
  arb_init(angle);
  arb_init(t);
  arb_init(pi);
  mag_init(width);
  arb_set_str(angle, "20.3", 2 * PREC);
  arb_div_ui(angle, angle, 36, 2 * PREC);
  arb_asin(angle, angle, 2 * PREC);
  arb_const_pi(pi, 2 * PREC);
  size_t found = 0;
  for (size_t i = 0; i < sol.count; i++) {
    const dls_ball_piece *piece = &sol.piece[i];
    if (piece->event == DLS_BALL_LIFT_OFF) {
      arb_mul_ui(t, pi, 2 * (found + 2), 2 * PREC); /* the first one is in the third period */
      arb_add(t, t, angle, 2 * PREC);
      arb_div_ui(t, t, 60, 2 * PREC);
      assert_true(arb_contains(piece->t, t));
      assert_true(mag_cmp_2exp_si(arb_radref(piece->t), 30 - PREC) < 0);
      found++;
    }
    if (piece->event == DLS_BALL_ACCUMULATION) { /* its own time is no better known */
      assert_true(arb_gt(piece->over, piece->t) || arb_overlaps(piece->over, piece->t));
      assert_true(arb_is_exact(piece->over));
      arb_get_mag(width, piece[-1].x + DLS_BALL_RATE);
      assert_true(mag_cmp(arb_radref(piece->t), width) < 0);
    }
  }
  assert_between((double)found, 30, 40);
  arb_clear(angle);
  arb_clear(t);
  arb_clear(pi);
  mag_clear(width);
  dls_ball_solution_clear(&sol);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_that_loses_little_speed_comes_to_rest),
      cmocka_unit_test(states_in_the_series_are_those_of_its_flights),
      cmocka_unit_test(a_time_among_impacts_that_are_left_out_is_enclosed),
      cmocka_unit_test(an_oscillator_that_loses_little_speed_comes_to_rest),
      cmocka_unit_test(an_oscillator_comes_to_rest_at_a_time_of_many_digits),
      cmocka_unit_test(a_short_flight_is_enclosed_as_narrowly_as_its_start),
      cmocka_unit_test(a_rest_forgets_how_uncertain_its_beginning_was),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
