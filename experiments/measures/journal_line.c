/* experiments/measures/journal_line.c -- a finished run as a line of CSV, and back. Writer and reader walk the same tables.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/hash.h"
#include "common/base/text.h"
#include "experiments/measures/order_journal.h"
#include "experiments/measures/study_tables.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

char *dls_journal_columns(const dls_order_spec *spec)
{
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

char *dls_journal_line(const dls_order_spec *spec, const dls_order_point *points, uint64_t hash, size_t *size)
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

void dls_journal_check(const char *line, size_t size, uint64_t hash, char text[DLS_JOURNAL_CHECK_SIZE + 1])
{
  snprintf(text, DLS_JOURNAL_CHECK_SIZE + 1, ",%016" PRIx64 "\n", dls_hash(hash, line, size));
}

/* --- reading --- */

char *dls_journal_field(char **rest)
{
  char *start = *rest;
  if (start == NULL) {
    return NULL;
  }
  char *to = start, *from = start;
  const bool quoted = *from == '"';
  from += quoted;
  while (*from != '\0' && (quoted ? from[0] != '"' || from[1] == '"' : *from != ',')) {
    from += quoted && *from == '"'; /* the second of two */
    *to++ = *from++;
  }
  from += quoted && *from == '"';
  *rest = *from == ',' ? from + 1 : NULL;
  *to = '\0';
  return start;
}

static bool read_count(const char *text, void *member)
{
  char *end = NULL;
  errno = 0;
  const unsigned long long value = strtoull(text, &end, 10);
  *(size_t *)member = (size_t)value;
  return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
}

static bool read_real(const char *text, void *member)
{
  char *end = NULL;
  *(double *)member = strtod(text, &end); /* underflow sets errno, and is right all the same */
  return end != text && *end == '\0';
}

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

static bool read_fields(const dls_table_column *f, char **rest, dls_order_point *point)
{
  bool good = true;
  for (; f->name != NULL && good; f++) {
    char *member = (char *)point + f->offset;
    const char *text = dls_journal_field(rest);
    good = text != NULL && (f->kind == DLS_TABLE_COUNT ? read_count(text, member) : read_real(text, member));
  }
  return good;
}

static bool read_line(const dls_order_spec *spec, char *text, dls_order_point *points)
{
  dls_order_point run = {0};
  bool good = dls_journal_field(&text) != NULL && dls_journal_field(&text) != NULL &&
              read_fields(run_fields, &text, &run);
  for (size_t i = 0; i < spec->norm_count * spec->of_count && good; i++) {
    points[i] = run;
    points[i].norm = i / spec->of_count;
    points[i].of = i % spec->of_count;
    const char *reason = read_fields(point_fields, &text, &points[i]) ? dls_journal_field(&text) : NULL;
    good = reason != NULL && read_text(reason, points[i].reason);
  }
  return good && text == NULL;
}

char *dls_journal_copy(const char *line, size_t size, uint64_t hash, dls_status *status)
{
  char check[DLS_JOURNAL_CHECK_SIZE + 1];
  *status = DLS_ERR_PARSE;
  if (size < DLS_JOURNAL_CHECK_SIZE) {
    return NULL;
  }
  const size_t length = size - (DLS_JOURNAL_CHECK_SIZE - 1);
  dls_journal_check(line, length, hash, check);
  if (memcmp(check, line + length, DLS_JOURNAL_CHECK_SIZE - 1) != 0) {
    return NULL;
  }
  char *copy = malloc(length + 1);
  *status = copy != NULL ? DLS_OK : DLS_ERR_MEMORY;
  if (copy != NULL) {
    memcpy(copy, line, length);
    copy[length] = '\0';
  }
  return copy;
}

dls_status dls_journal_parse(const dls_order_spec *spec, const char *line, size_t size, uint64_t hash,
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
