/* experiments/cli/sweep.h -- `compare --sweep`.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_SWEEP_H
#define DELASSUS_EXPERIMENTS_CLI_SWEEP_H

#include "experiments/cli/cli.h"
#include "experiments/request/request.h"

/* Make all runs, the table and the picture. @return the exit code */
int dls_cli_sweep(const dls_request *request, dls_study_results *results);

#endif
