/* common/run/coordinates.h -- names and units of the columns of a trajectory: stored in it when it is made, and read for
 * pictures.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_COORDINATES_H
#define DELASSUS_COMMON_COORDINATES_H

#include <delassus/model.h>
#include <delassus/trajectory.h>

enum { DLS_UNIT_ROOM = 24 };

/** What a column holds. */
typedef struct dls_column_kind {
  char words[DLS_COORDINATE_ROOM +
             16];           /* "angle", "velocity of angle", "gap"; empty for a column that is not known */
  char symbol[8];           /* "q", "λ" */
  char index[16];           /* digits behind it, or empty */
  char unit[DLS_UNIT_ROOM]; /* "rad/s"; "1" if not known */
} dls_column_kind;

/** Note "coordinates: q0..q3: position [m]" for each row of coordinates that have name and unit in common.
 * @return DLS_ERR_MEMORY */
dls_status dls_note_coordinates(dls_trajectory *traj, const dls_system *sys, dls_error *err);
/** Column `name` by what is noted; coordinates that nothing is noted of are positions in m. */
void dls_column_find(const dls_trajectory *traj, const char *name, dls_column_kind *out);
/** Unit of "q", "v" (all components) or of a column; "mixed" if the components differ. */
void dls_quantity_unit(const dls_system *sys, const char *quantity, char unit[DLS_UNIT_ROOM]);

#endif
