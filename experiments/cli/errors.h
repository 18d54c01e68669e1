/* experiments/cli/errors.h -- what `order` and `work` share: runs, files, table, pictures, page.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_ERRORS_H
#define DELASSUS_EXPERIMENTS_CLI_ERRORS_H

#include "experiments/cli/cli.h"
#include "experiments/request/request.h"

struct dls_cli_journal_kind;
struct dls_judgement;

/* The runs of a dls_order_spec in a journal. */
extern const struct dls_cli_journal_kind dls_cli_order_runs;

/* A file that a command writes, by one of the three. A table of them ends with {0}. */
typedef struct dls_cli_file {
  const char *name;
  dls_status (*write_order)(const dls_order_study *study, FILE *out);
  dls_status (*write_work)(const dls_work_study *study, FILE *out);
  dls_status (*write_judgement)(const struct dls_judgement *judgement, FILE *out);
  bool of_derivatives; /* only of a study that measures derivatives */
} dls_cli_file;

/* Make the runs of a request, or measure its files, leave them in the results with their work if that is asked for, write the files, print the
 * table, say what failed. @return the exit code */
int dls_cli_measure_errors(const dls_request *request, const dls_cli_file *files, dls_study_results *results);

#endif
