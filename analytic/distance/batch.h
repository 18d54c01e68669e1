/* analytic/distance/batch.h -- the intervals between neighbouring breakpoints of two graphs, in batches: first their
 * times, then the coefficients of each graph, then the difference, so that each loop is short.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ANALYTIC_BATCH_H
#define DELASSUS_ANALYTIC_BATCH_H

#include "analytic/graph/march.h"

enum {
  DLS_BATCH = 64, /* intervals */
  DLS_MANY = 2    /* two or more jumps of a graph at one time */
};

/* One of the graphs. */
typedef struct dls_course {
  const dls_graph *graph;
  size_t next; /* the piece after the batch; the last node at the end */
  size_t piece[DLS_BATCH];
  unsigned char jumps[DLS_BATCH + 1];      /* number of jumps at the start of each interval, up to DLS_MANY */
  double c[4][DLS_BATCH], size[DLS_BATCH]; /* of a component: coefficients; see dls_march */
} dls_course;

typedef struct dls_batch {
  size_t count;
  double t[DLS_BATCH + 1];
  dls_course a, b;
  /* of a component of a - b: its coefficients lie in [least, most], and have the mean */
  double least[DLS_BATCH], most[DLS_BATCH], mean[DLS_BATCH];
  double deviation[DLS_BATCH];              /* largest size of any coefficient, of all components */
  double first[DLS_BATCH], last[DLS_BATCH]; /* of the first, of the last one, of several components */
} dls_batch;

/* The nodes from first to last have one value. */
static inline bool dls_course_is_level(const dls_graph *g, size_t first, size_t last)
{
  for (size_t p = first * g->dim; p < last * g->dim; p++) {
    if (g->x[p] != g->x[p + g->dim]) {
      return false;
    }
  }
  return true;
}

/* Advance past the nodes at the time of node `first`. @return the number of jumps there */
static inline unsigned char dls_course_pass(dls_course *f, size_t first)
{
  const double *time = f->graph->t, t = time[first];
  const size_t end = f->graph->count - 1;
  size_t piece = first;
  while (piece < end && time[piece + 1] == t) {
    piece++;
  }
  f->next = piece;
  if (piece == first || dls_course_is_level(f->graph, first, piece)) {
    return 0;
  }
  return piece - first < DLS_MANY ? 1 : DLS_MANY;
}

/* Start at the first time of both graphs. */
static inline void dls_batch_begin(dls_batch *batch, const dls_graph *a, const dls_graph *b)
{
  batch->count = 0;
  batch->t[0] = a->t[0];
  batch->a.graph = a;
  batch->b.graph = b;
  batch->a.jumps[0] = dls_course_pass(&batch->a, 0);
  batch->b.jumps[0] = dls_course_pass(&batch->b, 0);
}

/* Advance to the next intervals, up to the time `end` of both graphs. @return false if there are none; the batch is then unchanged */
static inline bool dls_batch_next(dls_batch *batch, double end)
{
  dls_course *a = &batch->a, *b = &batch->b;
  const double *a_time = a->graph->t, *b_time = b->graph->t;
  const size_t last = batch->count;
  double t = batch->t[last];
  size_t n = 0;
  if (!(t < end)) {
    return false;
  }
  batch->t[0] = t;
  a->jumps[0] = a->jumps[last];
  b->jumps[0] = b->jumps[last];
  while (n < DLS_BATCH && t < end) {
    const double p = a_time[a->next + 1], q = b_time[b->next + 1];
    a->piece[n] = a->next;
    b->piece[n] = b->next;
    t = dls_lower(p, q);
    batch->t[++n] = t;
    a->jumps[n] = p == t ? dls_course_pass(a, a->next + 1) : 0;
    b->jumps[n] = q == t ? dls_course_pass(b, b->next + 1) : 0;
  }
  batch->count = n;
  return true;
}

/* A component of a graph with slopes on all intervals. @param[in,out] m  position at the end of the last batch; piece
 * SIZE_MAX at first */
static inline void dls_course_follow_cubic(const dls_batch *batch, dls_course *f, dls_march *m)
{
  dls_march at = *m;
  for (size_t j = 0; j < batch->count; j++) {
    const double from = batch->t[j], to = batch->t[j + 1];
    double c[4];
    if (f->piece[j] != at.piece) {
      dls_march_enter(&at, f->piece[j]);
    }
    dls_march_part(&at, (to - from) / 3.0, to, c);
    for (size_t l = 0; l < 4; l++) {
      f->c[l][j] = c[l];
    }
    f->size[j] = at.size;
  }
  *m = at;
}

/* The same for a linear graph. */
static inline void dls_course_follow_line(const dls_batch *batch, dls_course *f, size_t dim, size_t component)
{
  const double *time = f->graph->t, *value = f->graph->x + component;
  for (size_t j = 0; j < batch->count; j++) {
    const size_t i = f->piece[j];
    const double start = time[i], end = time[i + 1], x = value[i * dim], last = value[(i + 1) * dim];
    const double length = end - start, slope = (last - x) / length;
    const double from = batch->t[j], to = batch->t[j + 1], third = (to - from) / 3.0;
    const double first = slope * (from - start) + x, behind = to == end ? last : slope * (to - start) + x;
    f->c[0][j] = first;
    f->c[1][j] = first + third * slope;
    f->c[2][j] = behind - third * slope;
    f->c[3][j] = behind;
    f->size[j] = dls_higher(fabs(x), fabs(last)) + length * fabs(slope);
  }
}

static inline void dls_course_follow(const dls_batch *batch, dls_course *f, size_t dim, dls_march *m)
{
  if (f->graph->slope != NULL) {
    dls_course_follow_cubic(batch, f, m);
  } else {
    dls_course_follow_line(batch, f, dim, m->component);
  }
}

/* Component 0 sets the sizes of all components, the others raise them. */
static inline void dls_batch_subtract(dls_batch *batch, size_t dim, size_t component)
{
  for (size_t j = 0; j < batch->count; j++) {
    const double p = batch->a.c[0][j] - batch->b.c[0][j], q = batch->a.c[1][j] - batch->b.c[1][j];
    const double r = batch->a.c[2][j] - batch->b.c[2][j], s = batch->a.c[3][j] - batch->b.c[3][j];
    const double least = dls_lower(dls_lower(p, q), dls_lower(r, s));
    const double most = dls_higher(dls_higher(p, q), dls_higher(r, s)), deviation = dls_higher(most, -least);
    batch->least[j] = least;
    batch->most[j] = most;
    batch->mean[j] = 0.25 * (p + q + r + s);
    batch->deviation[j] = component == 0 ? deviation : dls_higher(batch->deviation[j], deviation);
    if (dim > 1) {
      batch->first[j] = component == 0 ? fabs(p) : dls_higher(batch->first[j], fabs(p));
      batch->last[j] = component == 0 ? fabs(s) : dls_higher(batch->last[j], fabs(s));
    }
  }
}

/* Distance of the graphs at the start of interval j, and at its end. */
static inline double dls_batch_first(const dls_batch *batch, size_t dim, size_t j)
{
  return dim > 1 ? batch->first[j] : fabs(batch->a.c[0][j] - batch->b.c[0][j]);
}

static inline double dls_batch_last(const dls_batch *batch, size_t dim, size_t j)
{
  return dim > 1 ? batch->last[j] : fabs(batch->a.c[3][j] - batch->b.c[3][j]);
}

#endif
