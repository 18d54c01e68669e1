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
  double order,
      constant; /* q by least squares; C the median of error/h^q: half of the errors are above the line */
  double ci_low, ci_high;  /* 95 % confidence interval of q (Student, GSL) */
  double h_max, h_min;     /* range of the points used */
  size_t points;           /* points used */
  size_t dropped_floor;    /* points at or below the floor, left out */
  bool warn_floor;         /* some points are at the round-off (or reference) floor */
  bool warn_preasymptotic; /* the order over the coarse half differs from that over the fine half beyond their
                               intervals: the coarse steps are before the asymptotic range */
  double order_coarse, order_fine; /* the two halves (NaN with fewer than 3 points each) */
  double half_coarse, half_fine;   /* half the 95 % intervals of these two */
} dls_fit;

/**
 * @param[in] count, h, error  points with h > 0; errors <= floor or not finite are left out and counted
 * @param[in] floor            errors without information: rounding, error of the reference
 * @return DLS_ERR_ARG if fewer than 3 usable points with at least 2 different h
 */
dls_status dls_fit_order(size_t count, const double *h, const double *error, double floor, dls_fit *out,
                         dls_error *err);

/** The same law through the medians of the levels: log(median error) = log C + q log(median h). */
typedef struct dls_median_fit {
  double order,
      constant; /* q by Theil and Sen, the median of the slopes of all pairs of levels; C the median of error/h^q */
  double ci_low, ci_high; /* 95 % interval of q; NaN where a level has fewer than 3 runs */
  double half_order;      /* half of it */
  double centre,
      half_centre; /* h where slope and height are independent; half the 95 % interval of log(C h^q) there */
  size_t levels;   /* medians used, >= 2 */
} dls_median_fit;

/**
 * Fit the medians of levels. Intervals come from a bootstrap: runs are resampled within their levels, from a fixed seed.
 * Half an interval is 1.96 standard deviations of the draws, times sqrt((R - 1)/R) for R >= 5 runs a level, because the median of
 * few runs scatters more among draws than among studies. The intervals contain q in 93 to 97 of 100 studies of 5 to 12 levels with 3 to 20 runs,
 * also for skewed distributions of errors.
 * Source: H. Theil 1950; P. K. Sen 1968; B. Efron 1979 for the bootstrap.
 * @param[in] count, h, error  runs with h > 0; those with an error that is not finite are left out
 * @param[in] level            of each run
 * @param[in] floor            smaller errors are replaced by this, and levels with a median at or below it are omitted
 * @return DLS_ERR_ARG if fewer than 2 levels with different h are left; DLS_ERR_MEMORY
 */
dls_status dls_fit_medians(size_t count, const double *h, const double *error, const size_t *level,
                           double floor, dls_median_fit *out, dls_error *err);

/** All members NaN: there is no fit. */
dls_median_fit dls_median_fit_none(void);

/** Factor >= 1 by which the 95 % band reaches above and below the line C h^q at h; NaN without intervals. */
double dls_median_band(const dls_median_fit *fit, double h);

/** Orders nearer to 0 are none: errors change by less than a factor of 1.2 when h is halved. */
#define DLS_LEAST_ORDER 0.25

/** Whether errors follow the power law that was fitted to them; if not, the first reason of these. */
typedef enum dls_power_law {
  DLS_POWER_LAW_HOLDS,
  DLS_POWER_LAW_FLAT,    /* the line changes by less than 1.5 over a range of h of 4 and more */
  DLS_POWER_LAW_UNSURE,  /* the interval of the order contains 0 */
  DLS_POWER_LAW_BENT,    /* the orders of the two halves are apart by a factor of 1.5 beyond their intervals */
  DLS_POWER_LAW_SCATTERS /* the slope explains less than 9/10 of the variance of the log of the medians */
} dls_power_law;

typedef struct dls_power_law_check {
  dls_power_law verdict;
  size_t levels; /* medians used */
  double
      constant;  /* median of error/h^q over the medians: the line of the order q that half of them lie above */
  double factor; /* largest distance of a median from the line of the same order through their middle, >= 1 */
  double typical; /* median of the medians */
} dls_power_law_check;

/**
 * Judge a fit by the medians of the levels of its points: an order is valid only if the medians have it.
 * @param[in] count, h, error  median h and median error of each level, in any order; those that are not positive and
 *                             finite, or whose h is outside the points of the fit, are left out
 * @return DLS_ERR_MEMORY
 */
dls_status dls_fit_judge(const dls_fit *fit, size_t count, const double *h, const double *error,
                         dls_power_law_check *out, dls_error *err);

/** Pairwise order log(e1/e0)/log(h1/h0) of two levels; NaN where an error is not positive. */
double dls_pairwise_order(double h0, double e0, double h1, double e1);

#ifdef __cplusplus
}
#endif

#endif
