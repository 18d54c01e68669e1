/* experiments/show/plot_curve.c -- curves of trajectories, labels of columns and parameters.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/plot_curve.h"
#include "common/run/coordinates.h"
#include "experiments/measures/order/reference.h"
#include <math.h>
#include <string.h>

static void put_vertex(dls_plot_table *table, double t, double x)
{
  dls_plot_table_add(table, (double[]){t, x});
}

/* A graph with few nodes: all nodes, with cubic pieces in short segments. */
static void put_fine(dls_plot_table *out, const dls_graph *graph, size_t segments)
{
  const double spacing = (graph->t[graph->count - 1] - graph->t[0]) / (double)segments;
  put_vertex(out, graph->t[0], graph->x[0]);
  for (size_t i = 1; i < graph->count; i++) {
    const double width = graph->t[i] - graph->t[i - 1];
    const double pieces = graph->slope == NULL || width <= 0 ? 1 : ceil(width / spacing);
    for (double piece = 1; piece < pieces; piece++) {
      double x = 0;
      const double t = graph->t[i - 1] + width * piece / pieces;
      dls_graph_value(graph, t, 1, &x);
      put_vertex(out, t, x);
    }
    put_vertex(out, graph->t[i], graph->x[i]);
  }
}

/* A graph with very many nodes: first, least, largest and last of each bin, in their order. */
static void put_thinned(dls_plot_table *out, const dls_graph *graph, size_t bins)
{
  for (size_t bin = 0; bin < bins; bin++) {
    const size_t begin = graph->count * bin / bins;
    const size_t end = graph->count * (bin + 1) / bins;
    size_t low = begin, high = begin;
    for (size_t i = begin; i < end; i++) {
      low = graph->x[i] < graph->x[low] ? i : low;
      high = graph->x[i] > graph->x[high] ? i : high;
    }
    const size_t chosen[] = {begin, low < high ? low : high, low < high ? high : low, end - 1};
    for (size_t i = 0; i < 4; i++) {
      put_vertex(out, graph->t[chosen[i]], graph->x[chosen[i]]);
    }
  }
}

dls_status dls_plot_curve(dls_figure *figure, dls_plot_table *table, const dls_trajectory *traj,
                          const char *name, dls_error *err)
{
  const size_t most = dls_canvas_vertices(&figure->canvas);
  dls_graph *graph = NULL;
  const dls_status status = dls_quantity_graph(traj, name, &graph, err);
  if (status != DLS_OK) {
    return status;
  }
  if (graph->count > most) {
    put_thinned(table, graph, most / 4);
  } else {
    put_fine(table, graph, most / 6);
  }
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
