/* experiments/show/plot_fit.c -- see plot_fit.h
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/plot_fit.h"

#include "common/base/text.h"
#include "experiments/show/plot_curve.h"
#include <math.h>
#include <string.h>

enum {
  WIDTH = 1000,
  MOTION_HEIGHT = 300,
  RESIDUAL_HEIGHT = 170,
  PAPER_MOTION_HEIGHT = 130,
  PAPER_RESIDUAL_HEIGHT = 105,
};

/* Half width of the band for new data: the uncertainty of the curve and the noise. */
static double half_of_data(const dls_fit_picture *p, size_t i, size_t j)
{
  const double noise = p->fit->quantile * p->fit->sigma[j], half = p->half[i * p->fit->of_count + j];
  return sqrt(half * half + noise * noise);
}

/* Rows t, low, high around the curve, or around 0. */
static const dls_plot_table *band_table(dls_figure *figure, const dls_fit_picture *p, size_t j, bool data,
                                        bool around_curve)
{
  dls_plot_table *table = dls_plot_table_new(figure, 3, "band_%zu_%d_%d", j, (int)data, (int)around_curve);
  for (size_t i = 0; i < p->count; i++) {
    const double centre = around_curve ? p->values[i * p->fit->of_count + j] : 0;
    const double half = data ? half_of_data(p, i, j) : p->half[i * p->fit->of_count + j];
    if (isfinite(half)) {
      dls_plot_table_add(table, (double[]){p->t[i], centre - half, centre + half});
    }
  }
  return table;
}

static void add_band(dls_figure *figure, dls_panel *panel, const dls_plot_table *table, const char *colour,
                     const char *title)
{
  if (table->rows > 0) {
    dls_panel_add(figure, panel,
                  &(dls_series){.kind = DLS_SERIES_BAND,
                                .table = table,
                                .style = dls_style_line(colour, DLS_SOLID),
                                .title = title});
  }
}

static void add_points(dls_figure *figure, dls_panel *panel, const dls_fit_picture *p, size_t j, bool residuals)
{
  const dls_fit_data *data = &p->spec->data;
  dls_plot_table *table = dls_plot_table_new(figure, 2, residuals ? "residual_%zu" : "data_%zu", j);
  dls_style style = dls_style_of(0);
  style.point = DLS_CIRCLE;
  for (size_t i = 0; i < data->rows; i++) {
    const size_t at = i * data->of_count + j;
    dls_plot_table_add(table, (double[]){data->t[i], data->values[at] - (residuals ? p->fit->values[at] : 0)});
  }
  dls_panel_add(
      figure, panel,
      &(dls_series){.kind = DLS_SERIES_POINTS, .table = table, .style = style, .size = 0.6, .title = "data"});
}

/* The curve; without a panel of its own only its entry in the key. */
static void add_curve(dls_figure *figure, dls_panel *panel, const dls_fit_picture *p, size_t j, bool drawn)
{
  dls_plot_table *table = drawn ? dls_plot_table_new(figure, 2, "fit_%zu", j) : NULL;
  for (size_t i = 0; i < p->count && drawn; i++) {
    dls_plot_table_add(table, (double[]){p->t[i], p->values[i * p->fit->of_count + j]});
  }
  dls_panel_add(figure, panel,
                &(dls_series){.kind = DLS_SERIES_LINES,
                              .table = table,
                              .style = dls_style_line("#000000", DLS_SOLID),
                              .width = 1.5,
                              .title = "fit"});
}

/* "data - fit [m]", with the unit of the label of the motion. */
static const char *residual_label(dls_figure *figure, const char *label)
{
  const char *unit = strrchr(label, '[');
  return dls_figure_text(figure, "data - fit %s", unit != NULL ? unit : "");
}

/* The key of the figure is that of its last panel. */
static dls_status add_panels(dls_figure *figure, const dls_fit_picture *p, size_t j, dls_error *err)
{
  const bool paper = figure->canvas.width > 0;
  const char *label = NULL, *name = p->spec->data.of[j];
  const double end = p->spec->data.t[p->spec->data.rows - 1], percent = 100 * p->spec->level;
  const dls_status status =
      dls_plot_model_label(figure, p->spec->model, p->spec->parameters, name, &label, err);
  if (status != DLS_OK) {
    return status;
  }
  const dls_axis time = {.label = "t [s]", .high = end};
  dls_panel *motion = dls_figure_panel(figure, paper ? PAPER_MOTION_HEIGHT : MOTION_HEIGHT);
  motion->x = time;
  motion->y = (dls_axis){.label = label, .room = {0.06, 0.06}};
  add_band(figure, motion, band_table(figure, p, j, true, true), DLS_SHADE, NULL);
  add_points(figure, motion, p, j, false);
  add_curve(figure, motion, p, j, true);
  dls_panel *residuals = dls_figure_panel(figure, paper ? PAPER_RESIDUAL_HEIGHT : RESIDUAL_HEIGHT);
  residuals->x = time;
  residuals->y = (dls_axis){.label = residual_label(figure, label), .room = {0.06, 0.06}};
  residuals->zero_line = true;
  add_band(figure, residuals, band_table(figure, p, j, true, false), DLS_SHADE,
           dls_figure_text(figure, "%.4g %% of data", percent));
  add_band(figure, residuals, band_table(figure, p, j, false, false), DLS_GREY,
           dls_figure_text(figure, "%.4g %% band of the fit", percent));
  add_points(figure, residuals, p, j, true);
  add_curve(figure, residuals, p, j, false);
  return DLS_OK;
}

/* "fitted e = 0.799 ± 0.001": what was estimated, with half its interval, for the title. */
static const char *estimates_text(dls_figure *figure, const dls_fit_picture *p)
{
  char text[200] = "";
  for (size_t k = 0; k < p->fit->by_count; k++) {
    const dls_estimate *e = &p->fit->estimates[k];
    dls_text_append(text, sizeof text, "%s%s = %.6g ± %.2g", k > 0 ? ", " : "fitted ", p->spec->by[k], e->value,
                    p->fit->quantile * e->error);
  }
  return dls_figure_text(figure, "%s", text);
}

dls_status dls_draw_fit(const dls_fit_picture *picture, const dls_canvas *canvas, dls_error *err)
{
  dls_figure figure;
  dls_status status = DLS_OK;
  dls_figure_begin(&figure, canvas, WIDTH);
  figure.one_x = true;
  figure.title.model = picture->spec->model->name;
  figure.title.schemes = picture->spec->scheme->scheme->name;
  figure.title.step = estimates_text(&figure, picture);
  for (size_t j = 0; j < picture->fit->of_count && status == DLS_OK; j++) {
    status = add_panels(&figure, picture, j, err);
  }
  return dls_figure_finish(&figure, status, err);
}
