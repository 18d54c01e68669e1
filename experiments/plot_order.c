/* experiments/plot_order.c -- errors against step sizes with fitted lines, both axes logarithmic.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/gnuplot.h"
#include "experiments/order_levels.h"
#include <delassus/plot.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum {
  WIDTH = 1000,
  PLOT_HEIGHT = 640,
  DECADE_HEIGHT = 30,
  MAX_DECADES = 10,
  KEY_LINE_HEIGHT = 22,
  LABEL_ROOM = 320
};

/* What is drawn, in the order of the study's lines. */
struct drawing {
  const dls_order_study *study;
  size_t norm, of;
  FILE *out;
  bool text;             /* characters in the terminal: medians only */
  double h_low, h_high;  /* axis */
  double e_low, e_high;  /* axis; around all errors that are finite and positive */
  double zero;           /* where errors that are 0 are drawn */
  const char *separator; /* before the next item of the plot command */
};

static const double light_pointsize = 0.55;
static const double median_pointsize = 1.25;

/* Names and units of the norms: unit is a format whose argument is the unit of the quantity; NULL:
 * dimensionless. */
static const struct norm_text {
  const char *norm, *words, *unit;
} norm_texts[] = {
    {"hausdorff", "in the Hausdorff distance", "max(s, %s)"},
    {"l1", "in L^1", "s·%s"},
    {"l2", "in L^2", "s^{1/2}·%s"},
    {"max", "in the maximum norm", "%s"},
    {"grid-l1", "in L^1 on the grid", "s·%s"},
    {"grid-l2", "in L^2 on the grid", "s^{1/2}·%s"},
    {"grid-max", "at the grid points, largest", "%s"},
    {"relative-l1", "in relative L^1 on the grid", NULL},
    {"events", "in the times of the jumps", "s"},
};

static const char *unit_of(const char *quantity)
{
  static const struct {
    const char *prefix, *unit;
  } units[] = {{"q", "m"},     {"g", "m"},   {"v", "m/s"},   {"u", "m/s"},
               {"a", "m/s^2"}, {"p", "N s"}, {"lambda", "N"}};
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
    if (strncmp(quantity, units[i].prefix, strlen(units[i].prefix)) == 0) {
      return units[i].unit;
    }
  }
  return "1";
}

/* "error of v in the Hausdorff distance [max(s, m/s)]"; scaled errors have no unit. */
static void put_error_label(const struct drawing *d)
{
  const dls_norm *norm = d->study->spec.norms[d->norm];
  const dls_metric *metric = &d->study->spec.metric;
  const char *of = d->study->spec.of[d->of];
  const struct norm_text *text = NULL;
  for (size_t i = 0; i < sizeof norm_texts / sizeof norm_texts[0]; i++) {
    text = strcmp(norm_texts[i].norm, norm->name) == 0 ? &norm_texts[i] : text;
  }
  char label[400], unit[60] = "";
  if (text != NULL && text->unit != NULL) {
    const char *slot = strstr(text->unit, "%s");
    const int before = slot == NULL ? (int)strlen(text->unit) : (int)(slot - text->unit);
    snprintf(unit, sizeof unit, " [%.*s%s%s]", before, text->unit, slot == NULL ? "" : unit_of(of),
             slot == NULL ? "" : slot + 2);
  }
  if (metric->time_scale != 1 || metric->value_scale != 1) {
    snprintf(unit, sizeof unit, " (scales %g s and %g %s)", metric->time_scale, metric->value_scale,
             unit_of(of));
  }
  snprintf(label, sizeof label, "error of %.60s %.120s%s", of, text != NULL ? text->words : norm->name, unit);
  fprintf(d->out, "set ylabel ");
  dls_gnuplot_quote(d->out, label);
  fprintf(d->out, "\n");
}

static bool is_shown(const struct drawing *d, const dls_order_line *line)
{
  return line->norm == d->norm && line->of == d->of;
}

static bool is_positive(double error)
{
  return isfinite(error) && error > 0;
}

/* Axes around the steps and the errors. */
static void set_ranges(struct drawing *d)
{
  const dls_order_study *study = d->study;
  double low = HUGE_VAL, high = 0;
  for (size_t i = 0; i < study->point_count; i++) {
    const dls_order_point *point = &study->points[i];
    if (point->norm == d->norm && point->of == d->of && is_positive(point->error.value)) {
      low = fmin(low, point->error.value);
      high = fmax(high, point->error.value);
    }
  }
  low = high > 0 ? low : DBL_EPSILON; /* no error to draw */
  high = high > 0 ? high : 1;
  const double margin = study->spec.repeats > 1 ? 1.6 : 1.3; /* randomised steps go to 1.25 times the mean */
  d->h_low = fmin(study->spec.h_first, study->spec.h_last) / margin;
  d->h_high = fmax(study->spec.h_first, study->spec.h_last) * margin;
  d->zero = low / 3;
  d->e_low = low / 10;
  d->e_high = high * 4;
}

enum point_kind { POSITIVE, ZERO, FAILED };

static enum point_kind kind_of(const dls_order_point *point)
{
  if (!isfinite(point->error.value)) {
    return FAILED;
  }
  return point->error.value > 0 ? POSITIVE : ZERO;
}

/* The data block $<name>_<line>: the runs of one kind. Those without an error to draw stand at the foot. */
static void put_runs(const struct drawing *d, const char *name, size_t index, enum point_kind kind, double foot)
{
  fprintf(d->out, "$%s_%zu << EOD\n", name, index);
  for (size_t i = 0; i < d->study->point_count; i++) {
    const dls_order_point *point = &d->study->points[i];
    if (dls_order_on_line(point, &d->study->lines[index]) && kind_of(point) == kind) {
      fprintf(d->out, "%.10g %.10g\n", isnan(point->step) ? sqrt(d->h_low * d->h_high) : point->step,
              kind == POSITIVE ? point->error.value : foot);
    }
  }
  fprintf(d->out, "EOD\n");
}

static size_t count_runs(const struct drawing *d, size_t index, enum point_kind kind)
{
  size_t count = 0;
  for (size_t i = 0; i < d->study->point_count; i++) {
    const dls_order_point *point = &d->study->points[i];
    count += dls_order_on_line(point, &d->study->lines[index]) && kind_of(point) == kind;
  }
  return count;
}

static dls_status put_medians(const struct drawing *d, size_t index, dls_error *err)
{
  fprintf(d->out, "$medians_%zu << EOD\n", index);
  for (size_t i = 0; i < d->study->spec.levels; i++) {
    dls_order_level level;
    const dls_status status = dls_order_level_of(d->study, &d->study->lines[index], i, &level, err);
    if (status != DLS_OK) {
      return status;
    }
    if (is_positive(level.median)) {
      fprintf(d->out, "%.10g %.10g\n", level.step, level.median);
    }
  }
  fprintf(d->out, "EOD\n");
  return DLS_OK;
}

/* Two ends of the fitted line, or of the horizontal line of a scheme that chooses its own steps. */
static dls_status put_straight(const struct drawing *d, size_t index, dls_error *err)
{
  const dls_order_line *line = &d->study->lines[index];
  double ends[2][2] = {{line->fit.h_min, 0}, {line->fit.h_max, 0}};
  for (int i = 0; i < 2 && line->fitted; i++) {
    ends[i][1] = line->fit.constant * pow(ends[i][0], line->fit.order);
  }
  if (dls_order_by_event(d->study, line)) {
    dls_order_level level;
    const dls_status status = dls_order_level_of(d->study, line, 0, &level, err);
    if (status != DLS_OK) {
      return status;
    }
    ends[0][0] = d->h_low;
    ends[1][0] = d->h_high;
    ends[0][1] = ends[1][1] = level.median;
  }
  fprintf(d->out, "$straight_%zu << EOD\n", index);
  for (int i = 0; i < 2; i++) {
    if (is_positive(ends[i][1])) {
      fprintf(d->out, "%.10g %.10g\n", ends[i][0], ends[i][1]);
    }
  }
  fprintf(d->out, "EOD\n");
  return DLS_OK;
}

/* The next item of the plot command: block, style, and its title or none. */
static void put_item(struct drawing *d, const char *block, size_t index, const char *style, const char *title)
{
  fprintf(d->out, "%s$%s_%zu using 1:2 with %s ", d->separator, block, index, style);
  if (title == NULL) {
    fprintf(d->out, "notitle");
  } else {
    fprintf(d->out, "title ");
    dls_gnuplot_quote(d->out, title);
  }
  d->separator = ", \\\n  ";
}

static void put_by_event_items(struct drawing *d, size_t index, const char *label)
{
  const dls_order_line *line = &d->study->lines[index];
  dls_order_level level = {0};
  char style[120], title[LABEL_ROOM + 40];
  if (dls_order_level_of(d->study, line, 0, &level, NULL) != DLS_OK || !is_positive(level.median)) {
    return; /* a zero or a failure, which have items of their own */
  }
  snprintf(style, sizeof style, "lines linecolor rgb '%s' linewidth 2 dashtype 2",
           dls_gnuplot_colour(line->scheme));
  snprintf(title, sizeof title, "%s: error %.2g", label, level.median);
  put_item(d, "straight", index, style, title);
}

static void put_by_step_items(struct drawing *d, size_t index, const char *label)
{
  const dls_order_line *line = &d->study->lines[index];
  const char *colour = dls_gnuplot_colour(line->scheme);
  const int type = dls_gnuplot_point_type(line->scheme);
  char style[120], title[LABEL_ROOM + 60];
  if (d->study->spec.repeats > 1 && !d->text) {
    snprintf(style, sizeof style, "points pointtype %d pointsize %g linecolor rgb '#A0%s'", type,
             light_pointsize, colour + 1); /* alpha A0: light */
    put_item(d, "runs", index, style, NULL);
  }
  if (!d->text) {
    snprintf(style, sizeof style, "lines linecolor rgb '%s' linewidth 1.5", colour);
    put_item(d, "straight", index, style, NULL);
  }
  snprintf(style, sizeof style, "points pointtype %d pointsize %g linecolor rgb '%s'", type, median_pointsize,
           colour);
  if (line->fitted) {
    snprintf(title, sizeof title, "%s: %.2f [%.2f, %.2f]", label, line->fit.order, line->fit.ci_low,
             line->fit.ci_high);
  } else {
    snprintf(title, sizeof title, "%s: no order fitted", label);
  }
  put_item(d, "medians", index, style, title);
}

/* Errors that are 0 and runs that failed are shown where they are not lost. */
static void put_marks(struct drawing *d, size_t index, const char *label)
{
  const size_t zeros = count_runs(d, index, ZERO);
  const size_t failures = count_runs(d, index, FAILED);
  char style[120], title[LABEL_ROOM + 60];
  const char *colour = dls_gnuplot_colour(d->study->lines[index].scheme);
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

/* A slope triangle of height p decades per decade, with its corner and its labels. */
struct triangle {
  double h[2], e[2], order;
  bool below; /* right angle at (h[1], e[0]), under the data; else at (h[0], e[1]), over the data */
};

static double rounded_order(const dls_order_line *line)
{
  return fmax(0.5, round(2 * line->fit.order) / 2); /* halves: L2 of a displaced jump has order 1/2 */
}

/* The fitted line that is lowest (sign 1) or highest (sign -1) at h; NULL if none is fitted. */
static const dls_order_line *extreme_line(const struct drawing *d, double h, int sign)
{
  const dls_order_line *best = NULL;
  double least = HUGE_VAL;
  for (size_t i = 0; i < d->study->line_count; i++) {
    const dls_order_line *line = &d->study->lines[i];
    const double height =
        is_shown(d, line) && line->fitted ? log(line->fit.constant) + line->fit.order * log(h) : NAN;
    if (sign * height < least) {
      best = line;
      least = sign * height;
    }
  }
  return best;
}

/* Clear of all runs with steps over the triangle, extrapolated along its slope, by this factor. */
static const double triangle_gap = 2.5;

static void place_triangle(const struct drawing *d, const dls_order_line *line, double h0, double h1,
                           struct triangle *t)
{
  const double corner = t->below ? h1 : h0;
  double nearest = line->fit.constant * pow(corner, line->fit.order); /* where the steps lie far apart */
  for (size_t i = 0; i < d->study->point_count; i++) {
    const dls_order_point *point = &d->study->points[i];
    if (point->norm != d->norm || point->of != d->of || kind_of(point) != POSITIVE ||
        !(point->step > h0 / 1.5 && point->step < h1 * 1.5)) {
      continue;
    }
    const double error = point->error.value * pow(corner / point->step, t->order);
    nearest = t->below ? fmin(nearest, error) : fmax(nearest, error);
  }
  const double side = t->below ? nearest / triangle_gap : nearest * triangle_gap;
  t->h[0] = h0;
  t->h[1] = h1;
  t->e[0] = t->below ? side * pow(h0 / h1, t->order) : side;
  t->e[1] = t->below ? side : side * pow(h1 / h0, t->order);
}

static void put_triangle(const struct drawing *d, size_t index, const struct triangle *t)
{
  const double corner_h = t->below ? t->h[1] : t->h[0];
  const double corner_e = t->below ? t->e[0] : t->e[1];
  fprintf(d->out, "$triangle_%zu << EOD\n%.6g %.6g\n%.6g %.6g\n%.6g %.6g\n%.6g %.6g\nEOD\n", index, t->h[0],
          t->e[0], corner_h, corner_e, t->h[1], t->e[1], t->h[0], t->e[0]);
  fprintf(d->out, "set label '%g' at %.6g,%.6g %s offset %s,0\n", t->order, corner_h, sqrt(t->e[0] * t->e[1]),
          t->below ? "left" : "right", t->below ? "0.6" : "-0.6");
  fprintf(d->out, "set label '1' at %.6g,%.6g center offset 0,%s\n", sqrt(t->h[0] * t->h[1]), corner_e,
          t->below ? "-0.7" : "0.7");
}

/* One under the lowest line and, if its order differs, one over the highest. @return their number */
static size_t put_triangles(struct drawing *d)
{
  const double span = log(d->h_high / d->h_low);
  const double right[] = {d->h_low * exp(0.64 * span), d->h_low * exp(0.82 * span)};
  const double left[] = {d->h_low * exp(0.18 * span), d->h_low * exp(0.36 * span)};
  const dls_order_line *lowest = extreme_line(d, right[1], 1);
  const dls_order_line *highest = extreme_line(d, left[0], -1);
  if (lowest == NULL) {
    return 0;
  }
  struct triangle triangle = {.order = rounded_order(lowest), .below = true};
  place_triangle(d, lowest, right[0], right[1], &triangle);
  put_triangle(d, 0, &triangle);
  d->e_low = fmin(d->e_low, triangle.e[0] / 4);
  if (rounded_order(highest) == triangle.order) {
    return 1;
  }
  triangle = (struct triangle){.order = rounded_order(highest), .below = false};
  place_triangle(d, highest, left[0], left[1], &triangle);
  put_triangle(d, 1, &triangle);
  d->e_high = fmax(d->e_high, triangle.e[1] * 4);
  return 2;
}

static void put_axes(const struct drawing *d, bool any_fitted)
{
  const dls_order_spec *spec = &d->study->spec;
  char title[300];
  snprintf(title, sizeof title, "%.80s, 0 ≤ t ≤ %g s, %zu step sizes × %zu runs%s", spec->model->name,
           spec->end, spec->levels, spec->repeats, d->study->complete ? "" : " (interrupted)");
  fprintf(d->out, "set title ");
  dls_gnuplot_quote(d->out, title);
  fprintf(d->out, " noenhanced\nset logscale xy\nset format x '10^{%%T}'\nset format y '10^{%%T}'\n"
                  "set xlabel 'step h [s]'\n");
  put_error_label(d);
  fprintf(d->out, "set xrange [%.6g:%.6g]\nset yrange [%.6g:%.6g]\n", d->h_low, d->h_high, d->e_low, d->e_high);
  fprintf(d->out, "set key below left Left reverse maxcols 1 samplen 2 height 1 noenhanced %s\n",
          any_fitted ? "title 'order of the error in h [95 % interval]' left" : "");
}

static dls_status put_data(const struct drawing *d, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; i < d->study->line_count && status == DLS_OK; i++) {
    if (!is_shown(d, &d->study->lines[i])) {
      continue;
    }
    put_runs(d, "runs", i, POSITIVE, 0);
    put_runs(d, "zeros", i, ZERO, d->zero);
    put_runs(d, "failed", i, FAILED, d->e_low * 1.5);
    status = put_medians(d, i, err);
    if (status == DLS_OK) {
      status = put_straight(d, i, err);
    }
  }
  return status;
}

static void put_plot(struct drawing *d, size_t triangles)
{
  d->separator = "plot ";
  for (size_t i = 0; i < triangles; i++) {
    put_item(d, "triangle", i, "lines linecolor rgb '#404040' linewidth 1", NULL);
  }
  for (size_t i = 0; i < d->study->line_count; i++) {
    const dls_order_line *line = &d->study->lines[i];
    char label[LABEL_ROOM];
    if (!is_shown(d, line)) {
      continue;
    }
    dls_order_scheme_label(d->study, line->scheme, label, sizeof label);
    if (dls_order_by_event(d->study, line)) {
      put_by_event_items(d, i, label);
    } else {
      put_by_step_items(d, i, label);
    }
    put_marks(d, i, label);
  }
  fprintf(d->out, "\n");
}

/* Room for the key, and for slopes to be seen where an event-driven error lies many decades below the others.
 */
static int picture_height(const struct drawing *d)
{
  const double decades = fmin(log10(d->e_high / d->e_low), MAX_DECADES);
  return PLOT_HEIGHT + (int)(DECADE_HEIGHT * decades) + KEY_LINE_HEIGHT * (int)d->study->spec.scheme_count;
}

dls_status dls_plot_order(const dls_order_study *study, size_t norm, size_t of, const char *path,
                          dls_error *err)
{
  if (norm >= study->spec.norm_count || of >= study->spec.of_count || study->point_count == 0) {
    return dls_fail(err, DLS_ERR_ARG,
                    "plot %s: norm %zu of %zu, quantity %zu of %zu, %zu points: nothing to draw", path, norm,
                    study->spec.norm_count, of, study->spec.of_count, study->point_count);
  }
  struct drawing d = {.study = study, .norm = norm, .of = of};
  dls_gnuplot *plot = NULL;
  set_ranges(&d);
  dls_status status = dls_gnuplot_begin(path, WIDTH, picture_height(&d), &plot, err);
  if (status != DLS_OK) {
    return status;
  }
  d.out = dls_gnuplot_script(plot);
  d.text = dls_gnuplot_is_text(plot);
  const size_t triangles = d.text ? 0 : put_triangles(&d);
  status = put_data(&d, err);
  if (status != DLS_OK) {
    dls_gnuplot_abandon(plot);
    return status;
  }
  put_axes(&d, extreme_line(&d, d.h_high, 1) != NULL);
  put_plot(&d, triangles);
  return dls_gnuplot_finish(plot, err);
}
