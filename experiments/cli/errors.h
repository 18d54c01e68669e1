/* experiments/cli/errors.h -- what `order` and `work` share: runs, files, table, page.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_ERRORS_H
#define DELASSUS_EXPERIMENTS_CLI_ERRORS_H

#include "experiments/cli/cli.h"
#include "experiments/request/request.h"
#include "experiments/show/report.h"

/* What a command makes of the runs. */
typedef struct dls_cli_results {
  const char *prefix;       /* pictures are PREFIX_NORM_OF */
  const char *const *files; /* text files, ends with NULL */
  dls_status (*write)(const dls_study_results *results, size_t file, FILE *out);
  dls_status (*draw)(const dls_study_results *results, size_t norm, size_t of, const char *path,
                     dls_error *err);
  dls_status (*print)(const dls_study_results *results, FILE *out, dls_error *err); /* the table for people */
  const char *kind, *question; /* of the page, as in dls_cli_page */
  dls_status (*page)(dls_report *report, const void *results, dls_error *err);
} dls_cli_results;

/* Make the runs of a request, leave them in the results with their work if that is asked for, write the files, print the
 * table, say what failed. @return the exit code */
int dls_cli_measure_errors(const dls_cli_args *args, const dls_request *request, const dls_cli_results *what,
                           dls_study_results *results);

#endif
