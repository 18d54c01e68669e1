/* experiments/cli/shards.h -- a study in parts that processes make on their own: --shard, --time-limit, and the files of the
 * parts in the folder of the study.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_SHARDS_H
#define DELASSUS_EXPERIMENTS_CLI_SHARDS_H

#include "experiments/campaign/journal.h"
#include "experiments/cli/cli.h"
#include "experiments/cli/study_folder.h"

#define DLS_CLI_SHARD_OPTIONS                                                                                  \
  {"shard", "K/N|auto",                                                                                        \
   "make only part K of N of the runs, those that take longest first, and keep them in DIR; `delassus merge "  \
   "DIR` makes the tables of all parts. auto: what Slurm's job arrays or MPI say. Implies --resume",           \
   false},                                                                                                     \
  {                                                                                                            \
    "time-limit", "SECONDS",                                                                                   \
        "stop after that time with exit status 75, if runs are left; started again, it goes on. Implies "      \
        "--resume",                                                                                            \
        false                                                                                                  \
  }

/* --shard into the spec, --time-limit into the time from when on nothing goes on. @return DLS_ERR_ARG, DLS_ERR_PARSE */
dls_status dls_cli_read_shard(const dls_cli_args *args, dls_order_spec *spec, dls_error *err);
dls_status dls_cli_read_time_limit(const dls_cli_args *args, dls_error *err);

/* "runs-3-of-7.csv" */
enum { DLS_CLI_SHARD_NAME = 60 };
void dls_cli_shard_file(const dls_order_spec *spec, char name[DLS_CLI_SHARD_NAME]);

/* May the command.txt of a part set this option? Such options define what was computed; they do not write files, load code or start programs. */
bool dls_cli_shard_option(const char *name, size_t length);
/* Does this option concern programs that a study starts? */
bool dls_cli_shard_program(const char *name, size_t length);
/* Write the words of the command with those options into the folder of a shard, for `merge`. @return DLS_ERR_IO, DLS_ERR_MEMORY */
dls_status dls_cli_shard_note(const dls_cli_args *args, const char *folder, dls_error *err);
/* The file of those words, one on each line, the command first. @return NULL with errno */
FILE *dls_cli_shard_command(const char *folder);
/* dls_journal_merge, or the same of another kind of study. */
typedef dls_status dls_cli_merging(const void *study, const char *path, const char *const *parts, size_t count,
                                   bool *complete, dls_journal_merging *out, dls_error *err);
/* Merge all parts in the folder into its journal. Which runs are missing is printed.
 * @param[out] count  files that were merged
 * @return as dls_journal_merge; DLS_ERR_ARG if there are none; DLS_ERR_INTERRUPTED if runs are missing */
dls_status dls_cli_shard_merge(const dls_cli_args *args, const dls_cli_folder *folder, const char *journal,
                               dls_cli_merging *merge, const void *study, size_t *count, dls_error *err);

#endif
