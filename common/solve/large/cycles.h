/* cycles.h -- multigrid for complementarity problems of many contacts with diagonally dominant W, such as Laplacians on
 * grids. Monotone multigrid finds the first set, conjugate gradients solve systems with W_aa. Used instead of factors,
 * which fill in.
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
/** The set a of the following systems. */
void dls_lcp_cycles_take(dls_lcp_cycles *C, size_t count, const int *set);
/** x := W_aa^-1 x to a relative 1e-9, x[count]. @return false, and x unchanged, if it does not converge */
bool dls_lcp_cycles_solve(dls_lcp_cycles *C, double *x);
/** The last set given, as multigrid uses it. */
const int *dls_lcp_cycles_set(const dls_lcp_cycles *C, size_t *count);
/** The set of z > 0, exact except for a few; z near the solution. @return false if out of memory */
bool dls_lcp_cycles_first_set(dls_lcp_cycles *C, const double *b, unsigned char *active, double *z);

#endif
