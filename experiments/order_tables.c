/* experiments/order_tables.c -- a convergence study as CSV, as a report, and as a table for people.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/order_levels.h"
#include <math.h>
#include <string.h>
#include <time.h>

#ifdef __clang__
#define COMPILER_NAME ""
#else
#define COMPILER_NAME "gcc "
#endif

enum { LABEL_ROOM = 320 };

static dls_status check_stream(FILE *out)
{
  return ferror(out) ? DLS_ERR_IO : DLS_OK;
}

/* A CSV field, quoted where it must be (RFC 4180). */
static void put_field(FILE *out, const char *text)
{
  if (strpbrk(text, ",\"\r\n") == NULL) {
    fputs(text, out);
    return;
  }
  fputc('"', out);
  for (const char *c = text; *c != '\0'; c++) {
    fputs(*c == '"' ? "\"\"" : (char[]){*c, '\0'}, out);
  }
  fputc('"', out);
}

static void put_number(FILE *out, double x)
{
  if (isnan(x)) {
    fputs(",nan", out); /* never "-nan" */
  } else {
    fprintf(out, ",%.17g", x);
  }
}

dls_status dls_order_write_errors(const dls_order_study *study, FILE *out)
{
  const dls_order_spec *spec = &study->spec;
  fputs("model,scheme,options,step,norm,of,error,bound,steps,force_evals,lcp_solves,wall_seconds\n", out);
  for (size_t i = 0; i < study->point_count; i++) {
    const dls_order_point *point = &study->points[i];
    const dls_scheme_choice *choice = &spec->schemes[point->scheme];
    fprintf(out, "%s,%s,", spec->model->name, choice->scheme->name);
    put_field(out, choice->options);
    put_number(out, point->step);
    fprintf(out, ",%s,%s", spec->norms[point->norm]->name, spec->of[point->of]);
    put_number(out, point->error.value);
    put_number(out, point->error.bound);
    fprintf(out, ",%zu,%zu,%zu", point->work.steps, point->work.force_evals, point->work.lcp_solves);
    put_number(out, point->work.wall_seconds);
    fputc('\n', out);
  }
  return check_stream(out);
}

dls_status dls_order_write_orders(const dls_order_study *study, FILE *out)
{
  fputs("model,scheme,norm,of,order,ci_low,ci_high,h_max,h_min,points\n", out);
  for (size_t i = 0; i < study->line_count; i++) {
    const dls_order_line *line = &study->lines[i];
    char label[LABEL_ROOM];
    dls_order_scheme_label(study, line->scheme, label, sizeof label);
    fprintf(out, "%s,", study->spec.model->name);
    put_field(out, label);
    fprintf(out, ",%s,%s", study->spec.norms[line->norm]->name, study->spec.of[line->of]);
    const double numbers[] = {line->fit.order, line->fit.ci_low, line->fit.ci_high, line->fit.h_max,
                              line->fit.h_min};
    for (size_t j = 0; j < sizeof numbers / sizeof numbers[0]; j++) {
      put_number(out, numbers[j]);
    }
    fprintf(out, ",%zu\n", line->fit.points);
  }
  return check_stream(out);
}

static void put_cpu(FILE *out)
{
  char text[256];
  bool found = false;
  FILE *info = fopen("/proc/cpuinfo", "r");
  while (info != NULL && !found && fgets(text, sizeof text, info) != NULL) {
    const char *colon = strchr(text, ':');
    found = strncmp(text, "model name", 10) == 0 && colon != NULL;
    if (found) {
      fprintf(out, "cpu:%s", colon + 1); /* the line ends itself */
    }
  }
  if (info != NULL) {
    fclose(info);
  }
  if (!found) {
    fputs("cpu: unknown\n", out);
  }
}

static void put_provenance(const dls_order_study *study, FILE *out)
{
  const dls_order_spec *spec = &study->spec;
  const time_t now = time(NULL);
  struct tm date;
  char text[40] = "";
  if (gmtime_r(&now, &date) != NULL) {
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &date);
  }
  fprintf(out, "version: delassus %s\ncompiler: " COMPILER_NAME "%s\n", DLS_VERSION, __VERSION__);
  put_cpu(out);
  fprintf(out, "date: %s\nmodel: %s\n", text, spec->model->name);
  for (size_t i = 0; spec->model->parameters[i].name != NULL; i++) {
    char value[40];
    dls_option_format(&spec->model->parameters[i], spec->parameters[i], value, sizeof value);
    fprintf(out, "parameter: %s=%s [%s]\n", spec->model->parameters[i].name, value,
            spec->model->parameters[i].unit);
  }
  for (size_t i = 0; i < spec->scheme_count; i++) {
    const dls_scheme_choice *choice = &spec->schemes[i];
    fprintf(out, "scheme: %s%s%s\n", choice->scheme->name, choice->options[0] != '\0' ? ":" : "",
            choice->options);
  }
  fprintf(out, "end: %.17g s\nsteps: %.17g to %.17g s, %zu levels, %zu runs each%s\nseed: %lu\n", spec->end,
          spec->h_first, spec->h_last, spec->levels, spec->repeats,
          spec->repeats > 1 ? " with randomised steps" : " with the steps as they are", spec->seed);
  fprintf(out, "metric: time scale %.17g, value scale %.17g, accuracy %.17g\n", spec->metric.time_scale,
          spec->metric.value_scale, spec->metric.accuracy);
  fprintf(out, "reference: %s\nreference error: %.3g\n", study->reference, study->reference_error);
  fprintf(out, "complete: %s\n", study->complete ? "yes" : "no, interrupted");
}

/* The failed runs of one line with their reasons. @return their number */
static size_t put_failures(const dls_order_study *study, const dls_order_line *line, const char *lead,
                           FILE *out)
{
  size_t failures = 0;
  for (size_t i = 0; i < study->point_count; i++) {
    const dls_order_point *point = &study->points[i];
    if (!dls_order_on_line(point, line) || isfinite(point->error.value)) {
      continue;
    }
    char label[LABEL_ROOM], step[40] = "";
    dls_order_scheme_label(study, point->scheme, label, sizeof label);
    if (!isnan(point->step)) {
      snprintf(step, sizeof step, ", step %.6g s", point->step);
    }
    fprintf(out, "%s%s%s, %s of %s: %s\n", lead, label, step, study->spec.norms[point->norm]->name,
            study->spec.of[point->of], point->reason[0] != '\0' ? point->reason : "the error is not finite");
    failures++;
  }
  return failures;
}

static void put_warnings(const dls_order_line *line, const char *lead, FILE *out)
{
  if (line->fit.warn_floor) {
    fprintf(out,
            "%s%zu errors are at the floor (100 times rounding or the error of the reference) and left out\n",
            lead, line->fit.dropped_floor);
  }
  if (line->fit.warn_preasymptotic) {
    fprintf(out,
            "%sthe order changes from %.2f (coarse half) to %.2f (fine half): not in the asymptotic range\n",
            lead, line->fit.order_coarse, line->fit.order_fine);
  }
}

dls_status dls_order_write_report(const dls_order_study *study, FILE *out)
{
  put_provenance(study, out);
  size_t failures = 0;
  for (size_t i = 0; i < study->line_count; i++) {
    failures += put_failures(study, &study->lines[i], "failed: ", out);
  }
  fprintf(out, "failures: %zu\n", failures);
  for (size_t i = 0; i < study->line_count; i++) {
    const dls_order_line *line = &study->lines[i];
    char label[LABEL_ROOM], lead[LABEL_ROOM + 80];
    dls_order_scheme_label(study, line->scheme, label, sizeof label);
    snprintf(lead, sizeof lead, "warning: %s, %s of %s: ", label, study->spec.norms[line->norm]->name,
             study->spec.of[line->of]);
    put_warnings(line, lead, out);
  }
  return check_stream(out);
}

static dls_status put_levels(const dls_order_study *study, const dls_order_line *line, FILE *out)
{
  double last_step = NAN, last_median = NAN;
  fprintf(out, "  %12s  %12s  %12s  %6s\n", "median step", "median error", "worst error", "order");
  for (size_t i = 0; i < study->spec.levels; i++) {
    dls_order_level level;
    if (dls_order_level_of(study, line, i, &level, NULL) != DLS_OK) {
      return DLS_ERR_MEMORY;
    }
    if (level.runs == 0) {
      continue; /* interrupted before this level */
    }
    fprintf(out, "  %12.4g  %12.4e  %12.4e", level.step, level.median, level.max);
    const double order = dls_pairwise_order(last_step, last_median, level.step, level.median);
    if (isfinite(order)) {
      fprintf(out, "  %6.2f", order);
    }
    if (level.failures > 0) {
      fprintf(out, "%s  %zu of %zu runs failed", isfinite(order) ? "" : "        ", level.failures, level.runs);
    }
    fputc('\n', out);
    last_step = level.step;
    last_median = level.median;
  }
  return DLS_OK;
}

static dls_status put_by_event(const dls_order_study *study, const dls_order_line *line, FILE *out)
{
  dls_order_level level;
  const dls_status status = dls_order_level_of(study, line, 0, &level, NULL);
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
  char label[LABEL_ROOM];
  dls_order_scheme_label(study, line->scheme, label, sizeof label);
  fprintf(out, "%s, %s of %s\n", label, study->spec.norms[line->norm]->name, study->spec.of[line->of]);
  const bool by_event = dls_order_by_event(study, line);
  const dls_status status = by_event ? put_by_event(study, line, out) : put_levels(study, line, out);
  if (line->fitted) {
    fprintf(out, "  order %.3f, 95 %% interval [%.3f, %.3f], %zu runs, steps %.3g to %.3g s\n", line->fit.order,
            line->fit.ci_low, line->fit.ci_high, line->fit.points, line->fit.h_max, line->fit.h_min);
  } else if (!by_event) {
    fputs("  no order: fewer than 3 errors above the floor at 2 different steps\n", out);
  }
  put_warnings(line, "  warning: ", out);
  put_failures(study, line, "  failed: ", out);
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
  if (!study->complete) {
    fputs("interrupted: only what was finished is listed\n", out);
  }
  return check_stream(out);
}
