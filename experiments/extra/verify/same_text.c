/* experiments/extra/verify/same_text.c -- see same_text.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define _POSIX_C_SOURCE 200809L /* getline */
#include "experiments/extra/verify/same_text.h"
#include "common/base/line.h"
#include "experiments/extra/verify/same_rows.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char dls_text_left_out[] = "delassus, version, commit, compiler, libraries, cpu, date, load, processors, "
                                 "concurrent runs, wall_seconds, timings, "
                                 "hash";
static const char made_by[] = "# made by delassus ", by_version[] = ", delassus ", command[] = "    delassus ";

/* The lines of a file that are compared. */
typedef struct text {
  char **line;
  size_t count, room;
} text;

static bool is_one_of(const char *list, const char *word, size_t length)
{
  for (const char *at = list; *at != '\0';) {
    const size_t here = strcspn(at, ",");
    if (here == length && strncmp(at, word, length) == 0) {
      return true;
    }
    at += here;
    at += strspn(at, ", ");
  }
  return false;
}

/* "key: value" or "# key: value" of a key in the list? */
static bool has_key(const char *list, const char *line)
{
  line += line[0] == '#' ? 1 + strspn(line + 1, " ") : 0;
  const char *colon = strstr(line, ": ");
  return colon != NULL && is_one_of(list, line, (size_t)(colon - line));
}

static bool counts(const char *line, dls_text_part part, bool prefix)
{
  const bool in_part = part != DLS_TEXT_METADATA || line[0] == '#';
  return in_part && !has_key(dls_text_left_out, line) && strncmp(line, made_by, strlen(made_by)) != 0 &&
         !(prefix && has_key("complete, failure", line));
}

static void forget(char *from, size_t length)
{
  memmove(from, from + length, strlen(from + length) + 1);
}

/* Paths in a command: where it writes, and the file of a mechanism. In a word OPTION=PATH the path, or the folders in
 * it. */
static void forget_paths(char *line)
{
  static const char *const whole[] = {" --out=", " --set=mechanism="};
  for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++) {
    char *word = strstr(line, whole[i]);
    if (word != NULL) {
      word += strlen(whole[i]);
      forget(word, strcspn(word, " "));
    }
  }
  for (char *slash = strchr(line, '/'); slash != NULL; slash = strchr(line, '/')) {
    char *from = slash;
    while (from > line && strchr(" =,", from[-1]) == NULL) {
      from--;
    }
    forget(from, (size_t)(slash + 1 - from));
  }
}

/* The name of a study, which is that of its file, and paths in commands are ignored. */
static void forget_names(char *line)
{
  const char *study = strstr(line, by_version);
  if (study != NULL) {
    forget(line, (size_t)(study - line));
  }
  if (strncmp(line, command, strlen(command)) == 0) {
    forget_paths(line);
  }
}

static bool append(text *t, const char *line)
{
  if (t->count == t->room) {
    char **more = realloc(t->line, (2 * t->room + 64) * sizeof *more);
    if (more == NULL) {
      return false;
    }
    t->line = more;
    t->room = 2 * t->room + 64;
  }
  t->line[t->count] = malloc(strlen(line) + 1);
  if (t->line[t->count] == NULL) {
    return false;
  }
  strcpy(t->line[t->count++], line);
  return true;
}

static void release(text *t)
{
  for (size_t i = 0; i < t->count; i++) {
    free(t->line[i]);
  }
  free(t->line);
}

/* @param[in,out] header  of a journal; freed by the caller */
static bool take(text *t, char *line, dls_text_part part, bool prefix, char **header)
{
  if (!counts(line, part, prefix)) {
    return true;
  }
  if (part == DLS_TEXT_JOURNAL && line[0] != '#') {
    if (*header == NULL) {
      *header = malloc(strlen(line) + 1);
      if (*header != NULL) {
        strcpy(*header, line);
      }
    }
    if (*header == NULL) {
      return false;
    }
    dls_row_without_seconds(*header, line);
  }
  forget_names(line);
  return append(t, line);
}

static int by_text(const void *a, const void *b)
{
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sort, and keep each line once: a journal may contain a resumed run twice. */
static void make_set(text *t)
{
  size_t kept = 0;
  if (t->count > 0) {
    qsort(t->line, t->count, sizeof *t->line, by_text);
  }
  for (size_t i = 0; i < t->count; i++) {
    if (kept > 0 && strcmp(t->line[kept - 1], t->line[i]) == 0) {
      free(t->line[i]);
    } else {
      t->line[kept++] = t->line[i];
    }
  }
  t->count = kept;
}

static dls_status read_text(const char *path, dls_text_part part, bool prefix, text *t, dls_error *err)
{
  FILE *file = NULL;
  char *header = NULL;
  dls_line line = {0};
  bool there = true;
  dls_status status = dls_line_open(path, &file, err);
  if (status != DLS_OK) {
    return status;
  }
  status = dls_line_read(&line, file, path, &there, err);
  while (status == DLS_OK && there) {
    status = take(t, line.text, part, prefix, &header)
                 ? dls_line_read(&line, file, path, &there, err)
                 : dls_fail(err, DLS_ERR_MEMORY, "no memory for the lines of '%.200s'", path);
  }
  while (t->count > 0 && t->line[t->count - 1][0] == '\0') { /* blank lines at the end */
    free(t->line[--t->count]);
  }
  free(line.text);
  free(header);
  fclose(file);
  if (status == DLS_OK && part == DLS_TEXT_JOURNAL) {
    make_set(t);
  }
  return status;
}

static void note(const char *a, const char *b, dls_text_difference *out)
{
  if (out->differing++ == 0) {
    snprintf(out->first, sizeof out->first, "%.119s", a);
    snprintf(out->second, sizeof out->second, "%.119s", b);
  }
}

/* Compare two sorted sets; a line in only one of them is a difference. */
static void compare(const text *a, const text *b, dls_text_part part, bool prefix, dls_text_difference *out)
{
  size_t i = 0, k = 0;
  while (i < a->count || (k < b->count && !prefix)) {
    const char *x = i < a->count ? a->line[i] : NULL, *y = k < b->count ? b->line[k] : NULL;
    const int order = x == NULL ? 1 : y == NULL ? -1 : strcmp(x, y);
    const bool set = part == DLS_TEXT_JOURNAL;
    if (order != 0) {
      note(x != NULL && !(set && order > 0) ? x : "", y != NULL && !(set && order < 0) ? y : "", out);
    }
    i += x != NULL && !(set && order > 0);
    k += y != NULL && !(set && order < 0);
  }
  out->lines = a->count;
}

dls_status dls_same_text(const char *first, const char *second, dls_text_part part, bool prefix,
                         dls_text_difference *out, dls_error *err)
{
  text a = {0}, b = {0};
  *out = (dls_text_difference){0};
  dls_status status = read_text(first, part, prefix, &a, err);
  status = status != DLS_OK ? status : read_text(second, part, prefix, &b, err);
  if (status == DLS_OK) {
    compare(&a, &b, part, prefix, out);
  }
  release(&a);
  release(&b);
  return status;
}
