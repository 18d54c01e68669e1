/* experiments/cli/foreign_tables.h -- tables of other programs on the command line.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_FOREIGN_TABLES_H
#define DELASSUS_EXPERIMENTS_FOREIGN_TABLES_H

#include "experiments/cli/cli.h"
#include "experiments/extra/foreign/foreign_file.h"

/** How they are read, by --map and --between. @param[out] manner  in the pool */
dls_status dls_cli_read_manner(const dls_cli_args *args, dls_pool *pool, dls_foreign_manner *manner,
                               dls_error *err);
/** Report on stderr what was assumed about the layout of a file, unless it is that of the last file. @param[in] last  NULL: none */
void dls_cli_report_layout(const char *command, const char *path, const dls_trajectory *traj,
                           const dls_trajectory *last);

#endif
