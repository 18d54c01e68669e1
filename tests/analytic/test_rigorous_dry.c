/* test_rigorous_dry.c -- enclosures of stick and slip where they begin at the limit of friction, where the belt's velocity jumps, on straight lines and
 * where nothing ever moves: closed forms lie in them, and those of doubles agree; what the decimals do not decide is told.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/models.h"
#include "check.h"
#include "models.h"
#include "rigorous_problem.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t column_of(const dls_rigorous_table *table, const char *name)
{
  size_t j = 0;
  while (strcmp(table->names[j], name) != 0) {
    assert_true(++j < table->columns);
  }
  return j;
}

/* The cell of the last row encloses x to rounding, and is narrow. */
static void ends_with(const dls_rigorous_table *table, const char *name, double x)
{
  const dls_rigorous_cell *cell = &table->cell[(table->rows - 1) * table->columns + column_of(table, name)];
  const double low = strtod(cell->low, NULL), high = strtod(cell->high, NULL);
  assert_between(x, low - 1e-14, high + 1e-14);
  assert_between(high - low, 0, 2.1e-10 * fmax(1, fabs(x)));
}

/* Events with their times, as "slip 1, stick 2", and position and velocity at the end; so it is in doubles, too. */
static void goes(const char *model, const char *values, const char *end, const char *events, double q, double v)
{
  model_text text;
  char told[160] = "", choice[160];
  dls_error err = {0};
  dls_rigorous_table table;
  const dls_rigorous_problem problem = problem_with(model, end, values, &text);
  assert_ok(dls_rigorous_solve(&problem, &table, &err), err);
  for (size_t i = 0; i < table.rows; i++) {
    if (table.event[i][0] != '\0') {
      const size_t used = strlen(told);
      snprintf(told + used, sizeof told - used, "%s%s %.6g", used > 0 ? ", " : "", table.event[i],
               strtod(table.cell[i * table.columns].low, NULL));
    }
  }
  assert_string_equal(told, events);
  ends_with(&table, "q0", q);
  ends_with(&table, "v0", v);
  dls_rigorous_free(&table);
  snprintf(choice, sizeof choice, "%s:%s", model, values);
  assert_close(dls_test_exact_value(choice, strtod(end, NULL), "q0"), q, 1e-14 * fmax(1, fabs(q)));
  assert_close(dls_test_exact_value(choice, strtod(end, NULL), "v0"), v, 1e-14 * fmax(1, fabs(v)));
}

/* k x - P cos(omega t + phase) = 2 - 1 = F at the start, and grows with omega^2 t^2/2: it slips at once, x'' = -x + cos + 1, until the next
 * rest; so it does on the other side. */
DLS_TEST(a_force_at_the_limit_that_grows_in_second_order_begins_to_slip)
{
  const double w = 0.75, t = 1, a = 1 / (1 - w * w);
  const double q = 1 + (1 - a) * cos(t) + a * cos(w * t), v = -(1 - a) * sin(t) - a * w * sin(w * t);
  goes("den-hartog", "phase=0,F=1,q0=2,v0=0", "1", "", q, v);
  goes("den-hartog", "P=-1,phase=0,F=1,q0=-2,v0=0", "1", "", -q, -v);
  const double c = 1.5 - a; /* it holds more while it sticks: x'' jumps to -1/2 */
  goes("den-hartog", "phase=0,F=1,Fs=1.5,q0=2.5,v0=0", "1", "", 1 + c * cos(t) + a * cos(w * t),
       -c * sin(t) - a * w * sin(w * t));
}

/* On a belt of 1/2 m/s the force of the spring at the limit grows, or falls and comes to the other limit after 4 s. */
DLS_TEST(at_the_limit_of_friction_a_belt_slips_or_sticks)
{
  goes("belt", "q0=1,v0=0.5", "1", "", 1 + 0.5 * sin(1), 0.5 * cos(1));
  goes("belt", "q0=-1,v0=0.5", "1", "", -0.5, 0.5);
  goes("belt", "q0=-1,v0=0.5", "5", "slip 4", 1 + 0.5 * sin(1), 0.5 * cos(1));
  goes("belt", "q0=0,v0=0.5,F=0,Fs=0", "3", "", 0.5 * sin(3), 0.5 * cos(3)); /* nothing holds it */
}

DLS_TEST(without_force_a_block_stops_and_stays)
{
  goes("forced-block", "A=0,F=0.5,v0=1", "1", "", 0.75, 0.5);
  goes("forced-block", "A=0,F=0.5,v0=1", "3", "stick 2", 1, 0);
}

/* x'' = -x + 1 while it is slower than the belt, and -x - 1 while it is faster; it sticks at first where v0 = 1/2. */
DLS_TEST(a_belt_that_changes_its_velocity_makes_it_slip_or_not)
{
  goes("belt", "v0=0.5,t1=1,vb1=0.5", "1.5", "", 0.75, 0.5);
  goes("belt", "v0=0.5,t1=5,vb1=1", "1.5", "", 0.75, 0.5);
  goes("belt", "v0=0.5,t1=1,vb1=1", "1.5", "slip 1", 1 - 0.5 * cos(0.5) + 0.5 * sin(0.5),
       0.5 * sin(0.5) + 0.5 * cos(0.5));
  goes("belt", "t1=0.25,vb1=0.75", "0.5", "", 1 - cos(0.5), sin(0.5));
  goes("belt", "t1=0.25,vb1=-1", "0.5", "reversal 0.25",
       -1 + (2 - cos(0.25)) * cos(0.25) + sin(0.25) * sin(0.25),
       -(2 - cos(0.25)) * sin(0.25) + sin(0.25) * cos(0.25));
  const double y = 2 + 0.5 * sin(0.5), v = 0.5 * cos(0.5); /* half a second behind the slip; y = x + 1 */
  goes("belt", "q0=-1,v0=0.5,t1=4.5,vb1=-1", "5", "slip 4, reversal 4.5", y * cos(0.5) + v * sin(0.5) - 1,
       v * cos(0.5) - y * sin(0.5));
}

/* On a level plane 2 t - t^2/2 until t = 2; from rest down the slope, if friction lets it go. */
DLS_TEST(a_puck_that_goes_straight_stops_stays_or_slides)
{
  goes("puck", "alpha=0,mu=0.1,v0=2,phi0=0,g=10", "1", "", 1.5, 1);
  goes("puck", "alpha=0,mu=0.1,v0=2,phi0=0,g=10", "3", "stick 2", 2, 0);
  goes("puck", "alpha=0.5,mu=1,v0=0", "1", "", 0, 0);
  goes("puck", "alpha=0,mu=0,v0=0", "1", "", 0, 0);
  goes("puck", "alpha=0.5,mu=0,v0=0,g=10", "1", "", 5 * sin(0.5), 10 * sin(0.5));
}

static void says(const char *model, const char *values, const char *what)
{
  model_text text;
  dls_error err = {0};
  dls_rigorous_table table;
  const dls_rigorous_problem problem = problem_with(model, "5", values, &text);
  assert_int_equal(dls_rigorous_solve(&problem, &table, &err), DLS_ERR_NOCONV);
  assert_string_equal(err.text, what);
  dls_rigorous_free(&table);
  assert_int_equal(dls_rigorous_solve(&problem, &table, NULL), DLS_ERR_NOCONV);
  dls_rigorous_free(&table);
}

/* 1/10 is no binary number: what is equal as decimals is not known to be. */
DLS_TEST(what_the_digits_do_not_decide_is_told)
{
  says("belt", "v0=0.1,vb=0.1",
       "no proof from t = 0 s on: the velocity cannot be distinguished from that of the belt");
  says("spring-block", "F=0.1,q0=0.1",
       "no proof from t = 0 s on: whether it sticks, with the force that this needs at the limit of friction, "
       "or "
       "nearly so");
  says("belt", "q0=-1,v0=0.5,t1=4", "no proof from t = 4 s on: an event coincides with the jump of the belt");
  says("belt", "q0=1,v0=0,t1=1",
       "no proof from t = 1 s on: the velocity cannot be distinguished from that of the belt");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_force_at_the_limit_that_grows_in_second_order_begins_to_slip),
      cmocka_unit_test(at_the_limit_of_friction_a_belt_slips_or_sticks),
      cmocka_unit_test(without_force_a_block_stops_and_stays),
      cmocka_unit_test(a_belt_that_changes_its_velocity_makes_it_slip_or_not),
      cmocka_unit_test(a_puck_that_goes_straight_stops_stays_or_slides),
      cmocka_unit_test(what_the_digits_do_not_decide_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
