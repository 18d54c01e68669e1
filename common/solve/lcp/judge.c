/* common/solve/lcp/judge.c -- the residual of a candidate, recomputed from W, b and z.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/larger.h"
#include "common/solve/lcp/lcp_methods.h"
#include <math.h>

/* Products below the smallest normal number have no relative accuracy. */
static const double underflow = DBL_MIN;

static double largest_entry(size_t n, const double *W)
{
  double largest = 0;
  for (size_t k = 0; k < n * n; k++) {
    largest = fmax(largest, fabs(W[k]));
  }
  return largest > 0 ? largest : 1;
}

/* |min(s z, w)|; z = 0 needs no scaling. Propagates NaN. */
static double row_residual(double s, double z, double w)
{
  if (z == 0) {
    return w >= 0 ? 0 : fabs(w);
  }
  return fabs(s * z < w ? s * z : w);
}

/* Residual from W z + b and its size; size is raised to the least that counts. diagonal: W_ii, `stride` apart; largest
 * replaces entries that are not positive. */
static dls_lcp_figures take_figures(size_t n, const double *diagonal, size_t stride, double largest,
                                    const double *z, const double *w, double *size)
{
  dls_lcp_figures figures = {0, 0, 0};
  for (size_t i = 0; i < n; i++) {
    figures.scale = size[i] > figures.scale ? size[i] : figures.scale;
  }
  const double least = DLS_LCP_SMALL_ROW * figures.scale;
  for (size_t i = 0; i < n; i++) {
    const double s = diagonal[i * stride] > 0 ? diagonal[i * stride] : largest;
    const double r = row_residual(s, z[i], w[i]);
    size[i] = size[i] > least ? size[i] : least;
    figures.residual = dls_larger(figures.residual, r);
    figures.worst = dls_larger(figures.worst, r == 0 ? 0 : r / size[i]);
  }
  return figures;
}

dls_lcp_figures dls_lcp_judge(size_t n, const double *W, const double *b, const double *z, double *w,
                              double *size)
{
  bool weighed = true; /* scaled by its own diagonal */
  for (size_t i = 0; i < n; i++) {
    w[i] = b[i];
    size[i] = fabs(b[i]);
    weighed = weighed && (z[i] == 0 || W[i + i * n] > 0);
  }
  for (size_t j = 0; j < n; j++) {
    if (z[j] == 0) {
      continue;
    }
    for (size_t i = 0; i < n; i++) {
      const double term = W[i + j * n] * z[j];
      w[i] += term;
      size[i] += fabs(term);
    }
  }
  return take_figures(n, W, n + 1, weighed ? 1 : largest_entry(n, W), z, w, size);
}

bool dls_lcp_accepted(const dls_lcp_figures *figures, double tolerance, double largest)
{
  return (figures->worst <= tolerance || figures->residual <= underflow) &&
         dls_lcp_certain(figures) <= fmax(DLS_LCP_HIDDEN * largest, underflow);
}

/* Largest |W_jk|: on the diagonal, since W is positive semi-definite. */
static double largest_diagonal(const dls_lcp_operator *W)
{
  double largest = 0;
  for (size_t i = 0; i < W->n; i++) {
    largest = fmax(largest, W->diagonal[i]);
  }
  return largest > 0 ? largest : 1;
}

dls_lcp_figures dls_lcp_weigh_operator(const dls_lcp_operator *W, const double *z, const double *w,
                                       double *size)
{
  return take_figures(W->n, W->diagonal, 1, largest_diagonal(W), z, w, size);
}

dls_lcp_figures dls_lcp_judge_operator(const dls_lcp_operator *W, const double *b, const double *z, double *w,
                                       double *size)
{
  const size_t n = W->n;
  for (size_t i = 0; i < n; i++) {
    w[i] = b[i];
    size[i] = fabs(b[i]);
  }
  W->multiply(W->data, z, w, size);
  return dls_lcp_weigh_operator(W, z, w, size);
}

double dls_lcp_merit(const dls_lcp_figures *figures)
{
  const double guard = dls_lcp_certain(figures) / DLS_LCP_GROWTH; /* max |b_i| is about 1 */
  const double merit = figures->worst > guard ? figures->worst : guard;
  return merit >= 0 && figures->scale <= DBL_MAX ? merit : INFINITY;
}
