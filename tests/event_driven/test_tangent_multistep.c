/* test_tangent_multistep.c -- the multistep rule for tangents where the steps of the run are far too long for them: a mass at rest, whose
 * neighbours vibrate or leave it. Closed forms, evaluations, and tangents that overflow.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tangent_run.h"

static size_t calls;

/* F = -k q, of a system that counts as nonlinear. */
static void spring(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  (void)t;
  (void)v;
  F[0] = -*(const double *)sys->data * q[0];
  calls++;
}

static dls_system *make(double *k, double q0)
{
  dls_system *sys = ed_masses(1, 0);
  sys->linear = false;
  sys->force = spring;
  sys->explicit_time = DLS_TIME_NONE;
  sys->data = k;
  sys->q0[0] = q0;
  return sys;
}

/* d(q, v)/dq0 at the end. @return the status */
static dls_derivative_status differentiate(double *k, double end, const char *method, double *x)
{
  dls_error err = {0};
  tangent_run t = {.count = 1};
  t.direction[0] = (dls_direction){.name = "q0", .value = 0, .count = 2, .weight = {-500, 500}};
  t.direction[0].system[0] = make(k, -1e-3);
  t.direction[0].system[1] = make(k, 1e-3);
  t.run = ed_start(make(k, 0), (const char *const[]){method, "tol=1e-12", NULL});
  assert_ok(dls_sim_differentiate(t.run.sim, 1, t.direction, &err), err);
  calls = 0;
  assert_ok(dls_run(t.run.sim, &(dls_run_spec){.end = end}, &err), err);
  const dls_derivative_status status = dls_sensitivity_status(t.run.sim->sensitivity, 0);
  x[0] = tangent_of(&t, 0)->dq[0];
  x[1] = tangent_of(&t, 0)->dv[0];
  release(&t);
  return status;
}

/* The motion does not vibrate, so all steps are too long for its tangents. By the multistep rule on the nodes of erk, whose steps are
 * longest, they take a hundred evaluations per radian: with a wrong history of the steps four times as many. */
DLS_TEST(steps_too_long_for_tangents_are_divided)
{
  static const struct {
    const char *method;
    double least, most; /* evaluations per radian */
  } cases[] = {{"method=adams", 80, 480}, {"method=erk", 70, 140}};
  for (size_t i = 0; i < 2; i++) {
    for (double rate = 3; rate < 100; rate *= 3) {
      const double end = 2;
      double k = rate * rate, x[2];
      assert_int_equal(differentiate(&k, end, cases[i].method, x), DLS_DERIVATIVE_OK);
      assert_close(x[0], cos(rate * end), 1e-10);
      assert_close(x[1], -rate * sin(rate * end), 1e-10 * rate);
      assert_between((double)calls / (rate * end), cases[i].least, cases[i].most);
    }
  }
}

/* They grow as e^(1000 t), while the mass stays at rest. */
DLS_TEST(tangents_that_overflow_have_no_derivative)
{
  static const char *const methods[] = {"method=adams", "method=erk", "method=auto"};
  for (size_t i = 0; i < 3; i++) {
    double k = -1e6, x[2];
    assert_int_equal(differentiate(&k, 1, methods[i], x), DLS_DERIVATIVE_DEGENERATE);
    assert_true(isnan(x[0]) && isnan(x[1]));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_too_long_for_tangents_are_divided),
      cmocka_unit_test(tangents_that_overflow_have_no_derivative),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
