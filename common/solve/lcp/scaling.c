/* common/solve/lcp/scaling.c -- equilibration of W by rows and columns with powers of two, which is exact. Each pass
 * divides row i and column j by the square roots of their largest entries; for W = D P D with P of moderate size it halves
 * the exponents of D.
 * Source: Ruiz 2001, "A scaling algorithm to equilibrate both rows and columns norms in matrices".
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/lcp/lcp_methods.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { MAX_PASSES = 16, MAX_EXPONENT = 1000 }; /* doubles have exponents below 2^11 */
#define BALANCED 4.0 /* rows and columns with largest entries in [1/4, 4] are not scaled */

/* 2^e <= |x| < 2^(e+1); frexp and ldexp would take longer than solving two contacts. */
static int exponent(double x)
{
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (int)(bits >> 52 & 0x7ff) - 1023;
}

static double power_of_two(int e)
{
  const int allowed = e > MAX_EXPONENT ? MAX_EXPONENT : e < -MAX_EXPONENT ? -MAX_EXPONENT : e;
  const uint64_t bits = (uint64_t)(allowed + 1023) << 52;
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* Largest entry of each row and of each column of Ws. */
static void norms(size_t n, const double *Ws, double *row, double *column)
{
  for (size_t i = 0; i < n; i++) {
    row[i] = 0;
  }
  for (size_t j = 0; j < n; j++) {
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
      const double a = fabs(Ws[i + j * n]);
      largest = a > largest ? a : largest;
      row[i] = a > row[i] ? a : row[i];
    }
    column[j] = largest;
  }
}

static void apply(size_t n, const double *W, const dls_lcp_scaling *s, double *Ws)
{
  for (size_t j = 0; j < n; j++) {
    for (size_t i = 0; i < n; i++) {
      Ws[i + j * n] = W[i + j * n] * s->row[i] * s->column[j];
    }
  }
}

static bool balanced(size_t n, const double *norm)
{
  for (size_t i = 0; i < n; i++) {
    if (norm[i] != 0 && !(norm[i] >= 1 / BALANCED && norm[i] <= BALANCED)) {
      return false;
    }
  }
  return true;
}

static void divide_by_root(size_t n, const double *norm, double *factor)
{
  for (size_t i = 0; i < n; i++) {
    if (norm[i] != 0) {
      factor[i] *= power_of_two(-(exponent(norm[i]) / 2));
    }
  }
}

/* Scale the largest entry to about 1 by one factor for all rows: enough for most problems. */
static void start(size_t n, const double *W, dls_lcp_scaling *s)
{
  double largest = 0;
  for (size_t k = 0; k < n * n; k++) {
    const double a = fabs(W[k]);
    largest = a > largest ? a : largest;
  }
  const double factor = largest > 0 ? power_of_two(-exponent(largest)) : 1;
  for (size_t i = 0; i < n; i++) {
    s->row[i] = factor;
    s->column[i] = 1;
  }
}

void dls_lcp_scale_load(size_t n, const double *b, dls_lcp_scaling *s, double *bs)
{
  double largest = 0;
  for (size_t i = 0; i < n; i++) {
    bs[i] = b[i] * s->row[i];
    largest = fabs(bs[i]) > largest ? fabs(bs[i]) : largest;
  }
  s->load = power_of_two(-1 - exponent(largest));
  for (size_t i = 0; i < n; i++) {
    bs[i] *= s->load;
  }
}

void dls_lcp_equilibrate(size_t n, const double *W, dls_lcp_scaling *s, double *Ws, double *work)
{
  start(n, W, s);
  apply(n, W, s, Ws);
  for (int pass = 0; pass < MAX_PASSES; pass++) {
    norms(n, Ws, work, work + n);
    if (balanced(n, work) && balanced(n, work + n)) {
      break;
    }
    divide_by_root(n, work, s->row);
    divide_by_root(n, work + n, s->column);
    apply(n, W, s, Ws);
  }
}
