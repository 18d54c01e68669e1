/* experiments/show/plot_order.c -- errors against steps with slope triangles.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/pictures.h"
#include "experiments/show/plot_errors.h"

enum { LABEL_ROOM = 320 };
static const double limit_pointsize = 1.1;

/* A slope triangle of height p decades per decade, with its corner and its labels. */
struct triangle {
  double h[2], e[2], order;
  bool below; /* right angle at (h[1], e[0]), under the data; else at (h[0], e[1]), over the data */
};

/* As published, or the nearest half-integer. */
static double triangle_order(const dls_order_line *line)
{
  if (isfinite(line->published)) {
    return line->published;
  }
  return fmax(0.5, round(2 * line->fit.order) / 2); /* halves: L2 of a displaced jump has order 1/2 */
}

/* The fitted line that is lowest (sign 1) or highest (sign -1) at h, of those whose errors fall with h; NULL if there is none. */
static const dls_order_line *extreme_line(const dls_error_plot *d, double h, int sign)
{
  const dls_order_line *best = NULL;
  double least = HUGE_VAL;
  for (size_t i = 0; i < d->line_count; i++) {
    const dls_order_line *line = &d->lines[i];
    const double height = dls_error_plot_shows(d, line) && line->fitted && line->fit.order > 0
                              ? log(line->fit.constant) + line->fit.order * log(h)
                              : NAN;
    if (sign * height < least) {
      best = line;
      least = sign * height;
    }
  }
  return best;
}

/* Clear of all runs with steps over the triangle, extrapolated along its slope, by this factor at least, and by this part of the axis:
 * many decades may be low. Beyond the triangle its label needs more. */
static const double triangle_gap = 2.5, label_gap = 4;
static const double gap_part = 0.05, label_part = 0.06, narrow_gap_part = 0.1, narrow_label_part = 0.25;

/* The factor, or the part of the axis if that is more. */
static double gap_of(const dls_error_plot *d, double factor, double part)
{
  return fmax(factor, pow(d->e_high / d->e_low, part));
}

static void place_triangle(const dls_error_plot *d, const dls_order_line *line, double h0, double h1,
                           struct triangle *t)
{
  const double corner = t->below ? h1 : h0;
  double nearest = line->fit.constant * pow(corner, line->fit.order); /* where the steps lie far apart */
  for (size_t i = 0; i < d->study->point_count; i++) {
    const dls_order_point *point = &d->study->points[i];
    if (point->norm != d->norm || point->of != d->of || dls_error_kind_of(point) != DLS_ERROR_POSITIVE ||
        !(point->step > h0 / 1.5 && point->step < h1 * 1.5)) {
      continue;
    }
    const double error = point->error.value * pow(corner / point->step, t->order);
    nearest = t->below ? fmin(nearest, error) : fmax(nearest, error);
  }
  const double gap = gap_of(d, triangle_gap, d->figure->canvas.narrow ? narrow_gap_part : gap_part);
  const double side = t->below ? nearest / gap : nearest * gap;
  t->h[0] = h0;
  t->h[1] = h1;
  t->e[0] = t->below ? side * pow(h0 / h1, t->order) : side;
  t->e[1] = t->below ? side : side * pow(h1 / h0, t->order);
}

/* Move it away from the levels of schemes that choose their own steps. @param[in] room  factor between it and a level */
static void avoid_levels(const dls_error_plot *d, double room, struct triangle *t)
{
  for (size_t k = 0; k < d->line_count * d->line_count; k++) { /* beyond a level there may be another */
    const double level = d->flat[k % d->line_count];
    if (level >= d->foot && level > t->e[0] / room && level < t->e[1] * room) {
      const double factor = t->below ? level / (t->e[1] * room) : level * room / t->e[0];
      t->e[0] *= factor;
      t->e[1] *= factor;
    }
  }
}

static void add_triangle(dls_error_plot *d, size_t index, const struct triangle *t, bool published)
{
  const double corner_h = t->below ? t->h[1] : t->h[0];
  const double corner_e = t->below ? t->e[0] : t->e[1];
  const double corners[4][2] = {
      {t->h[0], t->e[0]}, {corner_h, corner_e}, {t->h[1], t->e[1]}, {t->h[0], t->e[0]}};
  dls_plot_table *table = dls_plot_table_new(d->figure, 2, "triangle_%zu", index);
  table->digits = 6;
  for (size_t i = 0; i < 4; i++) {
    dls_plot_table_add(table, corners[i]);
  }
  dls_panel_add(d->figure, d->panel,
                &(dls_series){.kind = published ? DLS_SERIES_AREA : DLS_SERIES_LINES,
                              .table = table,
                              .style = dls_style_line(published ? "#D8D8D8" : "#404040", DLS_SOLID)});
  dls_panel_mark(d->figure, d->panel,
                 &(dls_mark){.x = corner_h,
                             .y = sqrt(t->e[0] * t->e[1]),
                             .text = dls_figure_text(d->figure, "%g", t->order),
                             .align = t->below ? -1 : 1,
                             .dx = t->below ? 0.6 : -0.6});
  dls_panel_mark(
      d->figure, d->panel,
      &(dls_mark){.x = sqrt(t->h[0] * t->h[1]), .y = corner_e, .text = "1", .dy = t->below ? -0.7 : 0.7});
  d->published = d->published || published;
}

/* One under the lowest line and, if its order differs, one over the highest. */
static void add_triangles(dls_error_plot *d)
{
  const double span = log(d->x_high / d->x_low);
  const double right[] = {d->x_low * exp(0.64 * span), d->x_low * exp(0.82 * span)};
  const double left[] = {d->x_low * exp(0.18 * span), d->x_low * exp(0.36 * span)};
  const dls_order_line *lowest = extreme_line(d, right[1], 1);
  const dls_order_line *highest = extreme_line(d, left[0], -1);
  if (lowest == NULL) {
    return;
  }
  struct triangle triangle = {.order = triangle_order(lowest), .below = true};
  const double room = gap_of(d, label_gap, d->figure->canvas.narrow ? narrow_label_part : label_part);
  place_triangle(d, lowest, right[0], right[1], &triangle);
  avoid_levels(d, room, &triangle);
  add_triangle(d, 0, &triangle, isfinite(lowest->published));
  d->e_low = fmin(d->e_low, triangle.e[0] / room);
  if (triangle_order(highest) == triangle.order) {
    return;
  }
  triangle = (struct triangle){.order = triangle_order(highest), .below = false};
  place_triangle(d, highest, left[0], left[1], &triangle);
  avoid_levels(d, room, &triangle);
  add_triangle(d, 1, &triangle, isfinite(highest->published));
  d->e_high = fmax(d->e_high, triangle.e[1] * room);
}

/* Is there a limit model of its own to draw? Rigid contact is the reference. */
static const dls_order_line *own_limit(const dls_error_plot *d, size_t index)
{
  const dls_order_study *limit = d->study->limit;
  return limit != NULL && dls_error_plot_shows(d, &d->lines[index]) && limit->lines[index].plateau > 0
             ? &limit->lines[index]
             : NULL;
}

/* Medians against the limit model. */
static const dls_plot_table *limit_medians(dls_error_plot *d, const dls_order_line *line)
{
  dls_plot_table *table =
      dls_plot_table_new(d->figure, 2, "limit_%zu", (size_t)(line - d->study->limit->lines));
  for (size_t i = 0; i < dls_order_level_count(d->study->limit, line); i++) {
    dls_order_level level;
    if (dls_order_level_of(d->study->limit, line, i, DLS_AGAINST_STEP, &level, NULL) == DLS_OK &&
        level.median > 0) {
      dls_plot_table_add(table, (double[]){level.x, level.median});
    }
  }
  return table;
}

static void decorate(dls_error_plot *d)
{
  add_triangles(d);
  for (size_t i = 0; i < d->line_count; i++) {
    const dls_order_line *line = own_limit(d, i);
    const dls_plot_table *medians = line != NULL ? limit_medians(d, line) : NULL;
    for (size_t k = 0; medians != NULL && k < medians->rows; k++) {
      d->e_low = fmin(d->e_low, fmin(medians->values[2 * k + 1], line->plateau) / 4);
      d->e_high = fmax(d->e_high, fmax(medians->values[2 * k + 1], line->plateau) * 4);
    }
  }
}

/* Hollow marks with a dashed line, and the plateau, dotted. */
static void add_limit(dls_error_plot *d, const dls_order_line *line)
{
  dls_style style = dls_style_of(line->scheme);
  char label[LABEL_ROOM], order[80] = "no order";
  dls_order_scheme_label(d->study, line->scheme, label, sizeof label);
  if (line->fitted) {
    snprintf(order, sizeof order, "%.2f [%.2f, %.2f]", line->fit.order, line->fit.ci_low, line->fit.ci_high);
  }
  style.point -= 1; /* hollow */
  style.dash = DLS_DASHED;
  dls_panel_add(
      d->figure, d->panel,
      &(dls_series){.kind = DLS_SERIES_LINES_POINTS,
                    .table = limit_medians(d, line),
                    .style = style,
                    .size = limit_pointsize,
                    .title = dls_figure_text(d->figure, "%s against its limit model: %s", label, order)});
  dls_plot_table *plateau =
      dls_plot_table_new(d->figure, 2, "plateau_%zu", (size_t)(line - d->study->limit->lines));
  dls_plot_table_add(plateau, (double[]){d->x_low, line->plateau});
  dls_plot_table_add(plateau, (double[]){d->x_high, line->plateau});
  dls_panel_add(
      d->figure, d->panel,
      &(dls_series){.table = plateau,
                    .style = dls_style_line(style.colour, DLS_DOTTED),
                    .width = 1.5,
                    .title = dls_figure_text(d->figure, "plateau of %s: %.2g", label, line->plateau)});
}

static void add_limits(dls_error_plot *d)
{
  for (size_t i = 0; i < d->line_count; i++) {
    if (own_limit(d, i) != NULL) {
      add_limit(d, own_limit(d, i));
    }
  }
}

dls_status dls_plot_order(const dls_order_study *study, size_t norm, size_t of, const char *path,
                          dls_error *err)
{
  const dls_canvas canvas = dls_canvas_file(path, NULL);
  return dls_draw_order(study, norm, of, &canvas, err);
}

dls_status dls_draw_order(const dls_order_study *study, size_t norm, size_t of, const dls_canvas *canvas,
                          dls_error *err)
{
  dls_error_plot plot = {.study = study,
                         .lines = study->lines,
                         .line_count = study->line_count,
                         .norm = norm,
                         .of = of,
                         .against = DLS_AGAINST_STEP,
                         .x_label = "step h [s]",
                         .key_title = "order of the error in h [95 % interval]",
                         .decorate = decorate,
                         .overlay = add_limits};
  return dls_error_plot_draw(&plot, canvas, err);
}
