/* columns.c -- several columns of a matrix times a vector, or all of them times two, in one pass.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/storage.h"

void dls_matrix_columns_dot(const dls_matrix *A, size_t count, const size_t *columns, const double *x,
                            double *y)
{
  if (A->storage != DLS_SPARSE) {
    for (size_t k = 0; k < count; k++) {
      y[k] = dls_matrix_column_dot(A, columns[k], x);
    }
    return;
  }
  for (size_t k = 0; k < count; k++) {
    y[k] = dls_sparse_dot(A, dls_matrix_begin(A, columns[k]), dls_matrix_end(A, columns[k]), x);
  }
}

/* The sums of dls_sparse_dot for two x. */
static inline void sparse_dots(const dls_matrix *A, size_t begin, size_t end, const double *x, const double *y,
                               double *dot_x, double *dot_y)
{
  const double *value = A->values;
  const sunindextype *row = A->row_of;
  double sum_x = 0, sum_y = 0;
  if (end - begin == 2) {
    const double a = value[begin], b = value[begin + 1];
    const sunindextype i = row[begin], j = row[begin + 1];
    sum_x += a * x[i];
    sum_y += a * y[i];
    *dot_x = sum_x + b * x[j];
    *dot_y = sum_y + b * y[j];
    return;
  }
  for (size_t k = begin; k < end; k++) {
    sum_x += value[k] * x[row[k]];
    sum_y += value[k] * y[row[k]];
  }
  *dot_x = sum_x;
  *dot_y = sum_y;
}

void dls_matrix_transposed_two(const dls_matrix *A, const dls_matrix_image *first,
                               const dls_matrix_image *second)
{
  if (A->storage != DLS_SPARSE) {
    dls_matrix_transposed_plus(A, first->x, first->b, first->y);
    dls_matrix_transposed_plus(A, second->x, second->b, second->y);
    return;
  }
  const dls_matrix_image f = *first, s = *second;
  size_t begin = 0;
  for (size_t j = 0; j < A->columns; j++) {
    const size_t end = dls_matrix_end(A, j);
    double dot_x, dot_y;
    sparse_dots(A, begin, end, f.x, s.x, &dot_x, &dot_y);
    f.y[j] = f.b[j] + dot_x;
    s.y[j] = s.b[j] + dot_y;
    begin = end;
  }
}
