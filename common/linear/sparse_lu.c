/* sparse_lu.c -- see sparse_lu.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/sparse_lu.h"
#include "common/linear/klu_columns.h"
#include "common/linear/pattern.h"
#include "common/linear/thresholds.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { ORDER_AMD = 0, ORDER_COLAMD = 1 };                   /* KLU's codes */
enum { TOGETHER = 4 };                                      /* vectors for which KLU has room */
#define INLINE static inline __attribute__((always_inline)) /* compiled for one vector and for TOGETHER */

struct dls_sparse_lu {
  const dls_matrix *A;
  int *starts, *rows; /* of A: n + 1; its entries */
  klu_common common;
  klu_symbolic *symbolic;
  klu_numeric *numeric; /* NULL: there are no factors */
  dls_schur *last;      /* NULL: none */
};

/* Meshes fill in by half or less where columns are ordered by the pattern of A + A^T, not of A^T A. */
dls_sparse_lu *dls_sparse_lu_create(const dls_matrix *A)
{
  dls_sparse_lu *lu = A->rows < INT_MAX && A->used < INT_MAX ? calloc(1, sizeof *lu) : NULL;
  if (lu == NULL) {
    return NULL;
  }
  lu->A = A;
  klu_defaults(&lu->common);
  lu->common.ordering =
      A->rows >= threshold_mesh_rows && dls_matrix_symmetric_pattern(A) ? ORDER_AMD : ORDER_COLAMD;
  lu->starts = malloc((A->rows + 1) * sizeof *lu->starts);
  lu->rows = malloc((A->used + 1) * sizeof *lu->rows);
  if (lu->starts == NULL || lu->rows == NULL) {
    dls_sparse_lu_destroy(lu);
    return NULL;
  }
  for (size_t j = 0; j <= A->rows; j++) {
    lu->starts[j] = (int)A->starts[j];
  }
  for (size_t e = 0; e < A->used; e++) {
    lu->rows[e] = (int)A->row_of[e];
  }
  return lu;
}

void dls_sparse_lu_destroy(dls_sparse_lu *lu)
{
  if (lu != NULL) {
    klu_free_numeric(&lu->numeric, &lu->common);
    klu_free_symbolic(&lu->symbolic, &lu->common);
    free(lu->starts);
    free(lu->rows);
    free(lu);
  }
}

void dls_sparse_lu_order(dls_sparse_lu *lu, dls_schur *last)
{
  klu_common defaults;
  klu_defaults(&defaults);
  lu->common.tol = defaults.tol; /* pivots off the diagonal lose the Schur complement */
  dls_schur_order(last, &lu->common);
  lu->last = last;
}

/* The old pivots with new values. @return are they accurate? Where A is nearly singular they are not. */
static bool refactor(dls_sparse_lu *lu)
{
  double *x = lu->A->values;
  if (lu->numeric == NULL || !klu_refactor(lu->starts, lu->rows, x, lu->symbolic, lu->numeric, &lu->common) ||
      !klu_rcond(lu->symbolic, lu->numeric, &lu->common)) {
    return false;
  }
  if (lu->common.rcond < threshold_nearly_singular &&
      (!klu_condest(lu->starts, x, lu->symbolic, lu->numeric, &lu->common) ||
       lu->common.condest > 1 / threshold_nearly_singular)) {
    return false;
  }
  return klu_rgrowth(lu->starts, lu->rows, x, lu->symbolic, lu->numeric, &lu->common) &&
         lu->common.rgrowth >= threshold_least_pivot_growth;
}

static bool is_ordered(const dls_sparse_lu *lu)
{
  return lu->symbolic != NULL && lu->symbolic->ordering == lu->common.ordering;
}

dls_status dls_sparse_lu_factor(dls_sparse_lu *lu, size_t *row)
{
  const size_t n = lu->A->rows;
  *row = n;
  if (lu->last != NULL) {
    dls_schur_forget(lu->last);
  }
  if (is_ordered(lu) && refactor(lu)) {
    return DLS_OK;
  }
  if (lu->numeric != NULL && lu->last == NULL) {
    lu->common.tol = threshold_lasting_pivot; /* the old pivots did not last */
  }
  klu_free_numeric(&lu->numeric, &lu->common);
  if (!is_ordered(lu)) {
    klu_free_symbolic(&lu->symbolic, &lu->common);
    lu->symbolic = klu_analyze((int)n, lu->starts, lu->rows, &lu->common);
  }
  if (lu->symbolic != NULL) {
    lu->numeric = klu_factor(lu->starts, lu->rows, lu->A->values, lu->symbolic, &lu->common);
  }
  if (lu->numeric != NULL) {
    return DLS_OK;
  }
  const bool singular = lu->common.status == KLU_SINGULAR;
  const int column = lu->common.singular_col;
  *row = singular && column >= 0 && (size_t)column < n ? (size_t)column : n;
  return singular ? DLS_ERR_SINGULAR : DLS_ERR_MEMORY;
}

void dls_sparse_lu_solve(dls_sparse_lu *lu, double *x)
{
  klu_solve(lu->symbolic, lu->numeric, (int)lu->A->rows, 1, x, &lu->common);
}

/* y_row -= c y_k for the rows of column k, where y_k is not 0; a row of y has `width` numbers. */
INLINE void subtract(size_t width, const dls_klu_column *c, size_t k, double *y)
{
  double factor[TOGETHER], sum[TOGETHER];
  bool any = false;
  for (size_t r = 0; r < width; r++) {
    factor[r] = y[width * k + r];
    any = any || factor[r] != 0;
  }
  for (size_t e = 0; any && e < c->count; e++) {
    double *row = y + width * (size_t)c->rows[e];
    const double value = c->values[e];
    for (size_t r = 0; r < width; r++) {
      sum[r] = row[r] - value * factor[r];
    }
    memcpy(row, sum, width * sizeof *row);
  }
}

/* klu_solve of one block, for `width` vectors in one pass over the factors. */
INLINE void solve_together(dls_sparse_lu *lu, size_t width, double *const *x)
{
  const klu_numeric *numeric = lu->numeric;
  const double *diagonal = numeric->Udiag;
  const size_t n = lu->A->rows;
  double *y = numeric->Xwork;
  for (size_t k = 0; k < n; k++) {
    for (size_t r = 0; r < width; r++) {
      y[width * k + r] = x[r][numeric->Pnum[k]] / numeric->Rs[k];
    }
  }
  for (size_t k = 0; k < n; k++) {
    const dls_klu_column L = dls_klu_column_of_L(numeric, k);
    subtract(width, &L, k, y);
  }
  for (size_t k = n; k-- > 0;) {
    const dls_klu_column U = dls_klu_column_of_U(numeric, k);
    for (size_t r = 0; r < width; r++) {
      y[width * k + r] /= diagonal[k];
      x[r][lu->symbolic->Q[k]] = y[width * k + r];
    }
    subtract(width, &U, k, y);
  }
}

void dls_sparse_lu_solve_columns(dls_sparse_lu *lu, size_t count, double *const *x)
{
  const bool one_block =
      lu->symbolic->nblocks == 1 && lu->symbolic->maxblock > 1; /* of 1 x 1 KLU sets Udiag only */
  for (; one_block && count >= TOGETHER; count -= TOGETHER, x += TOGETHER) {
    solve_together(lu, TOGETHER, x);
  }
  for (; count > 0; count--, x++) {
    if (one_block) {
      solve_together(lu, 1, x);
    } else {
      dls_sparse_lu_solve(lu, *x);
    }
  }
}

bool dls_sparse_lu_solve_last(dls_sparse_lu *lu, double *x)
{
  return is_ordered(lu) && dls_schur_solve(lu->last, lu->symbolic, lu->numeric, x);
}

bool dls_sparse_lu_solve_from_last(dls_sparse_lu *lu, double *x)
{
  return is_ordered(lu) && lu->last != NULL && dls_schur_solve_from(lu->last, lu->symbolic, lu->numeric, x);
}
