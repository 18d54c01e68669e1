/* definite.c -- positive definiteness by a Cholesky factorization (CHOLMOD).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/storage.h"
#include <cholmod.h>
#include <stdbool.h>

static void count_lower(void *data, size_t i, size_t j, double x)
{
  size_t *count = data;
  *count += i >= j && x != 0;
}

typedef struct filler {
  SuiteSparse_long *starts, *rows;
  double *values;
  size_t used;
} filler;

/* Entries come column by column. */
static void copy_lower(void *data, size_t i, size_t j, double x)
{
  filler *f = data;
  if (i >= j && x != 0) {
    f->rows[f->used] = (SuiteSparse_long)i;
    f->values[f->used++] = x;
    f->starts[j + 1] = (SuiteSparse_long)f->used;
  }
}

/* The lower triangle of A. */
static cholmod_sparse *lower_triangle(const dls_matrix *A, cholmod_common *common)
{
  size_t count = 0;
  dls_matrix_visit(A, count_lower, &count);
  cholmod_sparse *S =
      cholmod_l_allocate_sparse(A->rows, A->rows, count, 1, 1, -1 /* lower */, CHOLMOD_REAL, common);
  if (S != NULL) {
    filler f = {S->p, S->i, S->x, 0};
    f.starts[0] = 0;
    for (size_t j = 0; j < A->rows; j++) {
      f.starts[j + 1] = -1;
    }
    dls_matrix_visit(A, copy_lower, &f);
    for (size_t j = 0; j < A->rows; j++) { /* columns without entries */
      f.starts[j + 1] = f.starts[j + 1] < 0 ? f.starts[j] : f.starts[j + 1];
    }
  }
  return S;
}

dls_status dls_matrix_positive_definite(const dls_matrix *A, size_t *row, dls_error *err)
{
  cholmod_common common;
  cholmod_l_start(&common);
  common.print = 0;
  common.supernodal = CHOLMOD_SIMPLICIAL;
  common.final_ll = 1; /* L L^T: a factorization L D L^T would pass negative pivots */
  cholmod_sparse *S = lower_triangle(A, &common);
  cholmod_factor *L = S == NULL ? NULL : cholmod_l_analyze(S, &common);
  *row = A->rows;
  if (L != NULL) {
    cholmod_l_factorize(S, L, &common);
  }
  const bool done = L != NULL && (common.status == CHOLMOD_OK || common.status == CHOLMOD_NOT_POSDEF);
  if (done && common.status == CHOLMOD_NOT_POSDEF) {
    *row = (size_t)((const SuiteSparse_long *)L->Perm)[L->minor];
  }
  cholmod_l_free_factor(&L, &common);
  cholmod_l_free_sparse(&S, &common);
  cholmod_l_finish(&common);
  return done ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for the Cholesky factorization");
}
