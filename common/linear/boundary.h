/* boundary.h -- what the factors of a sum give on the rows that contacts touch, and split sums, private to the common floor.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_LINEAR_BOUNDARY_H
#define DELASSUS_COMMON_LINEAR_BOUNDARY_H

#include <delassus/matrix.h>
#include <stdbool.h>

/** x_k := A^{-1} x_k for `count` columns of H, to the sign of a zero as dls_factor_solve. */
void dls_factor_solve_columns(dls_factor *F, size_t count, double *const *x);
/** Eliminate the rows in which H has entries last, where KLU factors the sum, from the next factorization on.
 * @return false if it does not, or if other rows were asked for before: x_B of dls_factor_solve_last is not that of H */
bool dls_factor_order_last(dls_factor *F, const dls_matrix *H);
/** x_B := (A^{-1} x)_B on these rows B, for x = 0 in all others, which it leaves as they are: by S = A_BB - A_BI A_II^{-1} A_IB alone.
 * @return false if the factors do not end with S: x as before */
bool dls_factor_solve_last(dls_factor *F, double *x);
/** x := A^{-1} x for x = 0 in all other rows, to the last bit as dls_factor_solve, without the part of L that meets zeros only.
 * @return false as dls_factor_solve_last: x as before */
bool dls_factor_solve_from_last(dls_factor *F, double *x);
/** coefficients[k] := 0 where term k of A is that of M, the sum of one term. @return their part of the sum, in units of M */
double dls_factor_part(const dls_factor *A, double *coefficients, const dls_factor *M);
/** The sum N with other coefficients as s A + r M, M the sum of one term of A. @return false if N is not of this form */
bool dls_factor_split(const dls_factor *A, const double *coefficients, const dls_factor *M, double *s,
                      double *r);

#endif
