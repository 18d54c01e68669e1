/* accumulator.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/accumulator.h"
#include <stdlib.h>

bool dls_accumulator_create(dls_accumulator *a, size_t rows)
{
  *a = (dls_accumulator){.sum = calloc(rows, sizeof *a->sum + sizeof *a->rows + sizeof *a->held)};
  if (a->sum == NULL) {
    return false;
  }
  a->rows = (int *)(a->sum + rows);
  a->held = (unsigned char *)(a->rows + rows);
  return true;
}

void dls_accumulator_destroy(dls_accumulator *a)
{
  free(a->sum);
  *a = (dls_accumulator){0};
}

static int compare(const void *x, const void *y)
{
  const int a = *(const int *)x, b = *(const int *)y;
  return (a > b) - (a < b);
}

/* Few rows are the usual case: insertion sort. */
static void sort(int *rows, size_t count)
{
  enum { FEW = 32 };
  if (count > FEW) {
    qsort(rows, count, sizeof *rows, compare);
    return;
  }
  for (size_t k = 1; k < count; k++) {
    const int row = rows[k];
    size_t place = k;
    for (; place > 0 && rows[place - 1] > row; place--) {
      rows[place] = rows[place - 1];
    }
    rows[place] = row;
  }
}

void dls_accumulator_flush(dls_accumulator *a, dls_matrix *A, size_t j)
{
  sort(a->rows, a->count);
  for (size_t k = 0; k < a->count; k++) {
    const size_t row = (size_t)a->rows[k];
    *dls_matrix_append(A, row, j) = a->sum[row];
    a->sum[row] = 0;
    a->held[row] = 0;
  }
  a->count = 0;
}
