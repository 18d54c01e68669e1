/* arrays.h -- the arrays of a struct, cut out of one block:
 *   s->block = dls_arrays((const dls_slot[]){{n, {&s->q, &s->v}}, {m, {&s->g}}, {0}});
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_ARRAYS_H
#define DELASSUS_COMMON_ARRAYS_H

#include <stddef.h>

enum { DLS_SLOT_MOST = 16 };
/** Arrays of `count` doubles each. */
typedef struct dls_slot {
  size_t count;
  double **arrays[DLS_SLOT_MOST]; /* up to the first NULL */
} dls_slot;

/** Zero-filled. @param[in] slots  ends with {0} @return the block that owns the arrays, for free; NULL if out of memory */
double *dls_arrays(const dls_slot *slots);

/** Swap x and y. */
static inline void dls_swap(double **x, double **y)
{
  double *z = *x;
  *x = *y;
  *y = z;
}

#endif
