/* test_compliance.c -- restitution formulas against known digits and against each other; the impedance curve.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/contact/compliance.h"
#include <delassus/limit.h>
#include <math.h>

/* Digits of an independent solution of both equations. */
DLS_TEST(damping_of_four_restitution_coefficients)
{
  static const struct {
    double e, zeta, x;
  } known[] = {{0.25, 0.597342252153460, 3.84080603977801},
               {0.5, 0.255275637648652, 1.43275053327137},
               {0.75, 0.0971577713046252, 0.495911318234487},
               {0.9, 0.0342652041262327, 0.166481950685301}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    assert_close(dls_kelvin_voigt_ratio(known[i].e, false), known[i].zeta, 2e-15);
    assert_close(dls_hunt_crossley_ratio(known[i].e), known[i].x, 2e-14);
    assert_close(dls_kelvin_voigt_restitution(known[i].zeta, false), known[i].e, 1e-14);
    assert_close(dls_hunt_crossley_restitution(known[i].x), known[i].e, 1e-14);
  }
}

/* From a stiff damper, e ~ 1/x, to none. */
DLS_TEST(restitution_of_hunt_crossley_inverts_its_ratio)
{
  static const double es[] = {1e-4, 0.01, 0.1, 0.6, 0.99, 0.9999};
  for (size_t i = 0; i < sizeof es / sizeof es[0]; i++) {
    assert_close(dls_hunt_crossley_restitution(dls_hunt_crossley_ratio(es[i])), es[i], 1e-11);
  }
  assert_close(dls_hunt_crossley_restitution(0), 1, 0);
  assert_close(dls_hunt_crossley_restitution(100), 0.0100, 1e-6);
}

/* Ends, midpoint and both halves of the curve. */
DLS_TEST(impedance_rises_from_d0_to_dw)
{
  const dls_impedance soft = {0.9, 0.95, 0.001, 0.5, 2};
  static const double rs[] = {0, 0.00025, 0.0005, 0.00075, 0.001, 1};
  static const double ds[] = {0.9, 0.90625, 0.925, 0.94375, 0.95, 0.95};
  for (size_t i = 0; i < sizeof rs / sizeof rs[0]; i++) {
    assert_close(dls_impedance_at(&soft, rs[i]), ds[i], 1e-15);
    assert_close(dls_impedance_at(&soft, -rs[i]), ds[i], 1e-15);
  }
  const dls_impedance line = {0.2, 0.8, 0.1, 0.3, 1};
  assert_close(dls_impedance_at(&line, 0.025), 0.35, 1e-15);
  assert_close(dls_impedance_at(&line, 0.075), 0.65, 1e-15);
}

/* Rest depth r = a (1 - d) dw^2 tc^2 zeta^2/d^2 with d = d(r). */
DLS_TEST(rest_depth_of_the_default_contact)
{
  const dls_impedance soft = {0.9, 0.95, 0.001, 0.5, 2};
  static const double as[] = {2, 9.81}, depths[] = {8.82880128697006e-5, 3.67181842460e-4};
  for (size_t i = 0; i < 2; i++) {
    double r = 0;
    for (int k = 0; k < 200; k++) {
      const double d = dls_impedance_at(&soft, r);
      r = as[i] * (1 - d) * pow(0.95 * 0.02 / d, 2);
    }
    assert_close(r, depths[i], 1e-12 * depths[i] + (i == 1 ? 1e-15 : 0));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(damping_of_four_restitution_coefficients),
      cmocka_unit_test(restitution_of_hunt_crossley_inverts_its_ratio),
      cmocka_unit_test(impedance_rises_from_d0_to_dw),
      cmocka_unit_test(rest_depth_of_the_default_contact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
