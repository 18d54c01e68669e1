/* experiments/show/plot_sweep.c -- the turns of a quantity over a parameter: resonance curves, bifurcation diagrams.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/coordinates.h"
#include "experiments/show/pictures.h"
#include "experiments/show/plot_axis.h"
#include "experiments/show/plot_curve.h"
#include <math.h>
#include <stdlib.h>

enum {
  WIDTH = 1000,
  PANEL_HEIGHT = 430,
  NARROW_PANEL_HEIGHT = 280,
  HEAD_HEIGHT = 40,
  PANEL_SPACING = 50,
  AXIS_HEIGHT = 70,
  MOST_EXTREMA = 400, /* of a run that are drawn */
  CROWD = 60          /* from so many values on points are smaller */
};

static size_t curve_count(const dls_sweep *sweep)
{
  return sweep->spec.range.curve != NULL ? sweep->spec.range.curve_count : 1;
}

/* "moreau-jean, F = 0.3 N" */
static void name_series(const dls_sweep *sweep, size_t scheme, size_t curve, char *text, size_t size)
{
  const dls_sweep_spec *spec = &sweep->spec;
  const char *label = scheme < spec->scheme_count ? spec->labels[scheme] : "exact";
  const dls_option *of = spec->range.curve;
  if (of == NULL) {
    snprintf(text, size, "%s", label);
  } else {
    snprintf(text, size, "%s, %s = %g %s", label, of->name, spec->range.curves[curve], of->unit);
  }
}

/* The extremes of a point, and its other turns. */
static void put_turns(FILE *out, const dls_sweep_point *point)
{
  const dls_extrema *extrema = &point->extrema;
  if (isnan(extrema->least)) {
    return; /* no impacts */
  }
  const double pixel = 1e-3 * (extrema->largest - extrema->least);
  double last[2] = {extrema->least, extrema->largest}; /* one down, one up: most motions repeat themselves */
  fprintf(out, "%.10g %.10g\n%.10g %.10g\n", point->value, extrema->least, point->value, extrema->largest);
  for (size_t i = 0; i < extrema->count && i < MOST_EXTREMA; i++) {
    const double x = extrema->x[i];
    if (fabs(x - last[0]) > pixel && fabs(x - last[1]) > pixel) {
      fprintf(out, "%.10g %.10g\n", point->value, x);
      last[i % 2] = x;
    }
  }
}

/* $exact_CURVE_OF: least and largest value of the exact solution as lines, that break where it begins to stick. */
static void put_exact(FILE *out, const dls_sweep *sweep, size_t curve, size_t of)
{
  fprintf(out, "$exact_%zu_%zu << EOD\nNaN NaN\n", curve, of);
  for (int largest = 0; largest < 2; largest++) {
    bool sticks = false;
    fputc('\n', out);
    for (size_t i = 0; i < sweep->point_count; i++) {
      const dls_sweep_point *point = &sweep->points[i];
      if (point->scheme == sweep->spec.scheme_count && point->curve == curve && point->of == of &&
          point->failure[0] == '\0' && !isnan(point->extrema.least)) {
        fputs(point->sticks != sticks ? "\n" : "", out);
        fprintf(out, "%.10g %.10g\n", point->value, largest ? point->extrema.largest : point->extrema.least);
        sticks = point->sticks;
      }
    }
  }
  fputs("EOD\n", out);
}

/* $slips_SCHEME_CURVE_OF and $sticks_...; NaN stands for nothing, an empty block would stop gnuplot. */
static void put_block(FILE *out, const dls_sweep *sweep, size_t scheme, size_t curve, size_t of, bool sticks)
{
  fprintf(out, "$%s_%zu_%zu_%zu << EOD\nNaN NaN\n", sticks ? "sticks" : "slips", scheme, curve, of);
  for (size_t i = 0; i < sweep->point_count; i++) {
    const dls_sweep_point *point = &sweep->points[i];
    if (point->scheme == scheme && point->curve == curve && point->of == of && point->sticks == sticks &&
        point->failure[0] == '\0') {
      put_turns(out, point);
    }
  }
  fputs("EOD\n", out);
}

static bool has_sticks(const dls_sweep *sweep)
{
  for (size_t i = 0; i < sweep->point_count; i++) {
    if (sweep->points[i].sticks) {
      return true;
    }
  }
  return false;
}

static size_t count_series(const dls_sweep *sweep)
{
  return sweep->spec.scheme_count * curve_count(sweep);
}

/* Runs filled, hollow where a contact sticks; those of later schemes smaller, so that equal ones are all seen. */
static void put_series(FILE *out, const dls_sweep *sweep, const dls_canvas *canvas, size_t i, size_t of)
{
  const size_t scheme = i / curve_count(sweep), curve = i % curve_count(sweep);
  const double crowd = sweep->spec.range.axis.count > CROWD ? 0.3 : 1;
  const double size = crowd * fmax(1.3 - 0.5 * (double)scheme, 0.4);
  char name[200];
  name_series(sweep, scheme, curve, name, sizeof name);
  fprintf(out,
          "$sticks_%zu_%zu_%zu using 1:2 with points pointtype %d pointsize %g linecolor rgb '%s' notitle, ",
          scheme, curve, of, dls_gnuplot_point_type(i) - 1, size, dls_gnuplot_colour(i));
  fprintf(out, "\\\n  $slips_%zu_%zu_%zu using 1:2 with points pointtype %d pointsize %g linecolor rgb '%s' ",
          scheme, curve, of, dls_gnuplot_point_type(i), size, dls_gnuplot_colour(i));
  dls_gnuplot_title(out, canvas, name);
}

static void put_panel(FILE *out, const dls_sweep *sweep, const dls_canvas *canvas, size_t of)
{
  const char *separator = "plot ";
  for (size_t curve = 0; curve < curve_count(sweep) && sweep->spec.exact != NULL; curve++) {
    fprintf(out, "%s$exact_%zu_%zu using 1:2 with lines linewidth 3 linecolor rgb '#B0B0B0' %s", separator,
            curve, of, curve == 0 ? "title 'exact'" : "notitle");
    separator = ", \\\n  ";
  }
  for (size_t i = 0; i < count_series(sweep); i++) {
    fputs(separator, out);
    put_series(out, sweep, canvas, i, of);
    separator = ", \\\n  ";
  }
  if (has_sticks(sweep)) {
    fputs(", \\\n  NaN with points pointtype 6 pointsize 1.3 linecolor rgb 'black' title 'hollow: a contact "
          "sticks'",
          out);
  }
  fputc('\n', out);
}

static int key_height(const dls_sweep *sweep, const dls_canvas *canvas)
{
  int lines = 2 + has_sticks(sweep);
  for (size_t i = 0; i < count_series(sweep); i++) {
    char name[200];
    name_series(sweep, i / curve_count(sweep), i % curve_count(sweep), name, sizeof name);
    lines += dls_gnuplot_title_lines(canvas, name);
  }
  return DLS_KEY_LINE_HEIGHT * lines;
}

static int head_height(const dls_canvas *canvas)
{
  return dls_canvas_titled(canvas) ? HEAD_HEIGHT : HEAD_HEIGHT / 4;
}

static int picture_height(const dls_sweep *sweep, const dls_canvas *canvas)
{
  const int panel = canvas->narrow ? NARROW_PANEL_HEIGHT : PANEL_HEIGHT;
  return head_height(canvas) + panel * (int)sweep->spec.of_count + AXIS_HEIGHT + key_height(sweep, canvas);
}

static void put_title(FILE *out, const dls_sweep *sweep, const dls_canvas *canvas)
{
  char title[200];
  const dls_sweep_spec *spec = &sweep->spec;
  snprintf(title, sizeof title, "%s, extremes from t = %g s to %g s%s", spec->model->name, spec->range.from,
           spec->end, sweep->complete ? "" : " (interrupted)");
  dls_gnuplot_end_titled(out, canvas, title);
}

/* What the quantity is, as the model says. */
static dls_status put_quantity(FILE *out, const dls_sweep *sweep, size_t of, dls_error *err)
{
  dls_system *sys = NULL;
  dls_trajectory *columns = NULL;
  size_t contact = 0;
  if (dls_sweep_impact(sweep->spec.of[of], &contact)) {
    fprintf(out, "'velocity u%zu before an impact [m/s]' noenhanced", contact);
    return DLS_OK;
  }
  dls_status status = dls_model_create(sweep->spec.model, sweep->spec.parameters, &sys, err);
  if (status == DLS_OK) {
    columns = dls_trajectory_create_system(sys, false);
    status = columns != NULL
                 ? dls_note_coordinates(columns, sys, err)
                 : dls_fail(err, DLS_ERR_MEMORY, "no memory for the label of %s", sweep->spec.of[of]);
  }
  if (status == DLS_OK) {
    dls_plot_label(out, columns, sweep->spec.of[of]);
  } else {
    dls_gnuplot_quote(out, sweep->spec.of[of]);
  }
  dls_trajectory_destroy(columns);
  dls_system_destroy(sys);
  return status == DLS_ERR_MEMORY ? status : DLS_OK;
}

static dls_status put_panels(FILE *out, const dls_sweep *sweep, const dls_canvas *canvas, bool text,
                             dls_error *err)
{
  dls_status status = DLS_OK;
  const dls_sweep_range *range = &sweep->spec.range;
  const double height = picture_height(sweep, canvas), key_top = key_height(sweep, canvas) / height;
  const double left = dls_canvas_left(canvas, 0.11), right = dls_canvas_right(canvas, 0.97);
  fprintf(out, "set multiplot layout %zu,1 margins %g,%g,%.4f,%.4f spacing %.4f", sweep->spec.of_count, left,
          right, key_top + AXIS_HEIGHT / height, 1 - head_height(canvas) / height, PANEL_SPACING / height);
  put_title(out, sweep, canvas);
  fputs("set offsets 0,0,graph 0.05,graph 0.05\nunset key\n", out);
  dls_plot_axis_range(out, 'x', &range->axis, text);
  for (size_t of = 0; of < sweep->spec.of_count && status == DLS_OK; of++) {
    if (of + 1 == sweep->spec.of_count) {
      dls_plot_axis_label(out, 'x', &range->axis);
      fprintf(out, "set key at screen %g,%.4f left top Left reverse vertical maxcols 1 noenhanced\n",
              canvas->narrow ? 0 : left, key_top);
    }
    fputs("set ylabel ", out);
    status = put_quantity(out, sweep, of, err);
    fputc('\n', out);
    put_panel(out, sweep, canvas, of);
  }
  fputs("unset multiplot\n", out);
  return status;
}

dls_status dls_draw_sweep(const dls_sweep *sweep, const dls_canvas *canvas, dls_error *err)
{
  dls_gnuplot *gnuplot = NULL;
  dls_status status = dls_gnuplot_begin(canvas, WIDTH, picture_height(sweep, canvas), &gnuplot, err);
  if (status != DLS_OK) {
    return status;
  }
  FILE *out = dls_gnuplot_script(gnuplot);
  for (size_t of = 0; of < sweep->spec.of_count; of++) {
    for (size_t i = 0; i < count_series(sweep); i++) {
      put_block(out, sweep, i / curve_count(sweep), i % curve_count(sweep), of, false);
      put_block(out, sweep, i / curve_count(sweep), i % curve_count(sweep), of, true);
    }
    for (size_t curve = 0; curve < curve_count(sweep) && sweep->spec.exact != NULL; curve++) {
      put_exact(out, sweep, curve, of);
    }
  }
  status = put_panels(out, sweep, canvas, dls_gnuplot_is_text(gnuplot), err);
  if (status != DLS_OK) {
    dls_gnuplot_abandon(gnuplot);
    return status;
  }
  return dls_gnuplot_finish(gnuplot, err);
}
