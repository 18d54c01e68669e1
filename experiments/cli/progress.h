/* experiments/cli/progress.h -- how far a long computation is, on stderr; and the signals that end it early.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_PROGRESS_H
#define DELASSUS_EXPERIMENTS_CLI_PROGRESS_H

#include "experiments/cli/cli.h"
#include "experiments/request/request.h"

typedef struct dls_cli_progress {
  const char *label;
  double total;          /* value of `done` at the end */
  bool bar, lines;       /* one redrawn line, or a line every 10 % */
  double patience;       /* seconds before anything is shown */
  double started, drawn; /* seconds of the monotonic clock */
  int tenths;            /* of the last line printed, -1 before the first */
  bool visible;          /* there is a bar to erase */
} dls_cli_progress;

/* Its form is chosen by the mode and by what stderr is. */
dls_cli_progress dls_cli_progress_start(dls_progress_mode mode, const char *label, double total);
/* A poll for dls_run and dls_order_run: data is a dls_cli_progress; false once a signal has come, or time is up. */
bool dls_cli_progress_poll(void *data, double done);
/* Erase the bar; say 100 % if the work is complete. */
void dls_cli_progress_end(dls_cli_progress *progress, bool complete);

/* From here on SIGINT, SIGTERM and SIGHUP are noted; half a second after the first, another one kills. */
void dls_cli_catch_signals(void);
/* The signal that has come, or 0. */
int dls_cli_signal(void);
/* False once a signal came more than a second ago: tables besides the result that are not written by then are left out. */
bool dls_cli_may_write(void);
/* After so many seconds from now polls return false. */
void dls_cli_stop_after(double seconds);
bool dls_cli_time_is_up(void);
/* Around a long computation that nothing interrupts, while no file is half-written: a signal ends the process at once, with
 * its message and exit status. What was printed before is flushed. @return false if one has come already: leave the computation out */
bool dls_cli_let_signals_end(const char *command);
/* Cancels dls_cli_end_after. */
void dls_cli_note_signals_again(void);
/* After dls_cli_let_signals_end: the process ends after this time [s], with its message and exit status 75. */
void dls_cli_end_after(double seconds);

#endif
