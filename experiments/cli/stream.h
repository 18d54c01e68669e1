/* experiments/cli/stream.h -- the trajectory of a long run: rows and events go to a file while they come, so that the memory does
 * not grow with the run.
 *
 * That file, FILE.part beside the trajectory's FILE, is a trajectory by itself, marked as incomplete: it is what is left if the
 * process is killed. When the run is over the trajectory is made of it, and it is removed.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_STREAM_H
#define DELASSUS_EXPERIMENTS_CLI_STREAM_H

#include "experiments/cli/cli.h"

#include <delassus/sim.h>
#include <stdio.h>

/* Where in the file a portion has its events, and its rows. */
typedef struct dls_cli_portion {
  long long events, rows, end;
} dls_cli_portion;

typedef struct dls_cli_stream {
  char *part; /* FILE.part */
  FILE *file; /* NULL while nothing has been taken */
  dls_cli_portion *portions;
  size_t count, capacity, rows;
  bool failed; /* a portion could not be written */
} dls_cli_stream;

/* Can a trajectory be written to this path through a file beside it? Not to standard output, pipes and devices. */
bool dls_cli_stream_suits(const char *path);
/**
 * A record hands its rows over from now on.
 * @param[in]     traj  which rows it has
 * @param[in,out] keep  take, take_data and portion are set; the stream must stay where it is
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_cli_stream_open(dls_cli_stream *stream, const char *path, const dls_trajectory *traj,
                               dls_recording *keep, dls_error *err);
/**
 * Write the trajectory: metadata, events and rows that were taken, with those that are left in it. On failure the file with what
 * was taken stays, and the message names it.
 * @return as dls_output_open and dls_output_commit
 */
dls_status dls_cli_stream_write(dls_cli_stream *stream, const dls_trajectory *traj, const char *path,
                                dls_error *err);
/* Rows that a record with these options has handed over so far. */
size_t dls_cli_stream_rows(const dls_recording *keep);
void dls_cli_stream_close(dls_cli_stream *stream);

#endif
