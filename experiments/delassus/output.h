/* delassus/output.h -- files that are written whole or not at all.
 *
 *   dls_output *out = NULL;
 *   if (dls_output_open("run.csv", &out, &err) != DLS_OK) { ... }
 *   fprintf(dls_output_stream(out), ...);
 *   dls_output_commit(out, &err);
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_OUTPUT_H
#define DELASSUS_OUTPUT_H

#include <delassus/error.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dls_output dls_output;

/** What a picture is made for: the screen, a column of a journal, slides. */
typedef enum dls_plot_style {
  DLS_PLOT_SCREEN,
  DLS_PLOT_JOURNAL,
  DLS_PLOT_SLIDES,
  DLS_PLOT_STYLES
} dls_plot_style;
extern const char *const dls_plot_style_names[]; /* "screen", ...; ends with NULL */
/** Endings of pictures in folders; "none" is the last: none are made. Ends with NULL. */
extern const char *const dls_plot_formats[];
/** The format of a style where none is given: vectors for a journal. */
const char *dls_plot_format_of(dls_plot_style style);

/**
 * Open a temporary file beside path (beside what it points to, for a link). What is no regular file
 * (/dev/stdout, /dev/null, a pipe) is written directly.
 * @return DLS_ERR_IO with path and reason, also for a folder and for a file that is write-protected; DLS_ERR_ARG for a
 *         name with control characters; DLS_ERR_MEMORY
 */
dls_status dls_output_open(const char *path, dls_output **out, dls_error *err);
FILE *dls_output_stream(dls_output *out);
/** Flush, check every write, have it on the disk, rename to path, have the name on the disk, free; on failure nothing is
 * left behind and path is as before. @return DLS_ERR_IO, DLS_ERR_MEMORY */
dls_status dls_output_commit(dls_output *out, dls_error *err);
/** Throw away; NULL is fine. */
void dls_output_abandon(dls_output *out);
/** Could path be written? Leaves no trace: for a look ahead of a long computation. */
dls_status dls_output_check(const char *path, dls_error *err);
/** Create a folder and its parents. @return DLS_ERR_IO; DLS_ERR_ARG if it is there and holds a link, a pipe or a device */
dls_status dls_output_folder(const char *path, dls_error *err);

#ifdef __cplusplus
}
#endif

#endif
