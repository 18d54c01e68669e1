/* experiments/measures/order/errors_tables.c -- a study of errors, against the step or against work: as CSV, as a report, and as a
 * table for people.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/extra/foreign/external.h"
#include "experiments/measures/order/order_contacts.h"
#include "experiments/measures/order/order_derivatives.h"
#include "experiments/measures/order/published_order.h"
#include "experiments/measures/order/study_tables.h"
#include <math.h>
#include <stddef.h>

/* The study itself is a load of 1. A mean load of half a process more over a minute disturbs timings. */
static const double busy_load = 1.5;

/* --- CSV: columns that hold a member of a point or of a line --- */

#define POINT(name, kind, member)                                                                              \
  {                                                                                                            \
    name, kind, offsetof(dls_order_point, member)                                                              \
  }
#define LINE(name, kind, member)                                                                               \
  {                                                                                                            \
    name, kind, offsetof(dls_order_line, member)                                                               \
  }

static const dls_table_column step_column[] = {POINT("step", DLS_TABLE_REAL, step), {0}};
static const dls_table_column abscissa_columns[] = {
    POINT("step", DLS_TABLE_REAL, step), POINT("tol", DLS_TABLE_REAL, tol), {0}};
static const dls_table_column error_columns[] = {POINT("error", DLS_TABLE_REAL, error.value),
                                                 POINT("bound", DLS_TABLE_REAL, error.bound),
                                                 POINT("steps", DLS_TABLE_COUNT, work.steps),
                                                 POINT("force_evals", DLS_TABLE_COUNT, work.force_evals),
                                                 POINT("lcp_solves", DLS_TABLE_COUNT, work.lcp_solves),
                                                 POINT("wall_seconds", DLS_TABLE_REAL, work.wall_seconds),
                                                 POINT("limit_error", DLS_TABLE_REAL, limit_error.value),
                                                 {0}};
static const dls_table_column work_columns[] = {POINT("error", DLS_TABLE_REAL, error.value),
                                                POINT("bound", DLS_TABLE_REAL, error.bound),
                                                POINT("steps", DLS_TABLE_COUNT, work.steps),
                                                POINT("rejected", DLS_TABLE_COUNT, work.rejected),
                                                POINT("problems", DLS_TABLE_COUNT, work.problems),
                                                POINT("force_evals", DLS_TABLE_COUNT, work.force_evals),
                                                POINT("lcp_solves", DLS_TABLE_COUNT, work.lcp_solves),
                                                POINT("factorizations", DLS_TABLE_COUNT, work.factorizations),
                                                POINT("wall_seconds", DLS_TABLE_REAL, work.wall_seconds),
                                                {0}};
#define CONTACT_COLUMN(member) POINT(#member, DLS_TABLE_REAL, quality.contact.member),
static const dls_table_column quality_columns[] = {
    POINT("impacts", DLS_TABLE_COUNT, quality.impacts),
    POINT("spurious_impacts", DLS_TABLE_COUNT, quality.spurious_impacts),
    POINT("restitution_min", DLS_TABLE_REAL, quality.restitution_min),
    POINT("restitution_max", DLS_TABLE_REAL, quality.restitution_max),
    POINT("worst_penetration", DLS_TABLE_REAL, quality.worst_penetration),
    POINT("drift", DLS_TABLE_REAL, quality.final_drift),
    DLS_CONTACT_QUALITY_LIST(CONTACT_COLUMN){0}};
static const dls_table_column order_columns[] = {LINE("order", DLS_TABLE_REAL, fit.order),
                                                 LINE("ci_low", DLS_TABLE_REAL, fit.ci_low),
                                                 LINE("ci_high", DLS_TABLE_REAL, fit.ci_high),
                                                 LINE("h_max", DLS_TABLE_REAL, fit.h_max),
                                                 LINE("h_min", DLS_TABLE_REAL, fit.h_min),
                                                 LINE("points", DLS_TABLE_COUNT, fit.points),
                                                 LINE("reason", DLS_TABLE_TEXT, reason),
                                                 LINE("median_order", DLS_TABLE_REAL, medians.order),
                                                 LINE("median_ci_low", DLS_TABLE_REAL, medians.ci_low),
                                                 LINE("median_ci_high", DLS_TABLE_REAL, medians.ci_high),
                                                 LINE("published", DLS_TABLE_REAL, published),
                                                 LINE("agreement", DLS_TABLE_TEXT, agreement),
                                                 {0}};
/* Of the line of the limit study. */
static const dls_table_column limit_columns[] = {LINE("limit_order", DLS_TABLE_REAL, fit.order),
                                                 LINE("limit_ci_low", DLS_TABLE_REAL, fit.ci_low),
                                                 LINE("limit_ci_high", DLS_TABLE_REAL, fit.ci_high),
                                                 LINE("limit_reason", DLS_TABLE_TEXT, reason),
                                                 LINE("plateau", DLS_TABLE_REAL, plateau),
                                                 LINE("limit", DLS_TABLE_TEXT, limit),
                                                 {0}};
/* Of derivatives, where the study has any: the last columns. */
static const dls_table_column derivative_points[] = {
    POINT("value", DLS_TABLE_REAL, value), POINT("exact", DLS_TABLE_REAL, exact), {0}};
static const dls_table_column derivative_lines[] = {
    LINE("verdict", DLS_TABLE_TEXT, verdict), LINE("sign_share", DLS_TABLE_REAL, sign_share), {0}};
static const dls_table_column slope_columns[] = {
    LINE("slope", DLS_TABLE_REAL, fit.order),     LINE("ci_low", DLS_TABLE_REAL, fit.ci_low),
    LINE("ci_high", DLS_TABLE_REAL, fit.ci_high), LINE("work_min", DLS_TABLE_REAL, fit.h_min),
    LINE("work_max", DLS_TABLE_REAL, fit.h_max),  LINE("points", DLS_TABLE_COUNT, fit.points),
    LINE("reason", DLS_TABLE_TEXT, reason),       {0}};

static void put_scheme(const dls_order_study *study, size_t scheme, FILE *out)
{
  const dls_scheme_choice *choice = &study->spec.schemes[scheme];
  dls_table_field(out, study->spec.model->name); /* "MODEL with law NAME:e=1,mu=0" has a comma */
  fprintf(out, ",%s,", choice->scheme->name);
  dls_table_field(out, choice->options);
}

/* @param[in] after  norm and quantity; without a norm there is a row for each run that reports its contacts, else one for each
 * error */
static dls_status write_points(const dls_order_study *study, const dls_table_column *before, bool normed,
                               const dls_table_column *after, FILE *out)
{
  const bool derivatives = normed && dls_order_differentiates(&study->spec);
  fputs("model,scheme,options", out);
  dls_table_names(before, out);
  fputs(normed ? ",norm,of" : "", out);
  dls_table_names(after, out);
  if (derivatives) {
    dls_table_names(derivative_points, out);
  }
  fputc('\n', out);
  for (size_t i = 0; i < study->point_count; i++) {
    dls_order_point point = study->points[i];
    const bool has_quality = normed || dls_external_of(study->spec.schemes[point.scheme].scheme) == NULL;
    if (!has_quality || (!normed && (point.norm != 0 || point.of != 0))) {
      continue;
    }
    point.work.problems = (size_t)dls_order_abscissa(&point, DLS_AGAINST_PROBLEMS);
    put_scheme(study, point.scheme, out);
    dls_table_cells(before, &point, out);
    if (normed) {
      fprintf(out, ",%s,%s", study->spec.norms[point.norm]->name, study->spec.of[point.of]);
    }
    dls_table_cells(after, &point, out);
    if (derivatives) {
      dls_table_cells(derivative_points, &point, out);
    }
    fputc('\n', out);
  }
  return dls_table_end(study, out);
}

dls_status dls_order_write_errors(const dls_order_study *study, FILE *out)
{
  return write_points(study, step_column, true, error_columns, out);
}

dls_status dls_work_write_errors(const dls_work_study *study, FILE *out)
{
  return write_points(study->runs, abscissa_columns, true, work_columns, out);
}

dls_status dls_order_write_quality(const dls_order_study *study, FILE *out)
{
  return write_points(study, step_column, false, quality_columns, out);
}

/* The line of the same scheme, norm and quantity against the limit model; NULL without such errors. */
static const dls_order_line *limit_line(const dls_order_study *study, const dls_order_line *line)
{
  return study->limit != NULL ? &study->limit->lines[line - study->lines] : NULL;
}

dls_status dls_order_write_orders(const dls_order_study *study, FILE *out)
{
  const dls_order_line none = {.fit = {.order = NAN, .ci_low = NAN, .ci_high = NAN}, .plateau = NAN};
  fputs("model,scheme,norm,of", out);
  dls_table_names(order_columns, out);
  dls_table_names(limit_columns, out);
  const bool derivatives = dls_order_differentiates(&study->spec);
  if (derivatives) {
    dls_table_names(derivative_lines, out);
  }
  fputc('\n', out);
  for (size_t i = 0; i < study->line_count; i++) {
    const dls_order_line *line = &study->lines[i];
    char label[DLS_LABEL_ROOM];
    dls_order_scheme_label(study, line->scheme, label, sizeof label);
    dls_table_field(out, study->spec.model->name);
    fputc(',', out);
    dls_table_field(out, label);
    fprintf(out, ",%s,%s", study->spec.norms[line->norm]->name, study->spec.of[line->of]);
    const dls_order_line *limit = limit_line(study, line);
    dls_table_cells(order_columns, line, out);
    dls_table_cells(limit_columns, limit != NULL ? limit : &none, out);
    if (derivatives) {
      dls_table_cells(derivative_lines, line, out);
    }
    fputc('\n', out);
  }
  return dls_table_end(study, out);
}

dls_status dls_work_write_slopes(const dls_work_study *study, FILE *out)
{
  const dls_order_spec *spec = &study->runs->spec;
  fputs("model,scheme,options,norm,of,work", out);
  dls_table_names(slope_columns, out);
  fputc('\n', out);
  for (size_t i = 0; i < study->line_count; i++) {
    const dls_order_line *line = &study->lines[i];
    put_scheme(study->runs, line->scheme, out);
    fprintf(out, ",%s,%s,%s", spec->norms[line->norm]->name, spec->of[line->of], dls_work_name(study->against));
    dls_table_cells(slope_columns, line, out);
    fputc('\n', out);
  }
  return dls_table_end(study->runs, out);
}

/* --- study.txt --- */

static bool by_step(const dls_work_study *study)
{
  return study->against == DLS_AGAINST_STEP;
}

static void put_warnings(const dls_work_study *study, const dls_order_line *line, const char *lead, FILE *out)
{
  const dls_fit *fit = &line->fit;
  dls_table_floor_warning(line, lead, out);
  if (line->exploded > 0) {
    fprintf(
        out,
        "%s%zu runs explode and are left out: errors of more than ten times the solution, from %s %.3g up\n",
        lead, line->exploded, by_step(study) ? "step" : dls_work_name(study->against), line->exploded_from);
  }
  if (line->fitted && by_step(study) && fit->ci_high < 0) {
    fprintf(out, "%sthe smaller the step, the larger the error\n", lead);
  }
  if (fit->warn_preasymptotic && by_step(study)) {
    fprintf(out,
            "%sthe order changes from %.2f (coarse half) to %.2f (fine half): not in the asymptotic range\n",
            lead, fit->order_coarse, fit->order_fine);
  } else if (fit->warn_preasymptotic && line->fitted) {
    fprintf(out, "%sthe slope changes from %.2f (little work) to %.2f (much work)\n", lead, fit->order_fine,
            fit->order_coarse);
  }
}

dls_status dls_work_write_report(const dls_work_study *study, FILE *out)
{
  dls_table_provenance(study->runs, out);
  if (!by_step(study)) {
    fprintf(out, "work: %s\n", dls_work_text(study->against));
  }
  const double load = dls_table_timing(study->runs, out);
  if (study->against == DLS_AGAINST_SECONDS && load > busy_load) {
    fputs("warning: other processes ran beside the study: the seconds may be too many\n", out);
  }
  dls_table_all_failures(study->runs, out);
  for (size_t i = 0; i < study->line_count; i++) {
    char lead[DLS_LABEL_ROOM + 80];
    dls_table_warning_lead(study->runs, &study->lines[i], lead, sizeof lead);
    put_warnings(study, &study->lines[i], lead, out);
  }
  return dls_table_status(out);
}

dls_status dls_order_write_report(const dls_order_study *study, FILE *out)
{
  const dls_work_study view = dls_order_view(study);
  return dls_work_write_report(&view, out);
}

/* --- for people --- */

/* Of a line that is not against the limit model of the scheme itself: rigid ones are the reference. */
static bool has_own_limit(const dls_order_line *limit)
{
  return limit != NULL && limit->plateau > 0;
}

static dls_status put_limit_level(const dls_order_study *study, const dls_order_line *line, size_t level,
                                  double *last, FILE *out)
{
  dls_order_level now;
  if (dls_order_level_of(study, line, level, DLS_AGAINST_STEP, &now, NULL) != DLS_OK) {
    return DLS_ERR_MEMORY;
  }
  const double order = dls_pairwise_order(last[0], last[1], now.x, now.median);
  fprintf(out, "  %12.4e", now.median);
  if (isfinite(order)) {
    fprintf(out, "  %6.2f", order);
  }
  last[0] = now.x;
  last[1] = now.median;
  return DLS_OK;
}

static dls_status put_steps(const dls_order_study *study, const dls_order_line *line, FILE *out)
{
  double last_step = NAN, last_median = NAN, last_limit[2] = {NAN, NAN};
  const dls_order_line *limit = limit_line(study, line);
  fprintf(out, "  %12s  %12s  %12s  %6s", "median step", "median error", "worst error", "order");
  fprintf(out, has_own_limit(limit) ? "  %12s  %6s\n" : "\n", "limit error", "order");
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
    if (has_own_limit(limit)) {
      fputs(isfinite(order) ? "" : "        ", out);
      if (put_limit_level(study->limit, limit, i, last_limit, out) != DLS_OK) {
        return DLS_ERR_MEMORY;
      }
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

static dls_status put_work(const dls_work_study *study, const dls_order_line *line, FILE *out)
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

/* Nothing where there is no such line, as against work. */
static void put_median_fit(const dls_order_line *line, FILE *out)
{
  const dls_median_fit *fit = &line->medians;
  if (isfinite(fit->ci_low)) {
    const int d = dls_published_order_decimals(line, fit->ci_low, fit->ci_high);
    fprintf(out, "  through the medians %.*f, 95 %% interval [%.*f, %.*f], %zu levels\n", d, fit->order, d,
            fit->ci_low, d, fit->ci_high, fit->levels);
  } else if (isfinite(fit->order)) {
    fprintf(out, "  through the medians %.3f, %zu levels\n", fit->order, fit->levels);
  }
}

static void put_agreement(const dls_order_study *study, const dls_order_line *line, FILE *out)
{
  if (line->agreement[0] != '\0') {
    char published[200];
    dls_published_order_text(dls_published_order_of(study, line), published, sizeof published);
    fprintf(out, "  %s (%s)\n", line->agreement, published);
  }
}

static void put_fit(const dls_work_study *study, const dls_order_line *line, FILE *out)
{
  const dls_fit *fit = &line->fit;
  const char *what = by_step(study) ? "order" : "slope";
  if (line->fitted) {
    const int d = dls_published_order_decimals(line, fit->ci_low, fit->ci_high);
    fprintf(out, "  %s %.*f, 95 %% interval [%.*f, %.*f], %zu runs", what, d, fit->order, d, fit->ci_low, d,
            fit->ci_high, fit->points);
    if (by_step(study)) {
      fprintf(out, ", steps %.3g to %.3g s", fit->h_max, fit->h_min);
    }
    fputc('\n', out);
    put_median_fit(line, out);
    put_agreement(study->runs, line, out);
  } else if (!by_step(study) || !dls_order_by_event(study->runs, line)) {
    fprintf(out, "  no %s: %s\n", what, line->reason);
  }
}

/* The order against the limit model, and the plateau of the errors above. */
static void put_limit(const dls_order_study *study, const dls_order_line *line, FILE *out)
{
  const dls_order_line *limit = limit_line(study, line);
  if (limit == NULL) {
    return;
  }
  fprintf(out, "  limit model: %s\n", limit->limit);
  if (has_own_limit(limit) && limit->fitted) {
    fprintf(out, "  against the limit model: order %.3f, 95 %% interval [%.3f, %.3f], %zu runs\n",
            limit->fit.order, limit->fit.ci_low, limit->fit.ci_high, limit->fit.points);
  } else if (has_own_limit(limit) && !dls_order_by_event(study, line)) {
    fprintf(out, "  no order against the limit model: %s\n", limit->reason);
  }
  if (has_own_limit(limit)) {
    fprintf(out, "  plateau %.4g: distance of the limit model from the reference\n", limit->plateau);
  }
}

/* Derivatives over the phase of the grid, and what they converge to. */
static void put_phases(const dls_order_study *study, const dls_order_line *line, FILE *out)
{
  if (dls_derivative_parameter(study->spec.of[line->of]) == NULL) {
    return;
  }
  fprintf(out, "  %12s  %12s  %12s  %12s  %s\n", "mean step", "mean", "mean error", "spread", "right signs");
  for (size_t level = 0; level < dls_order_level_count(study, line); level++) {
    const dls_order_phases phases = dls_order_phases_of(study, line, level);
    if (phases.runs > 0) {
      fprintf(out, "  %12.4g  %12.5g  %12.4e  %12.4e  %.0f %% of %zu runs\n", phases.step, phases.value,
              phases.error, phases.spread, 100 * phases.sign_share, phases.runs);
    }
  }
  if (line->verdict[0] != '\0') {
    fprintf(out, "  %s\n", line->verdict);
  }
}

static dls_status put_line(const dls_work_study *study, const dls_order_line *line, FILE *out)
{
  const dls_order_spec *spec = &study->runs->spec;
  char label[DLS_LABEL_ROOM];
  dls_order_scheme_label(study->runs, line->scheme, label, sizeof label);
  fprintf(out, "%s, %s of %s\n", label, spec->norms[line->norm]->name, spec->of[line->of]);
  const dls_status status = !by_step(study)                         ? put_work(study, line, out)
                            : dls_order_by_event(study->runs, line) ? put_by_event(study->runs, line, out)
                                                                    : put_steps(study->runs, line, out);
  put_fit(study, line, out);
  if (by_step(study)) {
    put_limit(study->runs, line, out);
    put_phases(study->runs, line, out);
  }
  put_warnings(study, line, "  warning: ", out);
  dls_table_failure_reasons(study->runs, line, "  failed: ", out);
  fputc('\n', out);
  return status;
}

/* "moreau-jean: mean 0.5, range 0.498 to 0.502, ..., 64 runs; least steps: mean 0.5, ..." */
static void put_spread(const dls_order_study *study, const dls_contact_picture *what, FILE *out)
{
  bool any = false;
  for (size_t i = 0; i < study->spec.scheme_count; i++) {
    dls_order_spread all, finest = {0};
    char label[DLS_LABEL_ROOM];
    if (dls_order_spread_of(study, &what->figure, i, SIZE_MAX, &all, NULL) != DLS_OK || all.count == 0) {
      continue;
    }
    for (size_t level = study->spec.levels; level > 0 && finest.count == 0; level--) {
      dls_order_spread_of(study, &what->figure, i, level - 1, &finest, NULL);
    }
    if (!any) {
      fprintf(out, "%s, over the phase of the grid\n", what->title);
    }
    any = true;
    dls_order_scheme_label(study, i, label, sizeof label);
    fprintf(out, "  %s: mean %.4g, range %.4g to %.4g, 90 %% within %.4g to %.4g, %zu runs", label, all.mean,
            all.low, all.high, all.quantile[0], all.quantile[2], all.count);
    fprintf(out,
            finest.count > 0 && finest.count < all.count ? "; least steps: mean %.4g, range %.4g to %.4g\n"
                                                         : "\n",
            finest.mean, finest.low, finest.high);
  }
  fputs(any ? "\n" : "", out);
}

static void put_spreads(const dls_order_study *study, FILE *out)
{
  for (size_t i = 0; i < DLS_CONTACT_PICTURES; i++) {
    if (dls_contact_pictures[i].phased) {
      put_spread(study, &dls_contact_pictures[i], out);
    }
  }
}

static void put_heading(const dls_work_study *study, FILE *out)
{
  const dls_order_study *runs = study->runs;
  fprintf(out, "%s on [0, %g] s; reference: %s\n", runs->spec.model->name, runs->spec.end, runs->reference);
  if (!by_step(study)) {
    fprintf(out, "work: %s\n", dls_work_text(study->against));
  }
  fputc('\n', out);
}

static dls_status put_lines(const dls_work_study *study, FILE *out)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; i < study->line_count && status == DLS_OK; i++) {
    status = put_line(study, &study->lines[i], out);
  }
  return status;
}

/* Contact figures over the phase of the grid, and whether runs are missing. */
static void put_end(const dls_work_study *study, FILE *out)
{
  char missing[100];
  if (by_step(study)) {
    put_spreads(study->runs, out);
  }
  dls_table_incomplete(study->runs, missing, sizeof missing);
  if (missing[0] != '\0') {
    fprintf(out, "%s\n", missing);
  }
}

dls_status dls_work_write_table(const dls_work_study *study, FILE *out)
{
  put_heading(study, out);
  const dls_status status = put_lines(study, out);
  if (status != DLS_OK) {
    return status;
  }
  put_end(study, out);
  return dls_table_status(out);
}

dls_status dls_order_write_table(const dls_order_study *study, FILE *out)
{
  const dls_work_study view = dls_order_view(study);
  return dls_work_write_table(&view, out);
}

dls_status dls_order_write_heading(const dls_order_study *study, FILE *out)
{
  const dls_work_study view = dls_order_view(study);
  put_heading(&view, out);
  return dls_table_status(out);
}

dls_status dls_order_write_levels(const dls_order_study *study, FILE *out)
{
  const dls_work_study view = dls_order_view(study);
  const dls_status status = put_lines(&view, out);
  return status == DLS_OK ? dls_table_status(out) : status;
}

/* The limit models, each once for all norms and quantities of its scheme. */
static void put_limit_names(const dls_order_study *study, FILE *out)
{
  for (size_t i = 0; i < study->line_count; i++) {
    const dls_order_line *line = &study->lines[i], *limit = limit_line(study, line);
    if (limit != NULL && line->norm == 0 && line->of == 0) {
      char label[DLS_LABEL_ROOM];
      dls_order_scheme_label(study, line->scheme, label, sizeof label);
      fprintf(out, "  limit model of %s: %s\n", label, limit->limit);
    }
  }
}

dls_status dls_order_write_notes(const dls_order_study *study, FILE *out)
{
  const dls_work_study view = dls_order_view(study);
  put_limit_names(study, out);
  for (size_t i = 0; i < study->line_count; i++) {
    put_warnings(&view, &study->lines[i], "  warning: ", out);
    dls_table_failure_reasons(study, &study->lines[i], "  failed: ", out);
  }
  fputc('\n', out);
  put_end(&view, out);
  return dls_table_status(out);
}
