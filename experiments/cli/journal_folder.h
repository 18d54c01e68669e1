/* experiments/cli/journal_folder.h -- the folder of a study that can be resumed.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_JOURNAL_FOLDER_H
#define DELASSUS_EXPERIMENTS_CLI_JOURNAL_FOLDER_H

#include "experiments/campaign/journal.h"
#include "experiments/cli/cli.h"
#include "experiments/request/request.h"

/* What a process that was killed left behind. The journal is locked: no other process works in the folder. */
void dls_cli_clear_left_overs(const char *path);
/* Print what was taken over from the journal at path, and what was not. */
void dls_cli_report_journal(const dls_request *r, const char *path, const dls_journal *journal, size_t runs);

#endif
