/* test_slider_crank.c -- the slider-crank with ideal joints against a quadrature of its one degree of freedom,
 *   1/2 I(theta) theta'^2 + V(theta) = E,  t = int sqrt(I/(2 (E - V))) dtheta.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "runs.h"
#include <math.h>

static const double l1 = 0.153, l2 = 0.306, m1 = 0.038, m2 = 0.038, m3 = 0.076, J1 = 7.4e-5, J2 = 5.9e-4,
                    g = 9.81, start = 150, pi = 3.14159265358979323846;

/* I, V at the angle of the crank; beta: of the rod, l1 sin(theta) = l2 sin(beta). */
static void inertia(double theta, double *I, double *V)
{
  const double s = sin(theta), c = cos(theta), sb = l1 * s / l2, cb = sqrt(1 - sb * sb);
  const double rate = l1 * c / (l2 * cb);                                         /* beta'/theta' */
  const double slider = -l1 * s - l2 * sb * rate;                                 /* x'/theta' */
  const double x = -l1 * s - l2 / 2 * sb * rate, y = l1 * c - l2 / 2 * cb * rate; /* of the middle of the rod */
  *I = J1 + m1 * l1 * l1 / 4 + J2 * rate * rate + m2 * (x * x + y * y) + m3 * slider * slider;
  *V = g * (m1 + m2) * l1 / 2 * s; /* the middle of the rod is at half the height of the pin */
}

/* By Simpson's rule. */
static double time_to(double theta)
{
  enum { PARTS = 4000 };
  double I, V, sum = 0;
  inertia(0, &I, &V);
  const double E = I * start * start / 2 + V;
  for (int i = 0; i <= PARTS; i++) {
    inertia(theta * i / PARTS, &I, &V);
    sum += sqrt(I / (2 * (E - V))) * (i == 0 || i == PARTS ? 1 : i % 2 == 1 ? 4 : 2);
  }
  return sum * theta / PARTS / 3;
}

/* Angle of the crank at the end, in the turn that begins at 0. */
static double angle_of(const test_run *run)
{
  const double theta = atan2(run->sim->q[3], run->sim->q[2]);
  return theta < -1e-6 ? theta + 2 * pi : theta;
}

static void a_turn_takes_its_time(void **state)
{
  (void)state;
  const double turn = time_to(2 * pi);
  assert_close(turn, 0.0678871257564, 5e-14);
  test_run whole = dls_test_run("slider-crank", "event-driven:tol=1e-11", 0, turn);
  assert_close(angle_of(&whole), 0, 1e-8);
  dls_test_free(&whole);
  test_run part = dls_test_run("slider-crank", "event-driven:tol=1e-11", 0, 0.05);
  assert_close(angle_of(&part), 4.80923814, 1e-8);
  assert_close(time_to(angle_of(&part)), 0.05, 1e-10);
  dls_test_free(&part);
}

/* Error 4.43e-5 rad at h = 1e-4 s. */
static void the_energy_preserving_scheme_has_order_two(void **state)
{
  (void)state;
  double error[3];
  for (int k = 0; k < 3; k++) {
    test_run run = dls_test_run("slider-crank", "energy-preserving", 2e-4 / (1 << k), 0.05);
    error[k] = fabs(angle_of(&run) - 4.80923814);
    dls_test_free(&run);
  }
  print_message("  errors %.3g %.3g %.3g rad\n", error[0], error[1], error[2]);
  assert_close(error[1], 4.43e-5, 5e-7);
  assert_between(log2(error[0] / error[1]), 1.98, 2.02);
  assert_between(log2(error[1] / error[2]), 1.98, 2.02);
}

/* The slider lands flat, on two corners at once, again and again: both series are passed together, and what comes does not depend on the
 * tolerance. */
static void a_slider_comes_to_rest_on_its_guide(void **state)
{
  (void)state;
  test_run rough = dls_test_run("slider-crank-clearance", "event-driven:tol=1e-9", 0, 0.03),
           fine = dls_test_run("slider-crank-clearance", "event-driven:tol=1e-12", 0, 0.03);
  assert_between((double)fine.sim->work.impacts, 20, 120);
  for (size_t i = 0; i < fine.sys->n; i++) {
    assert_close(rough.sim->q[i], fine.sim->q[i], 1e-9);
  }
  dls_test_free(&rough);
  dls_test_free(&fine);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_turn_takes_its_time),
      cmocka_unit_test(the_energy_preserving_scheme_has_order_two),
      cmocka_unit_test(a_slider_comes_to_rest_on_its_guide),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
