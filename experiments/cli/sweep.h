/* experiments/cli/sweep.h -- `compare --sweep`.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_SWEEP_H
#define DELASSUS_EXPERIMENTS_CLI_SWEEP_H

#include "experiments/cli/cli.h"
#include "experiments/request/request.h"

#define DLS_CLI_SWEEP_OPTIONS                                                                                  \
  {"sweep", "P=A:B:N",                                                                                         \
   "repeat everything at N values of parameter P from A to B (P=A:B:N:log: in geometric sequence; P=X,Y,...: " \
   "at those), and draw where the columns turn over it; --of impact0: velocities before impacts",              \
   false},                                                                                                     \
      {"curves", "P=X,Y,...", "with --sweep: a curve for each value of another parameter", false},             \
  {                                                                                                            \
    "from", "T", "with --sweep: leave out what comes before time T in s (default 0)", false                    \
  }

/* --sweep, --curves, --from. */
dls_status dls_cli_read_sweep(const dls_cli_args *args, dls_request *request, dls_error *err);
/* Make all runs, the table and the picture. @return the exit code */
int dls_cli_sweep(const dls_cli_args *args, const dls_request *request, dls_study_results *results);

#endif
