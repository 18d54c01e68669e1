/* tests/analytic/test_linear_flow.c -- the exact flow against its Taylor series in 600 bits (MPFR).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/linear_flow.h"
#include "check.h"
#include <math.h>
#include <mpfr.h>
#include <stdlib.h>

enum { BITS = 600, TERMS = 400 };

static double uniform(unsigned *seed, double low, double high)
{
  *seed = *seed * 1664525u + 1013904223u;
  return low + (high - low) * (*seed / 4294967296.0);
}

/* q and v at s by the recurrence (i+1)(i+2) c_{i+2} = F_i - gamma (i+1) c_{i+1} - kappa c_i of Taylor
 * coefficients; s * rate up to about 60, where 600 bits leave more than 400 after cancellation. */
static void reference(const dls_flow *flow, const dls_flow_start *start, long double s, long double *q,
                      long double *v)
{
  mpfr_t x, y, c[TERMS + 2], cosine, sine, fact, f, h;
  mpfr_inits2(BITS, x, y, cosine, sine, fact, f, h, (mpfr_ptr)0);
  for (int i = 0; i < TERMS + 2; i++) {
    mpfr_init2(c[i], BITS);
  }
  mpfr_set_ld(c[0], start->q, MPFR_RNDN);
  mpfr_set_ld(c[1], start->v, MPFR_RNDN);
  mpfr_set_ld(x, flow->omega, MPFR_RNDN);
  mpfr_set_ld(h, start->t, MPFR_RNDN);
  mpfr_mul(x, x, h, MPFR_RNDN);
  mpfr_set_ld(h, flow->phase, MPFR_RNDN);
  mpfr_add(x, x, h, MPFR_RNDN);
  mpfr_sin_cos(sine, cosine, x, MPFR_RNDN);
  mpfr_set_ld(fact, flow->amplitude, MPFR_RNDN); /* amplitude omega^i/i! */
  for (int i = 0; i < TERMS; i++) {
    mpfr_mul(f, fact, i % 2 == 0 ? cosine : sine, MPFR_RNDN);
    if (i % 4 == 1 || i % 4 == 2) {
      mpfr_neg(f, f, MPFR_RNDN);
    }
    if (i == 0) {
      mpfr_set_ld(h, flow->force, MPFR_RNDN);
      mpfr_add(f, f, h, MPFR_RNDN);
    }
    mpfr_set_ld(h, flow->gamma, MPFR_RNDN);
    mpfr_mul(h, h, c[i + 1], MPFR_RNDN);
    mpfr_mul_ui(h, h, (unsigned long)i + 1, MPFR_RNDN);
    mpfr_sub(f, f, h, MPFR_RNDN);
    mpfr_set_ld(h, flow->kappa, MPFR_RNDN);
    mpfr_mul(h, h, c[i], MPFR_RNDN);
    mpfr_sub(f, f, h, MPFR_RNDN);
    mpfr_div_ui(c[i + 2], f, (unsigned long)(i + 1) * (unsigned long)(i + 2), MPFR_RNDN);
    mpfr_set_ld(h, flow->omega, MPFR_RNDN);
    mpfr_mul(fact, fact, h, MPFR_RNDN);
    mpfr_div_ui(fact, fact, (unsigned long)i + 1, MPFR_RNDN);
  }
  mpfr_set_zero(x, 1);
  mpfr_set_zero(y, 1);
  mpfr_set_ld(h, s, MPFR_RNDN);
  for (int i = TERMS + 1; i >= 0; i--) { /* Horner, value and slope */
    mpfr_fma(y, y, h, x, MPFR_RNDN);
    mpfr_fma(x, x, h, c[i], MPFR_RNDN);
  }
  *q = mpfr_get_ld(x, MPFR_RNDN);
  *v = mpfr_get_ld(y, MPFR_RNDN);
  for (int i = 0; i < TERMS + 2; i++) {
    mpfr_clear(c[i]);
  }
  mpfr_clears(x, y, cosine, sine, fact, f, h, (mpfr_ptr)0);
}

/* Damping and forcing of every kind; kind counts through them. */
static dls_flow any_flow(unsigned kind, unsigned *seed)
{
  const double omega0 = exp(uniform(seed, -2, 2));
  const double ratios[] = {0, 1e-9, 0.1, 1 - 1e-12, 1, 1 + 1e-12, 3, 20};
  const double kappa = kind % 9 == 8 ? 0 : omega0 * omega0;
  const double gamma = 2 * omega0 * ratios[kind % 8];
  const double drives[] = {0, 1, 1 + 1e-13, 1 + 1e-6, 0.01, 7};
  const double omega = omega0 * drives[kind / 8 % 6], amplitude = kind % 5 == 4 ? 0 : uniform(seed, -3, 3);
  return dls_flow_create(gamma, kappa, uniform(seed, -2, 2), amplitude, omega, uniform(seed, -4, 4));
}

DLS_TEST(flow_agrees_with_its_taylor_series_in_every_regime)
{
  unsigned seed = 1;
  for (unsigned kind = 0; kind < 400; kind++) {
    const dls_flow flow = any_flow(kind, &seed);
    const dls_flow_start start = {uniform(&seed, 0, 10), uniform(&seed, 0, 2), uniform(&seed, -2, 2)};
    const long double span = fminl(60 / fmaxl(flow.rate, 1), 1000), s = span * uniform(&seed, 0, 1);
    long double q, v;
    reference(&flow, &start, s, &q, &v);
    const dls_flow_state at = dls_flow_at(&flow, &start, s);
    const long double force = fabsl(flow.force) + fabsl(flow.amplitude);
    const long double scale = 1 + fabsl(q) + s * (fabsl(v) + fabsl(start.v) + s * force);
    assert_close((double)(at.q - q), 0, 3e-17 * (double)scale);
    assert_close((double)(at.v - v), 0, 3e-17 * (double)(scale * fmaxl(1, flow.rate)));
  }
}

DLS_TEST(short_flights_keep_their_relative_accuracy)
{
  unsigned seed = 2;
  for (unsigned kind = 0; kind < 300; kind++) {
    const dls_flow flow = any_flow(kind, &seed);
    const long double small = powl(10, -uniform(&seed, 1, 18));
    const dls_flow_start start = {uniform(&seed, 0, 10), 0, small};
    const long double force = fabsl(flow.force) + fabsl(flow.amplitude) + flow.gamma * small + 1e-3L;
    const long double s = small / force * uniform(&seed, 0, 2);
    long double q, v;
    reference(&flow, &start, s, &q, &v);
    const dls_flow_state at = dls_flow_at(&flow, &start, s);
    assert_close((double)((at.q - q) / (small * s)), 0, 1e-17);
    assert_close((double)((at.v - v) / small), 0, 1e-17);
  }
}

DLS_TEST(overdamped_decay_never_reaches_the_wall)
{
  long double s, v;
  bool grazes;
  const double dampings[] = {2, 2.5, 10, 1e4, 1e8};
  for (size_t i = 0; i < 5; i++) {
    const dls_flow flow = dls_flow_create(dampings[i], 1, 0, 0, 0, 0);
    const dls_flow_start start = {0, 1, 0};
    assert_false(dls_flow_first_zero(&flow, &start, 0, 1e5L, &s, &v, &grazes));
    /* q = e^(-s) (1 + s), and slow decay exp(-s/gamma) for large damping */
    const long double at = i == 0 ? 600 : 600 * dampings[i];
    const long double slow = (dampings[i] - sqrtl(dampings[i] * (long double)dampings[i] - 4)) / 2;
    if (i == 0) {
      assert_close((double)(dls_flow_at(&flow, &start, at).q / (601 * expl(-600))), 1, 1e-16);
    } else if (i < 3) { /* slow is computed here with cancellation */
      const long double fast = dampings[i] - slow;
      const long double exact = fast * expl(-slow * at) / (fast - slow);
      assert_close((double)(dls_flow_at(&flow, &start, at).q / exact), 1, 1e-14);
    }
  }
}

/* Every flight against dense sampling: positive before the root, zero there. */
DLS_TEST(first_zero_is_the_first)
{
  unsigned seed = 3;
  int found = 0;
  for (unsigned kind = 0; kind < 600; kind++) {
    const dls_flow flow = any_flow(kind, &seed);
    const bool touching = kind % 3 == 0;
    const dls_flow_start start = {uniform(&seed, 0, 9), touching ? 0 : uniform(&seed, 0, 1),
                                  uniform(&seed, 0.01, 2)};
    const long double s_max = uniform(&seed, 0.1, 15);
    long double s = s_max, v = 0;
    bool grazes = false;
    const bool hit = dls_flow_first_zero(&flow, &start, touching ? 1 : 0, s_max, &s, &v, &grazes);
    found += hit;
    for (int i = 1; i < 300; i++) {
      const long double at = (hit ? s : s_max) * i / 300;
      assert_true(dls_flow_at(&flow, &start, at).q > 0);
    }
    if (hit) {
      assert_close((double)dls_flow_at(&flow, &start, s).q, 0, 1e-16 * (double)(1 + fabsl(v) * s));
      assert_true(v < 0 || grazes);
    }
  }
  assert_between(found, 200, 550);
}

/* q = 1 + cos s - depth touches zero twice, just above, or dips below. */
DLS_TEST(near_misses_and_double_roots_are_told_apart)
{
  const dls_flow flow = dls_flow_create(0, 1, 1, 0, 0, 0);
  const long double pi = acosl(-1.0L);
  long double s = 0, v = 0;
  bool grazes = false;
  for (int i = 2; i <= 15; i++) {
    const long double depth = powl(10, -i);
    const dls_flow_start miss = {0, 2 - depth, 0}, hit = {0, 2 + depth, 0};
    assert_false(dls_flow_first_zero(&flow, &miss, 0, 2 * pi, &s, &v, &grazes));
    assert_true(dls_flow_first_zero(&flow, &hit, 0, 2 * pi, &s, &v, &grazes));
    assert_false(grazes);
    assert_close((double)((pi - s) / acosl(1 / (1 + depth))), 1, 1e-18 / (double)depth + 1e-15);
  }
  const dls_flow_start touch = {0, 2, 0};
  assert_true(dls_flow_first_zero(&flow, &touch, 0, 2 * pi, &s, &v, &grazes));
  assert_true(grazes && v == 0);
  assert_close((double)(s - pi), 0, 1e-16);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flow_agrees_with_its_taylor_series_in_every_regime),
      cmocka_unit_test(short_flights_keep_their_relative_accuracy),
      cmocka_unit_test(overdamped_decay_never_reaches_the_wall),
      cmocka_unit_test(first_zero_is_the_first),
      cmocka_unit_test(near_misses_and_double_roots_are_told_apart),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  mpfr_free_cache();
  return failed;
}
