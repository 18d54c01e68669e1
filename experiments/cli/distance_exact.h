/* experiments/cli/distance_exact.h -- `delassus distance --exact`: a file and the exact solution of a model.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_DISTANCE_EXACT_H
#define DELASSUS_EXPERIMENTS_CLI_DISTANCE_EXACT_H

#include "experiments/cli/cli.h"

#include <delassus/graph.h>

/* Do --exact, --set, --rigorous, --digits, the norm and the number of files go together? */
dls_status dls_cli_distance_check(const dls_cli_args *args, const dls_norm *norm, dls_error *err);
/* The exact solution up to the end of a file, in doubles, which between its nodes errs by at most *sampled in q [m] and v [m/s]. A file that tells of another model, or of other parameters, is noted on stderr. */
dls_status dls_cli_distance_exact(const dls_cli_args *args, const char *file, double end, dls_trajectory **out,
                                  double *sampled, dls_error *err);
/* Bounds of the distance of a file's graph from the exact solution: printed. */
dls_status dls_cli_distance_rigorous(const dls_cli_args *args, const char *file, const dls_graph *graph,
                                     const dls_norm *norm, const char *const *columns, const dls_metric *metric,
                                     dls_error *err);

#endif
