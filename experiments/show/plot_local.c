/* experiments/show/plot_local.c -- largest errors of one step over its length: a row of panels for each place, q and v beside
 * each other; filled where the step had an impulse, hollow where it had none.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/pictures.h"
#include <math.h>
#include <stdlib.h>

enum {
  WIDTH = 1000,
  ROW_HEIGHT = 230,
  PAPER_ROW_HEIGHT = 160,
};
typedef struct axis {
  double low, high;
  bool cut; /* some errors are drawn at the lower edge */
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
  return e;
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

/* Zeros and rounding do not extend the axis: they are drawn at its lower edge. */
static axis range_of(const dls_local *local, bool velocity)
{
  const double margin = 2, edge = 5; /* around the errors; between them and those at the edge */
  axis y = {INFINITY, 0, false};
  for (size_t i = 0; i < local->point_count; i++) {
    const double e = fabs(velocity ? local->points[i].e_v : local->points[i].e_q);
    const bool drawn = isfinite(e) && e > local->rounding[velocity];
    y.cut = y.cut || (isfinite(e) && !drawn);
    y.low = drawn ? fmin(y.low, e) : y.low;
    y.high = drawn ? fmax(y.high, e) : y.high;
  }
  if (!(y.high > 0)) { /* nothing but rounding */
    y.low = local->rounding[velocity];
    y.high = 10 * y.low;
  }
  y.low /= y.cut ? margin * edge : margin;
  y.high *= margin;
  return y;
}

/* Where an error is drawn. */
static double place_of(const axis *y, double e)
{
  return isnan(e) ? e : fmax(e, y->low);
}

/* h, error of q, error of v; NaN: no value. */
static const dls_plot_table *add_table(dls_figure *figure, const dls_local *local, size_t scheme,
                                       dls_local_place place, bool impulse)
{
  const axis q = range_of(local, false), v = range_of(local, true);
  dls_plot_table *table = dls_plot_table_new(figure, 3, "local_%zu_%d_%d", scheme, (int)place, impulse);
  for (size_t level = 0; level < local->spec.levels; level++) {
    dls_plot_table_add(table, (double[]){step_at(&local->spec, level),
                                         place_of(&q, largest(local, scheme, place, level, impulse, false)),
                                         place_of(&v, largest(local, scheme, place, level, impulse, true))});
  }
  return table;
}

/* Whether there is an error to draw. */
static bool has_values(const dls_plot_table *table)
{
  for (size_t i = 0; i < table->rows * table->columns; i++) {
    if (i % table->columns > 0 && isfinite(table->values[i])) {
      return true;
    }
  }
  return false;
}

/* q, or v, at a place. All panels of q, or of v, have the same axes. */
static void add_panel(dls_figure *figure, const dls_local *local, dls_local_place place, bool velocity,
                      const dls_plot_table *const *tables)
{
  const dls_local_spec *spec = &local->spec;
  const axis y = range_of(local, velocity);
  dls_panel *panel = dls_figure_panel(figure, figure->canvas.width > 0 ? PAPER_ROW_HEIGHT : ROW_HEIGHT);
  panel->x = (dls_axis){.label = "step h [s]",
                        .log = true,
                        .low = fmin(spec->h_first, spec->h_last) / 1.3,
                        .high = fmax(spec->h_first, spec->h_last) * 1.3};
  panel->y = (dls_axis){.label = dls_figure_text(figure, "%s, |e_%c| [%s]", dls_local_place_names[place],
                                                 velocity ? 'v' : 'q', local->units[velocity]),
                        .plain = true,
                        .log = true,
                        .low = y.low,
                        .high = y.high};
  for (size_t i = 0; i < 2 * spec->scheme_count; i++) {
    const bool impulse = i % 2 == 0;
    dls_series series = {.kind = DLS_SERIES_LINES_POINTS,
                         .table = tables[i],
                         .y = velocity ? 2 : 1,
                         .style = dls_style_of(i / 2),
                         .width = dls_curve_width(i / 2, spec->scheme_count),
                         .size = fmax(2.2 - 0.5 * (double)(i / 2), 0.5),
                         .title = impulse ? spec->labels[i / 2] : NULL};
    series.style.dash = impulse ? DLS_SOLID : DLS_DASHED;
    series.style.point = impulse ? series.style.point : dls_point_hollow(series.style.point);
    if (!has_values(tables[i])) {
      series.table = NULL; /* only in the key */
    }
    if (series.table != NULL || series.title != NULL) {
      dls_panel_add(figure, panel, &series);
    }
  }
  dls_panel_add(figure, panel,
                &(dls_series){.kind = DLS_SERIES_LINES_POINTS,
                              .style = {"#000000", DLS_DASHED, DLS_CIRCLE},
                              .title = "hollow, dashed: no impulse in the step"});
  if (range_of(local, false).cut || y.cut) {
    dls_panel_add(figure, panel,
                  &(dls_series){.kind = DLS_SERIES_POINTS,
                                .style = {"#FFFFFF", DLS_SOLID, DLS_DISC}, /* no sample */
                                .title = "at the lower edge: error 0 or rounding"});
  }
}

dls_status dls_draw_local(const dls_local *local, const dls_canvas *canvas, dls_error *err)
{
  const size_t count = 2 * local->spec.scheme_count;
  const dls_plot_table **tables = calloc(count + 1, sizeof *tables);
  if (tables == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a picture of %zu schemes", count / 2);
  }
  dls_figure figure;
  dls_figure_begin(&figure, canvas, WIDTH);
  figure.columns = 2;
  figure.two_columns = true;
  figure.one_x = true;
  figure.title.model = local->spec.model->name;
  figure.title.interval =
      dls_figure_text(&figure, "errors of one step around the impact at t = %.6g s", local->t_impact);
  figure.title.remark = local->complete ? NULL : "(interrupted)";
  for (int place = 0; place < DLS_LOCAL_PLACES; place++) {
    if (!has_place(local, (dls_local_place)place)) {
      continue;
    }
    for (size_t i = 0; i < count; i++) {
      tables[i] = add_table(&figure, local, i / 2, (dls_local_place)place, i % 2 == 0);
    }
    add_panel(&figure, local, (dls_local_place)place, false, tables);
    add_panel(&figure, local, (dls_local_place)place, true, tables);
  }
  free(tables);
  return dls_figure_finish(&figure, DLS_OK, err);
}
