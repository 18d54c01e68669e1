/* experiments/cli/cycle.h -- `run --cycle`.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_CYCLE_H
#define DELASSUS_EXPERIMENTS_CLI_CYCLE_H

#include "experiments/cli/cli.h"
#include "experiments/request/request.h"

#define DLS_CLI_CYCLE_OPTIONS                                                                                  \
  {"cycle", "EVENT:CONTACT",                                                                                   \
   "find the limit cycle on which this event returns, from its last one before --end, print its Floquet "      \
   "multipliers and run it once, e.g. stick:0",                                                                \
   false},                                                                                                     \
  {                                                                                                            \
    "drift", "X,X,...",                                                                                        \
        "with --cycle: positions that go on from cycle to cycle, e.g. the height of what comes down", false    \
  }

/* --cycle and --drift. */
dls_status dls_cli_read_cycle(const dls_cli_args *args, dls_request *request, dls_error *err);
/* Find the cycle; the system then starts on it. */
dls_status dls_cli_find_cycle(const dls_cli_args *args, const dls_request *request, dls_system *sys,
                              struct dls_cycle **out, dls_error *err);
/* Lines of metadata; key=value lines; a line on stderr. */
dls_status dls_cli_note_cycle(const struct dls_cycle *cycle, dls_trajectory *traj, dls_error *err);
void dls_cli_print_cycle(const struct dls_cycle *cycle, FILE *out);

#endif
