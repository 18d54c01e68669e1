/* experiments/cli/run.h -- pieces that `run`, `exact` and `order` share: the model of a request, and what a run
 * says about itself.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_RUN_H
#define DELASSUS_EXPERIMENTS_CLI_RUN_H

#include "experiments/cli/cli.h"
#include "experiments/measures/energy/joint_ledger.h"
#include "experiments/request/request.h"

#include <delassus/sim.h>
#include <delassus/study.h>
#include <delassus/trajectory.h>

/* Write a trajectory, with its provenance and the command that makes it, to a file, or to standard output where path is NULL or "-". */
dls_status dls_cli_write_trajectory(const dls_request *r, dls_trajectory *traj, const char *path,
                                    dls_error *err);

/* The exact solution for a picture; NULL if there is none, or after a signal: then a message says so. A signal meanwhile ends
 * the process, so files come first. @return DLS_ERR_MEMORY */
dls_status dls_cli_exact_solution(const dls_request *r, dls_trajectory **out, dls_error *err);

/* The run in a few lines, for a terminal. */
void dls_cli_print_summary(FILE *out, const dls_sim *sim, const dls_trajectory *traj, const char *model);
/* key=value lines of --stats. @return DLS_ERR_MEMORY */
dls_status dls_cli_print_stats(FILE *out, const dls_sim *sim, const dls_trajectory *traj,
                               const dls_joint_ledger *joints, dls_error *err);
/* The warnings of a run on stderr; label: of the run among several, which leaves penetrations that something explains to
 * dls_cli_report_warned; or NULL. And those of a file. */
void dls_cli_report_warnings(const char *command, const char *label, const dls_sim *sim);
void dls_cli_report_file(const char *command, const char *path, const dls_trajectory *traj);
/* How many of many runs have warnings, in one line on stderr, unless it is none. */
void dls_cli_report_warned(const char *command, const dls_warning_tally *tally);
/* A velocity of more than 1e6 times the usual, on stderr. */
void dls_cli_report_growth(const char *command, const dls_sim *sim);
/* Contacts that the naive rule let go although they press, on stderr. */
void dls_cli_report_releases(const char *command, const dls_sim *sim);
/* Derivatives of a run that are not ok, and starts that were projected, on stderr. */
void dls_cli_report_derivatives(const char *command, const dls_sim *sim);
/* Accumulations that were passed, on stderr. */
void dls_cli_report_events(const char *command, const dls_sim *sim, const dls_trajectory *traj);

#endif
