/* experiments/show/plot_comparison.c -- the same quantities of several runs, over time or over one of them, a panel for each.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/pictures.h"
#include "experiments/show/plot_curve.h"
#include "experiments/show/plot_phase.h"
#include <string.h>

enum {
  WIDTH = 1000,
  PANEL_HEIGHT = 320,
  NARROW_PANEL_HEIGHT = 230,
  PHASE_WIDTH = 800,
  PHASE_HEIGHT = 560,
  NARROW_PHASE_HEIGHT = 300,
  HEAD_HEIGHT = 40,
  PANEL_SPACING = 50,
  AXIS_HEIGHT = 70
}; /* pixels */

static dls_status put_block(FILE *out, const dls_canvas *canvas, const dls_trajectory *traj, const char *set,
                            const char *name, dls_error *err)
{
  if (dls_trajectory_column(traj, name) < 0) {
    return dls_fail(err, DLS_ERR_ARG, "plot: there is no column '%s' in the runs", name);
  }
  fprintf(out, "$%s_%s << EOD\n", set, name);
  const dls_status status = dls_plot_curve(out, traj, name, dls_canvas_vertices(canvas), err);
  fprintf(out, "EOD\n");
  return status;
}

static dls_status put_data(FILE *out, const dls_comparison *plot, const dls_canvas *canvas, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t j = 0; j < plot->column_count && status == DLS_OK; j++) {
    if (plot->reference != NULL) {
      status = put_block(out, canvas, plot->reference, "reference", plot->columns[j], err);
    }
    for (size_t i = 0; i < plot->count && status == DLS_OK; i++) {
      char set[32];
      snprintf(set, sizeof set, "run%zu", i);
      status = put_block(out, canvas, plot->runs[i], set, plot->columns[j], err);
    }
  }
  return status;
}

static void put_panel(FILE *out, const dls_comparison *plot, const dls_canvas *canvas, size_t j)
{
  const char *separator = "plot ";
  if (plot->from_zero) {
    fprintf(out, "set offsets 0,0,graph 0.06,graph 0.06\nset yrange [*<%.6g:%.6g<*]\n", -plot->reach,
            plot->reach);
  }
  if (plot->reference != NULL) {
    fprintf(out, "plot $reference_%s using 1:2 with lines linecolor rgb '#B0B0B0' linewidth %g title '%s'",
            plot->columns[j], dls_gnuplot_curve_width(0, plot->count) + 2.5,
            dls_plot_reference_name(plot->reference));
    separator = ", \\\n  ";
  }
  for (size_t i = 0; i < plot->count; i++) {
    fprintf(out, "%s$run%zu_%s using 1:2 with lines linecolor rgb '%s' dashtype %d linewidth %g ", separator, i,
            plot->columns[j], dls_gnuplot_colour(i), dls_gnuplot_dash_type(i),
            dls_gnuplot_curve_width(i, plot->count));
    dls_gnuplot_title(out, canvas, plot->labels[i]);
    separator = ", \\\n  ";
  }
  fprintf(out, "\n");
}

static int key_height(const dls_comparison *plot, const dls_canvas *canvas)
{
  int lines = (plot->reference != NULL) + (plot->over != NULL ? dls_phase_key_lines(plot) : 0);
  for (size_t i = 0; i < plot->count; i++) {
    lines += dls_gnuplot_title_lines(canvas, plot->labels[i]);
  }
  return DLS_KEY_LINE_HEIGHT * (lines + 1);
}

/* A page has the title; what is left is for the uppermost label of an axis. */
static int head_height(const dls_canvas *canvas)
{
  return dls_canvas_titled(canvas) ? HEAD_HEIGHT : HEAD_HEIGHT / 4;
}

static int panel_height(const dls_comparison *plot, const dls_canvas *canvas)
{
  if (plot->over != NULL) {
    return canvas->narrow ? NARROW_PHASE_HEIGHT : PHASE_HEIGHT;
  }
  return canvas->narrow ? NARROW_PANEL_HEIGHT : PANEL_HEIGHT;
}

static int picture_width(const dls_comparison *plot, const dls_canvas *canvas)
{
  return dls_canvas_width(canvas, plot->over != NULL ? PHASE_WIDTH : WIDTH);
}

static int picture_height(const dls_comparison *plot, const dls_canvas *canvas)
{
  return head_height(canvas) + panel_height(plot, canvas) * (int)plot->column_count + AXIS_HEIGHT +
         key_height(plot, canvas);
}

/* Panel j over time, or over another column. */
static void put_curves(FILE *out, const dls_comparison *plot, const dls_canvas *canvas, double frame_width,
                       size_t j)
{
  if (plot->over != NULL) {
    dls_phase_put_panel(out, plot, canvas, j, frame_width, panel_height(plot, canvas) - PANEL_SPACING);
  } else {
    put_panel(out, plot, canvas, j);
  }
}

/* Panels above each other between fixed margins; the key stands below the last one. */
static void put_panels(FILE *out, const dls_comparison *plot, const dls_canvas *canvas)
{
  const double height = picture_height(plot, canvas);
  const double key_top = key_height(plot, canvas) / height;
  const double bottom = key_top + AXIS_HEIGHT / height;
  const double left = dls_canvas_left(canvas, 110.0 / picture_width(plot, canvas)),
               right = dls_canvas_right(canvas, 0.97);
  fprintf(out, "set multiplot layout %zu,1 margins %g,%g,%.4f,%.4f spacing %.4f", plot->column_count, left,
          right, bottom, 1 - head_height(canvas) / height, PANEL_SPACING / height);
  dls_gnuplot_end_titled(out, canvas, plot->title);
  fprintf(out, "set autoscale xfix\nset xzeroaxis linecolor rgb '#808080'\nunset key\n");
  for (size_t j = 0; j < plot->column_count; j++) {
    if (j + 1 == plot->column_count) {
      fprintf(out, "set xlabel ");
      if (plot->over != NULL) {
        dls_plot_label(out, plot->runs[0], plot->over);
      } else {
        dls_gnuplot_quote(out, "t [s]");
      }
      fprintf(out,
              "\nset key at screen %g,%.4f left top Left reverse vertical maxcols 1 "
              "noenhanced\n",
              canvas->narrow ? 0 : left, key_top);
    }
    fprintf(out, "set ylabel ");
    dls_plot_label(out, plot->runs[0], plot->columns[j]);
    fprintf(out, "\n");
    put_curves(out, plot, canvas, (right - left) * picture_width(plot, canvas), j);
  }
  fprintf(out, "unset multiplot\n");
}

dls_status dls_plot_comparison(const dls_comparison *plot, const char *path, dls_error *err)
{
  const dls_canvas canvas = dls_canvas_file(path, DLS_PLOT_SCREEN);
  return dls_draw_comparison(plot, &canvas, err);
}

dls_status dls_draw_comparison(const dls_comparison *plot, const dls_canvas *canvas, dls_error *err)
{
  dls_gnuplot *gnuplot = NULL;
  dls_status status =
      dls_gnuplot_begin(canvas, picture_width(plot, canvas), picture_height(plot, canvas), &gnuplot, err);
  if (status != DLS_OK) {
    return status;
  }
  FILE *out = dls_gnuplot_script(gnuplot);
  status = plot->over != NULL ? dls_phase_put_data(out, plot, canvas, err) : put_data(out, plot, canvas, err);
  if (status != DLS_OK) {
    dls_gnuplot_abandon(gnuplot);
    return status;
  }
  put_panels(out, plot, canvas);
  return dls_gnuplot_finish(gnuplot, err);
}
