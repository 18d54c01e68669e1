/* experiments/show/plot_grid_map.c -- heat maps over two parameters: each cell as a box between the middles to its neighbours.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/plot_grid_map.h"
#include "experiments/show/plot_axis.h"

#include <math.h>

enum {
  HEAD_HEIGHT = 40,
  MAP_HEIGHT = 460,
  NARROW_MAP_HEIGHT = 360,
  MOST_BOXES = 160 /* along an axis */,
  MOST_TEX_BOXES = 40
};

static size_t columns_of(const dls_grid *grid, const dls_canvas *canvas)
{
  return canvas->narrow ? 1 : grid->spec.errors.scheme_count;
}

static size_t rows_of(const dls_grid *grid, size_t count, const dls_canvas *canvas)
{
  return count * grid->spec.errors.scheme_count / columns_of(grid, canvas);
}

int dls_grid_maps_height(const dls_grid *grid, size_t count, const dls_canvas *canvas)
{
  const int each = canvas->narrow ? NARROW_MAP_HEIGHT : MAP_HEIGHT;
  return HEAD_HEIGHT + each * (int)rows_of(grid, count, canvas);
}

/* Of very many values every k-th. */
static size_t stride_of(const dls_canvas *canvas, const dls_sweep_axis *axis)
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

/* $map_PANEL_SCHEME: centre and ends of each box, and its value; those without one are left out. */
static void put_block(FILE *out, const dls_grid *grid, const dls_canvas *canvas, dls_grid_panel panel, size_t p,
                      size_t scheme)
{
  const dls_sweep_axis *x = &grid->spec.axes[0], *y = &grid->spec.axes[1];
  const size_t kx = stride_of(canvas, x), ky = stride_of(canvas, y);
  fprintf(out, "$map_%zu_%zu << EOD\nNaN NaN NaN NaN NaN NaN NaN\n", p, scheme);
  for (size_t i = 0; i < x->count; i += kx) {
    for (size_t j = 0; j < y->count; j += ky) {
      const size_t cell = i * y->count + j;
      const double value = dls_grid_row(grid, cell, scheme * grid->groups + panel.group)[panel.column];
      if (grid->done[cell] && isfinite(value)) {
        const double right = edge(x, kx, i, 1), top = edge(y, ky, j, 1);
        const double over_x = overlap * (right - dls_sweep_axis_value(x, i)),
                     over_y = overlap * (top - dls_sweep_axis_value(y, j));
        fprintf(out, "%.10g %.10g %.10g %.10g %.10g %.10g %.10g\n", dls_sweep_axis_value(x, i),
                dls_sweep_axis_value(y, j), edge(x, kx, i, -1), right + over_x, edge(y, ky, j, -1),
                top + over_y, value);
      }
    }
  }
  fputs("EOD\n", out);
}

/* Ends of an axis: those of its boxes. */
static void put_range(FILE *out, const dls_canvas *canvas, char letter, const dls_sweep_axis *axis, bool text)
{
  const size_t k = stride_of(canvas, axis), last = (axis->count - 1) / k * k;
  const double a = edge(axis, k, 0, -1), b = edge(axis, k, last, 1), low = fmin(a, b), high = fmax(a, b);
  if (axis->logarithmic) {
    dls_gnuplot_log_axis(out, letter, low, high, text);
  }
  fprintf(out, "set %crange [%.10g:%.10g]\n", letter, low, high);
  dls_plot_axis_label(out, letter, axis);
}

/* Colours that become lighter with the value, so that they are read in grey too; the same of all schemes. */
static void put_colours(FILE *out, const dls_grid *grid, dls_grid_panel panel, const char *label)
{
  double low = 0, high = 0;
  const bool logarithmic = dls_grid_panel_logarithmic(grid, panel, &low, &high);
  const double room = high > low ? 0 : fmax(fabs(high), 1) * 1e-3;
  fputs(logarithmic ? "set logscale cb\n" : "unset logscale cb\n", out);
  fprintf(out, "set cbrange [%.10g:%.10g]\nset cblabel ", low - room, high + room);
  dls_gnuplot_quote(out, label);
  fputs(" noenhanced\n", out);
}

static void put_map(FILE *out, const dls_grid *grid, size_t p, size_t scheme)
{
  fputs("set title ", out);
  dls_gnuplot_quote(out, grid->spec.labels[scheme]);
  fprintf(
      out,
      " noenhanced\nplot $map_%zu_%zu using 1:2:3:4:5:6:7 with boxxyerror fillstyle solid noborder linecolor "
      "palette notitle\n",
      p, scheme);
}

void dls_grid_draw_maps(FILE *out, const dls_grid *grid, const dls_grid_panel *panels,
                        const dls_grid_label *labels, size_t count, const dls_canvas *canvas, bool text)
{
  const size_t schemes = grid->spec.errors.scheme_count;
  for (size_t p = 0; p < count; p++) {
    for (size_t i = 0; i < schemes; i++) {
      put_block(out, grid, canvas, panels[p], p, i);
    }
  }
  fprintf(out, "set multiplot layout %zu,%zu", rows_of(grid, count, canvas), columns_of(grid, canvas));
  dls_grid_put_title(out, grid, canvas);
  fputs("set palette defined (0 '#440154', 1 '#31688e', 2 '#35b779', 3 '#fde725')\nset colorbox\nunset grid\n"
        "set object 1 rectangle from graph 0,0 to graph 1,1 behind fillstyle pattern 4 noborder "
        "fillcolor rgb '#B0B0B0'\nunset key\n",
        out);
  if (canvas->width > 0) { /* on paper the labels of the colours need their place */
    fputs("set rmargin 14\n", out);
  }
  put_range(out, canvas, 'x', &grid->spec.axes[0], text);
  put_range(out, canvas, 'y', &grid->spec.axes[1], text);
  for (size_t p = 0; p < count; p++) {
    put_colours(out, grid, panels[p], labels[p].text);
    for (size_t i = 0; i < schemes; i++) {
      put_map(out, grid, p, i);
    }
  }
  fputs("unset multiplot\n", out);
}
