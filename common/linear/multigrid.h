/* multigrid.h -- conjugate gradients for symmetric positive definite systems some of whose unknowns are prescribed, with a
 * multigrid cycle as preconditioner. Strongly coupled neighbours are aggregated and their sums smoothed once, level by level down to a
 * single unknown. Aggregates, prolongations and patterns belong to the matrix and are made once. The coarse matrices belong to the set
 * of prescribed unknowns, which the prolongation leaves out. They are made in one pass over the entries.
 * Sources: Vanek, Mandel, Brezina 1996, Computing 56 (smoothed aggregation); Kornhuber 1994, Numerische Mathematik 69 (truncated
 * coarse functions for obstacle problems).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_LINEAR_MULTIGRID_H
#define DELASSUS_COMMON_LINEAR_MULTIGRID_H

#include "common/linear/rows.h"

typedef struct dls_multigrid dls_multigrid;

/**
 * @param[in] A  borrowed; diagonal entries positive
 * @return NULL if out of memory
 */
dls_multigrid *dls_multigrid_create(const dls_rows *A);
void dls_multigrid_destroy(dls_multigrid *G); /* NULL is fine */
/** Set the prescribed unknowns. @param[in] held  n */
void dls_multigrid_hold(dls_multigrid *G, const unsigned char *held);
/** None is prescribed, but A has a larger diagonal entry where held than when G was made. @param[in] held  n */
void dls_multigrid_stiffen(dls_multigrid *G, const unsigned char *held);
/**
 * From x with its residual r = f - A x, until the sum of r_i^2 / A_ii over the free unknowns is `least` or less.
 * @param[in]     most  iterations
 * @param         work  2 n
 * @param[in,out] x, r  n; r also where x is prescribed, as the iteration updates it
 * @return DLS_OK; DLS_ERR_NOCONV, also if A is not positive definite or a number not finite
 */
dls_status dls_multigrid_solve(dls_multigrid *G, double least, size_t most, double *work, double *x, double *r,
                               size_t *iterations);

#endif
