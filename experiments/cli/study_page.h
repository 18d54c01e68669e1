/* experiments/cli/study_page.h -- the page of `study --report`: every study of the file, or of all files, with its
 * verdict.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_STUDY_PAGE_H
#define DELASSUS_EXPERIMENTS_CLI_STUDY_PAGE_H

#include "experiments/cli/study_run.h"
#include "experiments/show/report.h"

/* Begin the page if it is asked for; else *page is NULL. @return DLS_ERR_MEMORY */
dls_status dls_cli_study_page_begin(const dls_cli_args *args, const char *title, dls_report **page,
                                    dls_error *err);
/* What stands before the results of a study: title (unless it is the page's), source, caption. */
void dls_cli_study_page_open(const dls_cli_study_job *job, size_t i);
/* What stands behind them: what was expected, and the verdict. */
void dls_cli_study_page_close(const dls_cli_study_job *job, size_t i);
/* Provenance; write the page. NULL is fine. */
dls_status dls_cli_study_page_end(const dls_cli_args *args, dls_report *page, dls_error *err);

#endif
