/* experiments/show/plot_curve.c -- curves of trajectories, labels of columns and parameters.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/plot_curve.h"
#include "common/run/coordinates.h"
#include "experiments/measures/motion/curve.h"
#include "experiments/measures/order/reference.h"
#include <math.h>
#include <string.h>

static void put_vertex(void *table, double t, double x)
{
  dls_plot_table_add(table, (double[]){t, x});
}

dls_status dls_plot_curve(dls_figure *figure, dls_plot_table *table, const dls_trajectory *traj,
                          const char *name, dls_error *err)
{
  dls_graph *graph = NULL;
  const dls_status status = dls_quantity_graph(traj, name, &graph, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_curve_put(graph, dls_canvas_vertices(&figure->canvas), put_vertex, table);
  dls_graph_destroy(graph);
  return DLS_OK;
}

const char *dls_plot_label(dls_figure *figure, const dls_trajectory *run, const char *name)
{
  dls_column_kind kind;
  dls_column_find(run, name, &kind);
  if (kind.words[0] == '\0') {
    return dls_figure_text(figure, "%s", name);
  }
  return kind.index[0] != '\0'
             ? dls_figure_text(figure, "%s %s_{%s} [%s]", kind.words, kind.symbol, kind.index, kind.unit)
             : dls_figure_text(figure, "%s [%s]", kind.words, kind.unit);
}

dls_status dls_plot_model_label(dls_figure *figure, const dls_model *model, const double *parameters,
                                const char *name, const char **label, dls_error *err)
{
  dls_system *sys = NULL;
  dls_trajectory *columns = NULL;
  dls_status status = dls_model_create(model, parameters, &sys, err);
  if (status == DLS_OK) {
    columns = dls_trajectory_create_system(sys, false);
    status = columns != NULL ? dls_note_coordinates(columns, sys, err)
                             : dls_fail(err, DLS_ERR_MEMORY, "no memory for the label of %s", name);
  }
  *label = status == DLS_OK ? dls_plot_label(figure, columns, name) : dls_figure_text(figure, "%s", name);
  dls_trajectory_destroy(columns);
  dls_system_destroy(sys);
  return status == DLS_ERR_MEMORY ? status : DLS_OK;
}

dls_axis dls_plot_parameter_axis(dls_figure *figure, const dls_sweep_axis *axis)
{
  const double margin = 0.02; /* of the axis, on both sides */
  const double low = fmin(axis->first, axis->last), high = fmax(axis->first, axis->last);
  const double room = high > low ? margin * (high - low) : 1,
               factor = axis->logarithmic ? pow(high / low, margin) : 1;
  return (dls_axis){.label = dls_figure_text(figure, "%.100s %.30s [%.30s]", axis->parameter->help,
                                             axis->parameter->name, axis->parameter->unit),
                    .plain = true,
                    .log = axis->logarithmic,
                    .low = axis->logarithmic ? low / factor : low - room,
                    .high = axis->logarithmic ? high * factor : high + room};
}

const char *dls_plot_meta(const dls_trajectory *traj, const char *key)
{
  const size_t length = strlen(key);
  for (size_t i = 0; i < traj->meta_count; i++) {
    if (strncmp(traj->meta[i], key, length) == 0 && traj->meta[i][length] == ':') {
      return traj->meta[i] + length + 1 + strspn(traj->meta[i] + length + 1, " ");
    }
  }
  return NULL;
}

void dls_plot_title_run(dls_figure *figure, const dls_trajectory *traj)
{
  const char *choice = dls_plot_meta(traj, "choice"), *step = dls_plot_meta(traj, "step");
  figure->title.model = dls_plot_meta(traj, "model");
  figure->title.schemes = choice != NULL ? choice : dls_plot_meta(traj, "scheme");
  figure->title.step = step != NULL ? dls_figure_text(figure, "h = %s s", step) : NULL;
}

const char *dls_plot_reference_name(const dls_trajectory *reference)
{
  const char *scheme = dls_plot_meta(reference, "scheme");
  return scheme == NULL || strcmp(scheme, "exact") == 0 ? "exact" : scheme;
}
