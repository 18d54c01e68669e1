/* tests/analytic/test_wave.c -- waves with a parabola: closed forms, limits, and first zeros against scans.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/wave.h"
#include "check.h"
#include <float.h>
#include <math.h>

static double uniform(unsigned *seed, double low, double high)
{
  *seed = *seed * 1664525u + 1013904223u;
  return low + (high - low) * (*seed / 4294967296.0);
}

/* Relative to the largest term: cos and sin as printed for omega s > 1, Taylor sums below. */
DLS_TEST(waves_are_those_of_their_differential_equation)
{
  unsigned seed = 1;
  for (int i = 0; i < 2000; i++) {
    const long double w = i % 9 == 0 ? 0 : exp(uniform(&seed, -8, 5)), s = exp(uniform(&seed, -8, 2));
    const dls_wave wave = {uniform(&seed, -1, 1), uniform(&seed, -1, 1), uniform(&seed, -1, 1),
                           uniform(&seed, -1, 1), uniform(&seed, -1, 1), w};
    long double C = 0, S = 0, dC = 0, dS = 0, y = w * s;
    if (y > 1) {
      C = (1 - cosl(y)) / (w * w);
      S = (y - sinl(y)) / (w * w * w);
      dC = sinl(y) / w;
      dS = C;
    } else {
      long double term = s; /* (-1)^j w^(2j) s^(2j+1)/(2j+1)! */
      for (int j = 0; j < 15; j++) {
        dC += term;
        dS += term * s / (2 * j + 2);
        C += term * s / (2 * j + 2);
        S += term * s * s / ((2 * j + 2) * (2 * j + 3));
        term *= -y * y / ((2 * j + 2) * (2 * j + 3));
      }
    }
    const dls_wave_state at = dls_wave_at(&wave, s);
    const long double x = wave.x0 + wave.x1 * s + wave.p * s * s / 2 + wave.a * C + wave.b * S;
    const long double d = wave.x1 + wave.p * s + wave.a * dC + wave.b * dS;
    const long double dd = wave.p + wave.a * cosl(y) + wave.b * dC;
    const long double size = 1 + s * (1 + s * (1 + s));
    assert_close((double)((at.x - x) / size), 0,
                 4e-18); /* (1 - cos y) of the reference loses digits near 2 pi */
    assert_close((double)((at.d - d) / size), 0, 4e-18);
    assert_close((double)((at.dd - dd) / size), 0, 4e-18);
  }
}

/* x = V s - s^2/2 + small waves: the digits of x are those of V s, however small V. */
DLS_TEST(short_flights_keep_their_digits)
{
  for (long double V = 1; V > 1e-25L; V /= 32) {
    const dls_wave wave = {0, V, -1 - 0.25L, 0.25L, 0.5L, 3};
    const long double s = V / 2;
    const double x = (double)(dls_wave_at(&wave, s).x / (V * V));
    const double sum = (double)(0.5L - 0.125L + s / 48 - 0.25L * 9 * s * s / 96); /* and O(s^3) */
    assert_close(x, sum, V < 1e-5L ? 2e-16 : 1);
    long double root, slope;
    bool grazes;
    assert_true(dls_wave_first_zero(&wave, 1, 10, &root, &slope, &grazes));
    assert_false(grazes);
    assert_close((double)(root / V), 2, 3 * (double)V + 1e-17);
    assert_close((double)(slope / V), -1, 3 * (double)V + 1e-17);
  }
}

/* 1 + delta + cos s touches, misses or crosses zero near pi. */
DLS_TEST(double_roots_graze_near_misses_pass_crossings_are_found)
{
  const long double pi = acosl(-1.0L);
  long double s, d;
  bool grazes = false;
  const dls_wave touch = {2, 0, 0, -1, 0, 1};
  assert_true(dls_wave_first_zero(&touch, 0, 10, &s, &d, &grazes));
  assert_true(grazes);
  assert_close((double)s, (double)pi, 1e-9); /* no more is to be had: the root is double */
  assert_close((double)d, 0, 0);
  for (long double delta = 1e-2L; delta > 1e-15L; delta /= 10) {
    const dls_wave miss = {2 + delta, 0, 0, -1, 0, 1}, cross = {2 - delta, 0, 0, -1, 0, 1};
    assert_false(dls_wave_first_zero(&miss, 0, 100, &s, &d, &grazes));
    assert_true(dls_wave_first_zero(&cross, 0, 100, &s, &d, &grazes));
    assert_false(grazes);
    assert_close((double)((s - acosl(-1 + delta)) * sqrtl(delta)), 0, 1e-18);
    assert_close((double)(d / -sqrtl(delta * (2 - delta))), 1, 1e-3);
  }
}

/* A scan of 3000 points sees no zero before the one found, and a change of sign there. */
DLS_TEST(no_zero_is_passed)
{
  unsigned seed = 2;
  int found = 0;
  for (int i = 0; i < 300; i++) {
    const unsigned lead = (unsigned)i % 4;
    dls_wave wave = {uniform(&seed, 0, 0.1), uniform(&seed, -1, 1), uniform(&seed, -1, 0.1),
                     uniform(&seed, -9, 9),  uniform(&seed, -9, 9), exp(uniform(&seed, -1, 3))};
    wave.x0 = lead > 0 ? 0 : wave.x0;
    wave.x1 = lead > 1 ? 0 : lead == 1 ? fabsl(wave.x1) : wave.x1;
    wave.a = lead == 3 ? -wave.p : lead == 2 ? 1 + fabsl(wave.p) : wave.a;
    wave.b = lead == 3 ? fabsl(wave.b) : wave.b;
    const long double s_max = 10;
    long double s = s_max, d = 0;
    bool grazes = false;
    const bool is = dls_wave_first_zero(&wave, lead, s_max, &s, &d, &grazes);
    for (int j = 1; j < 3000; j++) {
      assert_true(dls_wave_at(&wave, (is ? s : s_max) * j / 3000).x > 0);
    }
    if (is) {
      const long double size = fabsl(d) + 1;
      assert_true(d < 0 && s <= s_max && dls_wave_at(&wave, s * (1 + 1e-12L)).x < 0);
      assert_close((double)(dls_wave_at(&wave, s).x / size), 0, 1e-16);
      found++;
    }
  }
  assert_between(found, 100, 299);
}

DLS_TEST(derivatives_stay_within_their_bounds)
{
  unsigned seed = 3;
  for (int i = 0; i < 50; i++) {
    const dls_wave wave = {0, 0, 1, uniform(&seed, -1, 1), uniform(&seed, -1, 1), exp(uniform(&seed, -1, 2))};
    const long double w = wave.omega;
    long double most = 0;
    for (long double s = 0; s < 7 / w; s += 1e-3L / w) { /* x'''' = -w^2 (x'' - p) */
      most = fmaxl(most, w * w * fabsl(dls_wave_at(&wave, s).dd - wave.p));
    }
    assert_close((double)(dls_wave_fourth(&wave) / most), 1, 1e-6);
    assert_close((double)(dls_wave_fifth(&wave) / (w * dls_wave_fourth(&wave))), 1, 1e-15);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(waves_are_those_of_their_differential_equation),
      cmocka_unit_test(short_flights_keep_their_digits),
      cmocka_unit_test(double_roots_graze_near_misses_pass_crossings_are_found),
      cmocka_unit_test(no_zero_is_passed),
      cmocka_unit_test(derivatives_stay_within_their_bounds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
