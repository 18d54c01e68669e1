/* experiments/show/report_work.c -- a work-precision study on a page: slopes, diagrams, levels.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/pictures.h"
#include "experiments/show/report_study.h"
#include "experiments/study/order_levels.h"
#include "experiments/study/study_tables.h"
#include <math.h>
#include <stdlib.h>

typedef struct picture {
  const dls_work_study *study;
  size_t norm, of;
} picture;

static dls_status draw(const void *data, const dls_canvas *canvas, dls_error *err)
{
  const picture *p = data;
  return dls_draw_work(p->study, p->norm, p->of, canvas, err);
}

static dls_status write_errors(const void *data, FILE *out)
{
  return dls_work_write_errors(data, out);
}

static dls_status write_slopes(const void *data, FILE *out)
{
  return dls_work_write_slopes(data, out);
}

static dls_status write_report(const void *data, FILE *out)
{
  return dls_work_write_report(data, out);
}

static dls_status write_table(const void *data, FILE *out)
{
  return dls_work_write_table(data, out);
}

/* The power of ten in the middle of the errors in the norm and the quantity. */
static double target_of(const dls_work_study *study, size_t norm, size_t of)
{
  double low = HUGE_VAL;
  double high = 0;
  for (size_t i = 0; i < study->runs->point_count; i++) {
    const dls_order_point *point = &study->runs->points[i];
    if (point->norm == norm && point->of == of && point->error.value > 0) { /* not NaN */
      low = fmin(low, point->error.value);
      high = fmax(high, point->error.value);
    }
  }
  return high > 0 ? pow(10, round(0.5 * (log10(low) + log10(high)))) : NAN;
}

static void put_need(dls_report *report, const dls_work_study *study, const dls_order_line *line, double target)
{
  static const char *const marks[] = {[DLS_NEED_MEASURED] = "%.3g for %.0e",
                                      [DLS_NEED_AT_MOST] = "%.3g or less for %.0e",
                                      [DLS_NEED_EXTRAPOLATED] = "%.3g, extrapolated, for %.0e"};
  const dls_work_need need = target > 0 ? dls_work_needed(study, line, target) : (dls_work_need){.work = NAN};
  if (isfinite(need.work)) {
    dls_report_cell(report, marks[need.kind], need.work, target);
  } else {
    dls_report_cell(report, "–");
  }
}

static void put_slopes(dls_report *report, const dls_work_study *study)
{
  static const char *const headers[] = {"scheme",           "norm", "of", "slope", "95 % interval", "runs",
                                        "work for an error"};
  dls_report_section(report, "Slopes");
  dls_report_paragraph(
      report,
      "Work is: %s. The slope is that of log(error) over log(work); rejected work counts. The last "
      "column is the work that a scheme needs for one error, in the middle of all.",
      dls_work_text(study->against));
  dls_report_table_begin(report, "", 7, headers);
  for (size_t i = 0; i < study->line_count; i++) {
    const dls_order_line *line = &study->lines[i];
    char label[DLS_LABEL_ROOM];
    dls_order_scheme_label(study->runs, line->scheme, label, sizeof label);
    dls_report_cell(report, "%s", label);
    dls_report_cell(report, "%s", study->runs->spec.norms[line->norm]->name);
    dls_report_cell(report, "%s", study->runs->spec.of[line->of]);
    if (line->fitted) {
      dls_report_cell(report, "%.3f", line->fit.order);
      dls_report_cell(report, "%.3f to %.3f", line->fit.ci_low, line->fit.ci_high);
      dls_report_cell(report, "%zu", line->fit.points);
    } else {
      dls_report_cell(report, "–");
      dls_report_cell(report, "%s", line->reason);
      dls_report_cell(report, "–");
    }
    put_need(report, study, line, target_of(study, line->norm, line->of));
  }
  dls_report_table_end(report);
}

static dls_status put_pictures(dls_report *report, const dls_work_study *study, dls_error *err)
{
  const dls_order_spec *spec = &study->runs->spec;
  dls_status status = DLS_OK;
  dls_report_section(report, "Errors against work");
  for (size_t i = 0; i < spec->norm_count && status == DLS_OK; i++) {
    for (size_t j = 0; j < spec->of_count && status == DLS_OK; j++) {
      const picture p = {study, i, j};
      char title[200], caption[500];
      snprintf(title, sizeof title, "Error of %.60s in the norm %.60s against work", spec->of[j],
               spec->norms[i]->name);
      snprintf(caption, sizeof caption,
               "%s. Small points are single runs, large ones their medians at each level, lines the fits with "
               "their slopes.",
               title);
      status = dls_report_picture(report, draw, &p, title, caption, err);
    }
  }
  return status;
}

/* Texts that are folded away, with what writes them. */
static const struct {
  const char *summary;
  dls_status (*write)(const void *data, FILE *out);
} texts[] = {{"medians of every level", write_table},
             {"slopes.csv", write_slopes},
             {"work.csv: every run", write_errors}};

/* On a page with several studies only the first. */
static dls_status put_numbers(dls_report *report, const dls_work_study *study, dls_error *err)
{
  const size_t count = dls_report_has_parts(report) ? 1 : sizeof texts / sizeof texts[0];
  dls_report_section(report, "Numbers");
  for (size_t i = 0; i < count; i++) {
    char *text = dls_report_text(texts[i].write, study);
    if (text == NULL) {
      return dls_fail(err, DLS_ERR_MEMORY, "no memory for the tables of the report");
    }
    dls_report_folded(report, texts[i].summary, text);
    free(text);
  }
  return DLS_OK;
}

static bool any_error(const dls_order_study *runs)
{
  for (size_t i = 0; i < runs->point_count; i++) {
    if (isfinite(runs->points[i].error.value)) {
      return true;
    }
  }
  return false;
}

dls_status dls_report_work(dls_report *report, const dls_work_study *study, dls_error *err)
{
  char *text = dls_report_text(write_report, study);
  if (text == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the report");
  }
  dls_report_settings(report, study->runs);
  put_slopes(report, study);
  const dls_status status = any_error(study->runs) ? put_pictures(report, study, err) : DLS_OK;
  dls_report_section(report, "Failures and warnings");
  dls_report_findings(report, text);
  free(text);
  return status != DLS_OK ? status : put_numbers(report, study, err);
}
