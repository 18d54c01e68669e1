/* lu.h -- P A = L U in the storage of GSL, without allocation.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_LINEAR_LU_H
#define DELASSUS_COMMON_LINEAR_LU_H

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_permutation.h>

/** P A = L U in place, with the largest pivot of each column: for gsl_linalg_LU_svx. A is singular if U has a 0 on its diagonal.
 * @param[in,out] A  n x n @param[out] order  n, of P */
void dls_lu(gsl_matrix *A, gsl_permutation *order);

#endif
