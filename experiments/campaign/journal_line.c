/* experiments/campaign/journal_line.c -- a finished cell as a line of a journal, written and read by the columns of a form:
 *
 *   cell,name,shared columns,columns of row 1,failure 1,columns of row 2,failure 2,...,check
 *
 * Numbers are the shortest decimals that read back to the same bits. The check is a hash of the head and of the line up to it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/csv_field.h"
#include "common/base/decimal.h"
#include "common/base/hash.h"
#include "common/base/text.h"
#include "experiments/campaign/journal.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_ROOM = 400 };

static size_t count_columns(const dls_table_column *columns)
{
  size_t count = 0;
  while (columns[count].name != NULL) {
    count++;
  }
  return count;
}

/* --- the check --- */

void dls_journal_check(const char *line, size_t size, uint64_t hash, char text[DLS_JOURNAL_CHECK_SIZE + 1])
{
  static const char digits[] = "0123456789abcdef";
  uint64_t check = dls_hash(hash, line, size);
  text[0] = ',';
  for (size_t i = DLS_JOURNAL_CHECK_SIZE - 2; i > 0; i--, check >>= 4) {
    text[i] = digits[check & 15];
  }
  text[DLS_JOURNAL_CHECK_SIZE - 1] = '\n';
  text[DLS_JOURNAL_CHECK_SIZE] = '\0';
}

/* The length of a line without its check. @return 0 if the check is wrong */
static size_t checked_length(const char *line, size_t size, uint64_t hash)
{
  char check[DLS_JOURNAL_CHECK_SIZE + 1];
  const size_t ending = DLS_JOURNAL_CHECK_SIZE - 1, length = size > ending ? size - ending : 0;
  dls_journal_check(line, length, hash, check);
  return length > 0 && memcmp(check, line + length, ending) == 0 ? length : 0;
}

size_t dls_journal_line_cell(const dls_journal_form *form, const char *line, size_t size, uint64_t hash)
{
  if (checked_length(line, size, hash) == 0 || line[0] < '0' || line[0] > '9') {
    return SIZE_MAX;
  }
  char *end = NULL;
  const size_t cell = (size_t)strtoul(line, &end, 10);
  return *end == ',' && cell < form->cells ? cell : SIZE_MAX;
}

/* --- writing --- */

char *dls_journal_columns(const dls_journal_form *form, const void *study)
{
  char *text = NULL, name[NAME_ROOM];
  size_t size = 0;
  FILE *out = dls_text_stream(&text, &size);
  if (out == NULL) {
    return NULL;
  }
  fputs("cell,name", out);
  dls_table_names(form->shared, out);
  for (size_t row = 0; row < form->rows; row++) {
    form->name_row(study, row, name, sizeof name);
    for (const dls_table_column *column = form->columns; column->name != NULL; column++) {
      fprintf(out, ",%s:%s", column->name, name);
    }
    fprintf(out, ",failure:%s", name);
  }
  fputs(",check\n", out);
  return fclose(out) == 0 ? text : (free(text), NULL);
}

static void put_cells(const dls_table_column *columns, const char *record, FILE *out)
{
  char cell[DLS_DECIMAL_SIZE + 1] = ",";
  for (; columns->name != NULL; columns++) {
    const void *member = record + columns->offset;
    if (columns->kind == DLS_TABLE_COUNT) {
      fprintf(out, ",%zu", *(const size_t *)member);
    } else {
      fwrite(cell, 1, 1 + dls_decimal_write(*(const double *)member, cell + 1), out);
    }
  }
}

/* A line feed would end the line: it is written \n, and a backslash \\. */
static void put_failure(const char *text, FILE *out)
{
  const bool quoted = text[0] != '\0' && strpbrk(text, ",\"\r") != NULL;
  fputs(quoted ? ",\"" : ",", out);
  for (; *text != '\0'; text++) {
    if (strchr("\n\\\"", *text) != NULL) {
      fputc(*text == '"' ? '"' : '\\', out);
    }
    fputc(*text == '\n' ? 'n' : *text, out);
  }
  fputs(quoted ? "\"" : "", out);
}

/* At the end of a stream into memory. @param[in,out] text, size  of the stream */
static void put_line(const dls_journal_form *form, const void *study, const void *data, size_t cell,
                     uint64_t hash, FILE *out, char *const *text, const size_t *size)
{
  char name[NAME_ROOM], number[DLS_DECIMAL_SIZE], check[DLS_JOURNAL_CHECK_SIZE + 1];
  fflush(out);
  const size_t begin = *size;
  form->name(study, cell, name, sizeof name);
  dls_decimal_write((double)cell, number); /* below 1e16: its digits */
  fputs(number, out);
  fputc(',', out);
  dls_table_field(out, name);
  put_cells(form->shared, form->row(data, cell, 0), out);
  for (size_t row = 0; row < form->rows; row++) {
    const char *failure = form->failure(data, cell, row);
    put_cells(form->columns, form->row(data, cell, row), out);
    put_failure(failure != NULL ? failure : "", out);
  }
  fflush(out);
  dls_journal_check(*text + begin, *size - begin, hash, check);
  fputs(check, out);
}

char *dls_journal_lines(const dls_journal_form *form, const void *study, const void *data, const size_t *cells,
                        size_t count, uint64_t hash, size_t *size)
{
  char *text = NULL;
  *size = 0;
  FILE *out = dls_text_stream(&text, size);
  if (out == NULL) {
    return NULL;
  }
  const locale_t before = dls_text_begin_c_locale();
  for (size_t i = 0; i < count; i++) {
    put_line(form, study, data, cells[i], hash, out, &text, size);
  }
  dls_text_end_c_locale(before);
  return fclose(out) == 0 ? text : (free(text), NULL);
}

/* --- reading --- */

static bool read_count(const char *text, size_t *x)
{
  char *end = NULL;
  errno = 0;
  *x = (size_t)strtoull(text, &end, 10);
  return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
}

static bool read_number(const char *text, double *x)
{
  char *end = NULL;
  const size_t length = dls_decimal_read(text, text + strlen(text), x);
  if (length > 0 && text[length] == '\0') {
    return true;
  }
  *x = strtod(text, &end); /* underflow sets errno, but the value is right */
  *x = isnan(*x) ? NAN : *x;
  return end != text && *end == '\0';
}

static bool read_cells(const dls_table_column *columns, char **rest, char *record)
{
  bool good = true;
  for (; columns->name != NULL && good; columns++) {
    void *member = record + columns->offset;
    const char *text = dls_table_read_field(rest);
    good = text != NULL &&
           (columns->kind == DLS_TABLE_COUNT ? read_count(text, member) : read_number(text, member));
  }
  return good;
}

static void copy_cells(const dls_table_column *columns, const char *from, char *to)
{
  for (; columns->name != NULL; columns++) {
    const size_t size = columns->kind == DLS_TABLE_COUNT ? sizeof(size_t) : sizeof(double);
    memcpy(to + columns->offset, from + columns->offset, size);
  }
}

/* As put_failure has written it, in place. */
static const char *read_failure(char *text)
{
  char *to = text;
  for (const char *from = text; *from != '\0'; from++) {
    const bool escaped = from[0] == '\\' && from[1] != '\0';
    from += escaped;
    *to++ = escaped && *from == 'n' ? '\n' : *from;
  }
  *to = '\0';
  return text;
}

static dls_status read_rows(const dls_journal_form *form, char *rest, void *data, size_t cell)
{
  dls_status status = DLS_OK;
  char *first = form->row(data, cell, 0);
  bool good = dls_table_read_field(&rest) != NULL && dls_table_read_field(&rest) != NULL &&
              read_cells(form->shared, &rest, first);
  for (size_t row = 0; row < form->rows && good && status == DLS_OK; row++) {
    char *record = form->row(data, cell, row);
    if (row > 0) {
      copy_cells(form->shared, first, record);
    }
    char *failure = read_cells(form->columns, &rest, record) ? dls_table_read_field(&rest) : NULL;
    good = failure != NULL;
    status = good ? form->fail(data, cell, row, read_failure(failure)) : DLS_OK;
  }
  return good && (rest == NULL || status != DLS_OK) ? status : DLS_ERR_PARSE;
}

dls_status dls_journal_read(const dls_journal_form *form, const char *line, size_t size, uint64_t hash,
                            void *data, size_t cell)
{
  const size_t length = checked_length(line, size, hash);
  if (length == 0) {
    return DLS_ERR_PARSE;
  }
  char *copy = malloc(length + 1);
  if (copy == NULL) {
    return DLS_ERR_MEMORY;
  }
  memcpy(copy, line, length);
  copy[length] = '\0';
  const locale_t before = dls_text_begin_c_locale();
  const dls_status status = read_rows(form, copy, data, cell);
  dls_text_end_c_locale(before);
  free(copy);
  return status;
}

/* --- lines of the same cell --- */

size_t dls_journal_line_length(const char *text)
{
  const char *end = strchr(text, '\n');
  return end == NULL ? 0 : (size_t)(end - text) + 1;
}

static const char *skip_fields(const char *line, size_t count)
{
  for (; count > 0; count--) {
    line += dls_csv_field_length(line) + 1;
  }
  return line;
}

/* The field with the seconds of a cell. The form has some. */
static const char *find_seconds(const dls_journal_form *form, const char *line)
{
  size_t position = 2; /* behind cell and name */
  for (const dls_table_column *column = form->shared; strcmp(column->name, form->seconds) != 0; column++) {
    position++;
  }
  return skip_fields(line, position);
}

bool dls_journal_same(const dls_journal_form *form, const char *a, const char *b)
{
  size_t size = dls_journal_line_length(a), other = dls_journal_line_length(b);
  if (form->seconds == NULL) {
    return form->timed || (size == other && memcmp(a, b, size) == 0);
  }
  const char *x = find_seconds(form, a), *y = find_seconds(form, b);
  const size_t before = (size_t)(x - a);
  if ((size_t)(y - b) != before || memcmp(a, b, before) != 0) {
    return false;
  }
  x += dls_csv_field_length(x);
  y += dls_csv_field_length(y);
  size -= (size_t)(x - a) + DLS_JOURNAL_CHECK_SIZE;
  other -= (size_t)(y - b) + DLS_JOURNAL_CHECK_SIZE;
  return size == other && memcmp(x, y, size) == 0;
}

bool dls_journal_is_finished(const dls_journal_form *form, const char *line)
{
  static const char missing[] = "nan,";
  if (form->seconds == NULL || !form->timed ||
      strncmp(find_seconds(form, line), missing, sizeof missing - 1) != 0) {
    return true;
  }
  bool has_result = false;
  const char *first = skip_fields(line, 2 + count_columns(form->shared));
  for (size_t row = 0; row < form->rows && !has_result; row++) {
    has_result = isfinite(strtod(first, NULL));
    first = skip_fields(first, count_columns(form->columns) + 1);
  }
  return !has_result;
}
