/* experiments/measures/order_journal.c -- the journal of a study of errors: a line for each run.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/campaign/journal_state.h"
#include "experiments/measures/order_runs.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
      *points != NULL ? dls_journal_parse(spec, line, size, hash, *points) : DLS_ERR_MEMORY;
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

/* A line as it would be without its seconds, to be freed; NULL if there is no memory. */
static char *without_seconds(const dls_order_spec *spec, const char *line, uint64_t hash)
{
  dls_order_point *points = NULL;
  char *text = NULL;
  size_t size = 0;
  if (read_points(spec, line, dls_journal_line_length(line) - 1, hash, &points) == DLS_OK) {
    for (size_t i = 0; i < measures_of(spec); i++) {
      points[i].work.wall_seconds = NAN;
    }
    text = dls_journal_line(spec, points, hash, &size);
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
  return dls_journal_head(study, text, hash, err);
}

static char *make_columns(const void *study)
{
  return dls_journal_columns(study);
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
                            .timed = spec->timings > 0};
}

/* --- the calls --- */

dls_status dls_journal_open(const char *path, const dls_order_spec *spec, dls_journal_mode mode, size_t *runs,
                            dls_journal **out, dls_error *err)
{
  const dls_journal_form form = form_of(spec);
  const dls_status status = dls_journal_open_form(path, &form, spec, mode, runs, out, err);
  if (status == DLS_OK) {
    (*out)->spec = *spec;
    (*out)->study = &(*out)->spec;
  }
  return status;
}

dls_status dls_journal_merge(const char *path, const char *const *parts, size_t count,
                             const dls_order_spec *spec, bool *complete, dls_journal_merging *out,
                             dls_error *err)
{
  const dls_journal_form form = form_of(spec);
  return dls_journal_merge_form(path, parts, count, &form, spec, complete, out, err);
}

static bool recall(void *data, dls_order_point *points)
{
  const dls_journal *j = data;
  size_t size = 0;
  const char *line = dls_journal_recalled(j, slot_of(&j->spec, &points[0]), &size);
  return line != NULL && dls_journal_parse(&j->spec, line, size - 1, j->hash, points) == DLS_OK;
}

static dls_status keep(void *data, const dls_order_point *points, dls_error *err)
{
  dls_journal *j = data;
  size_t size = 0;
  char *line = dls_journal_line(&j->spec, points, j->hash, &size);
  const dls_status status =
      line != NULL ? dls_journal_add(j, line, size, err)
                   : dls_fail(err, DLS_ERR_MEMORY, "no memory for a line of '%.250s'", j->disk.path);
  free(line);
  return status;
}

void dls_journal_attach(dls_journal *journal, dls_order_spec *spec)
{
  spec->recall = recall;
  spec->keep = keep;
  spec->keep_data = journal;
}
