/* experiments/cli/cycle.h -- `run --cycle`.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_CYCLE_H
#define DELASSUS_EXPERIMENTS_CLI_CYCLE_H

#include "experiments/cli/cli.h"
#include "experiments/request/request.h"

/* Find the cycle, and report it on stderr; the system then starts on it. */
dls_status dls_cli_find_cycle(const dls_request *request, dls_system *sys, struct dls_cycle **out,
                              dls_error *err);

#endif
