/* test_binary128.c -- functions of 113 bits for WebAssembly, compared with MPFR: random arguments, ends of the range, special values.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <float.h>
#include <stdio.h>

#if LDBL_MANT_DIG == 113
typedef long double binary128;
#define COSINE cosl
#define SINE sinl
#else
__extension__ typedef __float128 binary128;
binary128 cosf128(binary128 x); /* of glibc */
binary128 sinf128(binary128 x);
#define COSINE cosf128
#define SINE sinf128
#endif
#include "wasm/binary128.h"

#include "check.h"
#include <mpfr.h>
#include <string.h>

enum { PRECISION = 1024, COUNT = 4000 };

static const double most = 1.1;          /* error in units in the last place */
static const double most_of_parts = 2.6; /* that of exp, of a cosine within one unit, and of their product */

static uint64_t next(uint64_t *state) /* xorshift */
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  return *state ^= *state << 17;
}

/* Random bits of the fraction; exponent uniform in [low, high); either sign if `both`. */
static binary128 draw(uint64_t *state, int low, int high, bool both)
{
  const uint64_t exponent = (uint64_t)(low + BINARY128_BIAS + (int)(next(state) % (uint64_t)(high - low)));
  const uint64_t sign = both ? next(state) & 1 : 0;
  return (binary128_bits){.word = {next(state), sign << 63 | exponent << 48 | next(state) >> 16}}.value;
}

/* Exact, for finite numbers. */
static void to_mpfr(mpfr_t out, binary128 x)
{
  const binary128_bits bits = {.value = x};
  const int field = (int)(bits.word[1] >> 48 & BINARY128_FIELD);
  const uint64_t high = (bits.word[1] & 0xffffffffffff) | (field > 0 ? (uint64_t)1 << 48 : 0);
  mpfr_set_uj(out, high, MPFR_RNDN);
  mpfr_mul_2si(out, out, 64, MPFR_RNDN);
  mpfr_t low;
  mpfr_init2(low, 64);
  mpfr_set_uj(low, bits.word[0], MPFR_RNDN);
  mpfr_add(out, out, low, MPFR_RNDN);
  mpfr_mul_2si(out, out, (field > 0 ? field : 1) - BINARY128_BIAS - 112, MPFR_RNDN);
  mpfr_setsign(out, out, binary128_negative(x), MPFR_RNDN);
  mpfr_clear(low);
}

/* Error of a finite value in units in its last place. */
static double ulps(binary128 value, mpfr_t exact)
{
  mpfr_t difference;
  mpfr_init2(difference, PRECISION);
  to_mpfr(difference, value);
  mpfr_sub(difference, difference, exact, MPFR_RNDN);
  const mpfr_exp_t exponent =
      mpfr_get_exp(exact) > 2 - BINARY128_BIAS ? mpfr_get_exp(exact) : 2 - BINARY128_BIAS;
  mpfr_mul_2si(difference, difference, 113 - exponent, MPFR_RNDN);
  const double error = mpfr_get_d(difference, MPFR_RNDN);
  mpfr_clear(difference);
  return error < 0 ? -error : error;
}

typedef struct function {
  const char *name;
  binary128 (*ours)(binary128);
  int (*reference)(mpfr_t, const mpfr_t, mpfr_rnd_t);
  int low, high; /* exponents of the arguments */
  bool both;
} function;

static const function functions[] = {
    {"exp", binary128_exp, mpfr_exp, -130, 13, true},
    {"exp near 1", binary128_exp, mpfr_exp, -3, 3, true},
    {"expm1", binary128_expm1, mpfr_expm1, -130, 13, true},
    {"expm1 near 1", binary128_expm1, mpfr_expm1, -4, 7, true},
    {"log", binary128_log, mpfr_log, -16382, 16384, false},
    {"log near 1", binary128_log, mpfr_log, -3, 3, false},
    {"log2", binary128_log2, mpfr_log2, -16382, 16384, false},
    {"log2 near 1", binary128_log2, mpfr_log2, -3, 3, false},
    {"asinh", binary128_asinh, mpfr_asinh, -16382, 16384, true},
    {"asinh near 1", binary128_asinh, mpfr_asinh, -60, 64, true},
};

static void check_at(const function *f, binary128 argument, double *worst)
{
  mpfr_t x, y;
  mpfr_inits2(PRECISION, x, y, (mpfr_ptr)NULL);
  to_mpfr(x, argument);
  f->reference(y, x, MPFR_RNDN);
  const binary128 value = f->ours(argument);
  if (mpfr_get_exp(y) > BINARY128_BIAS + 1) {
    assert_true(value - value != 0 && (value > 0) == (mpfr_sgn(y) > 0));
  } else if (!mpfr_zero_p(y)) {
    const double error = ulps(value, y);
    *worst = error > *worst ? error : *worst;
  } else {
    assert_true(value == 0);
  }
  mpfr_clears(x, y, (mpfr_ptr)NULL);
}

static void functions_of_one_number_are_exact_to_the_last_digit(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
    const function *f = &functions[i];
    uint64_t random = 88172645463325252 + i;
    double worst = 0;
    for (int k = 0; k < COUNT; k++) {
      check_at(f, draw(&random, f->low, f->high, f->both), &worst);
    }
    print_message("%s: %.3f\n", f->name, worst);
    assert_between(worst, 0.4, most);
  }
}

static void logarithms_near_one_keep_their_digits(void **state)
{
  (void)state;
  uint64_t random = 362436069;
  double worst = 0;
  for (int k = 0; k < COUNT; k++) {
    const binary128 x = 1 + draw(&random, -112, -1, true);
    check_at(&functions[4], x, &worst);
    check_at(&functions[6], x, &worst);
  }
  assert_between(worst, 0.4, most);
}

/* Powers whose logarithm is of every size, also beyond the range. */
static void powers_are_exact_to_the_last_digit(void **state)
{
  (void)state;
  uint64_t random = 521288629;
  double worst = 0;
  int overflows = 0;
  mpfr_t x, y, z;
  mpfr_inits2(PRECISION, x, y, z, (mpfr_ptr)NULL);
  for (int k = 0; k < COUNT; k++) {
    const bool close = k % 2 == 0;
    const binary128 base = close ? 1 + draw(&random, -100, -1, true) : draw(&random, -16382, 16384, false);
    const binary128 size = binary128_log(base), scale = draw(&random, -20, 14, true);
    const binary128 exponent = scale / size;
    const binary128 value = binary128_pow(base, exponent);
    to_mpfr(x, base);
    to_mpfr(y, exponent);
    mpfr_pow(z, x, y, MPFR_RNDN);
    if (mpfr_get_exp(z) > BINARY128_BIAS + 1) {
      overflows++;
      assert_true(value > 0 && value - value != 0);
    } else {
      const double error = ulps(value, z);
      worst = error > worst ? error : worst;
    }
  }
  print_message("pow: %.3f, %d overflows\n", worst, overflows);
  assert_between(worst, 0.4, most);
  assert_true(overflows > 0);
  mpfr_clears(x, y, z, (mpfr_ptr)NULL);
}

/* exp(x + i y): each part to its own last digits, also where exp(x) alone overflows. */
static void parts_of_the_complex_exponential_are_exact_to_the_last_digits(void **state)
{
  (void)state;
  uint64_t random = 88675123;
  double worst = 0;
  int beyond = 0;
  mpfr_t x, y, exact[2];
  mpfr_inits2(PRECISION, x, y, exact[0], exact[1], (mpfr_ptr)NULL);
  for (int k = 0; k < COUNT; k++) {
    const bool large = k % 8 == 0; /* exp(x) just beyond the range, and an angle near 0 or pi/2 */
    const binary128 real = large ? 11357 + draw(&random, -3, 0, false) : draw(&random, -30, 13, true);
    const binary128 angle =
        large ? (k % 16 == 0 ? 0 : (binary128)1.5707963267948966) + draw(&random, -40, -20, true)
              : draw(&random, -30, 12, true);
    binary128 value[2];
    binary128_complex_exp(real, COSINE(angle), SINE(angle), value);
    to_mpfr(x, real);
    to_mpfr(y, angle);
    mpfr_sin_cos(exact[1], exact[0], y, MPFR_RNDN);
    mpfr_exp(x, x, MPFR_RNDN);
    for (int part = 0; part < 2; part++) {
      mpfr_mul(exact[part], exact[part], x, MPFR_RNDN);
      if (mpfr_get_exp(exact[part]) > BINARY128_BIAS + 1) {
        assert_true(value[part] - value[part] != 0 && (value[part] > 0) == (mpfr_sgn(exact[part]) > 0));
      } else {
        const double error = ulps(value[part], exact[part]);
        worst = error > worst ? error : worst;
        beyond += large;
      }
    }
  }
  print_message("complex exp: %.3f, %d finite parts where exp(x) is not\n", worst, beyond);
  assert_between(worst, 0.4, most_of_parts);
  assert_true(beyond > 100);
  mpfr_clears(x, y, exact[0], exact[1], (mpfr_ptr)NULL);
}

static void integer_powers_of_small_integers_are_exact(void **state)
{
  (void)state;
  for (int base = -20; base <= 20; base++) {
    binary128 exact = 1;
    for (int n = 1; n <= 26; n++) {
      exact *= base; /* below 2^113 */
      assert_true(binary128_pow(base, n) == exact);
    }
  }
  for (int n = -16494; n <= 16383; n += 7) {
    assert_true(binary128_pow(2, n) == binary128_scale(1, n));
    assert_true(n < -16382 || binary128_log2(binary128_power_of_two(n < 1 - BINARY128_BIAS ? 0 : n)) ==
                                  (n < 1 - BINARY128_BIAS ? 0 : n));
  }
}

/* As the standard has them for double (C11, annex F): natively computed by the C library. */
static void special_values_are_those_of_double(void **state)
{
  (void)state;
  static const double values[] = {0,   -0.0, 1, -1, 0.5,   -0.5,   2,        -2,        3,  -3,
                                  2.5, -2.5, 4, -4, 1e300, -1e300, INFINITY, -INFINITY, NAN};
  enum { VALUES = sizeof values / sizeof values[0] };
  for (int i = 0; i < VALUES; i++) {
    const double x = values[i];
    double ours[] = {(double)binary128_exp(x), (double)binary128_expm1(x), (double)binary128_log(x),
                     (double)binary128_log2(x), (double)binary128_asinh(x)};
    double theirs[] = {exp(x), expm1(x), log(x), log2(x), asinh(x)};
    for (size_t k = 0; k < sizeof ours / sizeof ours[0]; k++) {
      if (!isfinite(x) || x == 0 || isnan(theirs[k])) {
        assert_int_equal(isnan(ours[k]), isnan(theirs[k]));
        assert_true(isnan(ours[k]) || (ours[k] == theirs[k] && signbit(ours[k]) == signbit(theirs[k])));
      }
    }
    for (int j = 0; j < VALUES; j++) {
      const double y = values[j], power = (double)binary128_pow(x, y), exact = pow(x, y);
      assert_int_equal(isnan(power), isnan(exact));
      assert_true(isnan(exact) || (fabs(power - exact) <= 1e-15 * fabs(exact) || power == exact));
      assert_true(isnan(exact) || signbit(power) == signbit(exact));
    }
  }
}

static void results_at_the_ends_of_the_range(void **state)
{
  (void)state;
  const binary128 smallest = binary128_power_of_two(-16382) * binary128_power_of_two(-112);
  const binary128 largest = (2 - binary128_power_of_two(-112)) * binary128_power_of_two(16383);
  double worst = 0;
  for (int i = 4; i <= 8; i += 2) { /* log, log2, asinh */
    check_at(&functions[i], smallest, &worst);
    check_at(&functions[i], 3 * smallest, &worst);
    check_at(&functions[i], largest, &worst);
  }
  for (int k = -11434; k <= -11355; k++) { /* subnormal results */
    check_at(&functions[0], k + (binary128)0.3, &worst);
  }
  for (int k = 11354; k <= 11358; k++) { /* overflow at 11356.52 */
    check_at(&functions[0], k + (binary128)0.3, &worst);
    check_at(&functions[2], k + (binary128)0.3, &worst);
  }
  assert_between(worst, 0, most);
  assert_true(binary128_exp(-11500) == 0 && binary128_exp(-largest) == 0);
  assert_true(binary128_pow(largest, 2) - largest > 0 && binary128_pow(largest, -2) == 0);
  assert_true(binary128_pow(2, -16494) == smallest &&
              binary128_pow(1 + binary128_power_of_two(-112), smallest) == 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_of_one_number_are_exact_to_the_last_digit),
      cmocka_unit_test(logarithms_near_one_keep_their_digits),
      cmocka_unit_test(powers_are_exact_to_the_last_digit),
      cmocka_unit_test(parts_of_the_complex_exponential_are_exact_to_the_last_digits),
      cmocka_unit_test(integer_powers_of_small_integers_are_exact),
      cmocka_unit_test(special_values_are_those_of_double),
      cmocka_unit_test(results_at_the_ends_of_the_range),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
