/* experiments/judge/same_text.h -- are two text files the same, but for what no two runs share?
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_SAME_TEXT_H
#define DELASSUS_EXPERIMENTS_SAME_TEXT_H

#include <delassus/error.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum dls_text_part {
  DLS_TEXT_ALL,      /* every line in its order */
  DLS_TEXT_METADATA, /* lines that begin with # */
  DLS_TEXT_JOURNAL   /* all lines as a set, without columns of seconds and check sums: runs end in any order */
} dls_text_part;

/** Keys of lines "key: value" that are left out: where and when a file was made. */
extern const char dls_text_left_out[];

typedef struct dls_text_difference {
  size_t lines, differing;      /* compared; those that the other file has not at their place */
  char first[120], second[120]; /* of the first difference; "" : the file has no such line */
} dls_text_difference;

/**
 * Compare line by line. Ends of lines (LF or CR LF) and blank lines at the end are no difference; nor are the folders in the
 * commands of a report.
 * @param[in] prefix  the first file is of a run that was interrupted: it may end earlier, and says so
 * @return DLS_OK, whatever the files hold; DLS_ERR_IO, DLS_ERR_MEMORY
 */
dls_status dls_same_text(const char *first, const char *second, dls_text_part part, bool prefix,
                         dls_text_difference *out, dls_error *err);

#endif
