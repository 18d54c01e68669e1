/* elimination_storage.h -- the storage of an elimination, private to this folder.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_CONTACT_ELIMINATION_STORAGE_H
#define DELASSUS_COMMON_CONTACT_ELIMINATION_STORAGE_H

#include "common/contact/joints/elimination.h"
#include <stdint.h>

struct dls_elimination {
  size_t n, r, entries_A, entries_C; /* n coordinates, r multipliers */
  uint32_t *place;                   /* n + r: position of an unknown in the order */
  uint32_t *where_A, *where_D;       /* in v, of every entry; those of C are beside those of D */
  size_t *start;                     /* n + r + 1, in rows */
  uint32_t *rows;                    /* of the columns of L, and the columns of the rows of U */
  uint32_t *target;                  /* in v, of each product u_j l_i of rows i < j of a column; row by row */
  double *v; /* inverse pivots; entries of U, each with that of L across the diagonal behind it */
  size_t values;
  double *size, *y; /* n + r: sums of magnitudes of pivots; the solution in the order */
};

/* In v: of entry e of rows, in U. That in L is the next one. */
static inline size_t dls_elimination_pair(const dls_elimination *E, size_t e)
{
  return E->n + E->r + 2 * e;
}

/* In v: of rows a and b of column k, in U. @param[in] target  the first one of the column */
static inline size_t dls_elimination_target(const dls_elimination *E, const uint32_t *target, size_t k,
                                            size_t a, size_t b)
{
  const size_t others = E->start[k + 1] - E->start[k] - 1, low = a < b ? a : b, high = a < b ? b : a;
  return a == b ? E->rows[E->start[k] + a] : target[low * others - low * (low + 1) / 2 + high - 1];
}

#endif
