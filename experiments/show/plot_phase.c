/* experiments/show/plot_phase.c -- columns of runs over another column, jumps dashed, phases of stick underlaid.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/plot_phase.h"
#include "common/run/coordinates.h"
#include "experiments/measures/order/reference.h"
#include "experiments/show/plot_curve.h"
#include "experiments/show/plot_friction.h"
#include <delassus/plot.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  PIECES = 16 /* of a cubic between two nodes */,
  VERTICES_PER_WIDTH = 8 /* of those that a canvas allows */,
  HEIGHT = 510,
  NARROW_HEIGHT = 250
};
static const double margin = 0.05;   /* around the curves, of their width and height */
static const double most_oblong = 8; /* of curves that are drawn with equal scales */

typedef struct box {
  double low[2], high[2];
} box;

/* One column of a run over another. */
typedef struct path {
  const dls_trajectory *traj;
  size_t column[2];     /* x, y */
  dls_graph *graph[2];  /* cubic between nodes; else NULL */
  double resolution[2]; /* vertices closer than this are merged */
  double last[2];
  bool skipped; /* the last vertex is not written yet */
} path;

static void grow(box *b, const dls_trajectory *traj, const char *const names[2])
{
  for (size_t k = 0; k < 2; k++) {
    const int column = traj != NULL ? dls_trajectory_column(traj, names[k]) : -1;
    for (size_t row = 0; column >= 0 && row < traj->rows; row++) {
      b->low[k] = fmin(b->low[k], dls_trajectory_at(traj, row, (size_t)column));
      b->high[k] = fmax(b->high[k], dls_trajectory_at(traj, row, (size_t)column));
    }
  }
}

/* Of all nodes of panel j. */
static box box_of(const dls_comparison *plot, size_t j)
{
  const char *const names[2] = {plot->over, plot->columns[j]};
  box b = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
  grow(&b, plot->reference, names);
  for (size_t i = 0; i < plot->count; i++) {
    grow(&b, plot->runs[i], names);
  }
  return b;
}

static void end_path(path *p)
{
  dls_graph_destroy(p->graph[0]);
  dls_graph_destroy(p->graph[1]);
}

static dls_status begin_path(const dls_trajectory *traj, const dls_comparison *plot, size_t j,
                             const dls_canvas *canvas, path *p, dls_error *err)
{
  const char *const names[2] = {plot->over, plot->columns[j]};
  const box b = box_of(plot, j);
  const double across = (double)dls_canvas_vertices(canvas) / VERTICES_PER_WIDTH;
  dls_status status = DLS_OK;
  *p = (path){.traj = traj};
  for (size_t k = 0; k < 2 && status == DLS_OK; k++) {
    const int column = dls_trajectory_column(traj, names[k]);
    if (column < 0) {
      return dls_fail(err, DLS_ERR_ARG, "plot: the runs have no column '%s'", names[k]);
    }
    p->column[k] = (size_t)column;
    p->resolution[k] = (b.high[k] - b.low[k]) / across;
    if (traj->meaning[column] == DLS_HERMITE || traj->meaning[column] == DLS_CUBIC) {
      status = dls_quantity_graph(traj, names[k], &p->graph[k], err);
    }
  }
  return status;
}

static void put_vertex(dls_plot_table *out, path *p, const double x[2], bool always)
{
  const bool far = fabs(x[0] - p->last[0]) > p->resolution[0] || fabs(x[1] - p->last[1]) > p->resolution[1];
  p->skipped = !(far || always);
  if (!p->skipped) {
    dls_plot_table_add(out, x);
    memcpy(p->last, x, sizeof p->last);
  }
}

static void node(const path *p, size_t row, double x[2])
{
  x[0] = dls_trajectory_at(p->traj, row, p->column[0]);
  x[1] = dls_trajectory_at(p->traj, row, p->column[1]);
}

static bool is_jump(const dls_trajectory *traj, size_t row)
{
  return dls_trajectory_at(traj, row, 0) == dls_trajectory_at(traj, row + 1, 0);
}

/* From the node of a row to the next, without the first. */
static void put_piece(dls_plot_table *out, path *p, size_t row)
{
  const double t0 = dls_trajectory_at(p->traj, row, 0), t1 = dls_trajectory_at(p->traj, row + 1, 0);
  double from[2], to[2], x[2];
  node(p, row, from);
  node(p, row + 1, to);
  for (int i = 1; i < PIECES && (p->graph[0] != NULL || p->graph[1] != NULL); i++) {
    const double part = (double)i / PIECES;
    for (size_t k = 0; k < 2; k++) {
      x[k] = from[k] + part * (to[k] - from[k]);
      if (p->graph[k] != NULL) {
        dls_graph_value(p->graph[k], t0 + part * (t1 - t0), 1, &x[k]);
      }
    }
    put_vertex(out, p, x, false);
  }
  put_vertex(out, p, to, false);
}

/* Begin a line, or end it with the last omitted vertex. */
static void put_end(dls_plot_table *out, path *p, size_t row, bool begins)
{
  double x[2];
  node(p, row, x);
  if (begins || p->skipped) {
    put_vertex(out, p, x, true);
  }
  if (!begins) {
    dls_plot_table_break(out);
  }
}

/* Whether a row is joined to the next: all except jumps, or where the contact sticks by its status. */
static bool is_drawn(const path *p, size_t row, int status)
{
  return !is_jump(p->traj, row) &&
         (status < 0 || (int)dls_trajectory_at(p->traj, row, (size_t)status) == DLS_PLOT_STICKS);
}

static void put_lines(dls_plot_table *out, path *p, int status)
{
  bool inside = false;
  for (size_t row = 0; row + 1 < p->traj->rows; row++) {
    const bool drawn = is_drawn(p, row, status);
    if (drawn != inside) {
      put_end(out, p, row, drawn);
    }
    if (drawn) {
      put_piece(out, p, row);
    }
    inside = drawn;
  }
  if (inside) {
    put_end(out, p, p->traj->rows - 1, false);
  }
}

static void put_jumps(dls_plot_table *out, const path *p)
{
  double x[2], y[2];
  for (size_t row = 0; row + 1 < p->traj->rows; row++) {
    node(p, row, x);
    node(p, row + 1, y);
    if (is_jump(p->traj, row) && (x[0] != y[0] || x[1] != y[1])) {
      dls_plot_table_add(out, x);
      dls_plot_table_add(out, y);
      dls_plot_table_break(out);
    }
  }
}

/* Status of the first contact that slips at some time; of a run by steps it may change at every one. @return -1: none */
static int stick_column(const dls_trajectory *traj, size_t *contact)
{
  return dls_plot_meta(traj, "step") != NULL ? -1 : dls_plot_stick_column(traj, contact);
}

/* What is drawn of a run. */
typedef struct drawn {
  dls_plot_table *line, *jumps, *sticks; /* sticks: NULL where no contact sticks at times */
  size_t contact;                        /* that sticks */
} drawn;

static dls_status add_tables(dls_figure *figure, const dls_trajectory *traj, const dls_comparison *plot,
                             size_t j, const char *set, drawn *d, dls_error *err)
{
  path p;
  const char *column = plot->columns[j];
  const dls_status status = begin_path(traj, plot, j, &figure->canvas, &p, err);
  const int stick = stick_column(traj, &d->contact);
  if (status == DLS_OK) {
    d->line = dls_plot_table_new(figure, 2, "run%s_%s", set, column);
    put_lines(d->line, &p, -1);
    d->jumps = dls_plot_table_new(figure, 2, "jump%s_%s", set, column);
    put_jumps(d->jumps, &p);
  }
  if (status == DLS_OK && stick >= 0) {
    d->sticks = dls_plot_table_new(figure, 2, "stick%s_%s", set, column);
    put_lines(d->sticks, &p, stick);
  }
  end_path(&p);
  return status;
}

/* Impulses are single events: no line joins them. */
static bool are_events(const dls_comparison *plot, size_t j)
{
  dls_column_kind kind;
  dls_column_find(plot->runs[0], plot->columns[j], &kind);
  return strcmp(kind.symbol, "p") == 0;
}

/* Coordinates of one kind and unit form a path with equal scales, unless it is too oblong. */
static bool is_path(const dls_comparison *plot, size_t j, const box *b)
{
  dls_column_kind x, y;
  dls_column_find(plot->runs[0], plot->over, &x);
  dls_column_find(plot->runs[0], plot->columns[j], &y);
  const double width = b->high[0] - b->low[0], height = b->high[1] - b->low[1];
  return x.words[0] != '\0' && plot->over[0] == plot->columns[j][0] && strcmp(x.unit, y.unit) == 0 &&
         fmax(width, height) <= most_oblong * fmin(width, height);
}

static void set_axes(dls_figure *figure, dls_panel *panel, const dls_comparison *plot, size_t j)
{
  const box b = box_of(plot, j);
  dls_axis *const axes[2] = {&panel->x, &panel->y};
  panel->equal = is_path(plot, j, &b);
  for (size_t k = 0; k < 2; k++) {
    const double middle = b.low[k] + 0.5 * (b.high[k] - b.low[k]), size = b.high[k] - b.low[k],
                 half = size > 0 ? (0.5 + margin) * size : (middle != 0 ? 0.1 * fabs(middle) : 1);
    axes[k]->low = middle - half;
    axes[k]->high = middle + half;
    axes[k]->label = dls_plot_label(figure, plot->runs[0], k == 0 ? plot->over : plot->columns[j]);
  }
}

static void add_reference(dls_figure *figure, dls_panel *panel, const dls_comparison *plot, const drawn *d)
{
  dls_series series = {.table = d->jumps,
                       .style = dls_style_line(DLS_GREY, DLS_DASHED),
                       .width = dls_curve_width(0, plot->count) + 2.5};
  dls_panel_add(figure, panel, &series);
  series.table = d->line;
  series.style.dash = DLS_SOLID;
  series.title = dls_plot_reference_name(plot->reference);
  dls_panel_add(figure, panel, &series);
}

/* Jumps dotted. */
static void add_run(dls_figure *figure, dls_panel *panel, const dls_comparison *plot, size_t i, const drawn *d)
{
  dls_series series = {.table = d->jumps, .style = dls_style_of(i), .width = dls_curve_width(i, plot->count)};
  series.style.dash = DLS_DOTTED;
  dls_panel_add(figure, panel, &series);
  series.table = d->line;
  series.style = dls_style_of(i);
  series.title = plot->labels[i];
  dls_panel_add(figure, panel, &series);
}

static void add_events(dls_figure *figure, dls_panel *panel, const dls_comparison *plot, size_t i,
                       const drawn *d)
{
  dls_series series = {
      .kind = DLS_SERIES_POINTS, .table = d->line, .style = dls_style_of(i), .title = plot->labels[i]};
  series.style.point = i % 2 == 0 ? series.style.point : dls_point_hollow(series.style.point);
  dls_panel_add(figure, panel, &series);
}

/* Drawn first, below everything else. */
static void add_sticks(dls_figure *figure, dls_panel *panel, size_t count, const drawn *runs)
{
  bool titled = false;
  for (size_t i = 0; i < count; i++) {
    if (runs[i].sticks != NULL) {
      dls_panel_add(
          figure, panel,
          &(dls_series){.kind = DLS_SERIES_LINES_POINTS,
                        .table = runs[i].sticks,
                        .style = dls_style_line("#DDDDDD", DLS_SOLID),
                        .size = 0.8,
                        .width = 12,
                        .title =
                            titled ? NULL : dls_figure_text(figure, "contact %zu sticks", runs[i].contact)});
      titled = true;
    }
  }
}

static void add_starts(dls_figure *figure, dls_panel *panel, const dls_comparison *plot, size_t j,
                       const drawn *runs)
{
  dls_plot_table *table = dls_plot_table_new(figure, 2, "start_%s", plot->columns[j]);
  for (size_t i = 0; i < plot->count; i++) {
    if (runs[i].line->rows > 0) {
      dls_plot_table_add(table, runs[i].line->values);
    }
  }
  dls_panel_add(figure, panel,
                &(dls_series){.kind = DLS_SERIES_POINTS,
                              .table = table,
                              .style = {"#000000", DLS_SOLID, DLS_CIRCLE},
                              .size = 1.2,
                              .title = "start"});
}

static void add_series(dls_figure *figure, const dls_comparison *plot, size_t j, const drawn *runs)
{
  const bool events = are_events(plot, j);
  dls_panel *panel = dls_figure_panel(figure, dls_figure_either(figure, HEIGHT, NARROW_HEIGHT));
  set_axes(figure, panel, plot, j);
  panel->zero_line = true;
  if (!events) {
    add_sticks(figure, panel, plot->count, runs);
  }
  if (plot->reference != NULL) {
    add_reference(figure, panel, plot, &runs[plot->count]);
  }
  for (size_t i = 0; i < plot->count; i++) {
    (events ? add_events : add_run)(figure, panel, plot, i, &runs[i]);
  }
  if (!events) {
    add_starts(figure, panel, plot, j, runs);
  }
}

dls_status dls_phase_add_panel(dls_figure *figure, const dls_comparison *plot, size_t j, dls_error *err)
{
  drawn *runs = calloc(plot->count + 1, sizeof *runs); /* the last: the reference */
  dls_status status =
      runs != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for a picture of %zu runs", plot->count);
  for (size_t i = 0; i < plot->count && status == DLS_OK; i++) {
    char set[32];
    snprintf(set, sizeof set, "%zu", i);
    status = add_tables(figure, plot->runs[i], plot, j, set, &runs[i], err);
  }
  if (status == DLS_OK && plot->reference != NULL) {
    status = add_tables(figure, plot->reference, plot, j, "_reference", &runs[plot->count], err);
  }
  if (status == DLS_OK) {
    add_series(figure, plot, j, runs);
  }
  free(runs);
  return status;
}
