/* experiments/cli/repeat.h -- the command that made a file, from what the file says.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_REPEAT_H
#define DELASSUS_EXPERIMENTS_CLI_REPEAT_H

#include "experiments/cli/cli.h"

enum { DLS_REPEAT_WORDS = 1024 };

typedef struct dls_repeat {
  dls_pool *pool; /* of the words */
  const dls_cli_command *command;
  char *words[DLS_REPEAT_WORDS]; /* the command's name first */
  size_t count;
  bool all_fit;
  bool seconds;     /* slopes of the study are over seconds */
  bool prefix;      /* the file is of a run that was ended: it is a beginning */
  size_t externals; /* other programs that are to be run */
} dls_repeat;

/**
 * The command that writes a trajectory file, or a folder of order, work or study, to rerun it.
 * @param[in]  path  a trajectory of run, compare or exact, or a folder
 * @param[out] out   without the option --out
 * @return DLS_ERR_ARG for what cannot be repeated, with the reason; DLS_ERR_IO, DLS_ERR_MEMORY
 */
dls_status dls_repeat_of(const char *path, dls_pool *pool, dls_repeat *out, dls_error *err);

/* One more word, or an option with its value. */
void dls_repeat_add(dls_repeat *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* On one line, as it could be given to a shell. */
void dls_repeat_print(const dls_repeat *r, FILE *out);

#endif
