/* experiments/measures/motion/curve.c -- graphs as polylines that are fine enough for a picture.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/motion/curve.h"
#include <math.h>

/* A graph with few nodes: all nodes, with cubic pieces in short segments. */
static void put_fine(const dls_graph *graph, size_t segments, dls_put_vertex *put, void *data)
{
  const double spacing = (graph->t[graph->count - 1] - graph->t[0]) / (double)segments;
  put(data, graph->t[0], graph->x[0]);
  for (size_t i = 1; i < graph->count; i++) {
    const double width = graph->t[i] - graph->t[i - 1];
    const double pieces = graph->slope == NULL || width <= 0 ? 1 : ceil(width / spacing);
    for (double piece = 1; piece < pieces; piece++) {
      double x = 0;
      const double t = graph->t[i - 1] + width * piece / pieces;
      dls_graph_value(graph, t, 1, &x);
      put(data, t, x);
    }
    put(data, graph->t[i], graph->x[i]);
  }
}

/* A graph with very many nodes: first, least, largest and last of each bin, in their order. */
static void put_thinned(const dls_graph *graph, size_t bins, dls_put_vertex *put, void *data)
{
  for (size_t bin = 0; bin < bins; bin++) {
    const size_t begin = graph->count * bin / bins;
    const size_t end = graph->count * (bin + 1) / bins;
    size_t low = begin, high = begin;
    for (size_t i = begin; i < end; i++) {
      low = graph->x[i] < graph->x[low] ? i : low;
      high = graph->x[i] > graph->x[high] ? i : high;
    }
    const size_t chosen[] = {begin, low < high ? low : high, low < high ? high : low, end - 1};
    for (size_t i = 0; i < 4; i++) {
      put(data, graph->t[chosen[i]], graph->x[chosen[i]]);
    }
  }
}

void dls_curve_put(const dls_graph *graph, size_t most, dls_put_vertex *put, void *data)
{
  if (graph->count > most) {
    put_thinned(graph, most / 4, put, data);
  } else {
    put_fine(graph, most / 6, put, data);
  }
}
