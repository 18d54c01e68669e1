/* rows.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/rows.h"
#include "common/linear/storage.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

static const double symmetric = 8 * DBL_EPSILON;

void dls_rows_free(dls_rows *rows)
{
  free(rows->starts);
  free(rows->middle);
  free(rows->other);
  free(rows->value);
  free(rows->d);
  *rows = (dls_rows){0};
}

static bool reserve(dls_rows *rows, size_t n, size_t entries)
{
  if (n == rows->n && entries <= rows->room) {
    return true;
  }
  dls_rows_free(rows);
  *rows = (dls_rows){.n = n,
                     .room = entries,
                     .starts = malloc((n + 1) * sizeof *rows->starts),
                     .middle = malloc(n * sizeof *rows->middle),
                     .other = malloc((entries + 1) * sizeof *rows->other),
                     .value = malloc((entries + 1) * sizeof *rows->value),
                     .d = malloc(n * sizeof *rows->d)};
  if (rows->starts == NULL || rows->middle == NULL || rows->other == NULL || rows->value == NULL ||
      rows->d == NULL) {
    dls_rows_free(rows);
    return false;
  }
  return true;
}

/* Column j of A as a row, since A is symmetric. @return false if it is not, or its diagonal entry is not positive */
static bool take_row(dls_rows *rows, const dls_matrix *A, size_t j)
{
  uint32_t at = rows->starts[j];
  rows->d[j] = 0;
  rows->middle[j] = at;
  for (size_t e = dls_matrix_begin(A, j); e < dls_matrix_end(A, j); e++) {
    const size_t i = (size_t)A->row_of[e];
    const double x = A->values[e];
    if (i == j) {
      rows->d[j] = x;
    } else if (x != 0) {
      if (i > j && !(fabs(dls_matrix_get(A, j, i) - x) <= symmetric * fabs(x))) {
        return false;
      }
      rows->middle[j] += i < j;
      rows->other[at] = (uint32_t)i;
      rows->value[at++] = x;
    }
  }
  rows->starts[j + 1] = at;
  return rows->d[j] > 0 && rows->d[j] <= DBL_MAX;
}

/* Entries of the upper triangle without a mirror image show in their number. */
static bool as_many_above(const dls_rows *rows)
{
  size_t above = 0;
  for (size_t j = 0; j < rows->n; j++) {
    above += rows->middle[j] - rows->starts[j];
  }
  return 2 * above == rows->starts[rows->n];
}

static size_t count_beside(const dls_matrix *A)
{
  size_t count = 0;
  for (size_t j = 0; j < A->columns; j++) {
    for (size_t e = dls_matrix_begin(A, j); e < dls_matrix_end(A, j); e++) {
      count += (size_t)A->row_of[e] != j && A->values[e] != 0;
    }
  }
  return count;
}

dls_status dls_rows_take(dls_rows *rows, const dls_matrix *A)
{
  const size_t n = dls_matrix_rows(A), entries = count_beside(A);
  if (entries >= UINT32_MAX || n >= UINT32_MAX) {
    return DLS_ERR_NOT_APPLICABLE;
  }
  if (!reserve(rows, n, entries)) {
    return DLS_ERR_MEMORY;
  }
  rows->starts[0] = 0;
  for (size_t j = 0; j < n; j++) {
    if (!take_row(rows, A, j)) {
      return DLS_ERR_NOT_APPLICABLE;
    }
  }
  return as_many_above(rows) ? DLS_OK : DLS_ERR_NOT_APPLICABLE;
}

double dls_rows_multiply(const dls_rows *rows, const double *restrict x, double *restrict y)
{
  const uint32_t *other = rows->other;
  const double *value = rows->value;
  double energy = 0;
  for (size_t i = 0; i < rows->n; i++) {
    double sum = rows->d[i] * x[i];
    for (uint32_t e = rows->starts[i]; e < rows->starts[i + 1]; e++) {
      sum += value[e] * x[other[e]];
    }
    y[i] = sum;
    energy += x[i] * sum;
  }
  return energy;
}
