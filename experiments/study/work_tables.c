/* experiments/study/work_tables.c -- a work-precision study as CSV, as a report, and as a table for people.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/study/study_tables.h"
#include <delassus/work.h>
#include <math.h>

/* The study itself makes a load of 1; half a process more in the mean of a minute disturbs. */
static const double busy_load = 1.5;

/* The work of a run: columns steps to wall_seconds. */
static void put_work(const dls_order_point *point, FILE *out)
{
  const dls_work *work = &point->work;
  const size_t counts[] = {
      work->steps,       work->rejected,   (size_t)dls_order_abscissa(point, DLS_AGAINST_PROBLEMS),
      work->force_evals, work->lcp_solves, work->factorizations};
  for (size_t j = 0; j < sizeof counts / sizeof counts[0]; j++) {
    fprintf(out, ",%zu", counts[j]);
  }
  dls_table_number(out, work->wall_seconds);
}

dls_status dls_work_write_errors(const dls_work_study *study, FILE *out)
{
  const dls_order_spec *spec = &study->runs->spec;
  fputs("model,scheme,options,step,tol,norm,of,error,bound,steps,rejected,problems,force_evals,lcp_solves,"
        "factorizations,wall_seconds\n",
        out);
  for (size_t i = 0; i < study->runs->point_count; i++) {
    const dls_order_point *point = &study->runs->points[i];
    const dls_scheme_choice *choice = &spec->schemes[point->scheme];
    fprintf(out, "%s,%s,", spec->model->name, choice->scheme->name);
    dls_table_field(out, choice->options);
    dls_table_number(out, point->step);
    dls_table_number(out, point->tol);
    fprintf(out, ",%s,%s", spec->norms[point->norm]->name, spec->of[point->of]);
    dls_table_number(out, point->error.value);
    dls_table_number(out, point->error.bound);
    put_work(point, out);
    fputc('\n', out);
  }
  return dls_table_end(study->runs, out);
}

dls_status dls_work_write_slopes(const dls_work_study *study, FILE *out)
{
  const dls_order_spec *spec = &study->runs->spec;
  fputs("model,scheme,options,norm,of,work,slope,ci_low,ci_high,work_min,work_max,points,reason\n", out);
  for (size_t i = 0; i < study->line_count; i++) {
    const dls_order_line *line = &study->lines[i];
    const dls_scheme_choice *choice = &spec->schemes[line->scheme];
    fprintf(out, "%s,%s,", spec->model->name, choice->scheme->name);
    dls_table_field(out, choice->options);
    fprintf(out, ",%s,%s,%s", spec->norms[line->norm]->name, spec->of[line->of], dls_work_name(study->against));
    const double numbers[] = {line->fit.order, line->fit.ci_low, line->fit.ci_high, line->fit.h_min,
                              line->fit.h_max};
    for (size_t j = 0; j < sizeof numbers / sizeof numbers[0]; j++) {
      dls_table_number(out, numbers[j]);
    }
    fprintf(out, ",%zu,", line->fit.points);
    dls_table_field(out, line->reason);
    fputc('\n', out);
  }
  return dls_table_end(study->runs, out);
}

/* How the seconds were taken, and whether the machine had other things to do. */
static void put_timing(const dls_work_study *study, FILE *out)
{
  const double load = dls_table_timing(study->runs, out);
  if (study->against == DLS_AGAINST_SECONDS && load > busy_load) {
    fputs("warning: other processes ran beside the study: the seconds may be too many\n", out);
  }
}

static void put_warnings(const dls_order_line *line, const char *lead, FILE *out)
{
  dls_table_floor_warning(line, lead, out);
  if (line->fitted && line->fit.warn_preasymptotic) {
    fprintf(out, "%sthe slope changes from %.2f (little work) to %.2f (much work)\n", lead,
            line->fit.order_fine, line->fit.order_coarse);
  }
}

dls_status dls_work_write_report(const dls_work_study *study, FILE *out)
{
  dls_table_provenance(study->runs, out);
  fprintf(out, "work: %s\n", dls_work_text(study->against));
  put_timing(study, out);
  dls_table_all_failures(study->runs, out);
  for (size_t i = 0; i < study->line_count; i++) {
    char lead[DLS_LABEL_ROOM + 80];
    dls_table_warning_lead(study->runs, &study->lines[i], lead, sizeof lead);
    put_warnings(&study->lines[i], lead, out);
  }
  return dls_table_status(out);
}

static dls_status put_levels(const dls_work_study *study, const dls_order_line *line, FILE *out)
{
  const bool by_tolerance = dls_order_by_event(study->runs, line);
  fprintf(out, "  %12s  %12s  %12s  %12s\n", by_tolerance ? "tolerance" : "median step", "median error",
          "worst error", dls_work_name(study->against));
  for (size_t i = 0; i < dls_order_level_count(study->runs, line); i++) {
    dls_order_level level, work;
    if (dls_order_level_of(study->runs, line, i, DLS_AGAINST_STEP, &level, NULL) != DLS_OK ||
        dls_order_level_of(study->runs, line, i, study->against, &work, NULL) != DLS_OK) {
      return DLS_ERR_MEMORY;
    }
    if (level.runs == 0) {
      continue; /* interrupted before this level */
    }
    char x[40] = "own"; /* a scheme that chooses its steps, run once with its own tolerance */
    if (!isnan(level.x)) {
      snprintf(x, sizeof x, "%.4g", level.x);
    }
    fprintf(out, "  %12s  %12.4e  %12.4e  %12.5g", x, level.median, level.max, work.x);
    if (level.failures > 0) {
      fprintf(out, "  %zu of %zu runs failed", level.failures, level.runs);
    }
    fputc('\n', out);
  }
  return DLS_OK;
}

static dls_status put_line(const dls_work_study *study, const dls_order_line *line, FILE *out)
{
  const dls_order_spec *spec = &study->runs->spec;
  char label[DLS_LABEL_ROOM];
  dls_order_scheme_label(study->runs, line->scheme, label, sizeof label);
  fprintf(out, "%s, %s of %s\n", label, spec->norms[line->norm]->name, spec->of[line->of]);
  const dls_status status = put_levels(study, line, out);
  if (line->fitted) {
    fprintf(out, "  slope %.3f, 95 %% interval [%.3f, %.3f], %zu runs\n", line->fit.order, line->fit.ci_low,
            line->fit.ci_high, line->fit.points);
  } else {
    fprintf(out, "  no slope: %s\n", line->reason);
  }
  put_warnings(line, "  warning: ", out);
  dls_table_failure_reasons(study->runs, line, "  failed: ", out);
  fputc('\n', out);
  return status;
}

dls_status dls_work_write_table(const dls_work_study *study, FILE *out)
{
  const dls_order_study *runs = study->runs;
  fprintf(out, "%s on [0, %g] s; reference: %s\nwork: %s\n\n", runs->spec.model->name, runs->spec.end,
          runs->reference, dls_work_text(study->against));
  for (size_t i = 0; i < study->line_count; i++) {
    const dls_status status = put_line(study, &study->lines[i], out);
    if (status != DLS_OK) {
      return status;
    }
  }
  char missing[100];
  dls_table_incomplete(runs, missing, sizeof missing);
  if (missing[0] != '\0') {
    fprintf(out, "%s\n", missing);
  }
  return dls_table_status(out);
}
