/* analytic/distance/hausdorff.c -- Hausdorff distance of two filled-in graphs.
 *
 * The distance is decided in a few places: where a graph jumps, and where the error is largest. Blocks of intervals that
 * cannot exceed the distance found so far are left out; the others are flattened, with as much of the graphs around them
 * as is within reach, and covered by a walk. Where most blocks remain the graphs are flattened and covered as a whole.
 * Source: Acary, lecture, eqs. (44)-(47); Moreau 1978.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/blocks.h"
#include "analytic/distance/chords.h"
#include "analytic/graph/piece.h"
#include <stdlib.h>

enum {
  LONGEST = 64, /* blocks of a window */
  GROWTH = 4,   /* of the margin of a window that turns out too small */
};
#define FIRST 1e-3 /* of all the time: the margin of the first window if that is an instant */
#define LONG 0.25  /* windows that a piece may reach beyond its window */

/* What is known of the distance of two graphs: lower <= it, and no point covered so far is farther than upper. */
typedef struct comparison {
  const dls_graph *a, *b;
  const dls_metric *metric;
  double low; /* distance that was found, to the accuracy of the chords it was found with */
  double lower, upper;
  double *point; /* scratch */
} comparison;

/* A span of time, and the parts of both graphs around it; all scaled but the graphs. */
typedef struct window {
  double core[2], most; /* no distance in it is larger than `most` */
  dls_graph a, b;
  double inside[2]; /* points between these times have everything within reach in the parts */
} window;

/* A window to be covered. */
typedef struct covering {
  const window *window;
  double *point; /* scratch */
} covering;

static dls_status cover(void *data, const dls_polyline *a, const dls_polyline *b, dls_excess *e, dls_error *err)
{
  const covering *c = data;
  (void)err;
  dls_excess_both_ways(a, b, c->window->core, c->point, e);
  const double *inside = c->window->inside;
  if (!(e->walked[0] - e->reach >= inside[0] && e->walked[1] + e->reach <= inside[1])) {
    e->reach = INFINITY;
  }
  return DLS_OK;
}

/* Distances of the core of a window. @param[out] out  bound INFINITY if the parts of the graphs are too short */
static dls_status measure_window(const comparison *c, const window *w, dls_measure *out, dls_error *err)
{
  covering span = {w, c->point};
  return dls_chords_measure(&w->a, &w->b, c->metric, c->low, w->most, cover, &span, out, err);
}

static void note(comparison *c, const dls_measure *m)
{
  c->upper = fmax(c->upper, m->value + m->bound);
  if (m->value > c->low || c->lower == -INFINITY) {
    c->low = m->value;
    c->lower = m->value - m->bound;
  }
}

/* --- windows --- */

/* The nodes of a graph around [from, to]; *outside: the scaled times that it leaves out begin there. */
static dls_graph part(const dls_graph *g, double tau, double from, double to, double inside[2])
{
  size_t first = dls_graph_search(g, from * tau, false), end = dls_graph_search(g, to * tau, true);
  first -= first > 0;
  end += end < g->count;
  inside[0] = first > 0 ? fmax(inside[0], g->t[first] / tau) : inside[0];
  inside[1] = end < g->count ? fmin(inside[1], g->t[end - 1] / tau) : inside[1];
  return (dls_graph){.count = end - first,
                     .dim = g->dim,
                     .t = g->t + first,
                     .x = g->x + first * g->dim,
                     .slope = g->slope != NULL ? g->slope + first * g->dim : NULL};
}

/* The part of a graph in [from, to]: cut there where it would reach far beyond, else up to the next nodes.
 * @param[out] cut  what was made for it, or NULL */
static dls_status take_part(const dls_graph *g, double tau, double from, double to, window *w, dls_graph *out,
                            dls_graph **cut, dls_error *err)
{
  const double far = LONG * (to - from) * tau;
  double inside[2] = {-INFINITY, INFINITY};
  *cut = NULL;
  *out = part(g, tau, from, to, inside);
  if (from * tau - out->t[0] > far || out->t[out->count - 1] - to * tau > far) {
    const dls_status status = dls_graph_clip(out, from * tau, to * tau, cut, err);
    if (status != DLS_OK) {
      return status;
    }
    *out = **cut;
    inside[0] = out->t[0] > g->t[0] ? out->t[0] / tau : -INFINITY;
    inside[1] = out->t[out->count - 1] < g->t[g->count - 1] ? out->t[out->count - 1] / tau : INFINITY;
  }
  w->inside[0] = fmax(w->inside[0], inside[0]);
  w->inside[1] = fmin(w->inside[1], inside[1]);
  return DLS_OK;
}

/* The core of a window, with a margin around it. @param[in,out] work  nodes looked at */
static dls_status measure_around(const comparison *c, window *w, double margin, size_t *work, dls_measure *m,
                                 dls_error *err)
{
  const double tau = c->metric->time_scale, from = w->core[0] - margin, to = w->core[1] + margin;
  dls_graph *cut[2] = {NULL, NULL};
  w->inside[0] = -INFINITY;
  w->inside[1] = INFINITY;
  dls_status status = take_part(c->a, tau, from, to, w, &w->a, &cut[0], err);
  status = status != DLS_OK ? status : take_part(c->b, tau, from, to, w, &w->b, &cut[1], err);
  if (status == DLS_OK) {
    *work += w->a.count + w->b.count;
    status = measure_window(c, w, m, err);
  }
  dls_graph_destroy(cut[0]);
  dls_graph_destroy(cut[1]);
  return status;
}

/* @param[in,out] work  nodes looked at */
static dls_status measure_span(comparison *c, double from, double to, double most, size_t *work, dls_error *err)
{
  window w = {.core = {from, to}, .most = most};
  dls_measure m = {.bound = INFINITY};
  dls_status status = DLS_OK;
  const double near = 2.0 * c->low + (to - from),
               all = (c->a->t[c->a->count - 1] - c->a->t[0]) / c->metric->time_scale;
  for (double margin = near > 0.0 ? near : FIRST * all; status == DLS_OK && m.bound == INFINITY;
       margin *= GROWTH) {
    status = measure_around(c, &w, margin, work, &m, err);
  }
  if (status == DLS_OK) {
    note(c, &m);
  }
  return status;
}

/* Blocks up to here need not be looked at. */
static double enough(const comparison *c, const dls_blocks *blocks)
{
  return c->low + fmax(0.5 * c->metric->accuracy * c->low, blocks->rounding);
}

/* The block that may be farthest; those of which nothing is known are last. */
static const dls_block *farthest(const dls_blocks *blocks)
{
  const dls_block *best = blocks->block;
  for (size_t k = 1; k < blocks->count; k++) {
    const double bound = blocks->block[k].bound;
    best = bound < INFINITY && (isinf(best->bound) || bound > best->bound) ? &blocks->block[k] : best;
  }
  return best;
}

static size_t count_far(const comparison *c, const dls_blocks *blocks)
{
  size_t count = 0;
  for (size_t k = 0; k < blocks->count; k++) {
    count += !(blocks->block[k].bound <= enough(c, blocks));
  }
  return count;
}

/* All blocks that may be farther than what is known, neighbours together. @return false if that is too much work */
static bool measure_far_blocks(comparison *c, const dls_blocks *blocks, dls_status *status, dls_error *err)
{
  size_t work = 0;
  const size_t most = c->a->count + c->b->count;
  for (size_t k = 0; k < blocks->count && *status == DLS_OK && work <= most; k++) {
    const dls_block *block = &blocks->block[k];
    double bound = block->bound;
    if (bound <= enough(c, blocks)) {
      continue;
    }
    for (size_t n = 1; n < LONGEST && k + 1 < blocks->count && !(block[n].bound <= enough(c, blocks)); n++) {
      bound = fmax(bound, block[n].bound);
      k++;
    }
    *status = measure_span(c, block->start, blocks->block[k].end, bound, &work, err);
  }
  return work <= most;
}

/* @param[out] done  false if the graphs must be measured as a whole */
static dls_status measure_by_blocks(comparison *c, bool *done, dls_error *err)
{
  dls_blocks blocks;
  size_t work = 0;
  dls_status status = dls_blocks_create(c->a, c->b, c->metric, &blocks, err);
  *done = status == DLS_OK && blocks.count > 0;
  if (*done) {
    const dls_block *first = farthest(&blocks);
    status = measure_span(c, first->start, first->end, first->bound, &work, err);
    *done = status == DLS_OK && 2 * count_far(c, &blocks) <= blocks.count;
  }
  if (*done) {
    *done = measure_far_blocks(c, &blocks, &status, err);
    c->upper = fmax(c->upper, enough(c, &blocks) + blocks.rounding);
  }
  dls_blocks_free(&blocks);
  return status;
}

static dls_status measure_whole(comparison *c, dls_error *err)
{
  const window w = {
      .core = {-INFINITY, INFINITY}, .most = INFINITY, .a = *c->a, .b = *c->b, .inside = {-INFINITY, INFINITY}};
  dls_measure m;
  c->low = 0.0;
  c->lower = c->upper = -INFINITY;
  const dls_status status = measure_window(c, &w, &m, err);
  if (status == DLS_OK) {
    note(c, &m);
  }
  return status;
}

dls_status dls_hausdorff(const dls_graph *a, const dls_graph *b, const dls_metric *metric, dls_measure *out,
                         dls_error *err)
{
  dls_status status = dls_graph_check_pair(a, b, metric, err);
  if (status != DLS_OK) {
    return status;
  }
  comparison c = {.a = a, .b = b, .metric = metric, .lower = -INFINITY, .upper = -INFINITY};
  c.point = malloc((a->dim + 1) * sizeof *c.point);
  if (c.point == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a point of %zu coordinates", a->dim + 1);
  }
  bool done = false;
  status = measure_by_blocks(&c, &done, err);
  if (status == DLS_OK && !done) {
    status = measure_whole(&c, err);
  }
  if (status == DLS_OK) {
    *out = (dls_measure){.value = c.low, .bound = fmax(c.upper - c.low, c.low - c.lower)};
  }
  free(c.point);
  return status;
}
