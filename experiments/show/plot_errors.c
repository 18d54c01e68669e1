/* experiments/show/plot_errors.c -- errors against step or work with fitted lines, both axes logarithmic.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/plot_errors.h"
#include "common/base/text.h"
#include "experiments/measures/order/order_derivatives.h"
#include <delassus/plot.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  WIDTH = 1000,
  PLOT_HEIGHT = 470,
  DECADE_HEIGHT = 30,
  MAX_DECADES = 10,
  NARROW_HEIGHT = 310,
  NARROW_DECADE_HEIGHT = 10,
  LABEL_ROOM = 320
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

/* Place of a run on the axis; the middle if it has no x. */
static double x_of(const dls_error_plot *d, const dls_order_point *point)
{
  const double x = dls_order_abscissa(point, d->against);
  return isnan(x) ? sqrt(d->x_low * d->x_high) : fmin(fmax(x, d->x_low), d->x_high);
}

/* The runs of one kind. Runs whose error is 0 or missing are drawn at the lower edge. */
static const dls_plot_table *add_runs(const dls_error_plot *d, const char *name, size_t index,
                                      dls_error_kind kind, double foot)
{
  dls_plot_table *table = dls_plot_table_new(d->figure, 2, "%s_%zu", name, index);
  for (size_t i = 0; i < d->study->point_count; i++) {
    const dls_order_point *point = &d->study->points[i];
    if (dls_order_on_line(point, &d->lines[index]) && dls_error_kind_of(point) == kind) {
      dls_plot_table_add(table,
                         (double[]){x_of(d, point), kind == DLS_ERROR_POSITIVE ? point->error.value : foot});
    }
  }
  return table;
}

static dls_status add_medians(const dls_error_plot *d, size_t index, const dls_plot_table **out, dls_error *err)
{
  dls_plot_table *table = dls_plot_table_new(d->figure, 2, "medians_%zu", index);
  *out = table;
  for (size_t i = 0; i < dls_order_level_count(d->study, &d->lines[index]); i++) {
    dls_order_level level;
    const dls_status status = dls_order_level_of(d->study, &d->lines[index], i, d->against, &level, err);
    if (status != DLS_OK) {
      return status;
    }
    if (is_positive(level.median)) {
      dls_plot_table_add(table, (double[]){level.x, level.median});
    }
  }
  return DLS_OK;
}

/* Two ends of the fitted line, or of the horizontal line of a scheme that chooses its own steps. */
static const dls_plot_table *add_straight(const dls_error_plot *d, size_t index)
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
  dls_plot_table *table = dls_plot_table_new(d->figure, 2, "straight_%zu", index);
  for (int i = 0; i < 2; i++) {
    if (is_positive(ends[i][1])) {
      dls_plot_table_add(table, ends[i]);
    }
  }
  return table;
}

/* The 95 % band of the line through the medians, over the steps of the fit. */
static const dls_plot_table *add_band(const dls_error_plot *d, size_t index)
{
  dls_order_band_row rows[DLS_ORDER_BAND_ROWS];
  dls_plot_table *table = dls_plot_table_new(d->figure, 3, "band_%zu", index);
  const size_t count = dls_order_band(&d->lines[index], rows);
  for (size_t i = 0; i < count; i++) {
    dls_plot_table_add(table, (double[]){rows[i].x, rows[i].low, rows[i].high});
  }
  return table;
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

/* Arrows at the lower edge, for levels far below it, and room for their texts below the data: a part of the axis. */
static void add_arrows(dls_error_plot *d)
{
  const double room = 0.06, narrow_room = 0.2, above = 1.5; /* the edge stays above the levels by this factor */
  double x = 0.05, level = 0;
  for (size_t i = 0; i < d->line_count; i++) {
    if (!(d->flat[i] < d->foot)) { /* NaN too */
      continue;
    }
    const char *colour = dls_style_of(d->lines[i].scheme).colour;
    dls_panel_mark(d->figure, d->panel,
                   &(dls_mark){.kind = DLS_MARK_ARROW,
                               .of_panel = true,
                               .x = x,
                               .y = 0.085,
                               .x2 = x,
                               .y2 = 0.008,
                               .colour = colour});
    dls_panel_mark(d->figure, d->panel,
                   &(dls_mark){.of_panel = true,
                               .x = x,
                               .dx = 1,   /* letter */
                               .dy = 0.7, /* lines: whole in a low frame too */
                               .align = -1,
                               .text = dls_figure_text(d->figure, "%.1e", d->flat[i]),
                               .colour = colour});
    x += d->figure->canvas.narrow ? 110.0 / dls_canvas_width(&d->figure->canvas, 0) : 0.13;
    level = fmax(level, d->flat[i]);
  }
  if (level > 0) {
    const double part = d->figure->canvas.narrow ? narrow_room : room;
    d->e_low = fmax(d->e_low / pow(d->e_high / d->e_low, part), fmin(d->e_low, above * level));
  }
}

static void add_by_event(dls_error_plot *d, size_t index, const char *label)
{
  const double level = d->flat[index];
  dls_style style = dls_style_of(d->lines[index].scheme);
  style.dash = style.dash == DLS_SOLID ? DLS_SHORT_DASHES : style.dash; /* solid lines are fitted */
  if (!is_positive(level)) {
    return; /* a zero or a failure, which have series of their own */
  }
  dls_panel_add(d->figure, d->panel,
                &(dls_series){.table = level < d->foot ? NULL : add_straight(d, index),
                              .style = style,
                              .width = 2,
                              .title = dls_figure_text(d->figure, "%s: error %.2g%s", label, level,
                                                       level < d->foot ? ", below the picture" : "")});
}

/* "moreau-jean: 1.02 [0.98, 1.05], medians 1.01 [0.99, 1.04]" */
static const char *line_title(const dls_error_plot *d, const dls_order_line *line, const char *label)
{
  char title[LABEL_ROOM + 160];
  if (!line->fitted && d->overlay != NULL && d->study->limit != NULL) { /* the plateau is drawn */
    return dls_figure_text(d->figure, "%s: no order", label);
  }
  if (!line->fitted) {
    return dls_figure_text(d->figure, "%s: no %s, %s", label,
                           d->against == DLS_AGAINST_STEP ? "order" : "slope", line->reason);
  }
  snprintf(title, sizeof title, "%s: %.2f [%.2f, %.2f]", label, line->fit.order, line->fit.ci_low,
           line->fit.ci_high);
  if (dls_order_has_band(line)) {
    dls_text_append(title, sizeof title, ", medians %.2f [%.2f, %.2f]", line->medians.order,
                    line->medians.ci_low, line->medians.ci_high);
  }
  return dls_figure_text(d->figure, "%s", title);
}

/* Band, single runs, fitted line, medians. */
static dls_status add_by_step(dls_error_plot *d, size_t index, const char *label, dls_error *err)
{
  const dls_order_line *line = &d->lines[index];
  const dls_style style = dls_style_of(line->scheme);
  const bool text = d->figure->text;
  if (dls_order_has_band(line) && !text) {
    dls_panel_add(
        d->figure, d->panel,
        &(dls_series){
            .kind = DLS_SERIES_BAND, .table = add_band(d, index), .style = style, .transparency = 0xD0});
  }
  if (d->study->spec.repeats > 1 && !text) {
    dls_panel_add(d->figure, d->panel,
                  &(dls_series){.kind = DLS_SERIES_POINTS,
                                .table = add_runs(d, "runs", index, DLS_ERROR_POSITIVE, 0),
                                .style = style,
                                .size = light_pointsize,
                                .transparency = 0xA0});
  }
  if (line->fitted && !text) {
    dls_panel_add(d->figure, d->panel,
                  &(dls_series){.table = add_straight(d, index), .style = style, .width = 1.5});
  }
  /* Results of a scheme that chooses its steps may scatter about its line: medians are joined in order. */
  dls_series medians = {.kind = DLS_SERIES_POINTS, .style = style, .size = median_pointsize};
  if (d->against != DLS_AGAINST_STEP && !text) {
    medians.kind = DLS_SERIES_LINES_POINTS;
    medians.width = 0.8;
    medians.style.dash = DLS_DOTTED;
  }
  medians.title = line_title(d, line, label);
  const dls_status status = add_medians(d, index, &medians.table, err);
  dls_panel_add(d->figure, d->panel, &medians);
  return status;
}

/* Errors that are 0 and failed runs are drawn at the lower edge. */
static void add_lost(dls_error_plot *d, size_t index, const char *label)
{
  const dls_plot_table *zeros = add_runs(d, "zeros", index, DLS_ERROR_ZERO, d->zero),
                       *failed = add_runs(d, "failed", index, DLS_ERROR_FAILED, d->e_low * 1.5);
  dls_series series = {.kind = DLS_SERIES_POINTS, .style = dls_style_of(d->lines[index].scheme)};
  if (zeros->rows > 0) {
    series.table = zeros;
    series.style.point = DLS_HOLLOW_DOWN;
    series.size = 1.4;
    series.title =
        dls_figure_text(d->figure, "%s: error 0, drawn at %.1g (%zu runs)", label, d->zero, zeros->rows);
    dls_panel_add(d->figure, d->panel, &series);
  }
  if (failed->rows > 0) {
    series.table = failed;
    series.style.point = DLS_CROSS;
    series.size = 1.2;
    series.title = dls_figure_text(d->figure, "%s: failed (%zu runs)", label, failed->rows);
    dls_panel_add(d->figure, d->panel, &series);
  }
}

static dls_status add_lines(dls_error_plot *d, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; i < d->line_count && status == DLS_OK; i++) {
    char label[LABEL_ROOM];
    if (!dls_error_plot_shows(d, &d->lines[i])) {
      continue;
    }
    dls_order_scheme_label(d->study, d->lines[i].scheme, label, sizeof label);
    if (is_flat(d, &d->lines[i])) {
      add_by_event(d, i, label);
    } else {
      status = add_by_step(d, i, label, err);
    }
    add_lost(d, i, label);
  }
  return status;
}

/* "bouncing-ball, 0 ≤ t ≤ 4 s, 8 step sizes, 7 tolerances × 6 runs" */
static void set_title(const dls_error_plot *d)
{
  const dls_order_spec *spec = &d->study->spec;
  char runs[160] = "";
  if (spec->levels > 0) {
    dls_text_append(runs, sizeof runs, "%zu step sizes", spec->levels);
  }
  if (spec->tol_levels > 0) {
    dls_text_append(runs, sizeof runs, "%s%zu tolerances", runs[0] != '\0' ? ", " : "", spec->tol_levels);
  }
  dls_text_append(runs, sizeof runs, " × %zu runs", spec->repeats);
  d->figure->title.model = spec->model->name;
  d->figure->title.interval = dls_figure_text(d->figure, "0 ≤ t ≤ %g s", spec->end);
  d->figure->title.step = dls_figure_text(d->figure, "%s", runs);
  d->figure->title.remark = d->study->complete            ? NULL
                            : d->study->out_of_memory > 0 ? "(runs are missing)"
                                                          : "(interrupted)";
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

/* --- axes --- */

static const double far_below = 100; /* of the least error of the other schemes */

/* "error of v in the Hausdorff distance [max(s, m/s)]"; scaled errors have no unit. */
static const char *error_label(const dls_error_plot *d)
{
  const dls_norm *norm = d->study->spec.norms[d->norm];
  const dls_metric *metric = &d->study->spec.metric;
  const char *of = d->study->spec.of[d->of];
  char unit[60] = "", power[20] = "";
  dls_order_error_unit(norm, d->study->units[d->of], unit);
  if (metric->time_scale != 1 || metric->value_scale != 1) {
    snprintf(unit, sizeof unit, " (scales %g s and %g %s)", metric->time_scale, metric->value_scale,
             d->study->units[d->of]);
  }
  if (norm->options != NULL) {
    snprintf(power, sizeof power, ", p = %g", norm->p);
  }
  return dls_figure_text(d->figure, "error of %.60s %.120s%s%s", of,
                         norm->label != NULL ? norm->label : norm->name, power, unit);
}

/* Axis around the steps of the study. */
static void set_step_range(dls_error_plot *d)
{
  const dls_order_spec *spec = &d->study->spec;
  const double margin = spec->repeats > 1 ? 1.6 : 1.3; /* randomised steps go to 1.25 times the mean */
  d->x_low = fmin(spec->h_first, spec->h_last) / margin;
  d->x_high = fmax(spec->h_first, spec->h_last) * margin;
}

/* Axis around the work of the runs that have an error. */
static void set_work_range(dls_error_plot *d)
{
  double low = HUGE_VAL, high = 0;
  for (size_t i = 0; i < d->study->point_count; i++) {
    const dls_order_point *point = &d->study->points[i];
    const double x = dls_order_abscissa(point, d->against);
    if (point->norm == d->norm && point->of == d->of && isfinite(point->error.value) && x > 0) {
      low = fmin(low, x);
      high = fmax(high, x);
    }
  }
  d->x_low = high > 0 ? low / 1.4 : 1;
  d->x_high = high > 0 ? high * 2 : 10;
}

/* Whether a run belongs to a horizontal line. */
static bool is_flat_point(const dls_error_plot *d, const dls_order_point *point)
{
  return d->against == DLS_AGAINST_STEP &&
         d->study->spec.schemes[point->scheme].scheme->stepping == DLS_BY_EVENT;
}

/* Axis around the errors. A horizontal line far below all other errors does not extend it: an arrow at the lower edge
 * points to it. */
static void set_error_range(dls_error_plot *d)
{
  double low = HUGE_VAL, high = 0, lowest = HUGE_VAL;
  for (size_t i = 0; i < d->study->point_count; i++) {
    const dls_order_point *point = &d->study->points[i];
    if (point->norm == d->norm && point->of == d->of && dls_error_kind_of(point) == DLS_ERROR_POSITIVE) {
      low = is_flat_point(d, point) ? low : fmin(low, point->error.value);
      lowest = fmin(lowest, point->error.value);
      high = fmax(high, point->error.value);
    }
  }
  d->foot = lowest < low / far_below && low < HUGE_VAL ? low / far_below : 0;
  low = d->foot > 0 ? low : lowest;
  low = high > 0 ? low : DBL_EPSILON; /* no error to draw */
  high = high > 0 ? high : 1;
  d->zero = low / 3;
  d->e_low = low / 10;
  d->e_high = high * 4;
}

static void set_ranges(dls_error_plot *d)
{
  (d->against == DLS_AGAINST_STEP ? set_step_range : set_work_range)(d);
  set_error_range(d);
}

/* --- the picture --- */

static const char *key_title(const dls_error_plot *d)
{
  if (!any_line(d, is_fitted)) {
    return NULL;
  }
  if (d->figure->canvas.narrow) {
    return d->key_title;
  }
  return dls_figure_text(d->figure, "%s%s%s", d->key_title,
                         any_line(d, dls_order_has_band) ? "; band: line of the medians, 95 %" : "",
                         d->published ? "; triangle: as published" : "");
}

static dls_status build(dls_error_plot *d, dls_error *err)
{
  set_ranges(d);
  dls_status status = take_flat_levels(d, err);
  if (status != DLS_OK) {
    return status;
  }
  d->panel = dls_figure_panel(d->figure, 0);
  if (!d->figure->text) {
    d->decorate(d);
    d->foot = fmin(d->foot, d->e_low); /* triangles may reach down to a level */
    add_arrows(d);
  }
  /* keeps slopes visible where an event-driven error is many decades below the others */
  const double decades = fmin(log10(d->e_high / d->e_low), MAX_DECADES);
  d->panel->height = dls_figure_either(d->figure, PLOT_HEIGHT + DECADE_HEIGHT * decades,
                                       NARROW_HEIGHT + NARROW_DECADE_HEIGHT * decades);
  d->panel->x = (dls_axis){.label = d->x_label, .log = true, .low = d->x_low, .high = d->x_high};
  d->panel->y = (dls_axis){.label = error_label(d), .log = true, .low = d->e_low, .high = d->e_high};
  set_title(d);
  status = add_lines(d, err);
  if (d->overlay != NULL && !d->figure->text) {
    d->overlay(d);
  }
  d->figure->key_title = key_title(d);
  return status;
}

dls_status dls_error_plot_draw(dls_error_plot *d, const dls_canvas *canvas, dls_error *err)
{
  const dls_order_spec *spec = &d->study->spec;
  if (d->norm >= spec->norm_count || d->of >= spec->of_count || d->study->point_count == 0) {
    return dls_fail(err, DLS_ERR_ARG,
                    "plot %s: norm %zu of %zu, quantity %zu of %zu, %zu points: nothing to draw",
                    canvas->path != NULL ? canvas->path : "for a page", d->norm, spec->norm_count, d->of,
                    spec->of_count, d->study->point_count);
  }
  dls_figure figure;
  dls_figure_begin(&figure, canvas, WIDTH);
  d->figure = &figure;
  const dls_status status = build(d, err);
  free(d->flat);
  return dls_figure_finish(&figure, status, err);
}
