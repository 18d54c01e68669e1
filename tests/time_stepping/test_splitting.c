/* test_splitting.c -- sinking in closed form, orders, rest, adaptive steps.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "runs.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The impact law sees the velocity at the END of the flow: v' = -e (v + f h), q' = q + h v + h^2 f / 2. */
DLS_TEST(one_step_with_an_impact_has_closed_form)
{
  const double h = 0.1;
  test_run run = dls_test_run("bouncing-ball:f=-2,e=0.5,q0=0.05,v0=-1", "splitting-rkf45", h, h);
  assert_close(run.sim->q[0], 0.05 - h - h * h, 1e-15);
  assert_close(run.sim->v[0], 0.5 * (1 + 2 * h), 1e-15);
  assert_close(run.sim->p[0], 1.5 * (1 + 2 * h), 1e-15);
  assert_close(dls_test_value(&run, 1, "v0"), -(1 + 2 * h), 1e-15); /* left limit */
  assert_int_equal(run.traj->rows, 3);
  dls_test_free(&run);
}

/* A body at rest: without contact forces it bounces at v = e |f| h / (1 + e) and sinks with their mean. */
DLS_TEST(without_contact_forces_a_body_sinks_as_predicted)
{
  static const double es[] = {0, 0.3, 0.5, 0.9};
  for (size_t i = 0; i < 4; i++) {
    for (double h = 1e-2; h > 5e-4; h /= 10) {
      char model[80];
      const double e = es[i];
      const double speed = (1 - e) / (2 * (1 + e)) * 9.81 * h;
      snprintf(model, sizeof model, "bouncing-ball:f=-9.81,q0=0,e=%g", e);
      test_run sinking = dls_test_run(model, "splitting-rkf45:contact_forces=off", h, 4);
      test_run before = dls_test_run(model, "splitting-rkf45:contact_forces=off", h, 3);
      assert_close((before.sim->q[0] - sinking.sim->q[0]) / speed, 1, 0.05);
      assert_close(sinking.sim->v[0], e / (1 + e) * 9.81 * h, 1e-9);
      test_run resting = dls_test_run(model, "splitting-rkf45", h, 4);
      assert_close(resting.sim->q[0], 0, 0);
      assert_close(resting.sim->lambda[0], 9.81, 1e-14);
      dls_test_free(&sinking);
      dls_test_free(&before);
      dls_test_free(&resting);
    }
  }
}

/* Behind an accumulation too: it comes to rest a little below the floor and stays there. */
DLS_TEST(with_contact_forces_a_ball_comes_to_rest)
{
  test_run at_4 = dls_test_run("bouncing-ball", "splitting-rkf45", 1e-2, 4);
  test_run at_9 = dls_test_run("bouncing-ball", "splitting-rkf45", 1e-2, 9);
  assert_close(at_9.sim->v[0], 0, 0);
  assert_close(at_9.sim->q[0], at_4.sim->q[0], 0);
  assert_between(at_9.sim->q[0], -0.02, 0);
  assert_close(at_9.sim->lambda[0], 2, 1e-14);
  assert_int_equal(at_9.sim->status[0], 1);
  dls_test_free(&at_4);
  dls_test_free(&at_9);
}

DLS_TEST(order_with_impacts_is_one)
{
  static const char *const schemes[] = {"splitting-rkf45", "splitting-rkf45:contact_forces=off"};
  for (size_t i = 0; i < 2; i++) {
    dls_test_order_one_with_impacts(schemes[i], 0.15);
  }
}

DLS_TEST(between_impacts_the_order_is_that_of_the_pair)
{
  const dls_fit fit = dls_test_order(
      (test_study){"impacting-oscillator", "splitting-rkf45", "grid-max", "q", 1.5, 0.15, 1e-2, 6, 2});
  assert_between(fit.order, 4.8, 5.2);
  assert_between(fit.constant, 1e-6, 1e-2);
}

/* The flow is that of the method, explicit or implicit; a parabola is exact for all of them. */
DLS_TEST(the_flow_is_by_any_method)
{
  static const struct {
    const char *name;
    double order, h_first, h_last;
  } methods[] = {{"heun", 2, 0.05, 5e-3},   {"bs3", 3, 0.1, 1e-2},     {"rk4", 4, 0.15, 2e-2},
                 {"rkf45", 5, 0.15, 1e-2},  {"dopri5", 5, 0.15, 2e-2}, {"rkf78", 8, 0.45, 0.2},
                 {"gauss2", 2, 0.05, 5e-3}, {"gauss4", 4, 0.15, 2e-2}, {"radau3", 3, 0.1, 1e-2},
                 {"radau5", 5, 0.2, 2e-2}};
  for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
    char scheme[80];
    const double h = 0.1;
    snprintf(scheme, sizeof scheme, "splitting-rkf45:method=%s", methods[i].name);
    const dls_fit fit = dls_test_order((test_study){"impacting-oscillator", scheme, "grid-max", "q", 1.5,
                                                    methods[i].h_first, methods[i].h_last, 8, 2});
    assert_between(fit.order, methods[i].order - (methods[i].order > 6 ? 0.8 : 0.2), methods[i].order + 0.3);
    assert_between(fit.constant * pow(methods[i].h_last, fit.order), 1e-14, 1e-4);
    test_run run = dls_test_run("bouncing-ball:f=-2,e=0.5,q0=0.05,v0=-1", scheme, h, h);
    assert_close(run.sim->q[0], 0.05 - h - h * h, 1e-15);
    assert_close(run.sim->v[0], 0.5 * (1 + 2 * h), 1e-15);
    dls_test_free(&run);
    test_run rest = dls_test_run("bouncing-ball", scheme, 1e-2, 5);
    assert_close(rest.sim->v[0], 0, 0);
    assert_close(rest.sim->lambda[0], 2, 1e-14);
    dls_test_free(&rest);
  }
}

DLS_TEST(implicit_flows_keep_order_one_with_impacts)
{
  static const char *const schemes[] = {"splitting-rkf45:method=gauss4", "splitting-rkf45:method=radau3",
                                        "splitting-rkf45:method=heun"};
  for (size_t i = 0; i < 3; i++) {
    dls_test_order_one_with_impacts(schemes[i], 0.15);
  }
}

DLS_TEST(methods_that_do_not_go_with_the_system_or_the_control_are_refused)
{
  dls_error err = {0};
  test_run run = dls_test_prepare("bounce-slip", "splitting-rkf45:method=radau3");
  assert_int_equal(dls_run(run.sim, &(dls_run_spec){.step = 0.01, .end = 1}, &err), DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(
      err.text, "method=radau3 does not treat friction, and the system has mu > 0; explicit methods do"));
  dls_test_free(&run);
  run = dls_test_prepare("bouncing-ball", "splitting-rkf45-adaptive");
  assert_int_equal(dls_sim_set(run.sim, "method=gauss4", &err), DLS_ERR_OPTION);
  assert_non_null(strstr(err.text, "heun"));
  dls_test_free(&run);
}

/* The lower method of a pair of orders p - 1 and p controls: errors of steps fall with h^p. */
DLS_TEST(every_pair_controls_its_steps)
{
  static const char *const pairs[] = {"heun", "bs3", "rk4", "rkf45", "dopri5", "rkf78"};
  size_t steps[6];
  for (size_t i = 0; i < 6; i++) {
    char scheme[80];
    snprintf(scheme, sizeof scheme, "splitting-rkf45-adaptive:tol=1e-6,method=%s", pairs[i]);
    test_run run = dls_test_run("impacting-oscillator", scheme, 0, 4);
    const double error = fabs(run.sim->q[0] - 0.5 * fabs(cos(4)));
    assert_between(error, 1e-12, 1e-4);
    steps[i] = run.sim->work.steps;
    assert_int_equal(run.sim->work.forced, 0);
    dls_test_free(&run);
  }
  assert_true(steps[0] > 3 * steps[1] && steps[1] > steps[2] && steps[2] >= steps[3]);
}

DLS_TEST(contacts_in_number_carry_static_loads)
{
  test_run column = dls_test_run("bead-column:N=8,gap=0,m=0.5", "splitting-rkf45", 1e-2, 0.5);
  for (size_t i = 0; i < 8; i++) {
    assert_close(column.sim->lambda[i], (double)(8 - i) * 0.5 * 9.81, 1e-12);
    assert_close(column.sim->g[i], 0, 1e-14);
  }
  dls_test_free(&column);
}

/* A loaded contact opens when the load turns: f + a cos(t + phase) = 0 at t = 0.7297 (a = 1.5, phase = -pi/2). */
DLS_TEST(a_lasting_contact_opens_when_its_force_ends)
{
  test_run run = dls_test_run("impacting-oscillator:q0=0,f=-1,amplitude=1.5,phase=-1.5707963267948966",
                              "splitting-rkf45", 1e-3, 1.5);
  assert_int_equal(run.traj->events[run.traj->event_count - 1].kind, DLS_LIFT_OFF);
  assert_close(run.traj->events[run.traj->event_count - 1].t, asin(1 / 1.5), 2e-3);
  assert_true(run.sim->q[0] > 0.01);
  dls_test_free(&run);
}

DLS_TEST(adaptive_steps_meet_the_tolerance_at_low_cost)
{
  static const double tols[] = {1e-4, 1e-5, 1e-6};
  for (size_t i = 0; i < 3; i++) {
    char scheme[80];
    const double tol = tols[i];
    snprintf(scheme, sizeof scheme, "splitting-rkf45-adaptive:tol=%g", tol);
    test_run ball = dls_test_run("bouncing-ball", scheme, 0, 4);
    assert_between((double)(ball.sim->work.steps + ball.sim->work.rejected), 50, 1000);
    assert_between(ball.sim->worst_gap, -3 * tol, -0.01 * tol); /* it may grow by tol at each impact */
    assert_close(ball.sim->v[0], 0, 0);
    assert_close(ball.sim->t, 4, 0);
    assert_int_equal(ball.sim->work.forced, 0);
    dls_test_free(&ball);
    test_run spring = dls_test_run("impacting-oscillator", scheme, 0, 4);
    assert_close(spring.sim->q[0], 0.5 * fabs(cos(4)), 20 * tol);
    assert_true(fabs(spring.sim->q[0] - 0.5 * fabs(cos(4))) > 1e-12);
    dls_test_free(&spring);
  }
}

DLS_TEST(adaptive_steps_end_at_the_shortest)
{
  test_run run = dls_test_run("bouncing-ball", "splitting-rkf45-adaptive:tol=1e-12,h_min=1e-3", 0, 4);
  assert_true(run.sim->work.forced > 0);
  assert_between((double)run.sim->work.steps, 100, 5000);
  dls_test_free(&run);
  dls_error err = {0};
  run = dls_test_prepare("bouncing-ball", "splitting-rkf45-adaptive");
  assert_int_equal(dls_sim_set(run.sim, "tol=0", &err), DLS_ERR_OPTION);
  assert_ok(dls_sim_set(run.sim, "h_min=0.2", &err), err);
  assert_int_equal(dls_run(run.sim, &(dls_run_spec){.end = 1}, &err), DLS_ERR_OPTION);
  assert_non_null(strstr(err.text, "scheme splitting-rkf45-adaptive: h_min = 0.2 exceeds h_max = 0.1"));
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_step_with_an_impact_has_closed_form),
      cmocka_unit_test(without_contact_forces_a_body_sinks_as_predicted),
      cmocka_unit_test(with_contact_forces_a_ball_comes_to_rest),
      cmocka_unit_test(order_with_impacts_is_one),
      cmocka_unit_test(between_impacts_the_order_is_that_of_the_pair),
      cmocka_unit_test(the_flow_is_by_any_method),
      cmocka_unit_test(implicit_flows_keep_order_one_with_impacts),
      cmocka_unit_test(methods_that_do_not_go_with_the_system_or_the_control_are_refused),
      cmocka_unit_test(every_pair_controls_its_steps),
      cmocka_unit_test(contacts_in_number_carry_static_loads),
      cmocka_unit_test(a_lasting_contact_opens_when_its_force_ends),
      cmocka_unit_test(adaptive_steps_meet_the_tolerance_at_low_cost),
      cmocka_unit_test(adaptive_steps_end_at_the_shortest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
