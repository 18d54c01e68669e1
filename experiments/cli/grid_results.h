/* experiments/cli/grid_results.h -- table, pictures, page and summary of a grid.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_GRID_RESULTS_H
#define DELASSUS_EXPERIMENTS_CLI_GRID_RESULTS_H

#include "experiments/cli/study_folder.h"

/* Files first, so that a reader of standard output who leaves early costs none of them. @return the exit code */
int dls_cli_grid_results(const dls_request *request, const dls_cli_folder *folder, const dls_grid *grid);

#endif
