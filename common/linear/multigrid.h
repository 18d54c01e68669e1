/* multigrid.h -- conjugate gradients for symmetric positive definite systems some of whose unknowns are given, with a multigrid
 * cycle as preconditioner: neighbours that are coupled strongly are aggregated, their sums smoothed once, and so on to a single
 * unknown. What belongs to the matrix (aggregates, prolongations, patterns) is made once; what belongs to the set of given
 * unknowns, the matrices of the coarser levels with these left out of the prolongation, in one pass over the entries.
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
/** Which unknowns are given from now on. @param[in] held  n */
void dls_multigrid_hold(dls_multigrid *G, const unsigned char *held);
/**
 * From x with its residual r = f - A x, until the sum of r_i^2 / A_ii over the unknowns that are not given is `least` or less.
 * @param[in]     most  iterations
 * @param         work  2 n
 * @param[in,out] x, r  n; r also where x is given, as the iteration carries it along
 * @return DLS_OK; DLS_ERR_NOCONV, also for what is not finite or not positive definite
 */
dls_status dls_multigrid_solve(dls_multigrid *G, double least, size_t most, double *work, double *x, double *r,
                               size_t *iterations);

#endif
