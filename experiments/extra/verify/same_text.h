/* experiments/extra/verify/same_text.h -- compare two text files, except for lines that differ between any two runs.
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

/** Keys of lines "key: value" that are ignored: where and when a file was made. */
extern const char dls_text_left_out[];

typedef struct dls_text_difference {
  size_t lines, differing;      /* lines compared; lines missing in the other file at their place */
  char first[120], second[120]; /* the first difference; "": the file has no such line */
} dls_text_difference;

/**
 * Compare line by line. Line endings (LF or CR LF), blank lines at the end, and folders in the commands of a report are
 * ignored.
 * @param[in] prefix  the first file is of an interrupted run and may end early @return DLS_OK, whatever the files contain;
 * DLS_ERR_IO, DLS_ERR_MEMORY
 */
dls_status dls_same_text(const char *first, const char *second, dls_text_part part, bool prefix,
                         dls_text_difference *out, dls_error *err);

#endif
