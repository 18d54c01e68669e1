/* experiments/measures/order/order_journal.c -- the journal of a study of errors: its inputs as a head, and the columns of a run.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/order/order_journal.h"
#include "common/base/hash.h"
#include "common/base/text.h"
#include "experiments/campaign/machine.h"
#include "experiments/extra/foreign/external.h"
#include "experiments/measures/order/order_runs.h"
#include <delassus/catalogue.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Hash of matrices, initial data, ..., including those read from files. */
static dls_status digest_system(const dls_order_spec *spec, uint64_t *digest, dls_error *err)
{
  dls_system *sys = NULL;
  dls_status status = dls_model_create(spec->model, spec->parameters, &sys, err);
  if (status == DLS_OK) {
    status = dls_system_digest(sys, digest, err);
  }
  dls_system_destroy(sys);
  return status;
}

static void put_model(const dls_order_spec *spec, uint64_t digest, FILE *out)
{
  const dls_option *parameters = spec->model->parameters;
  fprintf(out, "# model: %s\n", spec->model->name);
  for (size_t i = 0; i < dls_option_count(parameters); i++) {
    char value[40];
    dls_option_format(&parameters[i], spec->parameters != NULL ? spec->parameters[i] : parameters[i].initial,
                      value, sizeof value);
    fprintf(out, "# parameter: %s=%s\n", parameters[i].name, value);
  }
  fprintf(out, "# system: %016" PRIx64 "%s\n", digest,
          spec->model->origin != NULL ? " (contents of the files)" : "");
}

static void put_sequence(const char *key, double first, double last, size_t levels, FILE *out)
{
  if (levels > 0) {
    fprintf(out, "# %s: %.17g to %.17g, %zu levels\n", key, first, last, levels);
  }
}

static void put_measures(const dls_order_spec *spec, FILE *out)
{
  for (size_t i = 0; i < spec->norm_count; i++) {
    fprintf(out, "# norm: %s\n", spec->norms[i]->name);
  }
  for (size_t i = 0; i < spec->of_count; i++) {
    fprintf(out, "# of: %s\n", spec->of[i]);
  }
  fprintf(out, "# metric: time scale %.17g, value scale %.17g, accuracy %.17g\n", spec->metric.time_scale,
          spec->metric.value_scale, spec->metric.accuracy);
  const bool exact = spec->reference != DLS_REFERENCE_EVENT_DRIVEN &&
                     dls_catalogue_exact(spec->catalogue, spec->model->name) != NULL;
  fprintf(out, "# reference: %s%s\n", exact ? "exact" : "event-driven",
          spec->reference == DLS_REFERENCE_LIMIT ? ", limit" : "");
  if (dls_order_differentiates(spec)) {
    fprintf(out, "# tangent: %s, delta %.17g\n", dls_tangent_kind_name(spec->tangent.kind),
            spec->tangent.delta);
  }
  if (spec->check_reference) {
    fputs("# check_reference: yes\n", out);
  }
}

static void put_start(const dls_start *start, FILE *out)
{
  if (start->tolerance > 0) {
    fprintf(out, "# start_tolerance: %.17g\n", start->tolerance);
  }
  if (start->project) {
    fputs("# project_start: yes\n", out);
  }
}

static void put_key(void *data, const char *key, const char *value)
{
  fprintf(data, "# %s: %s\n", key, value);
}

/* With the contents of the programs. */
static void put_schemes(const dls_order_spec *spec, FILE *out)
{
  for (size_t i = 0; i < spec->scheme_count; i++) {
    const dls_scheme_choice *choice = &spec->schemes[i];
    const dls_external *external = dls_external_of(choice->scheme);
    fprintf(out, "# scheme: %s%s%s\n", choice->scheme->name, choice->options[0] != '\0' ? ":" : "",
            choice->options);
    if (external != NULL) {
      dls_external_describe(external, put_key, out);
    }
  }
}

/* The last digits depend on the compiler, and a resumed study must equal an uninterrupted one. Seconds depend on the processor,
 * which is an input where they are measured. */
static void put_inputs(const dls_order_spec *spec, uint64_t digest, FILE *out)
{
  fprintf(out, "# version: delassus %s\n# compiler: %s\n", DLS_VERSION, dls_machine_compiler);
  put_model(spec, digest, out);
  put_schemes(spec, out);
  put_start(&spec->start, out);
  fprintf(out, "# end: %.17g\n", spec->end);
  if (spec->norm_count == 0) {
    return;
  }
  put_sequence("steps", spec->h_first, spec->h_last, spec->levels, out);
  put_sequence("tolerances", spec->tol_first, spec->tol_last, spec->tol_levels, out);
  fprintf(out, "# repeats: %zu\n# seed: %lu\n# timings: %zu\n", spec->repeats, spec->seed, spec->timings);
  if (spec->timings > 0) {
    char cpu[DLS_CPU_ROOM];
    dls_machine_cpu(cpu, sizeof cpu);
    fprintf(out, DLS_JOURNAL_CPU "%s\n", cpu);
  }
  put_measures(spec, out);
}

dls_status dls_order_journal_head(const dls_order_spec *spec, void (*put)(const void *data, FILE *out),
                                  const void *data, char **text, uint64_t *hash, dls_error *err)
{
  uint64_t digest = 0;
  size_t size = 0;
  *text = NULL;
  const dls_status status = digest_system(spec, &digest, err);
  if (status != DLS_OK) {
    return status;
  }
  FILE *out = dls_text_stream(text, &size);
  if (out != NULL) {
    const locale_t before = dls_text_begin_c_locale();
    fputs(DLS_JOURNAL_MAGIC DLS_JOURNAL_FORMAT "\n", out);
    put_inputs(spec, digest, out);
    if (put != NULL) {
      put(data, out);
    }
    fflush(out);
    *hash = dls_hash(DLS_HASH_START, *text, size);
    fprintf(out, "# hash: %016" PRIx64 "\n", *hash);
    dls_text_end_c_locale(before);
  }
  if (out == NULL || fclose(out) != 0) {
    free(*text);
    *text = NULL;
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the inputs of a study");
  }
  return DLS_OK;
}

#define WORK_COLUMN(member) {#member, DLS_TABLE_COUNT, offsetof(dls_order_point, work.member)},

#define CONTACT_COLUMN(member) {#member, DLS_TABLE_REAL, offsetof(dls_order_point, quality.contact.member)},

/* Of the run: the same in all its points. */
static const dls_table_column run_columns[] = {
    {"step", DLS_TABLE_REAL, offsetof(dls_order_point, step)},
    {"tol", DLS_TABLE_REAL, offsetof(dls_order_point, tol)},
    DLS_WORK_LIST(WORK_COLUMN) /* steps, rejected, ... */
    WORK_COLUMN(forced)
        WORK_COLUMN(problems){"wall_seconds", DLS_TABLE_REAL, offsetof(dls_order_point, work.wall_seconds)},
    {"recorded_impacts", DLS_TABLE_COUNT, offsetof(dls_order_point, quality.impacts)},
    {"spurious_impacts", DLS_TABLE_COUNT, offsetof(dls_order_point, quality.spurious_impacts)},
    {"measured_impacts", DLS_TABLE_COUNT, offsetof(dls_order_point, quality.measured)},
    {"restitution_min", DLS_TABLE_REAL, offsetof(dls_order_point, quality.restitution_min)},
    {"restitution_max", DLS_TABLE_REAL, offsetof(dls_order_point, quality.restitution_max)},
    {"restitution_mean", DLS_TABLE_REAL, offsetof(dls_order_point, quality.restitution_mean)},
    {"worst_penetration", DLS_TABLE_REAL, offsetof(dls_order_point, quality.worst_penetration)},
    {"drift", DLS_TABLE_REAL, offsetof(dls_order_point, quality.final_drift)},
    {"warnings", DLS_TABLE_COUNT, offsetof(dls_order_point, quality.warnings)},
    {"explained", DLS_TABLE_COUNT, offsetof(dls_order_point, quality.explained)},
    DLS_CONTACT_QUALITY_LIST(CONTACT_COLUMN){0},
};

/* Of each norm and quantity. */
static const dls_table_column point_columns[] = {
    {"error", DLS_TABLE_REAL, offsetof(dls_order_point, error.value)},
    {"bound", DLS_TABLE_REAL, offsetof(dls_order_point, error.bound)},
    {"limit_error", DLS_TABLE_REAL, offsetof(dls_order_point, limit_error.value)},
    {"limit_bound", DLS_TABLE_REAL, offsetof(dls_order_point, limit_error.bound)},
    {"value", DLS_TABLE_REAL, offsetof(dls_order_point, value)},
    {"exact", DLS_TABLE_REAL, offsetof(dls_order_point, exact)},
    {0},
};

/* The data of a cell are the points of its run. */
static void *row_of(const void *points, size_t cell, size_t row)
{
  (void)cell;
  return (dls_order_point *)points + row;
}

static const char *failure_of(const void *points, size_t cell, size_t row)
{
  (void)cell;
  return ((const dls_order_point *)points)[row].reason;
}

static dls_status fail(void *points, size_t cell, size_t row, const char *why)
{
  (void)cell;
  dls_order_point *point = (dls_order_point *)points + row;
  const size_t length = strlen(why);
  if (length >= sizeof point->reason) {
    return DLS_ERR_PARSE;
  }
  memcpy(point->reason, why, length + 1);
  return DLS_OK;
}

static void name_cell(const void *study, size_t cell, char *text, size_t size)
{
  const dls_order_spec *spec = study;
  size_t scheme = 0;
  for (; cell >= dls_order_runs_of(spec, scheme); scheme++) {
    cell -= dls_order_runs_of(spec, scheme);
  }
  const dls_scheme_choice *choice = &spec->schemes[scheme];
  snprintf(text, size, "%s%s%s level %zu repeat %zu", choice->scheme->name,
           choice->options[0] != '\0' ? ":" : "", choice->options, cell / spec->repeats + 1,
           cell % spec->repeats + 1);
}

static void name_row(const void *study, size_t row, char *text, size_t size)
{
  const dls_order_spec *spec = study;
  snprintf(text, size, "%s:%s", spec->norms[row / spec->of_count]->name, spec->of[row % spec->of_count]);
}

static dls_status make_head(const void *study, char **text, uint64_t *hash, dls_error *err)
{
  return dls_order_journal_head(study, NULL, NULL, text, hash, err);
}

dls_journal_form dls_order_journal_form(const dls_order_spec *spec)
{
  return (dls_journal_form){.head = make_head,
                            .cells = dls_order_cell(spec, &(dls_order_point){.scheme = spec->scheme_count}),
                            .rows = spec->norm_count * spec->of_count,
                            .shared = run_columns,
                            .columns = point_columns,
                            .timed = spec->timings > 0,
                            .seconds = "wall_seconds",
                            .name = name_cell,
                            .name_row = name_row,
                            .row = row_of,
                            .failure = failure_of,
                            .fail = fail,
                            .plural = "runs",
                            .size = sizeof *spec};
}

/* --- a study that recalls and keeps its runs --- */

static bool recall(void *data, dls_order_point *points)
{
  const dls_journal *j = data;
  const dls_order_spec *spec = dls_journal_study(j);
  bool found = false;
  for (size_t i = 0; i < spec->norm_count * spec->of_count; i++) {
    points[i].scheme = points[0].scheme;
    points[i].level = points[0].level;
    points[i].repeat = points[0].repeat;
    points[i].norm = i / spec->of_count;
    points[i].of = i % spec->of_count;
  }
  return dls_journal_recall(j, dls_order_cell(spec, points), points, &found) == DLS_OK && found;
}

static dls_status keep(void *data, const dls_order_point *points, dls_error *err)
{
  dls_journal *j = data;
  const size_t cell = dls_order_cell(dls_journal_study(j), points);
  return dls_journal_keep(j, points, &cell, 1, err);
}

void dls_order_journal_attach(dls_journal *journal, dls_order_spec *spec)
{
  spec->recall = recall;
  spec->keep = keep;
  spec->keep_data = journal;
}
