/* dump.h -- `--dump-problems DIR`: the hardest contact problems of a run, as files for `delassus contact`.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_DUMP_H
#define DELASSUS_EXPERIMENTS_CLI_DUMP_H

#include <delassus/contact_file.h>
#include <delassus/sim.h>

enum { DLS_CLI_DUMP_MOST = 100 };

typedef struct dls_cli_dumped {
  dls_contact_file *file;
  dls_problem_report report;
  double t; /* where the run was */
} dls_cli_dumped;

typedef struct dls_cli_dump {
  const dls_sim *sim;
  dls_problem_watch watch;
  dls_cli_dumped kept[DLS_CLI_DUMP_MOST]; /* count, the hardest first */
  size_t count, met;
  bool out_of_memory;
} dls_cli_dump;

/** Refuse a folder that has problems of an earlier run: fewer new ones would leave some of the old among them. NULL is fine.
 * @return DLS_ERR_ARG */
dls_status dls_cli_dump_check(const char *folder, dls_error *err);
/** Watch a run that has not started yet; dump and sim stay where they are. */
void dls_cli_dump_watch(dls_cli_dump *dump, dls_sim *sim);
/** Write what was met into the folder, made if it is not there: 001-ITERATIONS.dat is the hardest.
 * @param[out] written  how many, also after a failure */
dls_status dls_cli_dump_write(const dls_cli_dump *dump, const char *folder, size_t *written, dls_error *err);
void dls_cli_dump_release(dls_cli_dump *dump);

#endif
