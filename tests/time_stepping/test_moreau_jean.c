/* test_moreau_jean.c -- closed forms of single steps, orders against the exact solutions, rest, accumulation.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "runs.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* One active step from speed -V at gap sigma h V: g' = g - h V (1 - theta (1 + e)), v' = e V (no force). */
DLS_TEST(active_step_has_closed_form)
{
  static const double thetas[] = {0.5, 0.7, 1};
  for (size_t i = 0; i < 3; i++) {
    char scheme[80];
    const double h = 0.1;
    const double g = 0.04; /* 0.4 h V */
    snprintf(scheme, sizeof scheme, "moreau-jean:theta=%g", thetas[i]);
    test_run run = dls_test_run("bouncing-ball:f=0,e=0.8,q0=0.04,v0=-1", scheme, h, h);
    const double theta = thetas[i];
    assert_close(run.sim->q[0], g - h * (1 - theta * 1.8), 1e-15);
    assert_close(run.sim->v[0], 0.8, 1e-15);
    assert_close(run.sim->p[0], 1.8, 1e-15);
    assert_int_equal(run.traj->rows, 3); /* start, left limit, right limit */
    assert_close(dls_test_value(&run, 1, "v0"), -1, 1e-15);
    assert_close(dls_test_value(&run, 1, "p0"), 0, 0);
    dls_test_free(&run);
    snprintf(scheme, sizeof scheme, "moreau-jean-variant:theta=%g", theta);
    run = dls_test_run("bouncing-ball:f=0,e=0.8,q0=0.04,v0=-1", scheme, h, h);
    assert_close(run.sim->q[0], g - h * (1 - 0.5 * 1.8), 1e-15);
    dls_test_free(&run);
  }
}

/* A gap of 0.4 h V is forecast closed by gamma >= 0.4 only. */
DLS_TEST(forecast_decides_when_to_react)
{
  test_run early = dls_test_run("bouncing-ball:f=0,q0=0.04,v0=-1", "moreau-jean:gamma=0.41", 0.1, 0.1);
  test_run late = dls_test_run("bouncing-ball:f=0,q0=0.04,v0=-1", "moreau-jean:gamma=0.39", 0.1, 0.1);
  assert_int_equal(early.sim->work.impacts, 1);
  assert_int_equal(late.sim->work.impacts, 0);
  assert_close(late.sim->worst_gap, -0.06, 1e-15);
  dls_test_free(&early);
  dls_test_free(&late);
}

/* theta = 1/2 is exact for a constant force; theta = 1 on the spring is the implicit Euler method. */
DLS_TEST(smooth_step_has_closed_form)
{
  test_run fall = dls_test_run("bouncing-ball", "moreau-jean", 0.01, 0.9);
  assert_close(fall.sim->q[0], 1 - 0.9 * 0.9, 1e-14);
  assert_close(fall.sim->v[0], -1.8, 1e-14);
  dls_test_free(&fall);
  const double h = 0.1;
  test_run spring = dls_test_run("impacting-oscillator:k=4,c=0.3,m=2", "moreau-jean:theta=1", h, h);
  const double v = -h * 4 / (2 + h * 0.3 + h * h * 4); /* (m + h c + h^2 k) v' = m v - h k q at q = 1, v = 0 */
  assert_close(spring.sim->v[0], v, 1e-15);
  assert_close(spring.sim->q[0], 1 + h * v, 1e-15);
  dls_test_free(&spring);
}

/* L1 of q and of v, through the accumulation of the ball and on the oscillator. */
DLS_TEST(order_with_impacts_is_one)
{
  static const char *const schemes[] = {"moreau-jean", "moreau-jean:theta=1,gamma=0.5,velocity_test=off",
                                        "moreau-jean-variant:theta=0.75"};
  for (size_t i = 0; i < 3; i++) {
    dls_test_order_one_with_impacts(schemes[i], 0.12);
  }
}

DLS_TEST(order_without_impacts_is_two_for_theta_one_half)
{
  const test_study study = {"impacting-oscillator", "moreau-jean", "grid-max", "v", 1.5, 1e-1, 1e-3, 8, 2};
  const dls_fit half = dls_test_order(study);
  assert_between(half.order, 1.97, 2.03);
  assert_between(half.constant, 1e-3, 1);
  test_study other = study;
  other.scheme = "moreau-jean:theta=0.6";
  assert_between(dls_test_order(other).order, 0.95, 1.05);
  other.scheme = "moreau-jean-variant";
  assert_between(dls_test_order(other).order, 1.97, 2.03);
}

/* Nonlinear force and gap; reference: event-driven. 0.33 s are before the first impact. */
DLS_TEST(nonlinear_pendulum_has_the_same_orders)
{
  const dls_fit smooth =
      dls_test_order((test_study){"bouncing-pendulum", "moreau-jean", "grid-max", "q", 0.4, 2e-2, 1e-3, 6, 2});
  assert_between(smooth.order, 1.9, 2.1);
  const dls_fit impacts =
      dls_test_order((test_study){"bouncing-pendulum", "moreau-jean", "l1", "q", 1.5, 1e-2, 1e-4, 7, 8});
  assert_between(impacts.order, 0.85, 1.15);
  assert_between(impacts.constant, 1e-2, 10);
}

/* With velocity_test=on a resting body alternates between -y and e y, y = h a / (1 + e), and sinks with their
 * mean; without it rests. */
DLS_TEST(last_micro_bounce_has_closed_form)
{
  const double h = 1e-2;
  test_run bouncing = dls_test_run("bouncing-ball", "moreau-jean", h, 6);
  const double speed = fabs(bouncing.sim->v[0]);
  const double y = h * 2 / 1.5;
  assert_close(fmin(fabs(speed - y), fabs(speed - 0.5 * y)), 0, 1e-9);
  const double depth = bouncing.sim->q[0];
  dls_test_free(&bouncing);
  bouncing = dls_test_run("bouncing-ball", "moreau-jean", h, 5);
  assert_close(depth - bouncing.sim->q[0], -(1 - 0.5) * y / 2, 1e-6);
  dls_test_free(&bouncing);
  test_run resting = dls_test_run("bouncing-ball", "moreau-jean:gamma=0.5,velocity_test=off", h, 6);
  assert_close(resting.sim->v[0], 0, 1e-12);
  assert_close(resting.sim->p[0], 2 * h, 1e-12); /* the weight over a step */
  dls_test_free(&resting);
}

/* Impulse equals momentum change plus the force's, in sum over the run. */
DLS_TEST(impulses_balance_momentum)
{
  test_run run = dls_test_run("bouncing-ball:m=3,e=0.7", "moreau-jean:theta=0.8", 1e-3, 4);
  double impulse = 0;
  for (size_t i = 0; i < run.traj->rows; i++) {
    impulse += dls_test_value(&run, i, "p0");
  }
  assert_close(impulse, 3 * run.sim->v[0] + 2 * run.sim->t, 1e-10);
  dls_test_free(&run);
}

/* Static loads: contact i of a resting column carries (N - i) m g; the wedge keeps contact 0 only. */
DLS_TEST(contacts_in_number_carry_static_loads)
{
  const double h = 1e-3;
  test_run column = dls_test_run("bead-column:N=8,gap=0,m=0.5", "moreau-jean", h, 0.1);
  for (size_t i = 0; i < 8; i++) {
    assert_close(column.sim->p[i], h * (double)(8 - i) * 0.5 * 9.81, 1e-13);
    assert_close(column.sim->g[i], 0, 1e-14);
  }
  dls_test_free(&column);
  test_run wedge = dls_test_run("wedge", "moreau-jean", h, 0.5);
  assert_close(wedge.sim->p[0], h, 1e-13);
  assert_close(wedge.sim->p[1], 0, 0);
  assert_close(wedge.sim->u[1], 0.6 * 0.5, 1e-12);
  dls_test_free(&wedge);
}

DLS_TEST(linear_and_nonlinear_steps_factor_as_often_as_needed)
{
  test_run linear = dls_test_run("impacting-oscillator", "moreau-jean", 1e-2, 1);
  assert_int_equal(linear.sim->work.factorizations, 1);
  assert_int_equal(linear.sim->work.steps, 100);
  dls_test_free(&linear);
  test_run nonlinear = dls_test_run("bouncing-pendulum", "moreau-jean", 1e-2, 0.3);
  assert_int_equal(nonlinear.sim->work.factorizations, nonlinear.sim->work.newton_iterations);
  assert_between((double)nonlinear.sim->work.newton_iterations, 2 * 30, 5 * 30);
  dls_test_free(&nonlinear);
}

DLS_TEST(newton_failure_names_time_and_keeps_the_state)
{
  dls_error err = {0};
  test_run run = dls_test_prepare("bouncing-pendulum", "moreau-jean:newton_max=1");
  const dls_run_spec spec = {.step = 0.1, .end = 1, .record = run.traj};
  assert_int_equal(dls_run(run.sim, &spec, &err), DLS_ERR_NOCONV);
  assert_non_null(strstr(err.text, "moreau-jean at t = 0: Newton's method left a velocity increment of"));
  assert_non_null(strstr(err.text, "after 1 iterations"));
  assert_false(run.traj->complete);
  assert_close(run.sim->q[0], 0, 0);
  assert_int_equal(run.traj->rows, 1);
  dls_test_free(&run);
}

/* The option projection applies only to systems with joints and is refused elsewhere. */
DLS_TEST(projection_without_joints_is_refused)
{
  static const char *const given[] = {"moreau-jean:projection=direct", "moreau-jean:projection=combined"};
  for (size_t i = 0; i < 2; i++) {
    dls_error err = {0};
    test_run run = dls_test_prepare("bouncing-ball", given[i]);
    assert_int_equal(dls_sim_start(run.sim, &err), DLS_ERR_NOT_APPLICABLE);
    assert_non_null(strstr(err.text, strchr(given[i], ':') + 1));
    assert_non_null(strstr(err.text, "needs a system with joints"));
    dls_test_free(&run);
  }
  for (const char *const *fine = (const char *const[]){"moreau-jean", "moreau-jean:projection=none", NULL};
       *fine != NULL; fine++) {
    dls_error err = {0};
    test_run run = dls_test_prepare("bouncing-ball", *fine);
    assert_ok(dls_sim_start(run.sim, &err), err);
    dls_test_free(&run);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(projection_without_joints_is_refused),
      cmocka_unit_test(active_step_has_closed_form),
      cmocka_unit_test(forecast_decides_when_to_react),
      cmocka_unit_test(smooth_step_has_closed_form),
      cmocka_unit_test(order_with_impacts_is_one),
      cmocka_unit_test(order_without_impacts_is_two_for_theta_one_half),
      cmocka_unit_test(nonlinear_pendulum_has_the_same_orders),
      cmocka_unit_test(last_micro_bounce_has_closed_form),
      cmocka_unit_test(impulses_balance_momentum),
      cmocka_unit_test(contacts_in_number_carry_static_loads),
      cmocka_unit_test(linear_and_nonlinear_steps_factor_as_often_as_needed),
      cmocka_unit_test(newton_failure_names_time_and_keeps_the_state),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
