/* tests/analytic/test_rigorous_series.c -- series of impacts that lose little speed: proven with as many digits as are asked for.
 * SPDX-License-Identifier: GPL-3.0-or-later */
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_that_loses_little_speed_comes_to_rest),
      cmocka_unit_test(states_in_the_series_are_those_of_its_flights),
      cmocka_unit_test(an_oscillator_that_loses_little_speed_comes_to_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
