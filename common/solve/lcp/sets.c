/* common/solve/lcp/sets.c -- candidates from active sets, solved by LU with partial pivoting and refined once.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/lcp/lcp_methods.h"
#include <math.h>
#include <string.h>

size_t dls_lcp_sets_reals(size_t n)
{
  return n * n + 4 * n;
}

size_t dls_lcp_sets_integers(size_t n)
{
  return 4 * n;
}

void dls_lcp_sets_start(dls_lcp_sets *sets, size_t n, const double *W, const double *b, double *z,
                        double *reals, int *integers)
{
  *sets = (dls_lcp_sets){.n = n, .W = W, .b = b, .best = z, .merit = INFINITY};
  sets->z = reals;
  sets->w = reals + n;
  sets->size = reals + 2 * n;
  sets->rhs = reals + 3 * n;
  sets->factors = reals + 4 * n;
  sets->active = integers;
  sets->list = integers + n;
  sets->swap = integers + 2 * n;
  sets->wrong = integers + 3 * n;
  for (size_t i = 0; i < n; i++) {
    sets->active[i] = z[i] > 0;
  }
}

static void keep_if_better(dls_lcp_sets *sets, double merit)
{
  if (merit < sets->merit) {
    sets->merit = merit;
    memcpy(sets->best, sets->z, sets->n * sizeof *sets->z);
  }
}

void dls_lcp_sets_offer(dls_lcp_sets *sets)
{
  for (size_t i = 0; i < sets->n; i++) {
    sets->z[i] = sets->z[i] > 0 ? sets->z[i] : 0;
  }
  const dls_lcp_figures figures = dls_lcp_judge(sets->n, sets->W, sets->b, sets->z, sets->w, sets->size);
  keep_if_better(sets, dls_lcp_merit(&figures));
}

/* Pivot row of column c, or k if every candidate is zero up to rounding. */
static size_t pivot_row(const double *A, size_t k, size_t c, double zero)
{
  size_t row = k;
  for (size_t i = c; i < k; i++) {
    const double a = fabs(A[i + c * k]);
    if (a > zero) {
      zero = a;
      row = i;
    }
  }
  return row;
}

static void swap_rows(double *A, size_t k, size_t r, size_t s)
{
  for (size_t j = 0; r != s && j < k; j++) {
    const double a = A[r + j * k];
    A[r + j * k] = A[s + j * k];
    A[s + j * k] = a;
  }
}

/* LU in place, k x k; singular means up to the rounding of its entries, about 1. */
bool dls_lcp_sets_factor(const dls_lcp_sets *sets, size_t k)
{
  double *A = sets->factors;
  const double zero = dls_lcp_rounding(k);
  for (size_t j = 0; j < k; j++) {
    const double *column = sets->W + (size_t)sets->list[j] * sets->n;
    for (size_t i = 0; i < k; i++) {
      A[i + j * k] = column[sets->list[i]];
    }
  }
  for (size_t c = 0; c < k; c++) {
    const size_t row = pivot_row(A, k, c, zero);
    if (row == k) {
      return false;
    }
    sets->swap[c] = (int)row;
    swap_rows(A, k, c, row);
    const double inverse = 1 / A[c + c * k];
    for (size_t i = c + 1; i < k; i++) {
      A[i + c * k] *= inverse;
    }
    for (size_t j = c + 1; j < k; j++) {
      const double a = A[c + j * k];
      for (size_t i = c + 1; a != 0 && i < k; i++) {
        A[i + j * k] -= A[i + c * k] * a;
      }
    }
  }
  return true;
}

void dls_lcp_sets_solve(const dls_lcp_sets *sets, size_t k, double *x)
{
  const double *A = sets->factors;
  const int *swap = sets->swap;
  for (size_t c = 0; c < k; c++) {
    const double a = x[swap[c]];
    x[swap[c]] = x[c];
    x[c] = a;
  }
  for (size_t c = 0; c < k; c++) {
    for (size_t i = c + 1; i < k; i++) {
      x[i] -= A[i + c * k] * x[c];
    }
  }
  for (size_t c = k; c-- > 0;) {
    x[c] /= A[c + c * k];
    for (size_t i = 0; i < c; i++) {
      x[i] -= A[i + c * k] * x[c];
    }
  }
}

/* z_a -= W_aa^{-1} w_a: the solution when w = b and z = 0, one step of refinement after that. */
static dls_lcp_figures correct(dls_lcp_sets *sets, size_t k)
{
  for (size_t i = 0; i < k; i++) {
    sets->rhs[i] = sets->w[sets->list[i]];
  }
  dls_lcp_sets_solve(sets, k, sets->rhs);
  for (size_t i = 0; i < k; i++) {
    sets->z[sets->list[i]] -= sets->rhs[i];
  }
  return dls_lcp_judge(sets->n, sets->W, sets->b, sets->z, sets->w, sets->size);
}

/* Does w_a = 0 hold up to rounding, row by row? */
static bool exact(const dls_lcp_sets *sets, size_t k)
{
  for (size_t i = 0; i < k; i++) {
    const int row = sets->list[i];
    if (!(fabs(sets->w[row]) <= dls_lcp_rounding(sets->n) * sets->size[row])) {
      return false;
    }
  }
  return true;
}

/* Compute z, w, size of the active set. @return its merit, infinite if W_aa is singular */
static double try_set(dls_lcp_sets *sets)
{
  size_t k = 0;
  for (size_t i = 0; i < sets->n; i++) {
    sets->z[i] = 0;
    sets->w[i] = sets->b[i];
    if (sets->active[i]) {
      sets->list[k++] = (int)i;
    }
  }
  sets->tried++;
  if (!dls_lcp_sets_factor(sets, k)) {
    return INFINITY;
  }
  dls_lcp_figures figures = correct(sets, k);
  if (!exact(sets, k)) {
    figures = correct(sets, k);
  }
  return dls_lcp_merit(&figures);
}

/* Indices with the wrong sign: z_a < 0, and w < 0 elsewhere. `negative` counts the former. */
static size_t wrong_signs(const dls_lcp_sets *sets, int *wrong, size_t *negative)
{
  size_t count = 0;
  *negative = 0;
  for (size_t i = 0; i < sets->n; i++) {
    const bool below = sets->z[i] < 0;
    wrong[i] = below || (!sets->active[i] && sets->w[i] < -dls_lcp_rounding(sets->n) * sets->size[i]);
    *negative += below;
    count += wrong[i] != 0;
  }
  return count;
}

bool dls_lcp_sets_pivot(dls_lcp_sets *sets, size_t rounds)
{
  for (size_t count = 1; rounds > 0 && count > 0; rounds--) {
    size_t negative = 0;
    const double merit = try_set(sets);
    if (!(merit <= DBL_MAX)) {
      break;
    }
    count = wrong_signs(sets, sets->wrong, &negative);
    if (merit < sets->merit && negative > 0) {
      dls_lcp_sets_offer(sets);
    } else {
      keep_if_better(sets, merit);
    }
    for (size_t i = 0; i < sets->n; i++) {
      sets->active[i] ^= sets->wrong[i];
    }
  }
  return sets->merit <= dls_lcp_rounding(sets->n);
}
