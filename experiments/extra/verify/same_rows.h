/* experiments/extra/verify/same_rows.h -- are two tables the same, number by number?
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_SAME_ROWS_H
#define DELASSUS_EXPERIMENTS_SAME_ROWS_H

#include <delassus/error.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct dls_row_difference {
  size_t rows, values; /* rows of the first table that were compared */
  size_t differing;    /* differing values; all values of a row missing in the second table */
  size_t row;          /* row of the first difference, from 1 below the header; 0: none */
  char column[64];     /* column of the first difference; "" for a missing or additional row */
  char first[64], second[64];
} dls_row_difference;

/**
 * Compare the rows of two CSV files below their metadata and headers, numbers by their bits, other cells as text. Columns
 * of seconds, of their check sums and of names of studies (names of files) are ignored.
 * @param[in] prefix  the first table may end early, from an interrupted run @return DLS_OK, whatever the tables contain;
 * DLS_ERR_IO for a file that cannot be read, DLS_ERR_PARSE for headers that
 *         differ, DLS_ERR_MEMORY
 */
dls_status dls_same_rows(const char *first, const char *second, bool prefix, dls_row_difference *out,
                         dls_error *err);

/** Columns that are ignored: seconds, check sums of rows with seconds, and the name of a study, which is that of its
 * file. */
extern const char dls_rows_left_out[];
/** Empty the ignored cells of a row, in place. */
void dls_row_without_seconds(const char *header, char *line);

#endif
