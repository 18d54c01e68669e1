/* analytic/distance/blocks.h -- upper bounds of the distance of two graphs, one for each block of neighbouring intervals.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ANALYTIC_BLOCKS_H
#define DELASSUS_ANALYTIC_BLOCKS_H

#include <delassus/graph.h>

/* Intervals between neighbouring breakpoints of either graph. */
typedef struct dls_block {
  double start, end; /* times, scaled */
  double
      apart; /* no point of either graph is farther, by equal times or, around jumps, by what the graphs have between them; scaled */
  double rise;  /* slope of the least size of both graphs if all have one sign, else 0; scaled */
  bool jumps;   /* begins with a jump of a graph, and holds the jumps at its ends */
  double bound; /* every point of either graph in this time is within it of the other graph */
} dls_block;

typedef struct dls_blocks {
  size_t count; /* 0: the graphs cover different times, or are too small or too large for it */
  dls_block *block;
  double rounding; /* of bounds and distances */
} dls_blocks;

/** @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_blocks_create(const dls_graph *a, const dls_graph *b, const dls_metric *metric, dls_blocks *out,
                             dls_error *err);
void dls_blocks_free(dls_blocks *blocks);

#endif
