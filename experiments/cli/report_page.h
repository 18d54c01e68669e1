/* experiments/cli/report_page.h -- the page of --report.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_REPORT_PAGE_H
#define DELASSUS_EXPERIMENTS_CLI_REPORT_PAGE_H

#include "experiments/cli/cli.h"
#include "experiments/report.h"

#define DLS_CLI_REPORT_OPTION                                                                                  \
  {                                                                                                            \
    "report", "FILE.html",                                                                                     \
        "write one self-contained page: question, pictures, tables, model, schemes, provenance", false         \
  }

typedef struct dls_cli_page {
  const char *kind;     /* of the title, "Convergence study" */
  const char *question; /* what is asked, a sentence */
  const dls_model_choice *model;
  size_t scheme_count;
  const dls_scheme_choice *schemes;
  const unsigned long *seed;                                                 /* NULL: nothing is random */
  dls_status (*write)(dls_report *report, const void *data, dls_error *err); /* the results */
  const void *data;
} dls_cli_page;

/* Look whether the page of --report, if it is asked for, could be written. @return DLS_ERR_ARG; DLS_ERR_IO without
 * gnuplot */
dls_status dls_cli_check_page(const dls_cli_args *args, dls_error *err);
/* Write the page if it is asked for. */
dls_status dls_cli_write_page(const dls_cli_args *args, const dls_cli_page *page, dls_error *err);

#endif
