/* mesh_motion.h -- a trajectory as the motion of the model's mesh, for files and pictures.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_MESH_MOTION_H
#define DELASSUS_EXPERIMENTS_MESH_MOTION_H

#include <delassus/model.h>
#include <delassus/trajectory.h>
#include <stdbool.h>

typedef struct dls_mesh_motion {
  const dls_model *model;
  const dls_system *sys;
  const dls_trajectory *traj;
  size_t q, v, p, lambda; /* first columns */
  dls_mesh mesh;
  dls_matrix *H;  /* a copy; NULL without contacts */
  double *points; /* points x 2: a vector at each */
  double *push;   /* n: scratch */
  double *values; /* cells x values */
} dls_mesh_motion;

/** DLS_ERR_ARG with a list of the models that have a mesh if this one has none. @param[in] known  as for dls_vtu_check
 * @param[in] what  the caller's output, for the message */
dls_status dls_mesh_motion_check(const char *what, const dls_model *model, const dls_model *const *known,
                                 dls_error *err);
/** All borrowed. To be destroyed after a failure, too. @return DLS_ERR_ARG if columns are missing; DLS_ERR_MEMORY */
dls_status dls_mesh_motion_create(const dls_model *model, const dls_system *sys, const dls_trajectory *traj,
                                  dls_mesh_motion *out, dls_error *err);
void dls_mesh_motion_destroy(dls_mesh_motion *m);
static inline const double *dls_mesh_motion_row(const dls_mesh_motion *m, size_t row)
{
  return m->traj->data + row * m->traj->columns;
}
/** The last row at its time: of two the right limit. */
bool dls_mesh_motion_right(const dls_mesh_motion *m, size_t row);
/** points := H r at a row, with the m numbers from a column on as r: m->p, m->lambda. */
void dls_mesh_motion_push(dls_mesh_motion *m, size_t row, size_t column);
/** values at a row. */
void dls_mesh_motion_values(dls_mesh_motion *m, size_t row);

#endif
