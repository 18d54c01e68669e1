/* experiments/campaign/journal_file.h -- the file of a journal: locked before it gets its name, appended to by one write a line.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_JOURNAL_FILE_H
#define DELASSUS_EXPERIMENTS_JOURNAL_FILE_H

#include <delassus/error.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct dls_journal_file {
  char *path;
  int file;      /* locked; -1: there is none */
  bool made;     /* by us, and nothing has been added to it */
  bool broken;   /* a line could not be written to its end: nothing may follow it */
  double synced; /* monotonic seconds */
} dls_journal_file;

/**
 * Lock the file at path; make it with its beginning if there is none.
 * @param[out] f  to be closed, also after a failure
 * @return DLS_OK; DLS_ERR_ARG if another process has it, or it is not a regular file; DLS_ERR_IO; DLS_ERR_MEMORY
 */
dls_status dls_journal_file_open(dls_journal_file *f, const char *path, const char *beginning, dls_error *err);
/** All of it; *text ends with NUL and is freed by the caller. @return DLS_ERR_IO, DLS_ERR_MEMORY */
dls_status dls_journal_file_read(const dls_journal_file *f, char **text, size_t *size, dls_error *err);
/** A new file in its place, locked before it gets its name. @return DLS_ERR_IO */
dls_status dls_journal_file_replace(dls_journal_file *f, const char *text, size_t size, dls_error *err);
/** Append; the text reaches the disk within about a second. @return DLS_ERR_IO: then nothing more can be added */
dls_status dls_journal_file_append(dls_journal_file *f, const char *text, size_t size, dls_error *err);
dls_status dls_journal_file_synchronise(dls_journal_file *f, dls_error *err);
/** A file that was made and not added to is removed. */
void dls_journal_file_close(dls_journal_file *f);

#endif
