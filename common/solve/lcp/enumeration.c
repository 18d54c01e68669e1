/* common/solve/lcp/enumeration.c -- tries every active set until one gives z_a = -W_aa^{-1} b_a >= 0 and w >= 0. Block
 * principal pivoting from the guess comes first and usually finds the set. All 2^n sets follow. Sets with singular W_aa are
 * left out: for symmetric positive semi-definite W a solvable problem has a solution whose W_aa is regular (W_aa v = 0
 * implies W v = 0 for v supported on a, so that z_a can be moved along v until one entry is zero). Of inexact candidates
 * the one with the smallest residual is kept.
 * Source: Murty 1988, "Linear complementarity, linear and nonlinear programming" (complementary cones);
 * Judice, Pires 1994, Computers & Operations Research 21 (block principal pivoting).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/lcp/lcp_methods.h"

enum { MAX_SIZE = 20 }; /* 10^6 sets, about a second */

static dls_status solve(size_t n, const double *W, const double *b, double tolerance, double *z, size_t *pivots,
                        double *reals, int *integers)
{
  *pivots = 0;
  if (n > MAX_SIZE) {
    return DLS_ERR_NOT_APPLICABLE;
  }
  dls_lcp_sets sets;
  dls_lcp_sets_start(&sets, n, W, b, z, reals, integers);
  bool done = dls_lcp_sets_pivot(&sets, n + 2);
  for (unsigned long mask = 0; !done && mask < 1UL << n; mask++) {
    for (size_t i = 0; i < n; i++) {
      sets.active[i] = mask >> i & 1;
    }
    done = dls_lcp_sets_pivot(&sets, 1);
  }
  *pivots = sets.tried;
  return sets.merit <= tolerance ? DLS_OK : DLS_ERR_LCP;
}

const dls_lcp_method dls_lcp_enumeration = {
    .name = "enumeration",
    .summary = "every active set, likely ones first; n <= 20",
    .source = "K. G. Murty, Linear Complementarity, Linear and Nonlinear Programming (1988)",
    .largest = 6,
    .reals = dls_lcp_sets_reals,
    .integers = dls_lcp_sets_integers,
    .solve = solve,
};
