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
  while (w->to[e] != column) { /* which is there */
    e++;
  }
  return w->value[e];
}

/* Of a coarser level: entries beside the diagonal, diagonal, its inverse where it is not 0. */
typedef struct dls_numbers {
  double *value, *d, *inverse;
} dls_numbers;

typedef struct dls_level {
  const dls_rows *A;
  dls_rows own;           /* A but for the first level, with the numbers in use */
  dls_numbers free, held; /* where nothing is given; of the last set of which something was */
  double *inverse;        /* n: of A_ii; 0 where x is given, or nothing is left of the row */
  double *x, *b;          /* 2 n; the first level has none */
  dls_weights P, T;       /* to the next level, and back; the last has none */
  double *sums;           /* n of the next level, 0 */
  unsigned char
      *changed; /* n: is the row of A another, or does it count now and did not, or the other way round? */
} dls_level;

struct dls_multigrid {
  const dls_rows *A;
  dls_level *levels; /* the first is A's */
  size_t count;
  double *z;           /* n of A: B r */
  unsigned char *held; /* n of A: what the numbers of the levels were made for last */
  bool stale;          /* no, for another set of a coarser level */
};

/** @return levels, count of them; NULL if out of memory */
dls_level *dls_levels_create(const dls_rows *A, size_t *count);
void dls_levels_destroy(dls_level *levels, size_t count); /* NULL is fine */
/** Use the numbers of coarser levels for nothing given, or else those that were made last. */
void dls_levels_use(dls_level *levels, size_t count, bool free);
/** coarse->A := P^T A P over the rows with inverse not 0, and its inverse, where rows of l have changed. */
void dls_level_product(dls_level *l, dls_level *coarse);
/** dls_multigrid_hold where level k >= 1 is the finest. */
void dls_multigrid_hold_coarse(dls_multigrid *G, size_t k, const unsigned char *held);
/** z := B r, the cycle on level k: symmetric, positive, 0 where z is given. */
void dls_multigrid_apply(const dls_multigrid *G, size_t k, const double *r, double *z);

#endif
