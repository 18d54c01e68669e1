/* binary128.h -- exp, expm1, log, log2, pow, asinh and the complex exp of numbers with 113 bits, each within 1 or 2 units in the last place.
 *
 * The C library of emscripten computes those of long double as double. long_double.c replaces them; the tests compile the
 * same functions natively. Who includes this file defines the type binary128 first. Little-endian machines only.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_WASM_BINARY128_H
#define DELASSUS_WASM_BINARY128_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* The unevaluated sum of two numbers, |lo| at most one unit in the last place of hi. */
typedef struct binary128_pair {
  binary128 hi, lo;
} binary128_pair;

typedef union binary128_bits {
  binary128 value;
  uint64_t word[2]; /* the second: sign, 15 bits of exponent, 48 bits of the fraction */
} binary128_bits;

enum { BINARY128_BIAS = 16383, BINARY128_FIELD = 0x7fff, BINARY128_TERMS = 53 };

/* ln 2 and 1/ln 2 as sums. The first number of ln 2 has 97 bits: its products with exponents are exact. */
static const binary128_pair binary128_ln2 = {(binary128)0x1.62e42fefa39efp-1 + 0x1.abc9e3b398p-56,
                                             (binary128)0x1.f97b57a079a19p-103 + 0x1.9ca62d8b62834p-158};
static const binary128_pair binary128_log2_e = {(binary128)0x1.71547652b82fep+0 + 0x1.777d0ffda0d23p-56,
                                                (binary128)0x1.4fa23ad5deaa3p-109 + 0x1.d695a588b2516p-163};

#define BINARY128_FOUR(n)                                                                                      \
  1 / (binary128)(n), 1 / (binary128)((n) + 1), 1 / (binary128)((n) + 2), 1 / (binary128)((n) + 3)
/* 1/n at index n; the first is not used */
static const binary128 binary128_reciprocal[] = {
    0,
    BINARY128_FOUR(1),
    BINARY128_FOUR(5),
    BINARY128_FOUR(9),
    BINARY128_FOUR(13),
    BINARY128_FOUR(17),
    BINARY128_FOUR(21),
    BINARY128_FOUR(25),
    BINARY128_FOUR(29),
    BINARY128_FOUR(33),
    BINARY128_FOUR(37),
    BINARY128_FOUR(41),
    BINARY128_FOUR(45),
    BINARY128_FOUR(49),
    BINARY128_FOUR(53),
};

/* --- bits --- */

static inline bool binary128_negative(binary128 x)
{
  return (int64_t)(binary128_bits){.value = x}.word[1] < 0;
}

static inline binary128 binary128_absolute(binary128 x)
{
  return binary128_negative(x) ? -x : x;
}

static inline binary128 binary128_power_of_two(int e) /* -16382 to 16383 */
{
  return (binary128_bits){.word = {0, (uint64_t)(e + BINARY128_BIAS) << 48}}.value;
}

/* x 2^e, |x| near 1; rounded once. */
static inline binary128 binary128_scale(binary128 x, int e)
{
  return x * binary128_power_of_two(e / 2) * binary128_power_of_two(e - e / 2);
}

/* x = m 2^e with m in [sqrt(1/2), sqrt(2)), for finite x > 0. */
static inline binary128 binary128_fraction(binary128 x, int *e)
{
  const bool subnormal = x < binary128_power_of_two(1 - BINARY128_BIAS);
  binary128_bits bits = {.value = subnormal ? x * binary128_power_of_two(120) : x};
  const int field = (int)(bits.word[1] >> 48);
  bits.word[1] = (bits.word[1] & 0xffffffffffff) | (uint64_t)BINARY128_BIAS << 48;
  const bool large = bits.value >= 0x1.6a09e667f3bcdp+0;
  *e = field - BINARY128_BIAS + large - (subnormal ? 120 : 0);
  return large ? bits.value / 2 : bits.value;
}

/* --- pairs --- */

static inline binary128_pair binary128_sum(binary128 a, binary128 b) /* exact */
{
  const binary128 sum = a + b, part = sum - a;
  return (binary128_pair){sum, (a - (sum - part)) + (b - part)};
}

static inline binary128_pair binary128_halves(binary128 a) /* of 56 bits each */
{
  const binary128 c = a * 0x1.0000000000001p+57, high = c - (c - a);
  return (binary128_pair){high, a - high};
}

static inline binary128_pair binary128_product(binary128 a, binary128 b) /* exact, after Dekker */
{
  const binary128_pair x = binary128_halves(a), y = binary128_halves(b);
  const binary128 product = a * b;
  return (binary128_pair){product, ((x.hi * y.hi - product) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
}

static inline binary128_pair binary128_plus(binary128_pair a, binary128_pair b)
{
  const binary128_pair sum = binary128_sum(a.hi, b.hi);
  return binary128_sum(sum.hi, sum.lo + (a.lo + b.lo));
}

static inline binary128_pair binary128_times(binary128_pair a, binary128_pair b)
{
  const binary128_pair product = binary128_product(a.hi, b.hi);
  return binary128_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

static inline binary128_pair binary128_ratio(binary128_pair a, binary128_pair b)
{
  const binary128 ratio = a.hi / b.hi;
  const binary128_pair back = binary128_product(ratio, b.hi);
  return binary128_sum(ratio, (((a.hi - back.hi) - back.lo) + (a.lo - ratio * b.lo)) / b.hi);
}

/* --- kernels --- */

/* ln((1 + s)/(1 - s)) = 2 (s + s^3/3 + s^5/5 + ...), |s| < 0.18; the first terms in pairs. */
static inline binary128_pair binary128_log_ratio(binary128_pair s)
{
  const binary128_pair square = binary128_times(s, s);
  binary128 tail = 0;
  for (int n = BINARY128_TERMS; n >= 9; n -= 2) {
    tail = tail * square.hi + binary128_reciprocal[n];
  }
  binary128_pair sum = {tail, 0};
  for (int n = 7; n >= 3; n -= 2) {
    sum = binary128_plus(binary128_ratio((binary128_pair){1, 0}, (binary128_pair){n, 0}),
                         binary128_times(square, sum));
  }
  sum = binary128_plus(s, binary128_times(s, binary128_times(square, sum)));
  return (binary128_pair){2 * sum.hi, 2 * sum.lo};
}

/* ln m, m = x/2^e, for finite x > 0 */
static inline binary128_pair binary128_log_fraction(binary128 x, int *e)
{
  const binary128 m = binary128_fraction(x, e);
  return binary128_log_ratio(binary128_ratio((binary128_pair){m - 1, 0}, binary128_sum(m, 1)));
}

static inline binary128_pair binary128_log_pair(binary128 x) /* finite, > 0 */
{
  int e = 0;
  const binary128_pair log = binary128_log_fraction(x, &e);
  return binary128_plus((binary128_pair){e * binary128_ln2.hi, e * binary128_ln2.lo}, log);
}

/* exp(x) = 2^e (1 + p), |p| < 0.42, for |x| < 12000; p from the power series of |r| < 0.35 */
static inline binary128_pair binary128_exp_pair(binary128_pair x, int *e)
{
  const double turns = (double)x.hi * 0x1.71547652b82fep+0;
  const int k = *e = (int)(turns < 0 ? turns - 0.5 : turns + 0.5);
  const binary128_pair r =
      binary128_plus((binary128_pair){-(k * binary128_ln2.hi), -(k * binary128_ln2.lo)}, x);
  binary128 sum = 1; /* 1 + r/3 (1 + r/4 (...)) */
  for (int n = 27; n >= 3; n--) {
    sum = 1 + r.hi * binary128_reciprocal[n] * sum;
  }
  const binary128_pair p = binary128_sum(r.hi, r.hi * r.hi / 2 * sum);
  return binary128_sum(p.hi, p.lo + r.lo * (1 + p.hi));
}

static inline binary128 binary128_power(binary128_pair x) /* exp(x) */
{
  int e = 0;
  if (!(x.hi < 12000 && x.hi > -12000)) { /* overflow, 0, or not a number */
    return x.hi > 0 ? x.hi * binary128_power_of_two(BINARY128_BIAS) : x.hi < 0 ? 0 : x.hi;
  }
  const binary128_pair p = binary128_exp_pair(x, &e), sum = binary128_sum(1, p.hi);
  return binary128_scale(sum.hi + (sum.lo + p.lo), e);
}

/* --- functions --- */

static inline binary128 binary128_exp(binary128 x)
{
  return binary128_power((binary128_pair){x, 0});
}

/* exp(x + i y), real part first, of the cosine and the sine of y; also where exp(x) alone is beyond the range. */
static inline void binary128_complex_exp(binary128 x, binary128 cosine, binary128 sine, binary128 value[2])
{
  int e = 0;
  binary128 size = 1;
  if (x != 0 && x < 12000 && x > -12000) {
    const binary128_pair p = binary128_exp_pair((binary128_pair){x, 0}, &e), sum = binary128_sum(1, p.hi);
    size = sum.hi + (sum.lo + p.lo);
  } else if (x != 0) {
    size = binary128_exp(x);
  }
  value[0] = binary128_scale(size * cosine, e);
  value[1] = binary128_scale(size * sine, e);
}

static inline binary128 binary128_expm1(binary128 x)
{
  int e = 0;
  const binary128 size = binary128_absolute(x);
  if (size < 0x1p-120) {
    return x;
  }
  if (!(x < 78 &&
        x > -84)) { /* where 1 is a unit in the last place or less, or exp(x) is less than that of 1 */
    return binary128_exp(x) - 1;
  }
  const binary128_pair p = binary128_exp_pair((binary128_pair){x, 0}, &e);
  const binary128 factor = binary128_power_of_two(e);
  const binary128_pair sum =
      binary128_plus(binary128_sum(factor, -1), (binary128_pair){factor * p.hi, factor * p.lo});
  return sum.hi + sum.lo;
}

/* Logarithms of what is not finite and positive; 0 of what is. */
static inline bool binary128_log_special(binary128 x, binary128 *log)
{
  if (x > 0 && x - x == 0) {
    return false;
  }
  *log = x > 0 || x != x ? x : x == 0 ? -1 / binary128_absolute(x) : (x - x) / (x - x);
  return true;
}

static inline binary128 binary128_log(binary128 x)
{
  binary128 special = 0;
  return binary128_log_special(x, &special) ? special : binary128_log_pair(x).hi;
}

static inline binary128 binary128_log2(binary128 x)
{
  binary128 special = 0;
  int e = 0;
  if (binary128_log_special(x, &special)) {
    return special;
  }
  const binary128_pair log = binary128_log_fraction(x, &e);
  return binary128_plus((binary128_pair){e, 0}, binary128_times(log, binary128_log2_e)).hi;
}

/* For x from 1 to 2^122, by Newton's method from the root in double */
static inline binary128 binary128_root(binary128 x)
{
  binary128 root = sqrt((double)x);
  root = (root + x / root) / 2;
  return (root + x / root) / 2;
}

static inline binary128 binary128_asinh(binary128 x)
{
  const binary128 size = binary128_absolute(x);
  binary128_pair log;
  if (!(size > 0x1p-57) ||
      size - size != 0) { /* x^3/6 is below a unit in the last place; infinite; not a number */
    return x;
  }
  if (size > 0x1p60) {
    log = binary128_plus(binary128_log_pair(size), binary128_ln2);
  } else { /* ln(1 + z) with 1 + z = x + sqrt(1 + x^2) */
    const binary128 z = size + size * size / (1 + binary128_root(1 + size * size));
    const binary128_pair sum = binary128_sum(1, z);
    log = z < 0x1p-2 ? binary128_log_ratio(binary128_ratio((binary128_pair){z, 0}, binary128_sum(2, z)))
                     : binary128_plus(binary128_log_pair(sum.hi), (binary128_pair){sum.lo / sum.hi, 0});
  }
  return binary128_negative(x) ? -log.hi : log.hi;
}

static inline bool binary128_integer(binary128 y) /* finite */
{
  const binary128 size = binary128_absolute(y), large = binary128_power_of_two(112);
  return size >= large || size + large - large == size;
}

/* x^y for x >= 0 and y that are not both usual: infinite, or x = 0 */
static inline binary128 binary128_pow_limit(binary128 x, binary128 y)
{
  const bool grows = (x > 1) == (y > 0); /* else to 0 */
  return x == 1 ? 1 : grows ? (x == 0 ? 1 / x : binary128_absolute(x - x == 0 ? y : x)) : 0;
}

static inline binary128 binary128_pow(binary128 x, binary128 y)
{
  const binary128 size = binary128_absolute(x);
  binary128 value = 0;
  if (y == 0 || x == 1) {
    return 1;
  }
  if (x != x || y != y) {
    return x + y;
  }
  const bool integer = y - y != 0 || binary128_integer(y),
             odd = integer && y - y == 0 && !binary128_integer(y / 2);
  if (size == 0 || size - size != 0 || y - y != 0) {
    value = binary128_pow_limit(size, y);
  } else if (x < 0 && !integer) {
    value = (x - x) / (x - x);
  } else {
    const binary128_pair log = binary128_log_pair(size);
    const binary128 rough = y * log.hi;
    if (!(binary128_absolute(rough) < 12000 && binary128_absolute(rough) > 0x1p-130)) {
      value = binary128_power((binary128_pair){rough, 0});
    } else {
      const binary128_pair product = binary128_product(y, log.hi);
      value = binary128_power(binary128_sum(product.hi, product.lo + y * log.lo));
    }
  }
  return odd && binary128_negative(x) ? -value : value;
}

#endif
