/* sparse_lu.h -- LU factors of a sparse matrix by KLU, which reuses its last pivots while they are accurate. Its indices have 32 bits: an
 * entry of the factors takes 12 bytes in place of 16.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_LINEAR_SPARSE_LU_H
#define DELASSUS_COMMON_LINEAR_SPARSE_LU_H

#include "common/linear/schur.h"
#include "common/linear/storage.h"

typedef struct dls_sparse_lu dls_sparse_lu;

/** @param[in] A  sparse and square, with the starts of all columns as from dls_matrix_union; its values may change, its pattern must not; borrowed
 * @return NULL if out of memory */
dls_sparse_lu *dls_sparse_lu_create(const dls_matrix *A);
void dls_sparse_lu_destroy(dls_sparse_lu *lu); /* NULL is fine */
/** Eliminate the rows of `last` last, from the next factorization on; borrowed. */
void dls_sparse_lu_order(dls_sparse_lu *lu, dls_schur *last);
/**
 * Factor A with its current values.
 * @param[out] row  column of the zero pivot; n if there is none
 * @return DLS_OK; DLS_ERR_SINGULAR; DLS_ERR_MEMORY
 */
dls_status dls_sparse_lu_factor(dls_sparse_lu *lu, size_t *row);
/** x := A^{-1} x */
void dls_sparse_lu_solve(dls_sparse_lu *lu, double *x);
/** x_k := A^{-1} x_k for `count` vectors, most of whose entries are 0: these take no operations in L. */
void dls_sparse_lu_solve_columns(dls_sparse_lu *lu, size_t count, double *const *x);
/** dls_schur_solve of the rows ordered last, which there must be. */
bool dls_sparse_lu_solve_last(dls_sparse_lu *lu, double *x);
/* dls_factor_solve_from_last */
bool dls_sparse_lu_solve_from_last(dls_sparse_lu *lu, double *x);

#endif
