/* common/solve/lcp/pgs.c -- projected Gauss-Seidel, z_i := max(0, z_i - w_i / W_ii) in turn.
 * Converges for symmetric positive semi-definite W of a solvable problem and for W with dominant diagonal;
 * the rate falls with the condition of W. Rows with W_ii <= 0 keep z_i = 0.
 * Source: Cottle, Pang, Stone 2009, "The linear complementarity problem", chapter 5 (projected SOR with
 * relaxation 1).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/lcp/lcp_methods.h"
#include <math.h>

enum { MAX_SWEEPS = 10000, SWEEPS_PER_JUDGEMENT = 10 };

static size_t reals_of(size_t n)
{
  return 2 * n;
}

static size_t no_integers(size_t n)
{
  (void)n;
  return 0;
}

static void sweep(size_t n, const double *W, double *z, double *w)
{
  for (size_t i = 0; i < n; i++) {
    const double *column = W + i * n, diagonal = column[i];
    if (!(diagonal > 0)) {
      continue;
    }
    const double unbounded = z[i] - w[i] / diagonal, target = unbounded > 0 ? unbounded : 0;
    const double change = target - z[i];
    if (change == 0) {
      continue;
    }
    z[i] = target;
    for (size_t k = 0; k < n; k++) {
      w[k] += change * column[k];
    }
  }
}

static dls_status solve(size_t n, const double *W, const double *b, double tolerance, double *z, size_t *pivots,
                        double *reals, int *integers)
{
  (void)integers;
  double *w = reals, *size = reals + n;
  const double enough = fmax(0.5 * tolerance, dls_lcp_rounding(n));
  for (size_t i = 0; i < n; i++) {
    z[i] = W[i + i * n] > 0 ? z[i] : 0;
  }
  for (*pivots = 0; *pivots <= MAX_SWEEPS; *pivots += SWEEPS_PER_JUDGEMENT) {
    /* recompute w, so that errors do not accumulate */
    const dls_lcp_figures figures = dls_lcp_judge(n, W, b, z, w, size);
    const double merit = dls_lcp_merit(&figures);
    if (merit <= enough) {
      return DLS_OK;
    }
    if (!(merit <= DBL_MAX)) {
      break; /* z diverges */
    }
    for (int k = 0; k < SWEEPS_PER_JUDGEMENT; k++) {
      sweep(n, W, z, w);
    }
  }
  return DLS_ERR_NOCONV;
}

dls_status dls_lcp_sweep(const dls_lcp_pivoting *p, double tolerance, double largest, size_t *sweeps)
{
  for (*sweeps = 0; *sweeps <= MAX_SWEEPS; *sweeps += SWEEPS_PER_JUDGEMENT) {
    const dls_lcp_figures figures =
        /* recompute w, so that errors do not accumulate */
        dls_lcp_judge_operator(p->W, p->b, p->z, p->w, p->size);
    if (dls_lcp_accepted(&figures, tolerance, largest)) {
      return DLS_OK;
    }
    if (!(figures.scale <= DBL_MAX)) {
      break; /* z diverges */
    }
    if (dls_interrupt_requested(p->interrupt)) {
      return DLS_ERR_INTERRUPTED;
    }
    for (int k = 0; k < SWEEPS_PER_JUDGEMENT; k += 2) { /* one sweep forwards, one backwards */
      p->W->sweep(p->W->data, p->b, p->z);
    }
  }
  return DLS_ERR_NOCONV;
}

const dls_lcp_method dls_lcp_pgs = {
    .name = "pgs",
    .summary = "projected Gauss-Seidel",
    .source = "R. W. Cottle, J.-S. Pang and R. E. Stone, The Linear Complementarity Problem (2009)",
    .largest = (size_t)-1,
    .reals = reals_of,
    .integers = no_integers,
    .solve = solve,
};
