/* experiments/show/plot_sweep.c -- the extrema of a quantity over a parameter: resonance curves, bifurcation diagrams.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/pictures.h"
#include "experiments/show/plot_curve.h"
#include <math.h>
#include <stdlib.h>

enum {
  WIDTH = 1000,
  PANEL_HEIGHT = 380,
  NARROW_PANEL_HEIGHT = 230,
  MOST_EXTREMA = 400, /* of a run that are drawn */
  CROWD = 60          /* from so many values on points are smaller */
};

static size_t curve_count(const dls_sweep *sweep)
{
  return sweep->spec.range.curve != NULL ? sweep->spec.range.curve_count : 1;
}

/* "moreau-jean, F = 0.3 N" */
static const char *name_series(dls_figure *figure, const dls_sweep *sweep, size_t scheme, size_t curve)
{
  const dls_sweep_spec *spec = &sweep->spec;
  const char *label = scheme < spec->scheme_count ? spec->labels[scheme] : "exact";
  const dls_option *of = spec->range.curve;
  return of == NULL
             ? label
             : dls_figure_text(figure, "%s, %s = %g %s", label, of->name, spec->range.curves[curve], of->unit);
}

/* The extremes of a point, and its other extrema. */
static void add_extrema(dls_plot_table *table, const dls_sweep_point *point)
{
  const dls_extrema *extrema = &point->extrema;
  if (isnan(extrema->least)) {
    return; /* no impacts */
  }
  const double pixel = 1e-3 * (extrema->largest - extrema->least);
  double last[2] = {extrema->least, extrema->largest}; /* one minimum, one maximum: most motions are periodic */
  dls_plot_table_add(table, (double[]){point->value, extrema->least});
  dls_plot_table_add(table, (double[]){point->value, extrema->largest});
  for (size_t i = 0; i < extrema->count && i < MOST_EXTREMA; i++) {
    const double x = extrema->x[i];
    if (fabs(x - last[0]) > pixel && fabs(x - last[1]) > pixel) {
      dls_plot_table_add(table, (double[]){point->value, x});
      last[i % 2] = x;
    }
  }
}

/* Least and largest value of the exact solution as lines, which end at the onset of stick. */
static const dls_plot_table *add_exact(dls_figure *figure, const dls_sweep *sweep, size_t curve, size_t of)
{
  dls_plot_table *table = dls_plot_table_new(figure, 2, "exact_%zu_%zu", curve, of);
  for (int largest = 0; largest < 2; largest++) {
    bool sticks = false;
    dls_plot_table_break(table);
    for (size_t i = 0; i < sweep->point_count; i++) {
      const dls_sweep_point *point = &sweep->points[i];
      if (point->scheme == sweep->spec.scheme_count && point->curve == curve && point->of == of &&
          point->failure[0] == '\0' && !isnan(point->extrema.least)) {
        if (point->sticks != sticks) {
          dls_plot_table_break(table);
        }
        dls_plot_table_add(table,
                           (double[]){point->value, largest ? point->extrema.largest : point->extrema.least});
        sticks = point->sticks;
      }
    }
  }
  return table;
}

static const dls_plot_table *add_points(dls_figure *figure, const dls_sweep *sweep, size_t scheme, size_t curve,
                                        size_t of, bool sticks)
{
  dls_plot_table *table =
      dls_plot_table_new(figure, 2, "%s_%zu_%zu_%zu", sticks ? "sticks" : "slips", scheme, curve, of);
  for (size_t i = 0; i < sweep->point_count; i++) {
    const dls_sweep_point *point = &sweep->points[i];
    if (point->scheme == scheme && point->curve == curve && point->of == of && point->sticks == sticks &&
        point->failure[0] == '\0') {
      add_extrema(table, point);
    }
  }
  return table;
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
static void add_series(dls_figure *figure, dls_panel *panel, const dls_sweep *sweep, size_t i, size_t of)
{
  const size_t scheme = i / curve_count(sweep), curve = i % curve_count(sweep);
  const double crowd = sweep->spec.range.axis.count > CROWD ? 0.3 : 1;
  dls_series series = {.kind = DLS_SERIES_POINTS,
                       .table = add_points(figure, sweep, scheme, curve, of, true),
                       .style = dls_style_of(i),
                       .size = crowd * fmax(1.3 - 0.5 * (double)scheme, 0.4)};
  series.style.point = (dls_point)(series.style.point - 1);
  dls_panel_add(figure, panel, &series);
  series.table = add_points(figure, sweep, scheme, curve, of, false);
  series.style = dls_style_of(i);
  series.title = name_series(figure, sweep, scheme, curve);
  dls_panel_add(figure, panel, &series);
}

/* The quantity as the model says. */
static dls_status label_quantity(dls_figure *figure, const dls_sweep *sweep, size_t of, dls_axis *axis,
                                 dls_error *err)
{
  const dls_sweep_spec *spec = &sweep->spec;
  size_t contact = 0;
  if (dls_sweep_impact(spec->of[of], &contact)) {
    axis->label = dls_figure_text(figure, "velocity u%zu before an impact [m/s]", contact);
    return DLS_OK;
  }
  return dls_plot_model_label(figure, spec->model, spec->parameters, spec->of[of], &axis->label, err);
}

static dls_status add_panel(dls_figure *figure, const dls_sweep *sweep, size_t of, dls_error *err)
{
  dls_panel *panel = dls_figure_panel(figure, dls_figure_either(figure, PANEL_HEIGHT, NARROW_PANEL_HEIGHT));
  panel->x = dls_plot_parameter_axis(figure, &sweep->spec.range.axis);
  panel->y.room[0] = panel->y.room[1] = 0.05;
  for (size_t curve = 0; curve < curve_count(sweep) && sweep->spec.exact != NULL; curve++) {
    dls_panel_add(figure, panel,
                  &(dls_series){.table = add_exact(figure, sweep, curve, of),
                                .style = dls_style_line(DLS_GREY, DLS_SOLID),
                                .width = 3,
                                .title = curve == 0 ? "exact" : NULL});
  }
  for (size_t i = 0; i < count_series(sweep); i++) {
    add_series(figure, panel, sweep, i, of);
  }
  if (has_sticks(sweep)) {
    dls_panel_add(figure, panel,
                  &(dls_series){.kind = DLS_SERIES_POINTS,
                                .style = {"#000000", DLS_SOLID, DLS_CIRCLE},
                                .size = 1.3,
                                .title = "hollow: a contact sticks"});
  }
  return label_quantity(figure, sweep, of, &panel->y, err);
}

dls_status dls_draw_sweep(const dls_sweep *sweep, const dls_canvas *canvas, dls_error *err)
{
  const dls_sweep_spec *spec = &sweep->spec;
  dls_figure figure;
  dls_status status = DLS_OK;
  dls_figure_begin(&figure, canvas, WIDTH);
  figure.one_x = true;
  figure.title.model = spec->model->name;
  figure.title.interval =
      dls_figure_text(&figure, "extremes from t = %g s to %g s", spec->range.from, spec->end);
  figure.title.remark = sweep->complete ? NULL : "(interrupted)";
  for (size_t of = 0; of < spec->of_count && status == DLS_OK; of++) {
    status = add_panel(&figure, sweep, of, err);
  }
  return dls_figure_finish(&figure, status, err);
}
