/* experiments/show/report_errors.c -- a study of errors on a page: orders or slopes, pictures, every level.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/order/order_lines.h"
#include "experiments/measures/order/published_order.h"
#include "experiments/measures/order/study_tables.h"
#include "experiments/show/pictures.h"
#include "experiments/show/report_study.h"

#include "common/base/text.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Texts on errors against the step, and on errors against work. */
typedef struct wording {
  const char *heading, *headers[9]; /* of the table of the lines */
  size_t columns;
  const char *pictures, *against,
      *legend; /* heading; end of their titles; what is behind that in their captions */
} wording;

static const wording step_wording = {
    .heading = "Orders",
    .headers = {"scheme", "norm", "of", "order", "95 % interval", "runs", "order of the medians",
                "95 % interval", "remark"},
    .columns = 9,
    .pictures = "Errors against steps",
    .against = "the step",
    .legend = "lines are fits, shading the 95 % bands of the lines through the medians; a horizontal line is a "
              "scheme that chooses its steps, an arrow one far below"};
static const wording work_wording = {
    .heading = "Slopes",
    .headers = {"scheme", "norm", "of", "slope", "95 % interval", "runs", "work for an error"},
    .columns = 7,
    .pictures = "Errors against work",
    .against = "work",
    .legend = "lines are fits with their slopes"};

static bool by_step(const dls_work_study *study)
{
  return study->against == DLS_AGAINST_STEP;
}

/* --- the lines --- */

static void put_remark(dls_report *report, const dls_work_study *study, const dls_order_line *line)
{
  char text[400] = "";
  dls_order_level level;
  if (line->agreement[0] != '\0') {
    char published[200];
    dls_published_order_text(dls_published_order_of(study->runs, line), published, sizeof published);
    dls_text_append(text, sizeof text, "%s (%s); ", line->agreement, published);
  }
  if (line->fit.warn_floor) {
    dls_text_append(text, sizeof text, "small steps are at the floor; ");
  }
  if (line->fit.warn_preasymptotic) {
    dls_text_append(text, sizeof text, "not asymptotic; ");
  }
  const bool own_steps = dls_order_by_event(study->runs, line);
  if (own_steps && dls_order_level_of(study->runs, line, 0, DLS_AGAINST_STEP, &level, NULL) != DLS_OK) {
    dls_report_out_of_memory(report);
  } else if (own_steps && isfinite(level.median)) {
    dls_text_append(text, sizeof text, "error %.2e (own steps); ", level.median);
  } else if (!line->fitted) {
    dls_text_append(text, sizeof text, "no order: %s; ", line->reason);
  }
  const size_t length = strlen(text);
  dls_report_cell(report, "%.*s", length > 1 ? (int)length - 2 : 0, text);
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

static void put_need(dls_report *report, const dls_work_study *study, const dls_order_line *line)
{
  static const char *const marks[] = {[DLS_NEED_MEASURED] = "%.3g for %.0e",
                                      [DLS_NEED_AT_MOST] = "%.3g or less for %.0e",
                                      [DLS_NEED_EXTRAPOLATED] = "%.3g, extrapolated, for %.0e"};
  const double target = target_of(study, line->norm, line->of);
  const dls_work_need need = target > 0 ? dls_work_needed(study, line, target) : (dls_work_need){.work = NAN};
  if (need.kind == DLS_NEED_NO_MEMORY) {
    dls_report_out_of_memory(report);
  }
  if (isfinite(need.work)) {
    dls_report_cell(report, marks[need.kind], need.work, target);
  } else {
    dls_report_cell(report, "–");
  }
}

static void put_medians(dls_report *report, const dls_order_line *line)
{
  const dls_median_fit *fit = &line->medians;
  const int d = dls_published_order_decimals(line, fit->ci_low, fit->ci_high);
  dls_report_cell(report, isfinite(fit->order) ? "%.*f" : "–", d, fit->order);
  dls_report_cell(report, isfinite(fit->ci_low) ? "%.*f to %.*f" : "–", d, fit->ci_low, d, fit->ci_high);
}

static void put_line(dls_report *report, const dls_work_study *study, const dls_order_line *line)
{
  const dls_order_spec *spec = &study->runs->spec;
  char label[DLS_LABEL_ROOM];
  dls_order_scheme_label(study->runs, line->scheme, label, sizeof label);
  dls_report_cell(report, "%s", label);
  dls_report_cell(report, "%s", spec->norms[line->norm]->name);
  dls_report_cell(report, "%s", spec->of[line->of]);
  if (line->fitted) {
    const int d = dls_published_order_decimals(line, line->fit.ci_low, line->fit.ci_high);
    dls_report_cell(report, "%.*f", d, line->fit.order);
    dls_report_cell(report, "%.*f to %.*f", d, line->fit.ci_low, d, line->fit.ci_high);
    dls_report_cell(report, "%zu", line->fit.points);
  } else {
    dls_report_cell(report, "–");
    dls_report_cell(report, "%s", by_step(study) ? "–" : line->reason);
    dls_report_cell(report, "–");
  }
  if (by_step(study)) {
    put_medians(report, line);
    put_remark(report, study, line);
  } else {
    put_need(report, study, line);
  }
}

static void put_lines(dls_report *report, const dls_work_study *study, const wording *words)
{
  dls_report_section(report, words->heading);
  if (by_step(study)) {
    dls_report_paragraph(
        report, "The order q is that of error = C step^q, fitted to all runs above the floor of "
                "rounding and reference; the interval contains it with 95 %% confidence. The order of the "
                "medians is that of the line through the medians of the levels (Theil and Sen), its interval "
                "from the bootstrap.");
  } else {
    dls_report_paragraph(
        report,
        "Work is: %s. The slope is that of log(error) over log(work); rejected work counts. The last column is "
        "the work that a scheme needs for one error in the middle of the range.",
        dls_work_text(study->against));
  }
  dls_report_table_begin(report, "", words->columns, words->headers);
  for (size_t i = 0; i < study->line_count; i++) {
    put_line(report, study, &study->lines[i]);
  }
  dls_report_table_end(report);
}

/* --- the pictures --- */

typedef struct picture {
  const dls_work_study *study;
  size_t norm, of;
} picture;

static dls_status draw(const void *data, const dls_canvas *canvas, dls_error *err)
{
  const picture *p = data;
  return by_step(p->study) ? dls_draw_order(p->study->runs, p->norm, p->of, canvas, err)
                           : dls_draw_work(p->study, p->norm, p->of, canvas, err);
}

static dls_status put_pictures(dls_report *report, const dls_work_study *study, const wording *words,
                               dls_error *err)
{
  const dls_order_spec *spec = &study->runs->spec;
  dls_status status = DLS_OK;
  dls_report_section(report, words->pictures);
  for (size_t i = 0; i < spec->norm_count && status == DLS_OK; i++) {
    for (size_t j = 0; j < spec->of_count && status == DLS_OK; j++) {
      const picture p = {study, i, j};
      char title[200], caption[500];
      snprintf(title, sizeof title, "Error of %.60s in the norm %.60s against %s", spec->of[j],
               spec->norms[i]->name, words->against);
      snprintf(caption, sizeof caption,
               "%s. Small points are single runs, large ones their medians at each level, %s.", title,
               words->legend);
      status = dls_report_picture(report, draw, &p, title, caption, err);
    }
  }
  return status;
}

/* --- limit models --- */

typedef struct contacts {
  const dls_order_study *study;
  const dls_contact_picture *what;
} contacts;

static dls_status draw_contacts(const void *data, const dls_canvas *canvas, dls_error *err)
{
  const contacts *c = data;
  return dls_draw_contacts(c->study, c->what, canvas, err);
}

static dls_status put_contacts(dls_report *report, const dls_order_study *study, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; i < DLS_CONTACT_PICTURES && status == DLS_OK; i++) {
    const contacts c = {study, &dls_contact_pictures[i]};
    if (dls_order_has_contacts(study, c.what)) {
      char title[100], caption[200];
      snprintf(title, sizeof title, "%c%s", toupper((unsigned char)c.what->title[0]), c.what->title + 1);
      snprintf(caption, sizeof caption, "%s of each run, over %sits step size.", title,
               c.what->phased ? "its place in the step and over " : "");
      status = dls_report_picture(report, draw_contacts, &c, title, caption, err);
    }
  }
  return status;
}

static dls_status put_limits(dls_report *report, const dls_order_study *study, dls_error *err)
{
  static const char *const headers[] = {"scheme",        "norm",    "of",         "order",
                                        "95 % interval", "plateau", "limit model"};
  if (study->limit == NULL) {
    return DLS_OK;
  }
  dls_report_section(report, "Limit models");
  dls_report_paragraph(
      report, "What each scheme converges to for h to 0, the order of its errors against that, and the "
              "plateau: the distance of the limit model from the reference.");
  dls_report_table_begin(report, "", 7, headers);
  for (size_t i = 0; i < study->limit->line_count; i++) {
    const dls_order_line *line = &study->limit->lines[i];
    char label[DLS_LABEL_ROOM];
    dls_order_scheme_label(study, line->scheme, label, sizeof label);
    dls_report_cell(report, "%s", label);
    dls_report_cell(report, "%s", study->spec.norms[line->norm]->name);
    dls_report_cell(report, "%s", study->spec.of[line->of]);
    dls_report_cell(report, line->fitted ? "%.2f" : "–", line->fit.order);
    dls_report_cell(report, line->fitted ? "%.2f to %.2f" : "–", line->fit.ci_low, line->fit.ci_high);
    dls_report_cell(report, isnan(line->plateau) ? "–" : "%.3g", line->plateau);
    dls_report_cell(report, "%s", line->limit);
  }
  dls_report_table_end(report);
  return put_contacts(report, study, err);
}

/* --- the levels --- */

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

static dls_status put_all_levels(dls_report *report, const dls_order_study *study, dls_error *err)
{
  dls_status status = DLS_OK;
  dls_report_section(report, "Errors by step");
  for (size_t i = 0; i < study->line_count && status == DLS_OK; i++) {
    status =
        dls_order_by_event(study, &study->lines[i]) ? DLS_OK : put_levels(report, study, &study->lines[i], err);
  }
  return status;
}

/* --- the tables, folded away --- */

typedef struct text {
  const char *summary;
  dls_status (*write_order)(const dls_order_study *study, FILE *out); /* one of the two */
  dls_status (*write_work)(const dls_work_study *study, FILE *out);
} text;

static const text step_texts[] = {
    {"orders.csv", dls_order_write_orders, NULL}, {"errors.csv: every run", dls_order_write_errors, NULL}, {0}};
static const text work_texts[] = {{"medians of every level", NULL, dls_work_write_table},
                                  {"slopes.csv", NULL, dls_work_write_slopes},
                                  {"work.csv: every run", NULL, dls_work_write_errors},
                                  {0}};

typedef struct writing {
  const text *text;
  const dls_work_study *study;
} writing;

static dls_status write_text(const void *data, FILE *out)
{
  const writing *w = data;
  return w->text->write_order != NULL ? w->text->write_order(w->study->runs, out)
                                      : w->text->write_work(w->study, out);
}

/* @param[in] most  how many of them */
static dls_status put_texts(dls_report *report, const dls_work_study *study, const text *texts, size_t most,
                            dls_error *err)
{
  for (size_t i = 0; i < most && texts[i].summary != NULL; i++) {
    char *content = dls_report_text(write_text, &(writing){&texts[i], study});
    if (content == NULL) {
      return dls_fail(err, DLS_ERR_MEMORY, "no memory for the tables of the report");
    }
    dls_report_folded(report, texts[i].summary, content);
    free(content);
  }
  return DLS_OK;
}

/* On a page with several studies, only the parts for human readers. */
static dls_status put_numbers(dls_report *report, const dls_work_study *study, dls_error *err)
{
  const bool brief = dls_report_has_parts(report);
  if (!by_step(study)) {
    dls_report_section(report, "Numbers");
    return put_texts(report, study, work_texts, brief ? 1 : SIZE_MAX, err);
  }
  const dls_status status = put_all_levels(report, study->runs, err);
  return status != DLS_OK ? status : put_texts(report, study, step_texts, brief ? 0 : SIZE_MAX, err);
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

static dls_status write_findings(const void *data, FILE *out)
{
  const dls_work_study *study = data;
  return by_step(study) ? dls_order_write_report(study->runs, out) : dls_work_write_report(study, out);
}

dls_status dls_report_work(dls_report *report, const dls_work_study *study, dls_error *err)
{
  const wording *words = by_step(study) ? &step_wording : &work_wording;
  char *findings = dls_report_text(write_findings, study);
  if (findings == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the report");
  }
  dls_report_settings(report, study->runs);
  put_lines(report, study, words);
  dls_status status = any_error(study->runs) ? put_pictures(report, study, words, err) : DLS_OK;
  status = status == DLS_OK ? put_limits(report, study->runs, err) : status;
  dls_report_section(report, "Failures and warnings");
  dls_report_findings(report, findings);
  free(findings);
  return status != DLS_OK ? status : put_numbers(report, study, err);
}

dls_status dls_report_order(dls_report *report, const dls_order_study *study, dls_error *err)
{
  const dls_work_study view = dls_order_view(study);
  return dls_report_work(report, &view, err);
}
