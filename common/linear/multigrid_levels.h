/* multigrid_levels.h -- the levels of multigrid.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_LINEAR_MULTIGRID_LEVELS_H
#define DELASSUS_COMMON_LINEAR_MULTIGRID_LEVELS_H

#include "common/linear/multigrid.h"
#include <stdbool.h>

/* By rows. */
typedef struct dls_weights {
  uint32_t *starts, *to;
  double *value;
} dls_weights;
static inline double dls_weight(const dls_weights *w, uint32_t row, uint32_t column)
{
  uint32_t e = w->starts[row];
  while (w->to[e] != column) { /* the columns present */
    e++;
  }
  return w->value[e];
}

/* Values of a coarser level: off-diagonal entries, diagonal, its inverse where that is not 0. */
typedef struct dls_numbers {
  double *value, *d, *inverse;
} dls_numbers;

typedef struct dls_level {
  const dls_rows *A;
  dls_rows own;           /* A except for the first level, with the current values */
  dls_numbers free, held; /* values without prescribed unknowns; values of the last set with some */
  double *inverse;        /* n: inverse of A_ii; 0 where x is prescribed or the row is empty */
  double *x, *b;          /* 2 n; the first level has none */
  dls_weights P, T;       /* transfer to the next level, and back; the last level has none */
  double *sums;           /* n of the next level, 0 */
  unsigned char *changed; /* n: did the row of A change, or its being used? */
} dls_level;

struct dls_multigrid {
  const dls_rows *A;
  dls_level *levels; /* the first is A's */
  size_t count;
  double *z;           /* n of A: B r */
  unsigned char *held; /* n of A: prescribed unknowns for which the level values were computed last */
  bool stale;          /* false: the last values of a coarser level belong to another set */
};

/** @return levels, count of them; NULL if out of memory */
dls_level *dls_levels_create(const dls_rows *A, size_t *count);
void dls_levels_destroy(dls_level *levels, size_t count); /* NULL is fine */
/** Use the values of coarser levels for no prescribed unknowns, or else those computed last. */
void dls_levels_use(dls_level *levels, size_t count, bool free);
/** coarse->A := P^T A P over the rows with nonzero inverse, and its inverse, where rows of l have changed. */
void dls_level_product(dls_level *l, dls_level *coarse);
/** dls_multigrid_hold, where level k >= 1 is the finest. */
void dls_multigrid_hold_coarse(dls_multigrid *G, size_t k, const unsigned char *held);
/** z := B r, the cycle on level k: symmetric, positive, 0 where z is prescribed. */
void dls_multigrid_apply(const dls_multigrid *G, size_t k, const double *r, double *z);

#endif
