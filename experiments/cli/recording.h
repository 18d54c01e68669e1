/* experiments/cli/recording.h -- which nodes of a run are recorded, by --every, --at and --max-rows, and a word in time
 * about records that will be large.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_RECORDING_H
#define DELASSUS_EXPERIMENTS_CLI_RECORDING_H

#include "common/run/derivative_columns.h"
#include "experiments/cli/progress.h"
#include "experiments/measures/energy/joint_ledger.h"

#include <delassus/energy.h>
#include <delassus/sim.h>

/* What is left out, as metadata of a trajectory. */
dls_status dls_cli_note_recording(const dls_recording *recording, dls_trajectory *traj, dls_error *err);
/* The same when the run is over: how many events, if any. */
dls_status dls_cli_note_left_out(dls_trajectory *traj, dls_error *err);

/* Make the run of scheme i and record it in traj, with progress, and with a word about a record that will be large.
 * @param[in,out] joints  looks at every node; or NULL. @return as dls_run */
dls_status dls_cli_record(const dls_request *request, size_t i, dls_sim *sim, dls_trajectory *traj,
                          dls_joint_ledger *joints, dls_derivative_columns *derivatives,
                          dls_cli_progress *progress, dls_error *err);

/** A warning on standard error where the law of contact creates energy. @param[in] ledger  or NULL */
void dls_cli_report_gain(const char *command, const char *label, const dls_system *sys,
                         const dls_energy_ledger *ledger);

#endif
