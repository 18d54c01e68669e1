/* test_cases.c -- the lecture's cases 1.1 to 2.2.3 of a single contact, one test each; and the naive rule, which
 * lets go of contacts by the sign of their bilateral force: right for one contact, wrong for Delassus's example.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ed_run.h"
#include <string.h>

extern const dls_model dls_model_incline;

static ed_run ball(double end, const char *const *parameters)
{
  return ed_system(ed_model(&dls_model_bouncing_ball, parameters), end, NULL);
}

static ed_run oscillator(double end, const char *const *parameters)
{
  return ed_system(ed_model(&dls_model_impacting_oscillator, parameters), end, NULL);
}

/* g > 0: stays open. 1 - t^2 up to t = 0.9. */
DLS_TEST(case_1_1_nothing_happens)
{
  ed_run run = ball(0.9, NULL);
  assert_int_equal(run.traj->event_count, 0);
  assert_int_equal(run.sim->status[0], 0);
  assert_close(run.sim->g[0], 1 - 0.81, 1e-10);
  ed_end(&run);
}

/* g = 0, U = -2: impact, U+ = 1 > 0: open. */
DLS_TEST(case_1_2_1_it_rebounds)
{
  ed_run run = ball(1.5, NULL);
  const dls_event *event = ed_event(&run, DLS_IMPACT, 0);
  assert_int_equal(run.traj->event_count, 1);
  assert_close(event->t, 1, 1e-10);
  assert_close(event->u_minus, -2, 1e-9);
  assert_close(event->u_plus, 1, 1e-9);
  assert_int_equal(run.sim->status[0], 0);
  assert_close(run.sim->g[0], 0.5 - 0.25, 1e-9);
  ed_end(&run);
}

/* e = 0 and a load f = 1 away from the floor: U+ = 0, Gamma = 1 > 0: open. From 1 at speed -2, it is down at 2 - sqrt 2. */
DLS_TEST(case_1_2_2_1_it_stops_and_is_pulled_away)
{
  ed_run run = ball(2, (const char *const[]){"e=0", "f=1", "v0=-2", NULL});
  const double t = 2 - sqrt(2.0);
  assert_int_equal(run.traj->event_count, 1);
  assert_close(ed_event(&run, DLS_IMPACT, 0)->t, t, 1e-9);
  assert_int_equal(run.sim->status[0], 0);
  assert_close(run.sim->g[0], 0.5 * (2 - t) * (2 - t), 1e-9);
  ed_end(&run);
}

/* e = 0 under its weight: U+ = 0, Gamma = 0, F = 2 > 0: closed. */
DLS_TEST(case_1_2_2_2_it_stops_and_stays)
{
  ed_run run = ball(2, (const char *const[]){"e=0", NULL});
  assert_int_equal(ed_count(&run, DLS_IMPACT), 1);
  assert_int_equal(run.sim->status[0], 1);
  assert_close(run.sim->lambda[0], 2, 1e-12);
  assert_close(run.sim->g[0], 0, 1e-14);
  ed_end(&run);
}

/* At rest on the stop with a load sin t, or -sin t: Gamma = F = 0 at t = 0, and the derivative decides. It is case 1.3.3 of a mass
 * that is open, and 2.2.3 of one that is closed: the same problem. */
DLS_TEST(cases_1_2_2_3_1_3_3_2_2_3_the_next_derivative_decides)
{
  static const char *const loads[] = {"amplitude=1", "amplitude=-1"};
  for (size_t i = 0; i < 2; i++) {
    ed_run run =
        oscillator(2, (const char *const[]){"q0=0", "k=0", loads[i], "phase=-1.5707963267948966", NULL});
    assert_int_equal(run.sim->status[0], i == 0 ? 0 : 1);
    assert_close(run.sim->q[0], i == 0 ? 2 - sin(2.0) : 0, 1e-8);
    assert_close(run.sim->lambda[0], i == 0 ? 0 : sin(2.0), 1e-9);
    ed_end(&run);
  }
}

/* 0.5 + 0.5 cos t touches 0 with Gamma = 1/2 > 0: stays open. */
DLS_TEST(case_1_3_1_it_grazes)
{
  ed_run run = oscillator(4, (const char *const[]){"f=0.5", NULL});
  assert_int_equal(ed_count(&run, DLS_GRAZING), 1);
  assert_close(ed_event(&run, DLS_GRAZING, 0)->t, 3.14159265358979,
               1e-4); /* a touch is seen to the root of the accuracy */
  assert_int_equal(ed_count(&run, DLS_IMPACT), 0);
  assert_close(run.sim->q[0], 0.5 + 0.5 * cos(4.0), 1e-8);
  ed_end(&run);
}

/* On the floor with U = 0 under its weight: F = 2 > 0: closed. */
DLS_TEST(case_1_3_2_it_touches_and_stays)
{
  ed_run run = ball(1, (const char *const[]){"q0=0", NULL});
  assert_int_equal(ed_count(&run, DLS_LANDING), 1);
  assert_int_equal(run.sim->status[0], 1);
  assert_close(run.sim->lambda[0], 2, 1e-12);
  ed_end(&run);
}

/* A dip of the gap between the nodes of a step, 0.1 - t + t^2, ends after its bottom with g > 0, U > 0 (1.4), and half way with g < 0
 * (1.5): the search goes back to the first zero, 1/2 - sqrt 0.15. */
DLS_TEST(cases_1_4_and_1_5_are_searched_back)
{
  static const double ends[] = {0.5, 1};
  for (size_t i = 0; i < 2; i++) {
    ed_run run = ball(ends[i], (const char *const[]){"f=2", "q0=0.1", "v0=-1", NULL});
    assert_int_equal(ed_count(&run, DLS_IMPACT), 1);
    assert_close(ed_event(&run, DLS_IMPACT, 0)->t, 0.5 - sqrt(0.15), 1e-9);
    assert_between(run.sim->worst_gap, -1e-10, 1);
    ed_end(&run);
  }
}

/* Drift: a mass that rests for 1000 s keeps g = U = 0, by projection. */
DLS_TEST(case_2_1_the_drift_stays_small)
{
  ed_run run = ball(1000, (const char *const[]){"q0=0", NULL});
  assert_close(run.sim->g[0], 0, 1e-12);
  assert_close(run.sim->u[0], 0, 1e-12);
  ed_end(&run);
}

/* f + a sin t presses until sin t = 1/1.5: closed before (2.2.1), open from then on (2.2.2). By complementarity, and by the sign of
 * the force, which is enough for one contact. */
DLS_TEST(cases_2_2_1_and_2_2_2_it_stays_then_lifts_off)
{
  static const char *const rules[] = {"release=complementarity", "release=sign"};
  size_t steps[2]; /* the same: one restart at the lift-off */
  for (size_t i = 0; i < 2; i++) {
    dls_system *sys =
        ed_model(&dls_model_impacting_oscillator, (const char *const[]){"q0=0", "k=0", "f=-1", "amplitude=1.5",
                                                                        "phase=-1.5707963267948966", NULL});
    ed_run run = ed_system(sys, 1.5, (const char *const[]){rules[i], NULL});
    const double t = asin(1 / 1.5), s = 1.5 - t;
    assert_int_equal(run.traj->event_count, 2); /* with the landing at the start */
    assert_close(ed_event(&run, DLS_LIFT_OFF, 0)->t, t, 1e-9);
    assert_int_equal(run.sim->status[0], 0);
    assert_close(run.sim->q[0], -0.5 * s * s + 1.5 * (sin(t) + s * cos(t) - sin(1.5)), 1e-8);
    assert_int_equal(run.sim->work.wrong_releases, 0);
    steps[i] = run.sim->work.steps;
    ed_end(&run);
  }
  assert_int_equal(steps[1], steps[0]);
}

/* Both bilateral forces of the wedge are negative, and both contacts are let go. Contact 0 falls from 0 to -eps_g/2 with Gamma = -1 and
 * hits at sqrt(eps_g) what it should have rested on. Complementarity has neither impact nor gap. */
DLS_TEST(the_sign_of_bilateral_forces_fails_on_the_wedge)
{
  static const char *const tols[] = {"tol=1e-4", "tol=1e-6", "tol=1e-8", "tol=1e-10"};
  for (size_t i = 0; i < 4; i++) {
    const double eps_g = pow(10, -4 - 2 * (double)i);
    ed_run naive =
        ed_system(ed_model(&dls_model_wedge, NULL), 1, (const char *const[]){"release=sign", tols[i], NULL});
    assert_int_equal(naive.sim->work.wrong_releases, 1);
    assert_close(ed_at(&naive, 0, "lambda0"), 0, 0); /* 1 it should be */
    assert_true(ed_at(&naive, 0, "status0") == 0);
    assert_between(ed_count(&naive, DLS_IMPACT), 2, 100);
    assert_close(ed_event(&naive, DLS_IMPACT, 0)->u_minus / -sqrt(eps_g), 1, 1e-3);
    ed_end(&naive);
    ed_run right = ed_system(ed_model(&dls_model_wedge, NULL), 1, (const char *const[]){tols[i], NULL});
    assert_int_equal(right.sim->work.wrong_releases, 0);
    assert_close(ed_at(&right, 0, "lambda0"), 1, 1e-14);
    assert_int_equal(ed_count(&right, DLS_IMPACT), 0);
    ed_end(&right);
  }
}

DLS_TEST(friction_needs_more_than_a_sign)
{
  ed_run run = ed_try(ed_model(&dls_model_incline, NULL), 1, (const char *const[]){"release=sign", NULL});
  assert_int_equal(run.status, DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(run.err.text, "release = sign does not treat friction"));
  ed_end(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(case_1_1_nothing_happens),
      cmocka_unit_test(case_1_2_1_it_rebounds),
      cmocka_unit_test(case_1_2_2_1_it_stops_and_is_pulled_away),
      cmocka_unit_test(case_1_2_2_2_it_stops_and_stays),
      cmocka_unit_test(cases_1_2_2_3_1_3_3_2_2_3_the_next_derivative_decides),
      cmocka_unit_test(case_1_3_1_it_grazes),
      cmocka_unit_test(case_1_3_2_it_touches_and_stays),
      cmocka_unit_test(cases_1_4_and_1_5_are_searched_back),
      cmocka_unit_test(case_2_1_the_drift_stays_small),
      cmocka_unit_test(cases_2_2_1_and_2_2_2_it_stays_then_lifts_off),
      cmocka_unit_test(the_sign_of_bilateral_forces_fails_on_the_wedge),
      cmocka_unit_test(friction_needs_more_than_a_sign),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
