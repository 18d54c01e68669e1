/* experiments/show/plot_curve.c -- a quantity over time as vertices for gnuplot, jumps as vertical lines.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/plot_curve.h"
#include "common/run/coordinates.h"
#include "experiments/measures/reference.h"
#include "experiments/show/gnuplot.h"
#include <math.h>
#include <string.h>

static void put_vertex(FILE *out, double t, double x)
{
  fprintf(out, "%.10g %.10g\n", t, x);
}

/* A graph with few nodes: every node, and cubic pieces in small segments. */
static void put_fine(FILE *out, const dls_graph *graph, size_t segments)
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
static void put_thinned(FILE *out, const dls_graph *graph, size_t bins)
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

dls_status dls_plot_curve(FILE *out, const dls_trajectory *traj, const char *name, size_t most, dls_error *err)
{
  dls_graph *graph = NULL;
  const dls_status status = dls_quantity_graph(traj, name, &graph, err);
  if (status != DLS_OK) {
    return status;
  }
  if (graph->count > most) {
    put_thinned(out, graph, most / 4);
  } else {
    put_fine(out, graph, most / 6);
  }
  dls_graph_destroy(graph);
  return DLS_OK;
}

void dls_plot_label(FILE *out, const dls_trajectory *run, const char *name)
{
  char label[120];
  dls_column_kind kind;
  dls_column_find(run, name, &kind);
  if (kind.words[0] == '\0') {
    dls_gnuplot_quote(out, name);
    return;
  }
  if (kind.index[0] != '\0') {
    snprintf(label, sizeof label, "%s %s_{%s} [%s]", kind.words, kind.symbol, kind.index, kind.unit);
  } else {
    snprintf(label, sizeof label, "%s [%s]", kind.words, kind.unit);
  }
  dls_gnuplot_quote(out, label);
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

const char *dls_plot_reference_name(const dls_trajectory *reference)
{
  const char *scheme = dls_plot_meta(reference, "scheme");
  return scheme == NULL || strcmp(scheme, "exact") == 0 ? "exact" : scheme;
}
