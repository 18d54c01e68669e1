/* experiments/measures/order/study_tables.c -- provenance, timings and failed runs in the tables of studies.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/order/study_tables.h"
#include "experiments/campaign/machine.h"
#include "experiments/campaign/provenance.h"

#include "common/base/text.h"
#include <math.h>
#include <string.h>
#include <time.h>

dls_status dls_table_end(const dls_order_study *study, FILE *out)
{
  dls_provenance_stamp(study->spec.catalogue, out);
  return dls_table_status(out);
}

/* "steps: 0.1 to 0.001 s, 8 levels, 6 runs each with randomised steps" */
static void put_sequence(const char *what, double first, double last, const char *unit, size_t levels,
                         size_t repeats, FILE *out)
{
  if (levels > 0) {
    fprintf(out, "%s: %.17g to %.17g%s%s, %zu levels, %zu runs each with %s%s%s\n", what, first, last,
            unit[0] != '\0' ? " " : "", unit, levels, repeats, repeats > 1 ? "randomised " : "the ", what,
            repeats > 1 ? "" : " as they are");
  }
}

void dls_table_provenance(const dls_order_study *study, FILE *out)
{
  const dls_order_spec *spec = &study->spec;
  const time_t now = time(NULL);
  struct tm date;
  char text[40] = "";
  if (gmtime_r(&now, &date) != NULL) {
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &date);
  }
  char cpu[DLS_CPU_ROOM];
  dls_machine_cpu(cpu, sizeof cpu);
  fprintf(out, "version: delassus %s\n", DLS_VERSION);
  dls_provenance_write(spec->catalogue, "", out);
  fprintf(out, "cpu: %s\ndate: %s\nmodel: %s\n", cpu, text, spec->model->name);
  if (spec->model->origin != NULL) {
    fputs("files: ", out);
    dls_text_put_on_one_line(out, spec->model->origin);
    fputc('\n', out);
  }
  for (size_t i = 0; i < dls_option_count(spec->model->parameters); i++) {
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
  fprintf(out, "end: %.17g s\n", spec->end);
  put_sequence("steps", spec->h_first, spec->h_last, "s", spec->levels, spec->repeats, out);
  put_sequence("tolerances", spec->tol_first, spec->tol_last, "", spec->tol_levels, spec->repeats, out);
  fprintf(out, "seed: %lu\n", spec->seed);
  fprintf(out, "metric: time scale %.17g, value scale %.17g, accuracy %.17g\n", spec->metric.time_scale,
          spec->metric.value_scale, spec->metric.accuracy);
  fprintf(out, "reference: %s\nreference error: %.3g\n", study->reference, study->reference_error);
  for (size_t i = 0; study->limit != NULL && i < spec->scheme_count; i++) {
    char label[DLS_LABEL_ROOM];
    dls_order_scheme_label(study, i, label, sizeof label);
    fprintf(out, "limit model: %s: %s\n", label,
            study->limit->lines[i * spec->norm_count * spec->of_count].limit);
  }
  if (study->out_of_memory > 0) {
    fprintf(out, "complete: no, there was no memory for %zu runs\n", study->out_of_memory);
  } else {
    fprintf(out, "complete: %s\n", study->complete ? "yes" : "no, interrupted");
  }
}

void dls_table_incomplete(const dls_order_study *study, char *text, size_t size)
{
  if (study->out_of_memory > 0) {
    snprintf(text, size, "there was no memory for %zu runs: only the others are listed", study->out_of_memory);
  } else {
    snprintf(text, size, "%s", study->complete ? "" : "interrupted: only what was finished is listed");
  }
}

/* Runs without seconds. */
static size_t count_untimed(const dls_order_study *study)
{
  size_t count = 0;
  for (size_t i = 0; i < study->point_count; i++) {
    const dls_order_point *point = &study->points[i];
    count += point->norm == 0 && point->of == 0 && isnan(point->work.wall_seconds);
  }
  return count;
}

double dls_table_timing(const dls_order_study *study, FILE *out)
{
  const size_t timings = study->spec.timings, untimed = count_untimed(study);
  const size_t jobs = study->spec.jobs > 1 ? study->spec.jobs : 1;
  const double load = dls_machine_load();
  fputs("wall_seconds: ", out);
  if (timings > 0) {
    fprintf(out, "median of %zu runs without record, after one that warms up", timings);
  } else {
    fputs("of one run with its record", out);
  }
  if (untimed > 0) {
    fprintf(out, "; nan for %zu runs that %s", untimed, timings > 0 ? "were not timed" : "went beside others");
  }
  fprintf(out, "\nconcurrent runs: %zu%s", jobs, jobs > 1 && timings > 0 ? ", when timed 1" : "");
  if (study->spec.merged > 0) {
    fprintf(out, " in each of the parts, merged from %zu files", study->spec.merged);
  }
  fputc('\n', out);
  fprintf(out, "processors: %ld\nload: %.2f, mean of the last minute\n", dls_machine_processors(), load);
  return load;
}

static bool failed_on(const dls_order_point *point, const dls_order_line *line)
{
  return dls_order_on_line(point, line) && !isfinite(point->error.value);
}

static void put_failure(const dls_order_study *study, const dls_order_point *point, const char *lead, FILE *out)
{
  char label[DLS_LABEL_ROOM], step[40] = "";
  dls_order_scheme_label(study, point->scheme, label, sizeof label);
  if (!isnan(point->step)) {
    snprintf(step, sizeof step, ", step %.6g s", point->step);
  }
  if (!isnan(point->tol)) {
    snprintf(step, sizeof step, ", tolerance %.6g", point->tol);
  }
  fprintf(out, "%s%s%s, %s of %s: %s\n", lead, label, step, study->spec.norms[point->norm]->name,
          study->spec.of[point->of], point->reason[0] != '\0' ? point->reason : "the error is not finite");
}

void dls_table_failure_reasons(const dls_order_study *study, const dls_order_line *line, const char *lead,
                               FILE *out)
{
  const dls_order_point *reported = NULL;
  size_t more = 0;
  for (size_t i = 0; i <= study->point_count; i++) {
    const dls_order_point *point = i < study->point_count ? &study->points[i] : NULL;
    if (point != NULL && !failed_on(point, line)) {
      continue;
    }
    if (point != NULL && reported != NULL && strcmp(point->reason, reported->reason) == 0) {
      more++;
      continue;
    }
    if (more > 0) {
      fprintf(out, "%s%zu more run%s for the same reason\n", lead, more, more > 1 ? "s" : "");
    }
    if (point != NULL) {
      put_failure(study, point, lead, out);
    }
    reported = point;
    more = 0;
  }
}

void dls_table_all_failures(const dls_order_study *study, FILE *out)
{
  size_t failures = 0;
  for (size_t i = 0; i < study->line_count; i++) {
    for (size_t j = 0; j < study->point_count; j++) {
      if (failed_on(&study->points[j], &study->lines[i])) {
        put_failure(study, &study->points[j], "failed: ", out);
        failures++;
      }
    }
  }
  fprintf(out, "failures: %zu\n", failures);
}

void dls_table_warning_lead(const dls_order_study *study, const dls_order_line *line, char *text, size_t size)
{
  char label[DLS_LABEL_ROOM];
  dls_order_scheme_label(study, line->scheme, label, sizeof label);
  snprintf(text, size, "warning: %s, %s of %s: ", label, study->spec.norms[line->norm]->name,
           study->spec.of[line->of]);
}

void dls_table_floor_warning(const dls_order_line *line, const char *lead, FILE *out)
{
  if (line->fit.warn_floor) {
    fprintf(out,
            "%s%zu errors are at the floor (100 times rounding or the error of the reference) and left out\n",
            lead, line->fit.dropped_floor);
  }
}
