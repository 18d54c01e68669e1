/* warm_start.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/large/warm_start.h"
#include <math.h>
#include <string.h>

/* Figures of a candidate from one pass. */
typedef struct sight {
  double residual, scale, largest; /* as in the certificate; max |b_i| */
  bool right;                      /* w_a = 0 and w >= 0 up to rounding, z >= 0; some b_i < 0 */
} sight;

static inline double larger(double most, double x)
{
  return x > most ? x : most; /* NaN gives false */
}

/* guess: positive on the set a. NaN and infinities show in the sum of the sizes. */
static sight look(const dls_lcp_operator *W, const double *restrict b, const double *restrict guess,
                  const double *restrict z, const double *restrict w, const double *restrict size)
{
  const double *restrict diagonal = W->diagonal;
  double wrong = 0, negative = 0, pressed = 0, finite = 0;
  sight s = {0};
  for (size_t i = 0; i < W->n; i++) {
    const double weighed = diagonal[i] * z[i], least = weighed < w[i] ? weighed : w[i];
    wrong = larger(wrong, (guess[i] > 0 ? fabs(w[i]) : -w[i]) - DLS_LCP_ZERO * size[i]);
    negative = larger(negative, -z[i]);
    pressed = larger(pressed, -b[i]);
    finite += size[i];
    s.residual = larger(s.residual, fabs(least)); /* |min(s z, w)| */
    s.scale = larger(s.scale, size[i]);
    s.largest = larger(s.largest, fabs(b[i]));
  }
  s.right = wrong == 0 && negative == 0 && pressed > 0 && finite <= DBL_MAX;
  return s;
}

bool dls_lcp_warm_start(const dls_lcp_solver *solver, const dls_lcp_operator *W, const double *b, double *z,
                        double *w, dls_lcp_report *report)
{
  const size_t n = W->n;
  double *candidate = solver->operator_reals, *velocity = candidate + n, *size = candidate + 2 * n;
  const bool asked = solver->method == NULL || solver->method == &dls_lcp_block_pivoting;
  if (W->again == NULL || !asked || solver->operator_capacity < n || solver->tolerance < DLS_LCP_ZERO ||
      !W->again(W->data, z, b, candidate, velocity, size)) {
    return false;
  }
  const sight s = look(W, b, z, candidate, velocity, size);
  const dls_lcp_figures figures = {s.residual, s.scale, DLS_LCP_ZERO}; /* worst: largest accepted value */
  if (!s.right || !dls_lcp_accepted(&figures, solver->tolerance, s.largest)) {
    return false;
  }
  memcpy(z, candidate, n * sizeof *z);
  if (w != NULL) {
    memcpy(w, velocity, n * sizeof *w);
  }
  *report = (dls_lcp_report){.residual = s.residual,
                             .scale = s.scale,
                             .pivots = 1,
                             .method = dls_lcp_block_pivoting.name,
                             .structure = W->structure};
  return true;
}
