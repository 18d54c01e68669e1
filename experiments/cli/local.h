/* experiments/cli/local.h -- `order --local`.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_LOCAL_H
#define DELASSUS_EXPERIMENTS_CLI_LOCAL_H

#include "experiments/cli/cli.h"
#include "experiments/request/request.h"

/* Make all steps, the tables and the picture. @return the exit code */
int dls_cli_local(const dls_request *request, dls_study_results *results);

#endif
