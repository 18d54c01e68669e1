/* test_rope.c -- parabolas within a circle: impacts with e = 1, invariants, and the events of another integrator.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "runs.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <string.h>

static dls_trajectory *exact(const double *p, double end)
{
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  assert_ok(dls_exact_trajectory(dls_exact_find("rope"), p, end, 1e-12, &traj, &err), err);
  return traj;
}

DLS_TEST(impacts_are_those_of_the_limit)
{
  static const double times[] = {0.7463196561, 1.1713027007, 2.2551074933, 2.6538343452};
  dls_error err = {0};
  dls_trajectory *traj = exact(NULL, 3), *at = NULL;
  assert_int_equal(traj->event_count, 4);
  for (size_t i = 0; i < 4; i++) {
    assert_close(traj->events[i].t, times[i], 0.6e-10);
  }
  assert_close(traj->events[0].t, sqrt(2 * (1 + sqrt(3)) / 9.81), 2e-16);
  assert_close(traj->events[0].u_minus, -6.341, 1e-3);
  dls_trajectory_destroy(traj);
  assert_ok(dls_exact_at(dls_exact_find("rope"), NULL, 1, (const double[]){1}, &at, &err), err);
  assert_close(dls_trajectory_at(at, 0, 1), -0.6084639691, 0.6e-10);
  assert_close(dls_trajectory_at(at, 0, 2), -1.1190586833, 0.6e-10);
  dls_trajectory_destroy(at);
}

/* m, l, g, e, x0, y0, vx0, vy0: e = 1 keeps the energy and never leaves the circle. */
DLS_TEST(flights_stay_inside_and_keep_the_energy)
{
  const double p[] = {1.5, 2.5, 9, 1, -0.3, 0.7, 3, -1};
  dls_trajectory *traj = exact(p, 20);
  const double E = 0.5 * 1.5 * 10 + 1.5 * 9 * 0.7;
  double touches = 0;
  for (size_t i = 0; i < traj->rows; i++) {
    const double *row = traj->data + i * traj->columns;
    assert_close(0.5 * 1.5 * (row[3] * row[3] + row[4] * row[4]) + 1.5 * 9 * row[2], E, 1e-11);
    assert_between(row[5], -1e-15, 2 * p[1]);
    touches += fabs(row[5]) < 1e-12;
  }
  assert_close(touches, 2 * (double)traj->event_count, 0);
  assert_between((double)traj->event_count, 20, 200);
  dls_trajectory_destroy(traj);
}

DLS_TEST(another_integrator_finds_the_same_impacts)
{
  const double p[] = {1, 2, 9.81, 0.8, 1, 1, 0.3, 0};
  dls_trajectory *traj = exact(p, 1.5);
  test_run run = dls_test_run("rope:e=0.8,vx0=0.3", "event-driven:tol=1e-12", 0, 1.5);
  assert_true(traj->event_count >= 2);
  assert_int_equal(run.traj->event_count, traj->event_count);
  for (size_t i = 0; i < traj->event_count; i++) {
    assert_close(run.traj->events[i].t, traj->events[i].t, 1e-9);
    assert_close(run.traj->events[i].u_minus, traj->events[i].u_minus, 1e-8);
  }
  dls_test_free(&run);
  dls_trajectory_destroy(traj);
}

DLS_TEST(what_is_not_here_is_refused)
{
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  const double soft[] = {1, 2, 9.81, 0.5, 1, 1, 0, 0}, taut[] = {1, 1, 9.81, 1, 1, 1, 0, 0};
  assert_int_equal(dls_exact_trajectory(dls_exact_find("rope"), soft, 3, 1e-9, &traj, &err),
                   DLS_ERR_CHATTERING);
  assert_non_null(strstr(err.text, "rope: impacts accumulate by t = 1.547"));
  assert_int_equal(dls_exact_trajectory(dls_exact_find("rope"), taut, 3, 1e-9, &traj, &err), DLS_ERR_ARG);
  assert_non_null(
      strstr(err.text, "the mass starts 1.41421 m from the origin; the rope has the length l = 1 m"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(impacts_are_those_of_the_limit),
      cmocka_unit_test(flights_stay_inside_and_keep_the_energy),
      cmocka_unit_test(another_integrator_finds_the_same_impacts),
      cmocka_unit_test(what_is_not_here_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
