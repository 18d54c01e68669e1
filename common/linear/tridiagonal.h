/* tridiagonal.h -- symmetric positive definite tridiagonal systems, eliminated from both ends towards the middle.
 *
 * The two halves of each sweep are independent, which takes half the time of LAPACK's dpttrs, where every row depends on
 * the one before.
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
 * @param[in]     least  a pivot must exceed this times its diagonal entry, e.g. 0
 * @return n; or the row of the first pivot that is not (d and e are then overwritten)
 */
size_t dls_tridiagonal_factor(size_t n, double *d, double *e, double least);
/** W_ii - |W_i,i-1| - |W_i,i+1|, set to 0 below rounding. */
double dls_tridiagonal_excess(double d, double before, double after);
/** Is the excess of every row nonnegative? */
bool dls_tridiagonal_dominant(size_t n, const double *d, const double *e);
/**
 * dls_tridiagonal_factor of a diagonally dominant matrix without subtraction: each pivot is accurate to a few roundings,
 * whatever the condition number. Uses the excess s_i of the remaining rows: pivot s_i + |e_i|, then s_i+1 += |e_i| s_i /
 * pivot.
 * Source: Alfa, Xue, Ye 2002, Mathematics of Computation 71 (accurate elimination with diagonally dominant M-matrices).
 * @return as dls_tridiagonal_factor
 */
size_t dls_tridiagonal_factor_dominant(size_t n, double *d, double *e, double least);
/** x := A^{-1} x; x[n]. */
void dls_tridiagonal_solve(size_t n, const double *d, const double *e, double *x);

#endif
