/* dense.c -- any A: W = H^T Y as an array, from the columns of Y = A^{-1} H, which are kept.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/operator/operator.h"
#include "common/contact/thresholds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AT_ONCE = 16 }; /* entries of W: dense columns of H are passed over together */

typedef struct dense {
  dls_operator as_operator;
  double **columns;     /* m: columns of Y, NULL until they are needed; valid where known */
  unsigned char *known; /* m */
  double *W;            /* m x m, of known columns; NaN: not asked for yet. NULL: too many to be kept */
} dense;

static void destroy(dls_operator *O)
{
  dense *S = (dense *)O;
  for (size_t j = 0; S->columns != NULL && j < O->D->m; j++) {
    free(S->columns[j]);
  }
  free(S->columns);
  free(S->known);
  free(S->W);
  free(S);
}

static void reset(dls_operator *O)
{
  memset(((dense *)O)->known, 0, O->D->m);
}

/* y_k := A^{-1} y_k, columns of H before */
static void apply_to_columns(const dls_delassus *D, size_t count, double *const *y)
{
  if (D->apply_columns != NULL && count > 0) {
    D->apply_columns(D->data, count, y);
    return;
  }
  for (size_t k = 0; k < count; k++) {
    D->apply(D->data, y[k]);
  }
}

/* y := column j of H */
static void take_column(const dls_delassus *D, size_t j, double *y)
{
  memset(y, 0, D->n * sizeof *y);
  dls_matrix_column_add(D->H, j, 1, y);
}

/* @return whether there is room for column j */
static bool has_room(dense *S, size_t j)
{
  S->columns[j] = S->columns[j] != NULL ? S->columns[j] : malloc(S->as_operator.D->n * sizeof *S->columns[j]);
  return S->columns[j] != NULL;
}

/* Entries of column j of W are not asked for yet. */
static void forget_entries(const dense *S, size_t j)
{
  const size_t m = S->as_operator.D->m;
  double *restrict w = S->W != NULL ? S->W + m * j : NULL;
  for (size_t i = 0; w != NULL && i < m; i++) {
    w[i] = NAN;
  }
}

/* Column j of H in the place of a column of A^{-1} H that is kept from now on; NULL if that is there or has no room. */
static double *begin_column(dense *S, size_t j)
{
  if (S->known[j] || !has_room(S, j)) {
    return NULL;
  }
  take_column(S->as_operator.D, j, S->columns[j]);
  S->known[j] = 1;
  forget_entries(S, j);
  return S->columns[j];
}

/* Columns of A^{-1} H, kept from now on, where there is room. */
static void make_columns(dls_operator *O, size_t count, const size_t *rows)
{
  double *y[DLS_COLUMNS_TOGETHER];
  size_t waiting = 0;
  for (size_t k = 0; k <= count; k++) {
    double *begun = k < count ? begin_column((dense *)O, rows[k]) : NULL;
    if (begun != NULL) {
      y[waiting++] = begun;
    }
    if (waiting == DLS_COLUMNS_TOGETHER || k == count) {
      apply_to_columns(O->D, waiting, y);
      waiting = 0;
    }
  }
}

/* Column j of A^{-1} H. NULL if out of memory */
static const double *column(dls_operator *O, size_t j)
{
  double *begun = begin_column((dense *)O, j);
  if (begun != NULL) {
    O->D->apply(O->D->data, begun);
  }
  return ((const dense *)O)->columns[j];
}

/* Entry (i, j) of W from y, column j of Y, which is kept. */
static double entry_of(const dense *S, size_t i, size_t j, const double *y)
{
  const dls_delassus *D = S->as_operator.D;
  if (S->W == NULL) {
    return dls_matrix_column_dot(D->H, i, y);
  }
  double *w = &S->W[i + D->m * j];
  *w = isnan(*w) ? dls_matrix_column_dot(D->H, i, y) : *w;
  return *w;
}

static double entry(dls_operator *O, size_t i, size_t j)
{
  const double *y = column(O, j);
  if (y != NULL) {
    return entry_of((const dense *)O, i, j, y);
  }
  take_column(O->D, j, O->D->x); /* no memory to keep it */
  O->D->apply(O->D->data, O->D->x);
  return dls_matrix_column_dot(O->D->H, i, O->D->x);
}

/* The array is all there is. */
static dls_status gather(dls_operator *O)
{
  (void)O;
  return DLS_OK;
}

/* Entries of column j of W, from y, which were not asked for yet and are in active rows. */
static void make_entries(const dense *S, size_t j, const double *y)
{
  const dls_delassus *D = S->as_operator.D;
  double *w = S->W + D->m * j, sums[AT_ONCE];
  size_t rows[AT_ONCE], count = 0;
  for (size_t k = 0; k <= D->count; k++) {
    if (k < D->count && isnan(w[D->active[k]])) {
      rows[count++] = D->active[k];
    }
    if (count == AT_ONCE || k == D->count) {
      dls_matrix_columns_dot(D->H, count, rows, y, sums);
      while (count > 0) {
        count--;
        w[rows[count]] = sums[count];
      }
    }
  }
}

static bool copy(dls_operator *O, double *W)
{
  const dense *S = (const dense *)O;
  const dls_delassus *D = O->D;
  if (D->count >= DLS_COLUMNS_TOGETHER) {
    make_columns(O, D->count, D->active);
  }
  for (size_t j = 0; j < D->count; j++, W += D->count) {
    const double *y = column(O, D->active[j]);
    if (y == NULL) {
      return false;
    }
    if (S->W == NULL) {
      dls_matrix_columns_dot(D->H, D->count, D->active, y, W);
      continue;
    }
    make_entries(S, D->active[j], y);
    for (size_t i = 0; i < D->count; i++) {
      W[i] = S->W[D->active[i] + D->m * D->active[j]];
    }
  }
  return true;
}

/* Are the columns that are needed there, and few? */
static bool by_columns(const dense *S, size_t count, const size_t *active, const double *p)
{
  size_t needed = 0;
  bool known = true;
  for (size_t k = 0; k < count; k++) {
    needed += p[k] != 0;
    known = known && (p[k] == 0 || S->known[active[k]]);
  }
  return known && needed <= threshold_summed_columns;
}

/* v += alpha Y p, by the columns of Y or by one solve. */
static void apply(dls_operator *O, size_t count, const size_t *active, double alpha, const double *p, double *v)
{
  const dense *S = (const dense *)O;
  const dls_delassus *D = O->D;
  if (by_columns(S, count, active, p)) {
    for (size_t k = 0; k < count; k++) {
      for (size_t i = 0; p[k] != 0 && i < D->n; i++) {
        v[i] += alpha * p[k] * S->columns[active[k]][i]; /* alpha Y p, column by column */
      }
    }
    return;
  }
  dls_delassus_apply_by_solve(O->D, count, active, alpha, p, v);
}

static const double *kept(const dls_operator *O, size_t j)
{
  const dense *S = (const dense *)O;
  return S->known[j] ? S->columns[j] : NULL;
}

/* By the column of Y. */
static bool response(dls_operator *O, size_t j, dls_response *out)
{
  const size_t n = O->D->n;
  const double *y = n <= DLS_RESPONSE_MOST ? column(O, j) : NULL;
  out->count = n;
  for (size_t i = 0; y != NULL && i < n; i++) {
    out->row[i] = i;
    out->a[i] = y[i];
    out->b[i] = 1;
  }
  return y != NULL;
}

static const dls_operator_kind kind = {.gather = gather,
                                       .copy = copy,
                                       .destroy = destroy,
                                       .reset = reset,
                                       .entry = entry,
                                       .make_columns = make_columns,
                                       .apply = apply,
                                       .kept = kept,
                                       .response = response};

/* All columns from the start where they are little, so that steps allocate nothing. */
dls_operator *dls_dense_create(dls_delassus *D)
{
  dense *S = calloc(1, sizeof *S);
  if (S == NULL) {
    return NULL;
  }
  S->as_operator = (dls_operator){.kind = &kind, .D = D};
  S->columns = calloc(D->m, sizeof *S->columns);
  S->known = calloc(D->m, sizeof *S->known);
  const bool keeps = D->m > 0 && D->m * D->m <= threshold_full_entries;
  S->W = keeps ? malloc(D->m * D->m * sizeof *S->W) : NULL;
  bool done = S->columns != NULL && S->known != NULL && (S->W != NULL || !keeps);
  for (size_t j = 0; done && D->n * D->m <= threshold_full_entries && j < D->m; j++) {
    done = (S->columns[j] = malloc(D->n * sizeof *S->columns[j])) != NULL;
  }
  if (!done) {
    destroy(&S->as_operator);
    return NULL;
  }
  return &S->as_operator;
}
