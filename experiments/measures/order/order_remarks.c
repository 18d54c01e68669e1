/* experiments/measures/order/order_remarks.c -- remarks on a fitted line: failed runs, agreement with the published order, warnings.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/order/order_remarks.h"
#include "common/base/text.h"
#include "experiments/measures/order/order_lines.h"
#include <string.h>

/* Failed runs of a line; *error is the median at level 0, the only one of schemes that choose their own steps.
 */
static dls_status count_failures_of_line(const dls_order_study *study, const dls_order_line *line, size_t *runs,
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

dls_status dls_order_remarks(const dls_order_study *study, const dls_order_line *line, char *remarks,
                             size_t size, dls_error *err)
{
  char text[80];
  size_t runs = 0, failures = 0;
  double error = 0;
  remarks[0] = '\0';
  const dls_status status = count_failures_of_line(study, line, &runs, &failures, &error, err);
  if (failures > 0) {
    snprintf(text, sizeof text, "%zu of %zu runs failed", failures, runs);
    add_remark(remarks, size, text);
  }
  if (line->exploded > 0) {
    snprintf(text, sizeof text, "%zu of %zu runs explode, from step %.3g s up", line->exploded, runs,
             line->exploded_from);
    add_remark(remarks, size, text);
  }
  if (line->agreement[0] != '\0') {
    add_remark(remarks, size, line->agreement);
  }
  if (line->verdict[0] != '\0') {
    snprintf(text, sizeof text, "%.0f %% right signs", 100 * line->sign_share);
    if (strncmp(line->reason, line->verdict, strlen(line->verdict)) != 0) { /* else it is the reason */
      add_remark(remarks, size, line->verdict);
    }
    add_remark(remarks, size, text);
  }
  if (line->fitted && line->fit.ci_high < 0) {
    add_remark(remarks, size, "negative order: the smaller the step, the larger the error");
  }
  if (line->fit.warn_floor) {
    add_remark(remarks, size, "small steps are at the floor");
  }
  if (line->fit.warn_preasymptotic) {
    add_remark(remarks, size, "not asymptotic");
  }
  if (!line->fitted && failures < runs) {
    snprintf(text, sizeof text, "error %.2e (own steps)", error);
    add_remark(remarks, size, dls_order_by_event(study, line) ? text : line->reason);
  }
  return status;
}
