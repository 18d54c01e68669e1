/* delassus/fit.h -- empirical order of convergence: log(error) = log C + q log(h), least squares over all runs.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_FIT_H
#define DELASSUS_FIT_H

#include <delassus/error.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dls_fit {
  double order, constant;  /* q, C */
  double ci_low, ci_high;  /* 95 % confidence interval of q (Student, GSL) */
  double h_max, h_min;     /* range of the points used */
  size_t points;           /* points used */
  size_t dropped_floor;    /* points at or below the floor, left out */
  bool warn_floor;         /* some points are at the round-off (or reference) floor */
  bool warn_preasymptotic; /* the order over the coarse half differs from that over the fine half beyond their
                               intervals: the coarse steps are before the asymptotic range */
  double order_coarse, order_fine; /* the two halves (NaN with fewer than 3 points each) */
} dls_fit;

/**
 * @param[in] count, h, error  points with h > 0; errors <= floor or not finite are left out and counted
 * @param[in] floor            errors that mean nothing: rounding, error of the reference
 * @return DLS_ERR_ARG if fewer than 3 usable points with at least 2 different h
 */
dls_status dls_fit_order(size_t count, const double *h, const double *error, double floor, dls_fit *out,
                         dls_error *err);

/** Pairwise order log(e1/e0)/log(h1/h0) of two levels; NaN where an error is not positive. */
double dls_pairwise_order(double h0, double e0, double h1, double e1);

#ifdef __cplusplus
}
#endif

#endif
