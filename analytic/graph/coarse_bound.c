/* analytic/graph/coarse_bound.c -- pieces of a coarse version: each one is doubled while it stays within the error bound.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/graph/coarse_bound.h"
#include "analytic/graph/cursor.h"
#include "analytic/graph/march.h"
#include "common/base/memory.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDING                                                                                               \
  16.0 /* rounding of a value of a piece and of a difference of two [ulp of their largest coefficients] */

enum { LONG = 4 }; /* a segment of at least as many pieces is first tested in its middle */

/* One piece of a coarse version, between two nodes of the original. */
typedef struct segment {
  const dls_graph *graph;
  dls_graph one; /* the two nodes of its cubic */
} segment;

static inline void set_end(const dls_graph *graph, size_t node, dls_graph *one, size_t at)
{
  const size_t dim = graph->dim;
  one->t[at] = graph->t[node];
  for (size_t k = 0; k < dim; k++) {
    one->x[at * dim + k] = graph->x[node * dim + k];
    one->slope[at * dim + k] = graph->slope[node * dim + k];
  }
}

static void set_ends(segment *s, size_t i, size_t j)
{
  set_end(s->graph, i, &s->one, 0);
  set_end(s->graph, j, &s->one, 1);
}

/* Put the cursor at the start of the segment. */
static inline void start(const segment *s, size_t k, dls_cursor *g)
{
  g->graph = &s->one;
  g->component = k;
  dls_cursor_enter(g, 0);
}

/* d: Bernstein coefficients of component k of piece p minus the segment. @return the sum of the largest ones of both */
static inline double difference(const segment *s, size_t p, size_t k, dls_cursor *g, double d[4])
{
  double c[4];
  dls_piece_whole(s->graph, p, k, c);
  dls_cursor_part(g, s->graph->t[p + 1], d);
  const double size = dls_piece_largest(c) + dls_piece_largest(d);
  for (size_t l = 0; l < 4; l++) {
    d[l] = c[l] - d[l];
  }
  return size;
}

/* A component of graph minus segment at a node: value and slope. `size`: the largest terms, which rounding is relative to. */
typedef struct gap {
  double value, slope, size;
} gap;

/* m: at the start of the segment, expanded. */
static inline gap gap_at(const segment *s, const dls_march *m, size_t p, size_t k)
{
  const dls_graph *g = s->graph;
  const size_t at = p * g->dim + k;
  const double *a = m->a, t = g->t[p] - s->one.t[0];
  return (gap){.value = g->x[at] - (((a[3] * t + a[2]) * t + a[1]) * t + a[0]),
               .slope = g->slope[at] - ((3.0 * a[3] * t + 2.0 * a[2]) * t + a[1]),
               .size = fabs(g->x[at]) + m->size};
}

/* Bound of the difference between two nodes: the largest Bernstein coefficient, plus rounding. */
static inline double most_between(const gap *p, const gap *q, double length)
{
  const double third = length / 3.0, b = p->value + third * p->slope, c = q->value - third * q->slope;
  const double ends = dls_higher(fabs(p->value), fabs(q->value)), middle = dls_higher(fabs(b), fabs(c));
  return dls_higher(ends, middle) +
         ROUNDING * DBL_EPSILON * (dls_higher(p->size, q->size) + length * (fabs(p->slope) + fabs(q->slope)));
}

/* @return true if the segment from node i to node j is within `error` of the graph and crosses no jump */
static bool within_error(segment *s, size_t i, size_t j, double error)
{
  const double *t = s->graph->t;
  if (j == i + 1) {
    return true;
  }
  set_ends(s, i, j);
  for (size_t k = 0; k < s->graph->dim && t[i] < t[j]; k++) {
    dls_march m = dls_march_in(&s->one, k, 0, t[i]);
    dls_march_expand(&m);
    if (j - i >= LONG && fabs(gap_at(s, &m, i + (j - i) / 2, k).value) > error) {
      return false;
    }
    gap last = gap_at(s, &m, i, k);
    for (size_t p = i; p < j; p++) {
      const gap next = gap_at(s, &m, p + 1, k);
      if (!(t[p] < t[p + 1] && most_between(&last, &next, t[p + 1] - t[p]) <= error)) {
        return false;
      }
      last = next;
    }
  }
  return t[i] < t[j];
}

/* The end of a long segment from node i; the previous one had *length pieces. Up to half as many more might be within the error, but finding
 * them costs more than it saves. */
static size_t longest_segment(segment *s, size_t i, double error, size_t *length)
{
  const size_t most = s->graph->count - 1 - i;
  size_t l = *length < most ? *length : most;
  while (l > 1 && !within_error(s, i, i + l, error)) {
    l /= 2;
  }
  while (l >= *length && 2 * l <= most && within_error(s, i, i + 2 * l, error)) {
    l *= 2;
  }
  l += l / 2 > 0 && l + l / 2 <= most && within_error(s, i, i + l + l / 2, error) ? l / 2 : 0;
  *length = l;
  return i + l;
}

/* The segment from node i to node j becomes a piece of the coarse version. A segment of one piece is the original itself. */
static void add_segment(segment *s, size_t i, size_t j, dls_coarse_bound *out, size_t piece)
{
  const size_t dim = s->graph->dim;
  const dls_coarse_bound *finer = out->finer;
  double deviation = 0.0, finer_deviation = 0.0;
  set_ends(s, i, j);
  for (size_t k = 0; k < dim; k++) {
    dls_cursor g;
    start(s, k, &g);
    double sum = 0.0;
    for (size_t p = i; p < j; p++) {
      out->remainder_within[p * dim + k] = sum;
      if (j > i + 1) {
        double d[4];
        const double size = difference(s, p, k, &g, d);
        out->size = dls_higher(out->size, size);
        deviation = dls_higher(deviation, dls_piece_largest(d) + ROUNDING * DBL_EPSILON * size);
        sum += (s->graph->t[p + 1] - s->graph->t[p]) * 0.25 * (d[0] + d[1] + d[2] + d[3]);
      }
      sum += finer != NULL ? finer->remainder[p * dim + k] : 0.0;
      finer_deviation = finer != NULL ? dls_higher(finer_deviation, finer->deviation[p]) : 0.0;
    }
    out->remainder[piece * dim + k] = sum;
  }
  out->deviation[piece] = deviation + finer_deviation;
  out->error = dls_higher(out->error, out->deviation[piece]);
}

static void add_segments(segment *s, double error, dls_coarse_bound *out)
{
  const dls_graph *g = s->graph;
  set_end(g, 0, out->graph, 0);
  out->node[0] = 0;
  out->graph->count = 1;
  for (size_t i = 0, length = 1; i + 1 < g->count;) {
    const size_t piece = out->graph->count - 1, next = longest_segment(s, i, error, &length);
    add_segment(s, i, next, out, piece);
    out->node[piece + 1] = next;
    set_end(g, next, out->graph, out->graph->count++);
    i = next;
  }
}

dls_status dls_coarse_bound_create(const dls_graph *graph, const dls_coarse_bound *finer, double error,
                                   dls_coarse_bound *out, dls_error *err)
{
  const dls_graph *from = finer != NULL ? finer->graph : graph;
  const size_t count = from->count, dim = from->dim;
  *out = (dls_coarse_bound){
      .graph = dls_graph_create(count, dim, true), /* capacity: unused memory is not touched */
      .deviation = malloc(count * sizeof *out->deviation),
      .remainder = malloc(dls_size_product(dls_size_product(count, dim), sizeof *out->remainder)),
      .finer = finer,
      .node = malloc(count * sizeof *out->node),
      .remainder_within =
          malloc(dls_size_product(dls_size_product(count, dim), sizeof *out->remainder_within))};
  dls_graph *one = dls_graph_create(2, dim, true);
  const bool there = out->graph != NULL && out->deviation != NULL && out->remainder != NULL &&
                     out->node != NULL && out->remainder_within != NULL && one != NULL;
  if (there) {
    segment s = {.graph = from, .one = *one};
    out->size = finer != NULL ? finer->size : 0.0;
    add_segments(&s, error - (finer != NULL ? finer->error : 0.0), out);
  } else {
    dls_coarse_bound_free(out);
  }
  dls_graph_destroy(one);
  return there ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for a coarse version of %zu nodes", count);
}

double dls_coarse_bound_remainder(const dls_coarse_bound *coarse, const dls_graph *original, size_t i, size_t k,
                                  double t, double *size)
{
  const dls_graph *from = coarse->finer != NULL ? coarse->finer->graph : original;
  size_t p = coarse->node[i];
  while (p + 1 < coarse->node[i + 1] && from->t[p + 1] <= t) {
    p++;
  }
  double sum = coarse->remainder_within[p * from->dim + k];
  const double begin = from->t[p], length = t - begin;
  if (length > 0.0 && coarse->node[i + 1] - coarse->node[i] > 1) { /* else the pieces are equal */
    dls_march f = dls_march_in(from, k, p, begin), g = dls_march_in(coarse->graph, k, i, begin);
    double c[4], d[4];
    dls_march_part(&f, length / 3.0, t, c);
    dls_march_part(&g, length / 3.0, t, d);
    sum += length * 0.25 * (c[0] - d[0] + c[1] - d[1] + c[2] - d[2] + c[3] - d[3]);
    *size += length * (f.size + g.size);
  }
  return length > 0.0 && coarse->finer != NULL
             ? sum + dls_coarse_bound_remainder(coarse->finer, original, p, k, t, size)
             : sum;
}

void dls_coarse_bound_free(dls_coarse_bound *coarse)
{
  dls_graph_destroy(coarse->graph);
  free(coarse->deviation);
  free(coarse->remainder);
  free(coarse->node);
  free(coarse->remainder_within);
  *coarse = (dls_coarse_bound){0};
}
