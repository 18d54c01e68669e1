/* experiments/show/plot_momenta.c -- states of energy ledgers over time, a panel for each column: parts of the energy, momenta.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/pictures.h"
#include <math.h>
#include <stdlib.h>

/* Momenta smaller than this part of the largest number among them are rounding or zero, and drawn as a line at 0. */
static const double visible = 1e-9;

/* The panels, whose axes cover 0 and reach on both sides of it. */
static dls_status draw_columns(size_t count, const dls_energy_curve *curves, const char *title, size_t panels,
                               const char *const *columns, double reach, const dls_canvas *canvas,
                               dls_error *err)
{
  const dls_trajectory **runs = calloc(count, sizeof *runs);
  const char **labels = calloc(count, sizeof *labels);
  dls_status status = runs != NULL && labels != NULL
                          ? DLS_OK
                          : dls_fail(err, DLS_ERR_MEMORY, "no memory for a picture of %zu ledgers", count);
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    runs[i] = curves[i].ledger->states;
    labels[i] = curves[i].label;
  }
  const dls_comparison plot = {.title = title,
                               .count = count,
                               .runs = runs,
                               .labels = labels,
                               .column_count = panels,
                               .columns = columns,
                               .from_zero = true,
                               .reach = reach};
  status = status != DLS_OK ? status : dls_draw_comparison(&plot, canvas, err);
  free(runs);
  free(labels);
  return status;
}

dls_status dls_draw_parts(size_t count, const dls_energy_curve *curves, const char *title,
                          const dls_canvas *canvas, dls_error *err)
{
  static const char *const columns[] = {"kinetic", "potential", "mechanical"};
  const size_t panels = curves[0].ledger->potential ? 3 : 1;
  return draw_columns(count, curves, title, panels, columns, 0, canvas, err);
}

dls_status dls_draw_momenta(size_t count, const dls_energy_curve *curves, const char *title,
                            const dls_canvas *canvas, dls_error *err)
{
  const char *columns[DLS_MOMENTA_MOST];
  const size_t momenta = curves[0].ledger->momenta;
  double largest = 0;
  for (size_t k = 0; k < momenta; k++) {
    columns[k] = dls_momentum_name(momenta, k);
    for (size_t i = 0; i < count; i++) {
      const dls_energy_ledger *l = curves[i].ledger;
      largest = fmax(largest, fabs(l->momentum_start[k]) + l->momentum_change[k]);
    }
  }
  return draw_columns(count, curves, title, momenta, columns, visible * largest, canvas, err);
}

dls_status dls_plot_parts(size_t count, const dls_energy_curve *curves, const char *title, const char *path,
                          dls_error *err)
{
  const dls_canvas canvas = dls_canvas_file(path, DLS_PLOT_SCREEN);
  return dls_draw_parts(count, curves, title, &canvas, err);
}

dls_status dls_plot_momenta(size_t count, const dls_energy_curve *curves, const char *title, const char *path,
                            dls_error *err)
{
  const dls_canvas canvas = dls_canvas_file(path, DLS_PLOT_SCREEN);
  return dls_draw_momenta(count, curves, title, &canvas, err);
}
