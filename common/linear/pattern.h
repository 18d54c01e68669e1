/* pattern.h -- sparse matrices from the places of their entries, in any order.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_PATTERN_H
#define DELASSUS_COMMON_PATTERN_H

#include <delassus/matrix.h>
#include <stdbool.h>

typedef struct dls_entry {
  size_t row, column;
} dls_entry;

/** A zero matrix with a place for each of `count` entries, which may be given several times. @return NULL if out of memory */
dls_matrix *dls_matrix_of_entries(size_t rows, size_t columns, size_t count, const dls_entry *entries);
/** Does sparse A have places for its diagonal, and for the mirror image of every other entry? */
bool dls_matrix_symmetric_pattern(const dls_matrix *A);

enum { DLS_UNION_MAX = 4 };
/** A zero sparse matrix with a place for every entry of `count` square matrices of one order, at most DLS_UNION_MAX. @return NULL if
 * out of memory */
dls_matrix *dls_matrix_union(const dls_matrix *const *terms, size_t count);

#endif
