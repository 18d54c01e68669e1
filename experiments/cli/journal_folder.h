/* experiments/cli/journal_folder.h -- the folder of a study that can be resumed.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_JOURNAL_FOLDER_H
#define DELASSUS_EXPERIMENTS_CLI_JOURNAL_FOLDER_H

#include "experiments/cli/shards.h"

/* How a campaign keeps its runs. */
typedef struct dls_cli_journal_kind {
  const char *unit; /* "run", "point" */
  dls_journal_form (*form)(const void *campaign);
  /* Have the campaign take over what the journal has, and keep its runs there. */
  dls_status (*attach)(dls_journal *journal, void *campaign, dls_error *err);
} dls_cli_journal_kind;

/* Merge the parts in a folder if the request says so, and open the journal of all runs, or that of a part. What is taken over is
 * printed. Files that a process left behind when it was killed are removed: the journal is locked. @param[out] merged  files */
dls_status dls_cli_journal_open(const dls_request *r, const dls_cli_folder *folder,
                                const dls_cli_journal_kind *kind, void *campaign, size_t *merged, size_t *taken,
                                dls_journal **out, dls_error *err);
/* The exit code of what --time-limit has cut off, else `code`. Whoever starts the command again would do so for ever if there was
 * no time for a single run. @param[in] finished  runs, with those taken over */
int dls_cli_journal_late(const dls_request *r, const dls_cli_journal_kind *kind, bool complete, size_t finished,
                         size_t taken, int code);
/* A part has its journal, and nothing else: complete it if it has all its runs, and print how many there are. */
dls_status dls_cli_journal_part(const dls_request *r, const dls_cli_journal_kind *kind, bool complete,
                                size_t finished, dls_journal *journal, dls_error *err);

#endif
