/* experiments/measures/sweep/extrema.h -- where a quantity turns: its local extrema.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_TURNS_H
#define DELASSUS_EXPERIMENTS_TURNS_H

#include <delassus/graph.h>

typedef struct dls_extrema {
  double least, largest; /* of the quantity, between nodes too */
  size_t count;
  double
      *x; /* count local extrema in the order of time; turns by less than `noise` (largest - least) are none */
} dls_extrema;

/** Turns of a graph of one dimension. @return DLS_ERR_MEMORY; dls_extrema_clear frees */
dls_status dls_extrema_find(const dls_graph *graph, double noise, dls_extrema *out, dls_error *err);
void dls_extrema_clear(dls_extrema *extrema);

#endif
