/* experiments/measures/motion/curve.h -- graphs as polylines that are fine enough for a picture.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_MEASURES_CURVE_H
#define DELASSUS_EXPERIMENTS_MEASURES_CURVE_H

#include <delassus/graph.h>

typedef void dls_put_vertex(void *data, double t, double x);
/**
 * Vertices of the filled-in graph, at most about `most`: all nodes and points of cubic pieces between; of a graph with more nodes the
 * extrema of equal parts.
 * @param[in] graph  of one component
 * @param[in] most   >= 6
 */
void dls_curve_put(const dls_graph *graph, size_t most, dls_put_vertex *put, void *data);

#endif
