/* analytic/distance/streaming.c -- errors of a graph that arrives in parts.
 *
 * Integrals (norm_space.c) are sums over the parts, and their p-th root is taken at the end. For the Hausdorff distance, (2) of
 * hausdorff.c, h = max_k h_k, is a maximum over the parts too. By (3) there, h_k needs only the graphs within tau h_k of block k:
 * a window of nodes is kept, of which the first `span` precede and the last `span` follow the block. dls_hausdorff_part checks (3).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/interval_bounds.h"
#include "analytic/distance/prepared_reference.h"
#include "analytic/graph/piece.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 64 }; /* smallest number of nodes on each side of a block */

struct dls_streaming {
  const dls_graph *reference;
  dls_metric metric;
  size_t span;
  dls_graph *kept;   /* the window; NULL if no norm needs it */
  size_t room, core; /* capacity of the window; index of the first node of the next block */
  bool cut, empty;   /* nodes before the window were dropped; no part has arrived */
  dls_found found;
  double end, *last; /* last node of the previous part: time and x[dim] */
  bool hausdorff;
  size_t count;
  dls_space_sum *sum[]; /* count; NULL: the Hausdorff distance */
};

static bool is_hausdorff(const dls_norm *norm)
{
  return norm->compare_prepared == dls_comparison_hausdorff;
}

bool dls_norm_streams(const dls_norm *norm)
{
  return is_hausdorff(norm) || dls_space_has(norm);
}

void dls_streaming_destroy(dls_streaming *r)
{
  if (r == NULL) {
    return;
  }
  for (size_t i = 0; i < r->count; i++) {
    free(r->sum[i]);
  }
  dls_graph_destroy(r->kept);
  free(r->last);
  free(r);
}

static dls_status check(const dls_graph *reference, size_t count, const dls_norm *const *norms,
                        const dls_metric *metric, dls_error *err)
{
  for (size_t i = 0; i < count; i++) {
    if (!dls_norm_streams(norms[i])) {
      return dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                      "norm %s needs the whole graph; hausdorff, l1, l2, lp and max work in parts",
                      norms[i]->name);
    }
  }
  return dls_graph_check_pair(reference, reference, metric, err);
}

static dls_streaming *make(const dls_graph *reference, size_t count, const dls_norm *const *norms)
{
  dls_streaming *r = calloc(1, sizeof *r + count * sizeof r->sum[0]);
  bool good = r != NULL;
  if (good) {
    *r = (dls_streaming){.reference = reference, .empty = true, .found = dls_found_nothing, .count = count};
    r->last = malloc(reference->dim * sizeof *r->last);
    good = r->last != NULL;
  }
  for (size_t i = 0; i < count && good; i++) {
    const bool hausdorff = is_hausdorff(norms[i]);
    r->hausdorff = r->hausdorff || hausdorff;
    r->sum[i] = hausdorff ? NULL : dls_space_begin(norms[i], reference->dim);
    good = hausdorff || r->sum[i] != NULL;
  }
  if (!good) {
    dls_streaming_destroy(r);
  }
  return good ? r : NULL;
}

dls_status dls_streaming_create(const dls_graph *reference, size_t count, const dls_norm *const *norms,
                                const dls_metric *metric, size_t span, dls_streaming **out, dls_error *err)
{
  const dls_status status = check(reference, count, norms, metric, err);
  if (status != DLS_OK) {
    return status;
  }
  *out = make(reference, count, norms);
  if (*out == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu norms of %zu components", count, reference->dim);
  }
  (*out)->metric = *metric;
  (*out)->span = span < LEAST ? LEAST : span;
  return DLS_OK;
}

/* --- Hausdorff distance --- */

/* Append the reference on [from, to] to a graph. */
static dls_status append_reference(const dls_streaming *r, double from, double to, dls_graph *graph,
                                   dls_error *err)
{
  const dls_graph near = dls_graph_around(r->reference, from, to);
  dls_graph *part = NULL;
  const dls_status status = dls_graph_clip(&near, from, to, &part, err);
  if (status == DLS_OK) {
    dls_graph_append(graph, part, graph->count > 0 ? dls_graph_search(part, from, true) : 0);
  }
  dls_graph_destroy(part);
  return status;
}

/* The reference on [times[0], times[3]], with nodes at all four times, so that no piece crosses one of them. */
static dls_status clip(const dls_streaming *r, const double times[4], dls_graph **out, dls_error *err)
{
  const dls_graph near = dls_graph_around(r->reference, times[0], times[3]);
  dls_status status = DLS_OK;
  *out = dls_graph_create(near.count + 4, near.dim, near.slope != NULL);
  if (*out == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a graph of %zu nodes", near.count + 4);
  }
  (*out)->count = 0;
  for (size_t i = 0; i < 3 && status == DLS_OK; i++) {
    status = append_reference(r, times[i], times[i + 1], *out, err);
  }
  return status;
}

/* (3) is violated: a distance may exceed the window. */
static dls_status too_far(const dls_streaming *r, dls_error *err)
{
  return dls_fail(err, DLS_ERR_LIMIT,
                  "near t = %.10g the distance of the graphs exceeds the window of %zu nodes on either side",
                  r->kept->t[r->core], r->span);
}

/* Drop the nodes before `end`, except the last `span`, which the next block needs by (3). All of them are covered. */
static void drop_covered(dls_streaming *r, size_t end)
{
  dls_graph *g = r->kept;
  const size_t gone = end > r->span ? end - r->span : 0;
  g->count -= gone;
  memmove(g->t, g->t + gone, g->count * sizeof *g->t);
  memmove(g->x, g->x + gone * g->dim, g->count * g->dim * sizeof *g->x);
  if (g->slope != NULL) {
    memmove(g->slope, g->slope + gone * g->dim, g->count * g->dim * sizeof *g->slope);
  }
  r->core = end - gone;
  r->cut = r->cut || gone > 0;
}

/* h_k of the block of nodes from `core` to `end`; fails if the window is too short for (3). */
static dls_status cover(dls_streaming *r, size_t end, bool all, dls_error *err)
{
  const dls_graph *g = r->kept;
  const double first = g->t[0], last = g->t[g->count - 1], times[] = {first, g->t[r->core], g->t[end], last};
  const dls_extent extent = {.core = {times[1], times[2]},
                             .ends = {r->cut ? first : -INFINITY, all ? INFINITY : last}};
  dls_graph *reference = NULL;
  bool beyond_ends = false;
  dls_status status = clip(r, times, &reference, err);
  status = status != DLS_OK
               ? status
               : dls_hausdorff_part(g, reference, &r->metric, &extent, &r->found, &beyond_ends, err);
  dls_graph_destroy(reference);
  if (status != DLS_OK || beyond_ends) {
    return status != DLS_OK ? status : too_far(r, err);
  }
  drop_covered(r, end);
  return DLS_OK;
}

/* Allocate for `more` nodes. */
static dls_status make_room(dls_streaming *r, size_t more, const dls_graph *part, dls_error *err)
{
  const size_t needed = (r->kept != NULL ? r->kept->count : 0) + more;
  if (needed <= r->room) {
    return DLS_OK;
  }
  const size_t room = needed + 2 * r->span;
  dls_graph *larger = dls_graph_create(room, part->dim, part->slope != NULL);
  if (larger == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu nodes of a graph", room);
  }
  larger->count = 0;
  if (r->kept != NULL) {
    dls_graph_append(larger, r->kept, 0);
  }
  dls_graph_destroy(r->kept);
  r->kept = larger;
  r->room = room;
  return DLS_OK;
}

/* Append the nodes of a part from `first` on, and cover the blocks with `span` nodes on both sides. */
static dls_status keep(dls_streaming *r, const dls_graph *part, size_t first, dls_error *err)
{
  dls_status status = make_room(r, part->count, part, err);
  if (status == DLS_OK) {
    dls_graph_append(r->kept, part, first);
  }
  while (status == DLS_OK && r->kept->count - r->core > 2 * r->span) {
    status = cover(r, r->core + r->span, false, err);
  }
  return status;
}

/* --- parts --- */

static dls_status check_part(const dls_streaming *r, const dls_graph *part, dls_error *err)
{
  const dls_graph *g = r->reference;
  const dls_status status = dls_graph_check(part, "the part", err);
  if (status != DLS_OK) {
    return status;
  }
  const double begin = part->t[0], end = part->t[part->count - 1];
  if (part->dim != g->dim || (r->kept != NULL && (part->slope != NULL) != (r->kept->slope != NULL))) {
    return dls_fail(err, DLS_ERR_ARG,
                    "a part has %zu components%s; the reference has %zu, and all parts are alike", part->dim,
                    part->slope != NULL ? " with slopes" : "", g->dim);
  }
  if (!(begin >= g->t[0] && end <= g->t[g->count - 1])) {
    return dls_fail(err, DLS_ERR_ARG, "a part covers [%.17g, %.17g], the reference only [%.17g, %.17g]", begin,
                    end, g->t[0], g->t[g->count - 1]);
  }
  if (!r->empty && (begin != r->end || memcmp(part->x, r->last, part->dim * sizeof *part->x) != 0)) {
    return dls_fail(err, DLS_ERR_ARG,
                    "a part begins at t = %.17g, not with the last node of the previous part, at t = %.17g",
                    begin, r->end);
  }
  return DLS_OK;
}

dls_status dls_streaming_add(dls_streaming *r, const dls_graph *part, dls_error *err)
{
  dls_status status = check_part(r, part, err);
  if (status != DLS_OK) {
    return status;
  }
  const size_t last = part->count - 1;
  for (size_t i = 0; i < r->count; i++) {
    if (r->sum[i] != NULL) {
      dls_space_add(r->sum[i], part, r->reference, part->t[0], part->t[last]);
    }
  }
  if (r->hausdorff) {
    status = keep(r, part, r->empty ? 0 : 1, err);
  }
  r->empty = false;
  r->end = part->t[last];
  memcpy(r->last, part->x + last * part->dim, part->dim * sizeof *r->last);
  return status;
}

dls_status dls_streaming_end(dls_streaming *r, dls_measure *out, dls_error *err)
{
  if (r->empty) {
    return dls_fail(err, DLS_ERR_ARG, "no part of the graph was added");
  }
  const dls_status status = r->hausdorff ? cover(r, r->kept->count - 1, true, err) : DLS_OK;
  for (size_t i = 0; i < r->count && status == DLS_OK; i++) {
    const dls_space_sum *sum = r->sum[i];
    out[i] = sum != NULL ? dls_space_end(sum, &r->metric) : dls_found_measure(&r->found);
  }
  return status;
}
