/* csv.h -- what writing and reading trajectories share.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_CSV_H
#define DELASSUS_COMMON_CSV_H

#include "common/run/csv_layout.h"
#include <delassus/trajectory.h>

enum { DLS_MEANINGS = DLS_CUBIC + 1 };
/** As in the line "interpolation". */
extern const char *const dls_meaning_names[DLS_MEANINGS];

/** A field, in quotes with inner quotes doubled if a reader could misread it. */
void dls_csv_write_name(const char *name, FILE *out);
/* The parts of a trajectory's file, in this order: metadata; events; completeness and names of columns; rows. */
void dls_csv_write_beginning(const dls_trajectory *traj, FILE *out);
/** @param[in] count  events, from the first */
void dls_csv_write_events(const dls_trajectory *traj, size_t count, FILE *out);
void dls_csv_write_header(const dls_trajectory *traj, FILE *out);
/** The names of the columns alone. */
void dls_csv_write_names(const dls_trajectory *traj, FILE *out);
void dls_csv_write_rows(const dls_trajectory *traj, FILE *out);
/** As dls_trajectory_write. @param[in] poll  called many times a second; false stops writing @return DLS_ERR_INTERRUPTED
 * too */
dls_status dls_csv_write(const dls_trajectory *traj, FILE *out, bool (*poll)(void), dls_error *err);
/** @return DLS_ERR_IO if something could not be written */
dls_status dls_csv_finish(FILE *out, dls_error *err);

/**
 * As dls_trajectory_read, for a table of any program: columns separated by commas, semicolons, tabs or blanks; decimal commas where
 * semicolons or tabs separate; the rows may end with a separator; the header may be the last comment before the numbers. Files of
 * delassus are read as dls_trajectory_read does.
 * @param[in]  time    name of the column that is t, at any place; NULL: "t"
 * @param[out] layout  of the table
 */
dls_status dls_trajectory_read_table(const char *path, const char *time, dls_trajectory **out,
                                     dls_csv_layout *layout, dls_error *err);

#endif
