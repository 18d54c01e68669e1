/* test_rigorous_parts.c -- what an enclosure is made of: errors that parts leave out are in the whole, times are named as they were asked, units of
 * mass change nothing but the forces, and large numbers are asked for as many digits as small ones.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/area.h"
#include "analytic/rigorous/models.h"
#include "rigorous_problem.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PREC = 192, NARROW = 120 };

static dls_ball_curve constant(double value, double rest)
{
  static const double t[] = {0, 2};
  const double x[] = {value, value};
  dls_ball_curve curve;
  arb_t unit;
  arb_init(unit);
  arb_one(unit);
  dls_ball_curve_init(&curve, 1);
  dls_ball_curve_of_nodes(&curve, 2, t, x, NULL, unit, PREC);
  assert_int_equal(curve.count, 1);
  mag_set_d(curve.segment[0].rest, rest);
  arb_clear(unit);
  return curve;
}

/* Between 1 +- 1/4 and 0 +- 1/8 on [0, 2]: 2 +- 3/4. */
DLS_TEST(an_area_holds_what_the_polynomials_leave_out)
{
  dls_ball_curve one = constant(1, 0.25), zero = constant(0, 0.125);
  arb_t area;
  arf_t low, high;
  arb_init(area);
  arf_init(low);
  arf_init(high);
  dls_ball_area(area, &one, &zero, 0, 1e-8, PREC);
  arb_get_lbound_arf(low, area, PREC);
  arb_get_ubound_arf(high, area, PREC);
  assert_between(arf_get_d(low, ARF_RND_NEAR), 1.25 - 1e-7, 1.25);
  assert_between(arf_get_d(high, ARF_RND_NEAR), 2.75, 2.75 + 1e-7);
  arb_clear(area);
  arf_clear(low);
  arf_clear(high);
  dls_ball_curve_clear(&one);
  dls_ball_curve_clear(&zero);
}

static const dls_rigorous_cell *cell_of(const dls_rigorous_table *table, size_t row, const char *name)
{
  size_t j = 0;
  while (j < table->columns && strcmp(table->names[j], name) != 0) {
    j++;
  }
  assert_true(j < table->columns);
  return &table->cell[row * table->columns + j];
}

DLS_TEST(times_between_events_are_called_as_they_were_asked_for)
{
  static const char *const times[] = {"0.25", "0.5", "0.6250"};
  model_text text;
  dls_rigorous_problem problem = problem_of("bouncing-ball", "0.8", &text);
  dls_rigorous_table table;
  dls_error err = {0};
  problem.time_count = 3;
  problem.times = times;
  assert_ok(dls_rigorous_solve(&problem, &table, &err), err);
  assert_int_equal(table.rows, 3);
  for (size_t row = 0; row < 3; row++) {
    const dls_rigorous_cell *t = cell_of(&table, row, "t"), *q = cell_of(&table, row, "q0");
    const double at = strtod(times[row], NULL);
    assert_string_equal(t->low, times[row]);
    assert_string_equal(t->high, times[row]);
    assert_string_equal(t->ball, times[row]);
    assert_between(1 - at * at, strtod(q->low, NULL), strtod(q->high, NULL));
  }
  dls_rigorous_free(&table);
}

static void set(model_text *text, const dls_rigorous_problem *problem, const char *name, const char *value)
{
  size_t i = 0;
  while (i < problem->parameter_count && strcmp(text->names[i], name) != 0) {
    i++;
  }
  assert_true(i < problem->parameter_count);
  text->values[i] = value;
}

/* The last 9 digits of an integer. */
static unsigned long long last_digits(const char *integer)
{
  assert_null(strchr(integer, '.'));
  assert_true(strlen(integer) > 9);
  return strtoull(integer + strlen(integer) - 9, NULL, 10);
}

/* 10 digits of 10^60 may leave out 10^49: no bits are spent on digits behind the point, and the enclosure is some thousands wide. */
DLS_TEST(large_numbers_take_no_more_bits_than_small_ones)
{
  model_text text;
  dls_rigorous_problem problem = problem_of("bouncing-ball", "0.8", &text);
  dls_rigorous_table table;
  dls_error err = {0};
  set(&text, &problem, "q0", "1e60");
  assert_ok(dls_rigorous_solve(&problem, &table, &err), err);
  const dls_rigorous_cell *q = cell_of(&table, table.rows - 1, "q0");
  const double low = strtod(q->low, NULL), high = strtod(q->high, NULL);
  assert_between(low / 1e60, 1 - 1e-10, 1);
  assert_between(high / 1e60, 1, 1 + 1e-10);
  const unsigned long long end = 1000000000, deviation = end + last_digits(q->high) - last_digits(q->low);
  assert_in_range(deviation % end, 100, 1000000);
  dls_rigorous_free(&table);
}

static dls_ball_solution block(const char *m, const char *A, const char *F)
{
  model_text text;
  dls_rigorous_problem problem = problem_of("forced-block", "6", &text);
  dls_ball_solution sol;
  dls_error err = {0};
  set(&text, &problem, "m", m);
  set(&text, &problem, "A", A);
  set(&text, &problem, "F", F);
  assert_ok(dls_ball_solve(&problem, PREC, NARROW, &sol, &err), err);
  return sol;
}

/* Of four times the mass under four times the forces: each step is as long. */
DLS_TEST(sizes_of_states_do_not_know_the_unit_of_mass)
{
  dls_ball_solution one = block("1", "1", "0.7"), four = block("4", "4", "2.8");
  assert_int_equal(one.count, four.count);
  assert_in_range(one.count, 3, 20);
  for (size_t i = 0; i < one.count; i++) {
    const dls_ball_flow *x = one.piece[i].flow, *y = four.piece[i].flow;
    for (slong j = 0; j < x->k; j++) {
      assert_close(y->weight[j], x->weight[j], 1e-14 * x->weight[j]);
    }
    assert_close(mag_get_d(y->rate), mag_get_d(x->rate), 1e-7 * mag_get_d(x->rate));
  }
  dls_ball_solution_clear(&one);
  dls_ball_solution_clear(&four);
}

/* Each column's series about t = 1/8 s, summed a little later, is its value there. */
DLS_TEST(series_of_the_puck_are_its_values)
{
  enum { TERMS = 16 };
  static const double from = 0.125, step = 1.0 / 256;
  model_text text;
  dls_rigorous_problem problem = problem_of("puck", "0.2", &text);
  dls_ball_solution sol;
  dls_error err = {0};
  assert_ok(dls_ball_solve(&problem, PREC, NARROW, &sol, &err), err);
  arb_ptr a = _arb_vec_init(TERMS), x = _arb_vec_init(sol.k);
  arb_t s, value;
  arb_init(s);
  arb_init(value);
  for (slong j = 0; j < sol.columns; j++) {
    arb_set_d(s, from);
    dls_ball_solution_jet(a, TERMS, &sol, &sol.piece[0], j, s, PREC);
    double sum = 0;
    for (slong i = TERMS; i-- > 0;) {
      sum = sum * step + arf_get_d(arb_midref(a + i), ARF_RND_NEAR);
    }
    arb_set_d(s, from + step);
    dls_ball_solution_at(x, &sol, &sol.piece[0], s, PREC);
    dls_ball_solution_value(value, &sol, sol.piece[0].rows, j, x, PREC);
    assert_close(sum, arf_get_d(arb_midref(value), ARF_RND_NEAR), 1e-14 * fmax(1, fabs(sum)));
  }
  _arb_vec_clear(a, TERMS);
  _arb_vec_clear(x, sol.k);
  arb_clear(s);
  arb_clear(value);
  dls_ball_solution_clear(&sol);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_area_holds_what_the_polynomials_leave_out),
      cmocka_unit_test(times_between_events_are_called_as_they_were_asked_for),
      cmocka_unit_test(large_numbers_take_no_more_bits_than_small_ones),
      cmocka_unit_test(sizes_of_states_do_not_know_the_unit_of_mass),
      cmocka_unit_test(series_of_the_puck_are_its_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
