/* experiments/extra/foreign/process.h -- another program: no shell, no input, a time limit.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PROCESS_H
#define DELASSUS_EXPERIMENTS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct dls_process_spec {
  char *const *arguments;   /* ends with NULL; the first is looked for in PATH unless it has a slash */
  int output;               /* descriptor of its standard output; -1: ours */
  int complaints;           /* of its standard error */
  double seconds;           /* time limit, > 0 */
  bool own_group;           /* it gets no signals of a terminal, and its children end with it */
  bool (*poll)(void *data); /* called many times a second; false: it is to end. NULL: never */
  void *poll_data;
} dls_process_spec;

/** How it ended. */
typedef struct dls_process_end {
  int failed;             /* errno: it could not be started; then nothing else counts */
  bool late, interrupted; /* it was killed, at the time limit or by poll; status is then undefined */
  int status;             /* as waitpid tells it */
  double seconds;         /* that it took, by the clock */
} dls_process_end;

/** Run it to its end. From several threads at a time, too. */
dls_process_end dls_process_run(const dls_process_spec *spec);
/** "exit status 3", "ended by signal 11 (Segmentation fault)", "stopped after 60 s", ... @param[in] spec  of the run */
void dls_process_describe(const dls_process_spec *spec, const dls_process_end *end, char *text, size_t size);
/** The path of a program, found as by dls_process_run. @return false if there is no executable file */
bool dls_process_find(const char *program, char *path, size_t size);
/** TMPDIR, or /tmp. */
const char *dls_temporary_folder(void);

#endif
