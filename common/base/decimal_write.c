/* decimal_write.c -- the shortest decimal number that reads back as a double.
 *
 * Numbers that read back as x = c 2^q lie between (c - 1/2) 2^q and (c + 1/2) 2^q, both included if c is even; at a power
 * of two the lower bound is (c - 1/4) 2^q. Let k be the largest integer with 10^k at most the length of this interval. The
 * interval contains a multiple of 10^k, and at most one of 10^(k+1): this is the shortest number, else the multiple of 10^k
 * nearest to x. Four times x and the bounds are computed in units of 10^k, truncated to integers whose last bit is set if
 * anything is cut off ("rounded to odd"). This does not change any comparison with an even number.
 * Source: R. Giulietti, The Schubfach way to render doubles, 2022.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/decimal.h"
#include <stdbool.h>
#include <string.h>

enum { FRACTION_BITS = 52, EXPONENT_BIAS = 1023, EXPONENT_ALL = 0x7FF };
/* exponents of ten for which numbers are written in plain notation */
enum { FIXED_FIRST = -4, FIXED_LAST = 15 };
enum { MOST_DIGITS = 20 };

typedef struct decimal { /* significand 10^exponent */
  uint64_t significand;
  int exponent;
} decimal;

/* g x / 2^128, rounded to odd; g is off by less than one in its last place, which the test y <= 1 allows for. */
static uint64_t scale(dls_wide g, uint64_t x)
{
  const uint64_t carried = dls_multiply(g.low, x).high;
  dls_wide y = dls_multiply(g.high, x);
  y.low += carried;
  y.high += y.low < carried;
  return y.high | (y.low > 1);
}

/* The shortest, or of equal length the nearest, of c 2^q; near: the next smaller number is half as far away. */
static decimal shortest(uint64_t c, int q, bool near)
{
  const int k = (q * 1262611 - (near ? 524031 : 0)) >> 22; /* floor(log10(2^q)), of 3/4 2^q if near */
  const dls_wide g = dls_power_of_ten_above(-k);
  const int shift = q + dls_floor_log2_of_ten(-k) + 1;
  const uint64_t open = c & 1;
  const uint64_t lower = scale(g, (4 * c - 2 + near) << shift) + open;
  const uint64_t value = scale(g, (4 * c) << shift);
  const uint64_t upper = scale(g, (4 * c + 2) << shift) - open;
  const uint64_t below = value / 4, tens = below / 10;
  const bool tens_below = lower <= 40 * tens, tens_above = 40 * tens + 40 <= upper;
  if (tens > 0 && tens_below != tens_above) {
    return (decimal){tens + tens_above, k + 1};
  }
  const bool is_below = lower <= 4 * below, is_above = 4 * below + 4 <= upper;
  if (is_below != is_above) {
    return (decimal){below + is_above, k};
  }
  const uint64_t middle = 4 * below + 2;
  return (decimal){below + (value > middle || (value == middle && (below & 1) != 0)), k};
}

/* Of a double's bits without sign, for finite nonzero numbers. */
static decimal decimal_of(uint64_t bits)
{
  const int exponent = (int)(bits >> FRACTION_BITS);
  const uint64_t fraction = bits & ((UINT64_C(1) << FRACTION_BITS) - 1);
  const uint64_t c = exponent > 0 ? fraction | UINT64_C(1) << FRACTION_BITS : fraction;
  const int q = (exponent > 0 ? exponent : 1) - EXPONENT_BIAS - FRACTION_BITS;
  if (q <= 0 && q >= -FRACTION_BITS && (c >> -q) << -q == c) {
    return (decimal){c >> -q, 0}; /* an integer */
  }
  return shortest(c, q, fraction == 0 && exponent > 1);
}

static void put_pair(uint32_t x, char *at)
{
  at[0] = (char)('0' + x / 10);
  at[1] = (char)('0' + x % 10);
}

static void put_eight(uint32_t x, char *at)
{
  put_pair(x / 1000000, at);
  put_pair(x / 10000 % 100, at + 2);
  put_pair(x / 100 % 100, at + 4);
  put_pair(x % 100, at + 6);
}

/* Write the digits of x before end, eight at a time, which are independent. @return the first */
static char *put_digits(uint64_t x, char *end)
{
  for (; x >= 100000000; x /= 100000000) {
    put_eight((uint32_t)(x % 100000000), end -= 8);
  }
  for (; x > 0; x /= 10) {
    *--end = (char)('0' + x % 10);
  }
  return end;
}

static char *put_zeros(char *at, int count)
{
  memset(at, '0', (size_t)(count > 0 ? count : 0));
  return at + (count > 0 ? count : 0);
}

static char *put_text(char *at, const char *text, int count)
{
  memcpy(at, text, (size_t)count);
  return at + count;
}

/* d.ddde+dd: at least two digits of exponent. */
static char *put_scientific(const char *digits, int count, int exponent, char *at)
{
  *at++ = digits[0];
  if (count > 1) {
    *at++ = '.';
    at = put_text(at, digits + 1, count - 1);
  }
  *at++ = 'e';
  *at++ = exponent < 0 ? '-' : '+';
  const int size = exponent < 0 ? -exponent : exponent;
  if (size >= 100) {
    *at++ = (char)('0' + size / 100);
  }
  *at++ = (char)('0' + size / 10 % 10);
  *at++ = (char)('0' + size % 10);
  return at;
}

static char *put_fixed(const char *digits, int count, int exponent, char *at)
{
  const int whole = exponent < 0 ? 0 : exponent + 1 < count ? exponent + 1 : count;
  at = whole > 0 ? put_text(at, digits, whole) : put_zeros(at, 1);
  at = put_zeros(at, exponent + 1 - count);
  if (whole < count) {
    *at++ = '.';
    at = put_zeros(at, -1 - exponent);
    at = put_text(at, digits + whole, count - whole);
  }
  return at;
}

/* Of a finite nonzero number. */
static char *put_number(uint64_t bits, char *at)
{
  const decimal d = decimal_of(bits);
  char block[MOST_DIGITS], *end = block + MOST_DIGITS;
  const char *digits = put_digits(d.significand, end);
  const int exponent = d.exponent + (int)(end - digits) - 1; /* exponent of the first digit */
  while (end[-1] == '0') {                                   /* another digit precedes it */
    end--;
  }
  const int count = (int)(end - digits);
  return exponent >= FIXED_FIRST && exponent <= FIXED_LAST ? put_fixed(digits, count, exponent, at)
                                                           : put_scientific(digits, count, exponent, at);
}

size_t dls_decimal_write(double x, char *text)
{
  uint64_t bits = 0;
  memcpy(&bits, &x, sizeof bits);
  char *at = text;
  const uint64_t size = bits & INT64_MAX;
  const bool is_nan = size > (uint64_t)EXPONENT_ALL << FRACTION_BITS;
  if (size != bits && !is_nan) {
    *at++ = '-';
  }
  if (size >> FRACTION_BITS == EXPONENT_ALL) {
    at = put_text(at, is_nan ? "nan" : "inf", 3);
  } else {
    at = size == 0 ? put_zeros(at, 1) : put_number(size, at);
  }
  *at = '\0';
  return (size_t)(at - text);
}
