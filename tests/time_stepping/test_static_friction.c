/* test_static_friction.c -- static friction above that of sliding in the Moreau-Jean schemes: order against the exact limit
 * cycle, what holds and what lets go, refusals. Sources: the exact solution of an oscillator on a belt.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/slider.h"
#include "models.h"
#include "runs.h"
#include <math.h>
#include <string.h>

/* The force jumps at release: order one for every theta, scattered for theta = 1/2. */
DLS_TEST(release_has_order_one)
{
  static const test_claim claims[] = {{"belt:Fs=1.5", "moreau-jean", "l1", 12, 0.75, 1.3, 0.75, 1.3},
                                      {"belt:Fs=1.5", "moreau-jean:theta=1", "l1", 12, 0.9, 1.1, 0.9, 1.1},
                                      {"belt:Fs=1.5", "moreau-jean-variant", "l1", 12, 0.75, 1.3, 0.75, 1.3}};
  dls_test_claims(claims, sizeof claims / sizeof claims[0]);
}

/* The belt carries the mass to 1.5 N, where it lets go and slips with 1 N; it is caught again at X - D, D = 1/2 m. */
DLS_TEST(it_holds_to_the_static_limit)
{
  test_run run = dls_test_run("belt:Fs=1.5", "moreau-jean", 1e-3, 12);
  double held = 0, slid = 0;
  for (size_t i = 1; i < run.traj->rows; i++) {
    const double force = fabs(dls_test_value(&run, i, "p0t")) / 1e-3;
    const bool slips = dls_test_value(&run, i, "status0") == 2;
    assert_true(slips || fabs(dls_test_value(&run, i, "u0t")) <= 1e-12);
    held = slips ? held : fmax(held, force);
    slid = slips ? fmax(slid, force) : slid;
  }
  assert_between(held, 1.499, 1.5);
  assert_close(slid, 1, 1e-12);
  dls_test_free(&run);
}

/* A block that comes to rest on an incline between both angles of friction stays; one that slides down goes on. */
DLS_TEST(status_decides_between_two_solutions)
{
  const char *const law = "newton-coulomb:mu=0.3,mu_s=0.7"; /* tan 30 degrees = 0.577 */
  char model[80];
  snprintf(model, sizeof model, "incline:v0=2 %s", law);
  test_run up = dls_test_run(model, "moreau-jean", 1e-3, 1);
  assert_close(up.sim->v[0], 0, 1e-12);
  assert_close(up.sim->q[0], 0.268322655232618, 2e-3); /* where it turns with mu = 0.3 */
  dls_test_free(&up);
  snprintf(model, sizeof model, "incline:v0=-2 %s", law);
  test_run down = dls_test_run(model, "moreau-jean", 1e-3, 1);
  assert_close(down.sim->v[0], -2 - 9.81 * (0.5 - 0.3 * sqrt(0.75)), 1e-10);
  dls_test_free(&down);
}

static void check_refusal(const char *model, const char *scheme, const char *reason)
{
  dls_error err = {0};
  test_run run = dls_test_prepare(model, scheme);
  const dls_run_spec spec = {.step = 1e-2, .end = 0.1, .record = run.traj};
  assert_int_equal(dls_run(run.sim, &spec, &err), DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, reason));
  dls_test_free(&run);
}

DLS_TEST(where_steps_have_several_solutions_it_is_refused)
{
  check_refusal("belt:Fs=1.5", "nonsmooth-newmark", "static friction above that of sliding");
  check_refusal("belt:Fs=1.5", "nonsmooth-generalized-alpha", "mu_s > mu");
  check_refusal("incline-stack newton-coulomb:mu=0.2,mu_s=0.4", "moreau-jean", "is coupled with contact");
}

/* Two blocks side by side on a plane are not coupled: one is pulled by 0.6 of its weight and holds, one by 0.8 and slides with mu = 0.3. */
DLS_TEST(contacts_that_do_not_touch_each_other_are_treated_one_by_one)
{
  const double g = 9.81, h = 1e-2;
  const dls_slider_row rows[] = {{{0, 1, 0, 0}}, {{1, 0, 0, 0}}, {{0, 0, 0, 1}}, {{0, 0, 1, 0}}};
  const dls_slider blocks = {.mass = {1, 1, 2, 2}, .load = {0.6 * g, -g, 1.6 * g, -2 * g}};
  dls_error err = {0};
  dls_system *sys = NULL;
  assert_ok(dls_slider_create("two blocks", 4, 2, 2, &blocks, rows, &sys, &err), err);
  for (size_t j = 0; j < 2; j++) {
    sys->mu[j] = 0.3;
    sys->mu_s[j] = 0.7;
  }
  test_run run = dls_test_run_of(sys, "moreau-jean", h, 1);
  assert_close(run.sim->v[0], 0, 1e-12);
  assert_close(run.sim->v[2], 0.5 * g, 0.4 * g * h); /* less where it begins to slip */
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(release_has_order_one),
      cmocka_unit_test(it_holds_to_the_static_limit),
      cmocka_unit_test(status_decides_between_two_solutions),
      cmocka_unit_test(where_steps_have_several_solutions_it_is_refused),
      cmocka_unit_test(contacts_that_do_not_touch_each_other_are_treated_one_by_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
