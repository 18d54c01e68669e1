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
      cmocka_unit_test(the_acceleration_is_that_of_slope_and_friction),
      cmocka_unit_test(the_puck_on_the_belt_keeps_its_gap_closed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
