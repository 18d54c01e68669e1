/* experiments/cli/grid.h -- `--sweep` of run, order, work and energy.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_GRID_H
#define DELASSUS_EXPERIMENTS_CLI_GRID_H

#include "experiments/cli/cli.h"
#include "experiments/request/request.h"

/* Make all of it, the table and the pictures. @return the exit code */
int dls_cli_grid(const dls_request *request, dls_study_results *results);

#endif
