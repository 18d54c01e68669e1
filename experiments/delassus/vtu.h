/* delassus/vtu.h -- the motion of a mesh as a series of VTK files, which ParaView opens: FILE_00000.vtu, ... (VTK XML unstructured
 * grid, ASCII) and FILE.pvd, which has their times. A file has the points where they are, `displacement` from the body without
 * load [m], `velocity` [m/s], `force` of contacts [N] and `impulse` [N s] of the jump or the step that ends there; and what the
 * model has of its cells.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_VTU_H
#define DELASSUS_VTU_H

#include <delassus/model.h>
#include <delassus/trajectory.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DLS_VTU_MOST = 10000 }; /* files of a series */

/** Does the name end in .vtu? */
bool dls_vtu_named(const char *path);
/**
 * Can the series be written? For a look ahead of a long computation.
 * @param[in] rows   that the run will have, at least; 0 where that is not known
 * @param[in] known  the models of which the message names those that have a mesh; ends with NULL. NULL: none
 * @return DLS_ERR_ARG if the model has no mesh, or there are more than DLS_VTU_MOST rows; DLS_ERR_IO
 */
dls_status dls_vtu_check(const dls_model *model, double rows, const char *path, const dls_model *const *known,
                         dls_error *err);
/**
 * Write the series: a file for each time of the trajectory, its right limit. Each file is written whole or not at all, FILE.pvd last.
 * @param[in] traj  of a run of the system, with all columns
 * @param[in] path  FILE.vtu
 * @param[in] poll  called before each file; false: the series ends with those that are written. NULL: never
 * @return as dls_vtu_check; DLS_ERR_IO; DLS_ERR_MEMORY; DLS_ERR_INTERRUPTED
 */
dls_status dls_vtu_write(const dls_model *model, const dls_system *sys, const dls_trajectory *traj,
                         const char *path, bool (*poll)(void), dls_error *err);

#ifdef __cplusplus
}
#endif

#endif
