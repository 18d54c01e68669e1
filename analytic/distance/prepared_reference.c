/* analytic/distance/prepared_reference.c -- coarse versions of a reference, the choice between them, and Hausdorff distances by them.
 *
 * If two filled-in graphs have the same jumps and differ by at most e at equal times, their distances to a third graph differ by at most e.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/prepared_reference.h"
#include "analytic/distance/norm.h"
#include "analytic/graph/cursor.h"
#include <float.h>
#include <stdlib.h>

/* Errors of the coarse versions, relative to the largest value of the graph. The number of nodes varies like the fourth
 * root. */
static const double coarse_errors[DLS_COARSE_BOUNDS] = {1e-7, 1e-9, 1e-11};
/* A coarse version that keeps a larger fraction of the nodes is omitted. */
static const double largest_share_kept = 0.7;

enum { SAMPLES = 16 }; /* number of nodes at which the error is estimated */
/* Error of a coarse version relative to that of the numerical graph: signs are certain nearly everywhere. */
#define FINE 1e-4
#define COARSE_SHARE (1.0 / 32.0) /* of the requested accuracy, for the error of a coarse version */

static double largest_value(const dls_graph *graph)
{
  double largest = 0.0;
  for (size_t p = 0; p < graph->count * graph->dim; p++) {
    largest = dls_higher(largest, fabs(graph->x[p]));
  }
  return largest;
}

/* Coarse version l. It is omitted (graph = NULL) if it would save nothing. */
static dls_status make_coarse_bound(const dls_graph *graph, size_t l, double largest,
                                    dls_prepared_reference *out, dls_error *err)
{
  const dls_coarse_bound *finer =
      l + 1 < DLS_COARSE_BOUNDS && out->coarse[l + 1].graph != NULL ? &out->coarse[l + 1] : NULL;
  dls_coarse_bound *coarse = &out->coarse[l];
  const dls_status status = dls_coarse_bound_create(graph, finer, coarse_errors[l] * largest, coarse, err);
  if (status == DLS_OK && (double)coarse->graph->count > largest_share_kept * (double)graph->count) {
    dls_coarse_bound_free(coarse);
  }
  return status;
}

dls_status dls_prepared_reference_create(const dls_graph *graph, dls_prepared_reference *out, dls_error *err)
{
  *out = (dls_prepared_reference){.graph = graph};
  if (graph->slope == NULL || graph->count < 2) {
    return DLS_OK;
  }
  const double largest = largest_value(graph);
  dls_status status = DLS_OK;
  for (size_t l = DLS_COARSE_BOUNDS; l-- > 0 && status == DLS_OK;) {
    status = make_coarse_bound(graph, l, largest, out, err);
    out->coarse_count += out->coarse[l].graph != NULL && out->coarse_count == 0 ? l + 1 : 0;
  }
  if (status != DLS_OK) {
    dls_prepared_reference_free(out);
  }
  return status;
}

void dls_prepared_reference_free(dls_prepared_reference *prepared)
{
  for (size_t l = 0; l < DLS_COARSE_BOUNDS; l++) {
    dls_coarse_bound_free(&prepared->coarse[l]);
  }
  *prepared = (dls_prepared_reference){0};
}

/* Estimate of the error of the graph: the upper quartile at some of its nodes. */
static double typical_error(const dls_comparison *pair)
{
  const dls_graph *f = pair->numeric, *g = pair->prepared->coarse[0].graph;
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

dls_comparison dls_comparison_of(const dls_graph *numeric, const dls_prepared_reference *prepared,
                                 const dls_metric *metric)
{
  const dls_graph *g = prepared->graph;
  dls_comparison pair = {
      .numeric = numeric, .prepared = prepared, .metric = metric, .end = numeric->t[numeric->count - 1]};
  const bool fits = prepared->coarse_count > 0 && numeric->dim == g->dim &&
                    numeric->t[0] == dls_higher(g->t[0], 0.0) && numeric->t[0] < pair.end &&
                    pair.end <= g->t[g->count - 1];
  const double error = fits ? FINE * typical_error(&pair) : 0.0;
  while (pair.rough < prepared->coarse_count && !(fits && prepared->coarse[pair.rough].error <= error)) {
    pair.rough++;
  }
  return pair;
}

void dls_comparison_clear(dls_comparison *pair)
{
  dls_graph_destroy(pair->whole);
  dls_graph_destroy(pair->part);
  dls_interval_bounds_free(&pair->bounds);
  dls_sign_intervals_free(&pair->sign_intervals);
  *pair = (dls_comparison){0};
}

dls_status dls_comparison_measure(dls_comparison *pair, const dls_norm *norm, dls_measure *out, dls_error *err)
{
  if (norm->compare_prepared == NULL || pair->rough == pair->prepared->coarse_count) {
    return dls_comparison_measure_whole(pair, norm, out, err);
  }
  const dls_status status = dls_metric_check(pair->metric, err);
  return status != DLS_OK ? status : norm->compare_prepared(norm, pair, out, err);
}

dls_status dls_comparison_measure_whole(dls_comparison *pair, const dls_norm *norm, dls_measure *out,
                                        dls_error *err)
{
  const dls_status status =
      pair->whole == NULL ? dls_graph_clip(pair->prepared->graph, 0.0, pair->end, &pair->whole, err) : DLS_OK;
  return status != DLS_OK ? status : norm->measure(norm, pair->numeric, pair->whole, pair->metric, out, err);
}

/* Deviation of the coarse version from the original, on the pieces of its restriction `part`. */
static const double *deviations_of(const dls_coarse_bound *coarse, const dls_graph *part)
{
  const size_t first = dls_graph_search(coarse->graph, part->t[0], false);
  return coarse->deviation + first - (coarse->graph->t[first] > part->t[0]);
}

dls_status dls_comparison_sweep(dls_comparison *pair, dls_error *err)
{
  if (pair->swept) {
    return DLS_OK;
  }
  const dls_coarse_bound *coarse = &pair->prepared->coarse[pair->rough];
  dls_status status =
      pair->part == NULL ? dls_graph_clip(coarse->graph, 0.0, pair->end, &pair->part, err) : DLS_OK;
  if (status != DLS_OK) {
    return status;
  }
  pair->sign_intervals.deviation = deviations_of(coarse, pair->part);
  pair->sign_intervals.exact = DLS_COARSE_BOUNDS * DLS_NORM_ROUNDING * DBL_EPSILON *
                               coarse->size; /* each was made from the next finer one */
  status = dls_interval_bounds_create(pair->numeric, pair->part, pair->metric, &pair->sign_intervals,
                                      &pair->bounds, err);
  pair->swept = status == DLS_OK;
  if (status != DLS_OK) {
    dls_sign_intervals_free(&pair->sign_intervals);
  }
  return status;
}

/* By coarse version l. */
static dls_status measure_by_coarse_bound(dls_comparison *pair, size_t l, dls_measure *out, dls_error *err)
{
  if (l == pair->rough) {
    const dls_status status = dls_comparison_sweep(pair, err);
    return status != DLS_OK
               ? status
               : dls_hausdorff_by_intervals(pair->numeric, pair->part, pair->metric, &pair->bounds, out, err);
  }
  dls_graph *part = NULL;
  dls_status status = dls_graph_clip(pair->prepared->coarse[l].graph, 0.0, pair->end, &part, err);
  if (status == DLS_OK) {
    status = dls_hausdorff(pair->numeric, part, pair->metric, out, err);
  }
  dls_graph_destroy(part);
  return status;
}

dls_status dls_comparison_hausdorff(const dls_norm *self, dls_comparison *pair, dls_measure *out,
                                    dls_error *err)
{
  const dls_prepared_reference *prepared = pair->prepared;
  for (size_t l = pair->rough; l < prepared->coarse_count; l++) {
    const dls_status status = measure_by_coarse_bound(pair, l, out, err);
    const double error = prepared->coarse[l].error / pair->metric->value_scale;
    if (status != DLS_OK) {
      return status;
    }
    if (error <= COARSE_SHARE * pair->metric->accuracy * out->value) {
      out->bound += error;
      return DLS_OK;
    }
  }
  return dls_comparison_measure_whole(pair, self, out, err);
}
