/* analytic/distance/blocks.c -- one sweep along both graphs at a time.
 *
 * No point of a graph is farther from the other one than the two are apart at its time; at jumps points of the two
 * segments are paired linearly. Steep graphs are nearer: if a scalar graph runs w above (t, x), and on [t - d, t + d],
 * d = w/(1 + P), all its slopes have one sign and are at least P, then it gets from x + w to x + w - P d = x + d at
 * most within d of t, hence passes within d of (t, x).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/blocks.h"
#include "analytic/distance/excess.h"
#include "analytic/graph/cursor.h"
#include <stdint.h>
#include <stdlib.h>

enum {
  INTERVALS = 16,  /* of a block */
  FEWEST = 64,     /* nodes of both graphs, below which blocks are not worth their while */
  NEIGHBOURS = 64, /* blocks on either side whose slopes are asked for */
};
#define LARGEST 1e300 /* coefficients whose differences do not overflow */

/* A walk along the pieces of a graph. */
typedef struct side {
  const dls_graph *graph;
  size_t piece;
  dls_cursor *at;   /* dim */
  double low, high; /* of all slopes of a scalar piece */
} side;

typedef struct sweep {
  side a, b;
  double time_scale, value_scale, largest;
  double low, high; /* slopes of the pieces of the block */
  dls_block *block;
  size_t intervals; /* of it */
} sweep;

/* Of the pieces that the next interval is part of. */
static inline void note_slopes(sweep *s)
{
  s->low = dls_lower(s->low, dls_lower(s->a.low, s->b.low));
  s->high = dls_higher(s->high, dls_higher(s->a.high, s->b.high));
}

/* The slope is three times the differences of these, over the length, and between them. */
static void find_slopes(side *f)
{
  const double *c = f->at->c, inverse = 3.0 / f->at->length;
  const double r[3] = {c[1] - c[0], c[2] - c[1], c[3] - c[2]};
  f->low = dls_lower(r[0], dls_lower(r[1], r[2])) * inverse;
  f->high = dls_higher(r[0], dls_higher(r[1], r[2])) * inverse;
}

static inline void enter_piece(sweep *s, side *f, size_t dim)
{
  for (size_t k = 0; k < dim; k++) {
    dls_cursor_enter(&f->at[k], f->piece);
    s->largest = dls_higher(s->largest, dls_piece_largest(f->at[k].c));
  }
  if (dim == 1) {
    find_slopes(f);
  }
}

/* To the piece with the time t, unless the last one reaches beyond it. @return nodes that were passed over */
static inline size_t advance(sweep *s, side *f, size_t dim, double t)
{
  const dls_graph *g = f->graph;
  if (g->t[f->piece + 1] > t) {
    return 0;
  }
  size_t jumps = 0;
  for (f->piece++; f->piece + 1 < g->count && g->t[f->piece + 1] == t; f->piece++) {
    jumps++;
  }
  if (f->piece + 1 < g->count) {
    enter_piece(s, f, dim);
  }
  return jumps;
}

/* The graphs up to the time t: the coefficients of their difference bound it. */
static inline void cross(sweep *s, size_t dim, double t)
{
  double apart = s->block->apart;
  for (size_t k = 0; k < dim; k++) {
    double c[4], d[4];
    dls_cursor_part(&s->a.at[k], t, c);
    dls_cursor_part(&s->b.at[k], t, d);
    for (size_t l = 0; l < 4; l++) {
      d[l] -= c[l];
    }
    apart = dls_higher(apart, dls_piece_largest(d));
  }
  s->block->apart = apart;
}

static void open_block(sweep *s, double t)
{
  *s->block = (dls_block){.start = t};
  s->low = INFINITY;
  s->high = -INFINITY;
  s->intervals = 0;
}

static void close_block(sweep *s, size_t dim, double t)
{
  dls_block *block = s->block++;
  const double rise = s->low > 0.0 ? s->low : s->high < 0.0 ? s->high : 0.0;
  block->rise = dim == 1 && !block->jumps ? rise * s->time_scale / s->value_scale : 0.0;
  block->start /= s->time_scale;
  block->end = t / s->time_scale;
  block->apart /= s->value_scale;
}

/* Between two limits lie at most these; of more nodes at a time those in the middle are in no interval. */
static void note_jumps(sweep *s, size_t a, size_t b)
{
  s->block->jumps = s->block->jumps || a + b > 0;
  s->block->apart = a > 1 || b > 1 ? INFINITY : s->block->apart;
}

/* Node i of a and node j of b, the outermost ones, whose limits may be in no interval. */
static void note_ends(sweep *s, size_t dim, size_t i, size_t j)
{
  for (size_t k = 0; k < dim; k++) {
    const double a = s->a.graph->x[i * dim + k], b = s->b.graph->x[j * dim + k];
    s->block->apart = dls_higher(s->block->apart, fabs(a - b));
    s->largest = dls_higher(s->largest, dls_higher(fabs(a), fabs(b)));
  }
}

static inline void run(sweep *s, size_t dim, double begin, double end)
{
  s->a.piece = s->b.piece =
      SIZE_MAX; /* before the first node: it and the next ones at the same time are passed over */
  open_block(s, begin);
  note_jumps(s, advance(s, &s->a, dim, begin), advance(s, &s->b, dim, begin));
  note_ends(s, dim, 0, 0);
  for (double t = begin; t < end;) {
    t = dls_lower(s->a.graph->t[s->a.piece + 1], s->b.graph->t[s->b.piece + 1]);
    note_slopes(s);
    cross(s, dim, t);
    const size_t a = advance(s, &s->a, dim, t), b = advance(s, &s->b, dim, t);
    note_jumps(s, a, b);
    if (++s->intervals == INTERVALS && t < end) {
      close_block(s, dim, t);
      open_block(s, t);
      note_jumps(s, a, b);
    }
  }
  note_ends(s, dim, s->a.graph->count - 1, s->b.graph->count - 1);
  close_block(s, dim, end);
}

/* The slope of the smaller size if both have one sign, else 0. */
static double common_rise(double p, double q)
{
  return p * q > 0.0 ? (fabs(p) < fabs(q) ? p : q) : 0.0;
}

/* bound of block k, from its own slopes and those of its neighbours. */
static double bound_of(const dls_blocks *blocks, size_t k)
{
  const dls_block *block = blocks->block, *own = block + k;
  double rise = own->rise;
  size_t first = k, last = k;
  while (rise != 0.0) {
    const double slide = own->apart / (1.0 + fabs(rise));
    const bool before = own->start - block[first].start < slide, after = block[last].end - own->end < slide;
    if (!before && !after) {
      return slide;
    }
    const bool cut_off = (before && first == 0) || (after && last + 1 == blocks->count); /* no way around */
    if (cut_off || last - first > NEIGHBOURS) {
      break;
    }
    first -= before;
    last += after;
    rise = common_rise(rise, common_rise(block[first].rise, block[last].rise));
  }
  return own->apart;
}

static bool suits(const dls_graph *a, const dls_graph *b)
{
  return a->count + b->count >= FEWEST && a->t[0] == b->t[0] && a->t[a->count - 1] == b->t[b->count - 1] &&
         a->t[0] < a->t[a->count - 1];
}

static side side_of(const dls_graph *graph, dls_cursor *at)
{
  for (size_t k = 0; k < graph->dim; k++) {
    at[k] = (dls_cursor){.graph = graph, .component = k};
  }
  return (side){.graph = graph, .at = at};
}

static void find_bounds(sweep *s, dls_blocks *blocks)
{
  const dls_graph *a = s->a.graph;
  const double largest_time = dls_higher(fabs(a->t[0]), fabs(a->t[a->count - 1]));
  s->block = blocks->block;
  if (a->dim == 1) { /* inlined for the common case */
    run(s, 1, a->t[0], a->t[a->count - 1]);
  } else {
    run(s, a->dim, a->t[0], a->t[a->count - 1]);
  }
  blocks->rounding = dls_excess_rounding(dls_higher(s->largest / s->value_scale, largest_time / s->time_scale));
  blocks->count = s->largest < LARGEST ? (size_t)(s->block - blocks->block) : 0;
  for (size_t k = 0; k < blocks->count; k++) {
    blocks->block[k].bound = bound_of(blocks, k);
  }
}

dls_status dls_blocks_create(const dls_graph *a, const dls_graph *b, const dls_metric *metric, dls_blocks *out,
                             dls_error *err)
{
  *out = (dls_blocks){0};
  if (!suits(a, b)) {
    return DLS_OK;
  }
  dls_cursor *at = malloc(2 * a->dim * sizeof *at);
  out->block = malloc(((a->count + b->count) / INTERVALS + 1) * sizeof *out->block);
  if (at == NULL || out->block == NULL) {
    free(at);
    dls_blocks_free(out);
    return dls_fail(err, DLS_ERR_MEMORY, "no memory to compare graphs of %zu and %zu nodes", a->count,
                    b->count);
  }
  sweep s = {.a = side_of(a, at),
             .b = side_of(b, at + a->dim),
             .time_scale = metric->time_scale,
             .value_scale = metric->value_scale};
  find_bounds(&s, out);
  free(at);
  return DLS_OK;
}

void dls_blocks_free(dls_blocks *blocks)
{
  free(blocks->block);
  *blocks = (dls_blocks){0};
}
