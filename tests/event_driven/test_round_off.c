/* test_round_off.c -- what event-driven takes for round-off: forces at the limit of friction, impacts at almost the same time.
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_push_beyond_the_limit_of_friction_by_round_off_needs_no_other_modes),
      cmocka_unit_test(impacts_within_the_resolution_of_the_time_are_one_event),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
