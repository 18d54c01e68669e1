/* analytic/distance/interval_bounds.c -- bounds of the distance from one sweep along both graphs a, b (own derivations).
 *
 * A point of a graph is at most as far from the other graph as the two are at its time. At jumps, the points of the two vertical
 * segments are paired linearly, so that the limits on both sides bound the distance:
 *   h_k <= max over block k of |a(t-) - b(t-)|/xi, |a(t+) - b(t+)|/xi                                                    (1)
 * Steep graphs are closer. In scaled coordinates, let a scalar graph be at x + w at time t, and let all its slopes on
 * [t - d, t + d] have one sign and be at least P in magnitude. Then within d of t it reaches x + w - P d = x + d, so
 *   h_k <= d = w/(1 + P)                                                                                                 (2)
 * From the jump of one scalar graph to that of the other, each filled-in graph takes all values between its limits. So
 *   h_k <= max(duration of the block/tau, excess of the values of one graph over those of the other/xi)                  (3)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/interval_bounds.h"
#include "analytic/distance/batch.h"
#include "analytic/distance/excess.h"
#include <float.h>
#include <stdint.h>
#include <stdlib.h>

enum {
  INTERVALS = 16,  /* in a block of long graphs */
  BLOCKS = 512,    /* at least so many blocks, or fewer intervals per block */
  JUMP_WAIT = 32,  /* intervals within which a jump of one graph is paired with one of the other for (3) */
  FEWEST = 64,     /* nodes of both graphs below which blocks do not pay */
  NEIGHBOURS = 64, /* blocks on either side whose slopes are used */
};
#define SLOPE_ROUNDING 32.0 /* rounding of a difference of neighbours [ulp of the largest coefficient] */
#define LARGEST 1e300       /* coefficients whose differences do not overflow */

/* One of the graphs around a jump. */
typedef struct side {
  double left;     /* left limit of a scalar graph at the current time */
  bool jumped;     /* in this block */
  double value[2]; /* least and largest limit of a scalar graph in this block of a jump */
  double hull[2];  /* least and largest of all its values there, by their coefficients */
} side;

typedef struct sweep {
  dls_batch batch;
  side a, b;
  double time_scale, value_scale, largest;
  double left_deviation; /* |a(t-) - b(t-)| of (1) */
  dls_time_block *block;
  size_t intervals, most; /* of it */
  dls_sign_intervals *sign_intervals;
  dls_sign_interval *now; /* dim: the current, unfinished ones */
  dls_march *march[2];    /* dim, of both graphs */
} sweep;

static inline void widen(double range[2], double x)
{
  range[0] = dls_lower(range[0], x);
  range[1] = dls_higher(range[1], x);
}

/* Values of a scalar graph on interval j, next to a jump, for (3); a cubic lies in the hull of its coefficients. */
static void note_values(side *f, const dls_course *course, size_t j)
{
  widen(f->value, course->c[0][j]);
  widen(f->value, course->c[3][j]);
  for (size_t l = 0; l < 4; l++) {
    widen(f->hull, course->c[l][j]);
  }
}

void dls_sign_intervals_free(dls_sign_intervals *sign_intervals)
{
  free(sign_intervals->part);
  *sign_intervals = (dls_sign_intervals){.deviation = sign_intervals->deviation};
}

/* @return room for one more; NULL if there is no memory */
static dls_sign_interval *next_sign_interval(dls_sign_intervals *all)
{
  if (all->count == all->room) {
    const size_t room = 2 * all->room + 64;
    dls_sign_interval *more = realloc(all->part, room * sizeof *more);
    all->out_of_memory = all->out_of_memory || more == NULL;
    if (more == NULL) {
      return NULL;
    }
    all->part = more;
    all->room = room;
  }
  return &all->part[all->count++];
}

/* A sign interval ends at t. Copied member by member, because it is kept in registers. */
static inline void end_sign_interval(dls_sign_intervals *all, const dls_sign_interval *now, double t)
{
  dls_sign_interval *out = now->piece != SIZE_MAX ? next_sign_interval(all) : NULL; /* else none has begun */
  if (out != NULL) {
    out->component = now->component;
    out->piece = now->piece;
    out->from = now->from;
    out->to = t;
    out->sign = now->sign;
    out->integral = now->integral;
    out->size = now->size;
    out->off = now->off;
  }
}

/* Mean of |a - b| on interval j, where its coefficients have both signs. @param[out] off  error bound */
static double mean_size(const dls_batch *batch, size_t j, double *off)
{
  double d[4];
  for (size_t l = 0; l < 4; l++) {
    d[l] = batch->a.c[l][j] - batch->b.c[l][j];
  }
  *off = 0.0;
  return dls_norm_mean_abs(d, DLS_NORM_ROUNDING * DBL_EPSILON * (batch->a.size[j] + batch->b.size[j]), off);
}

/* Extend the sign intervals of component k by the batch, for norm_l1_coarse.c: b is a coarse version of g with
 * |g - b| <= deviation.
 * Where |a - b| > deviation, a - g has the sign of a - b. */
static inline void note_differences(sweep *s, size_t k)
{
  const dls_batch *batch = &s->batch;
  dls_sign_intervals *all = s->sign_intervals;
  dls_sign_interval now = s->now[k];
  for (size_t j = 0; j < batch->count; j++) {
    const size_t piece = batch->b.piece[j];
    const double deviation = all->deviation[piece], from = batch->t[j], length = batch->t[j + 1] - from;
    const double least = batch->least[j], most = batch->most[j];
    const bool exact = deviation <= all->exact;
    const int sign = exact ? DLS_ABSOLUTE : (least > deviation) - (most < -deviation);
    double mean = batch->mean[j], off = 0.0;
    if (sign != now.sign || (piece != now.piece && !exact)) {
      end_sign_interval(all, &now, from);
      now = (dls_sign_interval){.component = k, .piece = piece, .from = from, .sign = sign};
    }
    if (exact) {
      mean = least < 0.0 && most > 0.0 ? mean_size(batch, j, &off) : fabs(mean);
      now.off += length * (deviation + off);
    }
    dls_sum_add(&now.integral, length * mean);
    now.size += length * (batch->a.size[j] + batch->b.size[j]);
  }
  s->now[k] = now;
}

/* Begin a block with interval j of the batch. */
static inline void begin_block(const dls_batch *batch, size_t j, double t, dls_time_block *block)
{
  block->start = t;
  block->piece[0] = batch->a.piece[j];
  block->piece[1] = batch->b.piece[j];
  block->deviation = 0.0;
  block->jumps = block->sharp = false;
}

static inline void open_block(sweep *s, double t, size_t j)
{
  begin_block(&s->batch, j, t, s->block);
  s->intervals = 0;
}

/* (3): excess of the values of f over those of g, which takes all values between its limits. */
static double beyond(const side *f, const side *g)
{
  return dls_higher(f->hull[1] - g->value[1], g->value[0] - f->hull[0]);
}

static inline void finish_block(const sweep *s, size_t dim, dls_time_block *block, double t, double deviation)
{
  block->end = t;
  block->rise = dim == 1 ? NAN : 0.0;
  block->deviation = block->bound = deviation / s->value_scale; /* (1) */
}

static inline void close_block(sweep *s, size_t dim, double t)
{
  dls_time_block *block = s->block++;
  finish_block(s, dim, block, t, block->deviation);
  if (block->jumps) {
    block->rise = 0.0;
  }
  if (dim == 1 && block->jumps && block->deviation < INFINITY) {
    const double gap = dls_higher(beyond(&s->a, &s->b), beyond(&s->b, &s->a)) / s->value_scale;
    block->deviation =
        dls_lower(block->deviation, dls_higher(gap, (t - block->start) / s->time_scale)); /* (3) */
    block->bound = block->deviation;
  }
}

static void begin_jump(side *f)
{
  f->jumped = false;
  f->value[0] = f->value[1] = f->hull[0] = f->hull[1] = f->left;
}

/* Begin a block with a jump, and with the limits before it. */
static void open_jump(sweep *s, size_t dim, double t, size_t j)
{
  if (s->intervals > 0) {
    close_block(s, dim, t);
  }
  open_block(s, t, j);
  s->block->jumps = true;
  s->block->deviation = s->left_deviation;
  begin_jump(&s->a);
  begin_jump(&s->b);
}

/* Right limits of both graphs after a jump: their distance, and the values of scalar graphs. */
typedef struct limits {
  double deviation, a, b;
} limits;

/* Jumps of either graph at the start of interval j, or at the end. With more than two nodes at one time, the middle ones belong to no
 * interval, and (1) does not hold. */
static void note_jumps(sweep *s, size_t dim, size_t j, limits right)
{
  const dls_batch *batch = &s->batch;
  if (!s->block->jumps) {
    open_jump(s, dim, batch->t[j], j < batch->count ? j : j - 1);
  }
  dls_time_block *block = s->block;
  const bool many = batch->a.jumps[j] == DLS_MANY || batch->b.jumps[j] == DLS_MANY;
  s->a.jumped = s->a.jumped || batch->a.jumps[j] > 0;
  s->b.jumped = s->b.jumped || batch->b.jumps[j] > 0;
  widen(s->a.value, right.a);
  widen(s->a.hull, right.a);
  widen(s->b.value, right.b);
  widen(s->b.hull, right.b);
  block->deviation = many ? INFINITY : dls_higher(block->deviation, right.deviation);
}

static inline bool is_full(const sweep *s)
{
  return s->block->jumps ? (s->a.jumped && s->b.jumped) || s->intervals >= JUMP_WAIT : s->intervals >= s->most;
}

/* The limits at node i of a and node j of b, which may belong to no interval. */
static limits limits_at(sweep *s, size_t dim, size_t i, size_t j)
{
  const double *a = s->batch.a.graph->x + i * dim, *b = s->batch.b.graph->x + j * dim;
  limits at = {.a = a[0], .b = b[0]};
  for (size_t k = 0; k < dim; k++) {
    at.deviation = dls_higher(at.deviation, fabs(a[k] - b[k]));
    s->largest = dls_higher(s->largest, dls_higher(fabs(a[k]), fabs(b[k])));
  }
  return at;
}

static inline void set_left(sweep *s, limits left)
{
  s->left_deviation = left.deviation;
  s->a.left = left.a;
  s->b.left = left.b;
}

static inline bool has_jumps(const dls_batch *batch, size_t j)
{
  return batch->a.jumps[j] + batch->b.jumps[j] > 0;
}

/* The limits at the end of interval j. */
static inline void leave(sweep *s, size_t dim, size_t j)
{
  const dls_batch *batch = &s->batch;
  set_left(s, (limits){dls_batch_last(batch, dim, j), batch->a.c[3][j], batch->b.c[3][j]});
}

/* Interval j of the batch. */
static inline void cross(sweep *s, size_t dim, size_t j)
{
  const dls_batch *batch = &s->batch;
  if (has_jumps(batch, j)) {
    note_jumps(s, dim, j, (limits){dls_batch_first(batch, dim, j), batch->a.c[0][j], batch->b.c[0][j]});
  }
  if (is_full(s)) {
    close_block(s, dim, batch->t[j]);
    open_block(s, batch->t[j], j);
  }
  s->block->deviation = dls_higher(s->block->deviation, batch->deviation[j]);
  if (dim == 1 && s->block->jumps) {
    note_values(&s->a, &batch->a, j);
    note_values(&s->b, &batch->b, j);
  }
  s->intervals++;
  leave(s, dim, j);
}

/* Process intervals from j on in blocks without jumps. @return the first remaining one */
static inline size_t cross_smooth(sweep *s, size_t dim, size_t j)
{
  const dls_batch *batch = &s->batch;
  const size_t first = j, most = s->most;
  dls_time_block *block = s->block;
  size_t intervals = s->intervals;
  double deviation = block->deviation;
  for (; j < batch->count && !has_jumps(batch, j); j++) {
    if (intervals >= most) {
      finish_block(s, dim, block++, batch->t[j], deviation);
      begin_block(batch, j, batch->t[j], block);
      intervals = 0;
      deviation = 0.0;
    }
    deviation = dls_higher(deviation, batch->deviation[j]);
    intervals++;
  }
  block->deviation = deviation;
  s->block = block;
  s->intervals = intervals;
  if (j > first) {
    leave(s, dim, j - 1);
  }
  return j;
}

static inline void run_batch(sweep *s, size_t dim)
{
  dls_batch *batch = &s->batch;
  double largest = s->largest;
  for (size_t k = 0; k < dim; k++) {
    dls_course_follow(batch, &batch->a, dim, &s->march[0][k]);
    dls_course_follow(batch, &batch->b, dim, &s->march[1][k]);
    dls_batch_subtract(batch, dim, k);
    for (size_t j = 0; j < batch->count; j++) {
      largest = dls_higher(largest, dls_higher(batch->a.size[j], batch->b.size[j]));
    }
    if (s->sign_intervals != NULL) {
      note_differences(s, k);
    }
  }
  s->largest = largest;
  for (size_t j = 0; j < batch->count;) {
    j = s->block->jumps ? j : cross_smooth(s, dim, j);
    if (j < batch->count) {
      cross(s, dim, j++);
    }
  }
}

static inline void run(sweep *s, size_t dim, double end)
{
  dls_batch *batch = &s->batch;
  set_left(s, limits_at(s, dim, 0, 0));
  for (bool first = true; dls_batch_next(batch, end); first = false) {
    if (first) {
      open_block(s, batch->t[0], 0);
    }
    run_batch(s, dim);
  }
  const limits last = limits_at(s, dim, batch->a.graph->count - 1, batch->b.graph->count - 1);
  if (batch->a.jumps[batch->count] + batch->b.jumps[batch->count] > 0) {
    note_jumps(s, dim, batch->count, last);
  }
  close_block(s, dim, end);
}

/* Range of slopes on an interval of length h. The derivative of a cubic has the Bernstein coefficients 3 (c_l+1 - c_l)/h, whose hull
 * contains it: the slopes at both ends, and that of the two middle coefficients. */
static void note_slopes(dls_march *m, double length, double t, double rounding, double range[2])
{
  double c[4];
  widen(range, m->slope);
  dls_march_part(m, length / 3.0, t, c);
  const double middle = (c[2] - c[1]) * 3.0 / length, off = rounding * 3.0 / length;
  range[0] = dls_lower(range[0], dls_lower(m->slope, middle) - off);
  range[1] = dls_higher(range[1], dls_higher(m->slope, middle) + off);
}

/* P of (2) for block k, with the common sign of both graphs; 0 if slopes have both signs. Scaled by tau/xi. */
static double rise_of(const dls_interval_bounds *bounds, dls_time_block *block)
{
  const double rounding = SLOPE_ROUNDING * DBL_EPSILON * bounds->largest;
  double range[2] = {INFINITY, -INFINITY};
  if (!isnan(block->rise)) {
    return block->rise;
  }
  dls_march a = dls_march_in(bounds->graph[0], 0, block->piece[0], block->start);
  dls_march b = dls_march_in(bounds->graph[1], 0, block->piece[1], block->start);
  for (double t = block->start, next; t < block->end; t = next) {
    dls_march_follow(&a, t);
    dls_march_follow(&b, t);
    next = dls_lower(block->end, dls_lower(a.graph->t[a.piece + 1], b.graph->t[b.piece + 1]));
    note_slopes(&a, next - t, next, rounding, range);
    note_slopes(&b, next - t, next, rounding, range);
  }
  const double rise = range[0] > 0.0 ? range[0] : range[1] < 0.0 ? range[1] : 0.0;
  block->rise = rise * bounds->metric->time_scale / bounds->metric->value_scale;
  return block->rise;
}

/* P of two blocks together: the slope of smaller magnitude if both have one sign, else 0. */
static double common_rise(double p, double q)
{
  return p * q > 0.0 ? (fabs(p) < fabs(q) ? p : q) : 0.0;
}

/* Bound (2) of block k: P is taken over its neighbours within d, which are added until they cover [t - d, t + d]. */
static double sharp_bound(dls_interval_bounds *bounds, size_t k)
{
  dls_time_block *block = bounds->block, *own = block + k;
  double rise = rise_of(bounds, own);
  size_t first = k, last = k;
  while (rise != 0.0) {
    const double slide = own->deviation / (1.0 + fabs(rise)); /* d of (2) */
    const double time = slide * bounds->metric->time_scale;
    const bool before = own->start - block[first].start < time, after = block[last].end - own->end < time;
    if (!before && !after) {
      return slide;
    }
    const bool cut_off = (before && first == 0) || (after && last + 1 == bounds->count); /* the graph ends */
    if (cut_off || last - first > NEIGHBOURS) {
      break;
    }
    first -= before;
    last += after;
    rise = common_rise(rise, common_rise(rise_of(bounds, &block[first]), rise_of(bounds, &block[last])));
  }
  return own->deviation;
}

double dls_interval_bounds_sharpen(dls_interval_bounds *bounds, size_t k)
{
  dls_time_block *block = &bounds->block[k];
  if (!block->sharp) {
    block->bound = sharp_bound(bounds, k);
    block->sharp = true;
  }
  return block->bound;
}

static bool cover_the_same_time(const dls_graph *a, const dls_graph *b)
{
  return a->t[0] == b->t[0] && a->t[a->count - 1] == b->t[b->count - 1] && a->t[0] < a->t[a->count - 1];
}

static void find_bounds(sweep *s, const dls_graph *a, const dls_graph *b, dls_interval_bounds *bounds)
{
  const double end = a->t[a->count - 1], largest_time = dls_higher(fabs(a->t[0]), fabs(end));
  for (size_t k = 0; k < a->dim; k++) {
    s->march[0][k] = (dls_march){.graph = a, .component = k, .piece = SIZE_MAX};
    s->march[1][k] = (dls_march){.graph = b, .component = k, .piece = SIZE_MAX};
    s->now[k] = (dls_sign_interval){.piece = SIZE_MAX};
  }
  s->block = bounds->block;
  dls_batch_begin(&s->batch, a, b);
  if (a->dim == 1) { /* inlined for the common case */
    run(s, 1, end);
  } else {
    run(s, a->dim, end);
  }
  for (size_t k = 0; s->sign_intervals != NULL && k < a->dim; k++) {
    end_sign_interval(s->sign_intervals, &s->now[k], end);
  }
  bounds->largest = s->largest;
  bounds->rounding = dls_excess_rounding(dls_higher(s->largest / s->value_scale, largest_time / s->time_scale));
  bounds->count =
      s->largest < LARGEST && a->count + b->count >= FEWEST ? (size_t)(s->block - bounds->block) : 0;
}

dls_status dls_interval_bounds_create(const dls_graph *a, const dls_graph *b, const dls_metric *metric,
                                      dls_sign_intervals *sign_intervals, dls_interval_bounds *out,
                                      dls_error *err)
{
  *out = (dls_interval_bounds){.graph = {a, b}, .metric = metric};
  if (!cover_the_same_time(a, b) || (sign_intervals == NULL && a->count + b->count < FEWEST)) {
    return DLS_OK;
  }
  dls_march *at = malloc(2 * a->dim * sizeof *at);
  dls_sign_interval *now = malloc(a->dim * sizeof *now);
  const size_t nodes = a->count + b->count, most = nodes / BLOCKS < INTERVALS ? nodes / BLOCKS : INTERVALS;
  out->block = malloc((2 * nodes + 2) * sizeof *out->block); /* an interval, or a jump and what follows it */
  bool there = at != NULL && now != NULL && out->block != NULL;
  if (there) {
    sweep s;
    s.time_scale = metric->time_scale;
    s.value_scale = metric->value_scale;
    s.largest = 0.0;
    s.sign_intervals = sign_intervals;
    s.now = now;
    s.march[0] = at;
    s.march[1] = at + a->dim;
    s.most = most > 0 ? most : 1;
    find_bounds(&s, a, b, out);
    there = sign_intervals == NULL || !sign_intervals->out_of_memory;
  }
  free(at);
  free(now);
  if (!there) {
    dls_interval_bounds_free(out);
  }
  return there ? DLS_OK
               : dls_fail(err, DLS_ERR_MEMORY, "no memory to compare graphs of %zu and %zu nodes", a->count,
                          b->count);
}

void dls_interval_bounds_free(dls_interval_bounds *bounds)
{
  free(bounds->block);
  *bounds = (dls_interval_bounds){0};
}
