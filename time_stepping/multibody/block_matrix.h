/* block_matrix.h -- a square matrix of blocks, for Newton's method with joints:
 *   J = sum_k coefficient_k (block A_k, or its transpose, at row_k, column_k)
 * Its unknowns are eliminated along the bodies (elimination.h): row i has to determine unknown i with a positive pivot, if those before
 * `diagonal` are eliminated first. Where a pivot is refused, LU with pivoting takes over, which is counted. The entries of the blocks may
 * change. Their storage may not.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_BLOCK_MATRIX_H
#define DELASSUS_TIME_STEPPING_BLOCK_MATRIX_H

#include <delassus/counters.h>
#include <delassus/matrix.h>
#include <stdbool.h>

typedef struct dls_matrix_block {
  const dls_matrix *A; /* borrowed; NULL: none */
  size_t row, column;  /* of its first entry in J */
  bool transposed;
} dls_matrix_block;

typedef struct dls_block_matrix dls_block_matrix;

enum {
  DLS_BLOCK_MATRIX_DENSE = 60
}; /* the largest order that is factored dense, where elimination is refused */

/**
 * @param[in] order     of J
 * @param[in] blocks    count of them, within J; they may overlap, then they are added
 * @param[in] diagonal  rows from this one on get a diagonal, of which the value is -shrink: J is regular for redundant joints
 * @param[in] fallbacks borrowed
 * @return NULL if out of memory
 */
dls_block_matrix *dls_block_matrix_create(size_t order, size_t count, const dls_matrix_block *blocks,
                                          size_t diagonal, dls_fallbacks *fallbacks);
void dls_block_matrix_destroy(dls_block_matrix *J);
/** Put J together and factor it. @return as dls_factor_sum */
dls_status dls_block_matrix_factor(dls_block_matrix *J, const double *coefficients, double shrink,
                                   dls_error *err);
/** x := J^{-1} x; x[order] */
void dls_block_matrix_solve(dls_block_matrix *J, double *x);

#endif
