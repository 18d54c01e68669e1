/* common/solve/judge.c -- the residual of a candidate, recomputed from W, b and z.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/lcp_methods.h"
#include <math.h>

/* Below the least normal number, products have no relative accuracy. */
static const double underflow = DBL_MIN;

static double largest_entry(size_t n, const double *W)
{
  double largest = 0;
  for (size_t k = 0; k < n * n; k++) {
    largest = fmax(largest, fabs(W[k]));
  }
  return largest > 0 ? largest : 1;
}

/* |min(s_i z_i, w_i)| */
static double row_residual(size_t n, const double *W, size_t i, double z, double w)
{
  if (z == 0) {
    return w < 0 ? -w : 0;
  }
  const double s = W[i + i * n] > 0 ? W[i + i * n] : largest_entry(n, W);
  return fabs(s * z < w ? s * z : w);
}

dls_lcp_figures dls_lcp_judge(size_t n, const double *W, const double *b, const double *z, double *w,
                              double *size)
{
  for (size_t i = 0; i < n; i++) {
    w[i] = b[i];
    size[i] = fabs(b[i]);
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
  dls_lcp_figures figures = {0, 0, 0};
  for (size_t i = 0; i < n; i++) {
    figures.scale = size[i] > figures.scale ? size[i] : figures.scale;
  }
  const double least = DLS_LCP_SMALL_ROW * figures.scale;
  for (size_t i = 0; i < n; i++) {
    const double r = row_residual(n, W, i, z[i], w[i]);
    size[i] = size[i] > least ? size[i] : least;
    figures.residual = r <= figures.residual ? figures.residual : r; /* keeps NaN */
    if (r > figures.worst * size[i]) {
      figures.worst = r / size[i];
    }
  }
  return figures;
}

bool dls_lcp_accepted(const dls_lcp_figures *figures, double tolerance, double largest)
{
  return figures->residual <= fmax(tolerance * figures->scale, underflow) &&
         dls_lcp_certain(figures) <= fmax(tolerance * DLS_LCP_GROWTH * largest, underflow);
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

dls_lcp_figures dls_lcp_judge_operator(const dls_lcp_operator *W, const double *b, const double *z, double *w,
                                       double *size)
{
  const size_t n = W->n;
  for (size_t i = 0; i < n; i++) {
    w[i] = b[i];
    size[i] = fabs(b[i]);
  }
  W->multiply(W->data, z, w, size);
  dls_lcp_figures figures = {0, 0, 0};
  for (size_t i = 0; i < n; i++) {
    const double s = z[i] == 0 || W->diagonal[i] > 0 ? W->diagonal[i] : largest_diagonal(W);
    const double r = z[i] == 0 ? (w[i] < 0 ? -w[i] : 0) : fabs(s * z[i] < w[i] ? s * z[i] : w[i]);
    figures.residual = r <= figures.residual ? figures.residual : r; /* keeps NaN */
    figures.scale = size[i] > figures.scale ? size[i] : figures.scale;
  }
  return figures;
}

double dls_lcp_merit(const dls_lcp_figures *figures)
{
  const double guard = dls_lcp_certain(figures) / DLS_LCP_GROWTH; /* max |b_i| is about 1 */
  const double merit = figures->worst > guard ? figures->worst : guard;
  return merit >= 0 && figures->scale <= DBL_MAX ? merit : INFINITY;
}
