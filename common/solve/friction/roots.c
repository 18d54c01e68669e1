/* roots.c -- between two extrema of a polynomial there is one root at most; the extrema are the roots of its derivative,
 * found in the same way. Roots above 1 are the reciprocals of those of the reversed polynomial.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/friction/roots.h"
#include <float.h>
#include <math.h>
#include <stdbool.h>

static const double touch = 1e-8; /* an extremum below this fraction of its terms may be a double root */

static double value(const double *c, size_t degree, double x, double *slope)
{
  double p = c[degree], d = 0;
  for (size_t k = degree; k-- > 0;) {
    d = d * x + p;
    p = p * x + c[k];
  }
  *slope = d;
  return p;
}

static double size_of_terms(const double *c, size_t degree, double x)
{
  double p = fabs(c[degree]);
  for (size_t k = degree; k-- > 0;) {
    p = p * x + fabs(c[k]);
  }
  return p;
}

/* The root in [low, high], where p changes sign: Newton, safeguarded by bisection. */
static double refine(const double *c, size_t degree, double low, double high, bool rising)
{
  enum { MOST = 100 };
  double x = 0.5 * (low + high);
  for (int k = 0; k < MOST; k++) {
    double slope;
    const double p = value(c, degree, x, &slope);
    if (p == 0) {
      return x;
    }
    *((p > 0) == rising ? &high : &low) = x;
    double next = x - p / slope;
    if (!(next > low && next < high)) {
      next = 0.5 * (low + high);
    }
    if (fabs(next - x) <= DBL_EPSILON * fabs(x) || next == low || next == high) {
      return next;
    }
    x = next;
  }
  return x;
}

/* Roots in (0, 1] from the extrema there, increasing. */
static size_t between(const double *c, size_t degree, const double *extremum, size_t extrema, bool touching,
                      double *roots)
{
  size_t count = 0;
  double slope, low = 0, p_low = c[0];
  for (size_t k = 0; k <= extrema; k++) {
    const double high = k < extrema ? extremum[k] : 1;
    const double p_high = value(c, degree, high, &slope);
    if ((p_low < 0 && p_high > 0) || (p_low > 0 && p_high < 0)) {
      roots[count++] = refine(c, degree, low, high, p_high > 0);
    } else if (p_high == 0 ||
               (touching && k < extrema && fabs(p_high) <= touch * size_of_terms(c, degree, high))) {
      roots[count++] = high;
    }
    low = high;
    p_low = p_high;
  }
  return count;
}

static size_t roots_to_one(const double *c, double *roots)
{
  double derivative[DLS_ROOTS_DEGREE][DLS_ROOTS_DEGREE + 1]; /* [k]: coefficients of degree k + 1 */
  for (size_t i = 0; i <= DLS_ROOTS_DEGREE; i++) {
    derivative[DLS_ROOTS_DEGREE - 1][i] = c[i];
  }
  for (size_t k = DLS_ROOTS_DEGREE - 1; k-- > 0;) {
    for (size_t i = 0; i <= k + 1; i++) {
      derivative[k][i] = (double)(i + 1) * derivative[k + 1][i + 1];
    }
  }
  double extremum[2 * DLS_ROOTS_DEGREE];
  size_t count = 0;
  for (size_t k = 0; k < DLS_ROOTS_DEGREE; k++) {
    double found[2 * DLS_ROOTS_DEGREE];
    count = between(derivative[k], k + 1, extremum, count, k + 1 == DLS_ROOTS_DEGREE, found);
    for (size_t i = 0; i < count; i++) {
      extremum[i] = found[i];
    }
  }
  for (size_t i = 0; i < count; i++) {
    roots[i] = extremum[i];
  }
  return count;
}

size_t dls_positive_roots(const double *c, double *roots)
{
  double reversed[DLS_ROOTS_DEGREE + 1], above[2 * DLS_ROOTS_DEGREE];
  for (size_t i = 0; i <= DLS_ROOTS_DEGREE; i++) {
    reversed[i] = c[DLS_ROOTS_DEGREE - i];
  }
  size_t count = roots_to_one(c, roots);
  const size_t more = roots_to_one(reversed, above);
  for (size_t i = more; i-- > 0;) {
    if (above[i] > 0 && count < DLS_ROOTS_MOST) {
      roots[count++] = 1 / above[i];
    }
  }
  return count;
}
