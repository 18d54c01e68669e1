/* experiments/cli/order_summary.c -- a convergence study in one table.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/order_summary.h"
#include "experiments/cli/cli.h"
#include "experiments/study/order_levels.h"

#include "common/base/text.h"
#include <stdlib.h>

enum { COLUMNS = 6 };

typedef struct row {
  char label[240], order[16], interval[40], remark[160];
} row;

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

static void add_remark(row *out, const char *text)
{
  dls_text_append(out->remark, sizeof out->remark, "%s%s", out->remark[0] != '\0' ? "; " : "", text);
}

static void add_remarks(const dls_order_line *line, size_t runs, size_t failures, row *out)
{
  if (failures > 0) {
    char text[60];
    snprintf(text, sizeof text, "%zu of %zu runs failed", failures, runs);
    add_remark(out, text);
  }
  if (line->fit.warn_floor) {
    add_remark(out, "small steps are at the floor");
  }
  if (line->fit.warn_preasymptotic) {
    add_remark(out, "not asymptotic");
  }
}

static dls_status fill(const dls_order_study *study, const dls_order_line *line, row *out, dls_error *err)
{
  size_t runs = 0;
  size_t failures = 0;
  double error = 0;
  *out = (row){.order = "-", .interval = "-"};
  dls_order_scheme_label(study, line->scheme, out->label, sizeof out->label);
  const dls_status status = count_failures(study, line, &runs, &failures, &error, err);
  add_remarks(line, runs, failures, out);
  if (line->fitted) {
    snprintf(out->order, sizeof out->order, "%.3f", line->fit.order);
    snprintf(out->interval, sizeof out->interval, "[%.3f, %.3f]", line->fit.ci_low, line->fit.ci_high);
  } else if (dls_order_by_event(study, line) && failures < runs) {
    char text[40];
    snprintf(text, sizeof text, "error %.2e (own steps)", error);
    add_remark(out, text);
  } else if (failures < runs) {
    add_remark(out, line->reason);
  }
  return status;
}

dls_status dls_cli_order_summary(const dls_order_study *study, FILE *out, dls_error *err)
{
  static const char *const headers[COLUMNS] = {"scheme", "norm", "of", "order", "95 % interval", ""};
  row *rows = calloc(study->line_count, sizeof *rows);
  const char **cells = calloc(COLUMNS * study->line_count, sizeof *cells);
  dls_status status =
      rows != NULL && cells != NULL
          ? DLS_OK
          : dls_fail(err, DLS_ERR_MEMORY, "no memory for a table of %zu lines", study->line_count);
  for (size_t i = 0; i < study->line_count && status == DLS_OK; i++) {
    const dls_order_line *line = &study->lines[i];
    status = fill(study, line, &rows[i], err);
    const char *const texts[COLUMNS] = {rows[i].label,
                                        study->spec.norms[line->norm]->name,
                                        study->spec.of[line->of],
                                        rows[i].order,
                                        rows[i].interval,
                                        rows[i].remark};
    for (size_t j = 0; j < COLUMNS; j++) {
      cells[COLUMNS * i + j] = texts[j];
    }
  }
  if (status == DLS_OK) {
    fputs("orders\n", out);
    dls_cli_table(out, COLUMNS, headers, study->line_count, cells);
  }
  free(rows);
  free(cells);
  return status;
}
