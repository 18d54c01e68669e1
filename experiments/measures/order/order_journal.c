/* experiments/measures/order/order_journal.c -- the journal of a study of errors: its inputs as a head, a line for each run, read and
 * written from the same tables of columns.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/order/order_journal.h"
#include "common/base/hash.h"
#include "common/base/text.h"
#include "experiments/campaign/machine.h"
#include "experiments/extra/foreign/external.h"
#include "experiments/measures/order/order_runs.h"
#include "experiments/measures/order/study_tables.h"
#include <delassus/catalogue.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Hash of matrices, initial data, ..., including those read from files. */
static dls_status digest_system(const dls_order_spec *spec, uint64_t *digest, dls_error *err)
{
  dls_system *sys = NULL;
  dls_status status = dls_model_create(spec->model, spec->parameters, &sys, err);
  status = status != DLS_OK ? status : dls_system_digest(sys, digest, err);
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
  const bool exact =
      spec->reference == DLS_REFERENCE_EXACT && dls_catalogue_exact(spec->catalogue, spec->model->name) != NULL;
  fprintf(out, "# reference: %s\n", exact ? "exact" : "event-driven");
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

dls_status dls_order_journal_head(const dls_order_spec *spec, char **text, uint64_t *hash, dls_error *err)
{
  return dls_order_journal_head_with(spec, NULL, NULL, text, hash, err);
}

dls_status dls_order_journal_head_with(const dls_order_spec *spec, void (*put)(const void *data, FILE *out),
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

enum { REASON_ROOM = sizeof((dls_order_point *)NULL)->reason };

#define WORK_COLUMN(member) {#member, DLS_TABLE_COUNT, offsetof(dls_order_point, work.member)},

/* Of the run: the same in all its points. */
static const dls_table_column run_fields[] = {
    {"choice", DLS_TABLE_COUNT, offsetof(dls_order_point, scheme)},
    {"level", DLS_TABLE_COUNT, offsetof(dls_order_point, level)},
    {"repeat", DLS_TABLE_COUNT, offsetof(dls_order_point, repeat)},
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
    {0},
};

/* Of each norm and quantity; then the reason why there is none. */
static const dls_table_column point_fields[] = {
    {"error", DLS_TABLE_REAL, offsetof(dls_order_point, error.value)},
    {"bound", DLS_TABLE_REAL, offsetof(dls_order_point, error.bound)},
    {0},
};

/* --- writing --- */

static char *make_columns(const void *study)
{
  const dls_order_spec *spec = study;
  char *text = NULL;
  size_t size = 0;
  FILE *out = dls_text_stream(&text, &size);
  if (out == NULL) {
    return NULL;
  }
  fputs("scheme,options", out);
  dls_table_names(run_fields, out);
  for (size_t norm = 0; norm < spec->norm_count; norm++) {
    for (size_t of = 0; of < spec->of_count; of++) {
      static const char *const names[] = {"error", "bound", "reason"};
      for (int i = 0; i < 3; i++) {
        fprintf(out, ",%s:%s:%s", names[i], spec->norms[norm]->name, spec->of[of]);
      }
    }
  }
  fputs(",check\n", out);
  return fclose(out) == 0 ? text : (free(text), NULL);
}

/* A line feed within a reason would end the line: \n, and \\ for a backslash. */
static void put_text(FILE *out, const char *text)
{
  char escaped[2 * REASON_ROOM];
  size_t used = 0;
  for (; *text != '\0'; text++) {
    const char *place = strchr("\n\\", *text);
    if (place != NULL) {
      escaped[used++] = '\\';
    }
    escaped[used++] = *text == '\n' ? 'n' : *text;
  }
  escaped[used] = '\0';
  fputc(',', out);
  dls_table_field(out, escaped);
}

char *dls_order_journal_line(const dls_order_spec *spec, const dls_order_point *points, uint64_t hash,
                             size_t *size)
{
  char *text = NULL;
  FILE *out = dls_text_stream(&text, size);
  if (out == NULL) {
    return NULL;
  }
  const locale_t before = dls_text_begin_c_locale();
  const dls_scheme_choice *choice = &spec->schemes[points[0].scheme];
  fprintf(out, "%s,", choice->scheme->name);
  dls_table_field(out, choice->options);
  dls_table_cells(run_fields, &points[0], out);
  for (size_t i = 0; i < spec->norm_count * spec->of_count; i++) {
    dls_table_cells(point_fields, &points[i], out);
    put_text(out, points[i].reason);
  }
  fflush(out);
  char check[DLS_JOURNAL_CHECK_SIZE + 1];
  dls_journal_check(text, *size, hash, check);
  fputs(check, out);
  dls_text_end_c_locale(before);
  return fclose(out) == 0 ? text : (free(text), NULL);
}

/* --- reading --- */

static bool read_text(const char *text, char *member)
{
  size_t used = 0;
  for (; *text != '\0' && used + 1 < REASON_ROOM; text++) {
    const bool escaped = text[0] == '\\' && text[1] != '\0';
    text += escaped;
    member[used++] = escaped && *text == 'n' ? '\n' : *text;
  }
  member[used] = '\0';
  return *text == '\0';
}

static bool read_line(const dls_order_spec *spec, char *text, dls_order_point *points)
{
  dls_order_point run = {0};
  bool good = dls_table_read_field(&text) != NULL && dls_table_read_field(&text) != NULL &&
              dls_table_read_cells(run_fields, &text, &run);
  for (size_t i = 0; i < spec->norm_count * spec->of_count && good; i++) {
    points[i] = run;
    points[i].norm = i / spec->of_count;
    points[i].of = i % spec->of_count;
    const char *reason =
        dls_table_read_cells(point_fields, &text, &points[i]) ? dls_table_read_field(&text) : NULL;
    good = reason != NULL && read_text(reason, points[i].reason);
  }
  return good && text == NULL;
}

dls_status dls_order_journal_parse(const dls_order_spec *spec, const char *line, size_t size, uint64_t hash,
                                   dls_order_point *points)
{
  dls_status status = DLS_OK;
  char *copy = dls_journal_copy(line, size, hash, &status);
  if (copy == NULL) {
    return status;
  }
  const locale_t before = dls_text_begin_c_locale();
  const bool good = read_line(spec, copy, points);
  dls_text_end_c_locale(before);
  free(copy);
  return good ? DLS_OK : DLS_ERR_PARSE;
}

/* --- slots: those of a scheme stand together, as many as the scheme with most runs has --- */

static size_t count_slots(const void *study)
{
  const dls_order_spec *spec = study;
  return spec->scheme_count * dls_order_most_runs(spec);
}

static bool has_slot(const void *study, size_t slot)
{
  const dls_order_spec *spec = study;
  const size_t most = dls_order_most_runs(spec);
  return slot % most < dls_order_runs_of(spec, slot / most);
}

/* SIZE_MAX if the study has no such run. */
static size_t slot_of(const dls_order_spec *spec, const dls_order_point *run)
{
  const size_t most = dls_order_most_runs(spec), repeats = spec->repeats;
  const bool known = run->scheme < spec->scheme_count && run->repeat < repeats && run->level < most / repeats;
  return known ? run->scheme * most + run->level * repeats + run->repeat : SIZE_MAX;
}

/* Without measures nothing is known of the run. */
static dls_order_point run_of(const dls_order_spec *spec, size_t slot)
{
  const size_t most = dls_order_most_runs(spec), run = slot % most;
  return (dls_order_point){.scheme = slot / most, .level = run / spec->repeats, .repeat = run % spec->repeats};
}

/* --- lines --- */

static size_t measures_of(const dls_order_spec *spec)
{
  return spec->norm_count * spec->of_count;
}

/* The points of a line without its line feed, to be freed. */
static dls_status read_points(const dls_order_spec *spec, const char *line, size_t size, uint64_t hash,
                              dls_order_point **points)
{
  *points = malloc(measures_of(spec) * sizeof **points);
  const dls_status status =
      *points != NULL ? dls_order_journal_parse(spec, line, size, hash, *points) : DLS_ERR_MEMORY;
  if (status != DLS_OK) {
    free(*points);
    *points = NULL;
  }
  return status;
}

static dls_status find_slot(const void *study, const char *line, size_t size, uint64_t hash, size_t *slot)
{
  dls_order_point *points = NULL;
  dls_status status = read_points(study, line, size, hash, &points);
  if (status == DLS_OK) {
    *slot = slot_of(study, &points[0]);
    status = *slot != SIZE_MAX ? DLS_OK : DLS_ERR_PARSE;
  }
  free(points);
  return status;
}

/* A line without its seconds, to be freed; NULL if there is no memory. */
static char *without_seconds(const dls_order_spec *spec, const char *line, uint64_t hash)
{
  dls_order_point *points = NULL;
  char *text = NULL;
  size_t size = 0;
  if (read_points(spec, line, dls_journal_line_length(line) - 1, hash, &points) == DLS_OK) {
    for (size_t i = 0; i < measures_of(spec); i++) {
      points[i].work.wall_seconds = NAN;
    }
    text = dls_order_journal_line(spec, points, hash, &size);
  }
  free(points);
  return text;
}

static dls_status compare(const void *study, const char *a, const char *b, uint64_t hash, bool *same)
{
  char *first = without_seconds(study, a, hash), *second = without_seconds(study, b, hash);
  const bool there = first != NULL && second != NULL;
  *same = there && strcmp(first, second) == 0;
  free(first);
  free(second);
  return there ? DLS_OK : DLS_ERR_MEMORY;
}

/* Has a run an error, and the seconds that are asked for with it? */
static dls_status is_finished(const void *study, const char *line, uint64_t hash, bool *finished)
{
  const dls_order_spec *spec = study;
  dls_order_point *points = NULL;
  bool has_error = false;
  const dls_status status = read_points(spec, line, dls_journal_line_length(line) - 1, hash, &points);
  for (size_t i = 0; i < measures_of(spec) && points != NULL; i++) {
    has_error = has_error || isfinite(points[i].error.value);
  }
  *finished = points != NULL && (spec->timings == 0 || !has_error || !isnan(points[0].work.wall_seconds));
  free(points);
  return status;
}

/* --- words --- */

static void name_slot(const void *study, size_t slot, char *text, size_t size)
{
  const dls_order_spec *spec = study;
  const dls_order_point run = run_of(spec, slot);
  snprintf(text, size, "scheme %s, level %zu, repeat %zu", spec->schemes[run.scheme].scheme->name,
           run.level + 1, run.repeat + 1);
}

/* "moreau-jean, level 3: repeats 1, 4" for the runs of a scheme and a level. */
static void put_gaps(const void *study, const bool *missing, FILE *out)
{
  const dls_order_spec *spec = study;
  dls_order_point last = {.scheme = SIZE_MAX};
  for (size_t slot = 0; slot < count_slots(spec); slot++) {
    if (!missing[slot]) {
      continue;
    }
    const dls_order_point run = run_of(spec, slot);
    const dls_scheme_choice *choice = &spec->schemes[run.scheme];
    if (run.scheme == last.scheme && run.level == last.level) {
      fprintf(out, ", %zu", run.repeat + 1);
    } else {
      fprintf(out, "%s%s%s%s, level %zu: repeats %zu", last.scheme != SIZE_MAX ? "\n" : "",
              choice->scheme->name, choice->options[0] != '\0' ? ":" : "", choice->options, run.level + 1,
              run.repeat + 1);
    }
    last = run;
  }
  fputc('\n', out);
}

static dls_status make_head(const void *study, char **text, uint64_t *hash, dls_error *err)
{
  return dls_order_journal_head(study, text, hash, err);
}

static dls_journal_form form_of(const dls_order_spec *spec)
{
  return (dls_journal_form){.head = make_head,
                            .columns = make_columns,
                            .slots = count_slots,
                            .has = has_slot,
                            .slot = find_slot,
                            .same = compare,
                            .finished = is_finished,
                            .name = name_slot,
                            .gaps = put_gaps,
                            .timed = spec->timings > 0,
                            .size = sizeof *spec};
}

/* --- the calls --- */

dls_status dls_order_journal_open(const char *path, const dls_order_spec *spec, dls_journal_mode mode,
                                  size_t *runs, dls_journal **out, dls_error *err)
{
  const dls_journal_form form = form_of(spec);
  return dls_journal_open_form(path, &form, spec, mode, runs, out, err);
}

dls_status dls_order_journal_merge(const char *path, const char *const *parts, size_t count,
                                   const dls_order_spec *spec, bool *complete, dls_journal_merging *out,
                                   dls_error *err)
{
  const dls_journal_form form = form_of(spec);
  return dls_journal_merge_form(path, parts, count, &form, spec, complete, out, err);
}

static bool recall(void *data, dls_order_point *points)
{
  const dls_journal *j = data;
  const dls_order_spec *spec = dls_journal_study(j);
  size_t size = 0;
  const char *line = dls_journal_recalled(j, slot_of(spec, &points[0]), &size);
  return line != NULL && dls_order_journal_parse(spec, line, size - 1, dls_journal_hash(j), points) == DLS_OK;
}

static dls_status keep(void *data, const dls_order_point *points, dls_error *err)
{
  dls_journal *j = data;
  size_t size = 0;
  char *line = dls_order_journal_line(dls_journal_study(j), points, dls_journal_hash(j), &size);
  const dls_status status =
      line != NULL ? dls_journal_add(j, line, size, err)
                   : dls_fail(err, DLS_ERR_MEMORY, "no memory for a line of '%.250s'", dls_journal_path(j));
  free(line);
  return status;
}

void dls_order_journal_attach(dls_journal *journal, dls_order_spec *spec)
{
  spec->recall = recall;
  spec->keep = keep;
  spec->keep_data = journal;
}
