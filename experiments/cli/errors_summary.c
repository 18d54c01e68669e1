/* experiments/cli/errors_summary.c -- orders in a table; what each scheme needs for an error of 1e-2, 1e-4, ...
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/errors_summary.h"
#include "experiments/cli/cli.h"
#include "experiments/measures/order_lines.h"
#include "experiments/measures/published_order.h"

#include "common/base/text.h"
#include <math.h>

enum { LABEL_SIZE = 320 };

static void put_label(dls_cli_rows *rows, const dls_order_study *study, const dls_order_line *line)
{
  char label[LABEL_SIZE];
  dls_order_scheme_label(study, line->scheme, label, sizeof label);
  dls_cli_cell(rows, "%s", label);
}

/* --- orders --- */

/* Failed runs of a line; *error is the median at level 0, the only one of schemes that choose their own steps.
 */
static dls_status count_failures(const dls_order_study *study, const dls_order_line *line, size_t *runs,
                                 size_t *failures, double *error, dls_error *err)
{
  *runs = 0;
  *failures = 0;
  for (size_t level = 0; level < study->spec.levels; level++) {
    dls_order_level gathered;
    const dls_status status = dls_order_level_of(study, line, level, DLS_AGAINST_STEP, &gathered, err);
    if (status != DLS_OK) {
      return status;
    }
    *runs += gathered.runs;
    *failures += gathered.failures;
    *error = level == 0 ? gathered.median : *error;
  }
  return DLS_OK;
}

static void add_remark(char *remarks, size_t size, const char *text)
{
  dls_text_append(remarks, size, "%s%s", remarks[0] != '\0' ? "; " : "", text);
}

static dls_status put_remarks(dls_cli_rows *rows, const dls_order_study *study, const dls_order_line *line,
                              dls_error *err)
{
  char remarks[300] = "", text[80];
  size_t runs = 0, failures = 0;
  double error = 0;
  const dls_status status = count_failures(study, line, &runs, &failures, &error, err);
  if (failures > 0) {
    snprintf(text, sizeof text, "%zu of %zu runs failed", failures, runs);
    add_remark(remarks, sizeof remarks, text);
  }
  if (line->exploded > 0) {
    snprintf(text, sizeof text, "%zu of %zu runs explode, from step %.3g s up", line->exploded, runs,
             line->exploded_from);
    add_remark(remarks, sizeof remarks, text);
  }
  if (line->agreement[0] != '\0') {
    add_remark(remarks, sizeof remarks, line->agreement);
  }
  if (line->fitted && line->fit.ci_high < 0) {
    add_remark(remarks, sizeof remarks, "negative order: the smaller the step, the larger the error");
  }
  if (line->fit.warn_floor) {
    add_remark(remarks, sizeof remarks, "small steps are at the floor");
  }
  if (line->fit.warn_preasymptotic) {
    add_remark(remarks, sizeof remarks, "not asymptotic");
  }
  if (!line->fitted && failures < runs) {
    snprintf(text, sizeof text, "error %.2e (own steps)", error);
    add_remark(remarks, sizeof remarks, dls_order_by_event(study, line) ? text : line->reason);
  }
  dls_cli_cell(rows, "%s", remarks);
  return status;
}

/* Order and interval; NaN: a dash. */
static void put_order(dls_cli_rows *rows, const dls_order_line *line, double order, double low, double high)
{
  const int d = dls_published_order_decimals(line, low, high);
  if (isfinite(order)) {
    dls_cli_cell(rows, "%.*f", d, order);
  } else {
    dls_cli_cell(rows, "-");
  }
  if (isfinite(low)) {
    dls_cli_cell(rows, "[%.*f, %.*f]", d, low, d, high);
  } else {
    dls_cli_cell(rows, "-");
  }
}

dls_status dls_cli_order_summary(const dls_order_study *study, FILE *out, dls_error *err)
{
  static const char *const headers[] = {"scheme",  "norm",          "of", "order", "95 % interval",
                                        "medians", "95 % interval", ""};
  dls_cli_rows rows = {.columns = 8, .headers = headers};
  dls_status status = DLS_OK;
  for (size_t i = 0; i < study->line_count && status == DLS_OK; i++) {
    const dls_order_line *line = &study->lines[i];
    put_label(&rows, study, line);
    dls_cli_cell(&rows, "%s", study->spec.norms[line->norm]->name);
    dls_cli_cell(&rows, "%s", study->spec.of[line->of]);
    put_order(&rows, line, line->fit.order, line->fit.ci_low, line->fit.ci_high);
    put_order(&rows, line, line->medians.order, line->medians.ci_low, line->medians.ci_high);
    status = put_remarks(&rows, study, line, err);
  }
  const dls_status printed = dls_cli_rows_print(&rows, "orders\n", out, err);
  return status != DLS_OK ? status : printed;
}

/* --- work --- */

enum { MOST_TARGETS = 5, TARGET_SIZE = 40 };

/* Round errors within those of the study. */
typedef struct targets {
  size_t count;
  double errors[MOST_TARGETS];
  char headers[MOST_TARGETS][TARGET_SIZE];
} targets;

/* Powers of ten whose exponents are multiples of the least number that leaves at most MOST_TARGETS of them. */
static void choose_targets(const dls_work_study *study, size_t norm, size_t of, targets *out)
{
  double low = HUGE_VAL, high = 0;
  const double floor_error = study->runs->floors != NULL ? study->runs->floors[of] : 0;
  for (size_t i = 0; i < study->runs->point_count; i++) {
    const dls_order_point *point = &study->runs->points[i];
    if (point->norm == norm && point->of == of && point->error.value > floor_error) { /* not NaN */
      low = fmin(low, point->error.value);
      high = fmax(high, point->error.value);
    }
  }
  out->count = 0;
  if (!(high > 0)) {
    return;
  }
  const int first = (int)floor(log10(high));
  const int last = (int)ceil(log10(low));
  int stride = 1;
  while (first / stride - last / stride >= MOST_TARGETS) {
    stride++;
  }
  for (int exponent = first; exponent >= last && out->count < MOST_TARGETS; exponent--) {
    if (exponent % stride == 0) {
      out->errors[out->count] = pow(10, exponent);
      snprintf(out->headers[out->count++], TARGET_SIZE, "1e%d", exponent);
    }
  }
}

/* What stands where a slope would be. */
static void put_reasons(const dls_work_study *study, size_t norm, size_t of, FILE *out)
{
  for (size_t i = 0; i < study->line_count; i++) {
    const dls_order_line *line = &study->lines[i];
    char label[LABEL_SIZE];
    if (line->norm == norm && line->of == of && !line->fitted) {
      dls_order_scheme_label(study->runs, line->scheme, label, sizeof label);
      fprintf(out, "  no slope: %s: %s\n", label, line->reason);
    }
  }
}

static void put_need(dls_cli_rows *rows, dls_work_need need)
{
  static const char *const marks[] = {
      [DLS_NEED_MEASURED] = "", [DLS_NEED_AT_MOST] = "<", [DLS_NEED_EXTRAPOLATED] = "~"};
  rows->pool.failed = rows->pool.failed || need.kind == DLS_NEED_NO_MEMORY;
  if (isfinite(need.work)) {
    dls_cli_cell(rows, "%s%.3g", marks[need.kind], need.work);
  } else {
    dls_cli_cell(rows, "-");
  }
}

/* Slope, interval, needs, scheme. */
static void put_row(dls_cli_rows *rows, const dls_work_study *study, const dls_order_line *line,
                    const targets *t)
{
  dls_cli_cell(rows, line->fitted ? "%.2f" : "-", line->fit.order);
  dls_cli_cell(rows, line->fitted ? "[%.2f, %.2f]" : "-", line->fit.ci_low, line->fit.ci_high);
  for (size_t i = 0; i < t->count; i++) {
    put_need(rows, dls_work_needed(study, line, t->errors[i]));
  }
  put_label(rows, study->runs, line);
}

static dls_status put_table(const dls_work_study *study, size_t norm, size_t of, FILE *out, dls_error *err)
{
  const dls_order_spec *spec = &study->runs->spec;
  const char *headers[MOST_TARGETS + 3] = {"slope", "95 % interval"};
  char heading[200];
  targets t;
  choose_targets(study, norm, of, &t);
  for (size_t i = 0; i < t.count; i++) {
    headers[2 + i] = t.headers[i];
  }
  headers[2 + t.count] = "scheme";
  dls_cli_rows rows = {.columns = t.count + 3, .headers = headers};
  for (size_t i = 0; i < study->line_count; i++) {
    if (study->lines[i].norm == norm && study->lines[i].of == of) {
      put_row(&rows, study, &study->lines[i], &t);
    }
  }
  snprintf(heading, sizeof heading, "%s needed for an error of %.60s, %.60s, of\n",
           dls_work_name(study->against), spec->of[of], spec->norms[norm]->name);
  const dls_status status = dls_cli_rows_print(&rows, heading, out, err);
  put_reasons(study, norm, of, out);
  fputc('\n', out);
  return status;
}

dls_status dls_cli_work_summary(const dls_work_study *study, FILE *out, dls_error *err)
{
  const dls_order_spec *spec = &study->runs->spec;
  dls_status status = DLS_OK;
  for (size_t norm = 0; norm < spec->norm_count; norm++) {
    for (size_t of = 0; of < spec->of_count && status == DLS_OK; of++) {
      status = put_table(study, norm, of, out, err);
    }
  }
  fputs("<: the cheapest level is more accurate; ~: by the fitted slope, no level is as accurate;\n"
        "-: out of reach, or no slope to tell\n",
        out);
  return status;
}
