/* common/linear/lu.c -- P A = L U. gsl_linalg_LU_decomp of GSL 2.7 allocates in every call and crashes without memory. The operations
 * are those of GSL with its own BLAS, in their order. Source: Golub, Van Loan 2013, algorithm 3.4.1.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/lu.h"
#include <float.h>
#include <math.h>

static size_t largest_from(const gsl_matrix *A, size_t k)
{
  size_t pivot = k;
  double most = 0;
  for (size_t i = k; i < A->size1; i++) {
    const double size = fabs(gsl_matrix_get(A, i, k));
    if (size > most) {
      most = size;
      pivot = i;
    }
  }
  return pivot;
}

/* l_ik = a_ik / u_kk, a_ij := a_ij - l_ik u_kj for i, j > k */
static void eliminate(gsl_matrix *A, size_t k)
{
  const double *u = gsl_matrix_const_ptr(A, k, k);
  const double inverse = 1 / u[0];
  for (size_t i = k + 1; i < A->size1; i++) {
    double *a = gsl_matrix_ptr(A, i, k);
    a[0] = fabs(u[0]) < DBL_MIN ? a[0] / u[0] : a[0] * inverse;
    for (size_t j = 1; j < A->size2 - k; j++) {
      a[j] -= a[0] * u[j];
    }
  }
}

void dls_lu(gsl_matrix *A, gsl_permutation *order)
{
  gsl_permutation_init(order);
  for (size_t k = 0; k < A->size1; k++) {
    const size_t pivot = largest_from(A, k);
    if (pivot != k) {
      gsl_matrix_swap_rows(A, k, pivot);
      gsl_permutation_swap(order, k, pivot);
    }
    if (gsl_matrix_get(A, k, k) != 0) {
      eliminate(A, k);
    }
  }
}
