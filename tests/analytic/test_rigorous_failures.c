/* test_rigorous_failures.c -- what enclosures stand on cannot be proven, each place that asks in turn: there is no result but a word, and
 * more digits are tried before. Parameters and solutions that are not there are told as they are.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/curve.h"
#include "analytic/rigorous/models.h"
#include "analytic/rigorous/parameters.h"
#include "failing_calls.h"
#include "rigorous_problem.h"

#define FAILING_PROOF(name, parameters, arguments)                                                             \
  FAILING_CALL(dls_ball_verdict, name, parameters, arguments, true,                                            \
               (dls_fail(err, DLS_ERR_NOCONV, "%s is undecided on purpose", #name), DLS_BALL_UNDECIDED))
FAILING_PROOF(dls_ball_piece_zero,
              (const dls_ball_piece *piece, arb_srcptr w, int sign, ulong lead, double hint, const arb_t end,
               arb_t since, const char *what, slong prec, dls_error *err),
              (piece, w, sign, lead, hint, end, since, what, prec, err))
FAILING(dls_ball_curve_of_solution,
        (dls_ball_curve * curve, const dls_ball_solution *sol, const slong *columns, double from, double to,
         const arb_t xi, slong prec, dls_error *err),
        (curve, sol, columns, from, to, xi, prec, err))

DLS_TEST(what_is_undecided_is_no_result)
{
  static const char *const models[] = {"bouncing-ball", "impacting-oscillator", "rope",        "belt",
                                       "spring-block",  "den-hartog",           "forced-block"};
  size_t count = 0;
  also = DLS_ERR_NOCONV;
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    model_text text;
    dls_rigorous_problem problem = problem_of(models[i], i == 3 ? "7" : "2.4", &text);
    problem.digits = 8;
    count += fail_each_place(rigorous_solve, &problem);
  }
  assert_between((double)count, 4, MOST_PLACES);
  double t[NODES], x[NODES];
  model_text text;
  const dls_rigorous_distance_problem distance = chords(&text, t, x);
  assert_int_equal(fail_each_place(rigorous_measure, &distance), 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_undecided_is_no_result)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
