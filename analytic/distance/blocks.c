/* analytic/distance/blocks.c -- one sweep along both graphs at a time.
 *
 * No point of a graph is farther from the other one than the two are apart at its time; at jumps points of the two
 * segments are paired linearly. Steep graphs are nearer: if a scalar graph runs w above (t, x), and on [t - d, t + d],
 * d = w/(1 + P), all its slopes have one sign and are at least P, then it gets from x + w to x + w - P d = x + d at
 * most within d of t, hence passes within d of (t, x).
 * Around jumps, from the first one up to that of the other graph: a filled-in scalar graph has all values between any two
 * that it has, so that no point is farther than the time of the block, or what its value is beyond those of the other graph.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/blocks.h"
#include "analytic/distance/excess.h"
#include "analytic/graph/march.h"
#include <float.h>
#include <stdint.h>
#include <stdlib.h>

enum {
  INTERVALS = 16,  /* of a block of long graphs */
  BLOCKS = 512,    /* as many, or fewer intervals to a block */
  PAIRING = 32,    /* intervals in which a jump of one graph waits for one of the other */
  FEWEST = 64,     /* nodes of both graphs, below which blocks are not worth their while */
  NEIGHBOURS = 64, /* blocks on either side whose slopes are asked for */
};
#define SLOPE_ROUNDING 32.0 /* ulps of the largest coefficient that a difference of neighbours may be off */
#define LARGEST 1e300       /* coefficients whose differences do not overflow */

/* A walk along the pieces of a graph. */
typedef struct side {
  const dls_graph *graph;
  size_t piece;
  dls_march *at;   /* dim */
  double left;     /* limit of a scalar graph before the place */
  bool jumped;     /* in this block */
  double value[2]; /* least and largest one that a scalar graph has in this block of a jump, limits only */
  double hull[2];  /* of all its values there */
} side;

typedef struct sweep {
  side a, b;
  double time_scale, value_scale, largest;
  double left_apart; /* distance of the limits before the place */
  dls_span *block;
  size_t intervals, most; /* of it */
  dls_stretches *stretches;
  dls_stretch *now; /* dim: those that are not yet at their end */
} sweep;

static inline void enter_piece(sweep *s, side *f, size_t dim)
{
  for (size_t k = 0; k < dim; k++) {
    dls_march_enter(&f->at[k], f->piece);
    s->largest = dls_higher(s->largest, f->at[k].size);
  }
}

/* The nodes from first to last have one value. */
static bool is_level(const dls_graph *g, size_t first, size_t last)
{
  for (size_t p = first * g->dim; p < last * g->dim; p++) {
    if (g->x[p] != g->x[p + g->dim]) {
      return false;
    }
  }
  return true;
}

/* To the piece with the time t, unless the last one reaches beyond it. @return jumps, one after the other, at this time */
static inline size_t advance(sweep *s, side *f, size_t dim, double t)
{
  const double *time = f->graph->t;
  const size_t first = f->piece + 1, last = f->graph->count - 1;
  if (time[first] > t) {
    return 0;
  }
  size_t piece = first;
  while (piece < last && time[piece + 1] == t) {
    piece++;
  }
  f->piece = piece;
  if (piece < last) {
    enter_piece(s, f, dim);
  }
  return piece == first || is_level(f->graph, first, piece) ? 0 : piece - first;
}

static inline void widen(double range[2], double x)
{
  range[0] = dls_lower(range[0], x);
  range[1] = dls_higher(range[1], x);
}

/* A scalar graph on an interval next to a jump. */
static void note_values(side *f, const double c[4])
{
  widen(f->value, c[0]);
  widen(f->value, c[3]);
  for (size_t l = 0; l < 4; l++) {
    widen(f->hull, c[l]);
  }
}

void dls_stretches_free(dls_stretches *stretches)
{
  free(stretches->part);
  *stretches = (dls_stretches){.apart = stretches->apart};
}

/* The stretch of component k ends at t. */
static void end_stretch(sweep *s, size_t k, double t)
{
  dls_stretches *all = s->stretches;
  if (s->now[k].piece == SIZE_MAX) { /* the first one begins */
    return;
  }
  if (all->count == all->room) {
    const size_t room = 2 * all->room + 64;
    dls_stretch *more = realloc(all->part, room * sizeof *more);
    all->starved = all->starved || more == NULL;
    if (more == NULL) {
      return;
    }
    all->part = more;
    all->room = room;
  }
  s->now[k].to = t;
  all->part[all->count++] = s->now[k];
}

/* Component k of the difference on an interval, between `least` and `most`. */
static inline void note_difference(sweep *s, size_t k, double from, double length, const double d[4],
                                   double least, double most)
{
  dls_stretch *now = &s->now[k];
  const double apart = s->stretches->apart[s->b.piece];
  const int sign = least > apart ? 1 : most < -apart ? -1 : 0;
  if (sign != now->sign || s->b.piece != now->piece) {
    end_stretch(s, k, from);
    *now = (dls_stretch){.component = k, .piece = s->b.piece, .from = from, .sign = sign};
  }
  dls_sum_add(&now->integral, length * (0.25 * (d[0] + d[1] + d[2] + d[3])));
  now->size += length * (s->a.at[k].size + s->b.at[k].size);
}

/* The graphs up to the time t: the coefficients of their difference bound it. */
static inline void cross(sweep *s, size_t dim, double from, double t)
{
  const double length = t - from, third = length / 3.0;
  double apart = s->block->apart, left_apart = 0.0, largest = s->largest;
  for (size_t k = 0; k < dim; k++) {
    double c[4], d[4];
    dls_march *f = &s->a.at[k], *g = &s->b.at[k];
    dls_march_part(f, third, t, c);
    dls_march_part(g, third, t, d);
    largest = dls_higher(largest, dls_higher(f->size, g->size));
    if (dim == 1) {
      s->a.left = c[3];
      s->b.left = d[3];
      if (s->block->jumps) {
        note_values(&s->a, c);
        note_values(&s->b, d);
      }
    }
    for (size_t l = 0; l < 4; l++) {
      d[l] = c[l] - d[l];
    }
    const double least = dls_lower(dls_lower(d[0], d[1]), dls_lower(d[2], d[3]));
    const double most = dls_higher(dls_higher(d[0], d[1]), dls_higher(d[2], d[3]));
    apart = dls_higher(apart, dls_higher(most, -least));
    left_apart = dls_higher(left_apart, fabs(d[3]));
    if (s->stretches != NULL) {
      note_difference(s, k, from, length, d, least, most);
    }
  }
  s->largest = largest;
  s->left_apart = left_apart;
  s->block->apart = apart;
  s->intervals++;
}

static inline void open_block(sweep *s, double t)
{
  dls_span *block = s->block;
  block->start = t;
  block->piece[0] = s->a.piece;
  block->piece[1] = s->b.piece;
  block->apart = 0.0;
  block->jumps = block->sharp = false;
  s->intervals = 0;
}

/* How far values of the one may be beyond all that the other has. */
static double beyond(const side *f, const side *g)
{
  return dls_higher(f->hull[1] - g->value[1], g->value[0] - f->hull[0]);
}

static inline void close_block(sweep *s, size_t dim, double t)
{
  dls_span *block = s->block++;
  block->end = t;
  block->rise = dim == 1 && !block->jumps ? NAN : 0.0;
  block->apart /= s->value_scale;
  if (dim == 1 && block->jumps && block->apart < INFINITY) {
    const double gap = dls_higher(beyond(&s->a, &s->b), beyond(&s->b, &s->a)) / s->value_scale;
    block->apart = dls_lower(block->apart, dls_higher(gap, (t - block->start) / s->time_scale));
  }
  block->bound = block->apart;
}

static void begin_jump(side *f)
{
  f->jumped = false;
  f->value[0] = f->value[1] = f->hull[0] = f->hull[1] = f->left;
}

/* A block that begins with a jump, and with the limits before it. */
static void open_jump(sweep *s, size_t dim, double t)
{
  if (s->intervals > 0) {
    close_block(s, dim, t);
  }
  open_block(s, t);
  s->block->jumps = true;
  s->block->apart = s->left_apart;
  begin_jump(&s->a);
  begin_jump(&s->b);
}

/* The limit behind the place. */
static double right(const side *f, size_t k)
{
  const dls_graph *g = f->graph;
  return f->piece + 1 < g->count ? f->at[k].x : g->x[(g->count - 1) * g->dim + k];
}

/* a and b jumps at t, one after the other of either graph. Between two limits lie at most these; of more nodes at a time
 * those in the middle are in no interval. */
static void note_jumps(sweep *s, size_t dim, double t, size_t a, size_t b)
{
  if (!s->block->jumps) {
    open_jump(s, dim, t);
  }
  dls_span *block = s->block;
  s->a.jumped = s->a.jumped || a > 0;
  s->b.jumped = s->b.jumped || b > 0;
  for (size_t k = 0; k < dim; k++) {
    const double f = right(&s->a, k), g = right(&s->b, k);
    block->apart = dls_higher(block->apart, fabs(f - g));
    widen(s->a.value, f);
    widen(s->a.hull, f);
    widen(s->b.value, g);
    widen(s->b.hull, g);
  }
  block->apart = a > 1 || b > 1 ? INFINITY : block->apart;
}

/* Both graphs past their nodes at t. */
static inline void pass(sweep *s, size_t dim, double t)
{
  const size_t a = advance(s, &s->a, dim, t), b = advance(s, &s->b, dim, t);
  if (a + b > 0) {
    note_jumps(s, dim, t, a, b);
  }
}

static inline bool is_full(const sweep *s)
{
  return s->block->jumps ? (s->a.jumped && s->b.jumped) || s->intervals >= PAIRING : s->intervals >= s->most;
}

/* The outermost limits, which may be in no interval: those of the nodes i of a and j of b. */
static void note_ends(sweep *s, size_t dim, size_t i, size_t j)
{
  s->left_apart = 0.0;
  s->a.left = s->a.graph->x[i * dim];
  s->b.left = s->b.graph->x[j * dim];
  for (size_t k = 0; k < dim; k++) {
    const double a = s->a.graph->x[i * dim + k], b = s->b.graph->x[j * dim + k];
    s->left_apart = dls_higher(s->left_apart, fabs(a - b));
    s->largest = dls_higher(s->largest, dls_higher(fabs(a), fabs(b)));
  }
}

static inline void run(sweep *s, size_t dim, double begin, double end)
{
  s->a.piece = s->b.piece =
      SIZE_MAX; /* before the first node: it and the next ones at the same time are passed over */
  open_block(s, begin);
  note_ends(s, dim, 0, 0);
  pass(s, dim, begin);
  s->block->piece[0] = s->a.piece;
  s->block->piece[1] = s->b.piece;
  for (double t = begin; t < end;) {
    if (is_full(s)) {
      close_block(s, dim, t);
      open_block(s, t);
    }
    const double from = t;
    t = dls_lower(s->a.graph->t[s->a.piece + 1], s->b.graph->t[s->b.piece + 1]);
    cross(s, dim, from, t);
    pass(s, dim, t);
  }
  note_ends(s, dim, s->a.graph->count - 1, s->b.graph->count - 1); /* their size: pass has been there */
  close_block(s, dim, end);
}

/* Slopes of a walk on an interval: at both ends, and between them no more than this and what the middle
 * coefficients say. */
static void note_slopes(dls_march *m, double length, double t, double rounding, double range[2])
{
  double c[4];
  widen(range, m->slope);
  dls_march_part(m, length / 3.0, t, c);
  const double middle = (c[2] - c[1]) * 3.0 / length, off = rounding * 3.0 / length;
  range[0] = dls_lower(range[0], dls_lower(m->slope, middle) - off);
  range[1] = dls_higher(range[1], dls_higher(m->slope, middle) + off);
}

static double rise_of(const dls_blocks *blocks, dls_span *block)
{
  const double rounding = SLOPE_ROUNDING * DBL_EPSILON * blocks->largest;
  double range[2] = {INFINITY, -INFINITY};
  if (!isnan(block->rise)) {
    return block->rise;
  }
  dls_march a = dls_march_in(blocks->graph[0], 0, block->piece[0], block->start);
  dls_march b = dls_march_in(blocks->graph[1], 0, block->piece[1], block->start);
  for (double t = block->start, next; t < block->end; t = next) {
    dls_march_follow(&a, t);
    dls_march_follow(&b, t);
    next = dls_lower(block->end, dls_lower(a.graph->t[a.piece + 1], b.graph->t[b.piece + 1]));
    note_slopes(&a, next - t, next, rounding, range);
    note_slopes(&b, next - t, next, rounding, range);
  }
  const double rise = range[0] > 0.0 ? range[0] : range[1] < 0.0 ? range[1] : 0.0;
  block->rise = rise * blocks->metric->time_scale / blocks->metric->value_scale;
  return block->rise;
}

/* The slope of the smaller size if both have one sign, else 0. */
static double common_rise(double p, double q)
{
  return p * q > 0.0 ? (fabs(p) < fabs(q) ? p : q) : 0.0;
}

/* Of block k, from its own slopes and those of its neighbours. */
static double sharp_bound(dls_blocks *blocks, size_t k)
{
  dls_span *block = blocks->block, *own = block + k;
  double rise = rise_of(blocks, own);
  size_t first = k, last = k;
  while (rise != 0.0) {
    const double slide = own->apart / (1.0 + fabs(rise)), time = slide * blocks->metric->time_scale;
    const bool before = own->start - block[first].start < time, after = block[last].end - own->end < time;
    if (!before && !after) {
      return slide;
    }
    const bool cut_off = (before && first == 0) || (after && last + 1 == blocks->count); /* no way around */
    if (cut_off || last - first > NEIGHBOURS) {
      break;
    }
    first -= before;
    last += after;
    rise = common_rise(rise, common_rise(rise_of(blocks, &block[first]), rise_of(blocks, &block[last])));
  }
  return own->apart;
}

double dls_blocks_bound(dls_blocks *blocks, size_t k)
{
  dls_span *block = &blocks->block[k];
  if (!block->sharp) {
    block->bound = sharp_bound(blocks, k);
    block->sharp = true;
  }
  return block->bound;
}

static bool cover_the_same_time(const dls_graph *a, const dls_graph *b)
{
  return a->t[0] == b->t[0] && a->t[a->count - 1] == b->t[b->count - 1] && a->t[0] < a->t[a->count - 1];
}

static side side_of(const dls_graph *graph, dls_march *at)
{
  for (size_t k = 0; k < graph->dim; k++) {
    at[k] = (dls_march){.graph = graph, .component = k};
  }
  return (side){.graph = graph, .at = at};
}

static void find_blocks(sweep *s, dls_blocks *blocks)
{
  const dls_graph *a = s->a.graph;
  const double end = a->t[a->count - 1], largest_time = dls_higher(fabs(a->t[0]), fabs(end));
  s->block = blocks->block;
  if (a->dim == 1) { /* inlined for the common case */
    run(s, 1, a->t[0], end);
  } else {
    run(s, a->dim, a->t[0], end);
  }
  for (size_t k = 0; s->stretches != NULL && k < a->dim; k++) {
    end_stretch(s, k, end);
  }
  blocks->largest = s->largest;
  blocks->rounding = dls_excess_rounding(dls_higher(s->largest / s->value_scale, largest_time / s->time_scale));
  blocks->count =
      s->largest < LARGEST && a->count + s->b.graph->count >= FEWEST ? (size_t)(s->block - blocks->block) : 0;
}

dls_status dls_blocks_create(const dls_graph *a, const dls_graph *b, const dls_metric *metric,
                             dls_stretches *stretches, dls_blocks *out, dls_error *err)
{
  *out = (dls_blocks){.graph = {a, b}, .metric = metric};
  if (!cover_the_same_time(a, b) || (stretches == NULL && a->count + b->count < FEWEST)) {
    return DLS_OK;
  }
  dls_march *at = malloc(2 * a->dim * sizeof *at);
  dls_stretch *now = malloc(a->dim * sizeof *now);
  const size_t nodes = a->count + b->count, most = nodes / BLOCKS < INTERVALS ? nodes / BLOCKS : INTERVALS;
  out->block = malloc((2 * nodes + 2) * sizeof *out->block); /* an interval, or a jump and what is behind it */
  bool there = at != NULL && now != NULL && out->block != NULL;
  if (there) {
    sweep s = {.a = side_of(a, at),
               .b = side_of(b, at + a->dim),
               .time_scale = metric->time_scale,
               .value_scale = metric->value_scale,
               .stretches = stretches,
               .now = now,
               .most = most > 0 ? most : 1};
    for (size_t k = 0; k < a->dim; k++) {
      now[k] = (dls_stretch){.piece = SIZE_MAX};
    }
    find_blocks(&s, out);
    there = stretches == NULL || !stretches->starved;
  }
  free(at);
  free(now);
  if (!there) {
    dls_blocks_free(out);
  }
  return there ? DLS_OK
               : dls_fail(err, DLS_ERR_MEMORY, "no memory to compare graphs of %zu and %zu nodes", a->count,
                          b->count);
}

void dls_blocks_free(dls_blocks *blocks)
{
  free(blocks->block);
  *blocks = (dls_blocks){0};
}
