/* rows.h -- a symmetric matrix by rows with separate diagonal, for iterations.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_LINEAR_ROWS_H
#define DELASSUS_COMMON_LINEAR_ROWS_H

#include <delassus/matrix.h>
#include <stdint.h>

/** Columns of each row increase. */
typedef struct dls_rows {
  size_t n, room;            /* order; off-diagonal entries allocated */
  uint32_t *starts, *middle; /* n + 1; n: first entry right of the diagonal */
  uint32_t *other;           /* columns of the entries */
  double *value;             /* of them */
  double *d;                 /* n: the diagonal */
} dls_rows;

/**
 * rows := A, reusing the arrays if they are large enough.
 * @param[in] A  sparse, square, both triangles stored
 * @return DLS_OK; DLS_ERR_NOT_APPLICABLE if A is not symmetric to 8 roundings, or has a diagonal entry that is not positive and
 *         finite; DLS_ERR_MEMORY
 */
dls_status dls_rows_take(dls_rows *rows, const dls_matrix *A);
void dls_rows_free(dls_rows *rows);
/** y := A x. @return x^T A x */
double dls_rows_multiply(const dls_rows *rows, const double *x, double *y);

#endif
