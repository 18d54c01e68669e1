/* experiments/show/plot_spectrum.c -- spectra over the step: radii over all of it, the rest while a period has two steps.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/pictures.h"
#include <math.h>

enum {
  WIDTH = 1000,
  PANEL_HEIGHT = 330,
  NARROW_PANEL_HEIGHT = 260,
  HEAD_HEIGHT = 40,
  PANEL_SPACING = 75,
  AXIS_HEIGHT = 70
};
static const double half_period = 0.5;                 /* h/T */
static const double most_radius = 1.6, most_error = 2; /* what is larger leaves the picture */

static const char *const labels[DLS_SPECTRUM_QUANTITIES] = {
    [DLS_SPECTRUM_RADIUS] = "spectral radius",
    [DLS_SPECTRUM_PERIOD] = "relative error of the period",
    [DLS_SPECTRUM_DAMPING] = "algorithmic damping ratio",
    [DLS_SPECTRUM_RESPONSE] = "response over the exact one"};

typedef struct axis {
  double low, high;
} axis;

static axis steps_of(const dls_spectrum *s)
{
  axis x = {fmin(s->spec.first, s->spec.last), fmax(s->spec.first, s->spec.last)};
  for (size_t i = 0; i < s->point_count; i++) {
    x.low = fmin(x.low, s->points[i].ratio);
    x.high = fmax(x.high, s->points[i].ratio);
  }
  return x;
}

/* The whole range on a logarithmic axis, or from 0 to half a period. */
static bool is_whole(dls_spectrum_of of, const axis *steps)
{
  return of == DLS_SPECTRUM_RADIUS || steps->low >= half_period;
}

/* What the points of a panel span, with a margin; clipped where schemes are unstable or their motion ends. */
static axis values_of(const dls_spectrum *s, dls_spectrum_of of, const axis *x)
{
  const bool radius = of == DLS_SPECTRUM_RADIUS;
  const double high = radius ? most_radius : most_error, least = radius ? 0 : -most_error;
  axis y = {radius ? 0 : INFINITY, -INFINITY};
  for (size_t i = 0; i < s->point_count; i++) {
    const double value = s->points[i].values[of];
    if (s->points[i].ratio >= x->low && s->points[i].ratio <= x->high && isfinite(value)) {
      y.low = fmin(y.low, fmax(value, least));
      y.high = fmax(y.high, fmin(value, high));
    }
  }
  if (!(y.low <= y.high)) {
    return (axis){-1, 1};
  }
  const double margin = fmax(0.06 * (y.high - y.low), 1e-12 + 0.01 * fabs(y.high));
  return (axis){radius ? 0 : y.low - margin, y.high + margin};
}

static void put_number(FILE *out, double x)
{
  if (isfinite(x)) {
    fprintf(out, " %.10g", x);
  } else {
    fputs(" NaN", out);
  }
}

/* $spectrum_SCHEME: h/T and all quantities. */
static void put_block(FILE *out, const dls_spectrum *s, size_t scheme)
{
  fprintf(out, "$spectrum_%zu << EOD\n", scheme);
  bool empty = true;
  for (size_t i = 0; i < s->point_count; i++) {
    const dls_spectrum_point *point = &s->points[i];
    if (point->scheme == scheme) {
      empty = false;
      fprintf(out, "%.10g", point->ratio);
      for (size_t k = 0; k < DLS_SPECTRUM_QUANTITIES; k++) {
        put_number(out, point->values[k]);
      }
      fputc('\n', out);
    }
  }
  fputs(empty ? "NaN NaN NaN NaN NaN\nEOD\n" : "EOD\n", out);
}

static void put_panel(FILE *out, const dls_spectrum *s, const dls_canvas *canvas, dls_spectrum_of of)
{
  for (size_t i = 0; i < s->spec.scheme_count; i++) {
    fprintf(out, "%s$spectrum_%zu using 1:%d with lines linewidth %g dashtype %d linecolor rgb '%s' ",
            i == 0 ? "plot " : ", \\\n  ", i, (int)of + 2, dls_gnuplot_curve_width(i, s->spec.scheme_count),
            dls_gnuplot_dash_type(i), dls_gnuplot_colour(i));
    dls_gnuplot_title(out, canvas, s->spec.labels[i]);
  }
  fputc('\n', out);
}

static int key_height(const dls_spectrum *s, const dls_canvas *canvas)
{
  int lines = 1;
  for (size_t i = 0; i < s->spec.scheme_count; i++) {
    lines += dls_gnuplot_title_lines(canvas, s->spec.labels[i]);
  }
  return DLS_KEY_LINE_HEIGHT * lines;
}

static int head_height(const dls_canvas *canvas)
{
  return dls_canvas_titled(canvas) ? HEAD_HEIGHT : HEAD_HEIGHT / 4;
}

static int picture_height(const dls_spectrum *s, const dls_canvas *canvas)
{
  const int panel = canvas->narrow ? NARROW_PANEL_HEIGHT : PANEL_HEIGHT;
  return head_height(canvas) + panel * (int)s->spec.of_count + AXIS_HEIGHT + key_height(s, canvas);
}

static void put_title(FILE *out, const dls_spectrum *s, const dls_canvas *canvas)
{
  char title[200];
  const dls_spectrum_oscillator *o = &s->spec.oscillator;
  snprintf(title, sizeof title, "oscillator of damping ratio %g, load at %g of its frequency%s", o->damping,
           o->frequency, s->complete ? "" : " (interrupted)");
  dls_gnuplot_end_titled(out, canvas, title);
}

static void put_axes(FILE *out, const dls_spectrum *s, dls_spectrum_of of, bool text)
{
  const axis steps = steps_of(s);
  axis x = steps;
  fputs("unset logscale\nset xtics autofreq\nset format x '%g'\n", out);
  if (is_whole(of, &steps)) {
    dls_gnuplot_log_axis(out, 'x', x.low, x.high, text);
  } else {
    x = (axis){0, fmin(steps.high, half_period)};
  }
  const axis y = values_of(s, of, &x);
  fprintf(out, "set xrange [%.10g:%.10g]\nset yrange [%.10g:%.10g]\nset ylabel '%s'\n", x.low, x.high, y.low,
          y.high, labels[of]);
}

dls_status dls_draw_spectrum(const dls_spectrum *s, const dls_canvas *canvas, dls_error *err)
{
  dls_gnuplot *gnuplot = NULL;
  const dls_status status = dls_gnuplot_begin(canvas, WIDTH, picture_height(s, canvas), &gnuplot, err);
  if (status != DLS_OK) {
    return status;
  }
  FILE *out = dls_gnuplot_script(gnuplot);
  const double height = picture_height(s, canvas), key_top = key_height(s, canvas) / height;
  const double left = dls_canvas_left(canvas, 0.11), right = dls_canvas_right(canvas, 0.97);
  for (size_t i = 0; i < s->spec.scheme_count; i++) {
    put_block(out, s, i);
  }
  fprintf(out, "set multiplot layout %zu,1 margins %g,%g,%.4f,%.4f spacing %.4f", s->spec.of_count, left, right,
          key_top + AXIS_HEIGHT / height, 1 - head_height(canvas) / height, PANEL_SPACING / height);
  put_title(out, s, canvas);
  fputs("unset key\nset grid\nset xlabel 'step h/T, in periods'\n", out);
  for (size_t k = 0; k < s->spec.of_count; k++) {
    put_axes(out, s, s->spec.of[k], dls_gnuplot_is_text(gnuplot));
    if (k + 1 == s->spec.of_count) {
      fprintf(out, "set key at screen %g,%.4f left top Left reverse vertical maxcols 1 noenhanced\n",
              canvas->narrow ? 0 : left, key_top);
    }
    put_panel(out, s, canvas, s->spec.of[k]);
  }
  fputs("unset multiplot\n", out);
  return dls_gnuplot_finish(gnuplot, err);
}
