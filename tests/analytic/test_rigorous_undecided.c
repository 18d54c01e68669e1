/* test_rigorous_undecided.c -- signs that no digits decide, as far as they are given: each is told, with its time; and a time that a motion does
 * not have has no enclosure.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/models.h"
#include "rigorous_problem.h"

enum { PREC = 160, NARROW = 100 };

static void undecided(const char *model, const char *values, const char *what)
{
  model_text text;
  dls_ball_solution sol;
  dls_error err = {0};
  const dls_rigorous_problem problem = problem_with(model, "2", values, &text);
  assert_int_equal(dls_ball_solve(&problem, PREC, NARROW, &sol, &err), DLS_ERR_NOCONV);
  assert_memory_equal(err.text, "no proof from t = 0 s on: ", 26);
  assert_string_equal(err.text + 26, what);
  dls_ball_solution_clear(&sol);
}

/* 0.1 - 0.1 is 0, but no binary number that is given here is 0.1. */
DLS_TEST(contacts_that_begin_with_what_may_be_nothing)
{
  undecided("impacting-oscillator", "q0=0,f=0.1,amplitude=-0.1",
            "the contact begins with a force that cannot be distinguished from 0");
  undecided("two-ball-oscillator", "R=0.1,q1=0.1", "the gap cannot be distinguished from 0");
  undecided("rope", "l=1,x0=0.6,y0=-0.8", "the gap is 0, or cannot be distinguished from it");
}

/* tan(1/2) and pi to 75 digits. */
#define TANGENT "0.546302489843790513255179465780285383297551720179791246164091385932907510518"
#define PI "3.14159265358979323846264338327950288419716939937510582097494459230781640629"

DLS_TEST(a_puck_with_as_much_friction_as_slope)
{
  static const char curved[] =
      "whether it comes to rest, with friction as large as weight along the slope, or whether "
      "it goes straight";
  undecided("puck", "alpha=0.5,v0=0,mu=" TANGENT, "whether it stays at rest");
  undecided("puck", "alpha=0.5,phi0=0,mu=" TANGENT, "whether it comes to rest");
  undecided("puck", "alpha=0.5,phi0=1,mu=" TANGENT, curved);
  undecided("puck", "alpha=0.5,mu=1,phi0=" PI, curved);
}

/* With mu = 1 it is at rest after 0.4 s or so: the path has no place then, and no wrong one. */
DLS_TEST(behind_rest_the_path_of_the_puck_is_anywhere)
{
  model_text text;
  dls_ball_solution sol;
  dls_error err = {0};
  const dls_rigorous_problem problem = problem_with("puck", "2", "alpha=0.5,mu=1,phi0=1,g=10", &text);
  assert_ok(dls_ball_solve(&problem, PREC, NARROW, &sol, &err), err);
  assert_int_equal(sol.count, 2);
  assert_between(arf_get_d(arb_midref(sol.piece[1].t), ARF_RND_NEAR), 0.2, 0.6);
  arb_ptr x = _arb_vec_init(sol.k);
  arb_t s, value;
  arb_init(s);
  arb_init(value);
  for (int behind = 0; behind < 2; behind++) {
    arb_set_d(s, behind ? 0.75 : 0.125);
    dls_ball_solution_at(x, &sol, &sol.piece[0], s, PREC);
    dls_ball_solution_value(value, &sol, sol.piece[0].rows, dls_ball_solution_column(&sol, "q0"), x, PREC);
    assert_int_equal(arb_is_finite(value), !behind);
  }
  _arb_vec_clear(x, sol.k);
  arb_clear(s);
  arb_clear(value);
  dls_ball_solution_clear(&sol);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contacts_that_begin_with_what_may_be_nothing),
      cmocka_unit_test(a_puck_with_as_much_friction_as_slope),
      cmocka_unit_test(behind_rest_the_path_of_the_puck_is_anywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
