/* tridiagonal.h -- symmetric positive definite tridiagonal systems, eliminated from both ends towards the middle.
 *
 * The two halves of each sweep do not wait for each other, which takes half the time of LAPACK's dpttrs, where
 * every row waits for the one before.
 * Source: Babuska 1972, "Numerical stability in problems of linear algebra" (elimination from both ends).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_LINEAR_TRIDIAGONAL_H
#define DELASSUS_COMMON_LINEAR_TRIDIAGONAL_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Factor in place.
 * @param[in,out] d      n: diagonal in, reciprocal pivots out
 * @param[in,out] e      n - 1: off-diagonal in, multipliers out
 * @param[in]     least  a pivot must be above this times its diagonal entry, e.g. 0
 * @return n; or the row of the first pivot that is not (d and e are then spoilt)
 */
size_t dls_tridiagonal_factor(size_t n, double *d, double *e, double least);
/** x := A^{-1} x; x[n]. */
void dls_tridiagonal_solve(size_t n, const double *d, const double *e, double *x);

#endif
