/* test_weak_forces.c -- contact forces near the tolerance of forces: when does a contact that pulls end the run, and when does a force
 * that grows from 0 open a contact? Each limit is a row of the table of thresholds and is approached to a factor of five.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ed_run.h"
#include <math.h>
#include <string.h>

/* A contact is pressed with `press`, which decays within a second, and pulled with `pull` [N]; a second mass moves on: openings
 * count beside its way. */
typedef struct pulled {
  double press, pull;
} pulled;

static pulled forces;

static void press_and_pull(const dls_system *sys, double t, double *F)
{
  (void)sys;
  F[0] = forces.pull - (forces.press + forces.pull) * exp(-4 * t);
  F[1] = 0;
}

/* @return when the run ended because the contact pulls; 0: it did not */
static double refused_at(double press, double pull, double speed)
{
  forces = (pulled){press, pull};
  dls_system *sys = ed_masses(2, 1);
  sys->load = press_and_pull;
  sys->v0[1] = speed;
  dls_matrix_set(sys->H, 0, 0, 1);
  ed_run run = ed_try(sys, 40, (const char *const[]){"tol=1e-8", "max_step=0.02", NULL});
  const double t = run.sim->t;
  if (run.status != DLS_OK) {
    assert_int_equal(run.status, DLS_ERR_ARG);
    assert_non_null(strstr(run.err.text, "contact 0 has pulled with up to"));
  }
  ed_end(&run);
  return run.status == DLS_OK ? 0 : t;
}

/* eps_a is 1e-8 m/s^2: the scales fit if some contact force is larger than 1e-6. */
DLS_TEST(a_pull_beside_weak_forces_ends_the_run)
{
  assert_true(refused_at(3e-7, 5e-9, 0) > 0);
  assert_true(refused_at(3e-6, 5e-9, 0) == 0);
}

/* A pull of a thousandth of the largest force is none. */
DLS_TEST(a_pull_beside_a_much_larger_force_is_none)
{
  assert_true(refused_at(8e-7, 2e-9, 0) > 0);
  assert_true(refused_at(8e-7, 3e-10, 0) == 0);
}

/* Nor is one below 1e4 times the round-off of 1 m/s^2, which is 2.2e-12. */
DLS_TEST(a_pull_below_round_off_is_none)
{
  assert_true(refused_at(1e-9, 6e-12, 0) > 0);
  assert_true(refused_at(1e-10, 6e-13, 0) == 0);
}

/* A pull of 1e-9 from t = 0.45 s on is an error a tenth of the time scale later, if nothing else moves, for which its opening could be
 * small: 0.5 pull t^2 > 10 tol of the way 0.05 t, at t = 10 s. */
DLS_TEST(a_pull_is_an_error_when_it_has_lasted_and_would_have_opened)
{
  const double begin = log(1 + 5e-9 / 1e-9) / 4;
  assert_between(refused_at(5e-9, 1e-9, 0), begin + 0.06, begin + 0.2);
  assert_between(refused_at(5e-9, 1e-9, 0.05), begin + 7, begin + 15);
}

static double growth;

static void grow(const dls_system *sys, double t, double *F)
{
  (void)sys;
  F[0] = growth * t;
}

/* Where neither force nor acceleration is above eps_a = 1e-10, the forces 1e-4 s later decide: this contact opens at the start. */
DLS_TEST(a_force_that_grows_from_zero_opens_a_contact)
{
  const double rates[] = {1.5e-6, 1.5e-7};
  for (size_t i = 0; i < 2; i++) {
    growth = rates[i];
    dls_system *sys = ed_masses(1, 1);
    sys->load = grow;
    dls_matrix_set(sys->H, 0, 0, 1);
    ed_run run = ed_system(sys, 1, NULL);
    assert_int_equal(ed_count(&run, DLS_LIFT_OFF), i);
    assert_close(run.sim->q[0], rates[i] / 6, 1e-3 * rates[i]);
    ed_end(&run);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pull_beside_weak_forces_ends_the_run),
      cmocka_unit_test(a_pull_beside_a_much_larger_force_is_none),
      cmocka_unit_test(a_pull_below_round_off_is_none),
      cmocka_unit_test(a_pull_is_an_error_when_it_has_lasted_and_would_have_opened),
      cmocka_unit_test(a_force_that_grows_from_zero_opens_a_contact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
