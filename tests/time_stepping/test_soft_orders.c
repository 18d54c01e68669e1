/* test_soft_orders.c -- mujoco, sap and icf through whole runs: orders with random steps, plateaus of the model, step control, energy,
 * joints, many contacts, refusals.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "penalty_runs.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const tuned[] = {"mujoco:restitution=fit,timeconst=0.01,d0=0.95",
                                    "sap:restitution=fit,point_stiffness=1e4",
                                    "icf:restitution=fit,point_stiffness=1e4"};

/* Without contact: symplectic Euler. */
DLS_TEST(smooth_motion_has_order_one)
{
  for (int i = 0; i < 3; i++) {
    const dls_fit fit = dls_test_order((test_study){.model = "impacting-oscillator",
                                                    .scheme = tuned[i],
                                                    .norm = "l1",
                                                    .of = "q0",
                                                    .end = 0.5,
                                                    .h_first = 2e-2,
                                                    .h_last = 1e-3,
                                                    .levels = 5,
                                                    .repeats = 3});
    assert_between(fit.order, 0.9, 1.1);
  }
}

/* Tuned to e = 1/2 with k = 1e4 the error of one bounce stops at that of the model, 1.2e-2. */
DLS_TEST(the_error_of_a_bounce_stops_at_that_of_the_model)
{
  static const char *const stiff[] = {"mujoco:restitution=fit,stiffness=1e4,d0=0.95",
                                      "sap:restitution=fit,point_stiffness=1e4",
                                      "icf:restitution=fit,point_stiffness=1e4"};
  for (int i = 0; i < 3; i++) {
    const dls_fit fit = dls_test_order((test_study){.model = "bouncing-ball:e=0.5",
                                                    .scheme = stiff[i],
                                                    .norm = "l1",
                                                    .of = "q0",
                                                    .end = 1.9,
                                                    .h_first = 4e-4,
                                                    .h_last = 1e-4,
                                                    .levels = 3,
                                                    .repeats = 2});
    print_message("  %s: slope %g, finest %g\n", stiff[i], fit.order, fit.constant * pow(fit.h_min, fit.order));
    assert_between(fit.constant * pow(fit.h_min, fit.order), 0.9e-2, 1.5e-2);
  }
}

/* Balls without rebound. */
DLS_TEST(sticky_balls_have_order_one)
{
  static const char *const schemes[] = {"sap:restitution=own", "icf:restitution=own"};
  for (int i = 0; i < 2; i++) {
    const dls_fit fit = dls_test_order((test_study){.model = "bouncing-ball:e=0",
                                                    .scheme = schemes[i],
                                                    .norm = "l1",
                                                    .of = "q0",
                                                    .end = 2,
                                                    .h_first = 2e-2,
                                                    .h_last = 5e-4,
                                                    .levels = 6,
                                                    .repeats = 6});
    print_message("  %s: slope %g\n", schemes[i], fit.order);
    assert_between(fit.order, i == 0 ? 0.86 : 1.01, i == 0 ? 1.16 : 1.31); /* 1.01, 1.16 */
  }
}

/* Error of x at t = 1 of a block that is thrown up an incline from rest depth, in `steps` steps. */
static double incline_error(const char *model, const char *scheme, double depth, int steps, double exact)
{
  dls_error err = {0};
  test_run run = dls_test_prepare(model, scheme);
  const double q[2] = {0, -depth}, v[2] = {2, 0};
  assert_ok(dls_sim_start_from(run.sim, 0, q, v, &err), err);
  for (int k = 0; k < steps; k++) {
    assert_ok(dls_sim_advance(run.sim, 1.0 / steps, &err), err);
  }
  const double error = fabs(run.sim->q[0] - exact);
  dls_test_free(&run);
  return error;
}

/* Mean order over irregular numbers of steps. */
static double incline_order(const char *model, const char *scheme, double depth, double exact)
{
  static const int steps[] = {53, 61, 79, 1613, 1777, 2003};
  double coarse = 0, fine = 0, ratio = 0;
  for (int i = 0; i < 3; i++) {
    coarse += log(incline_error(model, scheme, depth, steps[i], exact)) / 3;
    fine += log(incline_error(model, scheme, depth, steps[i + 3], exact)) / 3;
    ratio += log((double)steps[i + 3] / steps[i]) / 3;
  }
  print_message("  %s, %s: order %g, %g\n", model, scheme, (coarse - fine) / ratio, exp(fine));
  return (coarse - fine) / ratio;
}

/* icf has order 1 for slip and, to its creep, for stick; mujoco and sap hop where they slip. */
DLS_TEST(friction_on_an_incline)
{
  const double slope = acos(-1) / 6, a_N = 9.81 * cos(slope), up = 9.81 * sin(slope) + 0.7 * a_N;
  const double slides = -0.362398577094839, sticks = 2 / up;
  assert_between(incline_order("incline:mu=0.3", "icf", a_N / 1e6, slides), 0.86, 1.16);
  assert_between(incline_order("incline:mu=0.7", "icf:stiction_tolerance=1e-6", a_N / 1e6, sticks), 0.83, 1.13);
  assert_between(incline_order("incline:mu=0.3", "mujoco:cone=elliptic", 3.295223992594683e-4, slides), -0.4,
                 0.6);
  assert_between(incline_order("incline:mu=0.7", "sap", a_N / 1e6, sticks), -0.2, 0.5);
}

/* e of a bounce at Drake's accuracy 1e-3, and tighter: it sees positions only. */
DLS_TEST(step_control_sees_positions_only)
{
  double e[4], steps[4];
  for (int i = 0; i < 4; i++) {
    char scheme[100];
    snprintf(scheme, sizeof scheme, "icf:restitution=fit,point_stiffness=1e4,accuracy=%g", pow(10, -3 - i));
    test_run run = dls_test_run("bouncing-ball:f=0,v0=-1,q0=0.512,e=0.5", scheme, 0.1, 1);
    e[i] = run.sim->v[0];
    steps[i] = (double)run.traj->rows;
    assert_close(run.sim->t, 1, 1e-15);
    assert_true(run.sim->work.rejected > 0 || i == 0);
    print_message("  accuracy 1e-%d: e = %g, %g rows, %zu rejected\n", 3 + i, e[i], steps[i],
                  run.sim->work.rejected);
    dls_test_free(&run);
  }
  assert_close(e[3], 0.5, 0.025);
  assert_true(fabs(e[0] - 0.5) > fabs(e[2] - 0.5) && steps[3] > 2 * steps[1]);
}

/* The identity of energy to rounding, with springs, damping and contact. */
DLS_TEST(energy_is_balanced)
{
  static const char *const schemes[] = {"mujoco:restitution=own", "sap:restitution=own,point_stiffness=1e4",
                                        "icf:restitution=own,point_stiffness=1e4"};
  static const char *const models[] = {"impacting-oscillator", "two-ball-oscillator", "bounce-slip"};
  for (size_t i = 0; i < 9; i++) {
    const energies e = energies_of(models[i / 3], schemes[i % 3], 2e-3, 3);
    assert_between(e.residual, 0, 1e-12 * e.scale);
  }
}

/* A pendulum against a stop keeps its joints, and has the e of the damping. */
DLS_TEST(joints_are_met)
{
  for (int i = 0; i < 3; i++) {
    test_run run = dls_test_run("bouncing-pendulum-cartesian", tuned[i], 1e-4, 1);
    for (size_t k = 0; k < run.sys->r; k++) {
      assert_close(run.sim->phi[k], 0, 1e-11);
    }
    assert_true(run.traj->event_count > 0);
    const dls_event *impact = &run.traj->events[0];
    print_message("  %s: e = %g\n", tuned[i], -impact->u_plus / impact->u_minus);
    assert_close(-impact->u_plus / impact->u_minus, run.sys->e[0], 0.03);
    dls_test_free(&run);
  }
}

/* A pile: the weight of all bodies arrives at the floor. */
DLS_TEST(columns_rest)
{
  static const char *const schemes[] = {"mujoco:restitution=own,cone=elliptic", "sap:restitution=own",
                                        "icf:restitution=own"};
  for (int i = 0; i < 3; i++) {
    test_run run = dls_test_run("bead-column:gap=0,N=10,e=0", schemes[i], 2e-3, 1);
    print_message("  %s: floor %g\n", schemes[i], run.sim->lambda[0]);
    assert_close(run.sim->lambda[0], 98.1, 2e-3); /* the weight of ten beads */
    dls_test_free(&run);
  }
}

static void assert_refused(const char *model, const char *scheme, const char *assignment, const char *words)
{
  dls_error err = {0};
  test_run run = dls_test_prepare(model, scheme);
  assert_ok(dls_sim_set(run.sim, assignment, &err), err);
  assert_int_not_equal(dls_sim_start(run.sim, &err), DLS_OK);
  if (strstr(err.text, words) == NULL) {
    fail_msg("'%s' does not contain '%s'", err.text, words);
  }
  dls_test_free(&run);
}

DLS_TEST(what_does_not_fit_is_refused)
{
  assert_refused("bouncing-ball:e=0", "mujoco", "restitution=fit", "no finite damping attains");
  assert_refused("bouncing-ball:e=0", "sap", "restitution=fit", "no finite damping attains");
  assert_refused("bouncing-ball:e=0", "icf", "restitution=fit", "no finite damping attains");
  assert_refused("bouncing-ball:e=0.5", "mujoco", "restitution=refuse", "0.135, for the damping ratio 1");
  assert_refused("bouncing-ball:e=0.5", "sap", "restitution=refuse", "for relaxation_time = 0.1 s");
  assert_refused("bouncing-ball:e=0.5", "icf", "restitution=refuse", "about 1/(50 s/m |u-|)");
  assert_refused(
      "bouncing-ball:e=0", "icf:restitution=own", "accuracy=1e-300",
      "accuracy = 1e-300 m is below the rounding of positions of 1 m; it may be 0, or at least 1.4e-14 m");
  assert_refused("bouncing-ball:e=0,q0=1e3", "icf:restitution=own", "accuracy=1e-12", "positions of 1000 m");
  dls_error err = {0};
  dls_scheme_choice choice;
  assert_int_equal(dls_scheme_choose("mujoco:damping=1", &choice, &err), DLS_ERR_OPTION);
  assert_string_equal(err.text, "scheme mujoco: damping = 1 has no effect with stiffness = 0");
  assert_int_equal(dls_scheme_choose("mujoco:stiffness=1,timeconst=0.1", &choice, &err), DLS_ERR_OPTION);
  assert_string_equal(err.text,
                      "scheme mujoco: timeconst = 0.1 has no effect with stiffness > 0, the direct form");
}

/* refsafe: a timeconst below two steps is raised, which the record says. */
DLS_TEST(raised_time_constants_are_noted)
{
  test_run run = dls_test_run("bouncing-ball", "mujoco:restitution=own", 0.02, 0.1);
  char note[DLS_NOTE_ROOM];
  bool found = false;
  for (size_t i = 0; i < run.traj->meta_count; i++) {
    found = found || strncmp(run.traj->meta[i], "refsafe: timeconst = 0.02", 25) == 0;
  }
  dls_sim_note(run.sim, note, sizeof note);
  assert_true(found && strstr(note, "refsafe: timeconst = 0.02 s is raised to two steps, 0.04 s") != NULL);
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(smooth_motion_has_order_one),
      cmocka_unit_test(the_error_of_a_bounce_stops_at_that_of_the_model),
      cmocka_unit_test(sticky_balls_have_order_one),
      cmocka_unit_test(friction_on_an_incline),
      cmocka_unit_test(step_control_sees_positions_only),
      cmocka_unit_test(energy_is_balanced),
      cmocka_unit_test(joints_are_met),
      cmocka_unit_test(columns_rest),
      cmocka_unit_test(what_does_not_fit_is_refused),
      cmocka_unit_test(raised_time_constants_are_noted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
