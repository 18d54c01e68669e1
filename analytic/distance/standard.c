/* analytic/distance/standard.c -- outlines of a graph, which of them an error needs, and Hausdorff distances by them.
 *
 * Filled-in graphs that have the same jumps and are nowhere farther than e from each other at equal times have distances to
 * a third one that differ by e at most.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/standard.h"
#include "analytic/distance/norm.h"
#include "analytic/graph/cursor.h"

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

dls_status dls_standard_create(const dls_graph *graph, dls_standard *out, dls_error *err)
{
  *out = (dls_standard){.graph = graph};
  if (graph->slope == NULL || graph->count < 2) {
    return DLS_OK;
  }
  const double largest = largest_value(graph);
  for (size_t l = 0; l < DLS_OUTLINES; l++) {
    dls_outline *outline = &out->outline[out->outlines];
    const dls_status status = dls_outline_create(graph, outline_errors[l] * largest, outline, err);
    if (status != DLS_OK) {
      dls_standard_free(out);
      return status;
    }
    if ((double)outline->graph->count > part_kept * (double)graph->count) {
      dls_outline_free(outline);
      break;
    }
    out->outlines++;
  }
  return DLS_OK;
}

void dls_standard_free(dls_standard *standard)
{
  for (size_t l = 0; l < standard->outlines; l++) {
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

dls_pairing dls_pairing_of(const dls_graph *numeric, const dls_standard *standard)
{
  dls_pairing pair = {.numeric = numeric, .standard = standard, .end = numeric->t[numeric->count - 1]};
  const bool fits = standard->outlines > 0 && numeric->dim == standard->graph->dim &&
                    standard->graph->t[0] <= numeric->t[0] && numeric->t[0] < pair.end;
  const double error = fits ? FINE * typical_error(&pair) : 0.0;
  while (pair.rough < standard->outlines && !(standard->outline[pair.rough].error <= error)) {
    pair.rough++;
  }
  return pair;
}

void dls_pairing_clear(dls_pairing *pair)
{
  dls_graph_destroy(pair->whole);
  *pair = (dls_pairing){0};
}

dls_status dls_pairing_measure(dls_pairing *pair, const dls_norm *norm, const dls_metric *metric,
                               dls_measure *out, dls_error *err)
{
  if (norm->paired != NULL && pair->rough < pair->standard->outlines) {
    return norm->paired(norm, pair, metric, out, err);
  }
  return dls_pairing_whole(pair, norm, metric, out, err);
}

dls_status dls_pairing_whole(dls_pairing *pair, const dls_norm *norm, const dls_metric *metric,
                             dls_measure *out, dls_error *err)
{
  const dls_status status =
      pair->whole == NULL ? dls_graph_clip(pair->standard->graph, 0.0, pair->end, &pair->whole, err) : DLS_OK;
  return status != DLS_OK ? status : norm->measure(norm, pair->numeric, pair->whole, metric, out, err);
}

dls_status dls_pairing_hausdorff(const dls_norm *self, dls_pairing *pair, const dls_metric *metric,
                                 dls_measure *out, dls_error *err)
{
  const dls_standard *standard = pair->standard;
  for (size_t l = pair->rough; l < standard->outlines; l++) {
    dls_graph *part = NULL;
    dls_status status = dls_graph_clip(standard->outline[l].graph, 0.0, pair->end, &part, err);
    status = status != DLS_OK ? status : dls_hausdorff(pair->numeric, part, metric, out, err);
    dls_graph_destroy(part);
    const double error = standard->outline[l].error / metric->value_scale;
    if (status != DLS_OK) {
      return status;
    }
    if (error <= SHARE * metric->accuracy * out->value) {
      out->bound += error;
      return DLS_OK;
    }
  }
  return dls_pairing_whole(pair, self, metric, out, err);
}
