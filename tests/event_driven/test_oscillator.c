/* test_oscillator.c -- the impacting oscillator: free, under preload, forced, grazing.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ed_run.h"

#define PI 3.14159265358979323846

static ed_run oscillator(const char *const *parameters, double end, const char *const *settings)
{
  return ed_system(ed_model(&dls_model_impacting_oscillator, parameters), end, settings);
}

/* q = e^n |cos t|: impacts at (n - 1/2) pi with speeds e^(n-1), right to 1e-8 of their own size. */
static void check_fifty_impacts(double e, const char *parameter)
{
  ed_run run = oscillator((const char *const[]){parameter, NULL}, 158, NULL);
  assert_int_equal(run.traj->event_count, 50);
  double speed = 1;
  for (size_t k = 0; k < 50; k++) {
    const dls_event *impact = ed_event(&run, DLS_IMPACT, k);
    assert_close(impact->t, ((double)k + 0.5) * PI, 1e-8);
    assert_close(impact->u_minus / speed, -1, 1e-8);
    speed *= e;
    assert_close(impact->u_plus / speed, 1, 1e-8);
  }
  ed_end(&run);
}

DLS_TEST(fifty_elastic_impacts_keep_the_amplitude)
{
  check_fifty_impacts(1, "e=1");
}

DLS_TEST(fifty_halvings_are_right_relative_to_the_amplitude)
{
  check_fifty_impacts(0.5, "e=0.5");
}

DLS_TEST(hermite_between_nodes_is_as_good_as_the_nodes)
{
  ed_run run = oscillator((const char *const[]){"e=1", NULL}, 10, NULL);
  double worst = 0,
         side = 1; /* of the flight; time alone does not tell it within the error of an impact's time */
  size_t seen = 0;
  for (size_t i = 0; i + 1 < run.traj->rows; i++) {
    const double h = ed_at(&run, i + 1, "t") - ed_at(&run, i, "t");
    const double middle = ed_at(&run, i, "t") + 0.5 * h;
    for (; h > 0 && seen < run.traj->event_count && run.traj->events[seen].t <= ed_at(&run, i, "t"); seen++) {
      side = -side;
    }
    const double q = 0.5 * (ed_at(&run, i, "q0") + ed_at(&run, i + 1, "q0")) +
                     0.125 * h * (ed_at(&run, i, "v0") - ed_at(&run, i + 1, "v0"));
    const double v = 0.5 * (ed_at(&run, i, "v0") + ed_at(&run, i + 1, "v0")) +
                     0.125 * h * (ed_at(&run, i, "a0") - ed_at(&run, i + 1, "a0"));
    if (h > 0) {
      worst = fmax(worst, fabs(q - side * cos(middle)));
      worst = fmax(worst, fabs(v + side * sin(middle)));
    }
  }
  assert_between(worst, 1e-14, 1e-9);
  ed_end(&run);
}

/* Pressed by f = -1, excited by 1.5 cos(t + 3): the contact carries 1 - 1.5 cos(t + 3) until that is zero. */
DLS_TEST(lift_off_happens_when_the_force_is_zero)
{
  ed_run run =
      oscillator((const char *const[]){"f=-1", "amplitude=1.5", "omega=1", "phase=3", "q0=0", NULL}, 3, NULL);
  const dls_event *off = ed_event(&run, DLS_LIFT_OFF, 0);
  const double expected = 2 * PI - 3 - acos(1 / 1.5);
  assert_close(off->t, expected, 1e-8);
  for (size_t i = 0; ed_at(&run, i, "t") < off->t; i++) {
    assert_true(ed_at(&run, i, "q0") == 0 && ed_at(&run, i, "v0") == 0 && ed_at(&run, i, "status0") == 1);
    assert_close(ed_at(&run, i, "lambda0"), 1 - 1.5 * cos(ed_at(&run, i, "t") + 3), 1e-12);
  }
  /* afterwards q'' + q = -1 + 1.5 cos(t + 3) from rest, resonant */
  const double t = 3;
  const double s = t - expected;
  const double c = cos(expected + 3);
  const double d = sin(expected + 3);
  const double q = -(1 - cos(s)) + 1.5 * (0.5 * c * s * sin(s) - 0.5 * d * (sin(s) - s * cos(s)));
  assert_close(run.sim->q[0], q, 1e-8);
  assert_int_equal(run.sim->status[0], 0);
  ed_end(&run);
}

/* A fast excitation while nothing moves: the integrator sees no motion, only the contact force. */
DLS_TEST(a_short_dip_of_the_contact_force_is_not_missed)
{
  ed_run run = oscillator(
      (const char *const[]){"f=-1", "amplitude=1.0001", "omega=20", "phase=3.14", "q0=0", NULL}, 2, NULL);
  const double expected = (2 * PI - acos(1 / 1.0001) - 3.14) / 20; /* negative for 1.4 ms only */
  assert_close(ed_event(&run, DLS_LIFT_OFF, 0)->t, expected, 1e-8);
  ed_end(&run);
}

/* F = sin t from rest on the wall: Gamma = lambda = 0 at t = 0, and the derivative opens the contact. */
DLS_TEST(undetermined_start_opens_when_the_force_grows)
{
  ed_run run =
      oscillator((const char *const[]){"amplitude=1", "phase=-1.57079632679489661923", "q0=0", NULL}, 3, NULL);
  assert_int_equal(ed_count(&run, DLS_LANDING), 0);
  assert_int_equal(ed_count(&run, DLS_IMPACT), 0);
  assert_close(run.sim->q[0], 0.5 * (sin(3) - 3 * cos(3)), 1e-9);
  ed_end(&run);
}

/* F = -sin t: the same start stays closed, until F turns at t = pi. */
DLS_TEST(undetermined_start_stays_closed_when_the_force_falls)
{
  ed_run run =
      oscillator((const char *const[]){"amplitude=1", "phase=1.57079632679489661923", "q0=0", NULL}, 5, NULL);
  assert_int_equal(run.traj->events[0].kind, DLS_LANDING);
  assert_close(ed_event(&run, DLS_LIFT_OFF, 0)->t, PI, 1e-8);
  const double s = 5 - PI;
  assert_close(run.sim->q[0], 0.5 * (sin(s) - s * cos(s)), 1e-8);
  ed_end(&run);
}

/* q = 1 + cos t touches the wall at pi without crossing it. */
DLS_TEST(grazing_changes_nothing)
{
  ed_run run = oscillator((const char *const[]){"f=1", "q0=2", NULL}, 6, NULL);
  assert_int_equal(run.traj->event_count, 1);
  assert_int_equal(run.traj->events[0].kind, DLS_GRAZING);
  assert_close(run.traj->events[0].t, PI, 1e-6);
  assert_close(run.sim->q[0], 1 + cos(6), 1e-9);
  assert_close(run.sim->v[0], -sin(6), 1e-9);
  ed_end(&run);
}

/* q = 1 + (1 + d) cos t: for d = 1e-8 it crosses, with u = -sqrt(2 d); for d = -1e-8 it does not. */
DLS_TEST(near_grazing_is_told_from_an_impact)
{
  ed_run hit = oscillator((const char *const[]){"f=1", "q0=2.00000001", NULL}, 4, NULL);
  assert_int_equal(hit.traj->event_count, 1);
  assert_int_equal(hit.traj->events[0].kind, DLS_IMPACT);
  assert_close(hit.traj->events[0].u_minus, -sqrt(2e-8), 1e-6);
  ed_end(&hit);
  ed_run miss = oscillator((const char *const[]){"f=1", "q0=1.99999999", NULL}, 4, NULL);
  assert_int_equal(miss.traj->event_count, 0);
  ed_end(&miss);
}

/* Each impact halves the speed, until its square is no double: then the mass rests. */
DLS_TEST(a_motion_that_only_decays_ends_at_rest)
{
  ed_run run = oscillator((const char *const[]){"m=1e-12", NULL}, 0.1, NULL);
  assert_between((double)run.traj->event_count, 400, 800);
  assert_true(run.sim->q[0] == 0 && run.sim->v[0] == 0);
  assert_int_equal(run.sim->status[0], 1);
  ed_end(&run);
}

DLS_TEST(bdf_agrees_with_adams)
{
  const char *const parameters[] = {"f=-1", "amplitude=1.5", "omega=1", "phase=3", "q0=0.5", "c=0.1", NULL};
  ed_run adams = oscillator(parameters, 5, NULL);
  ed_run bdf = oscillator(parameters, 5, (const char *const[]){"method=bdf", NULL});
  assert_close(bdf.sim->q[0], adams.sim->q[0], 1e-8);
  assert_close(bdf.sim->v[0], adams.sim->v[0], 1e-8);
  assert_true(bdf.sim->work.newton_iterations > 0);
  assert_true(bdf.sim->work.factorizations > 10 && adams.sim->work.factorizations == 1);
  assert_true(bdf.sim->work.jacobian_evals == 0); /* K and C are constant */
  ed_end(&adams);
  ed_end(&bdf);
}

/* Strongly damped: Adams has to follow the fast mode, BDF does not. */
DLS_TEST(bdf_needs_fewer_forces_when_the_system_is_stiff)
{
  const char *const parameters[] = {"c=1e4", "k=1e4", "f=1e4", "q0=2", NULL};
  ed_run adams = oscillator(parameters, 2, NULL);
  ed_run bdf = oscillator(parameters, 2, (const char *const[]){"method=bdf", NULL});
  assert_close(bdf.sim->q[0], adams.sim->q[0], 1e-7);
  assert_true(10 * bdf.sim->work.force_evals < adams.sim->work.force_evals);
  ed_end(&adams);
  ed_end(&bdf);
}

DLS_TEST(the_error_follows_the_tolerance)
{
  double last = 1;
  const char *const settings[][2] = {
      {"tol=1e-4", NULL}, {"tol=1e-6", NULL}, {"tol=1e-8", NULL}, {"tol=1e-10", NULL}};
  const double tolerance[] = {1e-4, 1e-6, 1e-8, 1e-10};
  for (int i = 0; i < 4; i++) {
    ed_run run = oscillator((const char *const[]){"e=1", NULL}, 10, settings[i]);
    const double error = fabs(run.sim->q[0] - fabs(cos(10.)));
    assert_between(error, 0, tolerance[i]);
    assert_true(error < last);
    last = error;
    ed_end(&run);
  }
}

/* Looked at every few steps, and inside of the first ones, where the dense output of CVODE is a straight line: a is that of the state. */
DLS_TEST(the_acceleration_is_that_of_the_state)
{
  static const char *const methods[] = {"method=adams", "method=bdf", "method=erk", "method=flow"};
  for (size_t k = 0; k < 4; k++) {
    ed_run run = ed_start(ed_model(&dls_model_impacting_oscillator, (const char *const[]){"v0=1", NULL}),
                          (const char *const[]){methods[k], "tol=1e-8", "guard=on", NULL});
    double worst = 0;
    assert_ok(dls_sim_start(run.sim, &run.err), run.err);
    for (double h = 1e-12; run.sim->t < 1; h *= 1.3) {
      assert_ok(dls_sim_advance(run.sim, h, &run.err), run.err);
      worst = fmax(worst, fabs(run.sim->a[0] + run.sim->q[0]));
    }
    print_message("%s: %g\n", methods[k], worst);
    assert_true(worst <= 1e-8);
    ed_end(&run);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fifty_elastic_impacts_keep_the_amplitude),
      cmocka_unit_test(fifty_halvings_are_right_relative_to_the_amplitude),
      cmocka_unit_test(hermite_between_nodes_is_as_good_as_the_nodes),
      cmocka_unit_test(lift_off_happens_when_the_force_is_zero),
      cmocka_unit_test(a_short_dip_of_the_contact_force_is_not_missed),
      cmocka_unit_test(undetermined_start_opens_when_the_force_grows),
      cmocka_unit_test(undetermined_start_stays_closed_when_the_force_falls),
      cmocka_unit_test(grazing_changes_nothing),
      cmocka_unit_test(near_grazing_is_told_from_an_impact),
      cmocka_unit_test(a_motion_that_only_decays_ends_at_rest),
      cmocka_unit_test(bdf_agrees_with_adams),
      cmocka_unit_test(bdf_needs_fewer_forces_when_the_system_is_stiff),
      cmocka_unit_test(the_error_follows_the_tolerance),
      cmocka_unit_test(the_acceleration_is_that_of_the_state),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
