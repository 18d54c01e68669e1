/* test_compliance.c -- restitution formulas against known digits and against each other.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/contact/compliance.h"

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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(damping_of_four_restitution_coefficients),
      cmocka_unit_test(restitution_of_hunt_crossley_inverts_its_ratio),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
