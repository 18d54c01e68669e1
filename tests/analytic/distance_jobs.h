/* distance_jobs.h -- distances, fits and graphs of impulses, for tests in which what they call fails.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_DISTANCE_JOBS_H
#define DELASSUS_TESTS_DISTANCE_JOBS_H

#include "analytic/distance/prepared_reference.h"
#include "analytic/graph/piece.h"
#include "random_graph.h"
#include <delassus/exact.h>
#include <delassus/fit.h>
#include <delassus/graph.h>
#include <math.h>

typedef struct two_graphs {
  const dls_norm *norm;
  dls_graph *numeric, *reference;
} two_graphs;

/* A motion that turns and jumps, cubic, beside the same with an error of 0.01 sin 3 t. */
static inline dls_graph *turning(size_t count, double error)
{
  dls_graph *g = dls_graph_create(count, 1, true);
  for (size_t i = 0; i < count; i++) {
    const bool jump = i > 0 && i % (count / 4) == 0;
    const double t = jump ? g->t[i - 1] : 9.0 * (double)i / (double)(count - 1), side = i < count / 4 ? 1 : 0.5;
    g->t[i] = t;
    g->x[i] = side * (2 + sin(t)) + error * sin(3 * t);
    g->slope[i] = side * cos(t) + 3 * error * cos(3 * t);
  }
  return g;
}

static inline two_graphs two_graphs_of(size_t nodes)
{
  return (two_graphs){.numeric = turning(nodes / 3, 0.01), .reference = turning(nodes, 0)};
}

static inline void two_graphs_free(two_graphs *two)
{
  dls_graph_destroy(two->numeric);
  dls_graph_destroy(two->reference);
}

static inline dls_status distance(const void *data, dls_error *err)
{
  const two_graphs *two = data;
  dls_measure m;
  return two->norm->measure(two->norm, two->numeric, two->reference, &dls_metric_default, &m, err);
}

/* By coarse versions of the reference. */
static inline dls_status paired_distance(const void *data, dls_error *err)
{
  const two_graphs *two = data;
  dls_measure m;
  dls_prepared_reference prepared = {0};
  dls_status status = dls_prepared_reference_create(two->reference, &prepared, err);
  if (status == DLS_OK) {
    dls_comparison pair = dls_comparison_of(two->numeric, &prepared, &dls_metric_default);
    status = dls_comparison_measure(&pair, two->norm, &m, err);
    dls_comparison_clear(&pair);
  }
  dls_prepared_reference_free(&prepared);
  return status;
}

/* In parts, with so few nodes kept that most of the way is covered before the end. */
static inline dls_status distance_in_parts(const void *data, dls_error *err)
{
  const two_graphs *two = data;
  const dls_norm *const norms[] = {dls_norm_find("hausdorff"), dls_norm_find("l1")};
  dls_measure m[2];
  dls_streaming *streaming = NULL;
  dls_status status = dls_streaming_create(two->reference, 2, norms, &dls_metric_default, 64, &streaming, err);
  for (size_t first = 0; first + 1 < two->numeric->count && status == DLS_OK; first += 100) {
    const size_t end = first + 101 < two->numeric->count ? first + 101 : two->numeric->count;
    const dls_graph part = dls_graph_view(two->numeric, first, end);
    status = dls_streaming_add(streaming, &part, err);
  }
  status = status != DLS_OK ? status : dls_streaming_end(streaming, m, err);
  dls_streaming_destroy(streaming);
  return status;
}

/* q = 1 of 5 levels of 4 runs. */
static inline dls_status fit_of_levels(const void *data, dls_error *err)
{
  (void)data;
  enum { LEVELS = 5, RUNS = 4 };
  double h[LEVELS * RUNS], error[LEVELS * RUNS];
  size_t level[LEVELS * RUNS];
  for (size_t i = 0; i < LEVELS * RUNS; i++) {
    level[i] = i / RUNS;
    h[i] = pow(0.5, (double)level[i]) * (1 + 0.01 * (double)(i % RUNS));
    error[i] = h[i] * (1 + 0.2 * sin((double)i));
  }
  dls_median_fit medians;
  dls_fit fit;
  dls_power_law_check check;
  dls_status status = dls_fit_medians(LEVELS * RUNS, h, error, level, 0, &medians, err);
  status = status != DLS_OK ? status : dls_fit_order(LEVELS * RUNS, h, error, 0, &fit, err);
  return status != DLS_OK ? status : dls_fit_judge(&fit, LEVELS * RUNS, h, error, &check, err);
}

extern const dls_exact dls_exact_bouncing_ball;

/* Of the exact ball, which jumps and rests. data: its table */
static inline dls_status impulses(const void *data, dls_error *err)
{
  dls_graph *graph = NULL;
  const dls_status status = dls_graph_of_impulses(data, 0, 1, &graph, err);
  dls_graph_destroy(graph);
  return status;
}

#endif
