/* chain.h -- the active set of a chain of contacts, found in one pass.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_SOLVE_CHAIN_H
#define DELASSUS_COMMON_SOLVE_CHAIN_H

#include <delassus/matrix.h>
#include <stdbool.h>

/** Is W tridiagonal with W_i,i+1 <= 0 and W_ii >= |W_i,i-1| + |W_i,i+1|? @param[in] W  sparse, symmetric */
bool dls_lcp_chain_applies(const dls_matrix *W);
/** Doubles of memory for n contacts. */
size_t dls_lcp_chain_room(size_t n);
/**
 * The set {i: z_i > 0} of LCP(W,b) in O(n) operations; exact except for contacts whose z_i or w_i is zero up to rounding.
 * @param[in]  W       a matrix that dls_lcp_chain_applies accepts
 * @param      room    dls_lcp_chain_room(n)
 * @param[out] active  n flags
 * @return false if no z opens all contacts
 */
bool dls_lcp_chain(const dls_matrix *W, const double *b, double *room, unsigned char *active);

#endif
