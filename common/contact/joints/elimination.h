/* elimination.h -- the equations of the joints by Gaussian elimination in an order that is found once:
 *   A x - D mu = f,   C^T x = c.
 * Unknowns are eliminated along the bodies, that with the fewest neighbours first, and a multiplier after all coordinates of its
 * equation. With A positive definite and D = C the pivots are positive then, whatever the values: no rows are exchanged, places are
 * index lists. A pivot is a sum; where it is below `least_pivot` of thresholds in elimination.c times the magnitudes of its terms, as
 * that of an equation that depends on those before it, the way is refused.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_CONTACT_ELIMINATION_H
#define DELASSUS_COMMON_CONTACT_ELIMINATION_H

#include <delassus/matrix.h>
#include <stdbool.h>

typedef struct dls_elimination dls_elimination;

/** @param[in] A  n x n, sparse; of order n + r, with D and C in it, where C is NULL @param[in] C  n x r; entries that come later are
 * refused @param[out] out  NULL where the order fills in too much @return DLS_OK, DLS_ERR_MEMORY */
dls_status dls_elimination_create(const dls_matrix *A, const dls_matrix *C, size_t r, dls_elimination **out);
void dls_elimination_destroy(dls_elimination *E); /* NULL is fine */
/** @param[in] D, C  NULL as at creation @param[in] f, c  n, r; not NULL: the elimination is applied to them, for dls_elimination_back
 * @return false: a pivot is too small, or there are other entries than at creation */
bool dls_elimination_factor(dls_elimination *E, const dls_matrix *A, const dls_matrix *D, const dls_matrix *C,
                            const double *f, const double *c);
/** The solution for f and c of the factorization. @param[out] x, mu  n, r; mu: NULL: not asked for */
void dls_elimination_back(dls_elimination *E, double *x, double *mu);
/** @param[in,out] x  n; f in, x out @param[in] c  r; NULL: 0 @param[out] mu  r, may be c; NULL: not asked for */
void dls_elimination_solve(dls_elimination *E, double *x, const double *c, double *mu);

#endif
