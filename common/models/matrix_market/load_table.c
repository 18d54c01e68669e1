/* load_table.c -- see load_table.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/matrix_market/load_table.h"
#include "common/base/csv_field.h"
#include "common/base/memory.h"
#include "common/base/text.h"
#include "common/models/matrix_market/market_source.h"
#include <delassus/option.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROWS = 64, LONGEST_LINE = 1 << 20 };

typedef struct reader {
  FILE *in;
  const char *path;
  char *line; /* capacity */
  size_t room, number;
  dls_load_table *table;
} reader;

static dls_status bad(const reader *r, dls_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static dls_status bad(const reader *r, dls_error *err, const char *format, ...)
{
  char what[220];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  return dls_fail(err, DLS_ERR_PARSE, "%s:%zu: %s", dls_source_tail(r->path), r->number, what);
}

static dls_status no_memory(const reader *r, dls_error *err)
{
  return dls_fail(err, DLS_ERR_MEMORY, "no memory for the loads of %s", dls_source_tail(r->path));
}

/* Append one character. */
static bool put(reader *r, size_t length, char c)
{
  if (length + 1 >= r->room) {
    char *line = realloc(r->line, 2 * r->room + 256);
    if (line == NULL) {
      return false;
    }
    r->line = line;
    r->room = 2 * r->room + 256;
  }
  r->line[length] = c;
  r->line[length + 1] = '\0';
  return true;
}

/* The next line that is neither empty nor a comment, without its line end. *there is false at the end of the file. */
static dls_status next_line(reader *r, bool *there, dls_error *err)
{
  size_t length = 0;
  do {
    int c = getc(r->in);
    *there = c != EOF;
    r->number += *there;
    for (length = 0; c != EOF && c != '\n'; c = getc(r->in)) {
      if (c == '\0' || length == LONGEST_LINE) {
        return bad(r, err, "%s",
                   c == '\0' ? "zero byte: not a text file" : "the line has more than 1048576 characters");
      }
      if (!put(r, length++, (char)c)) {
        return no_memory(r, err);
      }
    }
    length -= length > 0 && r->line[length - 1] == '\r';
  } while (*there && (length == 0 || r->line[0] == '#'));
  if (ferror(r->in)) {
    return dls_fail(err, dls_unread_status(errno), "cannot read %s: %s", dls_source_tail(r->path),
                    strerror(errno));
  }
  if (length > 0) {
    r->line[length] = '\0';
  }
  return DLS_OK;
}

/* "F12": a degree of freedom below n that has no column yet. */
static dls_status read_name(const reader *r, const char *name, size_t n, size_t *freedom, dls_error *err)
{
  const size_t digits = name[0] == 'F' ? strspn(name + 1, "0123456789") : 0;
  if (digits == 0 || digits > 9 || name[1 + digits] != '\0') {
    return bad(r, err, "column '%.40s' of the header is unknown; allowed: t first, then F0 to F%zu", name,
               n - 1);
  }
  *freedom = (size_t)strtoul(name + 1, NULL, 10);
  if (*freedom >= n) {
    return bad(r, err, "no degree of freedom %zu for %.40s: M is %zu x %zu", *freedom, name, n, n);
  }
  for (size_t k = 0; k < r->table->columns; k++) {
    if (r->table->freedom[k] == *freedom) {
      return bad(r, err, "column %.40s appears twice", name);
    }
  }
  return DLS_OK;
}

static dls_status read_header(reader *r, size_t n, dls_error *err)
{
  bool there = false;
  dls_load_table *table = r->table;
  dls_status status = next_line(r, &there, err);
  if (status != DLS_OK || !there) {
    return status != DLS_OK ? status : bad(r, err, "the file is empty: it needs a header t,F0,...");
  }
  char *at = r->line + dls_text_mark(r->line);
  table->freedom = calloc(dls_csv_field_count(at), sizeof *table->freedom);
  if (table->freedom == NULL) {
    return no_memory(r, err);
  }
  const char *first = dls_csv_unquote(dls_csv_cut(&at));
  if (strcmp(first, "t") != 0 || at == NULL) {
    return bad(
        r, err,
        "the header is '%.40s...', it must be t,F0,... with a column for each degree of freedom that is loaded",
        first);
  }
  while (status == DLS_OK && at != NULL) {
    status = read_name(r, dls_csv_unquote(dls_csv_cut(&at)), n, &table->freedom[table->columns], err);
    table->columns += status == DLS_OK;
  }
  return status;
}

/* Allocate for one more row. */
static double *new_row(dls_load_table *table)
{
  const size_t width = 1 + table->columns;
  if (table->rows == table->capacity) {
    const size_t capacity = table->capacity > 0 ? 2 * table->capacity : FIRST_ROWS;
    double *values =
        realloc(table->values, dls_size_product(dls_size_product(capacity, width), sizeof *values));
    if (values == NULL) {
      return NULL;
    }
    table->values = values;
    table->capacity = capacity;
  }
  return table->values + table->rows * width;
}

/* The same time may appear twice, but not three times. */
static dls_status check_time(const reader *r, const double *row, dls_error *err)
{
  const size_t width = 1 + r->table->columns, rows = r->table->rows;
  if (rows > 0 && row[0] < row[-(ptrdiff_t)width]) {
    return bad(r, err, "t = %.10g is less than %.10g of the row before", row[0], row[-(ptrdiff_t)width]);
  }
  return rows > 1 && row[0] == row[-2 * (ptrdiff_t)width]
             ? bad(r, err, "t = %.10g appears a third time; two rows of one time are a jump", row[0])
             : DLS_OK;
}

static dls_status read_row(reader *r, dls_error *err)
{
  dls_load_table *table = r->table;
  double *row = new_row(table);
  char *at = r->line;
  if (row == NULL) {
    return no_memory(r, err);
  }
  for (size_t k = 0; k <= table->columns; k++) {
    char what[40];
    dls_error why = {0};
    if (at == NULL) {
      return bad(r, err, "the row has %zu numbers, the header %zu names", k, table->columns + 1);
    }
    snprintf(what, sizeof what, "number %zu", k + 1);
    if (dls_parse_number(what, dls_csv_unquote(dls_csv_cut(&at)), &row[k], &why) != DLS_OK) {
      return bad(r, err, "%.180s", why.text);
    }
  }
  if (at != NULL) {
    return bad(r, err, "the row has more numbers than the %zu names of the header", table->columns + 1);
  }
  const dls_status status = check_time(r, row, err);
  table->rows += status == DLS_OK;
  return status;
}

static dls_status read_all(reader *r, size_t n, dls_error *err)
{
  dls_status status = read_header(r, n, err);
  for (bool there = true; status == DLS_OK;) {
    status = next_line(r, &there, err);
    if (!there || status != DLS_OK) {
      break;
    }
    status = read_row(r, err);
  }
  return status == DLS_OK && r->table->rows == 0 ? bad(r, err, "no row of forces") : status;
}

dls_status dls_load_table_read(const char *path, size_t n, dls_load_table **out, dls_error *err)
{
  reader r = {.path = path, .in = fopen(path, "r")};
  *out = NULL;
  if (r.in == NULL) {
    return dls_fail(err, dls_unread_status(errno), "cannot read %s: %s", dls_source_tail(path),
                    strerror(errno));
  }
  r.table = calloc(1, sizeof *r.table);
  const dls_status status = r.table != NULL ? read_all(&r, n, err) : no_memory(&r, err);
  fclose(r.in);
  free(r.line);
  if (status == DLS_OK) {
    *out = r.table;
  } else {
    dls_load_table_destroy(r.table);
  }
  return status;
}

dls_load_table *dls_load_table_copy(const dls_load_table *from)
{
  const size_t size = dls_size_product(from->rows, dls_size_product(1 + from->columns, sizeof(double)));
  dls_load_table *table = calloc(1, sizeof *table);
  if (table == NULL) {
    return NULL;
  }
  *table = (dls_load_table){.rows = from->rows,
                            .columns = from->columns,
                            .capacity = from->rows,
                            .freedom = malloc(from->columns * sizeof *table->freedom),
                            .values = malloc(size)};
  if (table->freedom == NULL || table->values == NULL) {
    dls_load_table_destroy(table);
    return NULL;
  }
  memcpy(table->freedom, from->freedom, from->columns * sizeof *table->freedom);
  memcpy(table->values, from->values, size);
  return table;
}

void dls_load_table_destroy(dls_load_table *table)
{
  if (table != NULL) {
    free(table->freedom);
    free(table->values);
    free(table);
  }
}

static const double *row_of(const dls_load_table *table, size_t row)
{
  return table->values + row * (1 + table->columns);
}

/* Number of rows with a time <= t; the last of them is valid at t. */
static size_t rows_until(const dls_load_table *table, double t)
{
  size_t low = 0, high = table->rows;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    *(row_of(table, middle)[0] <= t ? &low : &high) = row_of(table, middle)[0] <= t ? middle + 1 : middle;
  }
  return low;
}

/* F += weight times the forces at t, interpolated between the rows until - 1 and until. */
static void add_line(const dls_load_table *table, size_t until, double t, double weight, double *F)
{
  const bool between = until > 0 && until < table->rows;
  const double *a = row_of(table, until > 0 ? until - 1 : 0), *b = between ? row_of(table, until) : a;
  const double x = between ? (t - a[0]) / (b[0] - a[0]) : 0;
  for (size_t k = 0; k < table->columns; k++) {
    F[table->freedom[k]] += weight * ((1 - x) * a[1 + k] + x * b[1 + k]);
  }
}

void dls_load_table_add(const dls_load_table *table, double t, double *F)
{
  add_line(table, rows_until(table, t), t, 1, F);
}

void dls_load_table_add_mean(const dls_load_table *table, double from, double to, double *F)
{
  for (double a = from, b = from; a < to; a = b) {
    const size_t until = rows_until(table, a); /* later rows are later than `a` */
    b = until < table->rows ? fmin(row_of(table, until)[0], to) : to;
    add_line(table, until, a + (b - a) / 2, (b - a) / (to - from),
             F); /* the mean of a line is its value in the middle */
  }
}

void dls_load_table_add_rate(const dls_load_table *table, double t, double *dF)
{
  const size_t until = rows_until(table, t);
  if (until == 0 || until == table->rows) {
    return;
  }
  const double *a = row_of(table, until - 1), *b = row_of(table, until);
  for (size_t k = 0; k < table->columns; k++) {
    dF[table->freedom[k]] += (b[1 + k] - a[1 + k]) / (b[0] - a[0]);
  }
}

double dls_load_table_next_jump(const dls_load_table *table, double t)
{
  for (size_t row = rows_until(table, t); row + 1 < table->rows; row++) {
    if (row_of(table, row)[0] == row_of(table, row + 1)[0]) {
      return row_of(table, row)[0];
    }
  }
  return INFINITY;
}

double dls_load_table_next_row(const dls_load_table *table, double t)
{
  const size_t row = rows_until(table, t);
  return row < table->rows ? row_of(table, row)[0] : INFINITY;
}
