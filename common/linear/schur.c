/* schur.c -- see schur.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/schur.h"
#include "common/base/arrays.h"
#include "common/linear/klu_columns.h"
#include "common/linear/lu.h"
#include "common/linear/storage.h"
#include "common/linear/thresholds.h"
#include <stdlib.h>
#include <string.h>

enum { ORDER_AMD = 0, ORDER_OWN = 3 }; /* KLU's codes */

struct dls_schur {
  size_t n, count;          /* rows of A; of B */
  bool *inside;             /* n: is the row in B? */
  size_t *rows;             /* count: B, increasing */
  double *LU, *x, *block;   /* count x count, by columns: S = L U, rows divided by KLU's scale; n; owns both */
  bool looked_for, is_last; /* LU in the factors of this A; it is there */
};

/* @return the number of rows in which H has entries, which it marks */
static size_t mark_rows(const dls_matrix *H, bool *inside)
{
  size_t count = 0;
  for (size_t j = 0; j < dls_matrix_columns(H); j++) {
    const dls_column c = dls_matrix_column(H, j);
    for (size_t k = 0; k < c.count; k++) {
      count += !inside[dls_column_row(&c, k)];
      inside[dls_column_row(&c, k)] = true;
    }
  }
  return count;
}

bool dls_schur_create(const dls_matrix *H, dls_schur **schur)
{
  *schur = NULL;
  dls_schur *s = calloc(1, sizeof *s);
  if (s == NULL || (s->inside = calloc(dls_matrix_rows(H), sizeof *s->inside)) == NULL) {
    dls_schur_destroy(s);
    return false;
  }
  s->n = dls_matrix_rows(H);
  s->count = mark_rows(H, s->inside);
  if (s->count == 0 || s->count >= s->n || s->count * s->count > threshold_boundary_entries * s->n) {
    dls_schur_destroy(s);
    return true;
  }
  s->rows = malloc(s->count * sizeof *s->rows);
  s->block = dls_arrays((const dls_slot[]){{s->count * s->count, {&s->LU}}, {s->n, {&s->x}}, {0}});
  if (s->rows == NULL || s->block == NULL) {
    dls_schur_destroy(s);
    return false;
  }
  for (size_t i = 0, k = 0; i < s->n; i++) {
    if (s->inside[i]) {
      s->rows[k++] = i;
    }
  }
  *schur = s;
  return true;
}

void dls_schur_destroy(dls_schur *s)
{
  if (s != NULL) {
    free(s->inside);
    free(s->rows);
    free(s->block);
    free(s);
  }
}

bool dls_schur_covers(const dls_schur *s, const dls_matrix *H)
{
  bool covers = true;
  for (size_t j = 0; covers && j < dls_matrix_columns(H); j++) {
    const dls_column c = dls_matrix_column(H, j);
    for (size_t k = 0; k < c.count; k++) {
      covers = covers && s->inside[dls_column_row(&c, k)];
    }
  }
  return covers;
}

/* The pattern of A in which all rows of B are coupled, as they are after the others are eliminated. */
static void couple(const dls_schur *s, const int *starts, const int *row_of, int *all_starts, int *all_rows)
{
  int entries = 0;
  for (size_t j = 0; j < s->n; j++) {
    all_starts[j] = entries;
    for (int e = starts[j]; e < starts[j + 1]; e++) {
      if (!s->inside[j] || !s->inside[row_of[e]]) {
        all_rows[entries++] = row_of[e];
      }
    }
    for (size_t k = 0; s->inside[j] && k < s->count; k++) {
      all_rows[entries++] = (int)s->rows[k];
    }
  }
  all_starts[s->n] = entries;
}

/* KLU's user_order: by minimum degree, the rows of B last. @return an estimate of the entries of L; 0 if out of memory */
static int order_last(int n, int *starts, int *row_of, int *order, klu_common *common)
{
  const dls_schur *s = common->user_data;
  const size_t entries = (size_t)starts[n] + s->count * s->count;
  int *work = malloc(((size_t)n + 1 + entries) * sizeof *work), estimate = 0;
  if (work == NULL) {
    return 0;
  }
  couple(s, starts, row_of, work, work + n + 1);
  klu_common own;
  klu_defaults(&own);
  own.btf = 0;
  own.ordering = ORDER_AMD;
  klu_symbolic *symbolic = klu_analyze(n, work, work + n + 1, &own);
  if (symbolic != NULL) {
    size_t first = 0, last = s->n - s->count;
    for (size_t k = 0; k < s->n; k++) {
      const int row = symbolic->Q[k];
      order[s->inside[row] ? last++ : first++] = row;
    }
    estimate = (int)symbolic->lnz;
    klu_free_symbolic(&symbolic, &own);
  }
  free(work);
  return estimate;
}

void dls_schur_order(dls_schur *s, klu_common *common)
{
  common->btf = 0; /* one block, whose rows are those of A */
  common->ordering = ORDER_OWN;
  common->user_order = order_last;
  common->user_data = s;
}

void dls_schur_forget(dls_schur *s)
{
  s->looked_for = false;
}

static void copy(const dls_schur *s, const dls_klu_column *c, double *column)
{
  const size_t first = s->n - s->count;
  for (size_t e = 0; e < c->count; e++) {
    if ((size_t)c->rows[e] >= first) {
      column[(size_t)c->rows[e] - first] = c->values[e];
    }
  }
}

/* The last rows and columns of L and U. @return are they B, on the diagonal? */
static bool take(dls_schur *s, const klu_symbolic *symbolic, const klu_numeric *numeric)
{
  bool last = true;
  memset(s->LU, 0, s->count * s->count * sizeof *s->LU);
  for (size_t j = 0, k = s->n - s->count; j < s->count; j++, k++) {
    const dls_klu_column L = dls_klu_column_of_L(numeric, k), U = dls_klu_column_of_U(numeric, k);
    double *column = s->LU + j * s->count;
    last = last && numeric->Pnum[k] == symbolic->Q[k];
    copy(s, &L, column);
    copy(s, &U, column);
    column[j] = ((const double *)numeric->Udiag)[k];
  }
  return last;
}

/* @return do the factors end with those of S? */
static bool ends_with_S(dls_schur *s, const klu_symbolic *symbolic, const klu_numeric *numeric)
{
  if (!s->looked_for) {
    s->is_last = take(s, symbolic, numeric);
    s->looked_for = true;
  }
  return s->is_last;
}

bool dls_schur_solve(dls_schur *s, const klu_symbolic *symbolic, const klu_numeric *numeric, double *x)
{
  if (!ends_with_S(s, symbolic, numeric)) {
    return false;
  }
  const int *rows = symbolic->Q + (s->n - s->count);
  for (size_t j = 0; j < s->count; j++) {
    s->x[j] = x[rows[j]] / numeric->Rs[s->n - s->count + j];
  }
  dls_lu_solve(s->count, s->LU, s->count, NULL, s->x);
  for (size_t j = 0; j < s->count; j++) {
    x[rows[j]] = s->x[j];
  }
  return true;
}

/* x -= y c */
static void subtract(double *x, double y, const dls_klu_column *c)
{
  for (size_t e = 0; e < c->count; e++) {
    x[c->rows[e]] -= c->values[e] * y;
  }
}

bool dls_schur_solve_from(dls_schur *s, const klu_symbolic *symbolic, const klu_numeric *numeric, double *x)
{
  if (!ends_with_S(s, symbolic, numeric)) {
    return false;
  }
  const double *diagonal = numeric->Udiag;
  const size_t first = s->n - s->count;
  double *y = s->x;
  memset(y, 0, first * sizeof *y);
  for (size_t k = first; k < s->n; k++) {
    y[k] = x[numeric->Pnum[k]] / numeric->Rs[k];
  }
  for (size_t k = first; k < s->n; k++) {
    const dls_klu_column L = dls_klu_column_of_L(numeric, k);
    subtract(y, y[k], &L);
  }
  for (size_t k = s->n; k-- > 0;) {
    const dls_klu_column U = dls_klu_column_of_U(numeric, k);
    y[k] /= diagonal[k];
    subtract(y, y[k], &U);
    x[symbolic->Q[k]] = y[k];
  }
  return true;
}
