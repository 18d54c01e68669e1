/* experiments/show/plot_grid.c -- see plot_grid.h
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/plot_grid.h"
#include "common/base/text.h"
#include "common/run/coordinates.h"
#include "experiments/measures/order/order_derivatives.h"
#include "experiments/show/plot_curve.h"
#include "experiments/show/plot_errors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  WIDTH = 1000,
  PANEL_HEIGHT = 280,
  ONE_HEIGHT = 430,
  NARROW_PANEL_HEIGHT = 200,
  MAP_HEIGHT = 350,
  NARROW_MAP_HEIGHT = 270,
  MOST_POINTS = 200,    /* of a curve that have a mark */
  MOST_VERTICES = 4000, /* of a curve */
  MOST_BOXES = 160,     /* of a map along an axis */
  MOST_TEX_BOXES = 40
};

/* Whether a panel has values, and whether they differ. */
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

static dls_status unit_of_error(const dls_order_spec *spec, const dls_norm *norm, const char *of, char unit[60],
                                dls_error *err)
{
  dls_system *sys = NULL;
  char of_quantity[DLS_UNIT_ROOM];
  const dls_status status = dls_model_create(spec->model, spec->parameters, &sys, err);
  if (status == DLS_OK) {
    dls_quantity_unit(sys, of, of_quantity);
    dls_order_error_unit(norm, of_quantity, unit);
  }
  dls_system_destroy(sys);
  return status;
}

/* "velocity v_{0} [m/s], l1 of q" as the model says. */
static dls_status label_panel(dls_figure *figure, const dls_grid *grid, dls_grid_panel panel, dls_axis *axis,
                              dls_error *err)
{
  const dls_grid_column *column = &grid->column[panel.column];
  const dls_order_spec *errors = &grid->spec.errors;
  const char *words = "";
  axis->plain = column->of == NULL;
  const dls_status status = column->of == NULL ? DLS_OK
                                               : dls_plot_model_label(figure, errors->model, errors->parameters,
                                                                      column->of, &words, err);
  if (of_errors(grid) && strcmp(column->name, "work") == 0) {
    axis->label = dls_figure_text(figure, "%s%s, %s", column->label, words, dls_work_name(grid->spec.against));
  } else if (of_errors(grid)) {
    const dls_norm *norm = errors->norms[panel.group / errors->of_count];
    const char *of = errors->of[panel.group % errors->of_count];
    char unit[60] = "";
    const dls_status found =
        strstr(column->name, "error") != NULL ? unit_of_error(errors, norm, of, unit, err) : status;
    axis->label = dls_figure_text(figure, "%s%s, %s of %s%s", column->label, words, norm->name, of, unit);
    return found;
  } else {
    axis->label = dls_figure_text(figure, "%s%s", column->label, words);
  }
  return status;
}

/* --- curves over one parameter --- */

/* Is a quantity positive and of such different sizes that it needs a logarithmic axis? */
static bool is_logarithmic(const dls_grid *grid, dls_grid_panel panel, double *low, double *high)
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

/* Parameter, value, ends of its interval; the curve ends where there is no value. */
static const dls_plot_table *add_curve_table(dls_figure *figure, const dls_grid *grid, dls_grid_panel panel,
                                             size_t p, size_t scheme)
{
  dls_plot_table *table = dls_plot_table_new(figure, 4, "curve_%zu_%zu", p, scheme);
  for (size_t cell = 0; cell < grid->cells; cell += stride_of(grid)) {
    const double *x = dls_grid_row(grid, cell, scheme * grid->groups + panel.group) + panel.column;
    const bool interval = grid->column[panel.column].interval;
    if (grid->done[cell] && isfinite(x[0])) {
      dls_plot_table_add(
          table, (double[]){dls_grid_value(grid, cell, 0), x[0], interval ? x[1] : NAN, interval ? x[2] : NAN});
    } else {
      dls_plot_table_break(table);
    }
  }
  return table;
}

static void set_title(dls_figure *figure, const dls_grid *grid)
{
  const dls_grid_spec *spec = &grid->spec;
  figure->title.model = spec->errors.model->name;
  figure->title.interval = dls_figure_text(figure, "0 ≤ t ≤ %g s", spec->errors.end);
  figure->title.step = spec->step > 0 ? dls_figure_text(figure, "h = %g s", spec->step) : NULL;
  figure->title.remark = grid->complete ? NULL : "(interrupted)";
}

static dls_status add_curves(dls_figure *figure, const dls_grid *grid, dls_grid_panel of, size_t p,
                             size_t count, dls_error *err)
{
  const size_t schemes = grid->spec.errors.scheme_count;
  const bool marks = grid->cells <= MOST_POINTS;
  double low = 0, high = 0;
  dls_panel *panel = dls_figure_panel(
      figure, dls_figure_either(figure, count == 1 ? ONE_HEIGHT : PANEL_HEIGHT, NARROW_PANEL_HEIGHT));
  panel->x = dls_plot_parameter_axis(figure, &grid->spec.axes[0]);
  panel->y = (dls_axis){.room = {0.05, 0.05}};
  if (is_logarithmic(grid, of, &low, &high)) {
    panel->y.log = true;
    panel->y.low = low / 2;
    panel->y.high = high * 2;
  }
  for (size_t i = 0; i < schemes; i++) {
    dls_series series = {.kind = DLS_SERIES_BARS,
                         .table = add_curve_table(figure, grid, of, p, i),
                         .style = dls_style_of(i),
                         .width = dls_curve_width(i, schemes),
                         .size = 0.7};
    if (grid->column[of.column].interval && marks) {
      dls_panel_add(figure, panel, &series);
    }
    series.kind = marks ? DLS_SERIES_LINES_POINTS : DLS_SERIES_LINES;
    series.title = grid->spec.labels[i];
    dls_panel_add(figure, panel, &series);
  }
  return label_panel(figure, grid, of, &panel->y, err);
}

/* --- heat maps over two parameters: each cell as a box between the middles to its neighbours --- */

/* Of very many values every k-th. */
static size_t box_stride(const dls_canvas *canvas, const dls_sweep_axis *axis)
{
  const size_t most = dls_canvas_is_tex(canvas) ? MOST_TEX_BOXES : MOST_BOXES;
  return (axis->count + most - 1) / most;
}

/* Of boxes k apart the end of box i towards the next one (side 1) or the one before (-1): midway, on a logarithmic axis in ratio. */
static double edge(const dls_sweep_axis *axis, size_t k, size_t i, int side)
{
  const bool inner = side > 0 ? i + k < axis->count : i >= k, outer = side > 0 ? i >= k : i + k < axis->count;
  const double here = dls_sweep_axis_value(axis, i);
  if (!inner && !outer) {
    return here + side * 0.5;
  }
  const double other = dls_sweep_axis_value(axis, (side > 0) == inner ? i + k : i - k);
  if (axis->logarithmic) {
    return inner ? sqrt(here * other) : here * sqrt(here / other);
  }
  return inner ? 0.5 * (here + other) : here + 0.5 * (here - other);
}

/* Of half a box: it reaches so far under the next one, since what is drawn edge to edge shows the ground between. */
static const double overlap = 0.3;

/* Centre and ends of each box, and its value; those without one are left out. */
static const dls_plot_table *add_map_table(dls_figure *figure, const dls_grid *grid, dls_grid_panel panel,
                                           size_t p, size_t scheme)
{
  const dls_sweep_axis *x = &grid->spec.axes[0], *y = &grid->spec.axes[1];
  const size_t kx = box_stride(&figure->canvas, x), ky = box_stride(&figure->canvas, y);
  dls_plot_table *table = dls_plot_table_new(figure, 7, "map_%zu_%zu", p, scheme);
  for (size_t i = 0; i < x->count; i += kx) {
    for (size_t j = 0; j < y->count; j += ky) {
      const size_t cell = i * y->count + j;
      const double value = dls_grid_row(grid, cell, scheme * grid->groups + panel.group)[panel.column];
      if (grid->done[cell] && isfinite(value)) {
        const double at[2] = {dls_sweep_axis_value(x, i), dls_sweep_axis_value(y, j)};
        const double right = edge(x, kx, i, 1), top = edge(y, ky, j, 1);
        dls_plot_table_add(table,
                           (double[]){at[0], at[1], edge(x, kx, i, -1), right + overlap * (right - at[0]),
                                      edge(y, ky, j, -1), top + overlap * (top - at[1]), value});
      }
    }
  }
  return table;
}

/* Ends of an axis: those of its boxes. */
static dls_axis map_axis(dls_figure *figure, const dls_sweep_axis *axis)
{
  const size_t k = box_stride(&figure->canvas, axis), last = (axis->count - 1) / k * k;
  const double a = edge(axis, k, 0, -1), b = edge(axis, k, last, 1);
  dls_axis out = dls_plot_parameter_axis(figure, axis);
  out.low = fmin(a, b);
  out.high = fmax(a, b);
  return out;
}

/* A row of maps, one for each scheme, with the same colours. */
static dls_status add_maps(dls_figure *figure, const dls_grid *grid, dls_grid_panel of, size_t p,
                           dls_error *err)
{
  dls_axis shade = {.label = NULL};
  double low = 0, high = 0;
  const dls_status status = label_panel(figure, grid, of, &shade, err);
  shade.log = is_logarithmic(grid, of, &low, &high);
  const double room = high > low ? 0 : fmax(fabs(high), 1) * 1e-3;
  shade.low = low - room;
  shade.high = high + room;
  for (size_t i = 0; i < grid->spec.errors.scheme_count; i++) {
    dls_panel *panel = dls_figure_panel(figure, dls_figure_either(figure, MAP_HEIGHT, NARROW_MAP_HEIGHT));
    panel->title = grid->spec.labels[i];
    panel->no_grid = true;
    panel->x = map_axis(figure, &grid->spec.axes[0]);
    panel->y = map_axis(figure, &grid->spec.axes[1]);
    panel->shade = shade;
    dls_panel_mark(figure, panel, &(dls_mark){.kind = DLS_MARK_GROUND, .colour = DLS_GREY});
    dls_panel_add(figure, panel,
                  &(dls_series){.kind = DLS_SERIES_BOXES, .table = add_map_table(figure, grid, of, p, i)});
  }
  return status;
}

dls_status dls_draw_grid(const dls_grid *grid, const dls_grid_panel *panels, size_t count,
                         const dls_canvas *canvas, dls_error *err)
{
  const bool maps = grid->spec.axis_count > 1;
  dls_figure figure;
  dls_status status = DLS_OK;
  dls_figure_begin(&figure, canvas, WIDTH);
  set_title(&figure, grid);
  if (maps) {
    figure.key = DLS_KEY_NONE;
    figure.columns = grid->spec.errors.scheme_count;
  } else {
    figure.one_x = true;
  }
  for (size_t p = 0; p < count && status == DLS_OK; p++) {
    status =
        maps ? add_maps(&figure, grid, panels[p], p, err) : add_curves(&figure, grid, panels[p], p, count, err);
  }
  return dls_figure_finish(&figure, status, err);
}
