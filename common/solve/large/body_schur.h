/* body_schur.h -- Newton's matrix of a contact problem by the bodies that its contacts touch.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_SOLVE_BODY_SCHUR_H
#define DELASSUS_COMMON_SOLVE_BODY_SCHUR_H

#include <delassus/problem.h>
#include <stdbool.h>

typedef struct dls_body_schur dls_body_schur;

/**
 * Factor A (W + D) + B, W as in what; A, D, B as in dls_problem_operator.
 * @param[in,out] bodies  NULL before the first use
 * @return DLS_OK; DLS_ERR_SINGULAR; DLS_ERR_MEMORY
 */
dls_status dls_body_schur_factor(dls_body_schur **schur, const dls_problem_bodies *what, size_t blocks,
                                 const size_t *first, const double *A, const double *D, const double *B);
/** x := J^{-1} x with the `first` of the last factor. */
void dls_body_schur_solve(dls_body_schur *schur, double *x);
/**
 * Pivots of the last factors of K = M + H G H^T that are above part times their M_ii: with G = 1/s and part far below 1/s, the rank of H.
 */
size_t dls_body_schur_stiff(const dls_body_schur *schur, double part);
/** Multiplications of the last factors; 0 for NULL. */
double dls_body_schur_work(const dls_body_schur *schur);
void dls_body_schur_destroy(dls_body_schur *schur); /* NULL is fine */

#endif
