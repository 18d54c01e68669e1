/* common/linear/lu.c -- P A = L U. gsl_linalg_LU_decomp of GSL 2.7 allocates in every call and crashes without memory. The operations
 * are those of GSL with its own BLAS, in their order. Source: Golub, Van Loan 2013, algorithm 3.4.1.
 * By columns, each column takes the eliminations of all columns before it at once, GROUP of them in one pass over its rows, where
 * SUNDIALS passes over the whole matrix for each. The operations on an entry, and their order, are those of SUNDIALS.
 * Not by LAPACK's dgetrf: OpenBLAS needs 0.8 (41 rows) to 0.25 (400 rows) of the time, but its bits differ between
 * processors, where runs must agree. The reference LAPACK has the same bits and needs 1.5 times the time at both sizes.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/lu.h"
#include <float.h>
#include <math.h>
#include <stdbool.h>

enum { GROUP = 4 };

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

/* x_i -= u_k l_ik for i > k: column k eliminates in x. A zero u_k is left out, as in SUNDIALS. */
static void eliminate_one(size_t n, const double *restrict l, size_t k, double *restrict x)
{
  for (size_t i = k + 1; x[k] != 0 && i < n; i++) {
    x[i] -= x[k] * l[i];
  }
}

/* Columns k to k + GROUP - 1 eliminate in x. */
static void eliminate_group(size_t n, double *const *column, size_t k, double *restrict x)
{
  const double *restrict a = column[k], *restrict b = column[k + 1], *restrict c = column[k + 2],
                         *restrict d = column[k + 3];
  for (size_t i = k; i + 1 < k + GROUP; i++) {
    eliminate_one(k + GROUP, column[i], i, x);
  }
  const double ua = x[k], ub = x[k + 1], uc = x[k + 2], ud = x[k + 3];
  const bool all = ua != 0 && ub != 0 && uc != 0 && ud != 0;
  for (size_t i = k + GROUP; all && i < n; i++) {
    double sum = x[i];
    sum -= ua * a[i];
    sum -= ub * b[i];
    sum -= uc * c[i];
    sum -= ud * d[i];
    x[i] = sum;
  }
  for (size_t l = k; !all && l < k + GROUP; l++) {
    for (size_t i = k + GROUP; x[l] != 0 && i < n; i++) {
      x[i] -= x[l] * column[l][i];
    }
  }
}

static void exchange(double *x, size_t i, size_t k)
{
  const double kept = x[i];
  x[i] = x[k];
  x[k] = kept;
}

size_t dls_lu_columns(size_t n, double *const *column, sunindextype *swap)
{
  for (size_t j = 0; j < n; j++) {
    double *x = column[j];
    size_t k = 0, pivot = j;
    for (size_t i = 0; i < j; i++) {
      exchange(x, (size_t)swap[i], i);
    }
    for (; k + GROUP <= j; k += GROUP) {
      eliminate_group(n, column, k, x);
    }
    for (; k < j; k++) {
      eliminate_one(n, column[k], k, x);
    }
    for (size_t i = j + 1; i < n; i++) {
      pivot = fabs(x[i]) > fabs(x[pivot]) ? i : pivot;
    }
    if (x[pivot] == 0) {
      return j;
    }
    swap[j] = (sunindextype)pivot;
    for (size_t i = 0; pivot != j && i <= j; i++) {
      exchange(column[i], pivot, j);
    }
    const double inverse = 1 / x[j];
    for (size_t i = j + 1; i < n; i++) {
      x[i] *= inverse;
    }
  }
  return n;
}

/* x_i -= l_ik x_k for GROUP columns k, in this order, and first <= i < past; no k lies in this range. */
static inline void take_group(size_t first, size_t past, const double *LU, size_t stride, const size_t *k,
                              double *restrict x)
{
  const double *restrict a = LU + k[0] * stride, *restrict b = LU + k[1] * stride,
                         *restrict c = LU + k[2] * stride, *restrict d = LU + k[3] * stride;
  const double xa = x[k[0]], xb = x[k[1]], xc = x[k[2]], xd = x[k[3]];
  for (size_t i = first; i < past; i++) {
    double sum = x[i];
    sum -= a[i] * xa;
    sum -= b[i] * xb;
    sum -= c[i] * xc;
    sum -= d[i] * xd;
    x[i] = sum;
  }
}

/* The unknowns [first, past) of L, and of U, from their own columns. */
static inline void solve_lower(size_t first, size_t past, const double *LU, size_t stride, double *x)
{
  for (size_t k = first; k + 1 < past; k++) {
    for (size_t i = k + 1; i < past; i++) {
      x[i] -= LU[i + k * stride] * x[k];
    }
  }
}

static inline void solve_upper(size_t first, size_t past, const double *LU, size_t stride, double *x)
{
  for (size_t k = past; k-- > first;) {
    x[k] /= LU[k + k * stride];
    for (size_t i = first; i < k; i++) {
      x[i] -= LU[i + k * stride] * x[k];
    }
  }
}

/* Operations on an entry are in the order of their columns, as without groups. */
void dls_lu_solve(size_t n, const double *LU, size_t stride, const sunindextype *swap, double *x)
{
  const size_t rest = n % GROUP, whole = n - rest;
  for (size_t k = 0; swap != NULL && k < n; k++) {
    exchange(x, (size_t)swap[k], k);
  }
  for (size_t k = 0; k < whole; k += GROUP) { /* L */
    solve_lower(k, k + GROUP, LU, stride, x);
    take_group(k + GROUP, n, LU, stride, (const size_t[GROUP]){k, k + 1, k + 2, k + 3}, x);
  }
  solve_lower(whole, n, LU, stride, x);
  for (size_t k = n; k >= GROUP; k -= GROUP) { /* U */
    solve_upper(k - GROUP, k, LU, stride, x);
    take_group(0, k - GROUP, LU, stride, (const size_t[GROUP]){k - 1, k - 2, k - 3, k - 4}, x);
  }
  solve_upper(0, rest, LU, stride, x);
}
