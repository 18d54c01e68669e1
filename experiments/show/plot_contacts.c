/* experiments/show/plot_contacts.c -- effective restitution of the first impact of every run over the phase of the grid: a scheme with a
 * limit gives one curve, which tends to a line; one without gives a cloud, or jumps, for every step.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/order/order_contacts.h"
#include "experiments/measures/order/order_lines.h"
#include "experiments/show/pictures.h"
#include <math.h>

enum { WIDTH = 1000, HEIGHT = 380, LABEL_ROOM = 320 };

/* phase, restitution of the runs of a scheme */
static const dls_plot_table *add_impacts(dls_figure *figure, const dls_order_study *study, size_t scheme)
{
  dls_plot_table *table = dls_plot_table_new(figure, 2, "impacts_%zu", scheme);
  for (size_t i = 0; i < study->point_count; i++) {
    const dls_order_point *point = &study->points[i];
    const dls_contact_quality *contact = &point->quality.contact;
    if (point->scheme == scheme && point->norm == 0 && point->of == 0 && isfinite(contact->first_restitution) &&
        isfinite(contact->first_phase)) {
      dls_plot_table_add(table, (double[]){contact->first_phase, contact->first_restitution});
    }
  }
  return table;
}

bool dls_order_has_restitution(const dls_order_study *study)
{
  bool any = false;
  for (size_t i = 0; i < study->point_count; i++) {
    any = any || isfinite(study->points[i].quality.contact.first_phase);
  }
  return any;
}

dls_status dls_draw_restitution(const dls_order_study *study, const dls_canvas *canvas, dls_error *err)
{
  dls_figure figure;
  dls_figure_begin(&figure, canvas, WIDTH);
  figure.title.model = study->spec.model->name;
  figure.title.interval = dls_figure_text(&figure, "first impact of %zu step sizes × %zu runs",
                                          study->spec.levels, study->spec.repeats);
  dls_panel *panel = dls_figure_panel(&figure, HEIGHT);
  panel->x = (dls_axis){.label = "place of the impact in its step", .low = 0, .high = 1};
  panel->y = (dls_axis){.label = "effective restitution -u+/u-", .plain = true, .room = {0.08, 0.08}};
  dls_status status = DLS_OK;
  for (size_t i = 0; i < study->spec.scheme_count && status == DLS_OK; i++) {
    const dls_plot_table *table = add_impacts(&figure, study, i);
    dls_order_restitution e;
    char label[LABEL_ROOM];
    status = dls_order_restitution_of(study, i, SIZE_MAX, &e, err);
    if (table->rows == 0 || status != DLS_OK) {
      continue;
    }
    dls_style style = dls_style_of(i);
    style.point -= 1; /* hollow */
    dls_order_scheme_label(study, i, label, sizeof label);
    dls_panel_add(&figure, panel,
                  &(dls_series){.kind = DLS_SERIES_POINTS,
                                .table = table,
                                .style = style,
                                .size = 0.9,
                                .title = dls_figure_text(&figure, "%s: mean %.3g, range %.3g to %.3g", label,
                                                         e.mean, e.low, e.high)});
  }
  return dls_figure_finish(&figure, status, err);
}
