/* experiments/show/report_energy.c -- energy ledgers on a page.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/pictures.h"
#include "experiments/show/report_study.h"
#include <math.h>
#include <stdlib.h>

typedef struct picture {
  size_t count;
  const dls_energy_curve *curves;
} picture;

static dls_status draw_energies(const void *data, const dls_canvas *canvas, dls_error *err)
{
  const picture *p = data;
  return dls_draw_energies(p->count, p->curves, "", canvas, err);
}

static dls_status draw_dissipation(const void *data, const dls_canvas *canvas, dls_error *err)
{
  const picture *p = data;
  return dls_draw_dissipation(p->count, p->curves, "", canvas, err);
}

static dls_status draw_parts(const void *data, const dls_canvas *canvas, dls_error *err)
{
  const picture *p = data;
  return dls_draw_parts(p->count, p->curves, "", canvas, err);
}

static dls_status draw_momenta(const void *data, const dls_canvas *canvas, dls_error *err)
{
  const picture *p = data;
  return dls_draw_momenta(p->count, p->curves, "", canvas, err);
}

static dls_status write_ledger(const void *data, FILE *out)
{
  const dls_energy_curve *curve = data;
  return dls_energy_write_table(curve->ledger, curve->label, out);
}

static void put_summary(dls_report *report, size_t count, const dls_energy_curve *curves)
{
  static const char *const headers[] = {"scheme",
                                        "start",
                                        "end",
                                        "external",
                                        "damping",
                                        "impact",
                                        "numerical",
                                        "largest gain of a step",
                                        "|residual| / scale",
                                        "sliding",
                                        "drive"};
  const bool apart = count > 0 && curves[0].ledger->apart;
  dls_report_table_begin(report, "energies and works in joule", apart ? 11 : 9, headers);
  for (size_t i = 0; i < count; i++) {
    const dls_energy_ledger *l = curves[i].ledger;
    const double numbers[] = {l->start, l->last, l->external, l->damping, l->impact, dls_energy_numerical(l),
                              l->gain};
    dls_report_cell(report, "%s%s", curves[i].label, l->rows->complete ? "" : " (stopped early)");
    for (size_t j = 0; j < sizeof numbers / sizeof numbers[0]; j++) {
      dls_report_cell(report, "%.5g", numbers[j]);
    }
    if (l->balance != NULL) {
      dls_report_cell(report, "%.1e", l->scale > 0 ? fabs(l->residual) / l->scale : 0);
    } else {
      dls_report_cell(report, "no identity");
    }
    if (apart) {
      dls_report_cell(report, "%.5g", l->sliding);
      dls_report_cell(report, "%.5g", l->drive);
    }
  }
  dls_report_table_end(report);
}

static dls_status put_pictures(dls_report *report, const picture *p, dls_error *err)
{
  static const struct {
    dls_status (*draw)(const void *data, const dls_canvas *canvas, dls_error *err);
    const char *title, *caption;
    bool momenta; /* of systems that have some */
  } pictures[] = {
      {draw_energies, "Energy over time",
       "Energy of every scheme, and the energy less the work of loads and of moving surfaces where there are "
       "some: the rest changes only by damping, friction, impacts and the scheme.",
       false},
      {draw_parts, "Kinetic energy and potential", "Parts of the energy.", false},
      {draw_dissipation, "What dissipates energy",
       "Sums of the works of damping, impacts and sliding (solid) and of the numerical terms (broken lines) "
       "since "
       "the start: a "
       "rising line creates energy. The drive (dotted) is the work of moving surfaces and supports.",
       false},
      {draw_momenta, "Momenta",
       "Linear and angular momentum about the origin of all bodies; only external forces change them.", true}};
  dls_status status = DLS_OK;
  dls_report_section(report, "Pictures");
  for (size_t i = 0; i < sizeof pictures / sizeof pictures[0] && status == DLS_OK; i++) {
    if (!pictures[i].momenta || p->curves[0].ledger->momenta > 0) {
      status = dls_report_picture(report, pictures[i].draw, p, pictures[i].title, pictures[i].caption, err);
    }
  }
  return status;
}

dls_status dls_report_energy(dls_report *report, size_t count, const dls_energy_curve *curves, double h,
                             double end, dls_error *err)
{
  dls_energy_curve *drawn = calloc(count + 1, sizeof *drawn);
  picture p = {0, drawn};
  dls_status status = drawn != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for the report");
  dls_report_entry(report, "time", "0 to %g s", end);
  if (h > 0) {
    dls_report_entry(report, "step", "%g s", h);
  }
  dls_report_section(report, "Energies");
  put_summary(report, count, curves);
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    if (curves[i].ledger->rows->rows > 1) {
      drawn[p.count++] = curves[i];
    }
    if (!curves[i].ledger->rows->complete) {
      dls_report_warning(report, curves[i].label);
      dls_report_entry(report, "stopped early", "%s", curves[i].ledger->rows->failure);
    }
  }
  status = status == DLS_OK && p.count > 0 ? put_pictures(report, &p, err) : status;
  free(drawn);
  dls_report_section(report, "Ledgers");
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    char *text = dls_report_text(write_ledger, &curves[i]);
    status = text != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for the report");
    dls_report_preformatted(report, text != NULL ? text : "");
    free(text);
  }
  return status;
}
