/* decimal.h -- doubles as decimal numbers, without regard to the locale.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_DECIMAL_H
#define DELASSUS_COMMON_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

enum { DLS_DECIMAL_SIZE = 32 }; /* room for any number, its NUL, and characters written temporarily beyond it */

/**
 * The shortest decimal number that reads back as x, the nearest among these. As Python's repr, but without ".0": 0.1, 100,
 * 1e-05, 1e+16; "nan", "inf", "-inf" for other values.
 * @param[out] text  DLS_DECIMAL_SIZE characters
 * @return its length
 */
size_t dls_decimal_write(double x, char *text);

/**
 * Read the decimal number at the start of text: [+-] digits [. digits] [e [+-] digits], as strtod does and to the same
 * bits.
 * @param[in]  end  of the text; the character there, e.g. NUL, is not part of a number @param[out] x    unchanged if
 * nothing is read @return number of characters; 0 if this is not a number, or one for strtod: more than 19 digits, more
 * than 10 characters in its exponent, or too large for a double
 */
size_t dls_decimal_read(const char *text, const char *end, double *x);

/* --- shared by reading and writing --- */

typedef struct dls_wide {
  uint64_t high, low;
} dls_wide;

enum { DLS_POWERS_FIRST = -342, DLS_POWERS_LAST = 324, DLS_POWERS_EXACT = 55 };
/** The leading 128 bits of 10^q at index q - DLS_POWERS_FIRST, truncated; the first bit is 1. Exact for 0 <= q <= 55. */
extern const dls_wide dls_powers_of_ten[DLS_POWERS_LAST - DLS_POWERS_FIRST + 1];

static inline dls_wide dls_power_of_ten(int q)
{
  return dls_powers_of_ten[q - DLS_POWERS_FIRST];
}

/* The same, rounded up. */
static inline dls_wide dls_power_of_ten_above(int q)
{
  dls_wide g = dls_power_of_ten(q);
  const uint64_t inexact = q < 0 || q > DLS_POWERS_EXACT;
  g.low += inexact;
  g.high += g.low < inexact;
  return g;
}

/* floor(log2(10^q)) for |q| <= 1233. */
static inline int dls_floor_log2_of_ten(int q)
{
  return (q * 1741647) >> 19;
}

/* All 128 bits of a b. */
static inline dls_wide dls_multiply(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
  __extension__ typedef unsigned __int128 both;
  const both product = (both)a * b;
  return (dls_wide){.high = (uint64_t)(product >> 64), .low = (uint64_t)product};
#else
  const uint64_t half = UINT32_MAX, a0 = a & half, a1 = a >> 32, b0 = b & half, b1 = b >> 32;
  const uint64_t low = a0 * b0, cross = a1 * b0 + (low >> 32), middle = a0 * b1 + (cross & half);
  return (dls_wide){.high = a1 * b1 + (cross >> 32) + (middle >> 32), .low = (middle << 32) | (low & half)};
#endif
}

#endif
