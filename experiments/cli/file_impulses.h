/* experiments/cli/file_impulses.h -- what the column p of a trajectory file means.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_FILE_IMPULSES_H
#define DELASSUS_EXPERIMENTS_FILE_IMPULSES_H

#include <delassus/catalogue.h>

/**
 * Set traj->step_impulses: true where the metadata of the file name a time-stepping scheme.
 * @return as dls_file_metadata
 */
dls_status dls_cli_file_impulses(const char *path, const dls_catalogue *catalogue, dls_trajectory *traj,
                                 dls_error *err);

#endif
