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
/** W_ii - |W_i,i-1| - |W_i,i+1|, what is rounding of that as 0. */
double dls_tridiagonal_excess(double d, double before, double after);
/** Is no row's excess negative? */
bool dls_tridiagonal_dominant(size_t n, const double *d, const double *e);
/**
 * dls_tridiagonal_factor of a matrix that is dominant, without a subtraction: each pivot is known to a few roundings, whatever
 * the condition. By the excess s_i of the rows that are left: pivot s_i + |e_i|, then s_i+1 += |e_i| s_i / pivot.
 * Source: Alfa, Xue, Ye 2002, Mathematics of Computation 71 (accurate elimination with diagonally dominant M-matrices).
 * @return as dls_tridiagonal_factor
 */
size_t dls_tridiagonal_factor_dominant(size_t n, double *d, double *e, double least);
/** x := A^{-1} x; x[n]. */
void dls_tridiagonal_solve(size_t n, const double *d, const double *e, double *x);

#endif
