/* analytic/distance/norm.h -- the measures of norm.c, and sums whose rounding does not grow with their length.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ANALYTIC_NORM_H
#define DELASSUS_ANALYTIC_NORM_H

#include <delassus/graph.h>
#include <math.h>

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

/* A sum that overflows is infinite; its carry is not a number. */
static inline double dls_sum_total(const dls_sum *s)
{
  return isfinite(s->sum) ? s->sum + s->carry : s->sum;
}

enum { DLS_MOST_POWER = 64 };
extern const dls_option dls_norm_power[]; /* of lp and grid-lp */

/* A sum of weight x^p, in units of a power of two near the largest x: powers neither overflow nor vanish. */
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

/* The time that both graphs cover. @return DLS_ERR_ARG if there is none */
dls_status dls_norm_overlap(const dls_graph *numeric, const dls_graph *reference, double *low, double *high,
                            dls_error *err);

/* f - g on an interval between neighbouring breakpoints of either graph. */
typedef struct dls_norm_interval {
  double start, end; /* [s] */
  double d[4];       /* Bernstein coefficients of f - g */
  double scale;      /* largest coefficients of both graphs, added */
  bool linear;
} dls_norm_interval;
typedef void dls_norm_visit(void *data, size_t component, const dls_norm_interval *interval);
/* Visit every interval of [low, high], component by component. `high` is the end of an interval, hence a breakpoint. */
void dls_norm_sweep(const dls_graph *f, const dls_graph *g, double low, double high, dls_norm_visit *visit,
                    void *data);

/* The integral over [0,1] of |d|, d a cubic in Bernstein coefficients. @param[in,out] slack  grows by the error bound of the result */
double dls_norm_mean_abs(const double d[4], double limit, double *slack);
/* Divide an integral by its unit; the quotient and the weights add a few ulp of the value. */
void dls_norm_scale(dls_measure *out, double unit);

/* A norm in function space (l1, l2, lp, max) of f - g, accumulated over consecutive spans of time. */
typedef struct dls_space_sum dls_space_sum;
bool dls_space_has(const dls_norm *norm);
/* @return the caller frees it; NULL if there is no memory */
dls_space_sum *dls_space_begin(const dls_norm *norm, size_t dim);
/* Add the next span, covered by both graphs; its end as for dls_norm_sweep. */
void dls_space_add(dls_space_sum *sum, const dls_graph *f, const dls_graph *g, double low, double high);
dls_measure dls_space_end(const dls_space_sum *sum, const dls_metric *metric);

extern const dls_norm dls_norm_l1, dls_norm_l2, dls_norm_lp, dls_norm_max;
extern const dls_norm dls_norm_flat, dls_norm_m1;
extern const dls_norm dls_norm_grid_l1, dls_norm_grid_l2, dls_norm_grid_lp, dls_norm_grid_max,
    dls_norm_relative_l1;

#endif
