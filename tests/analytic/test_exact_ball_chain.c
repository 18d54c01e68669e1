/* test_exact_ball_chain.c -- balls that hit one after the other: final velocities against closed forms, conservation, refusals.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "models.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <string.h>

extern const dls_exact dls_exact_ball_chain;

static dls_status trajectory(const char *text, double end, dls_trajectory **out, dls_error *err)
{
  dls_model_choice choice = dls_test_model(text);
  const dls_status status =
      dls_exact_trajectory(&dls_exact_ball_chain, choice.parameters, end, 1e-12, out, err);
  dls_model_choice_release(&choice);
  return status;
}

static double last(const dls_trajectory *traj, const char *column)
{
  return dls_trajectory_at(traj, traj->rows - 1, (size_t)dls_trajectory_column(traj, column));
}

/* 3 balls, e = 1/2: 0.203125, 0.234375, 0.5625. 5 balls, e = 1: the last one takes all. */
DLS_TEST(velocities_after_all_collisions)
{
  static const double after[] = {0.203125, 0.234375, 0.5625};
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  assert_ok(trajectory("ball-chain:e=0.5", 10, &traj, &err), err);
  for (int i = 0; i < 3; i++) {
    const char name[] = {'v', (char)('0' + i), '\0'};
    assert_close(last(traj, name), after[i], 1e-15);
  }
  assert_int_equal(traj->event_count, 3); /* 0-1, 1-2, 0-1 */
  dls_trajectory_destroy(traj);
  assert_ok(trajectory("ball-chain:N=5", 10, &traj, &err), err);
  assert_close(last(traj, "v4"), 1, 1e-15);
  assert_close(last(traj, "v0"), 0, 1e-15);
  assert_close(traj->events[3].t, 0.4, 1e-15);
  dls_trajectory_destroy(traj);
}

/* Momentum always, energy for e = 1; gaps stay >= 0 and are 0 at the collision. */
DLS_TEST(momentum_energy_and_gaps)
{
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  assert_ok(trajectory("ball-chain:N=6,ratio=0.7,gap=0.03,m=2,v0=3", 5, &traj, &err), err);
  for (size_t k = 0; k < traj->rows; k++) {
    double momentum = 0, energy = 0, m = 2;
    for (size_t i = 0; i < 6; i++, m *= 0.7) {
      const double v = dls_trajectory_at(traj, k, 1 + 6 + i);
      momentum += m * v;
      energy += m * v * v / 2;
    }
    assert_close(momentum, 6, 1e-14);
    assert_close(energy, 9, 1e-13);
    for (size_t j = 0; j < 5; j++) {
      assert_true(dls_trajectory_at(traj, k, 1 + 12 + j) > -1e-15);
    }
  }
  dls_trajectory_destroy(traj);
}

/* Two balls that touch are hit at t = 0. */
DLS_TEST(two_balls_that_touch)
{
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  assert_ok(trajectory("ball-chain:N=2,gap=0,ratio=3,e=0.5", 1, &traj, &err), err);
  assert_int_equal(traj->event_count, 1);
  assert_close(traj->events[0].t, 0, 0);
  assert_close(traj->events[0].impulse, 1.5 * 3 / 4., 1e-15);
  assert_close(dls_trajectory_at(traj, 0, 3), 1, 0);
  assert_close(last(traj, "v0"), 1 - 1.5 * 3 / 4., 1e-15);
  assert_close(last(traj, "v1"), 1.5 / 4., 1e-15);
  dls_trajectory_destroy(traj);
}

DLS_TEST(multiple_impacts_are_refused)
{
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  assert_int_equal(trajectory("ball-chain:gap=0", 1, &traj, &err), DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, "gap = 0"));
  assert_null(traj);
}

/* The event-driven integrator on the same chain. */
DLS_TEST(the_integrator_finds_the_same_collisions)
{
  const double t = 3.1;
  static const char text[] = "ball-chain:N=4,e=0.7,ratio=1.3";
  dls_error err = {0};
  dls_scheme_choice choice;
  dls_sim *sim = NULL;
  dls_system *sys = dls_test_system(text);
  assert_ok(dls_scheme_choose("event-driven:tol=1e-12", &choice, &err), err);
  assert_ok(dls_scheme_choice_sim(&choice, sys, &sim, &err), err);
  assert_ok(dls_run(sim, &(dls_run_spec){.end = t}, &err), err);
  for (size_t i = 0; i < 4; i++) {
    const char name[] = {'q', (char)('0' + i), '\0'};
    assert_close(sim->q[i], dls_test_exact_value(text, t, name), 1e-11);
  }
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(velocities_after_all_collisions),
      cmocka_unit_test(momentum_energy_and_gaps),
      cmocka_unit_test(two_balls_that_touch),
      cmocka_unit_test(multiple_impacts_are_refused),
      cmocka_unit_test(the_integrator_finds_the_same_collisions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
