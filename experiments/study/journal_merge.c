/* experiments/study/journal_merge.c -- one journal of several: what each run says, which say different things, which are
 * missing.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "experiments/study/journal_state.h"
#include "experiments/study/order_runs.h"
#include "experiments/study/output_parts.h"
#include <delassus/output.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct merging {
  const dls_order_spec *spec;
  dls_journal **parts;
  size_t count;
  dls_order_point *points; /* of a run */
  FILE *lines, *gaps;      /* of the new journal; what is missing, in words */
  const char *cpu;         /* that the lines tell; NULL: none yet */
  size_t missing;
} merging;

static size_t measures_of(const dls_order_spec *spec)
{
  return spec->norm_count * spec->of_count;
}

/* The line of a run in a journal; NULL if it has none. */
static const char *line_of(const dls_journal *j, const dls_order_point *run)
{
  const size_t *place = dls_journal_place(j, run);
  return place != NULL && *place > 0 ? j->text + *place - 1 : NULL;
}

static dls_status parse(const merging *m, const dls_journal *j, const char *line, dls_error *err)
{
  const dls_status status =
      dls_journal_parse(m->spec, line, dls_journal_line_length(line) - 1, j->hash, m->points);
  return status == DLS_OK ? DLS_OK : dls_fail(err, status, "no memory to read '%.250s'", j->path);
}

/* A line as it would be without its seconds, to be freed. */
static dls_status without_seconds(const merging *m, const dls_journal *j, const char *line, char **out,
                                  dls_error *err)
{
  size_t size = 0;
  const dls_status status = parse(m, j, line, err);
  for (size_t i = 0; i < measures_of(m->spec); i++) {
    m->points[i].work.wall_seconds = NAN;
  }
  *out = status == DLS_OK ? dls_journal_line(m->spec, m->points, j->hash, &size) : NULL;
  return status == DLS_OK && *out == NULL ? dls_fail(err, DLS_ERR_MEMORY, "no memory for a run") : status;
}

/* Two journals must say the same of a run. */
static dls_status compare(const merging *m, const dls_journal *a, const dls_journal *b,
                          const dls_order_point *run, dls_error *err)
{
  char *first = NULL, *second = NULL;
  dls_status status = without_seconds(m, a, line_of(a, run), &first, err);
  status = status != DLS_OK ? status : without_seconds(m, b, line_of(b, run), &second, err);
  if (status == DLS_OK && strcmp(first, second) != 0) {
    status =
        dls_fail(err, DLS_ERR_ARG,
                 "'%.150s' and '%.150s' have different results of a run: scheme %s, level %zu, repeat %zu",
                 a->path, b->path, m->spec->schemes[run->scheme].scheme->name, run->level + 1, run->repeat + 1);
  }
  free(first);
  free(second);
  return status;
}

/* Has a run an error, and the seconds that are asked for with it? @param[in] points  of the run */
static bool is_finished(const dls_order_spec *spec, const dls_order_point *points)
{
  bool has_error = false;
  for (size_t i = 0; i < measures_of(spec); i++) {
    has_error = has_error || isfinite(points[i].error.value);
  }
  return spec->timings == 0 || !has_error || !isnan(points[0].work.wall_seconds);
}

/* The journal whose line of a run counts: the first that has it finished. @param[out] from  NULL if there is none */
static dls_status choose(const merging *m, const dls_order_point *run, const dls_journal **from, dls_error *err)
{
  const dls_journal *first = NULL;
  dls_status status = DLS_OK;
  *from = NULL;
  for (size_t i = 0; i < m->count && status == DLS_OK; i++) {
    const dls_journal *j = m->parts[i];
    const char *line = line_of(j, run);
    if (line == NULL) {
      continue;
    }
    status = first != NULL ? compare(m, first, j, run, err) : DLS_OK;
    status = status != DLS_OK ? status : parse(m, j, line, err);
    first = first == NULL ? j : first;
    *from = *from == NULL && status == DLS_OK && is_finished(m->spec, m->points) ? j : *from;
  }
  return status;
}

/* With the processor where it is another than that of the line before. */
static void put_line(merging *m, const dls_journal *j, const dls_order_point *run)
{
  const char *line = line_of(j, run);
  if (m->spec->timings == 0 && (m->cpu == NULL || strcmp(m->cpu, j->told) != 0)) {
    fprintf(m->lines, DLS_JOURNAL_CPU "%s\n", j->told);
    m->cpu = j->told;
  }
  fwrite(line, 1, dls_journal_line_length(line), m->lines);
}

/* "moreau-jean, level 3: repeats 1, 4" for the runs of a scheme and a level. */
static dls_status treat_level(merging *m, size_t scheme, size_t level, size_t repeats, dls_error *err)
{
  const dls_scheme_choice *choice = &m->spec->schemes[scheme];
  dls_status status = DLS_OK;
  size_t missing = 0;
  for (size_t repeat = 0; repeat < repeats && status == DLS_OK; repeat++) {
    const dls_order_point run = {.scheme = scheme, .level = level, .repeat = repeat};
    const dls_journal *from = NULL;
    status = choose(m, &run, &from, err);
    if (from != NULL) {
      put_line(m, from, &run);
    } else if (missing++ == 0) {
      fprintf(m->gaps, "%s%s%s, level %zu: repeats %zu", choice->scheme->name,
              choice->options[0] != '\0' ? ":" : "", choice->options, level + 1, repeat + 1);
    } else {
      fprintf(m->gaps, ", %zu", repeat + 1);
    }
  }
  if (missing > 0) {
    fputc('\n', m->gaps);
  }
  m->missing += missing;
  return status;
}

static dls_status treat_all(merging *m, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t scheme = 0; scheme < m->spec->scheme_count; scheme++) {
    const size_t runs = dls_order_runs_of(m->spec, scheme),
                 each = m->spec->repeats < runs ? m->spec->repeats : runs;
    for (size_t level = 0; level * each < runs && status == DLS_OK; level++) {
      status = treat_level(m, scheme, level, each, err);
    }
  }
  return status;
}

/* Head, columns, lines; put in place at once. */
static dls_status write_journal(const merging *m, const char *path, const char *lines, dls_error *err)
{
  dls_output *out = NULL;
  char *columns = dls_journal_columns(m->spec);
  dls_status status = columns != NULL ? dls_output_open(path, &out, err)
                                      : dls_fail(err, DLS_ERR_MEMORY, "no memory for '%.250s'", path);
  if (status == DLS_OK) {
    FILE *stream = dls_output_stream(out);
    fputs(m->parts[0]->head, stream);
    fputs(columns, stream);
    fputs(lines, stream);
    status = dls_output_commit(out, err);
  }
  free(columns);
  return status;
}

static dls_status merge(merging *m, const char *path, dls_journal_merging *out, dls_error *err)
{
  char *lines = NULL, *gaps = NULL;
  size_t size = 0, gap_size = 0;
  m->lines = dls_text_stream(&lines, &size);
  m->gaps = dls_text_stream(&gaps, &gap_size);
  dls_status status = m->lines != NULL && m->gaps != NULL ? treat_all(m, err) : DLS_ERR_MEMORY;
  const bool closed = m->lines != NULL && fclose(m->lines) == 0, told = m->gaps != NULL && fclose(m->gaps) == 0;
  if (status == DLS_ERR_MEMORY || (status == DLS_OK && !(closed && told))) {
    status = dls_fail(err, DLS_ERR_MEMORY, "no memory for the runs of '%.250s'", path);
  }
  if (status == DLS_OK && m->missing == 0) {
    status = write_journal(m, path, lines, err);
  }
  free(lines);
  out->missing = m->missing;
  out->text = status == DLS_OK && m->missing > 0 ? gaps : NULL;
  if (out->text == NULL) {
    free(gaps);
  }
  return status;
}

dls_status dls_journal_merge(const char *path, const char *const *parts, size_t count,
                             const dls_order_spec *spec, bool *complete, dls_journal_merging *out,
                             dls_error *err)
{
  merging m = {.spec = spec, .points = malloc(measures_of(spec) * sizeof *m.points)};
  m.parts = calloc(count + 1, sizeof(dls_journal *));
  *out = (dls_journal_merging){0};
  dls_status status = m.points != NULL && m.parts != NULL && count > 0
                          ? DLS_OK
                          : dls_fail(err, DLS_ERR_MEMORY, "no memory to merge %zu files", count);
  for (; m.count < count && status == DLS_OK; m.count += status == DLS_OK) {
    size_t runs = 0;
    status = dls_journal_open(parts[m.count], spec, DLS_JOURNAL_RESUME, &runs, &m.parts[m.count], err);
    complete[m.count] = status == DLS_OK && m.parts[m.count]->complete;
  }
  status = status != DLS_OK ? status : merge(&m, path, out, err);
  for (size_t i = 0; i < m.count; i++) {
    dls_journal_close(m.parts[i]);
  }
  free(m.parts);
  free(m.points);
  return status;
}
