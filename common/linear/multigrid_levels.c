/* multigrid_levels.c -- aggregates, P = (I - w D^-1 A) P0 with P0 the 0-1 matrix of the aggregates, and P^T A P.
 * Weak couplings are added to the diagonal before smoothing.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/multigrid_levels.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LEVELS = 20, SMALLEST = 8 };
static const uint32_t nowhere = UINT32_MAX;
static const double weak =
    /* strong couplings: |A_ij| relative to sqrt(A_ii A_jj), halved from level to level (Vanek, Mandel, Brezina) */
    0.08;
static const double smoothing = 4. / 3; /* damping w, divided by the largest eigenvalue of D^-1 A */

static void free_weights(dls_weights *w)
{
  free(w->starts);
  free(w->to);
  free(w->value);
}

static void free_level(dls_level *l)
{
  free(l->own.starts);
  free(l->own.middle);
  free(l->own.other);
  free(l->free.value);
  free(l->held.value);
  if (l->A != &l->own) {
    free(l->inverse);
  }
  free(l->x);
  free(l->b);
  free_weights(&l->P);
  free_weights(&l->T);
  free(l->sums);
  free(l->changed);
}

void dls_levels_destroy(dls_level *levels, size_t count)
{
  for (size_t k = 0; levels != NULL && k < count; k++) {
    free_level(&levels[k]);
  }
  free(levels);
}

static bool strong(const dls_rows *A, size_t i, uint32_t e, double threshold)
{
  return A->value[e] * A->value[e] > threshold * threshold * A->d[i] * A->d[A->other[e]];
}

/* Make an aggregate of the row and its strong neighbours, if none of them is in one. */
static bool seed(const dls_rows *A, size_t i, double threshold, uint32_t *of, uint32_t number)
{
  size_t neighbours = 0;
  for (uint32_t e = A->starts[i]; e < A->starts[i + 1]; e++) {
    if (strong(A, i, e, threshold)) {
      neighbours++;
      if (of[A->other[e]] != nowhere) {
        return false;
      }
    }
  }
  for (uint32_t e = A->starts[i]; neighbours > 0 && e < A->starts[i + 1]; e++) {
    if (strong(A, i, e, threshold)) {
      of[A->other[e]] = number;
    }
  }
  of[i] = neighbours > 0 ? number : nowhere;
  return neighbours > 0;
}

/* Join the aggregate of the strongest neighbour that has one. */
static uint32_t join(const dls_rows *A, size_t i, double threshold, const uint32_t *of)
{
  uint32_t best = nowhere;
  double most = 0;
  for (uint32_t e = A->starts[i]; e < A->starts[i + 1]; e++) {
    if (of[A->other[e]] != nowhere && strong(A, i, e, threshold) && fabs(A->value[e]) > most) {
      most = fabs(A->value[e]);
      best = of[A->other[e]];
    }
  }
  return best;
}

/* of[i]: aggregate of row i, `nowhere` for rows without couplings. @return number of aggregates */
static uint32_t aggregate(const dls_rows *A, double threshold, uint32_t *of, uint32_t *last)
{
  uint32_t count = 0;
  memset(of, 0xff, A->n * sizeof *of);
  for (size_t i = 0; i < A->n; i++) {
    count += of[i] == nowhere && seed(A, i, threshold, of, count);
  }
  memcpy(last, of, A->n * sizeof *of);
  for (size_t i = 0; i < A->n; i++) {
    of[i] = of[i] == nowhere ? join(A, i, threshold, last) : of[i];
  }
  for (size_t i = 0; i < A->n; i++) { /* remaining rows have only remaining neighbours */
    count += of[i] == nowhere && seed(A, i, threshold, of, count);
    of[i] = of[i] == nowhere ? join(A, i, threshold, of) : of[i];
  }
  return count;
}

/* Gershgorin: the largest eigenvalue of D^-1 A is at most its largest row sum. */
static double bound(const dls_rows *A)
{
  double most = 1;
  for (size_t i = 0; i < A->n; i++) {
    double sum = A->d[i];
    for (uint32_t e = A->starts[i]; e < A->starts[i + 1]; e++) {
      sum += fabs(A->value[e]);
    }
    most = sum / A->d[i] > most ? sum / A->d[i] : most;
  }
  return most;
}

/* Multiply entry (current row, to) of P by x. */
static void put(dls_weights *P, uint32_t begin, uint32_t *end, uint32_t to, double x)
{
  for (uint32_t e = begin; e < *end; e++) {
    if (P->to[e] == to) {
      P->value[e] += x;
      return;
    }
  }
  P->to[*end] = to;
  P->value[(*end)++] = x;
}

/* Number of entries in row i of P. @param mark  last row that touched an aggregate, + 1 */
static uint32_t count_row(const dls_rows *A, size_t i, double threshold, const uint32_t *of, uint32_t *mark)
{
  if (of[i] == nowhere) {
    return 0;
  }
  uint32_t count = 1;
  mark[of[i]] = (uint32_t)i + 1;
  for (uint32_t e = A->starts[i]; e < A->starts[i + 1]; e++) {
    const uint32_t to = of[A->other[e]];
    if (to != nowhere && mark[to] != i + 1 && strong(A, i, e, threshold)) {
      mark[to] = (uint32_t)i + 1;
      count++;
    }
  }
  return count;
}

/* Row i of P. @return its end */
static uint32_t smooth_row(const dls_rows *A, size_t i, double threshold, double omega, const uint32_t *of,
                           dls_weights *P)
{
  const uint32_t begin = P->starts[i];
  uint32_t end = begin;
  double d = A->d[i];
  for (uint32_t e = A->starts[i]; e < A->starts[i + 1]; e++) {
    d += strong(A, i, e, threshold) ? 0 : A->value[e];
  }
  d = d > 0 ? d : A->d[i];
  if (of[i] == nowhere) {
    return end;
  }
  put(P, begin, &end, of[i], 1 - omega);
  for (uint32_t e = A->starts[i]; e < A->starts[i + 1]; e++) {
    if (strong(A, i, e, threshold) && of[A->other[e]] != nowhere) {
      put(P, begin, &end, of[A->other[e]], -omega * A->value[e] / d);
    }
  }
  return end;
}

static bool weights(dls_weights *w, size_t rows, size_t entries)
{
  w->starts = calloc(rows + 1, sizeof *w->starts);
  w->to = malloc((entries + 1) * sizeof *w->to);
  w->value = malloc((entries + 1) * sizeof *w->value);
  return w->starts != NULL && w->to != NULL && w->value != NULL;
}

static bool prolongation(dls_level *l, double threshold, const uint32_t *of, uint32_t *mark)
{
  const dls_rows *A = l->A;
  const double omega = smoothing / bound(A);
  size_t entries = 0;
  memset(mark, 0, A->n * sizeof *mark);
  for (size_t i = 0; i < A->n; i++) {
    entries += count_row(A, i, threshold, of, mark);
  }
  if (!weights(&l->P, A->n, entries)) {
    return false;
  }
  for (size_t i = 0; i < A->n; i++) {
    l->P.starts[i + 1] = smooth_row(A, i, threshold, omega, of, &l->P);
  }
  return true;
}

/* T := the pattern of P^T. */
static bool transpose(dls_level *l, uint32_t columns)
{
  const dls_weights *P = &l->P;
  const size_t n = l->A->n;
  l->T.starts = calloc(columns + 1, sizeof *l->T.starts);
  l->T.to = malloc((P->starts[n] + 1) * sizeof *l->T.to);
  if (l->T.starts == NULL || l->T.to == NULL) {
    return false;
  }
  uint32_t *starts = l->T.starts;
  for (uint32_t e = 0; e < P->starts[n]; e++) {
    starts[P->to[e] + 1]++;
  }
  for (uint32_t k = 0; k < columns; k++) {
    starts[k + 1] += starts[k];
  }
  for (size_t i = 0; i < n; i++) {
    for (uint32_t e = P->starts[i]; e < P->starts[i + 1]; e++) {
      l->T.to[starts[P->to[e]]++] = (uint32_t)i;
    }
  }
  memmove(starts + 1, starts, columns * sizeof *starts);
  starts[0] = 0;
  return true;
}

static int increasing(const void *a, const void *b)
{
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Columns of row k of P^T A P except k, increasing, from `other` on. @param mark  last row that touched a column, + 1 */
static uint32_t pattern_row(const dls_level *l, uint32_t k, uint32_t *mark, uint32_t *other)
{
  const dls_rows *A = l->A;
  uint32_t count = 0;
  mark[k] = k + 1;
  for (uint32_t t = l->T.starts[k]; t < l->T.starts[k + 1]; t++) {
    const uint32_t i = l->T.to[t];
    for (uint32_t e = A->starts[i]; e <= A->starts[i + 1]; e++) {
      const uint32_t j = e < A->starts[i + 1] ? A->other[e] : i;
      for (uint32_t p = l->P.starts[j]; p < l->P.starts[j + 1]; p++) {
        const uint32_t c = l->P.to[p];
        if (mark[c] != k + 1) {
          mark[c] = k + 1;
          if (other != NULL) {
            other[count] = c;
          }
          count++;
        }
      }
    }
  }
  if (other != NULL) {
    qsort(other, count, sizeof *other, increasing);
  }
  return count;
}

static bool reserve(dls_level *coarse, uint32_t n)
{
  dls_rows *A = &coarse->own;
  A->n = n;
  A->starts = calloc(n + 1, sizeof *A->starts);
  A->middle = malloc(n * sizeof *A->middle);
  coarse->x = malloc(2 * n * sizeof *coarse->x);
  coarse->b = malloc(2 * n * sizeof *coarse->b);
  coarse->changed = malloc(n);
  coarse->A = A;
  return coarse->changed != NULL && A->starts != NULL && A->middle != NULL && coarse->x != NULL &&
         coarse->b != NULL;
}

static bool numbers(dls_numbers *x, size_t n, size_t entries)
{
  x->value = malloc((entries + 2 * n) * sizeof *x->value);
  x->d = x->value != NULL ? x->value + entries : NULL;
  x->inverse = x->value != NULL ? x->d + n : NULL;
  return x->value != NULL;
}

static void use(dls_level *l, const dls_numbers *x)
{
  l->own.value = x->value;
  l->own.d = x->d;
  l->inverse = x->inverse;
}

void dls_levels_use(dls_level *levels, size_t count, bool free)
{
  for (size_t k = 1; k < count; k++) {
    use(&levels[k], free ? &levels[k].free : &levels[k].held);
  }
}

/* The pattern of P^T A P. */
static bool lay_out(const dls_level *l, uint32_t n, dls_level *coarse, uint32_t *mark)
{
  dls_rows *A = &coarse->own;
  memset(mark, 0, n * sizeof *mark);
  for (uint32_t k = 0; k < n; k++) {
    A->starts[k + 1] = A->starts[k] + pattern_row(l, k, mark, NULL);
  }
  A->other = malloc((A->starts[n] + 1) * sizeof *A->other);
  if (A->other == NULL || !numbers(&coarse->free, n, A->starts[n]) ||
      !numbers(&coarse->held, n, A->starts[n])) {
    return false;
  }
  memset(mark, 0, n * sizeof *mark);
  for (uint32_t k = 0; k < n; k++) {
    pattern_row(l, k, mark, A->other + A->starts[k]);
    A->middle[k] = A->starts[k];
    while (A->middle[k] < A->starts[k + 1] && A->other[A->middle[k]] < k) {
      A->middle[k]++;
    }
  }
  use(coarse, &coarse->free);
  return true;
}

/* Row k of P^T A P, in l->sums. */
static void product_row(const dls_level *l, uint32_t k)
{
  const dls_rows *A = l->A;
  const dls_weights *P = &l->P, *T = &l->T;
  double *restrict sums = l->sums;
  for (uint32_t t = T->starts[k]; t < T->starts[k + 1]; t++) {
    const uint32_t i = T->to[t];
    const double weight = l->inverse[i] == 0 ? 0 : dls_weight(P, i, k);
    for (uint32_t e = A->starts[i]; weight != 0 && e <= A->starts[i + 1]; e++) {
      const bool beside = e < A->starts[i + 1];
      const uint32_t j = beside ? A->other[e] : i;
      const double x = l->inverse[j] == 0 ? 0 : weight * (beside ? A->value[e] : A->d[i]);
      for (uint32_t p = P->starts[j]; p < P->starts[j + 1]; p++) {
        sums[P->to[p]] += x * P->value[p];
      }
    }
  }
}

/* Row k of the coarser level depends on rows that changed, or on columns whose use changed. */
static void mark_changes(const dls_level *l, unsigned char *changed)
{
  const dls_rows *A = l->A;
  const dls_weights *P = &l->P;
  for (size_t i = 0; i < A->n; i++) {
    for (uint32_t e = A->starts[i]; l->changed[i] && e <= A->starts[i + 1]; e++) {
      const uint32_t j = e < A->starts[i + 1] ? A->other[e] : (uint32_t)i;
      for (uint32_t p = P->starts[j]; p < P->starts[j + 1]; p++) {
        changed[P->to[p]] = 1;
      }
    }
  }
}

void dls_level_product(dls_level *l, dls_level *coarse)
{
  dls_rows *A = &coarse->own;
  memset(coarse->changed, 0, A->n);
  mark_changes(l, coarse->changed);
  for (uint32_t k = 0; k < A->n; k++) {
    if (!coarse->changed[k]) {
      continue;
    }
    product_row(l, k);
    A->d[k] = l->sums[k];
    l->sums[k] = 0;
    coarse->inverse[k] = A->d[k] > 0 ? 1 / A->d[k] : 0;
    for (uint32_t e = A->starts[k]; e < A->starts[k + 1]; e++) {
      A->value[e] = l->sums[A->other[e]];
      l->sums[A->other[e]] = 0;
    }
  }
}

/* The next level of l. @return DLS_OK; DLS_ERR_NOT_APPLICABLE if there is none; DLS_ERR_MEMORY */
static dls_status coarsen(dls_level *l, double threshold, dls_level *coarse)
{
  const size_t n = l->A->n;
  uint32_t *of = malloc(2 * n * sizeof *of);
  if (of == NULL) {
    return DLS_ERR_MEMORY;
  }
  const uint32_t count = n > SMALLEST ? aggregate(l->A, threshold, of, of + n) : 0;
  bool room = true;
  if (count > 0) {
    l->sums = calloc(count, sizeof *l->sums);
    room = l->sums != NULL && prolongation(l, threshold, of, of + n) && transpose(l, count) &&
           reserve(coarse, count) && lay_out(l, count, coarse, of);
  }
  free(of);
  if (count > 0 && room) {
    memset(l->changed, 1, n);
    dls_level_product(l, coarse);
    memcpy(coarse->held.value, coarse->free.value, (coarse->own.starts[count] + 2 * count) * sizeof(double));
  }
  return !room ? DLS_ERR_MEMORY : count > 0 ? DLS_OK : DLS_ERR_NOT_APPLICABLE;
}

dls_level *dls_levels_create(const dls_rows *A, size_t *count)
{
  dls_level *levels = calloc(MOST_LEVELS, sizeof *levels);
  *count = MOST_LEVELS;
  if (levels != NULL) {
    levels[0].A = A;
    levels[0].inverse = malloc(A->n * sizeof *levels[0].inverse);
    levels[0].changed = malloc(A->n);
  }
  dls_status status =
      levels == NULL || levels[0].inverse == NULL || levels[0].changed == NULL ? DLS_ERR_MEMORY : DLS_OK;
  for (size_t i = 0; i < A->n && status == DLS_OK; i++) {
    levels[0].inverse[i] = 1 / A->d[i];
  }
  double threshold = weak;
  for (*count = 1; status == DLS_OK && *count < MOST_LEVELS; threshold /= 2) {
    status = coarsen(&levels[*count - 1], threshold, &levels[*count]);
    *count += status == DLS_OK;
  }
  if (status == DLS_ERR_MEMORY) {
    dls_levels_destroy(levels, MOST_LEVELS);
    return NULL;
  }
  return levels;
}
