/* delassus/matrix.h -- matrices in the storage that fits, and factorizations of weighted sums of them.
 * Storage is plain arrays. Band factors are by SUNDIALS, sparse ones by KLU and UMFPACK.
 * Indices start at 0. Nothing here allocates after creation, but for the factors of sparse matrices with much fill (UMFPACK).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MATRIX_H
#define DELASSUS_MATRIX_H

#include <delassus/error.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dls_storage { DLS_DIAGONAL, DLS_BAND, DLS_SPARSE, DLS_DENSE } dls_storage;
typedef struct dls_matrix dls_matrix;

/** Create a zero matrix; NULL if out of memory or a size is 0. */
dls_matrix *dls_matrix_diagonal(size_t n);
dls_matrix *dls_matrix_band(size_t n, size_t lower, size_t upper); /* numbers of sub- and superdiagonals */
dls_matrix *dls_matrix_dense(size_t rows, size_t columns);
dls_matrix *dls_matrix_sparse(size_t rows, size_t columns, size_t capacity); /* compressed columns */
dls_matrix *dls_matrix_clone(const dls_matrix *A);                           /* NULL for NULL */
void dls_matrix_destroy(dls_matrix *A);

dls_storage dls_matrix_storage(const dls_matrix *A);
size_t dls_matrix_rows(const dls_matrix *A);
size_t dls_matrix_columns(const dls_matrix *A);

/**
 * A(i,j) := x. In sparse storage new entries come column by column, rows increasing within a column;
 * entries that exist may be changed in any order.
 * @return DLS_OK; DLS_ERR_ARG if (i,j) is outside the matrix or its storage, or out of order
 */
dls_status dls_matrix_set(dls_matrix *A, size_t i, size_t j, double x);
double dls_matrix_get(const dls_matrix *A, size_t i, size_t j); /* 0 outside the storage */

/** y += alpha A x; x[columns], y[rows] must not overlap. */
void dls_matrix_multiply(const dls_matrix *A, double alpha, const double *x, double *y);
/** y += alpha A^T x; x[rows], y[columns]. */
void dls_matrix_multiply_transposed(const dls_matrix *A, double alpha, const double *x, double *y);
/** (column j of A) . x; x[rows]. */
double dls_matrix_column_dot(const dls_matrix *A, size_t j, const double *x);
/** y += alpha (column j of A); y[rows]. */
void dls_matrix_column_add(const dls_matrix *A, size_t j, double alpha, double *y);

/**
 * The Kronecker product A (x) B with B s x s, row-major, interleaved so that a band stays a band: entry
 * (i s + k, j s + l) is A_ij B_kl. It has a place for every stored entry of A and every B_kl != 0.
 * @return NULL if out of memory or s = 0
 */
dls_matrix *dls_matrix_kronecker(const dls_matrix *A, size_t s, const double *B);
/** Set the entries of such a product that belong to B_kl != 0 to those of A (x) B; the others stay. */
void dls_matrix_kronecker_set(dls_matrix *product, const dls_matrix *A, size_t s, const double *B);

/**
 * Is the symmetric matrix A positive definite, by a Cholesky factorization? Only the lower triangle is read.
 * @param[out] row  where the factorization meets a pivot that is not > 0; rows(A) if there is none, which is yes
 * @return DLS_OK, whatever the answer; DLS_ERR_MEMORY
 */
dls_status dls_matrix_positive_definite(const dls_matrix *A, size_t *row, dls_error *err);

/** Factorization of sum_i c_i A_i, square, all of one order, in the narrowest storage that holds the sum. */
typedef struct dls_factor dls_factor;

/**
 * @param[in] terms  count matrices; NULL entries are left out; borrowed, must outlive the factor
 * Sparse terms must have all the entries that they will ever have.
 * @return NULL if out of memory, all terms are NULL, more than four are not, or their shapes do not agree
 */
dls_factor *dls_factor_create(const dls_matrix *const *terms, size_t count);
void dls_factor_destroy(dls_factor *F);
/** The entries of a term have changed: the next dls_factor_sum factors again. */
void dls_factor_touch(dls_factor *F);
/**
 * Factor sum_i coefficients[i] terms[i]; does nothing if neither coefficients nor entries changed.
 * @return DLS_OK; DLS_ERR_SINGULAR with the row (sparse: column) of the zero pivot; DLS_ERR_ARG if a sparse
 *         term has got an entry since creation; DLS_ERR_MEMORY
 */
dls_status dls_factor_sum(dls_factor *F, const double *coefficients, dls_error *err);
/** x := (sum)^{-1} x, in place; x[order]. After a dls_factor_sum that was done. */
void dls_factor_solve(dls_factor *F, double *x);
/** Number of factorizations made so far. */
size_t dls_factor_made(const dls_factor *F);

#ifdef __cplusplus
}
#endif

#endif
