/* common/solve/lcp/closed_form.c -- one contact: z = max(0, -b / W).
 *   b >= 0          z = 0 (the only solution if W > 0)
 *   b < 0 < W       z = -b / W
 *   b < 0, W <= 0   w = W z + b < 0 for every z >= 0: no solution
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/lcp/lcp_methods.h"

static size_t none(size_t n)
{
  (void)n;
  return 0;
}

static dls_status solve(size_t n, const double *W, const double *b, double tolerance, double *z, size_t *pivots,
                        double *reals, int *integers)
{
  (void)tolerance, (void)reals, (void)integers;
  *pivots = 0;
  if (n != 1) {
    return DLS_ERR_NOT_APPLICABLE;
  }
  z[0] = 0;
  if (b[0] >= 0) {
    return DLS_OK;
  }
  if (!(W[0] > 0)) {
    return DLS_ERR_LCP;
  }
  z[0] = -b[0] / W[0];
  return DLS_OK;
}

const dls_lcp_method dls_lcp_closed_form = {
    .name = "closed-form",
    .summary = "z = max(0, -b / W) for n = 1",
    .source = "R. W. Cottle, J.-S. Pang and R. E. Stone, The Linear Complementarity Problem (2009)",
    .largest = 1,
    .reals = none,
    .integers = none,
    .solve = solve,
};
