/* analytic/distance/integrals.c -- integrals over [0,1] of powers of a cubic, and sums of such powers.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/integrals.h"
#include <float.h>

enum { DEPTH = 60 }; /* halvings until an interval of relative length 1 is below an ulp */

/* The cubic on [0, u] and on [u, 1]. */
static void split(const double d[4], double u, double left[4], double right[4])
{
  const double b = dls_lerp(d[1], d[2], u);
  left[0] = d[0];
  left[1] = dls_lerp(d[0], d[1], u);
  right[3] = d[3];
  right[2] = dls_lerp(d[2], d[3], u);
  left[2] = dls_lerp(left[1], b, u);
  right[1] = dls_lerp(b, right[2], u);
  left[3] = right[0] = dls_lerp(left[2], right[1], u);
}

/* The zero of the polygon of the coefficients if it has one: then the cubic has one zero, and next to an end this is a
 * step of Newton's method. 1/2 if it has more. */
static double place_to_split(const double d[4])
{
  int changes = 0, at = 0;
  for (int l = 0; l < 3; l++) {
    const bool changed = d[l] * d[l + 1] < 0.0 || (d[l] != 0.0 && d[l + 1] == 0.0);
    changes += changed;
    at = changed ? l : at;
  }
  const double u = (at + d[at] / (d[at] - d[at + 1])) / 3.0;
  return changes == 1 && u > 0.0 && u < 1.0 ? u : 0.5;
}

/* integral over [0,1] of |d|, split until d has one sign, or until the rest is below limit. */
static double mean_abs(const double d[4], double limit, int depth, double *slack)
{
  const double signed_mean = fabs(dls_mean(d));
  if (dls_one_sign(d)) {
    return signed_mean;
  }
  const double size = 0.25 * (fabs(d[0]) + fabs(d[1]) + fabs(d[2]) + fabs(d[3]));
  if (size - signed_mean <= limit || depth == 0) { /* signed_mean <= integral <= size */
    *slack += 0.5 * (size - signed_mean);
    return 0.5 * (size + signed_mean);
  }
  const double u = place_to_split(d);
  double left[4], right[4], lost_left = 0.0, lost_right = 0.0;
  split(d, u, left, right);
  const double before = mean_abs(left, limit / u, depth - 1, &lost_left);
  const double behind = mean_abs(right, limit / (1.0 - u), depth - 1, &lost_right);
  *slack += u * lost_left + (1.0 - u) * lost_right;
  return u * before + (1.0 - u) * behind;
}

double dls_norm_mean_abs_split(const double d[4], double limit, double *slack)
{
  return mean_abs(d, limit, DEPTH, slack);
}

/* integral over [0,1] of |d|^p, d of one sign: d^p is a polynomial of degree 3 p, whose Bernstein coefficients, times
 * C(3p, j), are sums of products of those of d, times C(3, i). All have one sign, so there is no cancellation. Their mean
 * is the integral. |d_i| <= 1. Source: Farouki & Rajan 1988, CAGD 5, 1-26. */
static double mean_power_of_one_sign(const double d[4], int p)
{
  const double factor[4] = {fabs(d[0]), 3.0 * fabs(d[1]), 3.0 * fabs(d[2]), fabs(d[3])};
  double c[3 * DLS_MOST_POWER + 1] = {1.0}, binomial = 1.0, sum = 0.0;
  for (int k = 0; k < p; k++) { /* c: of d^k, degree 3 k */
    for (int j = 3 * k + 3; j >= 0; j--) {
      double product = 0.0;
      for (int i = 0; i < 4; i++) {
        product += j >= i && j - i <= 3 * k ? factor[i] * c[j - i] : 0.0;
      }
      c[j] = product;
    }
  }
  for (int j = 0; j <= 3 * p; j++) {
    sum += c[j] / binomial; /* C(3p, j) */
    binomial *= (double)(3 * p - j) / (j + 1);
  }
  return sum / (3 * p + 1);
}

/* integral over [0,1] of |d|^p by halving until d has one sign, or is 0 up to rounding. */
static double mean_power(const double d[4], int p, double limit, int depth)
{
  if (dls_one_sign(d)) {
    return mean_power_of_one_sign(d, p);
  }
  if (dls_piece_largest(d) <= limit || depth == 0) {
    return 0.0;
  }
  double left[4], right[4];
  split(d, 0.5, left, right);
  return 0.5 * (mean_power(left, p, limit, depth - 1) + mean_power(right, p, limit, depth - 1));
}

double dls_mean_power(const double d[4], int p, double limit)
{
  return mean_power(d, p, limit, DEPTH);
}

double dls_line_mean_power(double a, double b, int p)
{
  const double x = fabs(a), y = fabs(b);
  if (a * b < 0.0) { /* a triangle on each side of the zero */
    return (pow(x, p + 1) + pow(y, p + 1)) / ((p + 1) * (x + y));
  }
  double sum = 0.0, power = 1.0; /* (x^(p+1) - y^(p+1)) / (x - y), without the division */
  for (int k = 0; k <= p; k++) {
    sum = sum * x + power;
    power *= y;
  }
  return sum / (p + 1);
}

void dls_norm_scale(dls_measure *out, double unit)
{
  out->value /= unit;
  out->bound = out->bound / unit + DLS_NORM_ROUNDING * DBL_EPSILON * out->value;
}

void dls_power_sum_add(dls_power_sum *s, double p, double weight, double x)
{
  int exponent = 0;
  if (!isfinite(x)) {
    s->sum = (dls_sum){x, 0};
    return;
  }
  if (!(weight * x > 0)) {
    return;
  }
  frexp(x, &exponent);
  if (s->sum.sum == 0 || exponent > s->exponent) {
    const int shift = (int)p * (s->exponent - exponent); /* exact, as both units are powers of two */
    s->sum = (dls_sum){ldexp(s->sum.sum, shift), ldexp(s->sum.carry, shift)};
    s->exponent = exponent;
  }
  dls_sum_add(&s->sum, weight * pow(ldexp(x, -s->exponent), p));
}

double dls_power_sum_root(const dls_power_sum *s, double p)
{
  return ldexp(pow(dls_sum_total(&s->sum), 1 / p), s->exponent);
}
