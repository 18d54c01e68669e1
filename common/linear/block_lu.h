/* block_lu.h -- LU factors of a matrix of small blocks, whose pattern is a graph of groups of rows; pivots within blocks.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_BLOCK_LU_H
#define DELASSUS_COMMON_BLOCK_LU_H

#include <delassus/error.h>
#include <stddef.h>

typedef struct dls_block_lu dls_block_lu;

/**
 * Order the groups and find the fill.
 * @param[in] base   groups + 1: first row of each group
 * @param[in] pair_at, pair  groups + 1: the groups that each is coupled with, itself among them; symmetric
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_block_lu_create(size_t groups, const size_t *base, const size_t *pair_at, const size_t *pair,
                               dls_block_lu **lu);
void dls_block_lu_destroy(dls_block_lu *lu); /* NULL is fine */
/** Make all blocks zero, before they are set. */
void dls_block_lu_clear(dls_block_lu *lu);
/** Set the block in the rows of group h and the columns of group g to X, column-major. */
void dls_block_lu_set(dls_block_lu *lu, size_t h, size_t g, const double *X);
/** Rows are exchanged within their group alone. @return DLS_OK; DLS_ERR_SINGULAR */
dls_status dls_block_lu_factor(dls_block_lu *lu);
/** x := inverse x */
void dls_block_lu_solve(dls_block_lu *lu, double *x);
/** Multiplications of a factorization. */
double dls_block_lu_work(const dls_block_lu *lu);

#endif
