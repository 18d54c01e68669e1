/* experiments/cli/recording.h -- which nodes of a run are recorded, by --every, --at and --max-rows, and a word in time
 * about records that will be large.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_RECORDING_H
#define DELASSUS_EXPERIMENTS_CLI_RECORDING_H

#include "experiments/cli/progress.h"
#include "experiments/measures/joint_ledger.h"

#include <delassus/energy.h>
#include <delassus/sim.h>

#define DLS_CLI_MAX_ROWS_OPTION                                                                                \
  {                                                                                                            \
    "max-rows", "N", "end a run that would record more rows, or events (default 1e7): kept, marked, exit 1",   \
        false                                                                                                  \
  }
#define DLS_CLI_RECORDING_OPTIONS                                                                              \
  {"every", "N", "record one of every N nodes, the largest jump between two of them, and the last node",       \
   false},                                                                                                     \
      {"at", "T1,T2,...", "record at these times only, in s, increasing; two rows where v jumps", false},      \
      DLS_CLI_MAX_ROWS_OPTION

#define DLS_CLI_HALVE_OPTION                                                                                   \
  {                                                                                                            \
    "halve", "N", "a step that cannot be solved is made of two halves, and so on up to N times", false         \
  }

/* The times of --at, increasing and in [0, end]; NULL, 0 if it is not given. To be freed. */
dls_status dls_cli_times(const dls_cli_args *args, double end, double **times, size_t *count, dls_error *err);

/* Read the three options; what is not given stays as it is. The times are in the pool. */
dls_status dls_cli_recording_read(const dls_cli_args *args, dls_pool *pool, dls_recording *out, dls_error *err);
/* Read --halve. */
dls_status dls_cli_halvings_read(const dls_cli_args *args, dls_request *r, dls_error *err);
/* *end as it is, or where --at is given without --end its last time, rounded up to a multiple of step > 0. Then check that
 * the run gets to every time. @param[in] step  0 for schemes that choose their own */
dls_status dls_cli_recording_end(const dls_cli_args *args, const dls_recording *recording, double step,
                                 double *end, dls_error *err);
/* What is left out, as metadata of a trajectory. */
dls_status dls_cli_note_recording(const dls_recording *recording, dls_trajectory *traj, dls_error *err);
/* Model, step and end of scheme i. */
dls_status dls_cli_note_request(const dls_request *request, size_t i, dls_trajectory *traj, dls_error *err);

/* Make the run of scheme i and record it in traj, with progress, and with a word about a record that will be large.
 * @param[in,out] joints  looks at every node; or NULL. @return as dls_run */
dls_status dls_cli_record(const dls_cli_args *args, const dls_request *request, size_t i, dls_sim *sim,
                          dls_trajectory *traj, dls_joint_ledger *joints, dls_cli_progress *progress,
                          dls_error *err);

/** A warning on standard error where the law of contact creates energy. @param[in] ledger  or NULL */
void dls_cli_report_gain(const dls_cli_command *command, const char *label, const dls_system *sys,
                         const dls_energy_ledger *ledger);

#endif
