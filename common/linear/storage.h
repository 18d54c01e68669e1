/* storage.h -- the storage of a matrix, private to this folder. Other folders use dls_matrix_visit.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_LINEAR_STORAGE_H
#define DELASSUS_COMMON_LINEAR_STORAGE_H

#include <delassus/matrix.h>
#include <stdbool.h>
#include <sundials/sundials_types.h>

struct dls_matrix {
  dls_storage storage;
  size_t rows, columns;
  size_t lower, upper, shift;    /* band: (i,j) is at values[j * stride + i - j + shift] */
  size_t stride;                 /* dense, band: doubles per column */
  size_t capacity;               /* sparse: entries */
  size_t last_column, used;      /* sparse: `used` entries so far, in columns <= last_column */
  double *values;                /* behind the struct, as the next two */
  sunindextype *starts, *row_of; /* sparse: compressed columns; starts is valid up to last_column */
};

/** Do A and B have the same storage and pattern? NULL is like NULL. */
bool dls_matrix_alike(const dls_matrix *A, const dls_matrix *B);
/** Numbers in A->values; NULL: 0. */
size_t dls_matrix_stored(const dls_matrix *A);

/* Entries [begin, end) of a column in sparse storage. */
static inline size_t dls_matrix_begin(const dls_matrix *A, size_t j)
{
  return j <= A->last_column ? (size_t)A->starts[j] : A->used;
}
static inline size_t dls_matrix_end(const dls_matrix *A, size_t j)
{
  return j < A->last_column ? (size_t)A->starts[j + 1] : A->used;
}

/* Entries [begin, end) of sparse A times those of x in their rows. One, two and four entries, as for contacts of points and
 * rods in the plane, take half the time of a loop. */
static inline double dls_sparse_dot(const dls_matrix *A, size_t begin, size_t end, const double *x)
{
  const double *value = A->values + begin;
  const sunindextype *row = A->row_of + begin;
  double sum = 0;
  switch (end - begin) {
  case 1:
    return sum + value[0] * x[row[0]];
  case 2:
    sum += value[0] * x[row[0]];
    return sum + value[1] * x[row[1]];
  case 4:
    sum += value[0] * x[row[0]];
    sum += value[1] * x[row[1]];
    sum += value[2] * x[row[2]];
    return sum + value[3] * x[row[3]];
  default:
    break;
  }
  for (size_t k = 0; k < end - begin; k++) {
    sum += value[k] * x[row[k]];
  }
  return sum;
}

/* y_i += x A_ij d_i for the entries of column j of sparse A. */
static inline void dls_sparse_column_add(const dls_matrix *A, size_t j, double x, const double *d, double *y)
{
  const size_t end = dls_matrix_end(A, j);
  for (size_t e = dls_matrix_begin(A, j); e < end; e++) {
    y[A->row_of[e]] += x * A->values[e] * d[A->row_of[e]];
  }
}

/* Call visit(data, i, j, value) for every stored entry. */
void dls_matrix_visit(const dls_matrix *A, void (*visit)(void *data, size_t i, size_t j, double x), void *data);
/* Address of the stored entry (i,j), or NULL if the storage has no place for it. */
double *dls_matrix_place(const dls_matrix *A, size_t i, size_t j);
/* Append (i,j) after all entries of sparse A. @return its place; NULL if out of order or without room */
double *dls_matrix_append(dls_matrix *A, size_t i, size_t j);
void dls_matrix_zero(dls_matrix *A);
/* Set every stored entry to 0; unlike dls_matrix_zero, sparse storage keeps their places. */
void dls_matrix_clear(dls_matrix *A);
/* Is it a band of three diagonals, multiplied by rows? */
bool dls_matrix_tridiagonal(const dls_matrix *A);
/* y := b + A^T x, x[rows], y and b[columns], which may coincide. */
void dls_matrix_transposed_plus(const dls_matrix *A, const double *x, const double *b, double *y);
/* As dls_matrix_transposed_plus for two x in one pass. */
typedef struct dls_matrix_image {
  const double *x, *b; /* rows; columns */
  double *y;           /* columns */
} dls_matrix_image;
void dls_matrix_transposed_two(const dls_matrix *A, const dls_matrix_image *first,
                               const dls_matrix_image *second);
/* y[k] := column columns[k] of A, times x; y[count]. */
void dls_matrix_columns_dot(const dls_matrix *A, size_t count, const size_t *columns, const double *x,
                            double *y);
/* Rows and values of the entries of column j. */
typedef struct dls_column {
  size_t count, first;      /* row k is first + k where rows is NULL */
  const sunindextype *rows; /* sparse */
  const double *values;
} dls_column;
dls_column dls_matrix_column(const dls_matrix *A, size_t j);
static inline size_t dls_column_row(const dls_column *c, size_t k)
{
  return c->rows != NULL ? (size_t)c->rows[k] : c->first + k;
}

/* Rows in which up to three columns have entries, increasing. @param[out] rows  all of them, or NULL @return their
 * number */
size_t dls_matrix_rows_of(const dls_matrix *A, size_t count, const size_t *columns, size_t *rows);

/* The widest storage among the terms of a factor. */
dls_storage dls_factor_storage(const dls_factor *F);
/* The sum of its terms with other coefficients (NULL: the factored ones) as a sparse matrix: a new one, or into *sparse
 * from an earlier call. */
dls_status dls_factor_copy_sum(const dls_factor *F, const double *coefficients, dls_matrix **sparse);
/* The coefficients of dls_factor_copy_sum, without factors. */
void dls_factor_weigh(dls_factor *F, const double *coefficients);
/* y += that sum x. */
void dls_factor_multiply(const dls_factor *F, const double *coefficients, const double *x, double *y);
/* Form of the factors: x_i /= d_i; L D L^T of tridiagonal.h by d (inverse) and e; LU as in SUNDIALS, columns of `stride`
 * doubles in d; or another form, not described. */
typedef enum dls_factor_form {
  DLS_FACTOR_OTHER,
  DLS_FACTOR_DIVIDES,
  DLS_FACTOR_ENDS,
  DLS_FACTOR_LU
} dls_factor_form;
typedef struct dls_factor_view {
  dls_factor_form form;
  const double *d, *e;
  size_t stride;
  const sunindextype *pivots; /* LU: row k was exchanged with pivots[k] */
} dls_factor_view;
/* The factors, for callers that repeat the operations of dls_factor_solve for other right-hand sides in the same order. */
dls_factor_view dls_factor_look(const dls_factor *F);
/* Make a sparse matrix a zero matrix of order n, at most its original size. */
void dls_matrix_reshape(dls_matrix *A, size_t n);
/* A band matrix with room for the fill of an LU factorization. */
dls_matrix *dls_matrix_band_for_lu(size_t n, size_t lower, size_t upper);

#endif
