/* experiments/cli/report_page.h -- the page of --report.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_REPORT_PAGE_H
#define DELASSUS_EXPERIMENTS_CLI_REPORT_PAGE_H

#include "experiments/cli/cli.h"
#include "experiments/request/request.h"
#include "experiments/show/report.h"

#include <delassus/plot.h>

typedef struct dls_cli_page {
  const char *kind;     /* of the title, "Convergence study" */
  const char *question; /* what is asked, a sentence */
  dls_status (*write)(dls_report *report, const void *data, dls_error *err); /* the results */
  const void *data;
} dls_cli_page;

/* Look whether the page of --report, if it is asked for, could be written. @return DLS_ERR_ARG; DLS_ERR_IO without
 * gnuplot */
dls_status dls_cli_check_page(const dls_request *r, dls_error *err);
/* Whether there is a page to write: that of --report, or of the study that the command is part of. */
bool dls_cli_has_page(const dls_request *r);
/* Write the page of --report, or the results of the command into the page of its study. */
dls_status dls_cli_write_page(const dls_request *request, const dls_cli_page *page, dls_error *err);
/* The same with runs over time as the results. @param[in] kind, question  as in dls_cli_page */
dls_status dls_cli_write_motion(const dls_request *request, const char *kind, const char *question,
                                const dls_comparison *plot, dls_error *err);

#endif
