/* experiments/study/journal_line.c -- a finished run as a line of CSV, and back. Writer and reader walk the same tables.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/hash.h"
#include "common/base/text.h"
#include "experiments/study/journal_parts.h"
#include "experiments/study/study_tables.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef enum field_kind { COUNT, REAL, TEXT } field_kind;

/* A column that holds a member of a point. */
typedef struct field {
  const char *name;
  field_kind kind;
  size_t offset;
} field;

enum { REASON_ROOM = sizeof((dls_order_point *)NULL)->reason, HASH_DIGITS = 16 };

#define WORK_COLUMN(member) {#member, COUNT, offsetof(dls_order_point, work.member)},

/* Of the run: the same in all its points. */
static const field run_fields[] = {
    {"choice", COUNT, offsetof(dls_order_point, scheme)},
    {"level", COUNT, offsetof(dls_order_point, level)},
    {"repeat", COUNT, offsetof(dls_order_point, repeat)},
    {"step", REAL, offsetof(dls_order_point, step)},
    {"tol", REAL, offsetof(dls_order_point, tol)},
    DLS_WORK_LIST(WORK_COLUMN) /* steps, rejected, ... */
    WORK_COLUMN(forced)
        WORK_COLUMN(problems){"wall_seconds", REAL, offsetof(dls_order_point, work.wall_seconds)},
    {"recorded_impacts", COUNT, offsetof(dls_order_point, quality.impacts)},
    {"spurious_impacts", COUNT, offsetof(dls_order_point, quality.spurious_impacts)},
    {"measured_impacts", COUNT, offsetof(dls_order_point, quality.measured)},
    {"restitution_min", REAL, offsetof(dls_order_point, quality.restitution_min)},
    {"restitution_max", REAL, offsetof(dls_order_point, quality.restitution_max)},
    {"restitution_mean", REAL, offsetof(dls_order_point, quality.restitution_mean)},
    {"worst_penetration", REAL, offsetof(dls_order_point, quality.worst_penetration)},
    {"drift", REAL, offsetof(dls_order_point, quality.final_drift)},
    {0},
};

/* Of each norm and quantity. */
static const field point_fields[] = {
    {"error", REAL, offsetof(dls_order_point, error.value)},
    {"bound", REAL, offsetof(dls_order_point, error.bound)},
    {"reason", TEXT, offsetof(dls_order_point, reason)},
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
  for (const field *f = run_fields; f->name != NULL; f++) {
    fprintf(out, ",%s", f->name);
  }
  for (size_t norm = 0; norm < spec->norm_count; norm++) {
    for (size_t of = 0; of < spec->of_count; of++) {
      for (const field *f = point_fields; f->name != NULL; f++) {
        fprintf(out, ",%s:%s:%s", f->name, spec->norms[norm]->name, spec->of[of]);
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

static void put_fields(const field *f, const dls_order_point *point, FILE *out)
{
  for (; f->name != NULL; f++) {
    const char *member = (const char *)point + f->offset;
    if (f->kind == COUNT) {
      fprintf(out, ",%zu", *(const size_t *)(const void *)member);
    } else if (f->kind == REAL) {
      dls_table_number(out, *(const double *)(const void *)member);
    } else {
      put_text(out, member);
    }
  }
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
  put_fields(run_fields, &points[0], out);
  for (size_t i = 0; i < spec->norm_count * spec->of_count; i++) {
    put_fields(point_fields, &points[i], out);
  }
  fflush(out);
  fprintf(out, ",%016" PRIx64 "\n", dls_hash(hash, text, *size));
  dls_text_end_c_locale(before);
  return fclose(out) == 0 ? text : (free(text), NULL);
}

/* --- reading --- */

/* Take the next field from *rest, unquoted in place. @return NULL if there is none */
static char *next_field(char **rest)
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

static bool read_fields(const field *f, char **rest, dls_order_point *point)
{
  bool good = true;
  for (; f->name != NULL && good; f++) {
    char *member = (char *)point + f->offset;
    const char *text = next_field(rest);
    good = text != NULL && (f->kind == COUNT  ? read_count(text, member)
                            : f->kind == REAL ? read_real(text, member)
                                              : read_text(text, member));
  }
  return good;
}

static bool read_line(const dls_order_spec *spec, char *text, dls_order_point *points)
{
  dls_order_point run = {0};
  bool good = next_field(&text) != NULL && next_field(&text) != NULL && read_fields(run_fields, &text, &run);
  for (size_t i = 0; i < spec->norm_count * spec->of_count && good; i++) {
    points[i] = run;
    points[i].norm = i / spec->of_count;
    points[i].of = i % spec->of_count;
    good = read_fields(point_fields, &text, &points[i]);
  }
  return good && text == NULL;
}

dls_status dls_journal_parse(const dls_order_spec *spec, const char *line, size_t size, uint64_t hash,
                             dls_order_point *points)
{
  char check[HASH_DIGITS + 2] = "";
  if (size <= HASH_DIGITS + 1) {
    return DLS_ERR_PARSE;
  }
  const size_t length = size - HASH_DIGITS - 1;
  snprintf(check, sizeof check, ",%016" PRIx64, dls_hash(hash, line, length));
  if (memcmp(check, line + length, HASH_DIGITS + 1) != 0) {
    return DLS_ERR_PARSE;
  }
  char *copy = malloc(length + 1);
  if (copy == NULL) {
    return DLS_ERR_MEMORY;
  }
  memcpy(copy, line, length);
  copy[length] = '\0';
  const locale_t before = dls_text_begin_c_locale();
  const bool good = read_line(spec, copy, points);
  dls_text_end_c_locale(before);
  free(copy);
  return good ? DLS_OK : DLS_ERR_PARSE;
}
