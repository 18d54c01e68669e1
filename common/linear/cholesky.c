/* cholesky.c -- CHOLMOD with its state in one object: L D L^T by columns, and a test of positive definiteness.
 * Supernodes are up to twice as fast, but for them the packaged library starts threads, and the result depends on the BLAS.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/cholesky.h"
#include "common/linear/storage.h"
#include "common/linear/suitesparse.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct dls_cholesky {
  cholmod_common common;
  cholmod_factor *L;        /* NULL before the first factorization */
  cholmod_dense *x, *y, *e; /* workspace of the solves, reused */
};

dls_cholesky *dls_cholesky_create(void)
{
  dls_cholesky *C = calloc(1, sizeof *C);
  if (C == NULL || !dls_cholmod_start(&C->common)) {
    free(C);
    return NULL;
  }
  C->common.print = 0;
  C->common.nmethods = 1;
  C->common.method[0].ordering = CHOLMOD_GIVEN;
  C->common.supernodal = CHOLMOD_SIMPLICIAL;
  return C;
}

void dls_cholesky_destroy(dls_cholesky *C)
{
  if (C != NULL) {
    dls_cholmod_free_factor(&C->L, &C->common);
    dls_cholmod_free_dense(&C->x, &C->common);
    dls_cholmod_free_dense(&C->y, &C->common);
    dls_cholmod_free_dense(&C->e, &C->common);
    dls_cholmod_finish(&C->common);
    free(C);
  }
}

static cholmod_sparse frame(const dls_lower *A)
{
  return (cholmod_sparse){.nrow = A->n,
                          .ncol = A->n,
                          .nzmax = (size_t)A->starts[A->n],
                          .p = A->starts,
                          .i = A->rows,
                          .x = A->values,
                          .stype = -1,
                          .itype = CHOLMOD_LONG,
                          .xtype = CHOLMOD_REAL,
                          .dtype = CHOLMOD_DOUBLE,
                          .sorted = 1,
                          .packed = 1};
}

bool dls_cholesky_order(dls_cholesky *C, const dls_lower *A, int64_t *order)
{
  cholmod_sparse matrix = frame(A);
  return dls_cholmod_amd(&matrix, NULL, 0, order, &C->common);
}

/* Are all pivots larger than least times the diagonal of A? L holds L D L^T by columns, D first. */
static bool definite(const dls_lower *A, const cholmod_factor *L, double least)
{
  const int64_t *place = L->p, *column = L->Perm;
  const double *x = L->x;
  bool all = L->minor == L->n;
  for (size_t k = 0; k < L->n; k++) {
    all = all && x[place[k]] > least * A->values[A->starts[column[k]]];
  }
  return all;
}

dls_status dls_cholesky_factor(dls_cholesky *C, const dls_lower *A, int64_t *order, double least)
{
  cholmod_sparse matrix = frame(A);
  dls_cholmod_free_factor(&C->L, &C->common);
  C->L = dls_cholmod_analyze_p(&matrix, order, NULL, 0, &C->common);
  if (C->L == NULL || !dls_cholmod_factorize(&matrix, C->L, &C->common)) {
    return DLS_ERR_MEMORY;
  }
  return definite(A, C->L, least) ? DLS_OK : DLS_ERR_SINGULAR;
}

void dls_cholesky_forget(dls_cholesky *C)
{
  dls_cholmod_free_factor(&C->L, &C->common);
}

dls_status dls_cholesky_solve(dls_cholesky *C, double *x)
{
  const size_t n = C->L->n;
  cholmod_dense b = {
      .nrow = n, .ncol = 1, .nzmax = n, .d = n, .x = x, .xtype = CHOLMOD_REAL, .dtype = CHOLMOD_DOUBLE};
  if (!dls_cholmod_solve2(CHOLMOD_A, C->L, &b, &C->x, &C->y, &C->e, &C->common)) {
    return DLS_ERR_MEMORY;
  }
  memcpy(x, C->x->x, n * sizeof *x);
  return DLS_OK;
}

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

/* Entries arrive column by column. */
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
      dls_cholmod_allocate_sparse(A->rows, A->rows, count, 1, 1, -1 /* lower */, CHOLMOD_REAL, common);
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
  dls_cholmod_start(&common);
  common.print = 0;
  common.supernodal = CHOLMOD_SIMPLICIAL;
  common.final_ll = 1; /* L L^T: a factorization L D L^T would accept negative pivots */
  cholmod_sparse *S = lower_triangle(A, &common);
  cholmod_factor *L = S == NULL ? NULL : dls_cholmod_analyze(S, &common);
  *row = A->rows;
  if (L != NULL) {
    dls_cholmod_factorize(S, L, &common);
  }
  const bool done = L != NULL && (common.status == CHOLMOD_OK || common.status == CHOLMOD_NOT_POSDEF);
  if (done && common.status == CHOLMOD_NOT_POSDEF) {
    *row = (size_t)((const SuiteSparse_long *)L->Perm)[L->minor];
  }
  dls_cholmod_free_factor(&L, &common);
  dls_cholmod_free_sparse(&S, &common);
  dls_cholmod_finish(&common);
  return done ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for the Cholesky factorization");
}
