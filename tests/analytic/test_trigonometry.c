/* test_trigonometry.c -- sine, cosine and their inverses for rows of tables, against those of the C library; what is made of them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/elliptic.h"
#include "analytic/exact/support/trigonometry.h"
#include "analytic/exact/support/wave.h"
#include "check.h"
#include <math.h>

static double uniform(unsigned *seed, double low, double high)
{
  *seed = *seed * 1664525u + 1013904223u;
  return low + (high - low) * (*seed / 4294967296.0);
}

/* Differences in 2^-60; those of the C library are 2^-64. */
static double units(long double x, long double expected)
{
  return (double)ldexpl(x - expected, 60);
}

DLS_TEST(sine_and_cosine_are_those_of_the_library)
{
  unsigned seed = 1;
  for (int i = 0; i < 40000; i++) {
    const double most = i % 4 == 0 ? 1 : i % 4 == 1 ? 10 : i % 4 == 2 ? 1000 : 2e6;
    const long double y = uniform(&seed, -most, most) + uniform(&seed, -1e-17, 1e-17);
    const dls_sine_cosine at = dls_sine_cosine_of(y);
    assert_close(units(at.sine, sinl(y)), 0, 0.5);
    assert_close(units(at.cosine, cosl(y)), 0, 0.5);
  }
}

/* Next to multiples of pi/2 and where the nearest node changes. */
DLS_TEST(sine_and_cosine_next_to_their_nodes)
{
  for (int i = -2000; i <= 2000; i++) {
    for (int side = -1; side <= 1; side++) {
      const long double half = i / 32.0L + side * 1e-18L,
                        quadrant = i * 1.57079632679489661923L + side * 1e-10L;
      assert_close(units(dls_sine_cosine_of(half).sine, sinl(half)), 0, 0.5);
      assert_close(units(dls_sine_cosine_of(half).cosine, cosl(half)), 0, 0.5);
      assert_close(units(dls_sine_cosine_of(quadrant).sine, sinl(quadrant)), 0, 0.5);
      assert_close(units(dls_sine_cosine_of(quadrant).cosine, cosl(quadrant)), 0, 0.5);
    }
  }
}

DLS_TEST(what_is_small_keeps_its_digits)
{
  for (long double y = 0.04L; y > 1e-300L; y /= 3) {
    assert_close(units(dls_sine_cosine_of(y).sine / sinl(y), 1), 0, 0.5);
    assert_close(units(dls_arc_sine(y) / asinl(y), 1), 0, 0.5);
    assert_close(units(dls_arc_tangent(y) / atanl(y), 1), 0, 0.5);
  }
}

DLS_TEST(inverses_are_those_of_the_library)
{
  unsigned seed = 2;
  for (int i = 0; i < 20000; i++) {
    const long double x = uniform(&seed, -0.9, 0.9), far = expl(uniform(&seed, -5, 12));
    assert_close(units(dls_arc_sine(x), asinl(x)), 0, 1);
    assert_close(units(dls_arc_tangent(far), atanl(far)), 0, 0.5);
  }
}

/* Each member relative to itself; above 1/2 C and S are computed from sine and cosine, below from series. */
DLS_TEST(shapes_of_waves_for_rows)
{
  unsigned seed = 3;
  for (int i = 0; i < 20000; i++) {
    const long double omega = i % 9 == 0 ? 0 : expl(uniform(&seed, -8, 5)), s = expl(uniform(&seed, -8, 2));
    const dls_wave_shape row = dls_wave_row_shape(omega, s), at = dls_wave_shape_at(omega, s);
    const long double ends = fminl(1, at.C / (s * s / 2)); /* C vanishes again at each turn */
    assert_close(units(row.C / at.C, 1) * (double)ends, 0, 16);
    assert_close(units(row.S / at.S, 1), 0, 16);
    assert_close(units(row.sinc, at.sinc), 0, 16);
    assert_close(units(row.cosine, at.cosine), 0, 32);
  }
}

DLS_TEST(jacobi_for_rows)
{
  unsigned seed = 4;
  for (int i = 0; i < 20000; i++) {
    const long double kc = expl(uniform(&seed, -6, 0)), k = sqrtl((1 - kc) * (1 + kc)),
                      x = uniform(&seed, -4, 4);
    const dls_elliptic_means means = dls_elliptic_means_of(k, kc);
    const dls_jacobi row = dls_elliptic_jacobi_row(&means, x), at = dls_elliptic_jacobi(x, k, kc);
    assert_close(units(row.sn / at.sn, 1), 0, 8);
    assert_close(units(row.cn, at.cn), 0, 8);
    assert_close(units(row.dn, at.dn), 0, 8);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sine_and_cosine_are_those_of_the_library),
      cmocka_unit_test(sine_and_cosine_next_to_their_nodes),
      cmocka_unit_test(what_is_small_keeps_its_digits),
      cmocka_unit_test(inverses_are_those_of_the_library),
      cmocka_unit_test(shapes_of_waves_for_rows),
      cmocka_unit_test(jacobi_for_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
