/* accumulator.h -- a column of a sparse matrix that is added up from entries in any order, with repetitions.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_LINEAR_ACCUMULATOR_H
#define DELASSUS_COMMON_LINEAR_ACCUMULATOR_H

#include "common/linear/storage.h"
#include <stdbool.h>

typedef struct dls_accumulator {
  size_t count;
  double *sum;         /* rows; 0 where unoccupied; owns the other two */
  unsigned char *held; /* rows */
  int *rows;           /* occupied rows, and their number */
} dls_accumulator;

/** For columns of up to `rows` rows. @return false if out of memory */
bool dls_accumulator_create(dls_accumulator *a, size_t rows);
void dls_accumulator_destroy(dls_accumulator *a);
/** Append the column as column j of sparse A, and reset to empty. */
void dls_accumulator_flush(dls_accumulator *a, dls_matrix *A, size_t j);

static inline void dls_accumulator_add(dls_accumulator *a, size_t row, double x)
{
  if (!a->held[row]) {
    a->held[row] = 1;
    a->rows[a->count++] = (int)row;
  }
  a->sum[row] += x;
}

#endif
