/* experiments/cli/command_line.h -- a command line becomes a request.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_COMMAND_LINE_H
#define DELASSUS_EXPERIMENTS_CLI_COMMAND_LINE_H

#include "experiments/cli/cli.h"
#include "experiments/request/command_text.h"
#include "experiments/request/request.h"

/* In DIR of --out: what external programs have printed. */
#define DLS_CLI_EXTERNAL_LOG "external.txt"

/* A study with its request, as words ask for it. */
typedef struct dls_cli_request {
  dls_pool pool;
  dls_request request;
  dls_study study;
} dls_cli_request;

/* Read the words of a command that has keys. @param[out] out  to be released in any case; must stay where it is */
dls_status dls_cli_read_request(const dls_cli_args *args, dls_study_kind kind, dls_cli_request *out,
                                dls_error *err);
void dls_cli_request_release(dls_cli_request *request);
/* The same of a command that has no model: style, format, progress, jobs, mode and so on. Its strings are those of args. */
dls_status dls_cli_read_options(const dls_cli_args *args, dls_request *out, dls_error *err);
/* Read the words of a command that has a kind, and perform it. @return the exit code */
int dls_cli_perform(const dls_cli_args *args);
/* What programs print goes to DIR/external.txt. @return DLS_ERR_MEMORY */
dls_status dls_cli_log_externals(const dls_study *study, const char *folder, dls_error *err);

/* The command noted in a trajectory of run or exact. @return DLS_ERR_MEMORY */
dls_status dls_cli_note_command(const dls_request *request, dls_trajectory *traj, dls_error *err);

#endif
