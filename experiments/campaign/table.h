/* experiments/campaign/table.h -- CSV tables (RFC 4180): fields, and records whose members are columns.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_TABLE_H
#define DELASSUS_EXPERIMENTS_TABLE_H

#include <delassus/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** DLS_OK, or DLS_ERR_IO if the stream has an error. */
dls_status dls_table_status(FILE *out);
/** A CSV field, quoted where it must be (RFC 4180). */
void dls_table_field(FILE *out, const char *text);
/** A comma and a number of 17 digits; "nan", never "-nan". */
void dls_table_number(FILE *out, double x);
/** A column that holds a member of a record: a point, or a line, of a study. A table of them ends with {0}. */
typedef enum dls_table_kind { DLS_TABLE_COUNT, DLS_TABLE_REAL, DLS_TABLE_TEXT } dls_table_kind;
typedef struct dls_table_column {
  const char *name;
  dls_table_kind kind; /* size_t; double; array of char */
  size_t offset;
} dls_table_column;
/** ",name" of each. */
void dls_table_names(const dls_table_column *columns, FILE *out);
/** ",value" of each. */
void dls_table_cells(const dls_table_column *columns, const void *record, FILE *out);

/** Take the next field of a line from *rest, unquoted in place. @return NULL if there is none */
char *dls_table_read_field(char **rest);

#endif
