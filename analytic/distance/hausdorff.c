/* analytic/distance/hausdorff.c -- Hausdorff distance of two filled-in graphs A, B (lecture, eqs. (44)-(47)):
 *   d((t,x), (s,y)) = max(|t - s|/tau, |x - y|/xi),   h = max(sup_A inf_B d, sup_B inf_A d)                            (1)
 * A few places determine h: jumps, and the largest errors. Let h_k be the largest distance of a point of either graph in block k
 * of time from the other graph. Then (own derivation)
 *   h = max_k h_k,   h_k <= bound_k of interval_bounds.c                                                                (2)
 * so blocks with bound_k <= low <= h need not be measured. A point at distance r has its nearest point within tau r of its time, so
 *   h_k depends only on the graphs in [start_k - tau r, end_k + tau r] for any r >= h_k                                 (3)
 * and only these parts are flattened and covered by a traversal. If most blocks remain, the graphs are covered as a whole.
 * Source: Acary, lecture, eqs. (44)-(47); Moreau 1978.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/chords.h"
#include "analytic/distance/interval_bounds.h"
#include "analytic/graph/piece.h"
#include "common/base/larger.h"
#include <stdlib.h>

enum {
  LONGEST = 64,        /* blocks of a window, at most */
  GROWTH = 4,          /* factor of the margin of a window that is too small */
  OF_A_PART = 2000000, /* coordinates of vertices that flattening may add to one of many parts of a graph */
};
#define FIRST 1e-3 /* fraction of the total time: margin of the first window if that is an instant */
#define LONG 0.25  /* a piece may extend beyond its window by this fraction of the window */

typedef struct hausdorff {
  const dls_graph *a, *b;
  const dls_metric *metric;
  double core[2], ends[2]; /* dls_extent, scaled */
  dls_found found;
  bool beyond_ends; /* the nearest point of the other graph may lie beyond the ends */
  double *point;    /* scratch */
  dls_chords *chords;
} hausdorff;

/* A span of time, and the parts of both graphs around it. All members except the graphs are scaled. */
typedef struct window {
  double core[2], most; /* no distance in it is larger than `most` */
  dls_graph a, b;
  double inside[2]; /* for points between these times, everything within reach lies in the parts */
} window;

/* A window to be covered. */
typedef struct covering {
  const window *window;
  double *point; /* scratch */
} covering;

/* The excess both ways of (1) in the core of a window, if the window satisfies (3) with r = reach. */
static dls_status cover(void *data, const dls_polyline *a, const dls_polyline *b, dls_excess *e, dls_error *err)
{
  const covering *c = data;
  (void)err;
  dls_excess_both_ways(a, b, c->window->core, c->point, e);
  const double *inside = c->window->inside;
  if (!(e->covered[0] - e->reach >= inside[0] && e->covered[1] + e->reach <= inside[1])) {
    e->reach = INFINITY; /* (3) is violated */
  }
  return DLS_OK;
}

/* Measure the core of a window. @param[out] out bound = INFINITY if the parts of the graphs are too short */
static dls_status measure_window(const hausdorff *c, const window *w, dls_measure *out, dls_error *err)
{
  covering span = {w, c->point};
  return dls_chords_measure(&w->a, &w->b, c->metric, c->found.low, w->most, cover, &span, c->chords, out, err);
}

/* Update the maximum of (2) and its bounds by one window: |h_k - value| <= bound. */
static void note(hausdorff *c, const dls_measure *m)
{
  if (m->bound == INFINITY) {
    c->beyond_ends = true;
    return;
  }
  c->found.upper = dls_larger(c->found.upper, m->value + m->bound);
  if (m->value > c->found.low || c->found.lower == -INFINITY) {
    c->found.low = m->value;
    c->found.lower = m->value - m->bound;
  }
}

/* --- windows --- */

/* The part of a graph in [from, to], extended to the next nodes, or cut if they are far away.
 * @param[out] cut  the graph that owns the part, or NULL */
static dls_status take_part(const dls_graph *g, double tau, double from, double to, window *w, dls_graph *out,
                            dls_graph **cut, dls_error *err)
{
  const double far = LONG * (to - from) * tau;
  double inside[2] = {w->inside[0], w->inside[1]};
  *cut = NULL;
  *out = dls_graph_around(g, from * tau, to * tau);
  inside[0] = out->t > g->t ? fmax(inside[0], out->t[0] / tau) : inside[0];
  inside[1] = out->t + out->count < g->t + g->count ? fmin(inside[1], out->t[out->count - 1] / tau) : inside[1];
  if (from * tau - out->t[0] > far || out->t[out->count - 1] - to * tau > far) {
    const dls_status status = dls_graph_clip(out, from * tau, to * tau, cut, err);
    if (status != DLS_OK) {
      return status;
    }
    *out = **cut;
    inside[0] = out->t[0] > g->t[0] ? out->t[0] / tau : w->inside[0];
    inside[1] = out->t[out->count - 1] < g->t[g->count - 1] ? out->t[out->count - 1] / tau : w->inside[1];
  }
  w->inside[0] = fmax(w->inside[0], inside[0]);
  w->inside[1] = fmin(w->inside[1], inside[1]);
  return DLS_OK;
}

/* Measure the core of a window with a margin. @param[in,out] work number of nodes processed */
static dls_status measure_around(const hausdorff *c, window *w, double margin, size_t *work, dls_measure *m,
                                 dls_error *err)
{
  const double tau = c->metric->time_scale, from = w->core[0] - margin, to = w->core[1] + margin;
  dls_graph *cut[2] = {NULL, NULL};
  w->inside[0] = c->ends[0];
  w->inside[1] = c->ends[1];
  dls_status status = take_part(c->a, tau, from, to, w, &w->a, &cut[0], err);
  if (status == DLS_OK) {
    status = take_part(c->b, tau, from, to, w, &w->b, &cut[1], err);
  }
  if (status == DLS_OK) {
    *work += w->a.count + w->b.count;
    status = measure_window(c, w, m, err);
  }
  dls_graph_destroy(cut[0]);
  dls_graph_destroy(cut[1]);
  return status;
}

/* Measure h_k of the blocks from first to last: the margin of (3) grows until it suffices.
 * @param[in,out] work number of nodes processed */
static dls_status measure_span(hausdorff *c, const dls_time_block *first, const dls_time_block *last,
                               double most, size_t *work, dls_error *err)
{
  const double tau = c->metric->time_scale;
  window w = {.core = {first->start / tau, last->end / tau}, .most = most};
  dls_measure m = {.bound = INFINITY};
  dls_status status = DLS_OK;
  const double begin = c->a->t[0] / tau, all = c->a->t[c->a->count - 1] / tau - begin;
  const double known = c->found.low > 0.0 ? fmin(2.0 * c->found.low, fmax(c->found.low, most))
                       : most < INFINITY  ? most
                                          : FIRST * all;
  const double ends =
      fmax(first->end - first->start, last->end - last->start) / tau;   /* segments extend beyond the core */
  const double near = (1.0 + 2.0 * c->metric->accuracy) * known + ends; /* r of (3) with its measuring error */
  bool more = true; /* the window does not yet contain both graphs */
  for (double margin = near > 0.0 ? near : FIRST * all; status == DLS_OK && m.bound == INFINITY && more;
       margin *= GROWTH) {
    more = w.core[0] - margin > begin || w.core[1] + margin < begin + all;
    status = measure_around(c, &w, margin, work, &m, err);
  }
  if (status == DLS_OK) {
    note(c, &m);
  }
  return status;
}

/* Blocks with bound_k of (2) up to this are skipped: low plus half of the accuracy, or rounding. */
static double enough(const hausdorff *c, const dls_interval_bounds *bounds)
{
  return c->found.low + fmax(0.5 * c->metric->accuracy * c->found.low, bounds->rounding);
}

/* bound_k of (2), sharpened if it would exceed `least`. */
static inline double bound_of(dls_interval_bounds *bounds, size_t k, double least)
{
  const double bound = bounds->block[k].bound;
  return bound <= least ? bound : dls_interval_bounds_sharpen(bounds, k);
}

/* The block with the largest bound; blocks with an infinite bound come last. */
static size_t farthest(dls_interval_bounds *bounds)
{
  size_t best = 0;
  double most = -1.0;
  for (int sharp = 0; sharp < 2; sharp++) { /* first the blocks whose bounds are final */
    for (size_t k = 0; k < bounds->count; k++) {
      const double bound = sharp || bounds->block[k].rise == 0.0 ? bound_of(bounds, k, most) : INFINITY;
      const bool more = bound < INFINITY && bound > most;
      best = more ? k : best;
      most = more ? bound : most;
    }
  }
  return best;
}

/* --- blocks that may exceed the distance found so far --- */

typedef struct far_block {
  size_t k;
  double bound;
} far_block;

static bool may_be_far(const dls_time_block *block, double least)
{
  return !block->covered && !(block->bound <= least);
}

/* Largest bounds first, infinite ones last. */
static int compare_far(const void *a, const void *b)
{
  const far_block *x = a, *y = b;
  const double p = isinf(x->bound) ? -1.0 : x->bound, q = isinf(y->bound) ? -1.0 : y->bound;
  return p != q ? (p < q) - (p > q) : (x->k > y->k) - (x->k < y->k);
}

/* Blocks that must be measured. @param[out] list  room for all blocks. @return their number */
static size_t list_far(const hausdorff *c, dls_interval_bounds *bounds, far_block *list)
{
  size_t count = 0;
  const double least = enough(c, bounds);
  for (size_t k = 0; k < bounds->count; k++) {
    list[count] = (far_block){k, bound_of(bounds, k, least)};
    count += may_be_far(&bounds->block[k], least);
  }
  qsort(list, count, sizeof *list, compare_far);
  return count;
}

/* Measure block k together with neighbours that may also exceed the distance, at most LONGEST. */
static dls_status measure_with_neighbours(hausdorff *c, dls_interval_bounds *bounds, size_t k, size_t *work,
                                          dls_error *err)
{
  dls_time_block *block = bounds->block;
  const double least = enough(c, bounds);
  double most = block[k].bound;
  size_t first = k, last = k;
  while (first > 0 && last - first + 1 < LONGEST && may_be_far(&block[first - 1], least)) {
    most = fmax(most, block[--first].bound);
  }
  while (last + 1 < bounds->count && last - first + 1 < LONGEST && may_be_far(&block[last + 1], least)) {
    most = fmax(most, block[++last].bound);
  }
  const dls_status status = measure_span(c, &block[first], &block[last], most, work, err);
  for (size_t i = first; i <= last; i++) {
    block[i].covered = true;
  }
  return status;
}

/* Measure all blocks that may exceed the distance. @param[out] done  false if that costs more than the whole graphs */
static dls_status measure_far_intervals(hausdorff *c, dls_interval_bounds *bounds, bool *done, dls_error *err)
{
  size_t work = 0;
  const size_t most = c->a->count + c->b->count;
  far_block *list = malloc(bounds->count * sizeof *list);
  if (list == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a list of %zu spans of time", bounds->count);
  }
  dls_status status = DLS_OK;
  const size_t count = list_far(c, bounds, list);
  *done = 2 * count <= bounds->count;
  for (size_t i = 0; i < count && status == DLS_OK && *done && !c->beyond_ends; i++) {
    if (may_be_far(&bounds->block[list[i].k], enough(c, bounds))) {
      status = measure_with_neighbours(c, bounds, list[i].k, &work, err);
      *done = work <= most;
    }
  }
  free(list);
  return status;
}

/* Measure the block with the largest bound first. */
static dls_status measure_farthest(hausdorff *c, dls_interval_bounds *bounds, size_t *work, dls_error *err)
{
  dls_time_block *first = &bounds->block[farthest(bounds)];
  first->covered = true;
  return measure_span(c, first, first, first->bound, work, err);
}

static dls_status measure_by_intervals(hausdorff *c, dls_interval_bounds *bounds, bool *done, dls_error *err)
{
  size_t work = 0;
  for (size_t k = 0; k < bounds->count; k++) {
    bounds->block[k].covered = false;
  }
  dls_status status = c->found.lower == -INFINITY ? measure_farthest(c, bounds, &work, err)
                                                  : DLS_OK; /* else earlier parts have set it */
  if (status == DLS_OK) {
    status = measure_far_intervals(c, bounds, done, err);
    c->found.upper =
        dls_larger(c->found.upper, enough(c, bounds) + bounds->rounding); /* (2): the skipped blocks */
  }
  return status;
}

/* Measure all blocks in one window; for one of many parts with the smallest margin that the bounds allow. */
static dls_status measure_core(hausdorff *c, dls_interval_bounds *bounds, dls_error *err)
{
  size_t work = 0;
  double most = 0.0;
  for (size_t k = 0; k < bounds->count; k++) {
    most = dls_higher(most, dls_interval_bounds_sharpen(bounds, k));
  }
  return measure_span(c, &bounds->block[0], &bounds->block[bounds->count - 1], most, &work, err);
}

/* (1) without blocks. */
static dls_status measure_whole(hausdorff *c, dls_error *err)
{
  const window w = {.core = {c->core[0], c->core[1]},
                    .most = INFINITY,
                    .a = *c->a,
                    .b = *c->b,
                    .inside = {c->ends[0], c->ends[1]}};
  dls_measure m;
  const dls_status status = measure_window(c, &w, &m, err);
  if (status == DLS_OK) {
    note(c, &m);
  }
  return status;
}

const dls_found dls_found_nothing = {.lower = -INFINITY, .upper = -INFINITY};

dls_measure dls_found_measure(const dls_found *found)
{
  return (dls_measure){.value = found->low,
                       .bound = fmax(found->upper - found->low, found->low - found->lower)};
}

/* The distance of the points in the core. @param[in] extent  in seconds */
static dls_status measure(const dls_graph *a, const dls_graph *b, const dls_metric *metric,
                          const dls_extent *extent, dls_interval_bounds *bounds, dls_found *found,
                          bool *beyond_ends, dls_error *err)
{
  const double tau = metric->time_scale;
  const bool open = isfinite(extent->ends[0]) || isfinite(extent->ends[1]); /* one of many parts */
  dls_chords chords = {.most = open ? OF_A_PART : 0};
  hausdorff c = {.a = a,
                 .b = b,
                 .metric = metric,
                 .core = {extent->core[0] / tau, extent->core[1] / tau},
                 .ends = {extent->ends[0] / tau, extent->ends[1] / tau},
                 .found = *found,
                 .chords = &chords};
  c.point = malloc((a->dim + 1) * sizeof *c.point);
  if (c.point == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a point of %zu coordinates", a->dim + 1);
  }
  bool done = false;
  dls_status status = bounds->count > 0 ? measure_by_intervals(&c, bounds, &done, err) : DLS_OK;
  if (status == DLS_OK && !done && !c.beyond_ends) {
    c.found = open && bounds->count > 0 ? c.found : *found;
    status = open && bounds->count > 0 ? measure_core(&c, bounds, err) : measure_whole(&c, err);
  }
  *found = c.found;
  *beyond_ends = c.beyond_ends;
  dls_chords_free(&chords);
  free(c.point);
  return status;
}

static const dls_extent everything = {{-INFINITY, INFINITY}, {-INFINITY, INFINITY}};

dls_status dls_hausdorff_by_intervals(const dls_graph *a, const dls_graph *b, const dls_metric *metric,
                                      dls_interval_bounds *bounds, dls_measure *out, dls_error *err)
{
  dls_found found = dls_found_nothing;
  bool beyond_ends = false;
  const dls_status status = measure(a, b, metric, &everything, bounds, &found, &beyond_ends, err);
  if (status == DLS_OK) {
    *out = dls_found_measure(&found);
  }
  return status;
}

/* A view of the nodes in the core. */
static dls_graph core_of(const dls_graph *g, const double core[2])
{
  const size_t first = dls_graph_search(g, core[0], false), end = dls_graph_search(g, core[1], true);
  return dls_graph_view(g, first, end);
}

dls_status dls_hausdorff_part(const dls_graph *a, const dls_graph *b, const dls_metric *metric,
                              const dls_extent *extent, dls_found *found, bool *beyond_ends, dls_error *err)
{
  const dls_graph a_core = core_of(a, extent->core), b_core = core_of(b, extent->core);
  dls_interval_bounds bounds = {0};
  dls_status status = dls_interval_bounds_create(&a_core, &b_core, metric, NULL, &bounds, err);
  if (status == DLS_OK) {
    status = measure(a, b, metric, extent, &bounds, found, beyond_ends, err);
  }
  dls_interval_bounds_free(&bounds);
  return status;
}

dls_status dls_hausdorff(const dls_graph *a, const dls_graph *b, const dls_metric *metric, dls_measure *out,
                         dls_error *err)
{
  dls_found found = dls_found_nothing;
  bool beyond_ends = false;
  dls_status status = dls_graph_check_pair(a, b, metric, err);
  if (status == DLS_OK) {
    status = dls_hausdorff_part(a, b, metric, &everything, &found, &beyond_ends, err);
  }
  if (status == DLS_OK) {
    *out = dls_found_measure(&found);
  }
  return status;
}
