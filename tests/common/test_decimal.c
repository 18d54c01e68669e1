/* tests/common/test_decimal.c -- doubles as decimal numbers: every one reads back as it was, in the fewest digits; numbers
 * are read to the bits that strtod reads. References: strtod, and Python's repr and float by tests/common/decimal.py.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700 /* popen */
#include "check.h"
#include "common/base/decimal.h"
#include <float.h>
#include <gsl/gsl_rng.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t bits_of(double x)
{
  uint64_t bits = 0;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static double double_of(uint64_t bits)
{
  double x = 0;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static gsl_rng *generator(unsigned long seed)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, seed);
  return rng;
}

static uint64_t random_bits(gsl_rng *rng)
{
  return (uint64_t)gsl_rng_get(rng) << 32 | gsl_rng_get(rng);
}

/* Written, and read back; by strtod too, if it is to judge. */
static void check_round_trip(double x, bool judged)
{
  char text[DLS_DECIMAL_SIZE];
  double back = 0;
  const size_t length = dls_decimal_write(x, text);
  assert_int_equal(length, strlen(text));
  assert_true(length <= 24);
  if (dls_decimal_read(text, text + strlen(text), &back) != length || bits_of(back) != bits_of(x)) {
    fail_msg("%.17g is written as %s, which is read as %.17g", x, text, back);
  }
  if (judged && bits_of(strtod(text, NULL)) != bits_of(x)) {
    fail_msg("%.17g is written as %s, which strtod reads as %.17g", x, text, strtod(text, NULL));
  }
}

DLS_TEST(a_million_random_doubles_read_back_bit_for_bit)
{
  gsl_rng *rng = generator(1);
  for (int i = 0; i < 1000000; i++) {
    const double x = double_of(random_bits(rng));
    if (isfinite(x)) {
      check_round_trip(x, i % 20 == 0);
    }
  }
  for (int i = 0; i < 20000; i++) {
    check_round_trip(double_of(random_bits(rng) >> (12 + i % 52)), true); /* subnormal */
    check_round_trip(gsl_rng_uniform(rng) * 2 - 1, true);
    check_round_trip((double)(random_bits(rng) >> (i % 64)), true); /* integers */
    check_round_trip((double)(i - 10000) / 1000, true);
  }
  gsl_rng_free(rng);
}

DLS_TEST(powers_and_their_neighbours_read_back_bit_for_bit)
{
  for (int e = -1074; e <= 1023; e++) {
    const double x = ldexp(1, e);
    check_round_trip(x, true);
    check_round_trip(nextafter(x, 0), true);
    check_round_trip(-nextafter(x, INFINITY), true);
  }
  for (int e = -323; e <= 308; e++) {
    char text[16];
    snprintf(text, sizeof text, "1e%d", e);
    const double x = strtod(text, NULL);
    check_round_trip(x, true);
    check_round_trip(-nextafter(x, 0), true);
    check_round_trip(nextafter(x, INFINITY), true);
  }
}

DLS_TEST(numbers_are_laid_out_as_people_write_them)
{
  static const struct {
    double x;
    const char *text;
  } cases[] = {{0, "0"},
               {-0.0, "-0"},
               {1, "1"},
               {-2, "-2"},
               {100, "100"},
               {0.1, "0.1"},
               {-0.25, "-0.25"},
               {1234.5, "1234.5"},
               {1e-4, "0.0001"},
               {0.00012, "0.00012"},
               {1e-5, "1e-05"},
               {-1.25e-7, "-1.25e-07"},
               {123456789012345, "123456789012345"},
               {9007199254740992, "9007199254740992"},
               {1e15, "1000000000000000"},
               {1e16, "1e+16"},
               {1.5e16, "1.5e+16"},
               {1e22, "1e+22"},
               {1e23, "1e+23"},
               {1e100, "1e+100"},
               {1e-100, "1e-100"},
               {1.0 / 3, "0.3333333333333333"},
               {0.1 + 0.2, "0.30000000000000004"},
               {5e-324, "5e-324"},
               {DBL_MIN, "2.2250738585072014e-308"},
               {DBL_MAX, "1.7976931348623157e+308"},
               {-DBL_MAX, "-1.7976931348623157e+308"},
               {9.5367431640625e-07, "9.5367431640625e-07"},
               {INFINITY, "inf"},
               {-INFINITY, "-inf"},
               {NAN, "nan"},
               {-NAN, "nan"}};
  char text[DLS_DECIMAL_SIZE];
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assert_int_equal(dls_decimal_write(cases[i].x, text), strlen(cases[i].text));
    assert_string_equal(text, cases[i].text);
  }
}

/* As strtod, or left to it. @return whether it was read */
static bool check_read(const char *text)
{
  double x = 0;
  char *end = NULL;
  const double expected = strtod(text, &end);
  const size_t length = dls_decimal_read(text, text + strlen(text), &x);
  if (length == 0) {
    return false;
  }
  assert_int_equal(length, end - text);
  if (bits_of(x) != bits_of(expected)) {
    fail_msg("%s is read as %.17g, by strtod as %.17g", text, x, expected);
  }
  return true;
}

DLS_TEST(numbers_of_up_to_19_digits_are_read_as_strtod_reads_them)
{
  gsl_rng *rng = generator(2);
  char text[64];
  int read = 0;
  for (int i = 0; i < 60000; i++) {
    const uint64_t w = random_bits(rng) % UINT64_C(10000000000000000000) >> (i % 60);
    const int e = (int)gsl_rng_uniform_int(rng, i % 2 == 0 ? 700 : 60) - (i % 2 == 0 ? 370 : 40);
    snprintf(text, sizeof text, "%" PRIu64 "e%d", w, e);
    read += check_read(text);
  }
  assert_between(read, 55000, 60000); /* of the rest most are too large */
  gsl_rng_free(rng);
}

/* Half way between two doubles, and next to it. */
DLS_TEST(ties_are_read_to_the_even_double)
{
  gsl_rng *rng = generator(3);
  char text[64];
  for (int i = 0; i < 20000; i++) {
    const uint64_t c = (random_bits(rng) >> 11 | UINT64_C(1) << 52) * 2 + 1; /* 54 bits */
    for (int shift = 0; shift <= 9; shift++) {
      for (int d = -1; d <= 1; d++) {
        snprintf(text, sizeof text, "%" PRIu64, (c << shift) + (uint64_t)(int64_t)d);
        assert_true(check_read(text));
      }
    }
    const double half = (double)(2 * (random_bits(rng) >> 12) + 1); /* times 2^-k, exact in 19 digits */
    snprintf(text, sizeof text, "%.1f", half / 2);
    check_read(text);
  }
  static const char *const exact[] = {"9007199254740993",
                                      "9007199254740992.5",
                                      "4503599627370496.5",
                                      "4503599627370497.5",
                                      "2251799813685248.25",
                                      "2251799813685248.75",
                                      "1e22",
                                      "1e23",
                                      "8.5e-1",
                                      "0.5e0",
                                      "900719925474099300e-2",
                                      "9007199254740993e-1",
                                      "2.2250738585072011e-308",
                                      "2.2250738585072012e-308",
                                      "2.225073858507201e-308",
                                      "5e-324",
                                      "4.9e-324"};
  for (size_t i = 0; i < sizeof exact / sizeof exact[0]; i++) {
    assert_true(check_read(exact[i]));
  }
  assert_true(check_read("2e-324") && check_read("3e-324") && check_read("1e-400") &&
              check_read("1e-99999999"));
  gsl_rng_free(rng);
}

DLS_TEST(what_is_no_number_or_a_hard_one_is_left_to_strtod)
{
  static const char *const others[] = {
      "",      " 1",      "x",           "-",   "+",   ".",   "-.",
      "e5",    "1e",      "1e+",         "1ex", "inf", "nan", "12345678901234567890",
      "1e309", "1.8e308", "1e999999999", "--1", "+-1"};
  static const struct {
    const char *text;
    size_t length;
  } read[] = {{"1", 1},
              {"+1", 2},
              {"-1.", 3},
              {".5", 2},
              {"5.e1", 4},
              {"1,2", 1},
              {"1 ", 1},
              {"0x10", 1},
              {"1.5.2", 3},
              {"1e5e6", 3},
              {"0000000000000000000000001", 25},
              {"0.00000000000000000000000012", 28},
              {"-0.0", 4},
              {"0e99999", 7},
              {"1E-2", 4},
              {"1e+002", 6}};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    double x = 7;
    assert_int_equal(dls_decimal_read(others[i], others[i] + strlen(others[i]), &x), 0);
    assert_true(x == 7);
  }
  for (size_t i = 0; i < sizeof read / sizeof read[0]; i++) {
    double x = 0;
    assert_int_equal(dls_decimal_read(read[i].text, read[i].text + strlen(read[i].text), &x), read[i].length);
    assert_true(strchr(read[i].text, 'x') != NULL || check_read(read[i].text));
  }
}

/* Every byte behind 0 to 20 digits, and how much text there is behind that: what is read at once does not show. */
DLS_TEST(numbers_end_at_whatever_is_no_digit)
{
  static const char digits[] = "12345678901234567890";
  for (int whole = 0; whole <= 2; whole++) {
    for (int fraction = 0; fraction + whole <= 19; fraction++) {
      for (int byte = 0; byte < 256; byte++) {
        char text[64], more[80];
        const int length =
            snprintf(text, sizeof text, "%.*s.%.*s%c", whole, digits, fraction, digits + whole, byte);
        snprintf(more, sizeof more, "%s%s", text, byte != 0 ? "-7654321" : "");
        double x = 0;
        const bool number = whole + fraction > 0, digit = byte >= '0' && byte <= '9';
        const size_t expected = number && whole + fraction + digit <= 19 && byte != 'e' && byte != 'E'
                                    ? (size_t)(length - !digit)
                                    : 0;
        if (number || !digit) {
          assert_int_equal(dls_decimal_read(text, text + strlen(text), &x), expected);
        }
        assert_true(!check_read(more) || number || digit);
      }
    }
  }
}

static void ask_for_powers(FILE *python)
{
  for (int q = DLS_POWERS_FIRST; q <= DLS_POWERS_LAST; q++) {
    const dls_wide power = dls_power_of_ten(q);
    fprintf(python, "P %d %016" PRIx64 "%016" PRIx64 "\n", q, power.high, power.low);
    const dls_wide above = dls_power_of_ten_above(q);
    const bool exact = q >= 0 && q <= DLS_POWERS_EXACT;
    assert_true(above.low == power.low + !exact && above.high == power.high + (above.low < power.low));
  }
}

DLS_TEST(python_writes_and_reads_the_same_digits)
{
  FILE *python = popen("python3 '" DLS_TEST_DATA "/../common/decimal.py'", "w");
  assert_non_null(python);
  ask_for_powers(python);
  gsl_rng *rng = generator(4);
  for (int i = 0; i < 10000; i++) {
    const double x = i % 2 == 0 ? double_of(random_bits(rng)) : (gsl_rng_uniform(rng) - 0.5) * pow(10, i % 25);
    const uint64_t w = random_bits(rng) % UINT64_C(10000000000000000000);
    char text[64];
    double read = 0;
    dls_decimal_write(x, text);
    fprintf(python, "W %016" PRIx64 " %s\n", bits_of(x), text);
    snprintf(text, sizeof text, "%" PRIu64 "e%d", w, i % 600 - 320);
    if (dls_decimal_read(text, text + strlen(text), &read) > 0) {
      fprintf(python, "R %016" PRIx64 " %s\n", bits_of(read), text);
    }
  }
  gsl_rng_free(rng);
  assert_int_equal(pclose(python), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_million_random_doubles_read_back_bit_for_bit),
      cmocka_unit_test(powers_and_their_neighbours_read_back_bit_for_bit),
      cmocka_unit_test(numbers_are_laid_out_as_people_write_them),
      cmocka_unit_test(numbers_of_up_to_19_digits_are_read_as_strtod_reads_them),
      cmocka_unit_test(ties_are_read_to_the_even_double),
      cmocka_unit_test(what_is_no_number_or_a_hard_one_is_left_to_strtod),
      cmocka_unit_test(numbers_end_at_whatever_is_no_digit),
      cmocka_unit_test(python_writes_and_reads_the_same_digits),
  };
  return cmocka_run_group_tests_name("decimal", tests, NULL, NULL);
}
