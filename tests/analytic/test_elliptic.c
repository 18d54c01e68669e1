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
      cmocka_unit_test(they_are_inverse_to_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
