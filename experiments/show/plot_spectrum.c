/* experiments/show/plot_spectrum.c -- spectra over the step: radii over all of it, the rest while a period has two steps.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/pictures.h"
#include <math.h>

enum {
  WIDTH = 1000,
  PANEL_HEIGHT = 260,
  NARROW_PANEL_HEIGHT = 190,
};
static const double half_period = 0.5;                 /* h/T */
static const double most_radius = 1.6, most_error = 2; /* larger values are clipped */

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

/* h/T and all quantities. */
static void add_table(dls_figure *figure, const dls_spectrum *s, size_t scheme)
{
  dls_plot_table *table = dls_plot_table_new(figure, 1 + DLS_SPECTRUM_QUANTITIES, "spectrum_%zu", scheme);
  for (size_t i = 0; i < s->point_count; i++) {
    const dls_spectrum_point *point = &s->points[i];
    double row[1 + DLS_SPECTRUM_QUANTITIES] = {point->ratio};
    for (size_t k = 0; k < DLS_SPECTRUM_QUANTITIES; k++) {
      row[k + 1] = isfinite(point->values[k]) ? point->values[k] : NAN;
    }
    if (point->scheme == scheme) {
      dls_plot_table_add(table, row);
    }
  }
}

static void add_panel(dls_figure *figure, const dls_spectrum *s, dls_spectrum_of of)
{
  const axis steps = steps_of(s);
  const bool whole = is_whole(of, &steps);
  const axis x = whole ? steps : (axis){0, fmin(steps.high, half_period)}, y = values_of(s, of, &x);
  dls_panel *panel = dls_figure_panel(figure, dls_figure_either(figure, PANEL_HEIGHT, NARROW_PANEL_HEIGHT));
  panel->x = (dls_axis){.label = "step h/T, in periods", .log = whole, .low = x.low, .high = x.high};
  panel->y = (dls_axis){.label = labels[of], .low = y.low, .high = y.high};
  for (size_t i = 0; i < s->spec.scheme_count; i++) {
    dls_panel_add(figure, panel,
                  &(dls_series){.table = figure->tables[i],
                                .y = (size_t)of + 1,
                                .style = dls_style_of(i),
                                .width = dls_curve_width(i, s->spec.scheme_count),
                                .title = s->spec.labels[i]});
  }
}

dls_status dls_draw_spectrum(const dls_spectrum *s, const dls_canvas *canvas, dls_error *err)
{
  const dls_spectrum_oscillator *o = &s->spec.oscillator;
  dls_figure figure;
  dls_figure_begin(&figure, canvas, WIDTH);
  figure.title.model = dls_figure_text(&figure, "oscillator of damping ratio %g", o->damping);
  figure.title.interval = dls_figure_text(&figure, "load at %g of its frequency", o->frequency);
  figure.title.remark = s->complete ? NULL : "(interrupted)";
  for (size_t i = 0; i < s->spec.scheme_count; i++) {
    add_table(&figure, s, i);
  }
  for (size_t k = 0; k < s->spec.of_count && !figure.failed; k++) {
    add_panel(&figure, s, s->spec.of[k]);
  }
  return dls_figure_finish(&figure, DLS_OK, err);
}
