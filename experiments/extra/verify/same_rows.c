/* experiments/extra/verify/same_rows.c -- compares two CSV files row by row.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/extra/verify/same_rows.h"

#include "common/base/csv_field.h"
#include "common/base/line.h"
#include "common/base/text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct table {
  const char *path;
  FILE *file;
  dls_line header, line;
} table;

/* The next line after metadata and blank lines. */
static dls_status next_line(table *t, dls_line *line, bool *there, dls_error *err)
{
  dls_status status = DLS_OK;
  do {
    status = dls_line_read(line, t->file, t->path, there, err);
  } while (status == DLS_OK && *there && (line->text[0] == '#' || line->text[0] == '\0'));
  return status;
}

static dls_status open_table(table *t, const char *path, dls_error *err)
{
  t->path = path;
  bool there = false;
  dls_status status = dls_line_open(path, &t->file, err);
  status = status != DLS_OK ? status : next_line(t, &t->header, &there, err);
  return status != DLS_OK || there ? status : dls_fail(err, DLS_ERR_PARSE, "%.200s: no header line", path);
}

static void close_table(table *t)
{
  if (t->file != NULL) {
    fclose(t->file);
  }
  free(t->header.text);
  free(t->line.text);
}

/* Text after the cell and its comma; NULL after the last one. */
static const char *behind(const char *text, size_t length)
{
  return text[length] == ',' ? text + length + 1 : NULL;
}

/* A number with nothing after it? */
static bool number(const char *text, size_t length, double *x)
{
  char *end = NULL;
  *x = strtod(text, &end);
  return length > 0 && end == text + length;
}

static bool same_cell(const char *a, size_t a_length, const char *b, size_t b_length)
{
  if (a_length == b_length && strncmp(a, b, a_length) == 0) {
    return true;
  }
  double x = 0, y = 0;
  return number(a, a_length, &x) && number(b, b_length, &y) && memcmp(&x, &y, sizeof x) == 0;
}

static void keep(char *to, size_t size, const char *cell, size_t length)
{
  snprintf(to, size, "%.*s", (int)length, cell);
}

static void note_first(dls_row_difference *out, const char *column, size_t length)
{
  if (out->row == 0) {
    out->row = out->rows;
    keep(out->column, sizeof out->column, column, length);
  }
}

const char dls_rows_left_out[] = "wall_seconds, check, study";

static bool left_out(const char *column, size_t length)
{
  static const char *const names[] = {"wall_seconds", "check", "study"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strlen(names[i]) == length && strncmp(column, names[i], length) == 0) {
      return true;
    }
  }
  return false;
}

void dls_row_without_seconds(const char *header, char *line)
{
  const char *name = header, *cell = line;
  char *to = line;
  while (cell != NULL) {
    const size_t name_length = name != NULL ? dls_csv_field_length(name) : 0,
                 length = dls_csv_field_length(cell);
    const bool keeps = !left_out(name != NULL ? name : "", name_length);
    const char *next = behind(cell, length);
    if (keeps) {
      memmove(to, cell, length);
      to += length;
    }
    if (next != NULL) {
      *to++ = ',';
    }
    name = name != NULL ? behind(name, name_length) : NULL;
    cell = next;
  }
  *to = '\0';
}

/* Cell by cell; b NULL: the row is missing. */
static void compare_rows(const char *header, const char *a, const char *b, dls_row_difference *out)
{
  for (const char *name = header; a != NULL;) {
    const size_t name_length = name != NULL ? dls_csv_field_length(name) : 0;
    const size_t a_length = dls_csv_field_length(a), b_length = b != NULL ? dls_csv_field_length(b) : 0;
    if (!left_out(name != NULL ? name : "", name_length)) {
      out->values++;
      if (b == NULL || !same_cell(a, a_length, b, b_length)) {
        const bool first = out->row == 0;
        note_first(out, name != NULL ? name : "", name_length);
        out->differing++;
        keep(out->first, first ? sizeof out->first : 0, a, a_length);
        keep(out->second, first ? sizeof out->second : 0, b != NULL ? b : "nothing", b != NULL ? b_length : 7);
      }
    }
    name = name != NULL ? behind(name, name_length) : NULL;
    a = behind(a, a_length);
    b = b != NULL ? behind(b, b_length) : NULL;
  }
}

static dls_status compare(table *a, table *b, bool prefix, dls_row_difference *out, dls_error *err)
{
  bool there = false, more = false;
  dls_status status = next_line(a, &a->line, &there, err);
  status = status != DLS_OK ? status : next_line(b, &b->line, &more, err);
  while (status == DLS_OK && there) {
    out->rows++;
    compare_rows(a->header.text, a->line.text, more ? b->line.text : NULL, out);
    status = next_line(a, &a->line, &there, err);
    status = status != DLS_OK || !more ? status : next_line(b, &b->line, &more, err);
  }
  if (status == DLS_OK && !prefix && more && out->row == 0) {
    out->row = out->rows + 1;
    out->differing++;
    snprintf(out->first, sizeof out->first, "nothing");
    snprintf(out->second, sizeof out->second, "another row");
  }
  return status;
}

dls_status dls_same_rows(const char *first, const char *second, bool prefix, dls_row_difference *out,
                         dls_error *err)
{
  *out = (dls_row_difference){0};
  table a = {0}, b = {0};
  const locale_t before = dls_text_begin_c_locale();
  dls_status status = open_table(&a, first, err);
  status = status != DLS_OK ? status : open_table(&b, second, err);
  if (status == DLS_OK && strcmp(a.header.text, b.header.text) != 0) {
    status = dls_fail(err, DLS_ERR_PARSE, "%.200s has the columns %.120s; the new table has %.120s", first,
                      a.header.text, b.header.text);
  }
  if (status == DLS_OK) {
    status = compare(&a, &b, prefix, out, err);
  }
  dls_text_end_c_locale(before);
  close_table(&a);
  close_table(&b);
  return status;
}
