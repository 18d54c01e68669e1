/* cholesky.h -- sparse symmetric positive definite systems by CHOLMOD, and a fill-reducing order shared by the principal
 * submatrices of one matrix.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_LINEAR_CHOLESKY_H
#define DELASSUS_COMMON_LINEAR_CHOLESKY_H

#include <delassus/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct dls_cholesky dls_cholesky;

/** The lower triangle of a symmetric matrix in compressed columns, rows increasing. */
typedef struct dls_lower {
  size_t n;
  int64_t *starts, *rows; /* n + 1, starts[n] */
  double *values;
} dls_lower;

dls_cholesky *dls_cholesky_create(void); /* NULL if out of memory */
void dls_cholesky_destroy(dls_cholesky *C);
/** A fill-reducing order of elimination: order[0] comes first. @return false if out of memory */
bool dls_cholesky_order(dls_cholesky *C, const dls_lower *A, int64_t *order);
/**
 * Factor A, eliminating in the given order.
 * @param[in] least  a pivot must be above this times its diagonal entry
 * @return DLS_OK; DLS_ERR_SINGULAR; DLS_ERR_MEMORY
 */
dls_status dls_cholesky_factor(dls_cholesky *C, const dls_lower *A, int64_t *order, double least);
/** x := A^{-1} x after a successful factorization. @return DLS_OK; DLS_ERR_MEMORY (at the first solve only) */
dls_status dls_cholesky_solve(dls_cholesky *C, double *x);
/** Free the factors. */
void dls_cholesky_forget(dls_cholesky *C);

#endif
