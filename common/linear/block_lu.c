/* block_lu.c -- right-looking LU by groups, in an order of little fill.
 *
 * The groups are numbered in the order of elimination. Group k has the later groups `later` that it is coupled with, fill included, and
 *   D_k (r x r),  L_k (m x r): rows of these groups, in its columns,  U_k (r x m): their columns, in its rows, stored transposed.
 * Its elimination is
 *   P D_k = L U,   U_k := L^{-1} P U_k,   L_k := L_k U^{-1},   the blocks of the later groups -= L_k U_k.            (1)
 * The blocks of L_k U_k are dense, so that most operations are sums of few columns of L_k or U_k^T, which scalar factors (KLU) add entry by
 * entry. Fronts (UMFPACK) are small here, and pivots across groups lose digits. Fill: T. A. Davis, Direct Methods for Sparse Linear
 * Systems, 2006, section 4.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/block_lu.h"
#include "common/base/memory.h"
#include "common/linear/klu_numbers.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct dls_block_lu {
  size_t groups;
  size_t *place;             /* groups: when it is eliminated */
  size_t *size, *first;      /* groups: rows of the k-th, and its first row in x */
  int64_t *later_at, *later; /* groups + 1: k, and the later groups of the k-th, increasing */
  size_t *panel;             /* groups + 1: D_k, L_k, U_k^T in values */
  size_t *height;            /* groups: m */
  double *values;
  size_t *pivot;             /* rows of all groups: row exchanged with it, within D_k */
  size_t *at;                /* groups: rows of the later groups of a group before each */
  double *sum, *row, *other; /* largest m; largest r */
  double work;
};

void dls_block_lu_destroy(dls_block_lu *lu)
{
  if (lu == NULL) {
    return;
  }
  void *const arrays[] = {lu->place,  lu->size,   lu->first, lu->later_at, lu->later, lu->panel,
                          lu->height, lu->values, lu->pivot, lu->at,       lu->sum};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    free(arrays[i]);
  }
  free(lu);
}

/* --- order and fill --- */

/* Factors of a matrix with the pattern of the groups, whose pivots stay on the diagonal, in an order by approximate minimum degree. */
static bool factor_pattern(int64_t groups, int64_t *starts, int64_t *rows, double *values,
                           klu_l_symbolic **symbolic, klu_l_numeric **numeric, klu_l_common *common)
{
  klu_l_defaults(common);
  common->btf = 0; /* a symmetric order */
  for (int64_t g = 0; g < groups; g++) {
    for (int64_t e = starts[g]; e < starts[g + 1]; e++) {
      values[e] = rows[e] == g ? (double)(groups + 1) : -1;
    }
  }
  *symbolic = klu_l_analyze(groups, starts, rows, common);
  return *symbolic != NULL && dls_klu_numbers(starts, rows, values, *symbolic, numeric, common) == DLS_OK &&
         klu_l_sort(*symbolic, *numeric, common);
}

static bool find_fill(dls_block_lu *lu, const size_t *pair_at, const size_t *pair)
{
  const size_t groups = lu->groups, pairs = pair_at[groups];
  int64_t *starts = malloc((groups + 1) * sizeof *starts), *rows = malloc((pairs + 1) * sizeof *rows);
  double *values = malloc((pairs + 1) * sizeof *values);
  klu_l_common common;
  klu_l_symbolic *symbolic = NULL;
  klu_l_numeric *numeric = NULL;
  bool done = starts != NULL && rows != NULL && values != NULL;
  for (size_t g = 0; g <= groups && done; g++) {
    starts[g] = (int64_t)pair_at[g];
  }
  for (size_t e = 0; e < pairs && done; e++) {
    rows[e] = (int64_t)pair[e];
  }
  done = done && factor_pattern((int64_t)groups, starts, rows, values, &symbolic, &numeric, &common);
  if (done) {
    free(values);
    values = malloc((size_t)numeric->lnz * sizeof *values); /* extracted only with the rest */
    lu->later = malloc((size_t)numeric->lnz * sizeof *lu->later);
    done = values != NULL && lu->later != NULL &&
           klu_l_extract(numeric, symbolic, lu->later_at, lu->later, values, NULL, NULL, NULL, NULL, NULL, NULL,
                         NULL, NULL, NULL, NULL, &common);
  }
  for (size_t k = 0; k < groups && done; k++) {
    lu->place[symbolic->Q[k]] = k;
  }
  if (symbolic != NULL) {
    klu_l_free_numeric(&numeric, &common);
    klu_l_free_symbolic(&symbolic, &common);
  }
  free(starts);
  free(rows);
  free(values);
  return done;
}

/* Panels, and scratch. */
static bool lay_out(dls_block_lu *lu, const size_t *base)
{
  size_t tallest = 0, widest = 0, r = 0;
  for (size_t g = 0; g < lu->groups; g++) {
    const size_t k = lu->place[g];
    lu->size[k] = base[g + 1] - base[g];
    lu->first[k] = base[g];
  }
  lu->panel[0] = 0;
  for (size_t k = 0; k < lu->groups; k++) {
    size_t m = 0;
    for (int64_t e = lu->later_at[k] + 1; e < lu->later_at[k + 1]; e++) {
      m += lu->size[lu->later[e]];
    }
    r = lu->size[k];
    lu->height[k] = m;
    lu->panel[k + 1] = lu->panel[k] + r * (r + 2 * m);
    lu->work += (double)r * ((double)r * (double)r / 3 + (double)r * (double)m + (double)m * (double)m);
    tallest = m > tallest ? m : tallest;
    widest = r > widest ? r : widest;
  }
  lu->values = malloc(dls_size_product(lu->panel[lu->groups] + 1, sizeof *lu->values));
  lu->sum = malloc((tallest + 2 * widest + 1) * sizeof *lu->sum);
  if (lu->values == NULL || lu->sum == NULL) {
    return false;
  }
  lu->row = lu->sum + tallest;
  lu->other = lu->row + widest;
  return true;
}

dls_status dls_block_lu_create(size_t groups, const size_t *base, const size_t *pair_at, const size_t *pair,
                               dls_block_lu **out)
{
  const size_t rows = base[groups];
  dls_block_lu *lu = *out = calloc(1, sizeof *lu);
  if (lu == NULL) {
    return DLS_ERR_MEMORY;
  }
  size_t **const arrays[] = {&lu->place, &lu->size, &lu->first, &lu->panel, &lu->height, &lu->at};
  lu->groups = groups;
  lu->later_at = malloc((groups + 1) * sizeof *lu->later_at);
  lu->pivot = malloc((rows + 1) * sizeof *lu->pivot);
  bool done = lu->later_at != NULL && lu->pivot != NULL;
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    *arrays[i] = malloc((groups + 1) * sizeof **arrays[i]);
    done = done && *arrays[i] != NULL;
  }
  if (!done || !find_fill(lu, pair_at, pair) || !lay_out(lu, base)) {
    dls_block_lu_destroy(lu);
    *out = NULL;
    return DLS_ERR_MEMORY;
  }
  return DLS_OK;
}

/* --- numbers --- */

static double *diagonal_of(const dls_block_lu *lu, size_t k)
{
  return lu->values + lu->panel[k];
}

static double *lower_of(const dls_block_lu *lu, size_t k)
{
  return diagonal_of(lu, k) + lu->size[k] * lu->size[k];
}

static double *upper_of(const dls_block_lu *lu, size_t k)
{
  return lower_of(lu, k) + lu->size[k] * lu->height[k];
}

/* at := rows of L_k before each of its groups. */
static void find_rows(dls_block_lu *lu, size_t k)
{
  size_t row = 0;
  for (int64_t e = lu->later_at[k] + 1; e < lu->later_at[k + 1]; e++) {
    lu->at[lu->later[e]] = row;
    row += lu->size[lu->later[e]];
  }
}

void dls_block_lu_clear(dls_block_lu *lu)
{
  memset(lu->values, 0, lu->panel[lu->groups] * sizeof *lu->values);
}

void dls_block_lu_set(dls_block_lu *lu, size_t h, size_t g, const double *X)
{
  const size_t i = lu->place[h], j = lu->place[g], k = i < j ? i : j, rows = lu->size[i], m = lu->height[k];
  find_rows(lu, k);
  for (size_t c = 0; c < lu->size[j]; c++, X += rows) {
    for (size_t l = 0; l < rows; l++) {
      double *to = i == j  ? diagonal_of(lu, k) + l + rows * c
                   : i > j ? lower_of(lu, k) + lu->at[i] + l + m * c
                           : upper_of(lu, k) + lu->at[j] + c + m * l;
      *to = X[l];
    }
  }
}

/* to -= x u */
static void subtract(size_t count, const double *restrict x, double u, double *restrict to)
{
  for (size_t i = 0; i < count; i++) {
    to[i] -= x[i] * u;
  }
}

static void exchange(size_t count, double *restrict x, double *restrict y)
{
  for (size_t i = 0; i < count; i++) {
    const double kept = x[i];
    x[i] = y[i];
    y[i] = kept;
  }
}

/* P D = L U in place, with partial pivoting. @return false if D is singular */
static bool factor_diagonal(size_t r, double *D, size_t *pivot)
{
  for (size_t k = 0; k < r; k++) {
    double *column = D + r * k;
    size_t best = k;
    for (size_t i = k + 1; i < r; i++) {
      best = fabs(column[i]) > fabs(column[best]) ? i : best;
    }
    pivot[k] = best;
    for (size_t j = 0; best != k && j < r; j++) {
      exchange(1, D + k + r * j, D + best + r * j);
    }
    if (!(fabs(column[k]) > 0) || !isfinite(column[k])) {
      return false;
    }
    for (size_t i = k + 1; i < r; i++) {
      column[i] /= column[k];
    }
    for (size_t j = k + 1; j < r; j++) {
      subtract(r - k - 1, column + k + 1, D[k + r * j], D + k + 1 + r * j);
    }
  }
  return true;
}

/* A := A P^T L^{-T} for A[m x r]: of U_k^T, and of a right-hand side with m = 1 */
static void divide_by_lower(size_t r, const double *D, const size_t *pivot, size_t m, double *A)
{
  for (size_t k = 0; k < r; k++) {
    if (pivot[k] != k) {
      exchange(m, A + m * k, A + m * pivot[k]);
    }
  }
  for (size_t k = 0; k < r; k++) {
    for (size_t i = k + 1; i < r; i++) {
      subtract(m, A + m * k, D[i + r * k], A + m * i);
    }
  }
}

/* L_k := L_k U^{-1} */
static void divide_by_upper(size_t r, const double *D, size_t m, double *L)
{
  for (size_t c = 0; c < r; c++) {
    const double inverse = 1 / D[c + r * c];
    for (size_t k = 0; k < c; k++) {
      subtract(m, L + m * k, D[k + r * c], L + m * c);
    }
    for (size_t i = 0; i < m; i++) {
      L[i + m * c] *= inverse;
    }
  }
}

/* x[l] := row i of A[m x r] */
static void take_row(size_t r, size_t m, const double *A, size_t i, double *x)
{
  for (size_t l = 0; l < r; l++) {
    x[l] = A[i + m * l];
  }
}

/* y[count] := the first rows of A[m x r] u, three columns at a time. */
static void combine(size_t r, size_t m, const double *A, const double *u, size_t count, double *restrict y)
{
  memset(y, 0, count * sizeof *y);
  size_t c = 0;
  for (; c + 3 <= r; c += 3) {
    const double *restrict a = A + m * c, *restrict b = a + m, *restrict d = b + m;
    const double x = u[c], v = u[c + 1], w = u[c + 2];
    for (size_t i = 0; i < count; i++) {
      y[i] += a[i] * x + b[i] * v + d[i] * w;
    }
  }
  for (; c < r; c++) {
    for (size_t i = 0; i < count; i++) {
      y[i] += A[m * c + i] * u[c];
    }
  }
}

/* A column of L_j or U_j^T -= y, in the rows of the groups `later`. */
static void scatter(const dls_block_lu *lu, const int64_t *later, const int64_t *end, const double *y,
                    double *column)
{
  for (; later < end; later++) {
    const size_t rows = lu->size[*later];
    subtract(rows, y, 1, column + lu->at[*later]);
    y += rows;
  }
}

/* The blocks of the later groups -= L_k U_k. */
static void update_later(dls_block_lu *lu, size_t k)
{
  const size_t r = lu->size[k], m = lu->height[k];
  const double *L = lower_of(lu, k), *U = upper_of(lu, k);
  const int64_t *end = lu->later + lu->later_at[k + 1];
  size_t row = 0; /* of L_k and U_k^T */
  for (const int64_t *later = lu->later + lu->later_at[k] + 1; later < end; later++) {
    const size_t j = (size_t)*later, size = lu->size[j], rest = row + size;
    double *D = diagonal_of(lu, j);
    find_rows(lu, j);
    for (size_t c = 0; c < size; c++) {
      take_row(r, m, U, row + c, lu->row);
      take_row(r, m, L, row + c, lu->other);
      combine(r, m, L + row, lu->row, m - row, lu->sum);
      subtract(size, lu->sum, 1, D + size * c);
      scatter(lu, later + 1, end, lu->sum + size, lower_of(lu, j) + lu->height[j] * c);
      combine(r, m, U + rest, lu->other, m - rest, lu->sum);
      scatter(lu, later + 1, end, lu->sum, upper_of(lu, j) + lu->height[j] * c);
    }
    row = rest;
  }
}

dls_status dls_block_lu_factor(dls_block_lu *lu)
{
  for (size_t k = 0; k < lu->groups; k++) { /* (1) */
    const size_t r = lu->size[k], m = lu->height[k];
    double *D = diagonal_of(lu, k);
    size_t *pivot = lu->pivot + lu->first[k];
    if (!factor_diagonal(r, D, pivot)) {
      return DLS_ERR_SINGULAR;
    }
    divide_by_lower(r, D, pivot, m, upper_of(lu, k));
    divide_by_upper(r, D, m, lower_of(lu, k));
    update_later(lu, k);
  }
  return DLS_OK;
}

void dls_block_lu_solve(dls_block_lu *lu, double *x)
{
  for (size_t k = 0; k < lu->groups; k++) {
    const size_t r = lu->size[k], m = lu->height[k];
    double *own = x + lu->first[k], *y = lu->sum;
    divide_by_lower(r, diagonal_of(lu, k), lu->pivot + lu->first[k], 1, own);
    combine(r, m, lower_of(lu, k), own, m, y);
    for (int64_t e = lu->later_at[k] + 1; e < lu->later_at[k + 1]; e++) {
      subtract(lu->size[lu->later[e]], y, 1, x + lu->first[lu->later[e]]);
      y += lu->size[lu->later[e]];
    }
  }
  for (size_t k = lu->groups; k-- > 0;) {
    const size_t r = lu->size[k], m = lu->height[k];
    const double *D = diagonal_of(lu, k), *U = upper_of(lu, k);
    double *own = x + lu->first[k];
    for (int64_t e = lu->later_at[k] + 1; e < lu->later_at[k + 1]; e++) {
      const double *from = x + lu->first[lu->later[e]];
      for (size_t c = 0; c < lu->size[lu->later[e]]; c++, U++) {
        for (size_t l = 0; l < r; l++) {
          own[l] -= U[m * l] * from[c];
        }
      }
    }
    for (size_t c = r; c-- > 0;) {
      own[c] /= D[c + r * c];
      subtract(c, D + r * c, own[c], own);
    }
  }
}

double dls_block_lu_work(const dls_block_lu *lu)
{
  return lu->work;
}
