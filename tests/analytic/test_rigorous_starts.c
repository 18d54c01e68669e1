/* test_rigorous_starts.c -- enclosures of the ball that begins on the floor, whatever it does then: closed forms lie in them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigorous_problem.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t column(const dls_rigorous_table *table, const char *name)
{
  size_t j = 0;
  while (j < table->columns && strcmp(table->names[j], name) != 0) {
    j++;
  }
  assert_true(j < table->columns);
  return j;
}

/* The cell of a row encloses x, and is no wider than was asked. */
static void encloses(const dls_rigorous_table *table, size_t row, const char *name, double x)
{
  const dls_rigorous_cell *cell = &table->cell[row * table->columns + column(table, name)];
  const double low = strtod(cell->low, NULL), high = strtod(cell->high, NULL);
  assert_between(x, low - 1e-15, high + 1e-15);
  assert_between(high - low, 0, 2.1e-10 * fmax(1, fabs(x)));
}

/* The ball with these forces, restitution and velocity from q = 0 on until t = 3. */
static dls_rigorous_table ball(const char *f, const char *e, const char *v0)
{
  static const char *const names[] = {"m", "f", "e", "q0", "v0"};
  const char *const values[] = {"1", f, e, "0", v0};
  const dls_rigorous_problem problem = {.model = "bouncing-ball",
                                        .parameter_count = 5,
                                        .names = names,
                                        .values = values,
                                        .end = "3",
                                        .digits = 10};
  dls_rigorous_table table;
  dls_error err = {0};
  assert_ok(dls_rigorous_solve(&problem, &table, &err), err);
  return table;
}

DLS_TEST(a_ball_that_is_pressed_stays)
{
  dls_rigorous_table table = ball("-2", "0.5", "0");
  encloses(&table, table.rows - 1, "q0", 0);
  encloses(&table, table.rows - 1, "v0", 0);
  encloses(&table, table.rows - 1, "lambda0", 2);
  dls_rigorous_free(&table);
}

DLS_TEST(a_ball_that_is_pulled_or_thrown_leaves)
{
  dls_rigorous_table table = ball("2", "0.5", "0"); /* q = t^2 */
  encloses(&table, table.rows - 1, "t", 3);
  encloses(&table, table.rows - 1, "q0", 9);
  encloses(&table, table.rows - 1, "v0", 6);
  encloses(&table, table.rows - 1, "lambda0", 0);
  dls_rigorous_free(&table);
  table = ball("0", "0.5", "1");
  encloses(&table, table.rows - 1, "q0", 3);
  dls_rigorous_free(&table);
  table = ball("-2", "0", "2"); /* back at t = 2, where it stays */
  encloses(&table, table.rows - 1, "q0", 0);
  encloses(&table, table.rows - 1, "lambda0", 2);
  size_t impacts = 0;
  for (size_t row = 0; row < table.rows; row++) {
    if (strcmp(table.event[row], "impact") == 0) {
      encloses(&table, row, "t", 2);
      encloses(&table, row, "p0", 2);
      impacts++;
    }
  }
  assert_int_equal(impacts, 1);
  dls_rigorous_free(&table);
}

/* Up with 2, back at t = 2, up with 1: the second impact is at the end, t = 3. */
DLS_TEST(an_impact_at_the_end_is_listed)
{
  dls_rigorous_table table = ball("-2", "0.5", "2");
  encloses(&table, table.rows - 1, "t", 3);
  encloses(&table, table.rows - 1, "p0", 1.5);
  encloses(&table, table.rows - 1, "v0", 0.5);
  encloses(&table, table.rows - 2, "v0", -1);
  assert_string_equal(table.event[table.rows - 1], "impact");
  dls_rigorous_free(&table);
}

DLS_TEST(a_ball_that_comes_down_at_once_bounces_at_once)
{
  dls_rigorous_table table = ball("0", "0.5", "-2"); /* v+ = 1 */
  encloses(&table, table.rows - 1, "q0", 3);
  encloses(&table, table.rows - 1, "v0", 1);
  dls_rigorous_free(&table);
  table = ball("-2", "0", "-2");
  encloses(&table, table.rows - 1, "q0", 0);
  encloses(&table, table.rows - 1, "lambda0", 2);
  dls_rigorous_free(&table);
}

DLS_TEST(a_ball_without_force_lies_where_it_is)
{
  dls_rigorous_table table = ball("0", "0.5", "0");
  encloses(&table, table.rows - 1, "q0", 0);
  encloses(&table, table.rows - 1, "lambda0", 0);
  dls_rigorous_free(&table);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_that_is_pressed_stays),
      cmocka_unit_test(a_ball_that_is_pulled_or_thrown_leaves),
      cmocka_unit_test(an_impact_at_the_end_is_listed),
      cmocka_unit_test(a_ball_that_comes_down_at_once_bounces_at_once),
      cmocka_unit_test(a_ball_without_force_lies_where_it_is),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
