/* test_rk_locate.c -- how rk-moreau finds the place of an impact: bisection, Newton's method, the interpolant.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "runs.h"
#include <gsl/gsl_poly.h>
#include <math.h>
#include <stdio.h>

static const char *const locates[] = {"bisection", "newton", "interpolant"};
enum { LOCATES = sizeof locates / sizeof locates[0] };

/* q = B cos t + A cos 2t, A = -1/3, B = 1.5: g is 0 where 2 A c^2 + B c - A = 0, c = cos t. */
static const char smooth[] = "impacting-oscillator:q0=1.1666666666666667,amplitude=1,omega=2";
static const double A = -1.0 / 3, B = 1.5;

static double exact_impact(void)
{
  double low = 0, high = 0;
  assert_int_equal(gsl_poly_solve_quadratic(2 * A, B, -A, &low, &high), 2);
  return acos(low);
}

/* Error of the time of the first impact. */
static double late(const char *options, double h)
{
  char scheme[120];
  snprintf(scheme, sizeof scheme, "rk-moreau:%s", options);
  test_run run = dls_test_run(smooth, scheme, h, 2.5);
  assert_true(run.traj->event_count > 0 && run.traj->events[0].kind == DLS_IMPACT);
  const double error = fabs(run.traj->events[0].t - exact_impact());
  dls_test_free(&run);
  return error;
}

/* The rule of g at both ends of a step with two derivatives: |error of g| <= max |g^(6)| / 6! (s (h - s))^3, which 16 steps of
 * nearly the same length reach nearly; divided by the speed it is that of the time. rkf78 is more accurate than that. */
DLS_TEST(the_interpolant_has_its_closed_error)
{
  const double sixth = 64 * -A + B, speed = B * sin(exact_impact()) + 2 * A * sin(2 * exact_impact());
  double h[9], worst[9];
  for (size_t i = 0; i < 9; i++) {
    h[i] = 0.5 * pow(0.8, (double)i);
    worst[i] = 0;
    for (size_t k = 0; k < 16; k++) {
      worst[i] =
          fmax(worst[i], late("method=rkf78,bracket=1e-9,locate=interpolant", h[i] * (1 - 0.03 * (double)k)));
    }
    const double most = sixth / 720 * pow(h[i] * h[i] / 4, 3) / speed;
    assert_between(worst[i], 0.05 * most, most);
  }
  dls_fit fit;
  dls_error err = {0};
  assert_ok(dls_fit_order(9, h, worst, 0, &fit, &err), err);
  assert_between(fit.order, 5.7, 6.3);
}

/* Those that take trial steps end within the bracket, d = 1e-6 h (h/t_s)^8 <= 1e-6 h, and what the method itself is off. */
DLS_TEST(trial_steps_end_within_the_bracket)
{
  for (size_t k = 0; k < 16; k++) {
    const double h = 0.12 * (1 - 0.03 * (double)k);
    assert_between(late("method=rkf78,bracket=1e-6,locate=bisection", h), 0, 1e-11);
    assert_between(late("method=rkf78,bracket=1e-6,locate=newton", h), 0, 1e-11);
  }
}

/* Up to order five the interpolant is as accurate as the method; trial steps always are, and show order six where the bracket's
 * error is the larger one (dopri5, steps above 0.05). */
DLS_TEST(the_order_is_that_of_the_method)
{
  static const struct {
    const char *method;
    double order, h_first, h_last;
  } some[] = {{"bs3", 3, 5e-2, 2e-3}, {"rk4", 4, 0.1, 1e-2}, {"dopri5", 5, 0.15, 2e-2}};
  for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
    for (size_t k = 0; k < LOCATES; k++) {
      char scheme[80];
      snprintf(scheme, sizeof scheme, "rk-moreau:method=%s,locate=%s", some[i].method, locates[k]);
      const dls_fit fit = dls_test_order(
          (test_study){smooth, scheme, "grid-max", "q", 2.5, some[i].h_first, some[i].h_last, 8, 2});
      assert_between(fit.order, some[i].order - 0.15,
                     some[i].order + (some[i].order == 5 && k < 2 ? 1.3 : 0.15));
      assert_between(fit.constant, 1e-4, 1);
    }
  }
}

/* A trial step costs the stages: bisection takes many, the interpolant one. */
DLS_TEST(bisection_costs_most)
{
  size_t forces[LOCATES];
  for (size_t k = 0; k < LOCATES; k++) {
    char scheme[80];
    snprintf(scheme, sizeof scheme, "rk-moreau:method=rk4,locate=%s", locates[k]);
    test_run run = dls_test_run("bouncing-ball", scheme, 0.1, 4);
    assert_close(run.sim->v[0], 0, 0); /* the accumulation has passed */
    assert_close(run.sim->q[0], 0, 0);
    assert_between((double)run.sim->work.impacts, 20, 25);
    assert_between(run.sim->worst_gap, -1e-14, 1e-8);
    forces[k] = run.sim->work.force_evals;
    dls_test_free(&run);
  }
  assert_true(forces[0] > 2 * forces[1] && forces[1] >= forces[2]);
}

/* q = 0.1 - t + t^2 closes and opens again inside a step. */
DLS_TEST(a_dip_inside_a_step_is_seen)
{
  for (size_t k = 0; k < LOCATES; k++) {
    char scheme[80];
    snprintf(scheme, sizeof scheme, "rk-moreau:locate=%s,bracket=1e-6", locates[k]);
    test_run run = dls_test_run("bouncing-ball:f=2,q0=0.1,v0=-1", scheme, 1, 1);
    assert_int_equal(run.sim->work.impacts, 1);
    assert_close(run.traj->events[0].t, 0.5 - sqrt(0.15), 1e-6 * pow(10, 5));
    dls_test_free(&run);
  }
}

/* A table that vibrates twice in a step, always 2 cm below the ball or more, and by the interpolant through it: trial steps find
 * that it is not, and the ball flies on. */
DLS_TEST(a_gap_that_closes_by_the_interpolant_alone_is_no_impact)
{
  static const char model[] = "vibrating-table:A=0.341,omega=27.295,phase=3.204,q0=0.363,v0=0.211,g=0.5";
  const double h = 0.51;
  for (size_t k = 0; k < 2; k++) { /* bisection, newton */
    char scheme[80];
    snprintf(scheme, sizeof scheme, "rk-moreau:locate=%s", locates[k]);
    test_run run = dls_test_run(model, scheme, h, h);
    assert_int_equal(run.traj->event_count, 0);
    assert_int_equal(run.traj->rows, 3); /* one where the interpolant is below zero */
    assert_close(run.sim->q[0], 0.363 + h * (0.211 - 0.25 * h), 1e-14);
    assert_close(run.sim->v[0], 0.211 - 0.5 * h, 1e-14);
    dls_test_free(&run);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_interpolant_has_its_closed_error),
      cmocka_unit_test(trial_steps_end_within_the_bracket),
      cmocka_unit_test(the_order_is_that_of_the_method),
      cmocka_unit_test(bisection_costs_most),
      cmocka_unit_test(a_dip_inside_a_step_is_seen),
      cmocka_unit_test(a_gap_that_closes_by_the_interpolant_alone_is_no_impact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
