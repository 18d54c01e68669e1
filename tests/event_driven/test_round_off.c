/* test_round_off.c -- what event-driven takes for round-off: forces at the limit of friction, slip that has only begun, impacts at almost the
 * same time, and tangents along one line.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ed_run.h"
#include <float.h>

static const double normal = 1e9, mu = 0.5; /* N, 1 */
static double push;                         /* N */

static void press(const dls_system *sys, double t, double *F)
{
  (void)sys, (void)t;
  F[0] = push;
  F[1] = -normal;
}

/* 1 kg, pressed to the floor with 1e9 N and pushed beyond the limit of friction by a small fraction of it: it accelerates with the rest.
 * Up to 1e-12 this is the round-off of sticking forces, so that Coulomb's law is not solved for other modes. */
DLS_TEST(a_push_beyond_the_limit_of_friction_by_round_off_needs_no_other_modes)
{
  static const double beyond[] = {0, 5e-13, 2e-12, 1e-9};
  for (size_t k = 0; k < sizeof beyond / sizeof *beyond; k++) {
    dls_system *sys = ed_masses(2, 1);
    sys->d = 2;
    sys->T = dls_matrix_dense(2, 1);
    sys->load = press;
    sys->mu[0] = mu;
    dls_matrix_set(sys->H, 1, 0, 1);
    dls_matrix_set(sys->T, 0, 0, 1);
    push = mu * normal * (1 + beyond[k]);
    ed_run run = ed_system(sys, 1, NULL);
    assert_close(run.sim->v[0], push - mu * normal, 1e-6);
    assert_int_equal(run.sim->status[0], beyond[k] > 0 ? 2 : 1);
    assert_int_equal(run.sim->work.lcp_solves > 0, beyond[k] > 1e-12);
    ed_end(&run);
  }
}

static const double limit = 5; /* N, of the friction of two blocks of 1 kg with 10 N on the floor */
static double later;           /* s, from the slip of the first to that of the second */

static void push_two(const dls_system *sys, double t, double *F)
{
  (void)sys;
  F[0] = limit + (t - 1);
  F[1] = F[3] = -10;
  F[2] = limit + (t - 1 - later);
}

/* The pushes exceed the limit of friction from t = 1 s on, with 1 N/s. When the second block begins to slip, the first one slips with
 * later^2/2. Up to 3.6e-15 m/s this is round-off, and Coulomb's law is solved for its mode. Faster slip keeps its mode. */
DLS_TEST(slip_as_small_as_round_off_does_not_keep_its_mode)
{
  static const double slips[] = {1e-15, 1e-14, 1e-12};
  for (size_t k = 0; k < sizeof slips / sizeof *slips; k++) {
    dls_system *sys = ed_masses(4, 2);
    sys->d = 2;
    sys->T = dls_matrix_dense(4, 2);
    sys->load = push_two;
    sys->length = sys->time = 1;
    later = sqrt(2 * slips[k]);
    for (size_t j = 0; j < 2; j++) {
      dls_matrix_set(sys->H, 2 * j + 1, j, 1);
      dls_matrix_set(sys->T, 2 * j, j, 1);
      sys->mu[j] = mu;
    }
    ed_run run = ed_system(sys, 1.5, NULL);
    assert_close(ed_event(&run, DLS_SLIP, 0)->t, 1, 1e-12);
    assert_close(ed_event(&run, DLS_SLIP, 1)->t - 1, later, 1e-12);
    assert_close(run.sim->v[0], 0.5 * 0.5 * 0.5, 1e-12);
    assert_int_equal(run.sim->work.lcp_solves, slips[k] < 16 * DBL_EPSILON ? 1 : 0);
    ed_end(&run);
  }
}

static void fall(const dls_system *sys, double t, double *F)
{
  (void)t;
  for (size_t i = 0; i < sys->n; i++) {
    F[i] = -2;
  }
}

/* From t = 1e6 s on, where a double resolves 1.2e-10 s: both balls hit 1 s later, the second one `apart` after the first. */
DLS_TEST(impacts_within_the_resolution_of_the_time_are_one_event)
{
  static const double aparts[] = {0, 4e-10, 3e-9, 1e-8}, start = 1e6;
  for (size_t k = 0; k < sizeof aparts / sizeof *aparts; k++) {
    dls_system *sys = ed_masses(2, 2);
    sys->load = fall;
    for (size_t i = 0; i < 2; i++) {
      dls_matrix_set(sys->H, i, i, 1);
      sys->q0[i] = 1 + (i == 1 ? 2 * aparts[k] : 0);
      sys->e[i] = 0.5;
    }
    ed_run run = ed_start(sys, (const char *const[]){"method=flow", "eps_g=1e4", NULL});
    run.sim->t = start;
    run.status = dls_run(run.sim, &(dls_run_spec){.end = start + 1.5, .record = run.traj}, &run.err);
    assert_ok(run.status, run.err);
    const double first = ed_event(&run, DLS_IMPACT, 0)->t, second = ed_event(&run, DLS_IMPACT, 1)->t;
    assert_close(first, start + 1, 5e-10);
    if (aparts[k] < 4 * DBL_EPSILON * start) {
      assert_true(second == first);
    } else {
      assert_close(second - first, aparts[k], 5e-10);
    }
    ed_end(&run);
  }
}

static void weigh(const dls_system *sys, double t, double *F)
{
  (void)sys, (void)t;
  F[0] = F[1] = 0;
  F[2] = -10;
}

/* A body that bounces in space and can slip along one line only, in the directions f of its tangent plane: W_TT = 2 f f^T, W_TN = 0.2 f.
 * Impacts that stop its slip have P_T = -0.1 P f, and so has an infinite series of them. M = L L^T with L_11 = 0.01 cancels most digits of the
 * determinant of W_TT, 0, which is round-off of up to 1e-15. */
DLS_TEST(friction_of_a_series_is_along_the_line_of_its_tangents)
{
  const double l = 0.01, M[3][3] = {{1, 1, 0}, {1, 1 + l * l, 0}, {0, 0, 1}}, N[] = {0.2, 0.2, 1},
               T[] = {1, 1 + l, 0};
  for (int k = 1; k < 40; k++) {
    const double f[2] = {cos(0.04 * k), sin(0.04 * k)};
    dls_system *sys = ed_masses(3, 1);
    dls_matrix_destroy(sys->M);
    sys->M = dls_matrix_dense(3, 3);
    sys->d = 3;
    sys->T = dls_matrix_dense(3, 2);
    sys->load = weigh;
    sys->mu[0] = mu;
    sys->e[0] = 0.5;
    sys->q0[2] = 1;
    for (size_t i = 0; i < 3; i++) {
      for (size_t j = 0; j < 3; j++) {
        dls_matrix_set(sys->M, i, j, M[i][j]);
      }
      dls_matrix_set(sys->H, i, 0, N[i]);
      dls_matrix_set(sys->T, i, 0, f[0] * T[i]);
      dls_matrix_set(sys->T, i, 1, f[1] * T[i]);
    }
    ed_run run = ed_system(sys, 2, NULL);
    const dls_event *passed = ed_event(&run, DLS_ACCUMULATION, 0);
    const double P = passed->impulse, *P_T = passed->friction;
    assert_close(P_T[0] * f[0] + P_T[1] * f[1], -0.1 * P, 1e-8 * P);
    assert_close(P_T[0] * f[1] - P_T[1] * f[0], 0, 1e-12 * P);
    ed_end(&run);
  }
}

static void push_light_and_heavy(const dls_system *sys, double t, double *F)
{
  (void)sys, (void)t;
  F[0] = 1.1 * mu * 10;
  F[1] = -10;
  F[2] = push;
  F[3] = -normal;
}

/* A light block slips, so that Coulomb's law is solved for both. The solution leaves the heavy one, coupled by M, an acceleration of up to
 * 1e-7 m/s^2 by round-off of its forces of 1e9 N. This is no slip where friction is below its limit by `below` of it. */
static void hold_below_the_limit(double below)
{
  dls_system *sys = ed_masses(4, 2);
  dls_matrix_destroy(sys->M);
  sys->M = dls_matrix_dense(4, 4);
  sys->d = 2;
  sys->T = dls_matrix_dense(4, 2);
  sys->load = push_light_and_heavy;
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 4; k++) {
      dls_matrix_set(sys->M, (size_t)i, (size_t)k, i == k ? 1 : 0.02 * cos(2 * (i + k) + i * k));
    }
  }
  for (size_t j = 0; j < 2; j++) {
    dls_matrix_set(sys->H, 2 * j + 1, j, 1);
    dls_matrix_set(sys->T, 2 * j, j, 1);
    sys->mu[j] = mu;
  }
  push = mu * normal * (1 - below);
  ed_run run = ed_system(sys, 0.1, NULL);
  assert_int_equal(run.sim->status[0], 2);
  assert_int_equal(run.sim->status[1], 1);
  assert_close(run.sim->v[2], 0, 1e-15);
  ed_end(&run);
}

DLS_TEST(friction_just_below_its_limit_holds_in_spite_of_round_off)
{
  hold_below_the_limit(5e-9);
}

/* The limit itself is known to 1e-9, so that the round-off of the acceleration decides: a run that took it for slip never ended. */
DLS_TEST(friction_within_the_round_off_of_its_limit_holds)
{
  hold_below_the_limit(5e-10);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_push_beyond_the_limit_of_friction_by_round_off_needs_no_other_modes),
      cmocka_unit_test(friction_just_below_its_limit_holds_in_spite_of_round_off),
      cmocka_unit_test(friction_within_the_round_off_of_its_limit_holds),
      cmocka_unit_test(slip_as_small_as_round_off_does_not_keep_its_mode),
      cmocka_unit_test(impacts_within_the_resolution_of_the_time_are_one_event),
      cmocka_unit_test(friction_of_a_series_is_along_the_line_of_its_tangents),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
