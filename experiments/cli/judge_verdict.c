/* experiments/cli/judge_verdict.c -- orders, plateaus, restitution, creep, ... of programs, a sentence each.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/judge_verdict.h"
#include "common/base/text.h"
#include "experiments/cli/cli.h"
#include "experiments/measures/order/order_lines.h"
#include "experiments/show/report_study.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 300 };

/* Starts that are further apart than this many lengths of the model are not the same. */
static const double same_start = 1e-6;
/* Figures up to this are rounding, in units of the model. */
static const double nothing = 1e-12;

/* One more part of a sentence. */
static void add(char *words, const char *part)
{
  dls_text_append(words, WORDS, "%s%s", words[0] != '\0' ? "; " : "", part);
}

/* "order 0.99 [0.95, 1.03]", or why there is none, and what else is to be said of the line. */
static void say_line(const dls_order_line *line, char *words)
{
  const dls_fit *fit = &line->fit;
  char text[160];
  snprintf(text, sizeof text, "order %.2f [%.2f, %.2f]", fit->order, fit->ci_low, fit->ci_high);
  add(words, line->fitted ? text : line->reason);
  if (line->fitted && fit->ci_high < 0) {
    add(words, "negative order: the smaller the step, the larger the error");
  }
  if (line->exploded > 0) {
    snprintf(text, sizeof text, "explodes from step %.3g s up", line->exploded_from);
    add(words, text);
  }
  if (fit->warn_floor) {
    add(words, "small steps are at the floor");
  }
}

/* Median at the smallest step of a line that has a figure, and the largest of all its runs; NaN for none. */
static dls_status finest(const dls_order_study *study, const dls_order_line *line, double *value,
                         double *largest, dls_error *err)
{
  *value = NAN;
  *largest = NAN;
  for (size_t i = 0; i < study->spec.levels; i++) {
    dls_order_level level;
    const dls_status status = dls_order_level_of(study, line, i, DLS_AGAINST_STEP, &level, err);
    if (status != DLS_OK) {
      return status;
    }
    *value = isnan(level.median) ? *value : level.median;
    *largest = fmax(*largest, level.max); /* leaves NaN out */
  }
  return DLS_OK;
}

/* Median of the restitutions measured at the smallest step of a program that has one. */
static double restitution_of(const dls_judgement *judgement, size_t program)
{
  const dls_judged *judged = judgement->judged;
  double found = NAN, step = INFINITY;
  for (size_t i = 0; i < judged->count; i++) {
    const double value = judgement->motions[i].restitution;
    if (judged->files[i].program == program && judged->files[i].step < step && !isnan(value)) {
      step = judged->files[i].step;
      found = value;
    }
  }
  return found;
}

static void put_row(dls_cli_rows *rows, const dls_judgement *judgement, const dls_order_line *line,
                    const char *what, const char *unit, double value, const char *words)
{
  dls_cli_cell(rows, "%s", judgement->judged->programs[line->scheme]);
  dls_cli_cell(rows, "%s", what);
  if (isnan(value)) {
    dls_cli_cell(rows, "-");
  } else {
    dls_cli_cell(rows, "%.3g%s%s", value, unit[0] != '\0' ? " " : "", unit);
  }
  dls_cli_cell(rows, "%s", words);
}

static dls_status put_error(dls_cli_rows *rows, const dls_judgement *judgement, const dls_order_line *line,
                            dls_error *err)
{
  const dls_order_study *study = judgement->errors;
  char what[120], words[WORDS] = "";
  double value = NAN, largest = NAN;
  const dls_status status = finest(study, line, &value, &largest, err);
  snprintf(what, sizeof what, "%s of %.60s", study->spec.norms[line->norm]->name, study->spec.of[line->of]);
  say_line(line, words);
  put_row(rows, judgement, line, what, "", value, words);
  return status;
}

/* Nothing where there is nothing to measure. */
static dls_status put_figure(dls_cli_rows *rows, const dls_judgement *judgement, const dls_order_line *line,
                             dls_error *err)
{
  const dls_judged_figure_text *figure = &dls_judged_figures[line->norm];
  char words[WORDS] = "";
  double value = NAN, largest = NAN;
  const dls_status status = finest(judgement->contacts, line, &value, &largest, err);
  if (status != DLS_OK || isnan(value)) {
    return status;
  }
  if (line->norm == DLS_JUDGED_RESTITUTION) {
    char text[60];
    snprintf(text, sizeof text, "measured %.6g", restitution_of(judgement, line->scheme));
    add(words, text);
  }
  if (value > nothing) {
    say_line(line, words);
  } else {
    add(words, largest > nothing ? "none at the smallest step" : "none");
  }
  put_row(rows, judgement, line, figure->text, figure->unit, value, words);
  return DLS_OK;
}

/* What files have against being judged. */
static void put_remarks(const dls_judgement *judgement, FILE *out)
{
  const dls_judged *judged = judgement->judged;
  for (size_t i = 0; i < judged->count; i++) {
    char text[400];
    if (judgement->motions[i].start > same_start) {
      snprintf(text, sizeof text, "%.200s: at t = 0 it is %.2g lengths away from where the model starts",
               judged->files[i].path, judgement->motions[i].start);
      dls_cli_wrap(out, text, 0, 2);
    }
    if (judgement->remarks[i][0] != '\0') {
      snprintf(text, sizeof text, "%.200s: %.190s", judged->files[i].path, judgement->remarks[i]);
      dls_cli_wrap(out, text, 0, 2);
    }
  }
}

dls_status dls_cli_verdict(const dls_judgement *judgement, FILE *out, dls_error *err)
{
  static const char *const headers[] = {"program", "error", "smallest step", "verdict"};
  const dls_order_study *errors = judgement->errors, *contacts = judgement->contacts;
  dls_cli_rows rows = {.columns = 4, .headers = headers};
  dls_status status = DLS_OK;
  for (size_t program = 0; program < judgement->judged->program_count; program++) {
    for (size_t i = 0; i < errors->line_count && status == DLS_OK; i++) {
      status =
          errors->lines[i].scheme == program ? put_error(&rows, judgement, &errors->lines[i], err) : status;
    }
    for (size_t i = 0; i < contacts->line_count && status == DLS_OK; i++) {
      status = contacts->lines[i].scheme == program ? put_figure(&rows, judgement, &contacts->lines[i], err)
                                                    : status;
    }
  }
  const dls_status printed = dls_cli_rows_print(&rows, "verdict\n", out, err);
  put_remarks(judgement, out);
  return status != DLS_OK ? status : printed;
}

bool dls_cli_all_converge(const dls_judgement *judgement)
{
  bool all = true;
  for (size_t i = 0; i < judgement->errors->line_count; i++) {
    const dls_order_line *line = &judgement->errors->lines[i];
    double value = NAN, largest = NAN;
    const bool known = finest(judgement->errors, line, &value, &largest, NULL) == DLS_OK;
    const bool rising = line->fitted && line->fit.ci_low > 0 && line->exploded == 0;
    all = all && (rising || (known && dls_order_at_floor(judgement->errors, line, value)));
  }
  return all;
}

static dls_status write_verdict(const void *data, FILE *out)
{
  dls_error err = {0};
  return dls_cli_verdict(data, out, &err);
}

dls_status dls_cli_report_verdict(dls_report *report, const dls_judgement *judgement, dls_error *err)
{
  char *text = dls_report_text(write_verdict, judgement);
  if (text == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the verdict");
  }
  dls_report_section(report, "Verdict");
  dls_report_preformatted(report, text);
  free(text);
  return DLS_OK;
}
