/* analytic/distance/standard.c -- outlines of a graph, which of them an error needs, and Hausdorff distances by them.
 *
 * Filled-in graphs that have the same jumps and are nowhere farther than e from each other at equal times have distances to
 * a third one that differ by e at most.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/standard.h"
#include "analytic/distance/norm.h"
#include "analytic/graph/cursor.h"
#include <float.h>
#include <stdlib.h>

/* Errors of the outlines, over the largest value of the graph. Nodes go with the fourth root. */
static const double outline_errors[DLS_OUTLINES] = {1e-7, 1e-9, 1e-11};
/* An outline that keeps a larger part of the nodes is left out. */
static const double part_kept = 0.7;

enum { SAMPLES = 16 }; /* nodes that tell how large an error is */
#define FINE 1e-4 /* an outline's error over that of the numeric graph: signs are certain nearly everywhere */
#define SHARE (1.0 / 32.0) /* of the accuracy asked, which the error of an outline may take */

static double largest_value(const dls_graph *graph)
{
  double largest = 0.0;
  for (size_t p = 0; p < graph->count * graph->dim; p++) {
    largest = dls_higher(largest, fabs(graph->x[p]));
  }
  return largest;
}

/* Outline l; left out, for which its graph is NULL, where it would save nothing. */
static dls_status make_outline(const dls_graph *graph, size_t l, double largest, dls_standard *out,
                               dls_error *err)
{
  const dls_outline *finer =
      l + 1 < DLS_OUTLINES && out->outline[l + 1].graph != NULL ? &out->outline[l + 1] : NULL;
  dls_outline *outline = &out->outline[l];
  const dls_status status = dls_outline_create(graph, finer, outline_errors[l] * largest, outline, err);
  if (status == DLS_OK && (double)outline->graph->count > part_kept * (double)graph->count) {
    dls_outline_free(outline);
  }
  return status;
}

dls_status dls_standard_create(const dls_graph *graph, dls_standard *out, dls_error *err)
{
  *out = (dls_standard){.graph = graph};
  if (graph->slope == NULL || graph->count < 2) {
    return DLS_OK;
  }
  const double largest = largest_value(graph);
  dls_status status = DLS_OK;
  for (size_t l = DLS_OUTLINES; l-- > 0 && status == DLS_OK;) {
    status = make_outline(graph, l, largest, out, err);
    out->outlines += out->outline[l].graph != NULL && out->outlines == 0 ? l + 1 : 0;
  }
  if (status != DLS_OK) {
    dls_standard_free(out);
  }
  return status;
}

void dls_standard_free(dls_standard *standard)
{
  for (size_t l = 0; l < DLS_OUTLINES; l++) {
    dls_outline_free(&standard->outline[l]);
  }
  *standard = (dls_standard){0};
}

/* About how far the graph is from the standard: the upper quartile at some of its nodes. */
static double typical_error(const dls_pairing *pair)
{
  const dls_graph *f = pair->numeric, *g = pair->standard->outline[0].graph;
  double error[SAMPLES];
  for (size_t s = 0; s < SAMPLES; s++) {
    const size_t i = (f->count - 1) * (2 * s + 1) / (2 * SAMPLES);
    double largest = 0.0;
    for (size_t k = 0; k < f->dim && f->t[i] < pair->end; k++) {
      largest = dls_higher(largest, fabs(f->x[i * f->dim + k] - dls_cursor_at(g, k, f->t[i]).x0));
    }
    size_t at = s;
    for (; at > 0 && error[at - 1] > largest; at--) {
      error[at] = error[at - 1];
    }
    error[at] = largest;
  }
  return error[SAMPLES * 3 / 4];
}

dls_pairing dls_pairing_of(const dls_graph *numeric, const dls_standard *standard, const dls_metric *metric)
{
  const dls_graph *g = standard->graph;
  dls_pairing pair = {
      .numeric = numeric, .standard = standard, .metric = metric, .end = numeric->t[numeric->count - 1]};
  const bool fits = standard->outlines > 0 && numeric->dim == g->dim &&
                    numeric->t[0] == dls_higher(g->t[0], 0.0) && numeric->t[0] < pair.end &&
                    pair.end <= g->t[g->count - 1];
  const double error = fits ? FINE * typical_error(&pair) : 0.0;
  while (pair.rough < standard->outlines && !(standard->outline[pair.rough].error <= error)) {
    pair.rough++;
  }
  return pair;
}

void dls_pairing_clear(dls_pairing *pair)
{
  dls_graph_destroy(pair->whole);
  dls_graph_destroy(pair->part);
  dls_blocks_free(&pair->blocks);
  dls_stretches_free(&pair->stretches);
  *pair = (dls_pairing){0};
}

dls_status dls_pairing_measure(dls_pairing *pair, const dls_norm *norm, dls_measure *out, dls_error *err)
{
  if (norm->paired == NULL || pair->rough == pair->standard->outlines) {
    return dls_pairing_whole(pair, norm, out, err);
  }
  const dls_status status = dls_metric_check(pair->metric, err);
  return status != DLS_OK ? status : norm->paired(norm, pair, out, err);
}

dls_status dls_pairing_whole(dls_pairing *pair, const dls_norm *norm, dls_measure *out, dls_error *err)
{
  const dls_status status =
      pair->whole == NULL ? dls_graph_clip(pair->standard->graph, 0.0, pair->end, &pair->whole, err) : DLS_OK;
  return status != DLS_OK ? status : norm->measure(norm, pair->numeric, pair->whole, pair->metric, out, err);
}

/* How far outline and original are apart on the pieces of the part of the outline. */
static const double *apart_of(const dls_outline *outline, const dls_graph *part)
{
  const size_t first = dls_graph_search(outline->graph, part->t[0], false);
  return outline->apart + first - (outline->graph->t[first] > part->t[0]);
}

dls_status dls_pairing_sweep(dls_pairing *pair, dls_error *err)
{
  if (pair->swept) {
    return DLS_OK;
  }
  const dls_outline *outline = &pair->standard->outline[pair->rough];
  dls_status status =
      pair->part == NULL ? dls_graph_clip(outline->graph, 0.0, pair->end, &pair->part, err) : DLS_OK;
  if (status != DLS_OK) {
    return status;
  }
  pair->stretches.apart = apart_of(outline, pair->part);
  pair->stretches.exact =
      DLS_OUTLINES * DLS_NORM_ROUNDING * DBL_EPSILON * outline->size; /* made one of the other */
  status = dls_blocks_create(pair->numeric, pair->part, pair->metric, &pair->stretches, &pair->blocks, err);
  pair->swept = status == DLS_OK;
  if (status != DLS_OK) {
    dls_stretches_free(&pair->stretches);
  }
  return status;
}

/* By outline l. */
static dls_status measure_by_outline(dls_pairing *pair, size_t l, dls_measure *out, dls_error *err)
{
  if (l == pair->rough) {
    const dls_status status = dls_pairing_sweep(pair, err);
    return status != DLS_OK
               ? status
               : dls_hausdorff_by_blocks(pair->numeric, pair->part, pair->metric, &pair->blocks, out, err);
  }
  dls_graph *part = NULL;
  dls_status status = dls_graph_clip(pair->standard->outline[l].graph, 0.0, pair->end, &part, err);
  status = status != DLS_OK ? status : dls_hausdorff(pair->numeric, part, pair->metric, out, err);
  dls_graph_destroy(part);
  return status;
}

dls_status dls_pairing_hausdorff(const dls_norm *self, dls_pairing *pair, dls_measure *out, dls_error *err)
{
  const dls_standard *standard = pair->standard;
  for (size_t l = pair->rough; l < standard->outlines; l++) {
    const dls_status status = measure_by_outline(pair, l, out, err);
    const double error = standard->outline[l].error / pair->metric->value_scale;
    if (status != DLS_OK) {
      return status;
    }
    if (error <= SHARE * pair->metric->accuracy * out->value) {
      out->bound += error;
      return DLS_OK;
    }
  }
  return dls_pairing_whole(pair, self, out, err);
}
