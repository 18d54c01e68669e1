/* experiments/cli/shards.h -- a study in parts that processes make on their own: the files of the
 * parts in the folder of the study.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_SHARDS_H
#define DELASSUS_EXPERIMENTS_CLI_SHARDS_H

#include "experiments/campaign/journal.h"
#include "experiments/cli/cli.h"
#include "experiments/cli/study_folder.h"

/* "runs-3-of-7.csv" */
enum { DLS_CLI_SHARD_NAME = 60 };
void dls_cli_shard_file(const dls_order_spec *spec, char name[DLS_CLI_SHARD_NAME]);

/* Write the words of the command with those options into the folder of a shard, for `merge`. @return DLS_ERR_IO, DLS_ERR_MEMORY */
dls_status dls_cli_shard_note(const dls_request *r, const char *folder, dls_error *err);
/* The file of those words, one on each line, the command first. @return NULL with errno */
FILE *dls_cli_shard_command(const char *folder);
/* Merge all parts in the folder into its journal. Which runs are missing is printed.
 * @param[out] count  files that were merged
 * @return as dls_journal_merge; DLS_ERR_ARG if there are none; DLS_ERR_INTERRUPTED if runs are missing */
dls_status dls_cli_shard_merge(const dls_request *r, const dls_cli_folder *folder, const char *journal,
                               const dls_journal_form *form, const void *study, size_t *count, dls_error *err);

#endif
