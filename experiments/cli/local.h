/* experiments/cli/local.h -- `order --local`.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_LOCAL_H
#define DELASSUS_EXPERIMENTS_CLI_LOCAL_H

#include "experiments/cli/cli.h"
#include "experiments/request/request.h"

#define DLS_CLI_LOCAL_OPTIONS                                                                                  \
  {"local", NULL,                                                                                              \
   "errors of one step from the exact state, in q and v: before, across and after an impact, with and "        \
   "without "                                                                                                  \
   "an impulse in the step, and over an accumulation",                                                         \
   false},                                                                                                     \
  {                                                                                                            \
    "impact", "K", "with --local: around which impact, from 1 (default 1)", false                              \
  }

/* --local, --impact, and whether the other options go with them. */
dls_status dls_cli_read_local(const dls_cli_args *args, dls_request *request, dls_error *err);
/* Make all steps, the tables and the picture. @return the exit code */
int dls_cli_local(const dls_cli_args *args, const dls_request *request, dls_study_results *results);

#endif
