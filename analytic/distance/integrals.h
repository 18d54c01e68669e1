/* analytic/distance/integrals.h -- integrals over [0,1] of powers of a cubic in Bernstein coefficients d, and sums whose
 * rounding is independent of their length.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ANALYTIC_INTEGRALS_H
#define DELASSUS_ANALYTIC_INTEGRALS_H

#include "analytic/graph/piece.h"
#include <delassus/graph.h>
#include <math.h>
#include <stdbool.h>

/* Compensated sum (Neumaier 1974): the error stays at a few ulp of the sum of absolute values. */
typedef struct dls_sum {
  double sum, carry;
} dls_sum;

static inline void dls_sum_add(dls_sum *s, double x)
{
  const double t = s->sum + x;
  s->carry += fabs(s->sum) >= fabs(x) ? (s->sum - t) + x : (x - t) + s->sum;
  s->sum = t;
}

/* A sum that overflows is infinite; its carry is then NaN. */
static inline double dls_sum_total(const dls_sum *s)
{
  return isfinite(s->sum) ? s->sum + s->carry : s->sum;
}

enum { DLS_MOST_POWER = 64 };

/* A sum of weight x^p, in units of a power of two near the largest x, so that powers neither overflow nor underflow. */
typedef struct dls_power_sum {
  int exponent; /* the unit is 2^(p exponent) */
  dls_sum sum;
} dls_power_sum;
/* += weight x^p; weight, x >= 0; p a whole number. */
void dls_power_sum_add(dls_power_sum *s, double p, double weight, double x);
/* Its root of order p. */
double dls_power_sum_root(const dls_power_sum *s, double p);

/* Rounding of a value of a piece and of a difference of two [ulp of the largest coefficients of both]. */
#define DLS_NORM_ROUNDING 16.0

/* The integral of d. */
static inline double dls_mean(const double d[4])
{
  return 0.25 * (d[0] + d[1] + d[2] + d[3]);
}

static inline bool dls_one_sign(const double d[4])
{
  const double least = dls_lower(dls_lower(d[0], d[1]), dls_lower(d[2], d[3]));
  const double most = dls_higher(dls_higher(d[0], d[1]), dls_higher(d[2], d[3]));
  return least >= 0.0 || most <= 0.0;
}

/* dls_norm_mean_abs where d has both signs. */
double dls_norm_mean_abs_split(const double d[4], double limit, double *slack);
/* The integral of |d|. @param[in,out] slack  grows by the error bound of the result */
static inline double dls_norm_mean_abs(const double d[4], double limit, double *slack)
{
  return dls_one_sign(d) ? fabs(dls_mean(d)) : dls_norm_mean_abs_split(d, limit, slack);
}

/* The integral of |d| of a line from p to q: two triangles where the sign changes. */
static inline double dls_line_mean_abs(double p, double q)
{
  const double size = fabs(p) + fabs(q);
  return p * q >= 0.0 ? 0.5 * size : 0.5 * (p * p + q * q) / size;
}

/* The integral of d^2. */
static inline double dls_mean_square(const double d[4], bool linear)
{
  /* integral of B_i B_j = C(3,i) C(3,j) / (7 C(6,i+j)), in units of 1/140 */
  static const double gram[4][4] = {{20, 10, 4, 1}, {10, 12, 9, 4}, {4, 9, 12, 10}, {1, 4, 10, 20}};
  double square = 0.0;
  if (linear) {
    return (d[0] * d[0] + d[0] * d[3] + d[3] * d[3]) / 3.0;
  }
  for (size_t i = 0; i < 4; i++) {
    for (size_t j = 0; j < 4; j++) {
      square += gram[i][j] / 140.0 * d[i] * d[j];
    }
  }
  return square;
}

/* The integral of |d|^p, |d_i| <= 1; parts below the limit count as 0. */
double dls_mean_power(const double d[4], int p, double limit);
/* The integral of |d|^p of a line from a to b. */
double dls_line_mean_power(double a, double b, int p);

/* Divide an integral by its unit; the quotient and the weights add a few ulp of the value. */
void dls_norm_scale(dls_measure *out, double unit);

#endif
