/* line.h -- reads the lines of a text file, with a limit on their length.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_LINE_H
#define DELASSUS_COMMON_LINE_H

#include <delassus/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** Characters of a line: rows of two million columns, q and v of a million coordinates, of up to 27 characters each. A file
 * without line ends, such as a device, would take all memory. */
#define DLS_LINE_LONGEST ((size_t)1 << 26)

/** Starts as {0}; the caller frees text. */
typedef struct dls_line {
  char *text; /* without LF or CR LF, ends with NUL */
  size_t room;
  size_t number; /* counted from 1 */
} dls_line;

/** "cannot read 'path': REASON". @param[in] reason  of errno @return DLS_ERR_MEMORY for ENOMEM, else DLS_ERR_IO */
dls_status dls_line_unread(const char *path, int reason, dls_error *err);
/** Open a file for reading. */
dls_status dls_line_open(const char *path, FILE **file, dls_error *err);
/** Read the next line. @param[in] path  for messages @param[out] there  false after the last line
 * @return DLS_ERR_PARSE: the line is too long; DLS_ERR_IO; DLS_ERR_MEMORY */
dls_status dls_line_read(dls_line *line, FILE *in, const char *path, bool *there, dls_error *err);

#endif
