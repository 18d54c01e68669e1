/* experiments/extra/foreign/process.h -- runs another program: no shell, a time limit.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PROCESS_H
#define DELASSUS_EXPERIMENTS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct dls_process_spec {
  char *const *arguments;   /* ends with NULL; the first is searched in PATH unless it contains a slash */
  int input;                /* descriptor of its standard input; 0: it has none */
  int output;               /* descriptor of its standard output; -1: ours */
  int complaints;           /* descriptor of its standard error */
  double seconds;           /* time limit, > 0 */
  bool own_group;           /* it gets no signals of a terminal, and its children are killed with it */
  bool (*poll)(void *data); /* called many times a second; false stops it. NULL: never called */
  void *poll_data;
} dls_process_spec;

/** How it ended. */
typedef struct dls_process_end {
  int failed;             /* errno: it could not be started; the other members are then unused */
  bool late, interrupted; /* it was killed, at the time limit or by poll; status is then undefined */
  int status;             /* as from waitpid */
  double seconds;         /* wall time */
} dls_process_end;

/** Run it to its end. May be called from several threads. */
dls_process_end dls_process_run(const dls_process_spec *spec);
/** Start it, to be ended by dls_process_kill. @param[out] process  its id @return 0 or errno */
int dls_process_start(const dls_process_spec *spec, pid_t *process);
/** Kill it, if it has not ended yet, and release its id. */
void dls_process_kill(const dls_process_spec *spec, pid_t process);
/** "exit status 3", "ended by signal 11 (Segmentation fault)", "stopped after 60 s", ... @param[in] spec  of the run */
void dls_process_describe(const dls_process_spec *spec, const dls_process_end *end, char *text, size_t size);
/** The path of a program, found as by dls_process_run. @return false if there is no executable file */
bool dls_process_find(const char *program, char *path, size_t size);
/** TMPDIR, or /tmp. */
const char *dls_temporary_folder(void);

#endif
