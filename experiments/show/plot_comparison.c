/* experiments/show/plot_comparison.c -- the same quantities of several runs, over time or over one of them, a panel for each.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/pictures.h"
#include "experiments/show/plot_curve.h"
#include "experiments/show/plot_phase.h"

enum { WIDTH = 1000, PANEL_HEIGHT = 270, NARROW_PANEL_HEIGHT = 180 }; /* pixels */

static dls_status add_curve(dls_figure *figure, dls_panel *panel, const dls_trajectory *traj, const char *set,
                            const char *name, dls_series *series, dls_error *err)
{
  if (dls_trajectory_column(traj, name) < 0) {
    return dls_fail(err, DLS_ERR_ARG, "plot: the runs have no column '%s'", name);
  }
  dls_plot_table *table = dls_plot_table_new(figure, 2, "%s_%s", set, name);
  const dls_status status = dls_plot_curve(figure, table, traj, name, err);
  series->table = table;
  dls_panel_add(figure, panel, series);
  return status;
}

/* A column over time. */
static dls_status add_panel(dls_figure *figure, const dls_comparison *plot, size_t j, dls_error *err)
{
  dls_panel *panel = dls_figure_panel(figure, dls_figure_either(figure, PANEL_HEIGHT, NARROW_PANEL_HEIGHT));
  dls_status status = DLS_OK;
  panel->x.label = "t [s]";
  panel->y.label = dls_plot_label(figure, plot->runs[0], plot->columns[j]);
  panel->zero_line = true;
  panel->y.room[0] = panel->y.room[1] = 0.06;
  if (plot->from_zero) {
    panel->y.covers = true;
    panel->y.cover[0] = -plot->reach;
    panel->y.cover[1] = plot->reach;
  }
  if (plot->reference != NULL) {
    dls_series series = {.style = dls_style_line(DLS_GREY, DLS_SOLID),
                         .width = dls_curve_width(0, plot->count) + 2.5,
                         .title = dls_plot_reference_name(plot->reference)};
    status = add_curve(figure, panel, plot->reference, "reference", plot->columns[j], &series, err);
  }
  for (size_t i = 0; i < plot->count && status == DLS_OK; i++) {
    char set[32];
    dls_series series = {
        .style = dls_style_of(i), .width = dls_curve_width(i, plot->count), .title = plot->labels[i]};
    snprintf(set, sizeof set, "run%zu", i);
    status = add_curve(figure, panel, plot->runs[i], set, plot->columns[j], &series, err);
  }
  return status;
}

dls_status dls_plot_comparison(const dls_comparison *plot, const char *path, dls_error *err)
{
  const dls_canvas canvas = dls_canvas_file(path, NULL);
  return dls_draw_comparison(plot, &canvas, err);
}

dls_status dls_draw_comparison(const dls_comparison *plot, const dls_canvas *canvas, dls_error *err)
{
  dls_figure figure;
  dls_status status = DLS_OK;
  dls_figure_begin(&figure, canvas, plot->over != NULL ? DLS_PHASE_WIDTH : WIDTH);
  figure.title.model = plot->title;
  figure.title.schemes = plot->scheme;
  figure.title.step = plot->step > 0 ? dls_figure_text(&figure, "h = %g s", plot->step) : NULL;
  for (size_t i = 0; i < plot->count; i++) {
    figure.title.remark = plot->runs[i]->complete ? figure.title.remark : "(stopped early)";
  }
  figure.one_x = true;
  for (size_t j = 0; j < plot->column_count && status == DLS_OK; j++) {
    status = plot->over != NULL ? dls_phase_add_panel(&figure, plot, j, err) : add_panel(&figure, plot, j, err);
  }
  return dls_figure_finish(&figure, status, err);
}
