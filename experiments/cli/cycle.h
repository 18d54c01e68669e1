/* experiments/cli/cycle.h -- `run --cycle`.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_CYCLE_H
#define DELASSUS_EXPERIMENTS_CLI_CYCLE_H

#include "experiments/cli/cli.h"
#include "experiments/request/request.h"

/* Find the cycle; the system then starts on it. */
dls_status dls_cli_find_cycle(const dls_request *request, dls_system *sys, struct dls_cycle **out,
                              dls_error *err);
/* Lines of metadata; key=value lines; a line on stderr. */
dls_status dls_cli_note_cycle(const struct dls_cycle *cycle, dls_trajectory *traj, dls_error *err);
void dls_cli_print_cycle(const struct dls_cycle *cycle, FILE *out);

#endif
