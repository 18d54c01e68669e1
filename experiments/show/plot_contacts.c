/* experiments/show/plot_contacts.c -- what runs do to contacts, over the phase of the grid and over the step. Of a figure of the first
 * impact a scheme with a limit gives one curve over the phase, which tends to a line; one without gives a cloud, or jumps, for every step.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/order/order_contacts.h"
#include "experiments/measures/order/order_lines.h"
#include "experiments/show/pictures.h"
#include <math.h>

enum { WIDTH = 1000, HEIGHT = 360, NARROW_HEIGHT = 230, LABEL_ROOM = 320 };
/* A gap while sliding below this [m] is rounding: it is not drawn if all are. */
static const double rounding = 1e-9;

/* Phase or step, and the figure, of the runs of a scheme that have them. */
static const dls_plot_table *add_runs(dls_figure *figure, const dls_order_study *study,
                                      const dls_contact_picture *what, size_t scheme, bool phase)
{
  dls_plot_table *table =
      dls_plot_table_new(figure, 2, "%s_%s_%zu", what->name, phase ? "phase" : "step", scheme);
  for (size_t i = 0; i < study->point_count; i++) {
    const dls_order_point *point = &study->points[i];
    const double value = dls_contact_figure_of(&what->figure, point);
    const double x = phase ? point->quality.contact.first_phase : point->step;
    if (point->scheme == scheme && point->norm == 0 && point->of == 0 && isfinite(value) && isfinite(x)) {
      dls_plot_table_add(table, (double[]){x, value});
    }
  }
  return table;
}

bool dls_order_has_contacts(const dls_order_study *study, const dls_contact_picture *what)
{
  bool any = false;
  for (size_t i = 0; i < study->point_count; i++) {
    const double value = dls_contact_figure_of(&what->figure, &study->points[i]);
    any = any || (what->phased ? isfinite(value) : fabs(value) > rounding);
  }
  return any;
}

/* @return as dls_order_spread_of */
static dls_status add_panel(dls_figure *figure, const dls_order_study *study, const dls_contact_picture *what,
                            bool phase, dls_error *err)
{
  dls_panel *panel = dls_figure_panel(figure, dls_figure_either(figure, HEIGHT, NARROW_HEIGHT));
  panel->x = phase ? (dls_axis){.label = "place of the impact in its step", .low = 0, .high = 1}
                   : (dls_axis){.label = "step h [s]", .log = true};
  panel->y = (dls_axis){.label = what->label, .room = {0.08, 0.08}};
  dls_status status = DLS_OK;
  for (size_t i = 0; i < study->spec.scheme_count && status == DLS_OK; i++) {
    const dls_plot_table *table = add_runs(figure, study, what, i, phase);
    dls_order_spread spread;
    char label[LABEL_ROOM];
    status = dls_order_spread_of(study, &what->figure, i, SIZE_MAX, &spread, err);
    if (table->rows == 0 || status != DLS_OK) {
      continue;
    }
    dls_style style = dls_style_of(i);
    style.point -= 1; /* hollow */
    dls_order_scheme_label(study, i, label, sizeof label);
    dls_panel_add(figure, panel,
                  &(dls_series){.kind = DLS_SERIES_POINTS,
                                .table = table,
                                .style = style,
                                .size = 0.9,
                                .title = dls_figure_text(figure, "%s: mean %.3g, range %.3g to %.3g", label,
                                                         spread.mean, spread.low, spread.high)});
  }
  return status;
}

dls_status dls_draw_contacts(const dls_order_study *study, const dls_contact_picture *what,
                             const dls_canvas *canvas, dls_error *err)
{
  dls_figure figure;
  dls_figure_begin(&figure, canvas, WIDTH);
  figure.columns = what->phased ? 2 : 1;
  figure.title.model = study->spec.model->name;
  figure.title.interval = dls_figure_text(&figure, "%s, %zu step sizes × %zu runs", what->title,
                                          study->spec.levels, study->spec.repeats);
  dls_status status = what->phased ? add_panel(&figure, study, what, true, err) : DLS_OK;
  status = status == DLS_OK ? add_panel(&figure, study, what, false, err) : status;
  return dls_figure_finish(&figure, status, err);
}
