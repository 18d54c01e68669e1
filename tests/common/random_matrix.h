/* random_matrix.h -- the same random matrix in a storage and in a plain array.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_RANDOM_MATRIX_H
#define DELASSUS_TESTS_RANDOM_MATRIX_H

#include "check.h"
#include <delassus/matrix.h>
#include <stdbool.h>

enum { N = 9, STORAGES = 4 };

/* Numbers in [-1, 1) that repeat from run to run. */
static inline double random_number(void)
{
  static uint64_t seed = 20260;
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) / 4503599627370496.0 - 1;
}

/* Is (i,j) in the pattern that the tests give to a storage? */
static inline bool in_pattern(dls_storage storage, size_t i, size_t j)
{
  switch (storage) {
  case DLS_DIAGONAL:
    return i == j;
  case DLS_BAND: /* one subdiagonal, two superdiagonals */
    return i <= j + 1 && j <= i + 2;
  case DLS_SPARSE: /* column 4 and row 6 are empty but for the diagonal; column 7 has no diagonal */
    return (i == j && j != 7) || (j != 4 && i != 6 && (3 * i + 5 * j) % 7 == 0) || (i == 8 && j == 7);
  case DLS_DENSE:
    return true;
  }
  return false;
}

static inline dls_matrix *create(dls_storage storage, size_t rows, size_t columns)
{
  switch (storage) {
  case DLS_DIAGONAL:
    return dls_matrix_diagonal(rows);
  case DLS_BAND:
    return dls_matrix_band(rows, 1, 2);
  case DLS_SPARSE:
    return dls_matrix_sparse(rows, columns, rows * columns);
  case DLS_DENSE:
    return dls_matrix_dense(rows, columns);
  }
  return NULL;
}

/* A random matrix in a storage, and the same in reference[i * columns + j]; `shift` is added to the diagonal.
 */
static inline dls_matrix *random_matrix(dls_storage storage, size_t rows, size_t columns, double shift,
                                        double *reference)
{
  dls_matrix *A = create(storage, rows, columns);
  assert_non_null(A);
  for (size_t j = 0; j < columns; j++) {
    for (size_t i = 0; i < rows; i++) {
      reference[i * columns + j] = 0;
      if (in_pattern(storage, i, j)) {
        reference[i * columns + j] = random_number() + (i == j ? shift : 0);
        assert_int_equal(dls_matrix_set(A, i, j, reference[i * columns + j]), DLS_OK);
      }
    }
  }
  return A;
}

#endif
