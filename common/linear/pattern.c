/* pattern.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/pattern.h"
#include "common/linear/storage.h"
#include <stdlib.h>
#include <string.h>

/* By columns, then rows. */
static int compare(const void *a, const void *b)
{
  const dls_entry *x = a, *y = b;
  return x->column != y->column ? (x->column > y->column) - (x->column < y->column)
                                : (x->row > y->row) - (x->row < y->row);
}

dls_matrix *dls_matrix_of_entries(size_t rows, size_t columns, size_t count, const dls_entry *entries)
{
  dls_entry *sorted = malloc((count + 1) * sizeof *sorted);
  dls_matrix *A = sorted == NULL ? NULL : dls_matrix_sparse(rows, columns, count);
  if (A != NULL) {
    memcpy(sorted, entries, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare);
    for (size_t k = 0; k < count; k++) {
      if (k == 0 || compare(&sorted[k], &sorted[k - 1]) != 0) {
        dls_matrix_set(A, sorted[k].row, sorted[k].column, 0);
      }
    }
  }
  free(sorted);
  return A;
}

bool dls_matrix_symmetric_pattern(const dls_matrix *A)
{
  for (size_t j = 0; j < A->columns; j++) {
    if (dls_matrix_place(A, j, j) == NULL) {
      return false;
    }
    for (size_t e = dls_matrix_begin(A, j); e < dls_matrix_end(A, j); e++) {
      if (dls_matrix_place(A, j, (size_t)A->row_of[e]) == NULL) {
        return false;
      }
    }
  }
  return true;
}

/* Append the union of the patterns of column j to S, merging the sorted columns of the terms. */
static void merge_column(const dls_matrix *const *terms, size_t count, size_t j, dls_matrix *S)
{
  const size_t n = S->rows;
  dls_column column[DLS_UNION_MAX];
  size_t next[DLS_UNION_MAX] = {0};
  for (size_t k = 0; k < count; k++) {
    column[k] = dls_matrix_column(terms[k], j);
  }
  for (;;) {
    size_t row = n;
    for (size_t k = 0; k < count; k++) {
      if (next[k] < column[k].count) {
        const size_t i = dls_column_row(&column[k], next[k]);
        row = i < row ? i : row;
      }
    }
    if (row == n) {
      return;
    }
    for (size_t k = 0; k < count; k++) {
      next[k] += next[k] < column[k].count && dls_column_row(&column[k], next[k]) == row;
    }
    dls_matrix_append(S, row, j);
  }
}

dls_matrix *dls_matrix_union(const dls_matrix *const *terms, size_t count)
{
  const size_t n = terms[0]->rows;
  size_t capacity = 0;
  for (size_t k = 0; k < count; k++) {
    for (size_t j = 0; j < n; j++) {
      capacity += dls_matrix_column(terms[k], j).count;
    }
  }
  dls_matrix *S = dls_matrix_sparse(n, n, capacity);
  for (size_t j = 0; S != NULL && j < n; j++) {
    merge_column(terms, count, j, S);
  }
  for (size_t j = S == NULL ? n : S->last_column; j < n; j++) { /* KLU reads all of starts */
    S->starts[j + 1] = (sunindextype)S->used;
  }
  return S;
}
