/* experiments/show/plot_grid.c -- see plot_grid.h
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/plot_grid.h"
#include "common/base/text.h"
#include "common/run/coordinates.h"
#include "experiments/show/plot_axis.h"
#include "experiments/show/plot_grid_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  WIDTH = 1000,
  PANEL_HEIGHT = 330,
  ONE_HEIGHT = 480,
  NARROW_PANEL_HEIGHT = 250,
  HEAD_HEIGHT = 40,
  PANEL_SPACING = 50,
  AXIS_HEIGHT = 70,
  MOST_POINTS = 200,   /* of a curve that have a mark */
  MOST_VERTICES = 4000 /* of a curve */
};

/* Has a panel a value; have those that it has different ones? */
static bool has_value(const dls_grid *grid, dls_grid_panel panel, bool *varies)
{
  double first = NAN;
  *varies = false;
  for (size_t i = panel.group; i < grid->cells * grid->rows && !*varies; i += grid->groups) {
    const double x = grid->values[i * grid->columns + panel.column];
    *varies = isfinite(x) && !isnan(first) && x != first;
    first = isnan(first) && isfinite(x) ? x : first;
  }
  return !isnan(first);
}

size_t dls_grid_panels(const dls_grid *grid, dls_grid_panel *panels)
{
  size_t count = 0;
  for (int constant = 0; constant < 2 && count == 0; constant++) { /* if there are no others */
    for (size_t i = 0; i < grid->groups * grid->columns; i++) {
      const dls_grid_panel panel = {i / grid->columns, i % grid->columns};
      bool varies = false;
      if (grid->column[panel.column].drawn && has_value(grid, panel, &varies) && (varies || constant)) {
        panels[count++] = panel;
      }
    }
  }
  return count;
}

static bool of_errors(const dls_grid *grid)
{
  return grid->spec.kind == DLS_GRID_OF_ORDERS || grid->spec.kind == DLS_GRID_OF_WORK;
}

void dls_grid_panel_name(const dls_grid *grid, dls_grid_panel panel, char *text, size_t size)
{
  const dls_order_spec *errors = &grid->spec.errors;
  text[0] = '\0';
  if (of_errors(grid)) {
    dls_text_append(text, size, "%s_%s_", errors->norms[panel.group / errors->of_count]->name,
                    errors->of[panel.group % errors->of_count]);
  }
  dls_text_append(text, size, "%s", grid->column[panel.column].name);
  for (char *c = text; (c = strpbrk(c, ":=/")) != NULL;) {
    *c = '-';
  }
}

/* --- labels --- */

/* "velocity v0 [m/s]" as the model says. */
static dls_status label_column(const dls_grid *grid, const char *of, char *text, size_t size, dls_error *err)
{
  dls_system *sys = NULL;
  dls_trajectory *columns = NULL;
  dls_column_kind kind = {.words = ""};
  const dls_order_spec *errors = &grid->spec.errors;
  dls_status status = dls_model_create(errors->model, errors->parameters, &sys, err);
  if (status == DLS_OK) {
    columns = dls_trajectory_create_system(sys, false);
    status = columns != NULL ? dls_note_coordinates(columns, sys, err)
                             : dls_fail(err, DLS_ERR_MEMORY, "no memory for the label of %s", of);
  }
  if (status == DLS_OK) {
    dls_column_find(columns, of, &kind);
  }
  if (kind.words[0] != '\0') {
    dls_text_append(text, size, "%s %s [%s]", kind.words, of, kind.unit);
  } else {
    dls_text_append(text, size, "%s", of);
  }
  dls_trajectory_destroy(columns);
  dls_system_destroy(sys);
  return status == DLS_ERR_MEMORY ? status : DLS_OK;
}

static dls_status label_panel(const dls_grid *grid, dls_grid_panel panel, char *text, size_t size,
                              dls_error *err)
{
  dls_status status = DLS_OK;
  const dls_grid_column *column = &grid->column[panel.column];
  const dls_order_spec *errors = &grid->spec.errors;
  snprintf(text, size, "%s", column->label);
  if (column->of != NULL) {
    status = label_column(grid, column->of, text, size, err);
  }
  if (of_errors(grid) && strcmp(column->name, "work") == 0) {
    dls_text_append(text, size, ", %s", dls_work_name(grid->spec.against));
  } else if (of_errors(grid)) {
    dls_text_append(text, size, ", %s of %s", errors->norms[panel.group / errors->of_count]->name,
                    errors->of[panel.group % errors->of_count]);
  }
  return status;
}

/* @param[out] labels  of the panels, to be freed */
static dls_status label_panels(const dls_grid *grid, const dls_grid_panel *panels, size_t count,
                               dls_grid_label **labels, dls_error *err)
{
  *labels = calloc(count + 1, sizeof **labels);
  dls_status status =
      *labels != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu labels", count);
  for (size_t p = 0; p < count && status == DLS_OK; p++) {
    status = label_panel(grid, panels[p], (*labels)[p].text, sizeof(*labels)[p].text, err);
  }
  return status;
}

/* --- curves over one parameter --- */

/* Is a quantity positive and of such different sizes that it wants a logarithmic axis? */
bool dls_grid_panel_logarithmic(const dls_grid *grid, dls_grid_panel panel, double *low, double *high)
{
  const double ratio = 100, most = 1e10; /* beyond it the least is rounding */
  *low = INFINITY;
  *high = -INFINITY;
  for (size_t i = panel.group; i < grid->cells * grid->rows; i += grid->groups) {
    const double x = grid->values[i * grid->columns + panel.column];
    if (isfinite(x)) {
      *low = fmin(*low, x);
      *high = fmax(*high, x);
    }
  }
  return *low > 0 && *high > ratio * *low && *high < most * *low;
}

/* Of very many points every k-th. */
static size_t stride_of(const dls_grid *grid)
{
  return (grid->cells + MOST_VERTICES - 1) / MOST_VERTICES;
}

/* $curve_PANEL_SCHEME: parameter, value, ends of its interval; a blank line where there is none. */
static void put_block(FILE *out, const dls_grid *grid, dls_grid_panel panel, size_t p, size_t scheme)
{
  fprintf(out, "$curve_%zu_%zu << EOD\nNaN NaN NaN NaN\n", p, scheme);
  bool gap = true;
  for (size_t cell = 0; cell < grid->cells; cell += stride_of(grid)) {
    const double *x = dls_grid_row(grid, cell, scheme * grid->groups + panel.group) + panel.column;
    const bool there = grid->done[cell] && isfinite(x[0]), interval = grid->column[panel.column].interval;
    if (there) {
      fprintf(out, "%s%.10g %.10g %.10g %.10g\n", gap ? "\n" : "", dls_grid_value(grid, cell, 0), x[0],
              interval ? x[1] : NAN, interval ? x[2] : NAN);
    }
    gap = !there;
  }
  fputs("EOD\n", out);
}

static void put_curves(FILE *out, const dls_grid *grid, dls_grid_panel panel, size_t p,
                       const dls_canvas *canvas)
{
  const size_t schemes = grid->spec.errors.scheme_count;
  const bool marks = grid->cells <= MOST_POINTS;
  for (size_t i = 0; i < schemes; i++) {
    fputs(i == 0 ? "plot " : ", \\\n  ", out);
    if (grid->column[panel.column].interval && marks) {
      fprintf(out,
              "$curve_%zu_%zu using 1:2:3:4 with yerrorbars pointtype 0 linecolor rgb '%s' notitle, \\\n  ", p,
              i, dls_gnuplot_colour(i));
    }
    fprintf(out, "$curve_%zu_%zu using 1:2 with %s linewidth %g dashtype %d linecolor rgb '%s' ", p, i,
            marks ? "linespoints" : "lines", dls_gnuplot_curve_width(i, schemes), dls_gnuplot_dash_type(i),
            dls_gnuplot_colour(i));
    if (marks) {
      fprintf(out, "pointtype %d pointsize 0.7 ", dls_gnuplot_point_type(i));
    }
    dls_gnuplot_title(out, canvas, grid->spec.labels[i]);
  }
  fputc('\n', out);
}

static int key_height(const dls_grid *grid, const dls_canvas *canvas)
{
  int lines = 1;
  for (size_t i = 0; i < grid->spec.errors.scheme_count; i++) {
    lines += dls_gnuplot_title_lines(canvas, grid->spec.labels[i]);
  }
  return DLS_KEY_LINE_HEIGHT * lines;
}

static int head_height(const dls_canvas *canvas)
{
  return dls_canvas_titled(canvas) ? HEAD_HEIGHT : HEAD_HEIGHT / 4;
}

static int curves_height(const dls_grid *grid, size_t count, const dls_canvas *canvas)
{
  const int panel = canvas->narrow ? NARROW_PANEL_HEIGHT : count == 1 ? ONE_HEIGHT : PANEL_HEIGHT;
  return head_height(canvas) + panel * (int)count + AXIS_HEIGHT + key_height(grid, canvas);
}

void dls_grid_put_title(FILE *out, const dls_grid *grid, const dls_canvas *canvas)
{
  char title[200];
  const dls_grid_spec *spec = &grid->spec;
  snprintf(title, sizeof title, "%s on [0, %g] s", spec->errors.model->name, spec->errors.end);
  if (spec->step > 0) {
    dls_text_append(title, sizeof title, ", h = %g s", spec->step);
  }
  dls_text_append(title, sizeof title, "%s", grid->complete ? "" : " (interrupted)");
  dls_gnuplot_end_titled(out, canvas, title);
}

static void put_y_axis(FILE *out, const dls_grid *grid, dls_grid_panel panel, const char *label, bool text)
{
  double low = 0, high = 0;
  fputs("unset logscale y\nset ytics auto\nset yrange [*:*]\n", out);
  if (dls_grid_panel_logarithmic(grid, panel, &low, &high)) {
    dls_gnuplot_log_axis(out, 'y', low / 2, high * 2, text);
    fprintf(out, "set yrange [%.10g:%.10g]\n", low / 2, high * 2);
  }
  fputs("set ylabel ", out);
  dls_gnuplot_quote(out, label);
  fputs(" noenhanced\n", out);
}

static void draw_curves(FILE *out, const dls_grid *grid, const dls_grid_panel *panels,
                        const dls_grid_label *labels, size_t count, const dls_canvas *canvas, bool text)
{
  const double height = curves_height(grid, count, canvas), key_top = key_height(grid, canvas) / height;
  const double left = dls_canvas_left(canvas, 0.11), right = dls_canvas_right(canvas, 0.97);
  for (size_t p = 0; p < count; p++) {
    for (size_t i = 0; i < grid->spec.errors.scheme_count; i++) {
      put_block(out, grid, panels[p], p, i);
    }
  }
  fprintf(out, "set multiplot layout %zu,1 margins %g,%g,%.4f,%.4f spacing %.4f", count, left, right,
          key_top + AXIS_HEIGHT / height, 1 - head_height(canvas) / height, PANEL_SPACING / height);
  dls_grid_put_title(out, grid, canvas);
  fputs("set offsets 0,0,graph 0.05,graph 0.05\nunset key\n", out);
  dls_plot_axis_range(out, 'x', &grid->spec.axes[0], text);
  for (size_t p = 0; p < count; p++) {
    if (p + 1 == count) {
      dls_plot_axis_label(out, 'x', &grid->spec.axes[0]);
      fprintf(out, "set key at screen %g,%.4f left top Left reverse vertical maxcols 1 noenhanced\n",
              canvas->narrow ? 0 : left, key_top);
    }
    put_y_axis(out, grid, panels[p], labels[p].text, text);
    put_curves(out, grid, panels[p], p, canvas);
  }
  fputs("unset multiplot\n", out);
}

dls_status dls_draw_grid(const dls_grid *grid, const dls_grid_panel *panels, size_t count,
                         const dls_canvas *canvas, dls_error *err)
{
  dls_gnuplot *gnuplot = NULL;
  const bool maps = grid->spec.axis_count > 1;
  const int height = maps ? dls_grid_maps_height(grid, count, canvas) : curves_height(grid, count, canvas);
  dls_grid_label *labels = NULL;
  dls_status status = label_panels(grid, panels, count, &labels, err);
  status = status != DLS_OK ? status : dls_gnuplot_begin(canvas, WIDTH, height, &gnuplot, err);
  if (status == DLS_OK) {
    (maps ? dls_grid_draw_maps : draw_curves)(dls_gnuplot_script(gnuplot), grid, panels, labels, count, canvas,
                                              dls_gnuplot_is_text(gnuplot));
    status = dls_gnuplot_finish(gnuplot, err);
  }
  free(labels);
  return status;
}
