/* cycles.h -- multigrid for the complementarity problems of many contacts whose W is diagonally dominant, as those of Laplacians on
 * grids are: the first set by monotone multigrid, systems with W_aa by conjugate gradients. In the place of factors, which
 * fill in.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_SOLVE_CYCLES_H
#define DELASSUS_COMMON_SOLVE_CYCLES_H

#include <delassus/matrix.h>
#include <stdbool.h>

typedef struct dls_lcp_cycles dls_lcp_cycles;

/**
 * @param[in]  W    sparse, symmetric; copied
 * @param[out] out  NULL where W has fewer than 2000 rows, or one with W_ii < sum_j |W_ij|
 * @return false if out of memory
 */
bool dls_lcp_cycles_create(const dls_matrix *W, dls_lcp_cycles **out);
void dls_lcp_cycles_destroy(dls_lcp_cycles *C); /* NULL is fine */
/** The set a of the systems to come. */
void dls_lcp_cycles_take(dls_lcp_cycles *C, size_t count, const int *set);
/** x := W_aa^-1 x to 1e-9 of it, x[count]. @return is it? After no, x is as it was */
bool dls_lcp_cycles_solve(dls_lcp_cycles *C, double *x);
/** The last set taken; that of the multigrid's. */
const int *dls_lcp_cycles_set(const dls_lcp_cycles *C, size_t *count);
/** The set of z > 0, right but for a few; z near the solution. @return false if out of memory */
bool dls_lcp_cycles_first_set(dls_lcp_cycles *C, const double *b, unsigned char *active, double *z);

#endif
