/* long_double.c -- functions of long double that the C library of emscripten computes only as double.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <complex.h>
#include <float.h>

_Static_assert(LDBL_MANT_DIG == 113, "for long double of 113 bits");
typedef long double binary128;
#include "wasm/binary128.h"

long double expl(long double x)
{
  return binary128_exp(x);
}

long double expm1l(long double x)
{
  return binary128_expm1(x);
}

long double logl(long double x)
{
  return binary128_log(x);
}

long double log2l(long double x)
{
  return binary128_log2(x);
}

long double powl(long double x, long double y)
{
  return binary128_pow(x, y);
}

long double asinhl(long double x)
{
  return binary128_asinh(x);
}

long double complex cexpl(long double complex z)
{
  const long double angle = cimagl(z);
  long double value[2];
  binary128_complex_exp(creall(z), cosl(angle), sinl(angle), value);
  return angle == 0 ? CMPLXL(value[0], angle) : CMPLXL(value[0], value[1]);
}
