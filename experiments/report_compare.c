/* experiments/report_compare.c -- several schemes on one model over time, on a page.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/pictures.h"
#include "experiments/report_study.h"

static dls_status draw(const void *data, const dls_canvas *canvas, dls_error *err)
{
  return dls_draw_comparison(data, canvas, err);
}

static void put_runs(dls_report *report, const dls_comparison *plot)
{
  static const char *const headers[] = {"scheme",     "steps",          "rejected", "force evaluations",
                                        "LCP solves", "factorizations", "impacts",  "end [s]"};
  dls_report_table_begin(report, "", 8, headers);
  for (size_t i = 0; i < plot->count; i++) {
    const dls_trajectory *run = plot->runs[i];
    const dls_work *work = &run->work;
    const size_t counts[] = {work->steps,      work->rejected,       work->force_evals,
                             work->lcp_solves, work->factorizations, work->impacts};
    dls_report_cell(report, "%s", plot->labels[i]);
    for (size_t j = 0; j < sizeof counts / sizeof counts[0]; j++) {
      dls_report_cell(report, "%zu", counts[j]);
    }
    dls_report_cell(report, "%.6g", run->rows > 0 ? dls_trajectory_at(run, run->rows - 1, 0) : 0);
  }
  dls_report_table_end(report);
}

dls_status dls_report_comparison(dls_report *report, const dls_comparison *plot, double h, double end,
                                 dls_error *err)
{
  size_t failures = 0;
  dls_report_entry(report, "time", "0 to %g s", end);
  if (h > 0) {
    dls_report_entry(report, "step", "%g s", h);
  }
  dls_report_section(report, "Motion");
  const dls_status status =
      dls_report_picture(report, draw, plot, "Motion over time",
                         plot->reference != NULL
                             ? "The runs over time, jumps as vertical lines; the exact solution behind in grey."
                             : "The runs over time, jumps as vertical lines.",
                         err);
  dls_report_section(report, "Work");
  put_runs(report, plot);
  for (size_t i = 0; i < plot->count; i++) {
    if (!plot->runs[i]->complete) {
      dls_report_entry(report, "failed", "%s: %s", plot->labels[i], plot->runs[i]->failure);
      failures++;
    }
  }
  if (failures == 0) {
    dls_report_paragraph(report, "No run failed.");
  }
  return status;
}
