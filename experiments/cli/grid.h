/* experiments/cli/grid.h -- `--sweep` of run, order, work and energy.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_GRID_H
#define DELASSUS_EXPERIMENTS_CLI_GRID_H

#include "experiments/cli/cli.h"
#include "experiments/request/request.h"

#define DLS_CLI_GRID_OPTION                                                                                    \
  {                                                                                                            \
    "sweep", "P=A:B:N",                                                                                        \
        "repeat everything at N values of parameter P from A to B (P=A:B:N:log: in geometric sequence; "       \
        "P=X,Y,...: at those); twice: over two parameters. A table sweep.csv, curves, heat maps",              \
        true                                                                                                   \
  }

/* With the model and all else read: --sweep, and what goes with it only. */
dls_status dls_cli_read_grid(const dls_cli_args *args, dls_request *request, dls_error *err);
/* Make all of it, the table and the pictures. @return the exit code */
int dls_cli_grid(const dls_cli_args *args, const dls_request *request, dls_study_results *results);

#endif
