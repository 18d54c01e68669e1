/* analytic/distance/blocks.c -- one sweep along both graphs at a time.
 *
 * No point of a graph is farther from the other one than the two are apart at its time; at jumps points of the two
 * segments are paired linearly. Steep graphs are nearer: if a scalar graph runs w above (t, x), and on [t - d, t + d],
 * d = w/(1 + P), all its slopes have one sign and are at least P, then it gets from x + w to x + w - P d = x + d at
 * most within d of t, hence passes within d of (t, x).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/blocks.h"
#include "analytic/distance/excess.h"
#include "analytic/graph/piece.h"
#include <stdint.h>
#include <stdlib.h>

enum {
  INTERVALS = 16,  /* of a block */
  FEWEST = 64,     /* nodes of both graphs, below which blocks are not worth their while */
  NEIGHBOURS = 64, /* blocks on either side whose slopes are asked for */
};
#define LARGEST 1e300 /* coefficients whose differences do not overflow */

/* A walk along the pieces of a graph, and one component of it at the end of the last interval. */
typedef struct cursor {
  const dls_graph *graph;
  size_t piece;
  double inverse; /* 1 / length of the piece */
  double at;      /* of the piece, in [0, 1] */
  double *c;      /* dim x 4, Bernstein coefficients of the piece */
  double *x, *slope;
} cursor;

typedef struct sweep {
  cursor a, b;
  double time_scale, value_scale, largest;
  double low, high; /* slopes of the block */
  dls_block *block;
  size_t intervals; /* of it */
} sweep;

static void enter_piece(cursor *f, size_t dim, double *largest)
{
  const dls_graph *g = f->graph;
  f->inverse = 1.0 / (g->t[f->piece + 1] - g->t[f->piece]);
  f->at = 0.0;
  for (size_t k = 0; k < dim; k++) {
    double *c = f->c + 4 * k;
    dls_piece_whole(g, f->piece, k, c);
    f->x[k] = c[0];
    f->slope[k] = 3.0 * (c[1] - c[0]) * f->inverse;
    for (size_t j = 0; j < 4; j++) {
      *largest = dls_higher(*largest, fabs(c[j]));
    }
  }
}

/* To the piece with the time t, unless the last one reaches beyond it. @return nodes that were passed over */
static inline size_t advance(cursor *f, size_t dim, double t, double *largest)
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
    enter_piece(f, dim, largest);
  }
  return jumps;
}

/* Value and slope at u of the piece; *middle: the slope's own coefficient between that at the last place and this one. */
static inline void evaluate(cursor *f, size_t k, double u, double *middle)
{
  const double *c = f->c + 4 * k;
  if (f->graph->slope == NULL) {
    f->x[k] = u < 1.0 ? dls_lerp(c[0], c[3], u) : c[3];
    *middle = f->slope[k];
    return;
  }
  const double r[3] = {c[1] - c[0], c[2] - c[1], c[3] - c[2]};
  const double first = dls_lerp(r[0], r[1], f->at), second = dls_lerp(r[1], r[2], f->at);
  *middle = 3.0 * f->inverse * dls_lerp(first, second, u);
  if (u < 1.0) {
    f->x[k] = dls_blossom(c, u, u, u);
    f->slope[k] = 3.0 * f->inverse * dls_lerp(dls_lerp(r[0], r[1], u), dls_lerp(r[1], r[2], u), u);
  } else {
    f->x[k] = c[3];
    f->slope[k] = 3.0 * f->inverse * r[2];
  }
}

static inline void note_slopes(sweep *s, double first, double middle, double last)
{
  s->low = dls_lower(s->low, dls_lower(first, dls_lower(middle, last)));
  s->high = dls_higher(s->high, dls_higher(first, dls_higher(middle, last)));
}

/* The graphs between the last place and the one at t: the coefficients of their difference bound it. */
static inline void cross(sweep *s, size_t dim, double t, double third)
{
  cursor *a = &s->a, *b = &s->b;
  const size_t i = a->piece, j = b->piece;
  const double u = a->graph->t[i + 1] == t ? 1.0 : (t - a->graph->t[i]) * a->inverse;
  const double w = b->graph->t[j + 1] == t ? 1.0 : (t - b->graph->t[j]) * b->inverse;
  double apart = s->block->apart;
  for (size_t k = 0; k < dim; k++) {
    const double d0 = a->x[k] - b->x[k], a0 = a->slope[k], b0 = b->slope[k];
    double am, bm;
    evaluate(a, k, u, &am);
    evaluate(b, k, w, &bm);
    const double d3 = a->x[k] - b->x[k];
    const double d1 = d0 + third * (a0 - b0), d2 = d3 - third * (a->slope[k] - b->slope[k]);
    const double most = dls_higher(dls_higher(fabs(d0), fabs(d1)), dls_higher(fabs(d2), fabs(d3)));
    apart = dls_higher(apart, most);
    if (dim == 1) {
      note_slopes(s, a0, am, a->slope[k]);
      note_slopes(s, b0, bm, b->slope[k]);
    }
  }
  s->block->apart = apart;
  a->at = u;
  b->at = w;
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
  note_jumps(s, advance(&s->a, dim, begin, &s->largest), advance(&s->b, dim, begin, &s->largest));
  note_ends(s, dim, 0, 0);
  for (double t = begin, next; t < end; t = next) {
    next = dls_lower(s->a.graph->t[s->a.piece + 1], s->b.graph->t[s->b.piece + 1]);
    cross(s, dim, next, (next - t) / 3.0);
    const size_t a = advance(&s->a, dim, next, &s->largest), b = advance(&s->b, dim, next, &s->largest);
    note_jumps(s, a, b);
    if (++s->intervals == INTERVALS && next < end) {
      close_block(s, dim, next);
      open_block(s, next);
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

/* A cursor with its arrays of 6 dim numbers. */
static cursor cursor_on(const dls_graph *graph, double *arrays)
{
  return (cursor){.graph = graph, .c = arrays, .x = arrays + 4 * graph->dim, .slope = arrays + 5 * graph->dim};
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
  double *arrays = calloc(12 * a->dim, sizeof *arrays);
  out->block = malloc(((a->count + b->count) / INTERVALS + 1) * sizeof *out->block);
  if (arrays == NULL || out->block == NULL) {
    free(arrays);
    dls_blocks_free(out);
    return dls_fail(err, DLS_ERR_MEMORY, "no memory to compare graphs of %zu and %zu nodes", a->count,
                    b->count);
  }
  sweep s = {.a = cursor_on(a, arrays),
             .b = cursor_on(b, arrays + 6 * a->dim),
             .time_scale = metric->time_scale,
             .value_scale = metric->value_scale};
  find_bounds(&s, out);
  free(arrays);
  return DLS_OK;
}

void dls_blocks_free(dls_blocks *blocks)
{
  free(blocks->block);
  *blocks = (dls_blocks){0};
}
