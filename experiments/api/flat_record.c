/* experiments/api/flat_record.c -- a record between its rows, and as a file, in plain C types.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/flat.h>

#include "experiments/api/flat_internal.h"
#include <delassus/graph.h>
#include <delassus/output.h>

int dls_flat_column_at(const dls_trajectory *traj, size_t index, int side, size_t count, const double *t,
                       double *values, char *error, size_t size)
{
  dls_error err = {0};
  dls_graph *graph = NULL;
  dls_status status = index < traj->columns
                          ? DLS_OK
                          : dls_fail(&err, DLS_ERR_ARG, "there is no column %zu of %zu", index, traj->columns);
  if (status == DLS_OK && index > 0) { /* a graph has the time besides */
    status = dls_graph_of(traj, 1, &index, &graph, &err);
  }
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    const double first = traj->rows > 0 ? dls_trajectory_at(traj, 0, 0) : 0;
    const double last = traj->rows > 0 ? dls_trajectory_at(traj, traj->rows - 1, 0) : 0;
    if (!(t[i] >= first && t[i] <= last)) {
      status =
          dls_fail(&err, DLS_ERR_ARG, "t = %.17g s is outside the rows, [%.17g, %.17g]", t[i], first, last);
    } else if (index == 0) {
      values[i] = t[i];
    } else {
      dls_graph_value(graph, t[i], side, &values[i]);
    }
  }
  dls_graph_destroy(graph);
  return dls_flat_report(status, &err, error, size);
}

int dls_flat_write(const dls_trajectory *traj, const char *path, char *error, size_t size)
{
  dls_error err = {0};
  dls_output *out = NULL;
  dls_status status = dls_output_open(path, &out, &err);
  if (status == DLS_OK && (status = dls_trajectory_write(traj, dls_output_stream(out), &err)) != DLS_OK) {
    dls_output_abandon(out);
  } else if (status == DLS_OK) {
    status = dls_output_commit(out, &err);
  }
  return dls_flat_report(status, &err, error, size);
}
