/* block_inverse.h -- the blocks of A (W + D) + B that do not belong to W: C = A D + B of up to 3 x 3, its inverse, and G = C^{-1} A.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_SOLVE_BLOCK_INVERSE_H
#define DELASSUS_COMMON_SOLVE_BLOCK_INVERSE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { DLS_BLOCK_SIZE = 9 }; /* numbers of a block, column-major */

/* X := C^{-1} of d x d in 3 x 3, by cofactors. @return false if it is singular */
static inline bool dls_block_invert(size_t d, const double *C, double *X)
{
  double M[DLS_BLOCK_SIZE] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (size_t j = 0; j < d; j++) {
    for (size_t i = 0; i < d; i++) {
      M[i + 3 * j] = C[i + 3 * j];
    }
  }
  for (size_t j = 0; j < 3; j++) {
    for (size_t i = 0; i < 3; i++) {
      const size_t a = (j + 1) % 3, c = (j + 2) % 3, e = (i + 1) % 3, f = (i + 2) % 3;
      X[i + 3 * j] = M[a + 3 * e] * M[c + 3 * f] - M[a + 3 * f] * M[c + 3 * e];
    }
  }
  const double determinant = M[0] * X[0] + M[3] * X[1] + M[6] * X[2];
  for (size_t e = 0; e < DLS_BLOCK_SIZE; e++) {
    X[e] /= determinant;
  }
  return determinant != 0 && isfinite(determinant);
}

/* Z := X Y, 3 x 3. */
static inline void dls_block_multiply(const double *X, const double *Y, double *Z)
{
  for (size_t j = 0; j < 3; j++) {
    for (size_t i = 0; i < 3; i++) {
      Z[i + 3 * j] = X[i] * Y[3 * j] + X[i + 3] * Y[1 + 3 * j] + X[i + 6] * Y[2 + 3 * j];
    }
  }
}

/* X := C^{-1} and G := C^{-1} A of a block with d rows, C = A D + B. @return false if C is singular */
static inline bool dls_block_prepare(size_t d, const double *A, double D, const double *B, double *X, double *G)
{
  double C[DLS_BLOCK_SIZE];
  for (size_t e = 0; e < DLS_BLOCK_SIZE; e++) {
    C[e] = A[e] * D + B[e];
  }
  if (!dls_block_invert(d, C, X)) {
    return false;
  }
  dls_block_multiply(X, A, G);
  return true;
}

/* y := X x, of which d rows are wanted; x has 3 numbers. */
static inline void dls_block_apply(size_t d, const double *X, const double *x, double *y)
{
  for (size_t i = 0; i < d; i++) {
    y[i] = X[i] * x[0] + X[i + 3] * x[1] + X[i + 6] * x[2];
  }
}

#endif
