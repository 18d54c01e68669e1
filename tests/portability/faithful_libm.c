/* faithful_libm.c -- LD_PRELOAD: every transcendental function of libm is rounded to one or the other neighbour of its value.
 *
 * The long-double functions of glibc on x86 are made of x87 instructions whose last bit differs between makers of processors, and its
 * double functions have several kernels. All of them are faithful: they return one of the two numbers next to the exact value, and the
 * exact value if it is a double. Here libquadmath gives the value to 113 bits, and a hash of the argument and of FAITHFUL_SEED
 * chooses the neighbour, so that a test passes only if it passes with any faithful libm. hypot is left alone: glibc makes it of
 * +, * and the square root, with the same bits on every processor.
 *
 *   gcc -O2 -shared -fPIC faithful_libm.c -o faithful_libm.so -lquadmath
 *   FAITHFUL_SEED=1 LD_PRELOAD=$PWD/faithful_libm.so PROGRAM
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include <math.h>
#include <quadmath.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#undef sincos
#undef sincosl

static uint64_t seed(void)
{
  static uint64_t value;
  if (value == 0) {
    const char *text = getenv("FAITHFUL_SEED");
    value = 2 * (text != NULL ? strtoull(text, NULL, 10) : 0) + 1;
  }
  return value;
}

/* One bit that depends on the seed and on the significand of x: odd functions stay odd, and cbrt keeps powers of eight. */
static int coin(__float128 x)
{
  uint64_t half[2];
  int exponent;
  x = frexpq(fabsq(x), &exponent);
  memcpy(half, &x, sizeof half);
  uint64_t h = (half[0] ^ half[1] * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u ^ seed() * 0x94d049bb133111ebu;
  h = (h ^ h >> 31) * 0x9e3779b97f4a7c15u;
  return (int)(h >> 63);
}

static double round_to_double(__float128 value)
{
  const double near = (double)value;
  if (!isfinite(near) || near == 0 || (__float128)near == value) {
    return near;
  }
  const double other = nextafter(near, value > (__float128)near ? HUGE_VAL : -HUGE_VAL);
  return isfinite(other) && coin(value) ? other : near;
}

static long double round_to_long_double(__float128 value)
{
  const long double near = (long double)value;
  if (!isfinite(near) || near == 0 || (__float128)near == value) {
    return near;
  }
  const long double other = nextafterl(near, value > (__float128)near ? HUGE_VALL : -HUGE_VALL);
  return isfinite(other) && coin(value) ? other : near;
}

#define ONE(f)                                                                                                 \
  double f(double x)                                                                                           \
  {                                                                                                            \
    return round_to_double(f##q(x));                                                                           \
  }                                                                                                            \
  long double f##l(long double x)                                                                              \
  {                                                                                                            \
    return round_to_long_double(f##q(x));                                                                      \
  }
#define TWO(f)                                                                                                 \
  double f(double x, double y)                                                                                 \
  {                                                                                                            \
    return round_to_double(f##q(x, y));                                                                        \
  }                                                                                                            \
  long double f##l(long double x, long double y)                                                               \
  {                                                                                                            \
    return round_to_long_double(f##q(x, y));                                                                   \
  }

/* clang-format off */
ONE(exp)
ONE(exp2)
ONE(expm1)
ONE(log)
ONE(log1p)
ONE(log2)
ONE(log10)
ONE(sin)
ONE(cos)
ONE(tan)
ONE(asin)
ONE(acos)
ONE(atan)
ONE(sinh)
ONE(cosh)
ONE(tanh)
ONE(asinh)
ONE(acosh)
ONE(atanh)
ONE(cbrt)
TWO(pow)
TWO(atan2)
/* clang-format on */

void sincos(double x, double *s, double *c)
{
  *s = sin(x);
  *c = cos(x);
}

void sincosl(long double x, long double *s, long double *c)
{
  *s = sinl(x);
  *c = cosl(x);
}
