/* test_refusals.c -- what the event-driven scheme refuses or gives up, and how it says so.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ed_run.h"
#include <string.h>

DLS_TEST(penetrating_start_is_refused_with_contact_and_gap)
{
  dls_system *sys = ed_masses(1, 1);
  dls_matrix_set(sys->H, 0, 0, 1);
  sys->w[0] = -0.25;
  ed_run run = ed_try(sys, 1, NULL);
  assert_int_equal(run.status, DLS_ERR_ARG);
  assert_non_null(strstr(run.err.text, "contact 0"));
  assert_non_null(strstr(run.err.text, "-0.25"));
  assert_int_equal(run.traj->rows, 0);
  ed_end(&run);
}

DLS_TEST(a_tolerance_that_bdf_does_not_reach_is_refused)
{
  ed_run run = ed_try(ed_model(&dls_model_bouncing_ball, NULL), 1,
                      (const char *const[]){"method=bdf", "tol=9e-11", NULL});
  assert_int_equal(run.status, DLS_ERR_OPTION);
  assert_string_equal(run.err.text, "tol = 9e-11 is below 1e-10, the smallest that method=bdf reaches");
  ed_end(&run);
  run = ed_system(ed_model(&dls_model_bouncing_ball, NULL), 1,
                  (const char *const[]){"method=bdf", "tol=1e-10", NULL});
  ed_end(&run);
}

DLS_TEST(too_many_events_are_reported_with_count_window_and_contact)
{
  ed_run run = ed_try(ed_model(&dls_model_ball_between_walls, (const char *const[]){"e=1", NULL}), 100,
                      (const char *const[]){"max_events=10", NULL});
  assert_int_equal(run.status, DLS_ERR_CHATTERING);
  assert_non_null(strstr(run.err.text, "event 11"));
  assert_non_null(strstr(run.err.text, "max_events = 10"));
  assert_non_null(strstr(run.err.text, "right wall"));
  assert_non_null(strstr(run.err.text, "within 9 s"));
  assert_int_equal(run.traj->event_count, 10);
  assert_false(run.traj->complete);
  ed_end(&run);
}

/* v = cos(frequency t), where t_s = 1 s. */
static dls_system *swinging(double frequency)
{
  dls_system *sys = ed_masses(1, 1);
  sys->K = dls_matrix_diagonal(1);
  dls_matrix_set(sys->K, 0, 0, frequency * frequency);
  dls_matrix_set(sys->H, 0, 0, 1);
  sys->w[0] = 1;
  sys->v0[0] = 1;
  return sys;
}

/* No method gets anywhere in the time scale: 20000 steps lead to 5e-6 to 3e-5 s. */
DLS_TEST(steps_that_lead_nowhere_are_a_failure)
{
  static const char *const methods[] = {"method=adams", "method=bdf", "method=erk"};
  for (size_t k = 0; k < 3; k++) {
    ed_run run = ed_try(swinging(5e7), 1, (const char *const[]){methods[k], NULL});
    assert_int_equal(run.status, DLS_ERR_INTEGRATOR);
    assert_non_null(strstr(run.err.text, "the steps have become too small: 20000 of them lead from t = 0 to "));
    assert_non_null(strstr(run.err.text, "the time scale is 1 s; the system is stiff there (method=bdf)"));
    assert_true(run.traj->rows > 10000 && !run.traj->complete);
    ed_end(&run);
  }
}

static void weight(const dls_system *sys, double t, double *F)
{
  (void)sys, (void)t;
  F[0] = F[1] = F[3] = 0;
  F[2] = -9.81;
}

/* A puck slides straight on beside what swings so fast: it is not the slip, though that would turn in a second. */
DLS_TEST(a_slip_that_would_turn_slowly_is_not_the_reason)
{
  dls_system *sys = ed_masses(4, 1);
  sys->load = weight;
  sys->K = dls_matrix_diagonal(4);
  dls_matrix_set(sys->K, 3, 3, 1e18);
  dls_matrix_set(sys->H, 2, 0, 1);
  sys->d = 3;
  sys->T = dls_matrix_dense(4, 2);
  dls_matrix_set(sys->T, 0, 0, 1);
  dls_matrix_set(sys->T, 1, 1, 1);
  sys->mu[0] = 0.3;
  sys->v0[0] = sys->v0[3] = 1;
  ed_run run = ed_try(sys, 1, NULL);
  assert_int_equal(run.status, DLS_ERR_INTEGRATOR);
  assert_non_null(strstr(run.err.text, "the steps have become too small"));
  assert_non_null(strstr(run.err.text, "the system is stiff there"));
  assert_close(run.sim->v[0], 1 - 0.3 * 9.81 * run.sim->t, 1e-9);
  ed_end(&run);
}

/* The same steps lead to the end where that is near: 1000 swings. */
DLS_TEST(a_fast_motion_goes_on_to_a_near_end)
{
  ed_run run = ed_system(swinging(1e9), 6.4e-6, NULL);
  assert_true(run.sim->work.steps > 25000);
  assert_close(run.sim->v[0], cos(6.4e3), 1e-6);
  ed_end(&run);
}

/* Nor do steps between many events count together: a mass between walls 2e-9 m apart, 15 000 impacts in 3e-5 t_s. */
DLS_TEST(many_events_in_a_moment_are_no_slow_steps)
{
  dls_system *sys = ed_masses(1, 2);
  for (size_t j = 0; j < 2; j++) {
    dls_matrix_set(sys->H, 0, j, j == 0 ? 1 : -1);
    sys->w[j] = 1e-9;
    sys->e[j] = 1;
  }
  sys->v0[0] = 1;
  ed_run run = ed_try(sys, 1, (const char *const[]){"tol=1e-12", "max_events=15000", NULL});
  assert_int_equal(run.status, DLS_ERR_CHATTERING);
  assert_true(run.sim->work.steps > 25000);
  assert_close(run.sim->t, 3e-5, 1e-8);
  ed_end(&run);
}

DLS_TEST(a_failed_advance_leaves_the_state_alone)
{
  ed_run run = ed_start(ed_model(&dls_model_bouncing_ball, NULL), (const char *const[]){"max_events=1", NULL});
  assert_ok(dls_sim_start(run.sim, &run.err), run.err);
  double t = 0;
  double q = 0;
  double v = 0;
  dls_status status = DLS_OK;
  while (status == DLS_OK) {
    t = run.sim->t;
    q = run.sim->q[0];
    v = run.sim->v[0];
    status = dls_sim_advance(run.sim, 5 - t, &run.err);
  }
  assert_int_equal(status, DLS_ERR_CHATTERING);
  assert_true(run.sim->t == t && run.sim->q[0] == q && run.sim->v[0] == v);
  ed_end(&run);
}

static void never_finite(const dls_system *sys, double t, double *F)
{
  (void)sys;
  (void)t;
  F[0] = NAN;
}

static void burst(const dls_system *sys, double t, double *F)
{
  (void)sys;
  F[0] = t < 0.5 ? -1 : NAN;
}

DLS_TEST(a_force_that_is_not_finite_is_an_error)
{
  dls_system *sys = ed_masses(1, 1);
  dls_matrix_set(sys->H, 0, 0, 1);
  sys->q0[0] = 1;
  sys->load = burst;
  ed_run run = ed_try(sys, 1, NULL);
  assert_true(run.status < 0);
  assert_between(run.sim->t, 0, 0.5);
  assert_non_null(strstr(run.err.text, "t = "));
  assert_true(isfinite(run.sim->q[0]));
  ed_end(&run);
  dls_system *never = ed_masses(1, 1);
  dls_matrix_set(never->H, 0, 0, 1);
  never->q0[0] = 1;
  never->load = never_finite;
  ed_run start = ed_try(never, 1, NULL);
  assert_int_equal(start.status, DLS_ERR_NONFINITE);
  assert_non_null(strstr(start.err.text, "not finite"));
  ed_end(&start);
}

DLS_TEST(options_are_checked)
{
  ed_run run = ed_start(ed_model(&dls_model_bouncing_ball, NULL), NULL);
  const char *const refused[] = {"tol=0",        "tol=1",          "method=euler", "event_tol=0",
                                 "eps_g=0",      "eps_u=-1",       "eps_a=0",      "eps_z=nan",
                                 "max_events=0", "max_events=1.5", "max_step=-1",  "e=1"};
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    assert_int_equal(dls_sim_set(run.sim, refused[i], &run.err), DLS_ERR_OPTION);
  }
  ed_end(&run);
}

/* A pulse of 1e-3 s while nothing moves is invisible between two evaluations, unless max_step says so. */
static void pulse(const dls_system *sys, double t, double *F)
{
  (void)sys;
  F[0] = t > 10 && t < 10.001 ? 5 : -1;
}

DLS_TEST(max_step_shows_short_pulses)
{
  dls_system *sys = ed_masses(1, 1);
  dls_matrix_set(sys->H, 0, 0, 1);
  sys->load = pulse;
  ed_run run = ed_system(sys, 11, (const char *const[]){"max_step=5e-4", NULL});
  assert_close(ed_event(&run, DLS_LIFT_OFF, 0)->t, 10, 1e-6);
  ed_end(&run);
}

DLS_TEST(systems_without_contacts_are_integrated)
{
  dls_system *sys = ed_masses(1, 0);
  dls_matrix_destroy(sys->H);
  sys->H = NULL;
  sys->K = dls_matrix_diagonal(1);
  dls_matrix_set(sys->K, 0, 0, 1);
  sys->q0[0] = 1;
  ed_run run = ed_system(sys, 10, NULL);
  assert_close(run.sim->q[0], cos(10.), 1e-9);
  assert_int_equal(run.traj->event_count, 0);
  ed_end(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(penetrating_start_is_refused_with_contact_and_gap),
      cmocka_unit_test(a_tolerance_that_bdf_does_not_reach_is_refused),
      cmocka_unit_test(too_many_events_are_reported_with_count_window_and_contact),
      cmocka_unit_test(steps_that_lead_nowhere_are_a_failure),
      cmocka_unit_test(a_slip_that_would_turn_slowly_is_not_the_reason),
      cmocka_unit_test(a_fast_motion_goes_on_to_a_near_end),
      cmocka_unit_test(many_events_in_a_moment_are_no_slow_steps),
      cmocka_unit_test(a_failed_advance_leaves_the_state_alone),
      cmocka_unit_test(a_force_that_is_not_finite_is_an_error),
      cmocka_unit_test(options_are_checked),
      cmocka_unit_test(max_step_shows_short_pulses),
      cmocka_unit_test(systems_without_contacts_are_integrated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
