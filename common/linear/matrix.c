/* matrix.c -- diagonal, band, sparse and dense storage and the products that schemes need.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/memory.h"
#include "common/linear/storage.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* With its arrays in one block, zero-filled: `values` numbers, then `indices` places. NULL: empty, too large, or out of memory */
static dls_matrix *allocate(dls_storage storage, size_t rows, size_t columns, size_t values, size_t indices)
{
  const size_t numbers = dls_size_product(values, sizeof(double)),
               places = dls_size_product(indices, sizeof(sunindextype)),
               size = dls_size_sum(sizeof(dls_matrix), dls_size_sum(numbers, places));
  dls_matrix *A = rows == 0 || columns == 0 || size > PTRDIFF_MAX ? NULL : calloc(1, size);
  if (A != NULL) {
    A->storage = storage;
    A->rows = rows;
    A->columns = columns;
    A->values = (double *)(A + 1);
  }
  return A;
}

dls_matrix *dls_matrix_diagonal(size_t n)
{
  return allocate(DLS_DIAGONAL, n, n, n, 0);
}

dls_matrix *dls_matrix_dense(size_t rows, size_t columns)
{
  dls_matrix *A = allocate(DLS_DENSE, rows, columns, dls_size_product(rows, columns), 0);
  if (A != NULL) {
    A->stride = rows;
  }
  return A;
}

/* With `above` diagonals of storage above the main one. */
static dls_matrix *allocate_band(size_t n, size_t lower, size_t upper, size_t above)
{
  const size_t stride = lower + above + 1;
  dls_matrix *A = lower >= n || upper >= n ? NULL : allocate(DLS_BAND, n, n, dls_size_product(n, stride), 0);
  if (A != NULL) {
    A->lower = lower;
    A->upper = upper;
    A->shift = above;
    A->stride = stride;
  }
  return A;
}

dls_matrix *dls_matrix_band(size_t n, size_t lower, size_t upper)
{
  return allocate_band(n, lower, upper, upper);
}

dls_matrix *dls_matrix_band_for_lu(size_t n, size_t lower, size_t upper)
{
  return allocate_band(n, lower, upper, lower + upper < n ? lower + upper : n - 1);
}

dls_matrix *dls_matrix_sparse(size_t rows, size_t columns, size_t capacity)
{
  const size_t room = capacity > 0 ? capacity : 1;
  dls_matrix *A = allocate(DLS_SPARSE, rows, columns, room, dls_size_sum(columns, dls_size_sum(room, 1)));
  if (A != NULL) {
    A->capacity = room;
    A->starts = (sunindextype *)(A->values + room);
    A->row_of = A->starts + columns + 1;
  }
  return A;
}

static void set_entry(void *data, size_t i, size_t j, double x)
{
  dls_matrix_set(data, i, j, x);
}

dls_matrix *dls_matrix_clone(const dls_matrix *A)
{
  if (A == NULL) {
    return NULL;
  }
  dls_matrix *B = NULL;
  switch (A->storage) {
  case DLS_DIAGONAL:
    B = dls_matrix_diagonal(A->rows);
    break;
  case DLS_BAND:
    B = dls_matrix_band(A->rows, A->lower, A->upper);
    break;
  case DLS_SPARSE:
    B = dls_matrix_sparse(A->rows, A->columns, A->capacity);
    break;
  case DLS_DENSE:
    B = dls_matrix_dense(A->rows, A->columns);
    break;
  }
  if (B != NULL) {
    dls_matrix_visit(A, set_entry, B);
  }
  return B;
}

void dls_matrix_destroy(dls_matrix *A)
{
  free(A);
}

dls_storage dls_matrix_storage(const dls_matrix *A)
{
  return A->storage;
}

size_t dls_matrix_rows(const dls_matrix *A)
{
  return A->rows;
}

size_t dls_matrix_columns(const dls_matrix *A)
{
  return A->columns;
}

void dls_matrix_zero(dls_matrix *A)
{
  if (A->storage != DLS_SPARSE) {
    dls_matrix_clear(A);
    return;
  }
  A->last_column = A->used = 0; /* starts[0] is 0 already */
}

size_t dls_matrix_stored(const dls_matrix *A)
{
  return A == NULL ? 0 : A->storage == DLS_SPARSE ? A->used : A->columns * (A->stride > 0 ? A->stride : 1);
}

bool dls_matrix_alike(const dls_matrix *A, const dls_matrix *B)
{
  if (A == NULL || B == NULL) {
    return A == B;
  }
  return A->storage == B->storage && A->rows == B->rows && A->columns == B->columns && A->lower == B->lower &&
         A->upper == B->upper && A->shift == B->shift && A->stride == B->stride && A->capacity == B->capacity &&
         A->last_column == B->last_column && A->used == B->used &&
         (A->storage != DLS_SPARSE ||
          (memcmp(A->starts, B->starts, (A->last_column + 1) * sizeof *A->starts) == 0 &&
           memcmp(A->row_of, B->row_of, A->used * sizeof *A->row_of) == 0));
}

void dls_matrix_clear(dls_matrix *A)
{
  memset(A->values, 0, dls_matrix_stored(A) * sizeof *A->values);
}

void dls_matrix_reshape(dls_matrix *A, size_t n)
{
  A->rows = A->columns = n;
  A->last_column = 0;
  A->used = 0;
  A->starts[0] = 0;
}

/* Binary search in a compressed column. */
static double *sparse_place(const dls_matrix *A, size_t i, size_t j)
{
  size_t low = dls_matrix_begin(A, j);
  size_t high = dls_matrix_end(A, j);
  const size_t end = high;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (A->row_of[middle] < (sunindextype)i) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < end && A->row_of[low] == (sunindextype)i ? &A->values[low] : NULL;
}

double *dls_matrix_place(const dls_matrix *A, size_t i, size_t j)
{
  switch (A->storage) {
  case DLS_DIAGONAL:
    return i == j ? &A->values[i] : NULL;
  case DLS_BAND:
    return i <= j + A->lower && j <= i + A->upper ? &A->values[j * A->stride + i + A->shift - j] : NULL;
  case DLS_SPARSE:
    return sparse_place(A, i, j);
  case DLS_DENSE:
    return &A->values[j * A->stride + i];
  }
  return NULL;
}

double *dls_matrix_append(dls_matrix *A, size_t i, size_t j)
{
  const bool empty = A->used == dls_matrix_begin(A, j);
  const bool in_order = j >= A->last_column && (empty || A->row_of[A->used - 1] < (sunindextype)i);
  if (!in_order || A->used >= A->capacity) {
    return NULL;
  }
  for (; A->last_column < j; A->last_column++) {
    A->starts[A->last_column + 1] = (sunindextype)A->used;
  }
  A->row_of[A->used] = (sunindextype)i;
  A->values[A->used] = 0;
  return &A->values[A->used++];
}

dls_status dls_matrix_set(dls_matrix *A, size_t i, size_t j, double x)
{
  if (A->storage == DLS_DENSE && i < A->rows &&
      j < A->columns) { /* gradients of small models in each iteration */
    A->values[j * A->stride + i] = x;
    return DLS_OK;
  }
  double *place = i < A->rows && j < A->columns ? dls_matrix_place(A, i, j) : NULL;
  if (place == NULL && A->storage == DLS_SPARSE && i < A->rows && j < A->columns) {
    place = dls_matrix_append(A, i, j);
  }
  if (place == NULL) {
    return DLS_ERR_ARG;
  }
  *place = x;
  return DLS_OK;
}

double dls_matrix_get(const dls_matrix *A, size_t i, size_t j)
{
  const double *place = i < A->rows && j < A->columns ? dls_matrix_place(A, i, j) : NULL;
  return place == NULL ? 0.0 : *place;
}

/* Rows [first, past) stored in column j of dense or band storage, and their values. */
static inline const double *full_column(const dls_matrix *A, size_t j, size_t *first, size_t *past)
{
  if (A->storage == DLS_DENSE) {
    *first = 0;
    *past = A->rows;
    return A->values + j * A->stride;
  }
  *first = j > A->upper ? j - A->upper : 0;
  *past = j + A->lower + 1 < A->rows ? j + A->lower + 1 : A->rows;
  return A->values + j * A->stride + A->shift + *first - j;
}

dls_column dls_matrix_column(const dls_matrix *A, size_t j)
{
  if (A->storage == DLS_DIAGONAL) {
    return (dls_column){.count = 1, .first = j, .values = &A->values[j]};
  }
  if (A->storage == DLS_SPARSE) {
    const size_t begin = dls_matrix_begin(A, j);
    return (dls_column){
        .count = dls_matrix_end(A, j) - begin, .rows = A->row_of + begin, .values = A->values + begin};
  }
  size_t first = 0;
  size_t past = 0;
  const double *values = full_column(A, j, &first, &past);
  return (dls_column){.count = past - first, .first = first, .values = values};
}

static inline double dot(size_t count, const double *x, const double *y)
{
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    sum += x[i] * y[i];
  }
  return sum;
}

static double sparse_column_dot(const dls_matrix *A, size_t j, const double *x)
{
  return dls_sparse_dot(A, dls_matrix_begin(A, j), dls_matrix_end(A, j), x);
}

static double band_column_dot(const dls_matrix *A, size_t j, const double *x)
{
  size_t first = 0;
  size_t past = 0;
  const double *column = full_column(A, j, &first, &past);
  return dot(past - first, column, x + first);
}

static inline double column_dot(const dls_matrix *A, size_t j, const double *x)
{
  switch (A->storage) {
  case DLS_DIAGONAL:
    return A->values[j] * x[j];
  case DLS_SPARSE:
    return sparse_column_dot(A, j, x);
  case DLS_BAND:
    return band_column_dot(A, j, x);
  default:
    return dot(A->rows, A->values + j * A->stride, x);
  }
}

double dls_matrix_column_dot(const dls_matrix *A, size_t j, const double *x)
{
  return column_dot(A, j, x);
}

/* Dense matrices are passed over GROUP columns at a time: sums of GROUP columns do not wait for each other, and y is read and written
 * once. Terms are added in the order of the columns, so that bits do not depend on GROUP. */
enum { GROUP = 4 };

/* out[k] := column[k] . x */
static inline void group_dot(size_t rows, const double *const *column, const double *x, double *out)
{
  const double *a = column[0], *b = column[1], *c = column[2], *d = column[3];
  double of_a = 0, of_b = 0, of_c = 0, of_d = 0;
  for (size_t i = 0; i < rows; i++) {
    of_a += a[i] * x[i];
    of_b += b[i] * x[i];
    of_c += c[i] * x[i];
    of_d += d[i] * x[i];
  }
  out[0] = of_a;
  out[1] = of_b;
  out[2] = of_c;
  out[3] = of_d;
}

/* y += sum_k x_k column[k] */
static inline void group_add(size_t rows, const double *column, size_t stride, const double *x,
                             double *restrict y)
{
  const double *restrict a = column, *restrict b = a + stride, *restrict c = b + stride,
                         *restrict d = c + stride;
  const double xa = x[0], xb = x[1], xc = x[2], xd = x[3];
  for (size_t i = 0; i < rows; i++) {
    double sum = y[i];
    sum += xa * a[i];
    sum += xb * b[i];
    sum += xc * c[i];
    sum += xd * d[i];
    y[i] = sum;
  }
}

/* y += alpha A_j of dense or band storage */
static inline void full_column_add(const dls_matrix *A, size_t j, double alpha, double *restrict y)
{
  size_t first = 0, past = 0;
  const double *restrict column = full_column(A, j, &first, &past);
  for (size_t i = first; i < past; i++) {
    y[i] += alpha * column[i - first];
  }
}

void dls_matrix_column_add(const dls_matrix *A, size_t j, double alpha, double *y)
{
  if (A->storage == DLS_DIAGONAL) {
    y[j] += alpha * A->values[j];
    return;
  }
  if (A->storage == DLS_SPARSE) {
    for (size_t k = dls_matrix_begin(A, j); k < dls_matrix_end(A, j); k++) {
      y[A->row_of[k]] += alpha * A->values[k];
    }
    return;
  }
  full_column_add(A, j, alpha, y);
}

/* y += alpha A x by rows, at a third of the cost of columns: entry (i,j) is at values[3 j + i - j + 1]. */
static void multiply_tridiagonal(const dls_matrix *A, double alpha, const double *restrict x,
                                 double *restrict y)
{
  const size_t n = A->rows;
  const double *a = A->values;
  y[0] += alpha * (a[1] * x[0] + a[3] * x[1]);
  for (size_t i = 1; i + 1 < n; i++) {
    y[i] += alpha * (a[3 * i - 1] * x[i - 1] + a[3 * i + 1] * x[i] + a[3 * i + 3] * x[i + 1]);
  }
  y[n - 1] += alpha * (a[3 * n - 4] * x[n - 2] + a[3 * n - 2] * x[n - 1]);
}

/* y += alpha A x of sparse A. */
static void multiply_sparse(const dls_matrix *A, double alpha, const double *x, double *y)
{
  const double *value = A->values;
  const sunindextype *row = A->row_of;
  size_t k = 0;
  for (size_t j = 0; j < A->columns; j++) {
    const size_t end = dls_matrix_end(A, j);
    const double factor = alpha * x[j];
    for (; k < end; k++) {
      y[row[k]] += factor * value[k];
    }
  }
}

bool dls_matrix_tridiagonal(const dls_matrix *A)
{
  return A->storage == DLS_BAND && A->lower == 1 && A->upper == 1 && A->shift == 1;
}

void dls_matrix_multiply(const dls_matrix *A, double alpha, const double *x, double *y)
{
  if (A->storage == DLS_DIAGONAL) {
    for (size_t i = 0; i < A->rows; i++) {
      y[i] += alpha * A->values[i] * x[i];
    }
    return;
  }
  if (dls_matrix_tridiagonal(A)) {
    multiply_tridiagonal(A, alpha, x, y);
    return;
  }
  if (A->storage == DLS_SPARSE) {
    multiply_sparse(A, alpha, x, y);
    return;
  }
  size_t j = 0;
  for (; A->storage == DLS_DENSE && j + GROUP <= A->columns; j += GROUP) {
    const double factors[GROUP] = {alpha * x[j], alpha * x[j + 1], alpha * x[j + 2], alpha * x[j + 3]};
    group_add(A->rows, A->values + j * A->stride, A->stride, factors, y);
  }
  for (; j < A->columns; j++) {
    full_column_add(A, j, alpha * x[j], y);
  }
}

/* y := b + alpha A^T x of sparse A. */
static void transposed_sparse(const dls_matrix *A, double alpha, const double *x, const double *b, double *y)
{
  size_t begin = 0;
  for (size_t j = 0; j < A->columns; j++) {
    const size_t end = dls_matrix_end(A, j);
    y[j] = b[j] + alpha * dls_sparse_dot(A, begin, end, x);
    begin = end;
  }
}

/* y := b + alpha A^T x */
static inline void transposed(const dls_matrix *A, double alpha, const double *x, const double *b, double *y)
{
  const size_t columns = A->columns;
  if (A->storage == DLS_DIAGONAL) {
    const double *values = A->values;
    for (size_t j = 0; j < columns; j++) {
      y[j] = b[j] + alpha * (values[j] * x[j]);
    }
  } else if (A->storage == DLS_SPARSE) {
    transposed_sparse(A, alpha, x, b, y);
  } else {
    size_t j = 0;
    for (; A->storage == DLS_DENSE && j + GROUP <= columns; j += GROUP) {
      const double *column[GROUP];
      double sums[GROUP];
      for (size_t k = 0; k < GROUP; k++) {
        column[k] = A->values + (j + k) * A->stride;
      }
      group_dot(A->rows, column, x, sums);
      for (size_t k = 0; k < GROUP; k++) {
        y[j + k] = b[j + k] + alpha * sums[k];
      }
    }
    for (; j < columns; j++) {
      y[j] = b[j] + alpha * column_dot(A, j, x);
    }
  }
}

void dls_matrix_multiply_transposed(const dls_matrix *A, double alpha, const double *x, double *y)
{
  transposed(A, alpha, x, y, y);
}

void dls_matrix_transposed_plus(const dls_matrix *A, const double *x, const double *b, double *y)
{
  transposed(A, 1, x, b, y);
}

void dls_matrix_visit(const dls_matrix *A, void (*visit)(void *data, size_t i, size_t j, double x), void *data)
{
  for (size_t j = 0; j < A->columns; j++) {
    if (A->storage == DLS_DIAGONAL) {
      visit(data, j, j, A->values[j]);
    } else if (A->storage == DLS_SPARSE) {
      for (size_t k = dls_matrix_begin(A, j); k < dls_matrix_end(A, j); k++) {
        visit(data, (size_t)A->row_of[k], j, A->values[k]);
      }
    } else {
      size_t first = 0;
      size_t past = 0;
      const double *column = full_column(A, j, &first, &past);
      for (size_t i = first; i < past; i++) {
        visit(data, i, j, column[i - first]);
      }
    }
  }
}

size_t dls_matrix_rows_of(const dls_matrix *A, size_t count, const size_t *columns, size_t *rows)
{
  dls_column c[3];
  size_t at[3] = {0}, found = 0;
  for (size_t i = 0; i < count; i++) {
    c[i] = dls_matrix_column(A, columns[i]);
  }
  for (;; found++) { /* merge */
    size_t next = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
      if (at[i] < c[i].count && dls_column_row(&c[i], at[i]) < next) {
        next = dls_column_row(&c[i], at[i]);
      }
    }
    if (next == SIZE_MAX) {
      return found;
    }
    for (size_t i = 0; i < count; i++) {
      at[i] += at[i] < c[i].count && dls_column_row(&c[i], at[i]) == next;
    }
    if (rows != NULL) {
      rows[found] = next;
    }
  }
}

void dls_matrix_columns_dot(const dls_matrix *A, size_t count, const size_t *columns, const double *x,
                            double *y)
{
  if (A->storage != DLS_SPARSE) {
    size_t k = 0;
    for (; A->storage == DLS_DENSE && k + GROUP <= count; k += GROUP) {
      const double *column[GROUP];
      for (size_t i = 0; i < GROUP; i++) {
        column[i] = A->values + columns[k + i] * A->stride;
      }
      group_dot(A->rows, column, x, y + k);
    }
    for (; k < count; k++) {
      y[k] = dls_matrix_column_dot(A, columns[k], x);
    }
    return;
  }
  for (size_t k = 0; k < count; k++) {
    y[k] = dls_sparse_dot(A, dls_matrix_begin(A, columns[k]), dls_matrix_end(A, columns[k]), x);
  }
}

/* The sums of dls_sparse_dot for two vectors x. */
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
