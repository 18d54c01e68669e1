/* kronecker.c -- interleaved Kronecker products, in the storage of the first factor.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/storage.h"
#include <stdbool.h>

typedef struct product {
  dls_matrix *out;
  size_t s;
  const double *B;
} product;

static void set_block(void *data, size_t i, size_t j, double x)
{
  const product *p = data;
  for (size_t k = 0; k < p->s; k++) {
    for (size_t l = 0; l < p->s; l++) {
      const double b = p->B[k * p->s + l];
      if (b != 0) {
        *dls_matrix_place(p->out, i * p->s + k, j * p->s + l) = x * b;
      }
    }
  }
}

void dls_matrix_kronecker_set(dls_matrix *out, const dls_matrix *A, size_t s, const double *B)
{
  product p = {out, s, B};
  dls_matrix_visit(A, set_block, &p);
}

/* Places of the entries, column by column with increasing rows. */
static dls_matrix *sparse_product(const dls_matrix *A, size_t s, const double *B)
{
  dls_matrix *out = dls_matrix_sparse(A->rows * s, A->columns * s, (A->used > 0 ? A->used : 1) * s * s);
  for (size_t column = 0; out != NULL && column < A->columns * s; column++) {
    const size_t j = column / s;
    for (size_t entry = dls_matrix_begin(A, j); entry < dls_matrix_end(A, j); entry++) {
      for (size_t k = 0; k < s; k++) {
        if (B[k * s + column % s] != 0) {
          dls_matrix_append(out, (size_t)A->row_of[entry] * s + k, column);
        }
      }
    }
  }
  return out;
}

static bool is_diagonal(size_t s, const double *B)
{
  for (size_t k = 0; k < s * s; k++) {
    if (k / s != k % s && B[k] != 0) {
      return false;
    }
  }
  return true;
}

static dls_matrix *create(const dls_matrix *A, size_t s, const double *B)
{
  const size_t n = A->rows * s;
  switch (A->storage) {
  case DLS_DIAGONAL:
    return is_diagonal(s, B) ? dls_matrix_diagonal(n) : dls_matrix_band(n, s - 1, s - 1);
  case DLS_BAND:
    return dls_matrix_band(n, A->lower * s + s - 1, A->upper * s + s - 1);
  case DLS_SPARSE:
    return sparse_product(A, s, B);
  case DLS_DENSE:
    return dls_matrix_dense(n, A->columns * s);
  }
  return NULL;
}

dls_matrix *dls_matrix_kronecker(const dls_matrix *A, size_t s, const double *B)
{
  dls_matrix *out = s == 0 ? NULL : create(A, s, B);
  if (out != NULL) {
    dls_matrix_kronecker_set(out, A, s, B);
  }
  return out;
}
