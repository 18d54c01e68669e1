/* tridiagonal.c -- elimination of a symmetric tridiagonal matrix from both ends towards the row n / 2.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/tridiagonal_fused.h"
#include <float.h>
#include <math.h>

/* Rounding of a row sum, relative to the diagonal. */
static const double rounding = 4 * DBL_EPSILON;

double dls_tridiagonal_excess(double d, double before, double after)
{
  const double excess = d - fabs(before) - fabs(after);
  return fabs(excess) <= rounding * fabs(d) ? 0 : excess;
}

/* Eliminate row i from its neighbour, whose diagonal entry is *next; e couples the two.
 * @return false if the pivot d is too small */
static bool eliminate(double *d, double *e, double diagonal, double least, double *next)
{
  if (!(*d > least * diagonal)) {
    return false;
  }
  const double multiplier = *e / *d;
  *next -= multiplier * *e;
  *e = multiplier;
  *d = 1 / *d;
  return true;
}

size_t dls_tridiagonal_factor(size_t n, double *d, double *e, double least)
{
  const size_t middle = n / 2;
  const double diagonal = d[middle];
  double here = d[0];
  for (size_t i = 0; i < middle; i++) {
    const double after = d[i + 1];
    if (!eliminate(&d[i], &e[i], here, least, &d[i + 1])) {
      return i;
    }
    here = after;
  }
  here = n - 1 > middle ? d[n - 1] : diagonal;
  for (size_t i = n - 1; i > middle; i--) {
    const double before = d[i - 1];
    if (!eliminate(&d[i], &e[i - 1], here, least, &d[i - 1])) {
      return i;
    }
    here = before;
  }
  if (!(d[middle] > least * diagonal)) {
    return middle;
  }
  d[middle] = 1 / d[middle];
  return n;
}

static double excess_of(size_t n, const double *d, const double *e, size_t i)
{
  return dls_tridiagonal_excess(d[i], i > 0 ? e[i - 1] : 0, i + 1 < n ? e[i] : 0);
}

/* Eliminate row i with the excess *s from its neighbour, whose excess is `next`; *s := the neighbour's new excess.
 * @return false if the pivot is too small */
static bool eliminate_excess(double *d, double *e, double *s, double next, double least)
{
  const double pivot = *s + fabs(*e);
  if (!(pivot > least * *d)) {
    return false;
  }
  *s = next + fabs(*e) * (*s / pivot);
  *e /= pivot;
  *d = 1 / pivot;
  return true;
}

bool dls_tridiagonal_dominant(size_t n, const double *d, const double *e)
{
  bool all = true;
  for (size_t i = 0; all && i < n; i++) {
    all = excess_of(n, d, e, i) >= 0;
  }
  return all;
}

size_t dls_tridiagonal_factor_dominant(size_t n, double *d, double *e, double least)
{
  const size_t middle = n / 2;
  const double own = excess_of(n, d, e, middle);
  double up = excess_of(n, d, e, 0), down = excess_of(n, d, e, n - 1);
  for (size_t i = 0; i < middle; i++) {
    const double next = i + 1 < middle ? excess_of(n, d, e, i + 1) : 0;
    if (!eliminate_excess(&d[i], &e[i], &up, next, least)) {
      return i;
    }
  }
  for (size_t i = n - 1; i > middle; i--) {
    const double next = i - 1 > middle ? excess_of(n, d, e, i - 1) : 0;
    if (!eliminate_excess(&d[i], &e[i - 1], &down, next, least)) {
      return i;
    }
  }
  const double pivot = own + (middle > 0 ? up : 0) + (n - 1 > middle ? down : 0);
  if (!(pivot > least * d[middle])) {
    return middle;
  }
  d[middle] = 1 / pivot;
  return n;
}

/* Number of rows of both halves before the last one next to the middle. */
static size_t pairs(size_t n)
{
  return n >= 4 ? n / 2 - 1 : 0;
}

/* x := L^{-1} x towards the middle. */
static void inwards(size_t n, const double *restrict e, double *restrict x)
{
  const size_t middle = n / 2;
  const size_t count = pairs(n);
  double up = x[0];
  double down = x[n - 1];
  for (size_t i = 0, k = n - 1; i < count; i++, k--) {
    up = x[i + 1] - e[i] * up;
    down = x[k - 1] - e[k - 1] * down;
    x[i + 1] = up;
    x[k - 1] = down;
  }
  for (size_t i = count; i < middle; i++) {
    x[i + 1] -= e[i] * x[i];
  }
  for (size_t k = n - 1 - count; k > middle; k--) {
    x[k - 1] -= e[k - 1] * x[k];
  }
}

void dls_tridiagonal_solve(size_t n, const double *d, const double *e, double *x)
{
  if (n == 1) {
    x[0] *= d[0];
    return;
  }
  inwards(n, e, x);
  dls_tridiagonal_outwards(&(dls_tridiagonal){n, d, e}, x, x);
}
