/* experiments/show/plot_local.c -- largest errors of one step over its length: a row of panels for each place, q and v beside
 * each other; filled where the step had an impulse, hollow where it had none.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/pictures.h"
#include <math.h>

enum {
  WIDTH = 1000,
  ROW_HEIGHT = 300,
  PAPER_ROW_HEIGHT = 225,
  HEAD_HEIGHT = 40,
  SPACING = 80,
  AXIS_HEIGHT = 70
};
static const double least = 1e-16; /* in the units of q and v: what is smaller is drawn here */
static const char hollow[] = "hollow, dashed: no impulse in the step";

typedef struct axis {
  double low, high;
} axis;

/* Largest error of a kind at one level; NaN: there is no such step. */
static double largest(const dls_local *local, size_t scheme, dls_local_place place, size_t level, bool impulse,
                      bool velocity)
{
  double e = NAN;
  for (size_t i = 0; i < local->point_count; i++) {
    const dls_local_point *p = &local->points[i];
    if (p->scheme == scheme && p->place == place && p->level == level && p->impulse == impulse) {
      e = fmax(e, fabs(velocity ? p->e_v : p->e_q));
    }
  }
  return fmax(e, isnan(e) ? e : least);
}

static bool has_place(const dls_local *local, dls_local_place place)
{
  for (size_t i = 0; i < local->point_count; i++) {
    if (local->points[i].place == place) {
      return true;
    }
  }
  return false;
}

static double step_at(const dls_local_spec *spec, size_t level)
{
  return spec->h_first * pow(spec->h_last / spec->h_first, (double)level / (double)(spec->levels - 1));
}

/* $local_SCHEME_PLACE_IMPULSE: h, error of q, error of v; NaN stands for nothing. */
static void put_block(FILE *out, const dls_local *local, size_t scheme, dls_local_place place, bool impulse)
{
  fprintf(out, "$local_%zu_%d_%d << EOD\nNaN NaN NaN\n", scheme, (int)place, impulse);
  for (size_t level = 0; level < local->spec.levels; level++) {
    fprintf(out, "%.10g", step_at(&local->spec, level));
    for (int velocity = 0; velocity < 2; velocity++) {
      const double e = largest(local, scheme, place, level, impulse, velocity == 1);
      fprintf(out, isnan(e) ? " NaN" : " %.10g", e);
    }
    fputc('\n', out);
  }
  fputs("EOD\n", out);
}

static axis range_of(const dls_local *local, bool velocity)
{
  axis y = {INFINITY, 0};
  for (size_t i = 0; i < local->point_count; i++) {
    const double e = fabs(velocity ? local->points[i].e_v : local->points[i].e_q);
    if (isfinite(e)) {
      y.low = fmin(y.low, fmax(e, least));
      y.high = fmax(y.high, fmax(e, least));
    }
  }
  return y.high > 0 ? (axis){y.low / 2, y.high * 2} : (axis){least, 1};
}

static void put_panel(FILE *out, const dls_local *local, const dls_canvas *canvas, dls_local_place place,
                      bool velocity, bool titled)
{
  const char *separator = "plot ";
  for (size_t i = 0; i < local->spec.scheme_count; i++) {
    for (int impulse = 1; impulse >= 0; impulse--) {
      fprintf(
          out,
          "%s$local_%zu_%d_%d using 1:%d with linespoints linewidth %g dashtype %d pointtype %d pointsize %g "
          "linecolor rgb '%s' ",
          separator, i, (int)place, impulse, 2 + velocity, dls_gnuplot_curve_width(i, local->spec.scheme_count),
          impulse ? 1 : 2, dls_gnuplot_point_type(i) - !impulse, fmax(2.2 - 0.5 * (double)i, 0.5),
          dls_gnuplot_colour(i));
      separator = ", \\\n  ";
      if (impulse && titled) {
        dls_gnuplot_title(out, canvas, local->spec.labels[i]);
      } else {
        fputs("notitle", out);
      }
    }
  }
  if (titled) {
    fputs(", \\\n  NaN with linespoints dashtype 2 pointtype 6 linecolor rgb 'black' ", out);
    dls_gnuplot_title(out, canvas, hollow);
  }
  fputc('\n', out);
}

static int key_height(const dls_local *local, const dls_canvas *canvas)
{
  int lines = 1 + dls_gnuplot_title_lines(canvas, hollow);
  for (size_t i = 0; i < local->spec.scheme_count; i++) {
    lines += dls_gnuplot_title_lines(canvas, local->spec.labels[i]);
  }
  return DLS_KEY_LINE_HEIGHT * lines;
}

static int head_height(const dls_canvas *canvas)
{
  return dls_canvas_titled(canvas) ? HEAD_HEIGHT : HEAD_HEIGHT / 4;
}

static int count_places(const dls_local *local)
{
  int count = 0;
  for (int place = 0; place < DLS_LOCAL_PLACES; place++) {
    count += has_place(local, (dls_local_place)place);
  }
  return count;
}

/* q and v beside each other, on paper over two columns; on a telephone one below the other. */
static int columns_of(const dls_canvas *canvas)
{
  return canvas->narrow && canvas->width == 0 ? 1 : 2;
}

static int picture_height(const dls_local *local, const dls_canvas *canvas)
{
  const int rows = count_places(local) * 2 / columns_of(canvas);
  return head_height(canvas) + (canvas->width > 0 ? PAPER_ROW_HEIGHT : ROW_HEIGHT) * rows + AXIS_HEIGHT +
         key_height(local, canvas);
}

static void put_title(FILE *out, const dls_local *local, const dls_canvas *canvas)
{
  char title[200];
  snprintf(title, sizeof title, "%s, errors of one step around the impact at t = %.6g s%s",
           local->spec.model->name, local->t_impact, local->complete ? "" : " (interrupted)");
  dls_gnuplot_end_titled(out, canvas, title);
}

/* All panels of q, or of v, have the same axes. */
static void put_axes(FILE *out, const dls_local *local, dls_local_place place, bool velocity, bool text)
{
  const dls_local_spec *spec = &local->spec;
  const axis y = range_of(local, velocity);
  const double h0 = fmin(spec->h_first, spec->h_last) / 1.3, h1 = fmax(spec->h_first, spec->h_last) * 1.3;
  dls_gnuplot_log_axis(out, 'x', h0, h1, text);
  dls_gnuplot_log_axis(out, 'y', y.low, y.high, text);
  fprintf(out, "set xrange [%.10g:%.10g]\nset yrange [%.10g:%.10g]\nset ylabel '%s, |e_%c| [%s]' noenhanced\n",
          h0, h1, y.low, y.high, dls_local_place_names[place], velocity ? 'v' : 'q', local->units[velocity]);
}

static void put_rows(FILE *out, const dls_local *local, const dls_canvas *canvas, double left, bool text)
{
  int last = 2 * count_places(local);
  for (int place = 0; place < DLS_LOCAL_PLACES; place++) {
    for (int velocity = 0; velocity < 2 && has_place(local, (dls_local_place)place); velocity++) {
      const bool titled = --last == 0;
      put_axes(out, local, (dls_local_place)place, velocity == 1, text);
      if (titled) {
        fprintf(out, "set key at screen %g,%.4f left top Left reverse vertical maxcols 1 noenhanced\n",
                canvas->narrow ? 0 : left, (double)key_height(local, canvas) / picture_height(local, canvas));
      }
      put_panel(out, local, canvas, (dls_local_place)place, velocity == 1, titled);
    }
  }
}

dls_status dls_draw_local(const dls_local *local, const dls_canvas *single, dls_error *err)
{
  const dls_canvas wide = dls_canvas_two_columns(single), *canvas = &wide;
  dls_gnuplot *gnuplot = NULL;
  const double height = picture_height(local, canvas), left = dls_canvas_left(canvas, 0.1);
  const dls_status status = dls_gnuplot_begin(canvas, WIDTH, picture_height(local, canvas), &gnuplot, err);
  if (status != DLS_OK) {
    return status;
  }
  FILE *out = dls_gnuplot_script(gnuplot);
  for (int place = 0; place < DLS_LOCAL_PLACES; place++) {
    for (size_t i = 0; i < local->spec.scheme_count; i++) {
      put_block(out, local, i, (dls_local_place)place, false);
      put_block(out, local, i, (dls_local_place)place, true);
    }
  }
  fprintf(out, "set multiplot layout %d,%d margins %g,%g,%.4f,%.4f spacing 0.12,%.4f",
          2 * count_places(local) / columns_of(canvas), columns_of(canvas), left,
          dls_canvas_right(canvas, 0.97), (key_height(local, canvas) + AXIS_HEIGHT) / height,
          1 - head_height(canvas) / height, SPACING / height);
  put_title(out, local, canvas);
  fputs("unset key\nset grid\nset xlabel 'step h [s]'\n", out);
  put_rows(out, local, canvas, left, dls_gnuplot_is_text(gnuplot));
  fputs("unset multiplot\n", out);
  return dls_gnuplot_finish(gnuplot, err);
}
