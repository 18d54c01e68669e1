/* experiments/study/order_tables.c -- a convergence study as CSV, as a report, and as a table for people.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/study/study_tables.h"
#include <math.h>

dls_status dls_order_write_errors(const dls_order_study *study, FILE *out)
{
  const dls_order_spec *spec = &study->spec;
  fputs("model,scheme,options,step,norm,of,error,bound,steps,force_evals,lcp_solves,wall_seconds\n", out);
  for (size_t i = 0; i < study->point_count; i++) {
    const dls_order_point *point = &study->points[i];
    const dls_scheme_choice *choice = &spec->schemes[point->scheme];
    fprintf(out, "%s,%s,", spec->model->name, choice->scheme->name);
    dls_table_field(out, choice->options);
    dls_table_number(out, point->step);
    fprintf(out, ",%s,%s", spec->norms[point->norm]->name, spec->of[point->of]);
    dls_table_number(out, point->error.value);
    dls_table_number(out, point->error.bound);
    fprintf(out, ",%zu,%zu,%zu", point->work.steps, point->work.force_evals, point->work.lcp_solves);
    dls_table_number(out, point->work.wall_seconds);
    fputc('\n', out);
  }
  return dls_table_end(study, out);
}

dls_status dls_order_write_orders(const dls_order_study *study, FILE *out)
{
  fputs("model,scheme,norm,of,order,ci_low,ci_high,h_max,h_min,points,reason\n", out);
  for (size_t i = 0; i < study->line_count; i++) {
    const dls_order_line *line = &study->lines[i];
    char label[DLS_LABEL_ROOM];
    dls_order_scheme_label(study, line->scheme, label, sizeof label);
    fprintf(out, "%s,", study->spec.model->name);
    dls_table_field(out, label);
    fprintf(out, ",%s,%s", study->spec.norms[line->norm]->name, study->spec.of[line->of]);
    const double numbers[] = {line->fit.order, line->fit.ci_low, line->fit.ci_high, line->fit.h_max,
                              line->fit.h_min};
    for (size_t j = 0; j < sizeof numbers / sizeof numbers[0]; j++) {
      dls_table_number(out, numbers[j]);
    }
    fprintf(out, ",%zu,", line->fit.points);
    dls_table_field(out, line->reason);
    fputc('\n', out);
  }
  return dls_table_end(study, out);
}

dls_status dls_order_write_quality(const dls_order_study *study, FILE *out)
{
  const dls_order_spec *spec = &study->spec;
  fputs("model,scheme,options,step,impacts,spurious_impacts,restitution_min,restitution_max,worst_penetration,"
        "drift\n",
        out);
  for (size_t i = 0; i < study->point_count; i++) {
    const dls_order_point *point = &study->points[i];
    const dls_scheme_choice *choice = &spec->schemes[point->scheme];
    if (point->norm != 0 || point->of != 0) {
      continue; /* one row a run */
    }
    fprintf(out, "%s,%s,", spec->model->name, choice->scheme->name);
    dls_table_field(out, choice->options);
    dls_table_number(out, point->step);
    fprintf(out, ",%zu,%zu", point->quality.impacts, point->quality.spurious_impacts);
    dls_table_number(out, point->quality.restitution_min);
    dls_table_number(out, point->quality.restitution_max);
    dls_table_number(out, point->quality.worst_penetration);
    dls_table_number(out, point->quality.final_drift);
    fputc('\n', out);
  }
  return dls_table_end(study, out);
}

static void put_warnings(const dls_order_line *line, const char *lead, FILE *out)
{
  dls_table_floor_warning(line, lead, out);
  if (line->fit.warn_preasymptotic) {
    fprintf(out,
            "%sthe order changes from %.2f (coarse half) to %.2f (fine half): not in the asymptotic range\n",
            lead, line->fit.order_coarse, line->fit.order_fine);
  }
}

dls_status dls_order_write_report(const dls_order_study *study, FILE *out)
{
  dls_table_provenance(study, out);
  dls_table_timing(study, out);
  dls_table_all_failures(study, out);
  for (size_t i = 0; i < study->line_count; i++) {
    const dls_order_line *line = &study->lines[i];
    char lead[DLS_LABEL_ROOM + 80];
    dls_table_warning_lead(study, line, lead, sizeof lead);
    put_warnings(line, lead, out);
  }
  return dls_table_status(out);
}

static dls_status put_levels(const dls_order_study *study, const dls_order_line *line, FILE *out)
{
  double last_step = NAN, last_median = NAN;
  fprintf(out, "  %12s  %12s  %12s  %6s\n", "median step", "median error", "worst error", "order");
  for (size_t i = 0; i < study->spec.levels; i++) {
    dls_order_level level;
    if (dls_order_level_of(study, line, i, DLS_AGAINST_STEP, &level, NULL) != DLS_OK) {
      return DLS_ERR_MEMORY;
    }
    if (level.runs == 0) {
      continue; /* interrupted before this level */
    }
    fprintf(out, "  %12.4g  %12.4e  %12.4e", level.x, level.median, level.max);
    const double order = dls_pairwise_order(last_step, last_median, level.x, level.median);
    if (isfinite(order)) {
      fprintf(out, "  %6.2f", order);
    }
    if (level.failures > 0) {
      fprintf(out, "%s  %zu of %zu runs failed", isfinite(order) ? "" : "        ", level.failures, level.runs);
    }
    fputc('\n', out);
    last_step = level.x;
    last_median = level.median;
  }
  return DLS_OK;
}

static dls_status put_by_event(const dls_order_study *study, const dls_order_line *line, FILE *out)
{
  dls_order_level level;
  const dls_status status = dls_order_level_of(study, line, 0, DLS_AGAINST_STEP, &level, NULL);
  if (status == DLS_OK && level.runs > level.failures) {
    fprintf(out, "  error %.4e (chooses its own steps)", level.median);
    if (level.median < study->reference_error) {
      fprintf(out, ", less than that of the reference, %.2g", study->reference_error);
    }
    fputc('\n', out);
  }
  return status;
}

static dls_status put_line(const dls_order_study *study, const dls_order_line *line, FILE *out)
{
  char label[DLS_LABEL_ROOM];
  dls_order_scheme_label(study, line->scheme, label, sizeof label);
  fprintf(out, "%s, %s of %s\n", label, study->spec.norms[line->norm]->name, study->spec.of[line->of]);
  const bool by_event = dls_order_by_event(study, line);
  const dls_status status = by_event ? put_by_event(study, line, out) : put_levels(study, line, out);
  if (line->fitted) {
    fprintf(out, "  order %.3f, 95 %% interval [%.3f, %.3f], %zu runs, steps %.3g to %.3g s\n", line->fit.order,
            line->fit.ci_low, line->fit.ci_high, line->fit.points, line->fit.h_max, line->fit.h_min);
  } else if (!by_event) {
    fprintf(out, "  no order: %s\n", line->reason);
  }
  put_warnings(line, "  warning: ", out);
  dls_table_failure_reasons(study, line, "  failed: ", out);
  fputc('\n', out);
  return status;
}

dls_status dls_order_write_table(const dls_order_study *study, FILE *out)
{
  fprintf(out, "%s on [0, %g] s; reference: %s\n\n", study->spec.model->name, study->spec.end,
          study->reference);
  for (size_t i = 0; i < study->line_count; i++) {
    const dls_status status = put_line(study, &study->lines[i], out);
    if (status != DLS_OK) {
      return status;
    }
  }
  char missing[100];
  dls_table_incomplete(study, missing, sizeof missing);
  if (missing[0] != '\0') {
    fprintf(out, "%s\n", missing);
  }
  return dls_table_status(out);
}
