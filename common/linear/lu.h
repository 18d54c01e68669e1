/* lu.h -- P A = L U in the storage of GSL or by columns, without allocation.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_LINEAR_LU_H
#define DELASSUS_COMMON_LINEAR_LU_H

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_permutation.h>
#include <sundials/sundials_types.h>

/** P A = L U in place, with the largest pivot of each column: for gsl_linalg_LU_svx. A is singular if U has a 0 on its diagonal.
 * @param[in,out] A  n x n @param[out] order  n, of P */
void dls_lu(gsl_matrix *A, gsl_permutation *order);
/** The same by columns, for SUNDlsMat_denseGETRS: bit for bit what SUNDlsMat_denseGETRF gives, in less than half of its time from some
 * tens of columns on.
 * @param[in,out] column  n columns of n numbers
 * @param[out]    swap    n: row k was exchanged with row swap[k] >= k
 * @return n; or the row of a pivot that is 0: then there are no factors */
size_t dls_lu_columns(size_t n, double *const *column, sunindextype *swap);
/** x := U^{-1} L^{-1} P x by such factors, `stride` numbers from column to column: what SUNLinSolSolve does, without its calls, which take
 * longer than small systems. swap NULL: P = I */
void dls_lu_solve(size_t n, const double *LU, size_t stride, const sunindextype *swap, double *x);

#endif
