/* test_accumulation_slip.c -- what an accumulation leaves of the slip of the contact that bounces, against the sums of all its impacts.
 *
 * One contact, q = (x, z), g = z, u_T = x', W = [1 w; w 1] (tangent first), free acceleration (0, -1): between impacts u_T does not change. An impact of
 * u_N < 0 has u^_N = u_N+ + e u_N- = 0 and
 *   sticks   u^_T = u_T+ + c u_T- = 0 if |P_T| <= mu P,   else slips   P_T = -mu s P,  P = -(1 + e) u_N-/(1 - s mu w),  s = sign u^_T.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ed_run.h"
#include <delassus/law.h>
#include <float.h>

extern const dls_law dls_law_newton_coulomb, dls_law_fremond, dls_law_moreau;

static const double mu = 0.2, e = 0.25, height = 0.5; /* the first impact at t = 1 with u_N- = -1 */
static double pull[2];                                /* load() knows no user data */

static void load(const dls_system *sys, double t, double *F)
{
  (void)sys, (void)t;
  F[0] = pull[0];
  F[1] = pull[1];
}

static dls_system *ball(const dls_law *law, double w, double slip, double away)
{
  const double det = 1 - w * w;
  dls_system *sys = ed_masses(2, 1);
  dls_matrix_destroy(sys->M);
  sys->M = dls_matrix_dense(2, 2);
  for (size_t i = 0; i < 2; i++) {
    dls_matrix_set(sys->M, i, i, 1 / det);
    dls_matrix_set(sys->M, i, 1 - i, -w / det);
    pull[i] = -dls_matrix_get(sys->M, i, 1);
  }
  sys->d = 2;
  sys->T = dls_matrix_dense(2, 1);
  sys->load = load;
  dls_matrix_set(sys->H, 1, 0, 1);
  dls_matrix_set(sys->T, 0, 0, 1);
  sys->mu[0] = mu;
  sys->e[0] = e;
  sys->law[0] = law;
  sys->w[0] = -away;
  sys->q0[1] = away + height;
  sys->v0[0] = slip;
  return sys;
}

/* u_T+ of an impact of u_N- = -speed. */
static double after(double c, double w, double speed, double slip)
{
  const double det = 1 - w * w, N = (1 + e) * speed, T = -(1 + c) * slip;
  const double P = (N - w * T) / det, P_T = (T - w * N) / det;
  if (fabs(P_T) <= mu * P) {
    return -c * slip;
  }
  for (double s = -1; s <= 1; s += 2) {
    const double Q = N / (1 - s * mu * w), change = (w - s * mu) * Q;
    if (s * ((1 + c) * slip + change) > 0) {
      return slip + change;
    }
  }
  fail_msg("an impact of %g, slip %g has no solution", -speed, slip);
  return 0;
}

static double after_all(double c, double w, double slip)
{
  for (double speed = 1; speed > DBL_MIN; speed *= e) {
    slip = after(c, w, speed, slip);
  }
  return slip;
}

/* Runs into rest; `left` would be left if slip went on in its direction. @return slip that is left, less that of all impacts */
static double run_to_rest(const dls_law *law, double c, double w, double left, double away, const char *tol,
                          dls_event *event)
{
  const double end = (1 + e) / (1 - e), slip = left - (w - mu) / (1 - mu * w) * end;
  ed_run run = ed_system(ball(law, w, slip, away), 1.01 * end, (const char *const[]){tol, NULL});
  assert_int_equal(ed_count(&run, DLS_ACCUMULATION), 1);
  *event = *ed_event(&run, DLS_ACCUMULATION, 0);
  for (size_t i = 0; i < run.traj->event_count; i++) {
    const dls_event *each = &run.traj->events[i];
    assert_true(fabs(each->friction[0]) <= mu * each->impulse * (1 + 1e-9) + 1e-15);
  }
  assert_true(run.sim->status[0] != 0);
  ed_end(&run);
  return event->slip_plus[0] - after_all(c, w, slip);
}

static const dls_law *const laws[] = {&dls_law_newton_coulomb, &dls_law_fremond, &dls_law_moreau};
static const double c_T[] = {0, 1, 0.25}, couplings[] = {-0.5, 0.1, 0.5};

/* Slip that goes on, ends or turns in one of the impacts, or swings. */
DLS_TEST(slip_that_is_left_is_that_of_all_impacts)
{
  static const double left[] = {2e-4, 1e-5, 1e-6, 1e-7, 0, -1e-6, -1e-4, -0.1};
  static const char *const tols[] = {"tol=1e-5", "tol=1e-8", "tol=1e-10"};
  double most = 0;
  for (size_t k = 0; k < 216; k++) {
    dls_event event;
    const size_t law = k / 72;
    const char *tol = tols[k % 3];
    const double error =
        run_to_rest(laws[law], c_T[law], couplings[k / 24 % 3], left[k / 3 % 8], 0, tol, &event);
    assert_close(error, 0, 0.1 * strtod(tol + 4, NULL));
    assert_true(event.duration > 0 && event.bound_velocity < 1e-12);
    most = fmax(most, fabs(error));
  }
  assert_between(most, 1e-10, 1e-6);
}

/* So far away that flights are lower than the round-off of the gap before slip has ended: what is left is within the bound, and no impulse
 * leaves its cone. The last flights that are made are 40 units x of the round-off high, so their speed is s = sqrt(80 x). A unit changes it by
 * x/s, and slip by (1 + e) (w + mu) times this: sqrt(x) 0.7 1.25/sqrt(80). The largest error of the runs is not less. */
DLS_TEST(slip_that_cannot_be_followed_is_within_its_bound)
{
  static const double away = 1e5;
  const double unit = nextafter(away, HUGE_VAL) - away, least = 0.7 * (1 + e) * sqrt(unit / 80); /* 3.7e-7 */
  size_t bounded = 0;
  double most = 0;
  for (size_t k = 0; k < 90; k++) {
    dls_event event;
    const size_t law = k / 30;
    const double error = run_to_rest(laws[law], c_T[law], couplings[k / 10 % 3],
                                     3e-4 * (1 - 0.5 * (double)(k % 10)), away, "tol=1e-8", &event);
    assert_close(error, 0,
                 event.bound_velocity + 5e-6); /* flights of some 40 units of the round-off are made */
    assert_true(event.bound_velocity < 2e-3);
    bounded += event.bound_velocity > 1e-6;
    most = fmax(most, fabs(error));
  }
  assert_between((double)bounded, 5, 60);
  assert_between(most, least, 1e-3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slip_that_is_left_is_that_of_all_impacts),
      cmocka_unit_test(slip_that_cannot_be_followed_is_within_its_bound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
