/* experiments/extra/foreign/foreign_file.h -- a trajectory file of any program: its columns, and the interpolation between its
 * rows.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_FOREIGN_FILE_H
#define DELASSUS_EXPERIMENTS_FOREIGN_FILE_H

#include "common/base/pool.h"

#include "common/run/csv_layout.h"
#include <delassus/error.h>
#include <delassus/trajectory.h>

/** How files are read. */
typedef struct dls_foreign_manner {
  size_t map_count;
  const char *const *ours, *const *theirs; /* names of columns; those of the file are replaced */
  const double *factors;                   /* of their values */
  bool ours_keep_names;                    /* the map is not for files of delassus */
  bool between_given;                      /* `between` gives the interpolation of the rows */
  dls_meaning between;                     /* for files that do not define it themselves */
} dls_foreign_manner;

/**
 * Read the pairs "OURS=THEIRS" or "OURS=FACTOR*THEIRS" of a map of columns; OURS may be t. THEIRS, or the pair, may be in quotes, as a
 * field of CSV.
 * @param[in]  fields  count texts
 * @param[out] manner  its map, in the pool
 * @return DLS_OK; DLS_ERR_PARSE for a text that is not a pair, or a factor that is 0 (of t: not positive); DLS_ERR_MEMORY
 */
dls_status dls_foreign_map(size_t count, const char *const *fields, dls_pool *pool, dls_foreign_manner *manner,
                           dls_error *err);
/**
 * Read a file. What was assumed about its layout is noted in the trajectory: see dls_foreign_assumed.
 * @param[in]  name  of the file in messages @param[out] traj  the caller's, also after a failure; NULL if nothing was read
 * @param[out] layout  of the file
 * @return DLS_OK; DLS_ERR_ARG if neither the file nor the caller defines the interpolation, or if a column of the map is
 * missing; as dls_trajectory_read
 */
dls_status dls_foreign_read(const dls_foreign_manner *manner, const char *path, const char *name,
                            dls_trajectory **traj, dls_csv_layout *layout, dls_error *err);
/** "columns separated by ';', decimal commas": what was assumed about the layout of a file; NULL: nothing. */
const char *dls_foreign_assumed(const dls_trajectory *traj);
/** Does a trajectory made with a step end more than one step before the time `end`? True without rows. */
bool dls_foreign_ends_early(const dls_trajectory *traj, double step, double end);

#endif
