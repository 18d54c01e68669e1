/* rank_schur.h -- Newton's matrix of a contact problem that gives W alone, by the rank of W in groups of contacts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_SOLVE_RANK_SCHUR_H
#define DELASSUS_COMMON_SOLVE_RANK_SCHUR_H

#include <delassus/error.h>
#include <delassus/matrix.h>
#include <stddef.h>

typedef struct dls_rank_schur dls_rank_schur;

/**
 * Find the groups of W and their ranks.
 * @param[in]  W      sparse, n x n; only read here
 * @param[in]  first  blocks + 1: first row of each block
 * @param[out] schur  NULL where W is not symmetric, or its groups have nearly as many dimensions as rows
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_rank_schur_create(const dls_matrix *W, size_t blocks, const size_t *first,
                                 dls_rank_schur **schur);
/**
 * Factor A (W + D) + B; A, D, B as in dls_problem_operator.
 * @return DLS_OK; DLS_ERR_SINGULAR; DLS_ERR_MEMORY
 */
dls_status dls_rank_schur_factor(dls_rank_schur *schur, const double *A, const double *D, const double *B);
/** x := J^{-1} x */
void dls_rank_schur_solve(dls_rank_schur *schur, double *x);
/** Multiplications of the last factors; 0 for NULL. */
double dls_rank_schur_work(const dls_rank_schur *schur);
/** Rows of the matrix that is factored. */
size_t dls_rank_schur_rows(const dls_rank_schur *schur);
void dls_rank_schur_destroy(dls_rank_schur *schur); /* NULL is fine */

#endif
