/* matrix_market.c -- Matrix Market files to tables of entries.
 * A reader of our own, because CHOLMOD and GSL do not report where a file is wrong. They stop at the first bad line without
 * naming it and read numbers by scanf in the current locale. They also allocate for the announced number of entries before
 * reading any.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/memory.h"
#include "common/base/text.h"
#include "common/models/matrix_market/market_table.h"
#include <delassus/matrix_market.h>
#include <delassus/option.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
  LONGEST_LINE = 1024,        /* NISTIR 5935, section 2 */
  MOST_TOKENS = 5,            /* of the first line */
  LONGEST_PATH = 160,         /* characters of a path in a message; its end distinguishes files */
  LARGEST_ORDER = 2147483647, /* largest index of every library below */
  FIRST_CAPACITY = 64
};
static const double largest_integer = 0x1p53; /* beyond it a double cannot represent every integer */

typedef enum symmetry { GENERAL, SYMMETRIC, SKEW } symmetry;

typedef struct reader {
  FILE *in;
  const char *name;
  char line[LONGEST_LINE + 1];
  size_t first;  /* number of the first line */
  size_t number; /* of the line */
  char *tokens[MOST_TOKENS + 1];
  size_t token_count;
  bool array, integer;
  symmetry symmetry;
  size_t announced, header_line; /* entries, and the line that announces them */
  size_t seen;                   /* entries so far */
  size_t capacity;
  dls_market *table;
} reader;

static const char *tail(const char *path)
{
  const size_t length = strlen(path);
  return length > LONGEST_PATH ? path + length - LONGEST_PATH : path;
}

static dls_status bad(const reader *r, const char *at, dls_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static dls_status bad(const reader *r, const char *at, dls_error *err, const char *format, ...)
{
  char what[220];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  return dls_fail(err, DLS_ERR_PARSE, "%s:%zu:%zu: %s", tail(r->name), r->number, (size_t)(at - r->line) + 1,
                  what);
}

/* --- lines and words --- */

/* The next line without its line end, comments cut after their first character. @return DLS_OK; *there is false at the
 * end of the file */
static dls_status next_line(reader *r, bool *there, dls_error *err)
{
  size_t length = 0;
  int c = getc_unlocked(r->in);
  *there = c != EOF;
  r->number += *there;
  for (; c != EOF && c != '\n'; c = getc_unlocked(r->in)) {
    if (c == '\0') {
      r->line[length] = '\0';
      return dls_text_is_utf16(r->line) ? bad(r, r->line, err, DLS_TEXT_UTF16)
                                        : bad(r, r->line + length, err, "zero byte: not a text file");
    }
    const bool comment = r->number > r->first && length > 0 && r->line[0] == '%';
    if (length == LONGEST_LINE && !comment) {
      return bad(r, r->line + length, err, "the line has more than %d characters", LONGEST_LINE);
    }
    if (!comment) {
      r->line[length++] = (char)c;
    }
  }
  length -= length > 0 && r->line[length - 1] == '\r';
  r->line[length] = '\0';
  if (ferror(r->in)) {
    return dls_fail(err, dls_unread_status(errno), "cannot read %s: %s", tail(r->name), strerror(errno));
  }
  return DLS_OK;
}

/* The first line, without a byte order mark. */
static dls_status first_line(reader *r, bool *there, dls_error *err)
{
  const dls_status status = next_line(r, there, err);
  const size_t mark = status == DLS_OK ? dls_text_mark(r->line) : 0;
  memmove(r->line, r->line + mark, strlen(r->line + mark) + 1);
  return status;
}

/* Split the line at blanks; after MOST_TOKENS + 1 words the rest is ignored. */
static void cut(reader *r)
{
  char *at = r->line;
  r->token_count = 0;
  for (;;) {
    at += strspn(at, " \t");
    if (*at == '\0' || r->token_count > MOST_TOKENS) {
      return;
    }
    r->tokens[r->token_count++] = at;
    at += strcspn(at, " \t");
    if (*at != '\0') {
      *at++ = '\0';
    }
  }
}

/* The words of the next line that has any and is not a comment. */
static dls_status next_words(reader *r, bool *there, dls_error *err)
{
  dls_status status = DLS_OK;
  do {
    status = next_line(r, there, err);
    cut(r);
  } while (status == DLS_OK && *there && (r->token_count == 0 || r->tokens[0][0] == '%'));
  return status;
}

static dls_status whole_number(const reader *r, const char *word, const char *what, size_t least, size_t most,
                               size_t *out, dls_error *err)
{
  const size_t digits = strspn(word, "0123456789");
  if (digits == 0 || word[digits] != '\0') {
    return bad(r, word, err, "the %s '%.40s' is not a whole number", what, word);
  }
  size_t value = 0;
  bool over = false;
  for (const char *c = word; *c != '\0' && !over; c++) {
    const size_t digit = (size_t)(*c - '0');
    over = value > (most - (digit < most ? digit : most)) / 10;
    value = 10 * value + digit;
  }
  if (over || value < least || value > most) {
    return bad(r, word, err, "the %s %.40s is outside %zu..%zu", what, word, least, most);
  }
  *out = value;
  return DLS_OK;
}

/* Decimal notation only: no hexadecimal numbers, nan or inf. */
static dls_status real_number(const reader *r, const char *word, double *out, dls_error *err)
{
  const bool decimal = word[strspn(word, "0123456789+-.eE")] == '\0';
  if (!decimal || dls_parse_number("", word, out, NULL) != DLS_OK) {
    return bad(r, word, err, "'%.60s' is not a finite decimal number", word);
  }
  if (r->integer && (strpbrk(word, ".eE") != NULL || fabs(*out) > largest_integer)) {
    return bad(r, word, err, "'%.60s' is not an integer up to 2^53, and the first line says integer", word);
  }
  return DLS_OK;
}

/* --- first line and size line --- */

static dls_status read_field(reader *r, const char *word, dls_error *err)
{
  r->integer = strcasecmp(word, "integer") == 0;
  if (r->integer || strcasecmp(word, "real") == 0 || strcasecmp(word, "double") == 0) {
    return DLS_OK;
  }
  if (strcasecmp(word, "pattern") == 0) {
    return bad(r, word, err, "a pattern matrix has no values: real or integer is needed");
  }
  return bad(r, word, err, "the values are '%.40s': real or integer is needed", word);
}

static dls_status read_symmetry(reader *r, const char *word, dls_error *err)
{
  static const char *const names[] = {
      [GENERAL] = "general", [SYMMETRIC] = "symmetric", [SKEW] = "skew-symmetric"};
  for (int i = GENERAL; i <= SKEW; i++) {
    if (strcasecmp(word, names[i]) == 0) {
      r->symmetry = (symmetry)i;
      return DLS_OK;
    }
  }
  return bad(r, word, err, "the symmetry is '%.40s': general, symmetric or skew-symmetric is needed", word);
}

static dls_status read_banner(reader *r, dls_error *err)
{
  static const char example[] = "%%MatrixMarket matrix coordinate|array real|integer general|symmetric|"
                                "skew-symmetric";
  bool there = false;
  dls_status status = first_line(r, &there, err);
  if (status != DLS_OK) {
    return status;
  }
  r->number = r->first; /* for an empty file too */
  cut(r);
  if (!there || r->token_count == 0 || strcasecmp(r->tokens[0], "%%MatrixMarket") != 0) {
    return bad(r, r->line, err, "the first line must be %s", example);
  }
  if (r->token_count != MOST_TOKENS || strcasecmp(r->tokens[1], "matrix") != 0) {
    return bad(r, r->token_count > 1 ? r->tokens[1] : r->line, err, "the first line must be %s", example);
  }
  r->array = strcasecmp(r->tokens[2], "array") == 0;
  if (!r->array && strcasecmp(r->tokens[2], "coordinate") != 0) {
    return bad(r, r->tokens[2], err, "the format is '%.40s': coordinate or array is needed", r->tokens[2]);
  }
  status = read_field(r, r->tokens[3], err);
  return status != DLS_OK ? status : read_symmetry(r, r->tokens[4], err);
}

/* Number of places that a file of this symmetry may fill. */
static uint64_t places(const reader *r)
{
  const uint64_t rows = r->table->rows;
  const uint64_t columns = r->table->columns;
  switch (r->symmetry) {
  case GENERAL:
    break;
  case SYMMETRIC:
    return rows * (rows + 1) / 2;
  case SKEW:
    return rows * (rows - 1) / 2;
  }
  return rows * columns;
}

static dls_status read_sizes(reader *r, dls_error *err)
{
  const size_t wanted = r->array ? 2 : 3;
  bool there = false;
  dls_status status = next_words(r, &there, err);
  if (status != DLS_OK) {
    return status;
  }
  if (!there || r->token_count != wanted) {
    r->number += !there;
    return bad(r, r->line, err, "expected the size line: %s",
               r->array ? "rows columns" : "rows columns entries");
  }
  dls_market *table = r->table;
  status = whole_number(r, r->tokens[0], "number of rows", 1, LARGEST_ORDER, &table->rows, err);
  status = status != DLS_OK
               ? status
               : whole_number(r, r->tokens[1], "number of columns", 1, LARGEST_ORDER, &table->columns, err);
  if (status == DLS_OK && r->symmetry != GENERAL && table->rows != table->columns) {
    status = bad(r, r->tokens[0], err, "a %zu x %zu matrix cannot be symmetric or skew-symmetric", table->rows,
                 table->columns);
  }
  if (status != DLS_OK) {
    return status;
  }
  const uint64_t most = places(r);
  r->header_line = r->number;
  r->announced = most < SIZE_MAX ? (size_t)most : SIZE_MAX;
  return r->array ? DLS_OK
                  : whole_number(r, r->tokens[2], "number of entries", 0, r->announced, &r->announced, err);
}

/* --- entries --- */

static dls_status add(reader *r, size_t row, size_t column, double value, dls_error *err)
{
  dls_market *table = r->table;
  if (table->count == r->capacity) {
    const size_t capacity = r->capacity == 0 ? FIRST_CAPACITY : 2 * r->capacity;
    dls_market_entry *entries = realloc(table->entries, dls_size_product(capacity, sizeof *entries));
    if (entries == NULL) {
      return dls_fail(err, DLS_ERR_MEMORY, "%s:%zu: no memory for more than %zu entries", tail(r->name),
                      r->number, table->count);
    }
    table->entries = entries;
    r->capacity = capacity;
  }
  table->entries[table->count++] = (dls_market_entry){row, column, value, r->number};
  return DLS_OK;
}

/* Add an entry of the file and, if the file holds one triangle, its mirror image. */
static dls_status add_with_mirror(reader *r, size_t row, size_t column, double value, dls_error *err)
{
  const dls_status status = add(r, row, column, value, err);
  if (status != DLS_OK || r->symmetry == GENERAL || row == column) {
    return status;
  }
  return add(r, column, row, r->symmetry == SKEW ? -value : value, err);
}

static dls_status read_coordinate(reader *r, dls_error *err)
{
  const dls_market *table = r->table;
  size_t row = 0;
  size_t column = 0;
  double value = 0;
  if (r->token_count != 3) {
    return bad(r, r->token_count > 3 ? r->tokens[3] : r->line, err, "an entry must be 'row column value'");
  }
  dls_status status = whole_number(r, r->tokens[0], "row", 1, table->rows, &row, err);
  if (status != DLS_OK ||
      (status = whole_number(r, r->tokens[1], "column", 1, table->columns, &column, err)) != DLS_OK ||
      (status = real_number(r, r->tokens[2], &value, err)) != DLS_OK) {
    return status;
  }
  if (r->symmetry != GENERAL && (row < column || (r->symmetry == SKEW && row == column))) {
    return bad(r, r->tokens[0], err,
               "entry (%zu,%zu) is %s the diagonal: the file is %s and holds only what is below"
               "%s",
               row, column, row < column ? "above" : "on", r->symmetry == SKEW ? "skew-symmetric" : "symmetric",
               r->symmetry == SKEW ? "" : " and on it");
  }
  return add_with_mirror(r, row - 1, column - 1, value, err);
}

/* Row and column of the next number of an array, column by column. */
typedef struct place {
  size_t row, column;
} place;

static place first_place(const reader *r)
{
  return (place){r->symmetry == SKEW ? 1 : 0, 0};
}

static place next_place(const reader *r, place at)
{
  if (++at.row == r->table->rows) {
    at.column++;
    at.row = r->symmetry == GENERAL ? 0 : at.column + (r->symmetry == SKEW);
  }
  return at;
}

static dls_status read_number(reader *r, place at, dls_error *err)
{
  double value = 0;
  if (r->token_count != 1) {
    return bad(r, r->tokens[1], err, "the file is an array and must have one number per line");
  }
  const dls_status status = real_number(r, r->tokens[0], &value, err);
  return status != DLS_OK || value == 0 ? status : add_with_mirror(r, at.row, at.column, value, err);
}

static dls_status read_entries(reader *r, dls_error *err)
{
  place at = first_place(r);
  bool there = false;
  dls_status status = DLS_OK;
  for (; (status = next_words(r, &there, err)) == DLS_OK && there; r->seen++) {
    if (r->seen == r->announced) {
      return bad(r, r->tokens[0], err, "line %zu announces %zu entries, but more follow", r->header_line,
                 r->announced);
    }
    status = r->array ? read_number(r, at, err) : read_coordinate(r, err);
    if (status != DLS_OK) {
      return status;
    }
    at = next_place(r, at);
  }
  if (status == DLS_OK && r->seen < r->announced) {
    r->number++;
    return bad(r, r->line, err, "the file ends after %zu of the %zu entries that line %zu announces", r->seen,
               r->announced, r->header_line);
  }
  return status;
}

/* Of duplicate entries, find the first in the file. */
static dls_status refuse_duplicates(reader *r, dls_error *err)
{
  const dls_market_entry *first = NULL;
  for (size_t k = 1; k < r->table->count; k++) {
    const dls_market_entry *e = &r->table->entries[k];
    const bool twice = e[-1].row == e->row && e[-1].column == e->column;
    if (twice && (first == NULL || e->line < first->line)) {
      first = e;
    }
  }
  if (first == NULL) {
    return DLS_OK;
  }
  r->number = first->line;
  return bad(r, r->line, err,
             "entry (%zu,%zu) was already given in line %zu: sum duplicate entries before writing",
             first->row + 1, first->column + 1, first[-1].line);
}

dls_status dls_market_parse_from(FILE *in, const char *name, size_t first, dls_market **out, dls_error *err)
{
  reader r = {.in = in, .name = name, .first = first, .number = first - 1, .table = calloc(1, sizeof *r.table)};
  *out = NULL;
  if (r.table == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s: out of memory", tail(name));
  }
  dls_status status = read_banner(&r, err);
  status = status != DLS_OK ? status : read_sizes(&r, err);
  status = status != DLS_OK ? status : read_entries(&r, err);
  if (status == DLS_OK) {
    dls_market_sort(r.table);
    status = refuse_duplicates(&r, err);
  }
  if (status != DLS_OK) {
    dls_market_destroy(r.table);
    return status;
  }
  dls_market_drop_zeros(r.table);
  *out = r.table;
  return DLS_OK;
}

dls_status dls_market_parse(FILE *in, const char *name, dls_market **out, dls_error *err)
{
  return dls_market_parse_from(in, name, 1, out, err);
}

dls_status dls_market_read(const char *path, dls_market **out, dls_error *err)
{
  *out = NULL;
  FILE *in = fopen(path, "r");
  if (in == NULL) {
    return dls_fail(err, dls_unread_status(errno), "cannot read %s: %s", tail(path), strerror(errno));
  }
  const dls_status status = dls_market_parse(in, path, out, err);
  fclose(in);
  return status;
}
