/* test_exact_puck.c -- the last moments of the puck, and its acceleration where the path begins.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "models.h"
#include <delassus/catalogue.h>
#include <delassus/exact.h>
#include <math.h>

/* 1 < kappa: the speed falls to 0 like g_s (kappa - 1) (t_stop - t). At the last doubles before it the time left has no digit in t, and
 * the speed has all of them: it is linear in how many doubles are left. kappa = 1.5 and 2.5. */
DLS_TEST(the_speed_is_linear_at_the_last_doubles_before_rest)
{
  static const char *const models[] = {"puck", "puck:mu=0.5"};
  static const double kappas[] = {1.5, 2.5};
  const double gs = 9.81 * sin(atan(0.2));
  for (int m = 0; m < 2; m++) {
    const double k = kappas[m], stop = (k - 0.5) / (gs * (k * k - 1));
    double t = stop * (1 - 1e-15), v[16];
    for (int i = 0; i < 16; i++) {
      v[i] = hypot(dls_test_exact_value(models[m], t, "v0"), dls_test_exact_value(models[m], t, "v1"));
      t = nextafter(t, 0);
    }
    const double ulp = nextafter(t, 1) - t;
    for (int i = 1; i < 15; i++) {
      assert_close((v[i + 1] - v[i]) / (gs * (k - 1) * ulp), 1, 1e-6);
    }
  }
}

/* Once sigma = tan(phi/2) has fallen below every number, v = c + (1 - kappa) (g_s t - c sigma0^2/(1 + kappa)), c = v0/(1 + sigma0^2),
 * downhill: kappa = 0.99999 and 1 - 10^-9. */
DLS_TEST(the_speed_near_kappa_one_is_that_of_a_straight_path)
{
  static const char *const models[] = {"puck:mu=0.199998", "puck:mu=0.1999999998"};
  static const double mus[] = {0.199998, 0.1999999998}, times[] = {20000, 1e6};
  const long double alpha = 0.19739555984988075, gs = 9.81 * sinl(alpha),
                    c = 0.25L; /* phi0 = 2 pi/3: sigma0^2 = 3 */
  for (int m = 0; m < 2; m++) {
    const long double k = mus[m] / tanl(alpha), v = c + (1 - k) * (gs * times[m] - 3 * c / (1 + k));
    const long double x = (v * v - c * c) / (2 * gs * (1 - k)) - 9 * c * c / (2 * gs * (k + 1));
    assert_close(dls_test_exact_value(models[m], times[m], "v0"), (double)v, 1e-12);
    assert_close(dls_test_exact_value(models[m], times[m], "v1"), 0, 1e-300);
    assert_close(dls_test_exact_value(models[m], times[m], "q0") / (double)x, 1, 1e-9);
  }
}

/* Powers sigma0^(kappa - 1), here 10^-5000, do not appear: v = v0 - g_s (kappa - 1) t if phi0 is small. */
DLS_TEST(the_speed_is_finite_at_a_large_kappa)
{
  const double gs = 9.81 * sin(atan(0.2)), t = 0.5 / (499 * gs);
  assert_close(dls_test_exact_value("puck:mu=100,phi0=2e-10", t, "v0"), 0.5, 1e-12);
  assert_close(dls_test_exact_value("puck:mu=100,phi0=2e-10", t, "q0"), 0.75 * t, 1e-12 * t);
}

/* a = g_s e_x - mu g cos(alpha) v/|v|. */
DLS_TEST(the_acceleration_is_that_of_slope_and_friction)
{
  const double alpha = atan(0.2), drag = 0.3 * 9.81 * cos(alpha);
  for (double t = 0.05; t < 0.4; t += 0.05) {
    const double vx = dls_test_exact_value("puck", t, "v0"), vy = dls_test_exact_value("puck", t, "v1");
    assert_close(dls_test_exact_value("puck", t, "a0"), 9.81 * sin(alpha) - drag * vx / hypot(vx, vy), 1e-13);
    assert_close(dls_test_exact_value("puck", t, "a1"), -drag * vy / hypot(vx, vy), 1e-13);
  }
}

/* Thrown across a belt it stays on it. */
DLS_TEST(the_puck_on_the_belt_keeps_its_gap_closed)
{
  for (double t = 0; t < 1; t += 0.125) {
    assert_close(dls_test_exact_value("puck-belt", t, "g0"), 0, 0);
    assert_close(dls_test_exact_value("puck-belt", t, "u0"), 0, 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_speed_is_linear_at_the_last_doubles_before_rest),
      cmocka_unit_test(the_speed_near_kappa_one_is_that_of_a_straight_path),
      cmocka_unit_test(the_speed_is_finite_at_a_large_kappa),
      cmocka_unit_test(the_acceleration_is_that_of_slope_and_friction),
      cmocka_unit_test(the_puck_on_the_belt_keeps_its_gap_closed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
