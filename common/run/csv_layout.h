/* csv_layout.h -- tables that delassus did not write: what separates their columns, and how their numbers are written.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_CSV_LAYOUT_H
#define DELASSUS_COMMON_CSV_LAYOUT_H

#include <stdbool.h>

/** The layout of a table. */
typedef struct dls_csv_layout {
  char separator;                    /* ',', ';', '\t', or ' ': blanks and tabs, any number of them */
  bool decimal_comma, decimal_point; /* numbers such as 0,5 and 0.5 were read; never both */
  bool ends_with_separator;          /* each row does, behind its last number */
  bool header_in_comment;            /* the header is the last comment before the numbers */
  bool of_delassus;                  /* delassus has written it */
  bool interpolation;                /* it defines the interpolation between its rows */
} dls_csv_layout;

/** The separator of a header line: the first of ';' ',' tab that it contains outside quotes, else blanks. */
char dls_csv_separator(const char *header);
/** Is the first field of the line a number, whatever the separator? */
bool dls_csv_begins_with_number(const char *line);
/**
 * Rewrite a line with commas as separators and decimal points, in place: no character moves.
 * @param[in] numbers  a row; false: the header
 * @return the character that is not allowed: a comma in a name without quotes, or a second decimal sign; NULL: none
 */
char *dls_csv_rewrite(dls_csv_layout *layout, char *line, bool numbers);

#endif
