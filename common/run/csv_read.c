/* csv_read.c -- trajectories from text, written by delassus or by other programs: metadata lines, a header, rows.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/csv_field.h"
#include "common/base/decimal.h"
#include "common/base/line.h"
#include "common/base/memory.h"
#include "common/base/text.h"
#include "common/run/csv.h"
#include <delassus/option.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_PATH = 200 }; /* characters of a path in a message; its end distinguishes files */
enum { BLOCK = 65536 };      /* characters read at a time, at least */

typedef struct reader {
  const char *path;
  FILE *file;
  char *block; /* part of the file: unread text from `at` up to `end`; room for a NUL after that */
  size_t room, at, end;
  char *line;           /* in the block */
  size_t length;        /* number of the line, from 1 */
  size_t number;        /* of the line, counted from 1 */
  char *interpolation;  /* value of that metadata line, or NULL */
  char *warnings;       /* values of these lines, each followed by a line feed; or NULL */
  dls_trajectory *traj; /* NULL before the header */
  /* Of tables that delassus may not have written. */
  bool any_layout;
  dls_csv_layout layout;
  const char *time;   /* name of the column that is t */
  size_t time_column; /* its place */
  char *comment;      /* the last before the header, or NULL */
  size_t comment_number;
} reader;

static dls_status bad(const reader *r, const char *at, dls_error *err, const char *what, const char *text)
{
  const size_t length = strlen(r->path);
  const char *path =
      length > LONGEST_PATH ? r->path + length - LONGEST_PATH : r->path; /* leave room for the remainder */
  return dls_fail(err, DLS_ERR_PARSE, "%s:%zu:%zu: %s%.60s", path, r->number, (size_t)(at - r->line) + 1, what,
                  text);
}

/* Read another block after the remainder of the last one. @param[out] more  false at the end of the file */
static dls_status read_block(reader *r, bool *more, dls_error *err)
{
  const size_t left = r->end - r->at;
  if (r->at > 0) {
    memmove(r->block, r->block + r->at, left);
  }
  r->at = 0;
  r->end = left;
  if (left >= DLS_LINE_LONGEST) {
    return dls_fail(err, DLS_ERR_PARSE, "%.*s:%zu: the line has more than %zu characters", LONGEST_PATH,
                    r->path, r->number + 1, DLS_LINE_LONGEST);
  }
  if (left + 1 >= r->room) { /* a long line */
    const size_t room = r->room > 0 ? 2 * r->room : BLOCK;
    char *larger = realloc(r->block, room);
    if (larger == NULL) {
      return dls_fail(err, DLS_ERR_MEMORY, "%s:%zu: no memory for the line", r->path, r->number + 1);
    }
    r->block = larger;
    r->room = room;
  }
  const size_t count = fread(r->block + left, 1, r->room - 1 - left, r->file);
  r->end += count;
  r->block[r->end] = '\0';
  *more = count > 0;
  return count > 0 || !ferror(r->file)
             ? DLS_OK
             : dls_fail(err, dls_unread_status(errno), "cannot read %s: %s", r->path, strerror(errno));
}

/* The next line, with its end. @param[out] there  false after the last one */
static dls_status next_line(reader *r, bool *there, dls_error *err)
{
  dls_status status = DLS_OK;
  const char *end = NULL;
  bool more = true;
  while (status == DLS_OK && more &&
         (r->at == r->end || (end = memchr(r->block + r->at, '\n', r->end - r->at)) == NULL)) {
    status = read_block(r, &more, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  r->line = r->block + r->at;
  r->length = end != NULL ? (size_t)(end - r->line) + 1 : r->end - r->at;
  r->at += r->length;
  *there = r->length > 0;
  return DLS_OK;
}

/* Remove the line end, LF or CR LF, and a byte order mark from the start of the file. */
static void strip(reader *r)
{
  size_t length = r->length;
  length -= length > 0 && r->line[length - 1] == '\n';
  length -= length > 0 && r->line[length - 1] == '\r';
  r->line[length] = '\0';
  const size_t mark = r->number == 1 ? dls_text_mark(r->line) : 0;
  r->line += mark;
  r->length = length - mark;
}

static bool blank(const char *line)
{
  return line[strspn(line, " \t")] == '\0';
}

/* Append to the other warnings. */
static dls_status keep_warning(reader *r, const char *text, dls_error *err)
{
  const size_t before = r->warnings != NULL ? strlen(r->warnings) : 0, length = strlen(text);
  char *longer = realloc(r->warnings, before + length + 2);
  if (longer == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory for the metadata", r->path);
  }
  memcpy(longer + before, text, length);
  strcpy(longer + before + length, "\n");
  r->warnings = longer;
  return DLS_OK;
}

static dls_status note_warnings(const reader *r, dls_error *err)
{
  dls_status status = DLS_OK;
  for (const char *text = r->warnings; text != NULL && *text != '\0' && status == DLS_OK;) {
    const size_t length = strcspn(text, "\n");
    status = dls_trajectory_note(r->traj, err, "warning", "%.*s", (int)length, text);
    text += length + 1;
  }
  return status;
}

/* A comment may be the header. A file of delassus begins with its version. */
static dls_status keep_comment(reader *r, dls_error *err)
{
  static const char ours[] = "# delassus: ";
  if (r->number == 1 && strncmp(r->line, ours, sizeof ours - 1) == 0) {
    r->any_layout = false;
    r->layout.of_delassus = true;
    r->time = "t";
  }
  if (!r->any_layout || r->traj != NULL) {
    return DLS_OK;
  }
  free(r->comment);
  r->comment = strdup(r->line + 1);
  r->comment_number = r->number;
  return r->comment != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "%s: no memory for the comment", r->path);
}

static dls_status read_metadata(reader *r, dls_error *err)
{
  if (keep_comment(r, err) != DLS_OK) {
    return DLS_ERR_MEMORY;
  }
  static const char key[] = "# interpolation:", warning[] = "# warning: ";
  if (strncmp(r->line, warning, sizeof warning - 1) == 0) {
    return keep_warning(r, r->line + sizeof warning - 1, err);
  }
  if (strncmp(r->line, key, sizeof key - 1) == 0) {
    free(r->interpolation);
    r->layout.interpolation = true;
    r->interpolation = strdup(r->line + sizeof key - 1);
    if (r->interpolation == NULL) {
      return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory for the metadata", r->path);
    }
  }
  return DLS_OK;
}

/* Cut the next field out of the line, without blanks and quotes around it. */
static char *cut_field(char **rest)
{
  char *field = dls_csv_cut(rest);
  field += strspn(field, " \t");
  size_t length = strlen(field);
  while (length > 0 && (field[length - 1] == ' ' || field[length - 1] == '\t')) {
    length--;
  }
  field[length] = '\0';
  return dls_csv_unquote(field);
}

/* By name, then by position in the line. */
static int compare_names(const void *a, const void *b)
{
  const char *const *x = a;
  const char *const *y = b;
  const int order = strcmp(*x, *y);
  return order != 0 ? order : (*x > *y) - (*x < *y);
}

/* The first name that occurs earlier in the line, or NULL; sorts names, which point into one line. */
static const char *repeated_name(const char **names, size_t count)
{
  const char *first = NULL;
  qsort(names, count, sizeof *names, compare_names);
  for (size_t i = 1; i < count; i++) {
    if (strcmp(names[i - 1], names[i]) == 0 && (first == NULL || names[i] < first)) {
      first = names[i];
    }
  }
  return first;
}

/* @param[in] names  count in order, then room for as many */
static dls_status check_header(const reader *r, const char **names, size_t count, dls_error *err)
{
  if (!r->any_layout && strcmp(names[0], "t") != 0) {
    return bad(r, names[0], err, "the first column of the header must be t, not ", names[0]);
  }
  for (size_t i = 0; i < count; i++) {
    if (names[i][0] == '\0') {
      return bad(r, names[i], err, "a column of the header has no name", "");
    }
    if (strcmp(names[i], "t") == 0 && strcmp(r->time, "t") != 0) {
      return bad(r, names[i], err, "a column t, while the time is mapped to the column ", r->time);
    }
  }
  memcpy(names + count, names, count * sizeof *names);
  const char *twice = repeated_name(names + count, count);
  return twice == NULL ? DLS_OK : bad(r, twice, err, "the header names two columns ", twice);
}

/* Find the column of the time, and move its name to the front. */
static dls_status find_time(reader *r, const char **names, size_t count, dls_error *err)
{
  size_t k = 0;
  while (k < count && strcmp(names[k], r->time) != 0) {
    k++;
  }
  if (k == count) {
    char what[240] = "";
    dls_text_append(what, sizeof what, "no column '%.60s' for the time; the columns are ", r->time);
    for (size_t i = 0; i < count; i++) {
      dls_text_append(what, sizeof what, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    return bad(r, r->line, err, what, "; t=NAME in --map chooses one");
  }
  memmove(names + 1, names, k * sizeof *names);
  names[0] = "t";
  r->time_column = k;
  return DLS_OK;
}

/* The comma at the end of the line, perhaps before blanks; NULL: there is none. */
static char *last_separator(const reader *r)
{
  size_t length = r->length;
  while (length > 0 && strchr(" \t", r->line[length - 1]) != NULL) {
    length--;
  }
  return length > 0 && r->line[length - 1] == ',' ? r->line + length - 1 : NULL;
}

static void end_line_at(reader *r, char *end)
{
  *end = '\0';
  r->length = (size_t)(end - r->line);
}

/* Cut off the separator at the end of a row. If the header has one, or the first row, each row must have one: a row without it may be
 * incomplete. */
static dls_status cut_last_separator(reader *r, dls_error *err)
{
  char *last = last_separator(r);
  if (last != NULL && r->traj->rows == 0 && dls_csv_field_count(r->line) == r->traj->columns + 1) {
    r->layout.ends_with_separator = true;
  }
  if (!r->layout.ends_with_separator) {
    return DLS_OK;
  }
  if (last == NULL) {
    return bad(r, r->line + r->length, err, "no separator at the end of the line, where those before have one",
               "");
  }
  end_line_at(r, last);
  return DLS_OK;
}

/* Commas separate the names after this. */
static dls_status find_separator(reader *r, dls_error *err)
{
  r->layout.separator = dls_csv_separator(r->line);
  const char *comma = dls_csv_rewrite(&r->layout, r->line, false);
  return comma == NULL ? DLS_OK
                       : bad(r, comma, err,
                             "a comma in a name without quotes, where other characters separate columns", "");
}

static dls_status read_header(reader *r, dls_error *err)
{
  if (r->any_layout && find_separator(r, err) != DLS_OK) {
    return err->status;
  }
  char *last = r->any_layout ? last_separator(r) : NULL;
  if (last != NULL) {
    r->layout.ends_with_separator = true;
    end_line_at(r, last);
  }
  const size_t count = dls_csv_field_count(r->line);
  const char **names = calloc(2 * count, sizeof *names);
  if (names == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory for %zu column names", r->path, count);
  }
  char *rest = r->line;
  for (size_t i = 0; i < count; i++) {
    names[i] = cut_field(&rest);
  }
  dls_status status = check_header(r, names, count, err);
  status = status == DLS_OK ? find_time(r, names, count, err) : status;
  if (status == DLS_OK) {
    r->traj = dls_trajectory_create_table(count, names);
    status = r->traj != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "%s: no memory for the table", r->path);
  }
  free(names);
  return status;
}

/* A line of numbers and commas only. @return false if it is not one: read_fields then reports what it is */
static bool read_plain(const char *at, const char *end, size_t count, double *row)
{
  for (size_t j = 0; j < count; j++) {
    const size_t length = dls_decimal_read(at, end, &row[j]);
    at += length;
    if (length == 0 || *at != (j + 1 < count ? ',' : '\0')) {
      return false;
    }
    at++;
  }
  return true;
}

/* Any line: with blanks, quotes, numbers of many digits, errors. */
static dls_status read_fields(reader *r, double *row, dls_error *err)
{
  const size_t count = dls_csv_field_count(r->line), columns = r->traj->columns;
  if (count != columns) {
    char what[80];
    snprintf(what, sizeof what, "%zu fields where the header has %zu columns", count, columns);
    return bad(r, r->line, err, what, "");
  }
  char *rest = r->line;
  for (size_t j = 0; j < count; j++) {
    const char *field = cut_field(&rest);
    if (dls_parse_number("", field, &row[j], NULL) != DLS_OK) {
      return bad(r, field, err, "not a finite number: ", field);
    }
  }
  return DLS_OK;
}

/* Rows have the time first. */
static void move_time(const reader *r, double *row)
{
  const double t = row[r->time_column];
  memmove(row + 1, row, r->time_column * sizeof *row);
  row[0] = t;
}

static dls_status read_row(reader *r, dls_error *err)
{
  dls_trajectory *traj = r->traj;
  const char *sign = r->any_layout ? dls_csv_rewrite(&r->layout, r->line, true) : NULL;
  if (sign != NULL) {
    return bad(r, sign, err, "decimal points and decimal commas in one file", "");
  }
  if (r->any_layout && cut_last_separator(r, err) != DLS_OK) {
    return err->status;
  }
  double *row = dls_trajectory_append(traj);
  if (row == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s:%zu: no memory for the row", r->path, r->number);
  }
  if (!read_plain(r->line, r->line + r->length, traj->columns, row)) {
    const dls_status status = read_fields(r, row, err);
    if (status != DLS_OK) {
      return status;
    }
  }
  move_time(r, row);
  if (traj->rows > 1 && row[0] < row[-(ptrdiff_t)traj->columns]) {
    char value[DLS_DECIMAL_SIZE];
    dls_decimal_write(row[0], value);
    return bad(r, r->line, err, "t decreases to ", value);
  }
  return DLS_OK;
}

/* The first line of numbers, where the header is the comment before it. */
static dls_status read_header_in_comment(reader *r, dls_error *err)
{
  if (r->comment == NULL) {
    return bad(r, r->line, err, "no header line before the numbers", "");
  }
  char *row = r->line;
  const size_t number = r->number, length = r->length;
  r->line = r->comment;
  r->length = strlen(r->comment);
  r->number = r->comment_number;
  const dls_status status = read_header(r, err);
  r->layout.header_in_comment = true;
  r->line = row;
  r->length = length;
  r->number = number;
  return status == DLS_OK ? read_row(r, err) : status;
}

static dls_status read_line(reader *r, dls_error *err)
{
  r->number++;
  if (r->number == 1 && dls_text_is_utf16(r->line)) {
    return bad(r, r->line, err, DLS_TEXT_UTF16, "");
  }
  const char *zero = memchr(r->line, '\0', r->length);
  if (zero != NULL) {
    return bad(r, zero, err, "zero byte: not a text file", "");
  }
  strip(r);
  if (r->line[0] == '#') {
    return read_metadata(r, err);
  }
  if (blank(r->line)) {
    return DLS_OK;
  }
  if (r->traj != NULL) {
    return read_row(r, err);
  }
  return r->any_layout && dls_csv_begins_with_number(r->line) ? read_header_in_comment(r, err)
                                                              : read_header(r, err);
}

static dls_status read_lines(reader *r, dls_error *err)
{
  bool there = false;
  dls_status status = next_line(r, &there, err);
  while (status == DLS_OK && there) {
    status = read_line(r, err);
    status = status != DLS_OK ? status : next_line(r, &there, err);
  }
  if (status == DLS_OK && (r->traj == NULL || r->traj->rows == 0)) {
    status = dls_fail(err, DLS_ERR_PARSE, "%s:%zu:1: no %s", r->path, r->number + 1,
                      r->traj == NULL ? "header line" : "row of numbers below the header");
  }
  return status;
}

/* Unknown columns and meanings are ignored, and so is t, which has none. Columns are usually named in order, so search
 * from the last one found. */
static void set_meaning(dls_trajectory *traj, size_t *next, const char *name, const char *meaning)
{
  const bool in_order = *next < traj->columns && strcmp(traj->names[*next], name) == 0;
  const int column = in_order ? (int)*next : dls_trajectory_column(traj, name);
  *next = (size_t)(column + 1);
  for (int k = 0; column >= 1 && k < DLS_MEANINGS; k++) {
    if (strcmp(meaning, dls_meaning_names[k]) == 0) {
      traj->meaning[column] = (dls_meaning)k;
    }
  }
}

/* Set the meanings from " q0=hermite v0=linear ...". */
static void apply_interpolation(dls_trajectory *traj, char *text)
{
  size_t next = 1;
  for (char *name = text + strspn(text, " "); *name != '\0'; name = text + strspn(text, " ")) {
    const char *closing = name[0] == '"' ? dls_csv_closing_quote(name) : NULL;
    char *equals = name + (closing != NULL ? (size_t)(closing - name) : 0);
    equals += strcspn(equals, " =");
    char *end = equals + strcspn(equals, " ");
    text = *end == ' ' ? end + 1 : end;
    *end = '\0';
    if (*equals == '=') {
      *equals = '\0';
      set_meaning(traj, &next, dls_csv_unquote(name), equals + 1);
    }
  }
}

static dls_status read_file(reader *r, dls_trajectory **out, dls_error *err)
{
  *out = NULL;
  r->file = fopen(r->path, "r");
  if (r->file == NULL) {
    return dls_fail(err, dls_unread_status(errno), "cannot read %s: %s", r->path, strerror(errno));
  }
  const locale_t before = dls_text_begin_c_locale();
  dls_status status = read_lines(r, err);
  status = status != DLS_OK ? status : note_warnings(r, err);
  dls_text_end_c_locale(before);
  if (status == DLS_OK) {
    if (r->interpolation != NULL) {
      apply_interpolation(r->traj, r->interpolation);
    }
    *out = r->traj;
  } else {
    dls_trajectory_destroy(r->traj);
  }
  free(r->interpolation);
  free(r->warnings);
  free(r->comment);
  free(r->block);
  fclose(r->file);
  return status;
}

dls_status dls_trajectory_read(const char *path, dls_trajectory **out, dls_error *err)
{
  return read_file(&(reader){.path = path, .time = "t"}, out, err);
}

dls_status dls_trajectory_read_table(const char *path, const char *time, dls_trajectory **out,
                                     dls_csv_layout *layout, dls_error *err)
{
  reader r = {
      .path = path, .any_layout = true, .time = time != NULL ? time : "t", .layout = {.separator = ','}};
  const dls_status status = read_file(&r, out, err);
  *layout = r.layout;
  return status;
}
