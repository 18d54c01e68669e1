/* block_lu.c -- right-looking LU by groups, in an order of little fill.
 *
 * The groups are numbered in the order of elimination. Group k has the later groups `later` that it is coupled with, fill included, and
 *   D_k (r x r),  L_k (m x r): rows of these groups, in its columns,  U_k (r x m): their columns, in its rows.
 * Its elimination is
 *   P D_k = L U,   U_k := L^{-1} P U_k,   L_k := L_k U^{-1},   the blocks of the later groups -= L_k U_k.            (1)
 * The blocks of L_k U_k are dense, so that most operations are sums of few columns of L_k. Fill: T. A. Davis, Direct Methods for Sparse
 * Linear Systems, 2006, section 4.
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
  size_t *order, *place;    /* groups: the group eliminated k-th, and its inverse */
  size_t *size, *first;     /* groups: rows of the k-th, and its first row in x */
  size_t *later_at, *later; /* groups + 1: of the k-th, increasing */
  size_t *panel;            /* groups + 1: D_k, L_k, U_k in values */
  size_t *height;           /* groups: m */
  double *values;
  size_t *pivot;  /* rows of all groups: row exchanged with it, within D_k */
  size_t *offset; /* most x most: of block (a, b > a) among the later groups of a */
  double *column; /* m */
  double work;
};

void dls_block_lu_destroy(dls_block_lu *lu)
{
  if (lu == NULL) {
    return;
  }
  void *const arrays[] = {lu->order, lu->place,  lu->size,   lu->first, lu->later_at, lu->later,
                          lu->panel, lu->height, lu->values, lu->pivot, lu->offset,   lu->column};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    free(arrays[i]);
  }
  free(lu);
}

/* --- order and fill --- */

/* By approximate minimum degree, as KLU orders. */
static bool find_order(dls_block_lu *lu, const size_t *pair_at, const size_t *pair)
{
  const size_t groups = lu->groups;
  int64_t *starts = malloc((groups + 1) * sizeof *starts), *rows = malloc((pair_at[groups] + 1) * sizeof *rows);
  klu_l_common common;
  klu_l_symbolic *symbolic = NULL;
  if (starts != NULL && rows != NULL) {
    for (size_t g = 0; g <= groups; g++) {
      starts[g] = (int64_t)pair_at[g];
    }
    for (size_t e = 0; e < pair_at[groups]; e++) {
      rows[e] = (int64_t)pair[e];
    }
    klu_l_defaults(&common);
    common.btf = 0; /* a symmetric order */
    symbolic = klu_l_analyze((int64_t)groups, starts, rows, &common);
  }
  for (size_t k = 0; symbolic != NULL && k < groups; k++) {
    lu->order[k] = (size_t)symbolic->Q[k];
    lu->place[lu->order[k]] = k;
  }
  free(starts);
  free(rows);
  const bool done = symbolic != NULL;
  if (done) {
    klu_l_free_symbolic(&symbolic, &common);
  }
  return done;
}

static int compare_numbers(const void *a, const void *b)
{
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return (x > y) - (x < y);
}

/* Append the later groups of k: its own, and those of the groups whose first later group is k. @param[in,out] mark  groups
 * @param[in] child, next  lists of these groups, ended by SIZE_MAX */
static bool find_later(dls_block_lu *lu, size_t k, const size_t *pair_at, const size_t *pair, size_t *room,
                       size_t *mark, const size_t *child, const size_t *next)
{
  size_t count = lu->later_at[k];
  const size_t g = lu->order[k], most = count + lu->groups - k;
  if (most > *room) {
    *room = 2 * most;
    size_t *larger = realloc(lu->later, *room * sizeof *larger);
    if (larger == NULL) {
      return false;
    }
    lu->later = larger;
  }
  mark[k] = k + 1;
  for (size_t e = pair_at[g]; e < pair_at[g + 1]; e++) {
    const size_t j = lu->place[pair[e]];
    if (j > k && mark[j] != k + 1) {
      mark[j] = k + 1;
      lu->later[count++] = j;
    }
  }
  for (size_t c = child[k]; c != SIZE_MAX; c = next[c]) {
    for (size_t e = lu->later_at[c]; e < lu->later_at[c + 1]; e++) {
      const size_t j = lu->later[e];
      if (mark[j] != k + 1) {
        mark[j] = k + 1;
        lu->later[count++] = j;
      }
    }
  }
  qsort(lu->later + lu->later_at[k], count - lu->later_at[k], sizeof *lu->later, compare_numbers);
  lu->later_at[k + 1] = count;
  return true;
}

static bool find_fill(dls_block_lu *lu, const size_t *pair_at, const size_t *pair)
{
  const size_t groups = lu->groups;
  size_t *scratch = malloc(3 * (groups + 1) * sizeof *scratch), room = 0;
  if (scratch == NULL) {
    return false;
  }
  size_t *mark = scratch, *child = scratch + groups + 1, *next = child + groups + 1;
  memset(mark, 0, groups * sizeof *mark);
  memset(child, 0xff, groups * sizeof *child);
  bool done = true;
  lu->later_at[0] = 0;
  for (size_t k = 0; k < groups && done; k++) {
    done = find_later(lu, k, pair_at, pair, &room, mark, child, next);
    if (done && lu->later_at[k + 1] > lu->later_at[k]) {
      const size_t parent = lu->later[lu->later_at[k]];
      next[k] = child[parent];
      child[parent] = k;
    }
  }
  free(scratch);
  return done;
}

/* Panels, and scratch. */
static bool lay_out(dls_block_lu *lu, const size_t *base)
{
  size_t most = 0, tallest = 0;
  lu->panel[0] = 0;
  for (size_t k = 0; k < lu->groups; k++) {
    const size_t g = lu->order[k];
    lu->size[k] = base[g + 1] - base[g];
    lu->first[k] = base[g];
  }
  for (size_t k = 0; k < lu->groups; k++) {
    const size_t count = lu->later_at[k + 1] - lu->later_at[k], r = lu->size[k];
    size_t m = 0;
    for (size_t e = lu->later_at[k]; e < lu->later_at[k + 1]; e++) {
      m += lu->size[lu->later[e]];
    }
    lu->height[k] = m;
    lu->panel[k + 1] = lu->panel[k] + r * (r + 2 * m);
    lu->work += (double)r * ((double)r * (double)r / 3 + (double)r * (double)m + (double)m * (double)m);
    most = count > most ? count : most;
    tallest = m > tallest ? m : tallest;
  }
  const size_t rows = base[lu->groups];
  lu->values = malloc(dls_size_product(lu->panel[lu->groups] + 1, sizeof *lu->values));
  lu->pivot = malloc((rows + 1) * sizeof *lu->pivot);
  lu->offset = malloc(dls_size_product(dls_size_product(most, most) + 1, sizeof *lu->offset));
  lu->column = malloc((tallest + 1) * sizeof *lu->column);
  return lu->values != NULL && lu->pivot != NULL && lu->offset != NULL && lu->column != NULL;
}

dls_status dls_block_lu_create(size_t groups, const size_t *base, const size_t *pair_at, const size_t *pair,
                               dls_block_lu **out)
{
  dls_block_lu *lu = *out = calloc(1, sizeof *lu);
  if (lu == NULL) {
    return DLS_ERR_MEMORY;
  }
  size_t **const arrays[] = {&lu->order,    &lu->place, &lu->size,  &lu->first,
                             &lu->later_at, &lu->panel, &lu->height};
  bool done = true;
  lu->groups = groups;
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    *arrays[i] = malloc((groups + 1) * sizeof **arrays[i]);
    done = done && *arrays[i] != NULL;
  }
  if (!done || !find_order(lu, pair_at, pair) || !find_fill(lu, pair_at, pair) || !lay_out(lu, base)) {
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

/* Rows of the later groups of k before group j, which is one of them. */
static size_t offset_of(const dls_block_lu *lu, size_t k, size_t j)
{
  size_t offset = 0;
  for (size_t e = lu->later_at[k]; lu->later[e] != j; e++) {
    offset += lu->size[lu->later[e]];
  }
  return offset;
}

void dls_block_lu_clear(dls_block_lu *lu)
{
  memset(lu->values, 0, lu->panel[lu->groups] * sizeof *lu->values);
}

void dls_block_lu_set(dls_block_lu *lu, size_t h, size_t g, const double *X)
{
  const size_t i = lu->place[h], j = lu->place[g], rows = lu->size[i], columns = lu->size[j];
  double *to = i == j  ? diagonal_of(lu, j)
               : i > j ? lower_of(lu, j) + offset_of(lu, j, i)
                       : upper_of(lu, i) + rows * offset_of(lu, i, j);
  for (size_t c = 0; c < columns; c++) {
    memcpy(to + (i > j ? lu->height[j] : rows) * c, X + rows * c, rows * sizeof *X);
  }
}

/* P D = L U in place, with partial pivoting. @return false if D is singular */
static bool factor_diagonal(size_t r, double *D, size_t *pivot)
{
  for (size_t k = 0; k < r; k++) {
    size_t best = k;
    for (size_t i = k + 1; i < r; i++) {
      best = fabs(D[i + r * k]) > fabs(D[best + r * k]) ? i : best;
    }
    pivot[k] = best;
    for (size_t j = 0; j < r && best != k; j++) {
      const double x = D[k + r * j];
      D[k + r * j] = D[best + r * j];
      D[best + r * j] = x;
    }
    if (!(fabs(D[k + r * k]) > 0) || !isfinite(D[k + r * k])) {
      return false;
    }
    for (size_t i = k + 1; i < r; i++) {
      D[i + r * k] /= D[k + r * k];
    }
    for (size_t j = k + 1; j < r; j++) {
      for (size_t i = k + 1; i < r; i++) {
        D[i + r * j] -= D[i + r * k] * D[k + r * j];
      }
    }
  }
  return true;
}

/* x := L^{-1} P x */
static void solve_lower(size_t r, const double *D, const size_t *pivot, double *x)
{
  for (size_t k = 0; k < r; k++) {
    const double above = x[k];
    x[k] = x[pivot[k]];
    x[pivot[k]] = above;
  }
  for (size_t k = 0; k < r; k++) {
    for (size_t i = k + 1; i < r; i++) {
      x[i] -= D[i + r * k] * x[k];
    }
  }
}

/* L_k := L_k U^{-1}, column by column */
static void divide_lower(size_t r, size_t m, const double *D, double *L)
{
  for (size_t c = 0; c < r; c++) {
    double *restrict to = L + m * c;
    for (size_t k = 0; k < c; k++) {
      const double *restrict from = L + m * k;
      const double u = D[k + r * c];
      for (size_t i = 0; i < m; i++) {
        to[i] -= from[i] * u;
      }
    }
    const double inverse = 1 / D[c + r * c];
    for (size_t i = 0; i < m; i++) {
      to[i] *= inverse;
    }
  }
}

/* y[m] := L u, three columns at a time. */
static void combine(size_t r, size_t m, const double *L, const double *u, double *restrict y)
{
  memset(y, 0, m * sizeof *y);
  size_t c = 0;
  for (; c + 3 <= r; c += 3) {
    const double *restrict a = L + m * c, *restrict b = a + m, *restrict d = b + m;
    const double x = u[c], v = u[c + 1], w = u[c + 2];
    for (size_t i = 0; i < m; i++) {
      y[i] += a[i] * x + b[i] * v + d[i] * w;
    }
  }
  for (; c < r; c++) {
    for (size_t i = 0; i < m; i++) {
      y[i] += L[m * c + i] * u[c];
    }
  }
}

/* Of all blocks (a, b > a) of later groups of k. */
static void find_offsets(dls_block_lu *lu, size_t k)
{
  const size_t begin = lu->later_at[k], count = lu->later_at[k + 1] - begin;
  for (size_t a = 0; a < count; a++) {
    const size_t j = lu->later[begin + a];
    size_t e = lu->later_at[j], offset = 0;
    for (size_t b = a + 1; b < count; b++) { /* all are later groups of j too */
      for (; lu->later[e] != lu->later[begin + b]; e++) {
        offset += lu->size[lu->later[e]];
      }
      lu->offset[count * a + b] = offset;
    }
  }
}

/* to -= x */
static void subtract(size_t count, const double *restrict x, double *restrict to)
{
  for (size_t i = 0; i < count; i++) {
    to[i] -= x[i];
  }
}

/* The blocks of the later groups -= L_k U_k. */
static void update_later(dls_block_lu *lu, size_t k)
{
  const size_t begin = lu->later_at[k], count = lu->later_at[k + 1] - begin, r = lu->size[k], m = lu->height[k];
  const double *L = lower_of(lu, k), *u = upper_of(lu, k);
  find_offsets(lu, k);
  for (size_t b = 0; b < count; b++) {
    const size_t j = lu->later[begin + b];
    for (size_t c = 0; c < lu->size[j]; c++, u += r) {
      const double *y = lu->column;
      combine(r, m, L, u, lu->column);
      for (size_t a = 0; a < count; a++) {
        const size_t i = lu->later[begin + a], rows = lu->size[i];
        double *to = a == b  ? diagonal_of(lu, j) + rows * c
                     : a > b ? lower_of(lu, j) + lu->height[j] * c + lu->offset[count * b + a]
                             : upper_of(lu, i) + rows * (lu->offset[count * a + b] + c);
        subtract(rows, y, to);
        y += rows;
      }
    }
  }
}

dls_status dls_block_lu_factor(dls_block_lu *lu)
{
  for (size_t k = 0; k < lu->groups; k++) { /* (1) */
    const size_t r = lu->size[k], m = lu->height[k];
    double *D = diagonal_of(lu, k), *U = upper_of(lu, k);
    size_t *pivot = lu->pivot + lu->first[k];
    if (!factor_diagonal(r, D, pivot)) {
      return DLS_ERR_SINGULAR;
    }
    divide_lower(r, m, D, lower_of(lu, k));
    for (size_t c = 0; c < m; c++) {
      solve_lower(r, D, pivot, U + r * c);
    }
    update_later(lu, k);
  }
  return DLS_OK;
}

void dls_block_lu_solve(dls_block_lu *lu, double *x)
{
  for (size_t k = 0; k < lu->groups; k++) {
    double *own = x + lu->first[k];
    solve_lower(lu->size[k], diagonal_of(lu, k), lu->pivot + lu->first[k], own);
    combine(lu->size[k], lu->height[k], lower_of(lu, k), own, lu->column);
    const double *y = lu->column;
    for (size_t e = lu->later_at[k]; e < lu->later_at[k + 1]; e++) {
      subtract(lu->size[lu->later[e]], y, x + lu->first[lu->later[e]]);
      y += lu->size[lu->later[e]];
    }
  }
  for (size_t k = lu->groups; k-- > 0;) {
    const size_t r = lu->size[k];
    const double *D = diagonal_of(lu, k), *U = upper_of(lu, k);
    double *own = x + lu->first[k];
    for (size_t e = lu->later_at[k]; e < lu->later_at[k + 1]; e++) {
      const double *from = x + lu->first[lu->later[e]];
      for (size_t c = 0; c < lu->size[lu->later[e]]; c++, U += r) {
        for (size_t i = 0; i < r; i++) {
          own[i] -= U[i] * from[c];
        }
      }
    }
    for (size_t i = r; i-- > 0;) {
      own[i] /= D[i + r * i];
      for (size_t l = 0; l < i; l++) {
        own[l] -= D[l + r * i] * own[i];
      }
    }
  }
}

double dls_block_lu_work(const dls_block_lu *lu)
{
  return lu->work;
}
