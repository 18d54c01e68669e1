/* experiments/extra/verify/same_rows.h -- are two tables the same, number by number?
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_SAME_ROWS_H
#define DELASSUS_EXPERIMENTS_SAME_ROWS_H

#include <delassus/error.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct dls_row_difference {
  size_t rows, values; /* of the first table, that have been compared */
  size_t differing;    /* values among them; all values of a row that the second table lacks */
  size_t row;          /* of the first difference, from 1 for the first below the header; 0: there is none */
  char column[64];     /* of the first difference; "" where a row is missing, or one too many */
  char first[64], second[64];
} dls_row_difference;

/**
 * Compare the rows of two CSV files below their metadata and headers, numbers by their bits, the rest by its text. Columns of seconds, of their check sums and of names of studies (names of files) are left out.
 * @param[in] prefix  the first table may end earlier, as that of an interrupted run
 * @return DLS_OK, whatever the tables hold; DLS_ERR_IO for a file that cannot be read, DLS_ERR_PARSE for headers that
 *         differ, DLS_ERR_MEMORY
 */
dls_status dls_same_rows(const char *first, const char *second, bool prefix, dls_row_difference *out,
                         dls_error *err);

/** Columns that are left out: seconds, check sums of rows that have seconds, and the name of a study, which is that of its file. */
extern const char dls_rows_left_out[];
/** Empty the cells of a row that a comparison leaves out, in place. */
void dls_row_without_seconds(const char *header, char *line);

#endif
