/* elimination_storage.h -- the storage of an elimination, private to this folder.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_CONTACT_ELIMINATION_STORAGE_H
#define DELASSUS_COMMON_CONTACT_ELIMINATION_STORAGE_H

#include "common/contact/joints/elimination.h"
#include <stdint.h>

struct dls_elimination {
  size_t n, r, entries_A, entries_C;     /* n coordinates, r multipliers */
  uint32_t *place;                       /* n + r: position of an unknown in the order */
  uint32_t *where_A, *where_D, *where_C; /* in v, of every entry */
  size_t *start;                         /* n + r + 1, in rows */
  uint32_t *rows;                        /* of the columns of L, and the columns of the rows of U */
  uint32_t *target;                      /* in v, of each product l_i u_j */
  double *v;                             /* inverse pivots, L, U */
  size_t values;
  double *size, *y; /* n + r: sums of magnitudes of pivots; the solution in the order */
};

#endif
