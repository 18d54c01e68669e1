/* experiments/request/study_judge.c -- expected quantities, looked up in the tables that a study has left.
 * Tables are read row by row, so that a trajectory of any length costs no memory.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/request/study_reader.h"

#include "common/base/text.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096, MOST_FILTERS = 4, MOST_SUMMANDS = 3, MOST_FIELDS = 4096 };

/* A column whose cell must be one of two texts. */
typedef struct filter {
  const char *column, *text, *other; /* other may be NULL */
  size_t position;
} filter;

typedef struct search {
  const dls_study_rule *rule;
  const char *column;
  size_t position; /* of the column */
  filter filters[MOST_FILTERS];
  size_t filter_count;
  size_t work[MOST_SUMMANDS]; /* positions of the columns that make the work */
  const char *against;
  double error;
  size_t number; /* of the impact */
  size_t seen;   /* rows that count, or impacts */
  size_t
      reason; /* position of the column that says why a number is missing; past the last one if there is none */
  char why[120]; /* what stands there */
  double value;
} search;

void dls_study_scheme_file(const char *prefix, const char *scheme, size_t earlier, char *text, size_t size)
{
  snprintf(text, size, "%s_%.*s.csv", prefix, (int)strcspn(scheme, ":"), scheme);
  if (earlier > 0) {
    snprintf(text, size, "%s_%.*s_%zu.csv", prefix, (int)strcspn(scheme, ":"), scheme, earlier + 1);
  }
}

/* How many of the first `count` schemes have the name of scheme i. */
static size_t namesakes(const dls_study *study, size_t count, size_t i)
{
  const size_t length = strcspn(study->schemes[i], ":");
  size_t found = 0;
  for (size_t j = 0; j < count; j++) {
    found +=
        strcspn(study->schemes[j], ":") == length && strncmp(study->schemes[j], study->schemes[i], length) == 0;
  }
  return found;
}

static dls_status file_of(const dls_study *study, const dls_study_expectation *e, const dls_study_rule *rule,
                          const char *folder, char *path, dls_error *err)
{
  char name[300] = "trajectory.csv";
  if (rule->file != NULL) { /* work.csv has the columns of errors.csv, and more */
    const bool work = study->kind == DLS_STUDY_WORK && strcmp(rule->file, "errors.csv") == 0;
    snprintf(name, sizeof name, "%s", work ? "work.csv" : rule->file);
  } else if (study->kind != DLS_STUDY_RUN) {
    dls_study_scheme_file(study->kind == DLS_STUDY_ENERGY ? "energy" : "run", study->schemes[e->scheme],
                          namesakes(study, e->scheme, e->scheme), name, sizeof name);
  }
  return (size_t)snprintf(path, PATH_SIZE, "%s/%s", folder, name) < PATH_SIZE
             ? DLS_OK
             : dls_fail(err, DLS_ERR_ARG, "the path %.100s.../%s is too long", folder, name);
}

/* Cut a row of CSV at its commas in place, quoted cells freed from their quotes. @return number of cells */
static size_t split(char *row, char **cells)
{
  size_t count = 0;
  bool more = true;
  while (more && count < MOST_FIELDS) {
    cells[count++] = row;
    char *to = row;
    bool quoted = false;
    for (; *row != '\0' && (quoted || *row != ','); row++) {
      if (*row == '"' && quoted && row[1] == '"') {
        *to++ = *row++;
      } else if (*row == '"') {
        quoted = !quoted;
      } else {
        *to++ = *row;
      }
    }
    more = *row == ',';
    row++;
    *to = '\0';
  }
  return count;
}

/* The columns of work.csv whose sum is a measure of work. */
static const struct {
  const char *against;
  const char *columns[MOST_SUMMANDS]; /* NULL: fewer */
} works[] = {{"steps", {"steps", "rejected"}},
             {"problems", {"problems"}},
             {"evals", {"force_evals", "lcp_solves", "factorizations"}},
             {"seconds", {"wall_seconds"}}};

static const char *const *columns_of_work(const char *against)
{
  size_t i = 0;
  while (strcmp(works[i].against, against) != 0) { /* the reader has checked it */
    i++;
  }
  return works[i].columns;
}

static bool find_columns(search *s, char **cells, size_t count, dls_study_verdict *out)
{
  const char *const *names = (const char *const *)cells;
  const char *missing = NULL;
  if (s->column != NULL) {
    s->position = dls_study_find(s->column, names, count);
    missing = s->position == count ? s->column : NULL;
  }
  for (size_t i = 0; i < s->filter_count; i++) {
    s->filters[i].position = dls_study_find(s->filters[i].column, names, count);
    missing = s->filters[i].position == count ? s->filters[i].column : missing;
  }
  s->reason = dls_study_find("reason", names, count);
  const char *const *summands = columns_of_work(s->against);
  for (size_t i = 0; i < MOST_SUMMANDS && summands[i] != NULL && s->rule->reduce == DLS_REDUCE_WORK; i++) {
    s->work[i] = dls_study_find(summands[i], names, count);
    missing = s->work[i] == count ? summands[i] : missing;
  }
  if (missing != NULL) {
    snprintf(out->why, sizeof out->why, "there is no column %.60s", missing);
  }
  return missing == NULL;
}

static bool passes(const search *s, char **cells, size_t count)
{
  for (size_t i = 0; i < s->filter_count; i++) {
    const filter *f = &s->filters[i];
    const char *cell = f->position < count ? cells[f->position] : "";
    if (strcmp(cell, f->text) != 0 && (f->other == NULL || strcmp(cell, f->other) != 0)) {
      return false;
    }
  }
  return true;
}

static double number_of(char **cells, size_t count, size_t position)
{
  double x = NAN;
  return position < count && dls_parse_number("", cells[position], &x, NULL) == DLS_OK ? x : NAN;
}

static double work_of(const search *s, char **cells, size_t count)
{
  const char *const *summands = columns_of_work(s->against);
  double work = 0;
  for (size_t i = 0; i < MOST_SUMMANDS && summands[i] != NULL; i++) {
    work += number_of(cells, count, s->work[i]);
  }
  return work;
}

static void take_row(search *s, char **cells, size_t count)
{
  if (s->column == NULL || !passes(s, cells, count)) {
    return;
  }
  const double x = number_of(cells, count, s->position);
  const bool first = s->seen++ == 0;
  if (s->reason < count) {
    snprintf(s->why, sizeof s->why, "%s", cells[s->reason]);
  }
  switch (s->rule->reduce) {
  case DLS_REDUCE_MISSING:
    s->value = (first ? 0 : s->value) + isnan(x);
    break;
  case DLS_REDUCE_WORK:
    s->value = x <= s->error ? fmin(s->value, work_of(s, cells, count)) : s->value;
    break;
  case DLS_REDUCE_FIRST:
    s->value = first ? x : s->value;
    break;
  case DLS_REDUCE_LARGEST: /* fmax and fmin leave out what is not a number */
    s->value = fmax(s->value, x);
    break;
  case DLS_REDUCE_LEAST:
    s->value = fmin(s->value, x);
    break;
  default:
    s->value = x;
  }
}

/* "# event: t=1.2 kind=impact contact=0 u_minus=-1.8 ..." */
static void take_comment(search *s, const char *line)
{
  static const char start[] = "# event: ";
  if (s->column != NULL || strncmp(line, start, sizeof start - 1) != 0 ||
      strstr(line, " kind=impact") == NULL) {
    return;
  }
  s->seen++;
  if (s->rule->reduce == DLS_REDUCE_IMPACTS) {
    s->value = (double)s->seen;
  } else if (s->seen == s->number) {
    char field[40];
    char number[40] = "";
    snprintf(field, sizeof field, " %s=", s->rule->column);
    const char *at = strstr(line, field);
    if (at != NULL) {
      at += strlen(field);
      snprintf(number, sizeof number, "%.*s", (int)strcspn(at, " \n"), at);
      dls_parse_number("", number, &s->value, NULL);
    }
  }
}

static void say_why(const search *s, const char *path, dls_study_verdict *out)
{
  if (out->why[0] != '\0' || !isnan(s->value)) {
    return;
  }
  if (s->rule->reduce == DLS_REDUCE_IMPACT && s->seen < s->number) {
    snprintf(out->why, sizeof out->why, "there are only %zu impacts", s->seen);
  } else if (s->rule->reduce == DLS_REDUCE_WORK && s->seen > 0) {
    snprintf(out->why, sizeof out->why, "no run has an error of at most %g", s->error);
  } else if (s->why[0] != '\0') {
    snprintf(out->why, sizeof out->why, "%s", s->why);
  } else {
    snprintf(out->why, sizeof out->why, s->seen == 0 ? "%.150s has no such row" : "not a number in %.150s",
             path);
  }
}

/* @return DLS_ERR_MEMORY, DLS_ERR_IO: then nothing is known of what the table says */
static dls_status read_table(search *s, FILE *file, char **cells, dls_study_verdict *out)
{
  char *line = NULL;
  size_t room = 0;
  ssize_t length = 0;
  bool header = true;
  while ((length = getline(&line, &room, file)) > 0 && out->why[0] == '\0') {
    line[strcspn(line, "\r\n")] = '\0';
    if (line[0] == '#') {
      take_comment(s, line);
      continue;
    }
    const size_t count = split(line, cells);
    if (header && !find_columns(s, cells, count, out)) {
      break;
    }
    if (!header) {
      take_row(s, cells, count);
    }
    header = false;
  }
  const bool broken = length < 0 && !feof(file);
  const int reason = errno;
  free(line);
  return !broken ? DLS_OK : reason == ENOMEM ? DLS_ERR_MEMORY : DLS_ERR_IO;
}

/* A table that is there; one that is not is no error, but a verdict. */
static dls_status search_file(search *s, const char *path, dls_study_verdict *out, dls_error *err)
{
  char **cells = malloc(MOST_FIELDS * sizeof *cells);
  FILE *file = cells != NULL ? fopen(path, "r") : NULL;
  dls_status status = cells == NULL ? DLS_ERR_MEMORY : DLS_OK;
  if (file != NULL) {
    status = read_table(s, file, cells, out);
    fclose(file);
    say_why(s, path, out);
  } else if (status == DLS_OK && errno == ENOENT) {
    snprintf(out->why, sizeof out->why, "there is no %.150s", path);
    s->value = NAN;
  } else {
    status = status != DLS_OK ? status : DLS_ERR_IO;
  }
  free(cells);
  return status == DLS_OK ? DLS_OK
                          : dls_fail(err, status, "cannot read %.200s: %s", path, dls_status_text(status));
}

static void add_filter(search *s, const char *column, const char *text, const char *other)
{
  s->filters[s->filter_count++] = (filter){.column = column, .text = text, .other = other};
}

/* Which rows count. Orders have the scheme in one column, errors and quality have its options apart. */
static void add_filters(search *s, const dls_study *study, const dls_study_expectation *e, char *name,
                        size_t size)
{
  const char *scheme = study->schemes[e->scheme];
  const size_t length = strcspn(scheme, ":");
  if (s->rule->file == NULL) {
    return;
  }
  snprintf(name, size, "%.*s", (int)length, scheme);
  if (strcmp(s->rule->file, "orders.csv") == 0) {
    const bool alone = namesakes(study, study->scheme_count, e->scheme) == 1;
    add_filter(s, "scheme", scheme, alone ? name : NULL);
  } else {
    add_filter(s, "scheme", name, NULL);
    add_filter(s, "options", scheme[length] == ':' ? scheme + length + 1 : "", NULL);
  }
  if ((s->rule->uses & DLS_USES_NORM) != 0) {
    add_filter(s, "norm", e->norm, NULL);
    add_filter(s, "of", e->of, NULL);
  }
}

dls_status dls_study_judge(const dls_study *study, const dls_study_expectation *e, const char *folder,
                           dls_study_verdict *out, dls_error *err)
{
  char path[PATH_SIZE];
  char name[200];
  const dls_study_rule *rule = dls_study_rule_at(dls_study_quantity_find(e->quantity));
  const bool impacts = rule->reduce == DLS_REDUCE_IMPACTS || rule->reduce == DLS_REDUCE_IMPACT;
  search s = {.rule = rule,
              .number = e->number,
              .error = e->error,
              .against = study->against,
              .value = rule->reduce == DLS_REDUCE_IMPACTS ? 0 : NAN};
  *out = (dls_study_verdict){.value = NAN};
  s.column = impacts ? NULL : rule->column != NULL ? rule->column : e->of;
  add_filters(&s, study, e, name, sizeof name);
  dls_status status = file_of(study, e, rule, folder, path, err);
  status = status != DLS_OK ? status : search_file(&s, path, out, err);
  if (status != DLS_OK) {
    snprintf(out->why, sizeof out->why, "%.150s", err->text);
    return status;
  }
  out->value = s.value;
  out->agrees = e->low <= s.value && s.value <= e->high;
  return DLS_OK;
}

void dls_study_describe(const dls_study *study, const dls_study_expectation *e, char *text, size_t size)
{
  text[0] = '\0';
  dls_text_append(text, size, "%s", e->quantity);
  if (e->number > 0) {
    dls_text_append(text, size, " %zu", e->number);
  }
  if (e->norm != NULL) {
    dls_text_append(text, size, ", %s", e->norm);
  }
  if (e->of != NULL) {
    dls_text_append(text, size, " of %s", e->of);
  }
  if (e->error > 0) {
    dls_text_append(text, size, " for an error of %g", e->error);
  }
  if (study->scheme_count > 1) {
    dls_text_append(text, size, ", %s", study->schemes[e->scheme]);
  }
}
