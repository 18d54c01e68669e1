/* isostatic.h -- W = H^T M^-1 H, M diagonal, on sets a of contacts that move as many unknowns as they are: H_a without its rows of
 * zeros is square, and
 *
 *   W_aa^{-1} = H_a^{-1} M H_a^{-T}.                                                                              (1)
 *
 * In a pile of discs a force follows from those above it: H_a is triangular up to permutations (KLU finds them, as blocks), and
 * costs its entries, where W_aa would fill in. Its condition is the square root of that of W_aa.
 * Source: Davis, Palamadai Natarajan 2010, ACM Transactions on Mathematical Software 37 (KLU); Roux 2000, Physical Review E
 * 61 (isostatic packings).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_CONTACT_ISOSTATIC_H
#define DELASSUS_COMMON_CONTACT_ISOSTATIC_H

#include "common/contact/operator/operator.h"

typedef struct dls_isostatic dls_isostatic;

dls_isostatic *dls_isostatic_create(const dls_delassus *D); /* NULL if out of memory */
void dls_isostatic_destroy(dls_isostatic *I);               /* NULL is fine */
/**
 * W that is factored by (1) where that applies, as `general` does elsewhere, on the active contacts of D.
 * @param[in] inverse  n: the diagonal of M^-1; borrowed, as general is
 * @return general itself where there are too few contacts
 */
const dls_lcp_operator *dls_isostatic_take(dls_isostatic *I, const double *inverse,
                                           const dls_lcp_operator *general);

#endif
