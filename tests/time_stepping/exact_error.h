/* exact_error.h -- error of a run against the exact solution of its model.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_EXACT_ERROR_H
#define DELASSUS_TESTS_EXACT_ERROR_H

#include "runs.h"
#include <delassus/catalogue.h>

static inline dls_graph *graph_of(const dls_trajectory *traj, const char *column)
{
  dls_error err = {0};
  dls_graph *graph = NULL;
  const int j = dls_trajectory_column(traj, column);
  assert_true(j >= 0);
  const size_t position = (size_t)j;
  assert_ok(dls_graph_of(traj, 1, &position, &graph, &err), err);
  return graph;
}

/* Distance of a column of a run of the model, with its default parameters, from the exact one. */
static inline double exact_error(const test_run *run, const char *model, const char *norm, const char *column)
{
  dls_error err = {0};
  dls_trajectory *exact = NULL;
  dls_measure measure = {0};
  assert_ok(dls_exact_trajectory(dls_exact_find(model), NULL, run->sim->t, 1e-12, &exact, &err), err);
  dls_graph *a = graph_of(run->traj, column);
  dls_graph *b = graph_of(exact, column);
  const dls_norm *entry = dls_norm_find(norm);
  assert_ok(entry->measure(entry, a, b, &dls_metric_default, &measure, &err), err);
  dls_graph_destroy(a);
  dls_graph_destroy(b);
  dls_trajectory_destroy(exact);
  return measure.value;
}

#endif
