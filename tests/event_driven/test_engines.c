/* test_engines.c -- the smooth integrators under the event-driven scheme: multistep (adams, bdf) and one-step (erk) give
 * the same motion within the tolerance.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "runs.h"
#include <math.h>
#include <stdio.h>

static const char *const engines[] = {"event-driven:method=adams", "event-driven:method=erk",
                                      "event-driven:method=erk,erk_order=4"};

static double ball_exact(double t) /* e = 1/2: flights between 3 - 2^(1-n), rest from 3 */
{
  if (t < 1) {
    return 1 - t * t;
  }
  if (t >= 3) {
    return 0;
  }
  const int n = (int)floor(1 - log2(3 - t));
  const double s = t - (3 - ldexp(1, 1 - n));
  return ldexp(1, 1 - n) * s / 2 - s * s;
}

DLS_TEST(ball_through_the_accumulation)
{
  for (size_t i = 0; i < 3; i++) {
    test_run run = dls_test_run("bouncing-ball", engines[i], 0, 5);
    for (size_t k = 0; k < run.traj->rows; k++) {
      assert_close(dls_test_value(&run, k, "q0"), ball_exact(dls_test_value(&run, k, "t")), 1e-9);
    }
    assert_between(run.sim->worst_gap, -1e-10, 0);
    dls_test_free(&run);
  }
}

/* e = 1: q = |cos t|, impacts at (k - 1/2) pi, speed 1. */
DLS_TEST(oscillator_keeps_its_impacts)
{
  const double pi = acos(-1);
  for (size_t i = 0; i < 2; i++) {
    test_run run = dls_test_run("impacting-oscillator:e=1", engines[i], 0, 157.5);
    assert_int_equal(run.sim->work.impacts, 50);
    for (size_t k = 0; k < 50; k++) {
      assert_close(run.traj->events[k].t, ((double)k + 0.5) * pi, 1e-8);
      assert_close(run.traj->events[k].u_plus, 1, 1e-8);
    }
    dls_test_free(&run);
  }
}

DLS_TEST(resting_contact_and_lift_off)
{
  test_run rest = dls_test_run("bouncing-ball:q0=0", engines[1], 0, 1000);
  assert_close(rest.sim->q[0], 0, 0);
  assert_close(rest.sim->lambda[0], 2, 1e-14);
  dls_test_free(&rest);
  /* -1 + 1.5 cos(t + pi/2) presses until sin t = -2/3 */
  test_run lift =
      dls_test_run("impacting-oscillator:q0=0,f=-1,amplitude=1.5,phase=1.5707963267948966", engines[1], 0, 5);
  assert_true(lift.traj->event_count >= 1);
  double time = NAN;
  for (size_t k = 0; k < lift.traj->event_count && isnan(time); k++) {
    time = lift.traj->events[k].kind == DLS_LIFT_OFF ? lift.traj->events[k].t : NAN;
  }
  assert_close(time, acos(-1) + asin(2. / 3), 1e-8);
  dls_test_free(&lift);
}

DLS_TEST(nonlinear_pendulum_agrees)
{
  test_run adams = dls_test_run("bouncing-pendulum", engines[0], 0, 2.5);
  test_run erk = dls_test_run("bouncing-pendulum", engines[1], 0, 2.5);
  assert_int_equal(erk.traj->event_count, adams.traj->event_count);
  for (size_t k = 0; k < erk.traj->event_count; k++) {
    assert_close(erk.traj->events[k].t, adams.traj->events[k].t, 1e-8);
  }
  assert_close(erk.traj->events[0].t, 0.40437584, 1e-8);
  dls_test_free(&adams);
  dls_test_free(&erk);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ball_through_the_accumulation),
      cmocka_unit_test(oscillator_keeps_its_impacts),
      cmocka_unit_test(resting_contact_and_lift_off),
      cmocka_unit_test(nonlinear_pendulum_agrees),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
