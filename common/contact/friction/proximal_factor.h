/* common/contact/friction/proximal_factor.h -- equations of many closed contacts at acceleration level, for modes.c. Their
 * matrix A is sparse, and singular where contacts are redundant. So A + s d I is factored, d the largest entry of its diagonal, and the
 * step
 *   x += (A + s d I)^{-1} (-b - A x),
 * is repeated, which removes s again (proximal points). If A is symmetric, it converges to the solution nearest to the x that it starts
 * with, as a rank-revealing decomposition finds it.
 * Source: Rockafellar 1976, SIAM J. Control Optimization 14.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_CONTACT_PROXIMAL_FACTOR_H
#define DELASSUS_COMMON_CONTACT_PROXIMAL_FACTOR_H

#include <delassus/error.h>
#include <delassus/matrix.h>
#include <stddef.h>

typedef struct dls_proximal_factor dls_proximal_factor;

dls_proximal_factor *dls_proximal_factor_create(void);          /* NULL if out of memory */
void dls_proximal_factor_destroy(dls_proximal_factor *factors); /* NULL is fine */
/**
 * Factor A + s d I.
 * @param[in]  A     square, sparse, with all entries of its diagonal
 * @param[out] rank  n less the pivots that only s keeps from zero
 * @return DLS_OK; DLS_ERR_SINGULAR; DLS_ERR_MEMORY
 */
dls_status dls_proximal_factor_compute(dls_proximal_factor *factors, const dls_matrix *A, size_t *rank);
/** x := (A + s d I)^{-1} x */
void dls_proximal_factor_solve(dls_proximal_factor *factors, double *x);

#endif
