/* decimal_read.c -- decimal numbers of up to 19 digits to the nearest double.
 *
 * w 10^q with 64 bits of w and 128 of 10^q: their product is known to a relative 2^-64 or better, which nearly always
 * decides the rounding. Otherwise strtod reads the number.
 * Source: D. Lemire, Number parsing at a gigabyte per second, Software: Practice and Experience 51 (2021).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/decimal.h"
#include <stdbool.h>
#include <string.h>

enum { MOST_DIGITS = 19, MOST_EXPONENT_DIGITS = 8, EIGHT = 8 };
enum { FRACTION_BITS = 52, EXPONENT_BIAS = 1023, EXPONENT_ALL = 0x7FF };
enum { LARGEST_POWER = 308, UPWARD_FIRST = -27, TIE_FIRST = -4, TIE_LAST = 23 };

#define BYTES(x) (UINT64_C(0x0101010101010101) * (x)) /* this byte eight times */

typedef struct number { /* significand 10^exponent */
  uint64_t significand;
  int exponent;
  bool negative;
} number;

static bool is_digit(char c)
{
  return (unsigned char)(c - '0') < 10;
}

/* Eight characters, the first one in the lowest byte. */
static uint64_t eight_characters(const char *at)
{
  uint64_t eight = 0;
  for (int i = 0; i < EIGHT; i++) {
    eight |= (uint64_t)(unsigned char)at[i] << (8 * i);
  }
  return eight;
}

/* The high bit of each of eight characters xor '0' that is not a digit. */
static uint64_t other_than_digits(uint64_t eight)
{
  return (((eight & ~BYTES(0x80)) + BYTES(0x80 - 10)) | eight) & BYTES(0x80);
}

/* The number of eight digits: in pairs, in fours, all. */
static uint64_t number_of(uint64_t eight)
{
  const uint64_t pairs = (10 * eight + (eight >> 8)) & UINT64_C(0x00FF00FF00FF00FF);
  const uint64_t fours = (100 * pairs + (pairs >> 16)) & UINT64_C(0x0000FFFF0000FFFF);
  return (10000 * fours + (fours >> 32)) & UINT32_MAX;
}

/* Append digits to those of *w. @return the first character that is not a digit */
static const char *take_few_digits(const char *at, uint64_t *w)
{
  uint64_t sum = *w;
  for (; is_digit(*at); at++) {
    sum = 10 * sum + (uint64_t)(*at - '0');
  }
  *w = sum;
  return at;
}

/* The same, eight at a time while there are enough characters. */
static inline const char *take_digits(const char *at, const char *end, uint64_t *w)
{
  static const uint64_t tens[EIGHT] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
  while (end - at >= EIGHT) {
    const uint64_t eight = eight_characters(at) ^ BYTES('0'), others = other_than_digits(eight);
    if (others != 0) {
      const int digits = __builtin_ctzll(others) / 8;
      *w = tens[digits] * *w + number_of(eight << 8 << (56 - 8 * digits)); /* leading zeros */
      return at + digits;
    }
    *w = 100000000 * *w + number_of(eight);
    at += EIGHT;
  }
  return take_few_digits(at, w);
}

/* "e-12" at the start of text, if present. @return its end; NULL if e is followed by no or too many digits */
static const char *take_exponent(const char *at, int *exponent)
{
  if (*at != 'e' && *at != 'E') {
    return at;
  }
  at++;
  const bool negative = *at == '-';
  at += *at == '-' || *at == '+';
  uint64_t size = 0;
  const char *end = take_few_digits(at, &size);
  if (end == at || end - at > MOST_EXPONENT_DIGITS) {
    return NULL;
  }
  *exponent += negative ? -(int)size : (int)size;
  return end;
}

/* @return the end of the number; NULL if there is none, or it has too many digits */
static const char *take_number(const char *at, const char *end, number *x)
{
  x->negative = *at == '-';
  at += *at == '-' || *at == '+';
  const char *first = at;
  if (is_digit(at[0]) && !is_digit(at[1])) { /* the usual case */
    x->significand = (uint64_t)(*at++ - '0');
  } else {
    at = take_digits(at, end, &x->significand);
  }
  ptrdiff_t digits = at - first;
  if (*at == '.') {
    const char *point = at;
    at = take_digits(point + 1, end, &x->significand);
    x->exponent = -(int)(at - point - 1);
    digits = at - first - 1;
  }
  for (; digits > MOST_DIGITS && (*first == '0' || *first == '.'); first++) { /* leading zeros do not count */
    digits -= *first == '0';
  }
  return digits == 0 || digits > MOST_DIGITS ? NULL : take_exponent(at, &x->exponent);
}

static int leading_zeros(uint64_t x)
{
  return __builtin_clzll(x);
}

/* The first 128 bits of w 10^q, w with its first bit set; the second product is computed only where it could change the
 * first 55 bits. Powers that can divide a 64-bit number (5^27 < 2^64) are rounded up, so that an exact product of few bits
 * is not rounded down. */
static dls_wide product(uint64_t w, int q)
{
  const dls_wide power = q < 0 && q >= UPWARD_FIRST ? dls_power_of_ten_above(q) : dls_power_of_ten(q);
  dls_wide p = dls_multiply(w, power.high);
  if ((p.high & 0x1FF) == 0x1FF) {
    const uint64_t carried = dls_multiply(w, power.low).high;
    p.low += carried;
    p.high += p.low < carried;
  }
  return p;
}

/* Turn 54 bits and an exponent into a double's bits: the last bit is rounded. */
static uint64_t assemble(uint64_t bits54, int exponent)
{
  const uint64_t rounded = (bits54 + (bits54 & 1)) >> 1; /* a carry into bit 53 increments the exponent */
  return exponent > 0 ? rounded + ((uint64_t)(exponent - 1) << FRACTION_BITS) : rounded;
}

/* @return false if the number is too large, or its rounding uncertain */
static bool nearest(uint64_t w, int q, uint64_t *bits)
{
  *bits = 0;
  if (w == 0 || q < DLS_POWERS_FIRST) {
    return true;
  }
  if (q > LARGEST_POWER) {
    return false;
  }
  const int zeros = leading_zeros(w);
  const dls_wide p = product(w << zeros, q);
  if (p.low == UINT64_MAX && (q < UPWARD_FIRST || q > DLS_POWERS_EXACT)) {
    return false;
  }
  const int high = (int)(p.high >> 63), cut = high + 64 - FRACTION_BITS - 3;
  int exponent = dls_floor_log2_of_ten(q) + 63 + high - zeros + EXPONENT_BIAS;
  uint64_t m = p.high >> cut; /* 54 bits */
  if (exponent <= 0) {
    m = exponent > -62 ? m >> (1 - exponent) : 0;
  } else if (p.low <= 1 && q >= TIE_FIRST && q <= TIE_LAST && (m & 3) == 1 && m << cut == p.high) {
    m &= ~UINT64_C(1); /* half way between two: round to even */
  }
  *bits = assemble(m, exponent);
  return *bits >> FRACTION_BITS < EXPONENT_ALL;
}

size_t dls_decimal_read(const char *text, const char *end, double *x)
{
  number n = {0};
  uint64_t bits = 0;
  const char *behind = take_number(text, end, &n);
  if (behind == NULL || !nearest(n.significand, n.exponent, &bits)) {
    return 0;
  }
  bits |= (uint64_t)n.negative << 63;
  memcpy(x, &bits, sizeof bits);
  return (size_t)(behind - text);
}
