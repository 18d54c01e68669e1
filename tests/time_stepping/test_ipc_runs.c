/* test_ipc_runs.c -- ipc through whole runs: orders with random steps, errors that grow, energy, joints, curved gaps, many contacts,
 * refusals.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "penalty_runs.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const rules[] = {"ipc:restitution=own", "ipc:rule=bdf2,restitution=own",
                                    "ipc:rule=trapezoidal,restitution=own"};

/* Without contact; in a chain of joints, too. */
DLS_TEST(smooth_motion_has_the_order_of_the_rule)
{
  static const struct {
    int rule;
    const char *model, *of;
    double low, high;
  } of[] = {{0, "impacting-oscillator", "q0", 0.9, 1.1},
            {1, "impacting-oscillator", "q0", 1.85, 2.15},
            {2, "impacting-oscillator", "q0", 1.85, 2.15},
            {0, "double-pendulum", "q1", 0.85, 1.15},
            {1, "double-pendulum", "q1", 1.8, 2.2}};
  for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
    const dls_fit fit = dls_test_order((test_study){.model = of[i].model,
                                                    .scheme = rules[of[i].rule],
                                                    .norm = "l1",
                                                    .of = of[i].of,
                                                    .end = 0.5,
                                                    .h_first = 1e-2,
                                                    .h_last = 6e-4,
                                                    .levels = 5,
                                                    .repeats = 3});
    print_message("  %s, %s: %g\n", rules[of[i].rule], of[i].model, fit.order);
    assert_between(fit.order, of[i].low, of[i].high);
  }
}

static double sticky_order(const char *scheme, double h_first, double h_last, size_t levels)
{
  const dls_fit fit = dls_test_order((test_study){.model = "bouncing-ball:e=0",
                                                  .scheme = scheme,
                                                  .norm = "l1",
                                                  .of = "q0",
                                                  .end = 2,
                                                  .h_first = h_first,
                                                  .h_last = h_last,
                                                  .levels = levels,
                                                  .repeats = 16});
  print_message("  %s, %g to %g: order %g\n", scheme, h_first, h_last, fit.order);
  return fit.order;
}

/* Against a ball with e = 0 the error grows as h falls: the barrier is elastic. */
DLS_TEST(errors_against_sticky_balls_grow)
{
  assert_between(sticky_order("ipc:restitution=own", 3.7e-2, 2.9e-4, 8), -0.35, 0.05);
  assert_between(sticky_order("ipc:restitution=own", 2.3e-3, 2.9e-4, 4), -1.7, -1.3);
  assert_between(sticky_order("ipc:restitution=own,scaling=one", 3.7e-2, 2.9e-4, 8), -0.05, 0.25);
  assert_between(sticky_order("ipc:restitution=own,scaling=one", 2.3e-3, 2.9e-4, 4), -0.85, -0.55);
}

/* A block thrown up: it slides back, or sticks and creeps. dhat = 1 mm, epsv = 1 mm/s; no lift by slip. */
DLS_TEST(friction_on_an_incline_has_order_one)
{
  static const struct {
    const char *model;
    double order;
  } of[] = {{"incline:mu=0.3", 1.00}, {"incline:mu=0.7", 0.93}};
  for (size_t i = 0; i < 2; i++) {
    const dls_fit fit =
        dls_test_order((test_study){.model = of[i].model,
                                    .scheme = "ipc:restitution=own,dhat=0.0024525,epsv=0.0024525",
                                    .norm = "l1",
                                    .of = "q0",
                                    .end = 1,
                                    .h_first = 2e-2,
                                    .h_last = 5e-4,
                                    .levels = 6,
                                    .repeats = 6});
    print_message("  %s: order %g\n", of[i].model, fit.order);
    assert_between(fit.order, of[i].order - 0.15, of[i].order + 0.15);
  }
  test_run run = dls_test_run("incline:mu=0.3", "ipc:restitution=own,dhat=0.0024525", 1e-2, 1);
  for (size_t row = 0; row < run.traj->rows; row++) {
    assert_close(dls_test_value(&run, row, "g0"), dls_test_value(&run, 0, "g0"), 1e-12);
  }
  dls_test_free(&run);
}

/* The identities of energy to rounding, with springs, damping, friction and contact. */
DLS_TEST(energy_is_balanced)
{
  static const char *const schemes[] = {"ipc:restitution=own", "ipc:restitution=own,rule=trapezoidal",
                                        "ipc:restitution=own,distance=squared",
                                        "ipc:restitution=own,scaling=one"};
  static const char *const models[] = {"impacting-oscillator", "two-ball-oscillator", "bounce-slip",
                                       "random-linear", "random-frictional"};
  for (size_t i = 0; i < 20; i++) {
    const energies e = energies_of(models[i / 4], schemes[i % 4], 2e-3, 4);
    print_message("  %s, %s: %g of %g\n", models[i / 4], schemes[i % 4], e.residual, e.scale);
    assert_between(e.residual, 0, 1e-12 * e.scale);
  }
}

/* A pendulum against a stop keeps its joints in q and v, and its gap. Multipliers of the motion do not depend on the rule. */
DLS_TEST(joints_are_met)
{
  for (int i = 0; i < 2; i++) {
    test_run run = dls_test_run("bouncing-pendulum-cartesian", rules[i], 1e-3, 5);
    double least = HUGE_VAL;
    for (size_t row = 0; row < run.traj->rows; row++) {
      least = fmin(least, dls_test_value(&run, row, "g0"));
    }
    for (size_t k = 0; k < run.sys->r; k++) {
      assert_close(run.sim->phi[k], 0, 1e-11);
    }
    assert_true(least > 0 && run.traj->event_count > 0);
    const double q[2] = {run.sim->q[0], run.sim->q[1]};
    assert_close(q[0] * run.sim->v[0] + q[1] * run.sim->v[1], 0, 1e-11);
    dls_test_free(&run);
  }
}

/* Gaps that are curved, in a chart and of discs. */
DLS_TEST(curved_gaps_stay_above_zero)
{
  static const char *const models[] = {"bouncing-pendulum", "rigid-discs", "sphere", "rope"};
  for (size_t i = 0; i < 4 * 3; i++) {
    test_run run = dls_test_run(models[i / 3], rules[i % 3], 5e-3, 1);
    assert_true(run.sim->worst_gap > 0);
    assert_true(run.sim->work.newton_iterations < 40 * run.sim->work.steps);
    print_message("  %s, %s: %g iterations a step\n", models[i / 3], rules[i % 3],
                  (double)run.sim->work.newton_iterations / (double)run.sim->work.steps);
    dls_test_free(&run);
  }
}

/* Piles, from rest: the weight of all bodies arrives at the floor, and nothing moves. */
DLS_TEST(columns_and_walls_rest)
{
  test_run run = dls_test_run("bead-column:gap=0,N=10,e=0", "ipc:restitution=own", 2e-3, 1);
  assert_close(run.sim->lambda[0], 98.1, 1e-6);
  for (size_t i = 0; i < run.sys->n; i++) {
    assert_close(run.sim->v[i], 0, 1e-9);
  }
  dls_test_free(&run);
  run = dls_test_run("block-wall", "ipc:restitution=own", 5e-3, 0.1);
  assert_true(run.sim->worst_gap > 0);
  dls_test_free(&run);
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

/* Two walls with gaps that no position opens: each pushes the mass into the other. */
static dls_system *mass_in_a_slot(void)
{
  dls_system *sys = dls_system_create(1, 2);
  assert_non_null(sys);
  sys->linear = true;
  sys->M = dls_matrix_diagonal(1);
  sys->H = dls_matrix_dense(1, 2);
  assert_true(sys->M != NULL && sys->H != NULL);
  dls_matrix_set(sys->M, 0, 0, 1);
  dls_matrix_set(sys->H, 0, 0, 1);
  dls_matrix_set(sys->H, 0, 1, -1);
  return sys;
}

DLS_TEST(what_does_not_fit_is_refused)
{
  assert_refused("bouncing-ball:e=0", "ipc", "restitution=refuse", "a function of h |u-|/dhat");
  assert_refused("bouncing-pendulum-cartesian", "ipc:restitution=own", "rule=trapezoidal",
                 "rule=trapezoidal is unstable with joints; use rule=euler or rule=bdf2");
  assert_refused("vibrating-table", "ipc", "restitution=own", "does not treat gaps that move by themselves");
  assert_refused("superball", "ipc", "restitution=own", "restitutes the slip");
  dls_error err = {0};
  dls_scheme_choice choice;
  assert_int_equal(dls_scheme_choose("ipc:kappa_one=2", &choice, &err), DLS_ERR_OPTION);
  assert_string_equal(err.text, "scheme ipc: kappa_one = 2 has no effect with scaling=h2");
  assert_int_equal(dls_scheme_choose("ipc:scaling=one,kappa=2", &choice, &err), DLS_ERR_OPTION);
  assert_string_equal(err.text, "scheme ipc: kappa = 2 has no effect with scaling=one");
  test_run run = dls_test_prepare_of(mass_in_a_slot(), "ipc");
  dls_test_own_restitution(run.sim);
  assert_int_equal(dls_sim_start(run.sim, &err), DLS_ERR_NOT_APPLICABLE);
  if (strstr(err.text, "and cannot be moved apart; a barrier needs g > 0") == NULL) {
    fail_msg("%s", err.text);
  }
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(smooth_motion_has_the_order_of_the_rule),
      cmocka_unit_test(errors_against_sticky_balls_grow),
      cmocka_unit_test(friction_on_an_incline_has_order_one),
      cmocka_unit_test(energy_is_balanced),
      cmocka_unit_test(joints_are_met),
      cmocka_unit_test(curved_gaps_stay_above_zero),
      cmocka_unit_test(columns_and_walls_rest),
      cmocka_unit_test(what_does_not_fit_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
