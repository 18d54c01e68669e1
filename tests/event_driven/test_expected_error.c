/* test_expected_error.c -- long runs at two tolerances end apart: by tol times the growth of derivatives where there are derivatives, else by
 * what separates both sides of a discontinuity.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "models.h"
#include "runs.h"
#include "tangent_run.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <stdio.h>

#define ADAMS "event-driven:method=adams,tol=%g"

static test_run run_of(const char *model, double turn, double tol, double end)
{
  char scheme[80];
  dls_system *sys = dls_test_system(model);
  sys->v0[sys->n - 1] += turn;
  snprintf(scheme, sizeof scheme, ADAMS, tol);
  return dls_test_run_of(sys, scheme, 0, end);
}

/* Largest difference of two states, in units of the scales. */
static double apart(const test_run *a, const test_run *b)
{
  const dls_system *sys = a->sys;
  double most = 0;
  for (size_t i = 0; i < sys->n; i++) {
    most = fmax(most, fabs(a->sim->q[i] - b->sim->q[i]) / sys->length);
    most = fmax(most, fabs(a->sim->v[i] - b->sim->v[i]) * sys->time / sys->length);
  }
  return most;
}

static double expected_error(const char *name, const char *by, double tol, double end)
{
  double p[PARAMETERS];
  char text[40];
  dls_error err = {0};
  const dls_model *model = dls_model_find(name, &err);
  tangent_run t;
  snprintf(text, sizeof text, "tol=%g", tol);
  read_parameters(model, NULL, p);
  prepare(&t, model, p, (const char *const[]){by, NULL}, (const char *const[]){"method=adams", text, NULL});
  advance_to(&t, end, NULL, NULL);
  const double expected = dls_sensitivity_expected_error(t.run.sim, 0);
  release(&t);
  return expected;
}

/* For each model the error is the same fraction of what the growth predicts, for every tol and end: the growth is from 3e2 to 6e6. What is left
 * is chance: a factor of 3 above and below with steps that change at every tol. */
DLS_TEST(errors_are_the_tolerance_times_the_growth_of_derivatives)
{
  static const struct {
    const char *model, *by;
    double end, least, most; /* of the error over the expected one */
  } cases[] = {{"two-ball-oscillator", "q1", 2, 0.004, 0.08},
               {"two-ball-oscillator", "q1", 3, 0.004, 0.08},
               {"two-ball-oscillator", "q1", 5, 0.004, 0.08},
               {"vibrating-table", "v0", 2, 1e-5, 1e-4},
               {"vibrating-table", "v0", 4, 1e-5, 1e-4}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    test_run exact = run_of(cases[i].model, 0, 1e-12, cases[i].end);
    for (double tol = 1e-10; tol < 5e-6; tol *= 100) {
      test_run run = run_of(cases[i].model, 0, tol, cases[i].end);
      const double error = apart(&run, &exact),
                   expected = expected_error(cases[i].model, cases[i].by, tol, cases[i].end);
      assert_between(error / expected, cases[i].least, cases[i].most);
      dls_test_free(&run);
    }
    dls_test_free(&exact);
  }
}

/* Both corners of a slider strike at once, and act on each other. Turned by however little, it ends elsewhere, and with errors of tol, too. */
DLS_TEST(symmetric_impacts_have_another_motion_beside_them)
{
  enum { SIDES = DLS_TEST_CASES(3, 1) };
  static const double turn[] = {1e-10, 1e-8, 1e-6};
  test_run exact = run_of("slider-crank-clearance", 0, 1e-11, 0.2),
           coarse = run_of("slider-crank-clearance", 0, 1e-6, 0.2);
  double distance[SIDES];
  for (size_t i = 0; i < SIDES; i++) {
    test_run run = run_of("slider-crank-clearance", turn[i], 1e-11, 0.2);
    distance[i] = apart(&run, &exact);
    assert_between(distance[i], 3.8e-3, 4.2e-3);
    assert_close(distance[i], distance[0], 1e-6);
    dls_test_free(&run);
  }
  assert_between(apart(&coarse, &exact), 1e-6, distance[0]);
  dls_test_free(&exact);
  dls_test_free(&coarse);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_are_the_tolerance_times_the_growth_of_derivatives),
      cmocka_unit_test(symmetric_impacts_have_another_motion_beside_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
