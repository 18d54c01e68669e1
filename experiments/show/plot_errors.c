/* experiments/show/plot_errors.c -- errors against step or work with fitted lines, both axes logarithmic.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/plot_errors.h"
#include "common/base/text.h"
#include <delassus/plot.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  WIDTH = 1000,
  PLOT_HEIGHT = 640,
  DECADE_HEIGHT = 30,
  MAX_DECADES = 10,
  NARROW_HEIGHT = 400,
  NARROW_DECADE_HEIGHT = 10,
  NARROW_AXIS_HEIGHT = 62, /* tics and label under a narrow plot */
  LABEL_LINE_HEIGHT = 18,
  LABEL_ROOM = 320,
  BAND_PARTS = 12
};

static const double light_pointsize = 0.55;
static const double median_pointsize = 1.25;

static bool is_positive(double error)
{
  return isfinite(error) && error > 0;
}

static bool is_flat(const dls_error_plot *d, const dls_order_line *line)
{
  return d->against == DLS_AGAINST_STEP && dls_order_by_event(d->study, line);
}

/* Whether there is a band around the line through the medians. */
static bool has_band(const dls_order_line *line)
{
  return line->fitted && isfinite(line->medians.ci_low);
}

/* Where a run is drawn: within the axis, in its middle if it has no x. */
static double x_of(const dls_error_plot *d, const dls_order_point *point)
{
  const double x = dls_order_abscissa(point, d->against);
  return isnan(x) ? sqrt(d->x_low * d->x_high) : fmin(fmax(x, d->x_low), d->x_high);
}

/* The data block $<name>_<line>: the runs of one kind. Those without an error to draw stand at the foot. */
static void put_runs(const dls_error_plot *d, const char *name, size_t index, dls_error_kind kind, double foot)
{
  fprintf(d->out, "$%s_%zu << EOD\n", name, index);
  for (size_t i = 0; i < d->study->point_count; i++) {
    const dls_order_point *point = &d->study->points[i];
    if (dls_order_on_line(point, &d->lines[index]) && dls_error_kind_of(point) == kind) {
      fprintf(d->out, "%.10g %.10g\n", x_of(d, point), kind == DLS_ERROR_POSITIVE ? point->error.value : foot);
    }
  }
  fprintf(d->out, "EOD\n");
}

static size_t count_runs(const dls_error_plot *d, size_t index, dls_error_kind kind)
{
  size_t count = 0;
  for (size_t i = 0; i < d->study->point_count; i++) {
    const dls_order_point *point = &d->study->points[i];
    count += dls_order_on_line(point, &d->lines[index]) && dls_error_kind_of(point) == kind;
  }
  return count;
}

static dls_status put_medians(const dls_error_plot *d, size_t index, dls_error *err)
{
  fprintf(d->out, "$medians_%zu << EOD\n", index);
  for (size_t i = 0; i < dls_order_level_count(d->study, &d->lines[index]); i++) {
    dls_order_level level;
    const dls_status status = dls_order_level_of(d->study, &d->lines[index], i, d->against, &level, err);
    if (status != DLS_OK) {
      return status;
    }
    if (is_positive(level.median)) {
      fprintf(d->out, "%.10g %.10g\n", level.x, level.median);
    }
  }
  fprintf(d->out, "EOD\n");
  return DLS_OK;
}

/* Two ends of the fitted line, or of the horizontal line of a scheme that chooses its own steps. */
static void put_straight(const dls_error_plot *d, size_t index)
{
  const dls_order_line *line = &d->lines[index];
  double ends[2][2] = {{line->fit.h_min, 0}, {line->fit.h_max, 0}};
  for (int i = 0; i < 2 && line->fitted; i++) {
    ends[i][1] = line->fit.constant * pow(ends[i][0], line->fit.order);
  }
  if (is_flat(d, line)) {
    ends[0][0] = d->x_low;
    ends[1][0] = d->x_high;
    ends[0][1] = ends[1][1] = d->flat[index];
  }
  fprintf(d->out, "$straight_%zu << EOD\n", index);
  for (int i = 0; i < 2; i++) {
    if (is_positive(ends[i][1])) {
      fprintf(d->out, "%.10g %.10g\n", ends[i][0], ends[i][1]);
    }
  }
  fprintf(d->out, "EOD\n");
}

/* The 95 % band of the line through the medians, over the steps of the fit. */
static void put_band(const dls_error_plot *d, size_t index)
{
  const dls_order_line *line = &d->lines[index];
  const dls_median_fit *fit = &line->medians;
  fprintf(d->out, "$band_%zu << EOD\n", index);
  for (int i = 0; i <= BAND_PARTS && has_band(line); i++) {
    const double h = line->fit.h_min * pow(line->fit.h_max / line->fit.h_min, (double)i / BAND_PARTS);
    const double middle = fit->constant * pow(h, fit->order), factor = dls_median_band(fit, h);
    fprintf(d->out, "%.10g %.10g %.10g\n", h, middle / factor, middle * factor);
  }
  fprintf(d->out, "EOD\n");
}

/* The next item of the plot command: block, style, and its title or none. */
static void put_item(dls_error_plot *d, const char *block, size_t index, const char *style, const char *title)
{
  fprintf(d->out, "%s$%s_%zu using %s with %s ", d->separator, block, index,
          strcmp(block, "band") == 0 ? "1:2:3" : "1:2", style);
  if (title == NULL) {
    fprintf(d->out, "notitle");
  } else {
    dls_gnuplot_title(d->out, &d->canvas, title);
    d->key_lines += dls_gnuplot_title_lines(&d->canvas, title);
  }
  d->separator = ", \\\n  ";
}

/* The levels of schemes that choose their own steps. */
static dls_status take_flat_levels(dls_error_plot *d, dls_error *err)
{
  d->flat = malloc((d->line_count + 1) * sizeof *d->flat);
  dls_status status =
      d->flat != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu lines", d->line_count);
  for (size_t i = 0; i < d->line_count && status == DLS_OK; i++) {
    dls_order_level level = {.median = NAN};
    if (dls_error_plot_shows(d, &d->lines[i]) && is_flat(d, &d->lines[i])) {
      status = dls_order_level_of(d->study, &d->lines[i], 0, d->against, &level, err);
    }
    d->flat[i] = level.median;
  }
  return status;
}

/* Arrows at the foot, for the levels that lie far below it. */
static void put_arrows(const dls_error_plot *d)
{
  double x = 0.05;
  for (size_t i = 0; i < d->line_count; i++) {
    const dls_order_line *line = &d->lines[i];
    if (d->flat[i] < d->foot) { /* not NaN */
      const char *colour = dls_gnuplot_colour(line->scheme);
      fprintf(d->out,
              "set arrow from graph %.3f,0.085 to graph %.3f,0.008 linecolor rgb '%s' linewidth 2 "
              "nofilled\n"
              "set label '%.1e' at graph %.3f,0.045 left front textcolor rgb '%s'\n",
              x, x, colour, d->flat[i], x + 0.012, colour);
      x += d->canvas.narrow ? 110.0 / dls_canvas_width(&d->canvas, 0) : 0.13;
    }
  }
}

static void put_by_event_items(dls_error_plot *d, size_t index, const char *label)
{
  const dls_order_line *line = &d->lines[index];
  const double level = d->flat[index];
  char style[120], title[LABEL_ROOM + 60];
  if (!is_positive(level)) {
    return; /* a zero or a failure, which have items of their own */
  }
  snprintf(style, sizeof style, "lines linecolor rgb '%s' linewidth 2 dashtype 2",
           dls_gnuplot_colour(line->scheme));
  snprintf(title, sizeof title, "%s: error %.2g%s", label, level, level < d->foot ? ", below the picture" : "");
  put_item(d, "straight", index, style, title);
}

static void put_by_step_items(dls_error_plot *d, size_t index, const char *label)
{
  const dls_order_line *line = &d->lines[index];
  const char *colour = dls_gnuplot_colour(line->scheme);
  const int type = dls_gnuplot_point_type(line->scheme);
  char style[120], title[LABEL_ROOM + 160];
  if (has_band(line) && !d->text) {
    snprintf(style, sizeof style, "filledcurves linecolor rgb '#D0%s' fillstyle solid noborder", colour + 1);
    put_item(d, "band", index, style, NULL);
  }
  if (d->study->spec.repeats > 1 && !d->text) {
    snprintf(style, sizeof style, "points pointtype %d pointsize %g linecolor rgb '#A0%s'", type,
             light_pointsize, colour + 1); /* alpha A0: light */
    put_item(d, "runs", index, style, NULL);
  }
  if (line->fitted && !d->text) {
    snprintf(style, sizeof style, "lines linecolor rgb '%s' linewidth 1.5 dashtype %d", colour,
             dls_gnuplot_dash_type(line->scheme));
    put_item(d, "straight", index, style, NULL);
  }
  /* A scheme that chooses its steps may scatter about its line: the medians are joined in their order. */
  const bool join = d->against != DLS_AGAINST_STEP && !d->text;
  snprintf(style, sizeof style, "%s pointtype %d pointsize %g linecolor rgb '%s'",
           join ? "linespoints linewidth 0.8 dashtype 3" : "points", type, median_pointsize, colour);
  if (line->fitted) {
    snprintf(title, sizeof title, "%s: %.2f [%.2f, %.2f]", label, line->fit.order, line->fit.ci_low,
             line->fit.ci_high);
    if (has_band(line)) {
      dls_text_append(title, sizeof title, ", medians %.2f [%.2f, %.2f]", line->medians.order,
                      line->medians.ci_low, line->medians.ci_high);
    }
  } else {
    snprintf(title, sizeof title, "%s: no %s, %s", label, d->against == DLS_AGAINST_STEP ? "order" : "slope",
             line->reason);
  }
  put_item(d, "medians", index, style, title);
}

/* Errors that are 0 and runs that failed are shown where they are not lost. */
static void put_marks(dls_error_plot *d, size_t index, const char *label)
{
  const size_t zeros = count_runs(d, index, DLS_ERROR_ZERO);
  const size_t failures = count_runs(d, index, DLS_ERROR_FAILED);
  char style[120], title[LABEL_ROOM + 160];
  const char *colour = dls_gnuplot_colour(d->lines[index].scheme);
  if (zeros > 0) {
    snprintf(style, sizeof style, "points pointtype 10 pointsize 1.4 linecolor rgb '%s'", colour);
    snprintf(title, sizeof title, "%s: error 0, drawn at %.1g (%zu runs)", label, d->zero, zeros);
    put_item(d, "zeros", index, style, title);
  }
  if (failures > 0) {
    snprintf(style, sizeof style, "points pointtype 2 pointsize 1.2 linecolor rgb '%s'", colour);
    snprintf(title, sizeof title, "%s: failed (%zu runs)", label, failures);
    put_item(d, "failed", index, style, title);
  }
}

static dls_status put_data(const dls_error_plot *d, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; i < d->line_count && status == DLS_OK; i++) {
    if (!dls_error_plot_shows(d, &d->lines[i])) {
      continue;
    }
    put_runs(d, "runs", i, DLS_ERROR_POSITIVE, 0);
    put_runs(d, "zeros", i, DLS_ERROR_ZERO, d->zero);
    put_runs(d, "failed", i, DLS_ERROR_FAILED, d->e_low * 1.5);
    put_band(d, i);
    put_straight(d, i);
    status = put_medians(d, i, err);
  }
  return status;
}

static void put_plot(dls_error_plot *d)
{
  d->separator = "plot ";
  for (size_t i = 0; i < d->triangles; i++) {
    put_item(d, "triangle", i,
             d->wedge[i]
                 ? "filledcurves closed linecolor rgb '#D8D8D8' fillstyle solid border linecolor rgb '#404040'"
                 : "lines linecolor rgb '#404040' linewidth 1",
             NULL);
  }
  for (size_t i = 0; i < d->line_count; i++) {
    const dls_order_line *line = &d->lines[i];
    char label[LABEL_ROOM];
    if (!dls_error_plot_shows(d, line)) {
      continue;
    }
    dls_order_scheme_label(d->study, line->scheme, label, sizeof label);
    if (is_flat(d, line)) {
      put_by_event_items(d, i, label);
    } else {
      put_by_step_items(d, i, label);
    }
    put_marks(d, i, label);
  }
  fprintf(d->out, "\n");
}

/* "bouncing-ball, 0 ≤ t ≤ 4 s, 8 step sizes, 7 tolerances × 6 runs" */
static void put_title(const dls_error_plot *d)
{
  const dls_order_spec *spec = &d->study->spec;
  char title[300];
  snprintf(title, sizeof title, "%.80s, 0 ≤ t ≤ %g s", spec->model->name, spec->end);
  if (spec->levels > 0) {
    dls_text_append(title, sizeof title, ", %zu step sizes", spec->levels);
  }
  if (spec->tol_levels > 0) {
    dls_text_append(title, sizeof title, ", %zu tolerances", spec->tol_levels);
  }
  dls_text_append(title, sizeof title, " × %zu runs%s", spec->repeats,
                  d->study->complete            ? ""
                  : d->study->out_of_memory > 0 ? " (runs are missing)"
                                                : " (interrupted)");
  fputs(dls_canvas_titled(&d->canvas) ? "set" : "", d->out);
  dls_gnuplot_end_titled(d->out, &d->canvas, title);
}

static bool any_line(const dls_error_plot *d, bool (*is)(const dls_order_line *line))
{
  for (size_t i = 0; i < d->line_count; i++) {
    if (dls_error_plot_shows(d, &d->lines[i]) && is(&d->lines[i])) {
      return true;
    }
  }
  return false;
}

static bool is_fitted(const dls_order_line *line)
{
  return line->fitted;
}

static int axis_height(const dls_error_plot *d)
{
  const int lines = d->canvas.path != NULL ? dls_gnuplot_title_lines(&d->canvas, d->x_label) : 1;
  return NARROW_AXIS_HEIGHT + (lines - 1) * LABEL_LINE_HEIGHT;
}

/* Under the plot; a narrow picture has room for it by the line. */
static void put_key(const dls_error_plot *d, int key_height, int height)
{
  const char *title = any_line(d, is_fitted) ? d->key_title : "";
  if (d->canvas.narrow) {
    fprintf(
        d->out,
        "set bmargin at screen %.4f\nset rmargin 2\nset key at screen 0,%.4f left top Left reverse vertical "
        "maxcols 1 samplen 2 noenhanced title '%s' left\n",
        (double)(key_height + axis_height(d)) / height, (double)key_height / height, title);
    return;
  }
  fprintf(d->out, "set key below left Left reverse maxcols 1 samplen 2 height 1 noenhanced ");
  if (title[0] != '\0') {
    fprintf(d->out, "title \"\\n%s%s%s\" left", title, /* a line apart from the label of the axis */
            any_line(d, has_band) ? "; band: line of the medians, 95 %" : "",
            d->wedge[0] || d->wedge[1] ? "; triangle: as published" : "");
  }
  fprintf(d->out, "\n");
}

/* On a page of a telephone small; on paper in two lines where it needs them. */
static void put_x_label(const dls_error_plot *d)
{
  if (!d->canvas.narrow || d->canvas.path == NULL) {
    fprintf(d->out, "set xlabel '%s'%s\n", d->x_label, d->canvas.narrow ? " font ',11'" : "");
    return;
  }
  fputs("set xlabel ", d->out);
  dls_gnuplot_heading(d->out, &d->canvas, d->x_label);
  fputs("\n", d->out);
}

static void put_axes(const dls_error_plot *d)
{
  if (d->canvas.path != NULL) {
    put_title(d);
  }
  dls_gnuplot_log_axis(d->out, 'x', d->x_low, d->x_high, d->text);
  dls_gnuplot_log_axis(d->out, 'y', d->e_low, d->e_high, d->text);
  put_x_label(d);
  dls_error_plot_label(d);
  fprintf(d->out, "set xrange [%.6g:%.6g]\nset yrange [%.6g:%.6g]\n", d->x_low, d->x_high, d->e_low, d->e_high);
}

/* Lines of the key without its title, found by writing it once. */
static dls_status count_key_lines(dls_error_plot *d, dls_error *err)
{
  char *text = NULL;
  size_t size = 0;
  d->key_lines = 0;
  d->out = dls_text_stream(&text, &size);
  if (d->out == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a plot");
  }
  put_plot(d);
  const bool counted = fclose(d->out) == 0;
  free(text);
  return counted ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for a plot");
}

static int key_height(const dls_error_plot *d)
{
  return DLS_KEY_LINE_HEIGHT * (d->key_lines + any_line(d, is_fitted)) + 4;
}

/* Room for the key, and for slopes to be seen where an event-driven error lies many decades below the others. */
static int picture_height(const dls_error_plot *d)
{
  const double decades = fmin(log10(d->e_high / d->e_low), MAX_DECADES);
  if (d->canvas.narrow) {
    return NARROW_HEIGHT + (int)(NARROW_DECADE_HEIGHT * decades) + axis_height(d) + key_height(d);
  }
  return PLOT_HEIGHT + (int)(DECADE_HEIGHT * decades) + DLS_KEY_LINE_HEIGHT * (int)d->study->spec.scheme_count;
}

static dls_status put_script(dls_error_plot *d, int height, dls_error *err)
{
  const int key = key_height(d);
  if (!d->text) {
    d->decorate(d);
  }
  const dls_status status = put_data(d, err);
  if (status == DLS_OK) {
    if (!d->text) {
      put_arrows(d);
    }
    put_axes(d);
    put_key(d, key, height);
    put_plot(d);
  }
  return status;
}

static dls_status draw(dls_error_plot *d, dls_error *err)
{
  dls_gnuplot *plot = NULL;
  dls_status status = count_key_lines(d, err);
  const int height = picture_height(d);
  status = status != DLS_OK ? status : dls_gnuplot_begin(&d->canvas, WIDTH, height, &plot, err);
  if (status != DLS_OK) {
    return status;
  }
  d->out = dls_gnuplot_script(plot);
  d->text = dls_gnuplot_is_text(plot);
  status = put_script(d, height, err);
  if (status != DLS_OK) {
    dls_gnuplot_abandon(plot);
    return status;
  }
  return dls_gnuplot_finish(plot, err);
}

dls_status dls_error_plot_draw(dls_error_plot *d, dls_error *err)
{
  const dls_order_spec *spec = &d->study->spec;
  if (d->norm >= spec->norm_count || d->of >= spec->of_count || d->study->point_count == 0) {
    return dls_fail(err, DLS_ERR_ARG,
                    "plot %s: norm %zu of %zu, quantity %zu of %zu, %zu points: nothing to draw",
                    d->canvas.path != NULL ? d->canvas.path : "for a page", d->norm, spec->norm_count, d->of,
                    spec->of_count, d->study->point_count);
  }
  dls_error_plot_ranges(d);
  dls_status status = take_flat_levels(d, err);
  status = status != DLS_OK ? status : draw(d, err);
  free(d->flat);
  return status;
}
