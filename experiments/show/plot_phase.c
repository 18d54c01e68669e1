/* experiments/show/plot_phase.c -- columns of runs over another column, jumps dashed, phases of stick underlaid.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/plot_phase.h"
#include "common/run/coordinates.h"
#include "experiments/measures/reference.h"
#include "experiments/show/plot_curve.h"
#include "experiments/show/plot_friction.h"
#include <math.h>
#include <string.h>

enum {
  PIECES = 16 /* of a cubic between two nodes */,
  VERTICES_PER_WIDTH = 8 /* of those that a canvas allows */
};
static const double margin = 0.05;   /* around the curves, of their width and height */
static const double most_oblong = 8; /* of curves that are drawn with equal scales */
static const char stick_colour[] = "#DDDDDD";

typedef struct box {
  double low[2], high[2];
} box;

/* One column of a run over another. */
typedef struct path {
  const dls_trajectory *traj;
  size_t column[2];     /* x, y */
  dls_graph *graph[2];  /* cubic between nodes; else NULL */
  double resolution[2]; /* vertices that are closer than this are one */
  double last[2];
  bool skipped; /* last was not written */
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
      return dls_fail(err, DLS_ERR_ARG, "plot: there is no column '%s' in the runs", names[k]);
    }
    p->column[k] = (size_t)column;
    p->resolution[k] = (b.high[k] - b.low[k]) / across;
    if (traj->meaning[column] == DLS_HERMITE || traj->meaning[column] == DLS_CUBIC) {
      status = dls_quantity_graph(traj, names[k], &p->graph[k], err);
    }
  }
  return status;
}

static void put_vertex(FILE *out, path *p, const double x[2], bool always)
{
  const bool far = fabs(x[0] - p->last[0]) > p->resolution[0] || fabs(x[1] - p->last[1]) > p->resolution[1];
  p->skipped = !(far || always);
  if (!p->skipped) {
    fprintf(out, "%.10g %.10g\n", x[0], x[1]);
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
static void put_piece(FILE *out, path *p, size_t row)
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

/* Begin a line, or end it with the vertex that was left out last. */
static void put_end(FILE *out, path *p, size_t row, bool begins)
{
  double x[2];
  node(p, row, x);
  if (begins || p->skipped) {
    put_vertex(out, p, x, true);
  }
  fputs(begins ? "" : "\n", out);
}

/* What is drawn between a row and the next: all but jumps, or where the status says that the contact sticks. */
static bool is_drawn(const path *p, size_t row, int status)
{
  return !is_jump(p->traj, row) &&
         (status < 0 || (int)dls_trajectory_at(p->traj, row, (size_t)status) == DLS_PLOT_STICKS);
}

static void put_lines(FILE *out, path *p, int status)
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

static void put_jumps(FILE *out, const path *p)
{
  double x[2], y[2];
  for (size_t row = 0; row + 1 < p->traj->rows; row++) {
    node(p, row, x);
    node(p, row + 1, y);
    if (is_jump(p->traj, row) && (x[0] != y[0] || x[1] != y[1])) {
      fprintf(out, "%.10g %.10g\n%.10g %.10g\n\n", x[0], x[1], y[0], y[1]);
    }
  }
}

/* Status of the first contact that slips at some time; of a run by steps it may change at every one. @return -1: none */
static int stick_column(const dls_trajectory *traj, size_t *contact)
{
  return dls_plot_meta(traj, "step") != NULL ? -1 : dls_plot_stick_column(traj, contact);
}

/* An empty block would stop gnuplot: NaN stands for nothing. */
static void open_block(FILE *out, const char *kind, const char *set, const char *column)
{
  fprintf(out, "$%s%s_%s << EOD\nNaN NaN\n\n", kind, set, column);
}

static dls_status put_path(FILE *out, const dls_trajectory *traj, const dls_comparison *plot, size_t j,
                           const dls_canvas *canvas, const char *set, dls_error *err)
{
  path p;
  size_t contact = 0;
  dls_status status = begin_path(traj, plot, j, canvas, &p, err);
  const int stick = stick_column(traj, &contact);
  if (status == DLS_OK) {
    open_block(out, "run", set, plot->columns[j]);
    put_lines(out, &p, -1);
    fputs("EOD\n", out);
    open_block(out, "jump", set, plot->columns[j]);
    put_jumps(out, &p);
    fputs("EOD\n", out);
  }
  if (status == DLS_OK && stick >= 0) {
    open_block(out, "stick", set, plot->columns[j]);
    put_lines(out, &p, stick);
    fputs("EOD\n", out);
  }
  end_path(&p);
  return status;
}

dls_status dls_phase_put_data(FILE *out, const dls_comparison *plot, const dls_canvas *canvas, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t j = 0; j < plot->column_count && status == DLS_OK; j++) {
    if (plot->reference != NULL) {
      status = put_path(out, plot->reference, plot, j, canvas, "_reference", err);
    }
    for (size_t i = 0; i < plot->count && status == DLS_OK; i++) {
      char set[32];
      snprintf(set, sizeof set, "%zu", i);
      status = put_path(out, plot->runs[i], plot, j, canvas, set, err);
    }
  }
  return status;
}

/* Impulses are single events: no line leads from one to the next. */
static bool are_events(const dls_comparison *plot, size_t j)
{
  dls_column_kind kind;
  dls_column_find(plot->runs[0], plot->columns[j], &kind);
  return strcmp(kind.symbol, "p") == 0;
}

int dls_phase_key_lines(const dls_comparison *plot)
{
  size_t contact = 0;
  const int starts = !are_events(plot, 0);
  int lines = starts;
  for (size_t i = 0; i < plot->count && starts == 1 && lines == 1; i++) {
    lines += stick_column(plot->runs[i], &contact) >= 0;
  }
  return lines;
}

/* Coordinates of one kind and unit: a path, in which angles are true, unless it is too oblong. */
static bool is_path(const dls_comparison *plot, size_t j, const box *b)
{
  dls_column_kind x, y;
  dls_column_find(plot->runs[0], plot->over, &x);
  dls_column_find(plot->runs[0], plot->columns[j], &y);
  const double width = b->high[0] - b->low[0], height = b->high[1] - b->low[1];
  return x.words[0] != '\0' && plot->over[0] == plot->columns[j][0] && strcmp(x.unit, y.unit) == 0 &&
         fmax(width, height) <= most_oblong * fmin(width, height);
}

static void put_ranges(FILE *out, const dls_comparison *plot, size_t j, double width, double height)
{
  const box b = box_of(plot, j);
  double size[2] = {b.high[0] - b.low[0], b.high[1] - b.low[1]};
  if (is_path(plot, j, &b)) { /* metres per pixel */
    const double scale = fmax(size[0] / width, size[1] / height);
    size[0] = scale * width;
    size[1] = scale * height;
  }
  for (size_t k = 0; k < 2; k++) {
    const double middle = b.low[k] + 0.5 * (b.high[k] - b.low[k]),
                 half = size[k] > 0 ? (0.5 + margin) * size[k] : (middle != 0 ? 0.1 * fabs(middle) : 1);
    fprintf(out, "set %crange [%.10g:%.10g]\n", "xy"[k], middle - half, middle + half);
  }
}

/* Phases of stick, below all else. */
static void put_sticks(FILE *out, const dls_comparison *plot, size_t j, const char **separator)
{
  bool told = false;
  for (size_t i = 0; i < plot->count; i++) {
    size_t contact = 0;
    if (stick_column(plot->runs[i], &contact) >= 0) {
      fprintf(out,
              "%s$stick%zu_%s using 1:2 with linespoints pointtype 7 pointsize 0.8 linecolor rgb '%s' "
              "linewidth 12 ",
              *separator, i, plot->columns[j], stick_colour);
      fprintf(out, told ? "notitle" : "title 'contact %zu sticks'", contact);
      *separator = ", \\\n  ";
      told = true;
    }
  }
}

static void put_events(FILE *out, const dls_comparison *plot, const dls_canvas *canvas, size_t j, size_t i)
{
  static const int points[] = {7, 6, 5, 4, 9, 8, 11, 10, 13, 12, 15, 14};
  fprintf(out, "$run%zu_%s using 1:2 with points pointtype %d pointsize 1 linecolor rgb '%s' ", i,
          plot->columns[j], points[i % (sizeof points / sizeof points[0])], dls_gnuplot_colour(i));
  dls_gnuplot_title(out, canvas, plot->labels[i]);
}

static void put_run(FILE *out, const dls_comparison *plot, const dls_canvas *canvas, size_t j, size_t i)
{
  if (are_events(plot, j)) {
    put_events(out, plot, canvas, j, i);
    return;
  }
  const char *colour = dls_gnuplot_colour(i), *column = plot->columns[j];
  const double width = dls_gnuplot_curve_width(i, plot->count);
  fprintf(out, "$jump%zu_%s using 1:2 with lines linecolor rgb '%s' dashtype 3 linewidth %g notitle, \\\n  ", i,
          column, colour, width);
  fprintf(out, "$run%zu_%s using 1:2 with lines linecolor rgb '%s' dashtype %d linewidth %g ", i, column,
          colour, dls_gnuplot_dash_type(i), width);
  dls_gnuplot_title(out, canvas, plot->labels[i]);
}

/* Where the runs begin. */
static void put_starts(FILE *out, const dls_comparison *plot, size_t j)
{
  for (size_t i = 0; i < plot->count; i++) {
    fprintf(
        out,
        ", \\\n  $run%zu_%s using 1:2 every 1:1:0:1:0:1 with points pointtype 6 pointsize 1.2 linecolor rgb "
        "'black' %s",
        i, plot->columns[j], i == 0 ? "title 'start'" : "notitle");
  }
}

void dls_phase_put_panel(FILE *out, const dls_comparison *plot, const dls_canvas *canvas, size_t j,
                         double width, double height)
{
  const char *separator = "plot ", *column = plot->columns[j];
  put_ranges(out, plot, j, width, height);
  if (!are_events(plot, j)) {
    put_sticks(out, plot, j, &separator);
  }
  if (plot->reference != NULL) {
    const double thick = dls_gnuplot_curve_width(0, plot->count) + 2.5;
    fprintf(
        out,
        "%s$jump_reference_%s using 1:2 with lines linecolor rgb '#B0B0B0' dashtype 2 linewidth %g notitle, "
        "\\\n  $run_reference_%s using 1:2 with lines linecolor rgb '#B0B0B0' linewidth %g title '%s'",
        separator, column, thick, column, thick, dls_plot_reference_name(plot->reference));
    separator = ", \\\n  ";
  }
  for (size_t i = 0; i < plot->count; i++) {
    fputs(separator, out);
    put_run(out, plot, canvas, j, i);
    separator = ", \\\n  ";
  }
  if (!are_events(plot, j)) {
    put_starts(out, plot, j);
  }
  fprintf(out, "\n");
}
