/* experiments/campaign/table.c -- fields and cells of CSV tables.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/campaign/table.h"
#include "common/base/csv_field.h"
#include <math.h>
#include <string.h>

/* --- writing --- */

dls_status dls_table_status(FILE *out)
{
  return ferror(out) ? DLS_ERR_IO : DLS_OK;
}

/* Without strpbrk, which first makes a table of all characters. */
static bool must_be_quoted(const char *text)
{
  bool must = false;
  for (; *text != '\0' && !must; text++) {
    must = *text == ',' || *text == '"' || *text == '\r' || *text == '\n';
  }
  return must;
}

void dls_table_field(FILE *out, const char *text)
{
  if (!must_be_quoted(text)) {
    fputs(text, out);
    return;
  }
  fputc('"', out);
  for (const char *quote; (quote = strchr(text, '"')) != NULL; text = quote + 1) { /* a quote becomes two */
    fwrite(text, 1, (size_t)(quote - text) + 1, out);
    fputc('"', out);
  }
  fputs(text, out);
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
