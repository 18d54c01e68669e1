/* elimination.h -- the equations of the joints by Gaussian elimination in an order that is found once:
 *   A x - D mu = f,   C^T x = c.
 * Unknowns are eliminated along the bodies, that with the fewest neighbours first, and a multiplier after all coordinates of its
 * equation. With A positive definite and D = C the pivots are positive then, whatever the values: no rows are exchanged, places are
 * index lists. The pivot of an equation over the sum of its squares C_i D_i / A_ii is the squared sine of its angle to those before
 * it. Where one is below `least_pivot` of thresholds in elimination.c, the way is refused.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_CONTACT_ELIMINATION_H
#define DELASSUS_COMMON_CONTACT_ELIMINATION_H

#include <delassus/matrix.h>
#include <stdbool.h>

typedef struct dls_elimination dls_elimination;

/** @param[in] A  n x n, sparse @param[in] C  n x r; entries that come later are refused
 * @param[out] out  NULL where the order fills in too much @return DLS_OK, DLS_ERR_MEMORY */
dls_status dls_elimination_create(const dls_matrix *A, const dls_matrix *C, dls_elimination **out);
void dls_elimination_destroy(dls_elimination *E); /* NULL is fine */
/** @return false: a pivot is too small, or there are other entries than at creation */
bool dls_elimination_factor(dls_elimination *E, const dls_matrix *A, const dls_matrix *D, const dls_matrix *C);
/** @param[in,out] x  n; f in, x out @param[in] c  r; NULL: 0 @param[out] mu  r; NULL: not asked for */
void dls_elimination_solve(dls_elimination *E, double *x, const double *c, double *mu);

#endif
