/* experiments/cli/recording.h -- which nodes of a run are recorded, by --every, --at and --max-rows, and a word in time
 * about records that will be large.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_RECORDING_H
#define DELASSUS_EXPERIMENTS_CLI_RECORDING_H

#include "experiments/cli/progress.h"

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

/* Value of --max-rows, or its default. */
dls_status dls_cli_max_rows(const dls_cli_args *args, size_t *rows, dls_error *err);

/* The times of --at, increasing and in [0, end]; NULL, 0 if it is not given. To be freed. */
dls_status dls_cli_times(const dls_cli_args *args, double end, double **times, size_t *count, dls_error *err);

typedef struct dls_cli_recording {
  dls_recording keep;
  double *times; /* of keep.at */
} dls_cli_recording;

/* Read the three options; to be released, on failure too. */
dls_status dls_cli_recording_read(const dls_cli_args *args, dls_cli_recording *out, dls_error *err);
void dls_cli_recording_release(dls_cli_recording *recording);
/* *end as it is, or where --at is given without --end its last time, rounded up to a multiple of step > 0. Then check that
 * the run gets to every time. @param[in] step  0 for schemes that choose their own */
dls_status dls_cli_recording_end(const dls_cli_args *args, const dls_cli_recording *recording, double step,
                                 double *end, dls_error *err);
/* A line of metadata that says what is left out. */
dls_status dls_cli_recording_note(const dls_cli_recording *recording, dls_trajectory *traj, dls_error *err);

/* What the poll of a run that is recorded looks at. */
typedef struct dls_cli_record_watch {
  dls_cli_progress *progress;
  const dls_cli_command *command;
  const dls_trajectory *traj;
  dls_recording keep;
  double step, end; /* step 0 for schemes that choose their own */
  bool told;
} dls_cli_record_watch;

/* Before the run: say how large its record will be, if that is much and known. */
void dls_cli_record_forecast(dls_cli_record_watch *watch);
/* A poll for dls_run, data is a dls_cli_record_watch: progress, and the forecast where it is not known before. */
bool dls_cli_record_poll(void *data, double t);

#endif
