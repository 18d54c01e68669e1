/* experiments/show/report_order.c -- a convergence study on a page: orders, pictures, errors by step.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/pictures.h"
#include "experiments/show/report_study.h"
#include "experiments/study/order_levels.h"
#include "experiments/study/study_tables.h"

#include "common/base/text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One picture of a study. */
typedef struct picture {
  const dls_order_study *study;
  size_t norm, of;
} picture;

static dls_status draw(const void *data, const dls_canvas *canvas, dls_error *err)
{
  const picture *p = data;
  return dls_draw_order(p->study, p->norm, p->of, canvas, err);
}

static dls_status write_errors(const void *data, FILE *out)
{
  return dls_order_write_errors(data, out);
}

static dls_status write_orders(const void *data, FILE *out)
{
  return dls_order_write_orders(data, out);
}

static dls_status write_report(const void *data, FILE *out)
{
  return dls_order_write_report(data, out);
}

static void put_remark(dls_report *report, const dls_order_study *study, const dls_order_line *line)
{
  char text[200] = "";
  dls_order_level level;
  if (line->fit.warn_floor) {
    dls_text_append(text, sizeof text, "small steps are at the floor; ");
  }
  if (line->fit.warn_preasymptotic) {
    dls_text_append(text, sizeof text, "not asymptotic; ");
  }
  if (dls_order_by_event(study, line) &&
      dls_order_level_of(study, line, 0, DLS_AGAINST_STEP, &level, NULL) == DLS_OK && isfinite(level.median)) {
    dls_text_append(text, sizeof text, "error %.2e (own steps); ", level.median);
  } else if (!line->fitted) {
    dls_text_append(text, sizeof text, "no order: %s; ", line->reason);
  }
  const size_t length = strlen(text);
  dls_report_cell(report, "%.*s", length > 1 ? (int)length - 2 : 0, text);
}

static void put_orders(dls_report *report, const dls_order_study *study)
{
  static const char *const headers[] = {"scheme", "norm", "of", "order", "95 % interval", "runs", "remark"};
  dls_report_section(report, "Orders");
  dls_report_paragraph(report, "The order q is that of error = C step^q, fitted to all runs above the floor of "
                               "rounding and reference; the interval holds it with 95 %% confidence.");
  dls_report_table_begin(report, "", 7, headers);
  for (size_t i = 0; i < study->line_count; i++) {
    const dls_order_line *line = &study->lines[i];
    char label[DLS_LABEL_ROOM];
    dls_order_scheme_label(study, line->scheme, label, sizeof label);
    dls_report_cell(report, "%s", label);
    dls_report_cell(report, "%s", study->spec.norms[line->norm]->name);
    dls_report_cell(report, "%s", study->spec.of[line->of]);
    if (line->fitted) {
      dls_report_cell(report, "%.3f", line->fit.order);
      dls_report_cell(report, "%.3f to %.3f", line->fit.ci_low, line->fit.ci_high);
      dls_report_cell(report, "%zu", line->fit.points);
    } else {
      dls_report_cell(report, "–");
      dls_report_cell(report, "–");
      dls_report_cell(report, "–");
    }
    put_remark(report, study, line);
  }
  dls_report_table_end(report);
}

/* One row of the levels of a line. */
static void put_level(dls_report *report, const dls_order_level *level, double order)
{
  dls_report_cell(report, "%.4g", level->x);
  dls_report_cell(report, "%.3e", level->median);
  dls_report_cell(report, "%.3e", level->max);
  if (isfinite(order)) {
    dls_report_cell(report, "%.2f", order);
  } else {
    dls_report_cell(report, " ");
  }
  dls_report_cell(report, "%zu of %zu", level->failures, level->runs);
}

static dls_status put_levels(dls_report *report, const dls_order_study *study, const dls_order_line *line,
                             dls_error *err)
{
  static const char *const headers[] = {"median step [s]", "median error", "worst error",
                                        "order from level to level", "failed"};
  char caption[DLS_LABEL_ROOM + 100], label[DLS_LABEL_ROOM];
  double step = NAN, error = NAN;
  dls_status status = DLS_OK;
  dls_order_scheme_label(study, line->scheme, label, sizeof label);
  snprintf(caption, sizeof caption, "%s, %s of %s", label, study->spec.norms[line->norm]->name,
           study->spec.of[line->of]);
  dls_report_table_begin(report, caption, 5, headers);
  for (size_t i = 0; i < dls_order_level_count(study, line) && status == DLS_OK; i++) {
    dls_order_level level;
    status = dls_order_level_of(study, line, i, DLS_AGAINST_STEP, &level, err);
    if (status == DLS_OK && level.runs > 0) {
      put_level(report, &level, dls_pairwise_order(step, error, level.x, level.median));
      step = level.x;
      error = level.median;
    }
  }
  dls_report_table_end(report);
  return status;
}

static dls_status put_pictures(dls_report *report, const dls_order_study *study, dls_error *err)
{
  dls_status status = DLS_OK;
  dls_report_section(report, "Errors against steps");
  for (size_t i = 0; i < study->spec.norm_count && status == DLS_OK; i++) {
    for (size_t j = 0; j < study->spec.of_count && status == DLS_OK; j++) {
      const picture p = {study, i, j};
      char title[200], caption[500];
      snprintf(title, sizeof title, "Error of %.60s in the norm %.60s against the step", study->spec.of[j],
               study->spec.norms[i]->name);
      snprintf(caption, sizeof caption,
               "%s. Small points are single runs, large ones their medians at each level, lines the fits; "
               "a dashed line is a scheme with steps of its own, an arrow one far below.",
               title);
      status = dls_report_picture(report, draw, &p, title, caption, err);
    }
  }
  return status;
}

static dls_status put_numbers(dls_report *report, const dls_order_study *study, dls_error *err)
{
  char *orders = dls_report_text(write_orders, study);
  char *errors = dls_report_text(write_errors, study);
  const bool good = orders != NULL && errors != NULL;
  if (good) {
    dls_report_folded(report, "orders.csv", orders);
    dls_report_folded(report, "errors.csv: every run", errors);
  }
  free(orders);
  free(errors);
  return good ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for the tables of the report");
}

static bool any_error(const dls_order_study *study)
{
  for (size_t i = 0; i < study->point_count; i++) {
    if (isfinite(study->points[i].error.value)) {
      return true;
    }
  }
  return false;
}

dls_status dls_report_order(dls_report *report, const dls_order_study *study, dls_error *err)
{
  char *text = dls_report_text(write_report, study);
  if (text == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the report");
  }
  dls_report_settings(report, study);
  put_orders(report, study);
  dls_status status = any_error(study) ? put_pictures(report, study, err) : DLS_OK;
  dls_report_section(report, "Failures and warnings");
  dls_report_findings(report, text);
  free(text);
  dls_report_section(report, "Errors by step");
  for (size_t i = 0; i < study->line_count && status == DLS_OK; i++) {
    status =
        dls_order_by_event(study, &study->lines[i]) ? DLS_OK : put_levels(report, study, &study->lines[i], err);
  }
  return status != DLS_OK || dls_report_has_parts(report) ? status : put_numbers(report, study, err);
}
