/* experiments/campaign/table.c -- fields and cells of CSV tables, written and read.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/campaign/table.h"
#include "common/base/csv_field.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- writing --- */

dls_status dls_table_status(FILE *out)
{
  return ferror(out) ? DLS_ERR_IO : DLS_OK;
}

void dls_table_field(FILE *out, const char *text)
{
  if (strpbrk(text, ",\"\r\n") == NULL) {
    fputs(text, out);
    return;
  }
  fputc('"', out);
  for (const char *c = text; *c != '\0'; c++) {
    fputs(*c == '"' ? "\"\"" : (char[]){*c, '\0'}, out);
  }
  fputc('"', out);
}

void dls_table_number(FILE *out, double x)
{
  if (isnan(x)) {
    fputs(",nan", out); /* never "-nan" */
  } else {
    fprintf(out, ",%.17g", x);
  }
}

void dls_table_names(const dls_table_column *columns, FILE *out)
{
  for (; columns->name != NULL; columns++) {
    fprintf(out, ",%s", columns->name);
  }
}

void dls_table_cells(const dls_table_column *columns, const void *record, FILE *out)
{
  for (; columns->name != NULL; columns++) {
    const char *member = (const char *)record + columns->offset;
    if (columns->kind == DLS_TABLE_COUNT) {
      fprintf(out, ",%zu", *(const size_t *)(const void *)member);
    } else if (columns->kind == DLS_TABLE_REAL) {
      dls_table_number(out, *(const double *)(const void *)member);
    } else {
      fputc(',', out);
      dls_table_field(out, member);
    }
  }
}

/* --- reading --- */

char *dls_table_read_field(char **rest)
{
  char *field = dls_csv_cut(rest);
  return field != NULL ? dls_csv_unquote(field) : NULL;
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
  *(double *)member = strtod(text, &end); /* underflow sets errno, but the value is right */
  return end != text && *end == '\0';
}

bool dls_table_read_cells(const dls_table_column *columns, char **rest, void *record)
{
  bool good = true;
  for (; columns->name != NULL && good; columns++) {
    char *member = (char *)record + columns->offset;
    const char *text = dls_table_read_field(rest);
    good =
        text != NULL && (columns->kind == DLS_TABLE_COUNT ? read_count(text, member) : read_real(text, member));
  }
  return good;
}
