/* cholesky.c -- CHOLMOD with its state in an object of ours: L D L^T by columns. Supernodes are up to twice as fast,
 * but the packaged library starts threads for them, and their result depends on the BLAS.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/cholesky.h"
#include <cholmod.h>
#include <stdlib.h>
#include <string.h>

struct dls_cholesky {
  cholmod_common common;
  cholmod_factor *L;        /* NULL before the first factorization */
  cholmod_dense *x, *y, *e; /* of the solves, kept from one to the next */
};

dls_cholesky *dls_cholesky_create(void)
{
  dls_cholesky *C = calloc(1, sizeof *C);
  if (C == NULL || !cholmod_l_start(&C->common)) {
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
    cholmod_l_free_factor(&C->L, &C->common);
    cholmod_l_free_dense(&C->x, &C->common);
    cholmod_l_free_dense(&C->y, &C->common);
    cholmod_l_free_dense(&C->e, &C->common);
    cholmod_l_finish(&C->common);
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
  return cholmod_l_amd(&matrix, NULL, 0, order, &C->common);
}

/* Are all pivots above least times the diagonal of A? L holds L D L^T by columns, D first. */
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
  cholmod_l_free_factor(&C->L, &C->common);
  C->L = cholmod_l_analyze_p(&matrix, order, NULL, 0, &C->common);
  if (C->L == NULL || !cholmod_l_factorize(&matrix, C->L, &C->common)) {
    return DLS_ERR_MEMORY;
  }
  return definite(A, C->L, least) ? DLS_OK : DLS_ERR_SINGULAR;
}

dls_status dls_cholesky_solve(dls_cholesky *C, double *x)
{
  const size_t n = C->L->n;
  cholmod_dense b = {
      .nrow = n, .ncol = 1, .nzmax = n, .d = n, .x = x, .xtype = CHOLMOD_REAL, .dtype = CHOLMOD_DOUBLE};
  if (!cholmod_l_solve2(CHOLMOD_A, C->L, &b, NULL, &C->x, NULL, &C->y, &C->e, &C->common)) {
    return DLS_ERR_MEMORY;
  }
  memcpy(x, C->x->x, n * sizeof *x);
  return DLS_OK;
}
