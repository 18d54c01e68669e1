/* monotone.h -- minimize 1/2 x^T A x - f^T x within bounds by monotone multigrid. A Gauss-Seidel sweep within the bounds finds the
 * unknowns at their bounds. A multigrid cycle for the others is truncated where it leaves the bounds, and its length is the
 * best one up to 1. So the function never increases. The boundary of the set at its bounds moves by one or two unknowns per
 * step. So the first set comes from the same problem on the next coarser level, recursively.
 * Sources: Graeser, Sack, Sander 2009, "Truncated nonsmooth Newton multigrid methods for convex minimization problems", Lecture Notes
 * in Computational Science and Engineering 70; Hoppe, Kornhuber 1994, SIAM J. Numerical Analysis 31 (from coarse to fine).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_LINEAR_MONOTONE_H
#define DELASSUS_COMMON_LINEAR_MONOTONE_H

#include "common/linear/multigrid.h"

/** lower <= x <= upper, n each; infinite where there is none. */
typedef struct dls_bounds {
  double *lower, *upper;
} dls_bounds;

typedef struct dls_monotone dls_monotone;

/** @param[in] G  borrowed @return NULL if out of memory */
dls_monotone *dls_monotone_create(dls_multigrid *G);
void dls_monotone_destroy(dls_monotone *M); /* NULL is fine */
/**
 * The unknowns at a bound at the minimum, with a few errors.
 * @param[in]  f     n
 * @param      work  3 n
 * @param[out] x     n, within the bounds: near the minimum
 * @param[out] held  n: is x_i at a bound?
 */
void dls_monotone_descend(dls_monotone *M, dls_bounds bounds, const double *f, double *work, double *x,
                          unsigned char *held);

#endif
