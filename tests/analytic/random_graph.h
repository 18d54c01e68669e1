/* random_graph.h -- random piecewise graphs with jumps, and graphs written down by hand.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_RANDOM_GRAPH_H
#define DELASSUS_TESTS_RANDOM_GRAPH_H

#include <delassus/graph.h>
#include <stdint.h>
#include <string.h>

/* Uniform in (0, 1), xorshift64*. */
static inline double random_unit(uint64_t *state)
{
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return ((double)((*state * UINT64_C(2685821657736338717)) >> 12) + 0.5) / 4503599627370496.0;
}

static inline uint64_t random_seed(uint64_t n)
{
  uint64_t state = (n + 1) * UINT64_C(0x9E3779B97F4A7C15);
  for (int i = 0; i < 8; i++) {
    random_unit(&state);
  }
  return state;
}

/* count nodes that start at t = 0, one of four at the time of the preceding one, so that some jumps are chains; values in (-1, 1), slopes
 * in (-2, 2). */
static inline dls_graph *random_graph(size_t count, size_t dim, bool with_slope, uint64_t *state)
{
  dls_graph *g = dls_graph_create(count, dim, with_slope);
  for (size_t i = 0; i < count; i++) {
    const bool jump = i > 0 && random_unit(state) < 0.25;
    g->t[i] = i == 0 ? 0.0 : g->t[i - 1] + (jump ? 0.0 : random_unit(state));
  }
  for (size_t p = 0; p < count * dim; p++) {
    g->x[p] = 2.0 * random_unit(state) - 1.0;
    if (with_slope) {
      g->slope[p] = 4.0 * random_unit(state) - 2.0;
    }
  }
  return g;
}

/* The same graph, each component disturbed by at most size. */
static inline dls_graph *disturbed_graph(const dls_graph *g, double size, uint64_t *state)
{
  dls_graph *d = dls_graph_create(g->count, g->dim, g->slope != NULL);
  memcpy(d->t, g->t, g->count * sizeof *g->t);
  for (size_t p = 0; p < g->count * g->dim; p++) {
    d->x[p] = g->x[p] + size * (2.0 * random_unit(state) - 1.0);
    if (g->slope != NULL) {
      d->slope[p] = g->slope[p];
    }
  }
  return d;
}

/* A scalar linear graph from pairs t, x. */
static inline dls_graph *graph_by_hand(size_t count, const double (*nodes)[2])
{
  dls_graph *g = dls_graph_create(count, 1, false);
  for (size_t i = 0; i < count; i++) {
    g->t[i] = nodes[i][0];
    g->x[i] = nodes[i][1];
  }
  return g;
}
#define GRAPH(...)                                                                                             \
  graph_by_hand(sizeof((const double[][2]){__VA_ARGS__}) / sizeof(double[2]), (const double[][2]){__VA_ARGS__})

#endif
