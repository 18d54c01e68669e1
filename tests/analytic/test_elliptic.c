/* test_elliptic.c -- elliptic functions against GSL's, against each other and their limits.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/elliptic.h"
#include "check.h"
#include <gsl/gsl_sf_ellint.h>
#include <gsl/gsl_sf_elljac.h>
#include <math.h>

static double uniform(unsigned *seed, double low, double high)
{
  *seed = *seed * 1664525u + 1013904223u;
  return low + (high - low) * (*seed / 4294967296.0);
}

DLS_TEST(jacobi_are_those_of_gsl)
{
  unsigned seed = 1;
  for (int i = 0; i < 2000; i++) {
    const double x = uniform(&seed, -3, 3), m = uniform(&seed, 0, 0.999);
    double sn, cn, dn;
    gsl_sf_elljac_e(x, m, &sn, &cn, &dn);
    const dls_jacobi at = dls_elliptic_jacobi(x, sqrtl(m), sqrtl(1 - (long double)m));
    assert_close((double)at.sn, sn, 1e-14);
    assert_close((double)at.cn, cn, 1e-14);
    assert_close((double)at.dn, dn, 1e-14);
  }
}

DLS_TEST(carlson_is_that_of_gsl)
{
  unsigned seed = 2;
  for (int i = 0; i < 2000; i++) {
    const double x = exp(uniform(&seed, -8, 5)), y = exp(uniform(&seed, -8, 5)), z = exp(uniform(&seed, -8, 5));
    const double expected = gsl_sf_ellint_RF(x, i % 7 == 0 ? 0 : y, z, GSL_PREC_DOUBLE);
    assert_close((double)dls_elliptic_rf(x, i % 7 == 0 ? 0 : y, z), expected, 1e-14 * expected);
  }
}

DLS_TEST(carlson_of_the_third_kind_is_that_of_gsl)
{
  unsigned seed = 4;
  for (int i = 0; i < 2000; i++) {
    const double x = i % 5 == 0 ? 0 : exp(uniform(&seed, -8, 3)), y = exp(uniform(&seed, -8, 3)),
                 z = exp(uniform(&seed, -8, 3)), p = exp(uniform(&seed, -20, 3));
    const double third = gsl_sf_ellint_RJ(x, y, z, p, GSL_PREC_DOUBLE);
    assert_close((double)dls_elliptic_rj(x, y, z, p), third, 2e-13 * third);
    const double common = gsl_sf_ellint_RC(x, p, GSL_PREC_DOUBLE);
    assert_close((double)dls_elliptic_rc(x, p), common, 1e-14 * common);
  }
  assert_close((double)dls_elliptic_rc(4, 4), 0.5, 0);
}

/* R_J(x, x, x, x) = x^(-3/2), R_J(x, x, x, p) = 3 (R_C(x, p) - 1/sqrt(x))/(x - p), to the digits of long double. */
DLS_TEST(the_third_kind_has_its_closed_forms)
{
  unsigned seed = 5;
  for (int i = 0; i < 2000; i++) {
    const long double x = expl(uniform(&seed, -3, 3)), p = x * expl(uniform(&seed, 1, 12));
    const long double expected = 3 * (1 / sqrtl(x) - dls_elliptic_rc(x, p)) / (p - x);
    assert_close((double)(dls_elliptic_rj(x, x, x, p) / expected - 1), 0, 3e-18);
    assert_close((double)(dls_elliptic_rj(x, x, x, x) * x * sqrtl(x) - 1), 0, 1e-18);
  }
}

/* x = sn R_F(cn^2, dn^2, 1) to the digits of long double, sn relative to itself for small x, near k = 1 too. */
DLS_TEST(they_are_inverse_to_each_other)
{
  unsigned seed = 3;
  for (int i = 0; i < 2000; i++) {
    const long double x = expl(uniform(&seed, -40, 0)), kc = expl(uniform(&seed, -12, 0));
    const dls_jacobi at = dls_elliptic_jacobi(x, sqrtl((1 - kc) * (1 + kc)), kc);
    const long double back = at.sn * dls_elliptic_rf(at.cn * at.cn, at.dn * at.dn, 1);
    assert_close((double)(back / x - 1), 0, 3e-18);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jacobi_are_those_of_gsl),
      cmocka_unit_test(carlson_is_that_of_gsl),
      cmocka_unit_test(carlson_of_the_third_kind_is_that_of_gsl),
      cmocka_unit_test(the_third_kind_has_its_closed_forms),
      cmocka_unit_test(they_are_inverse_to_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
