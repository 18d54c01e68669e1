/* experiments/cli/work_summary.c -- what each scheme needs for an error of 1e-2, 1e-4, ...
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/work_summary.h"
#include "experiments/cli/cli.h"
#include "experiments/study/order_levels.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_TARGETS = 5, MOST_COLUMNS = MOST_TARGETS + 3, CELL_SIZE = 40, LABEL_SIZE = 320 };

/* Round errors within those of the study. */
typedef struct targets {
  size_t count;
  double errors[MOST_TARGETS];
  char headers[MOST_TARGETS][CELL_SIZE];
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
      snprintf(out->headers[out->count++], CELL_SIZE, "1e%d", exponent);
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

static void put_need(dls_work_need need, char *text)
{
  static const char *const marks[] = {
      [DLS_NEED_MEASURED] = "", [DLS_NEED_AT_MOST] = "<", [DLS_NEED_EXTRAPOLATED] = "~"};
  if (isfinite(need.work)) {
    snprintf(text, CELL_SIZE, "%s%.3g", marks[need.kind], need.work);
  } else {
    snprintf(text, CELL_SIZE, "-");
  }
}

/* The cells of one line: slope, interval, needs. */
static void fill(const dls_work_study *study, const dls_order_line *line, const targets *t,
                 char (*texts)[CELL_SIZE])
{
  snprintf(texts[0], CELL_SIZE, "-");
  snprintf(texts[1], CELL_SIZE, "-");
  if (line->fitted) {
    snprintf(texts[0], CELL_SIZE, "%.2f", line->fit.order);
    snprintf(texts[1], CELL_SIZE, "[%.2f, %.2f]", line->fit.ci_low, line->fit.ci_high);
  }
  for (size_t i = 0; i < t->count; i++) {
    put_need(dls_work_needed(study, line, t->errors[i]), texts[2 + i]);
  }
}

/* One table. texts and labels have a row for each scheme, cells MOST_COLUMNS of them. */
static void put_table(const dls_work_study *study, size_t norm, size_t of, char (*texts)[CELL_SIZE],
                      char (*labels)[LABEL_SIZE], const char **cells, FILE *out)
{
  const dls_order_spec *spec = &study->runs->spec;
  const char *headers[MOST_COLUMNS] = {"slope", "95 % interval"};
  targets t;
  size_t rows = 0;
  choose_targets(study, norm, of, &t);
  const size_t columns = t.count + 3;
  for (size_t i = 0; i < t.count; i++) {
    headers[2 + i] = t.headers[i];
  }
  headers[columns - 1] = "scheme";
  for (size_t i = 0; i < study->line_count; i++) {
    const dls_order_line *line = &study->lines[i];
    if (line->norm != norm || line->of != of) {
      continue;
    }
    char(*row)[CELL_SIZE] = texts + rows * MOST_COLUMNS;
    fill(study, line, &t, row);
    dls_order_scheme_label(study->runs, line->scheme, labels[rows], LABEL_SIZE);
    for (size_t j = 0; j + 1 < columns; j++) {
      cells[rows * columns + j] = row[j];
    }
    cells[rows * columns + columns - 1] = labels[rows];
    rows++;
  }
  fprintf(out, "%s needed for an error of %s, %s, of\n", dls_work_name(study->against), spec->of[of],
          spec->norms[norm]->name);
  dls_cli_table(out, columns, headers, rows, cells);
  put_reasons(study, norm, of, out);
  fputc('\n', out);
}

dls_status dls_cli_work_summary(const dls_work_study *study, FILE *out, dls_error *err)
{
  const dls_order_spec *spec = &study->runs->spec;
  const size_t most_cells = spec->scheme_count * MOST_COLUMNS;
  char(*texts)[CELL_SIZE] = calloc(most_cells, sizeof *texts);
  char(*labels)[LABEL_SIZE] = calloc(spec->scheme_count, sizeof *labels);
  const char **cells = calloc(most_cells, sizeof *cells);
  const bool good = texts != NULL && labels != NULL && cells != NULL;
  for (size_t norm = 0; good && norm < spec->norm_count; norm++) {
    for (size_t of = 0; of < spec->of_count; of++) {
      put_table(study, norm, of, texts, labels, cells, out);
    }
  }
  if (good) {
    fputs("<: the cheapest level is more accurate; ~: by the fitted slope, no level is as accurate;\n"
          "-: out of reach, or no slope to tell\n",
          out);
  }
  free(texts);
  free(labels);
  free(cells);
  return good ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for a table of %zu lines", study->line_count);
}
