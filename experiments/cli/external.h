/* experiments/cli/external.h -- the options about other programs and the tables that they write.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_EXTERNAL_H
#define DELASSUS_EXPERIMENTS_CLI_EXTERNAL_H

#include "experiments/cli/cli.h"
#include "experiments/extra/foreign/foreign_file.h"

#define DLS_CLI_MANNER_OPTIONS                                                                                 \
  {"map", "OURS=THEIRS,...", "columns of other programs' tables under other names, e.g. q0=x,v0=vx", false},   \
  {                                                                                                            \
    "between", "linear|constant",                                                                              \
        "what holds between the rows of tables that do not say it: it is asked, never guessed", false          \
  }
#define DLS_CLI_EXTERNAL_OPTIONS                                                                               \
  {"external", "NAME=COMMAND",                                                                                 \
   "another program as scheme NAME: it is started for every run with the values of {h}, {T}, {out} and the "   \
   "model's parameters, such as {e}, and writes a table; no shell is run; may be repeated",                    \
   true},                                                                                                      \
      {"external-limit", "SECONDS", "time limit of a run of such a program (default 600)", false},             \
      DLS_CLI_MANNER_OPTIONS

/* In DIR of --out: what programs have said. */
#define DLS_CLI_EXTERNAL_LOG "external.txt"
#define DLS_CLI_ALLOW_OPTION                                                                                   \
  {                                                                                                            \
    "allow-run", NULL, "run the external programs that the file names", false                                  \
  }

/* --map and --between. @param[out] manner  in the pool @return DLS_ERR_PARSE, DLS_ERR_OPTION, DLS_ERR_MEMORY */
dls_status dls_cli_read_manner(const dls_cli_args *args, dls_pool *pool, dls_foreign_manner *manner,
                               dls_error *err);
/* Every --external as a scheme of the catalogue. What programs say goes to DIR/external.txt of --out. @return as
 * dls_external_create, dls_catalogue_add_external */
dls_status dls_cli_add_externals(const dls_cli_args *args, dls_error *err);

#endif
