/* common/run/coordinates.h -- names and units of the columns of a trajectory: stored when it is created, and read for
 * pictures.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_COORDINATES_H
#define DELASSUS_COMMON_COORDINATES_H

#include <delassus/model.h>
#include <delassus/trajectory.h>

enum { DLS_UNIT_ROOM = 24 };

/** What a column holds. */
typedef struct dls_column_kind {
  char words[DLS_COORDINATE_ROOM + 16]; /* "angle", "velocity of angle", "gap"; empty for an unknown column */
  char symbol[8];                       /* "q", "λ" */
  char index[16];                       /* digits after it, or empty */
  char unit[DLS_UNIT_ROOM];             /* "rad/s"; "1" if unknown */
} dls_column_kind;

/** Write "coordinates: q0..q3: position [m]" for each range of coordinates with the same name and unit.
 * @return DLS_ERR_MEMORY */
dls_status dls_note_coordinates(dls_trajectory *traj, const dls_system *sys, dls_error *err);
/** Column `name` from the metadata; coordinates without metadata are positions in m. */
void dls_column_find(const dls_trajectory *traj, const char *name, dls_column_kind *out);
/** Unit of "q", "v" (all components) or of a column; "mixed" if the components differ. */
void dls_quantity_unit(const dls_system *sys, const char *quantity, char unit[DLS_UNIT_ROOM]);

#endif
