/* mesh_motion.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/mesh_motion.h"
#include "common/base/memory.h"
#include "common/base/text.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 180 }; /* letters of them in a message */

dls_status dls_mesh_motion_check(const char *what, const dls_model *model, const dls_model *const *known,
                                 dls_error *err)
{
  char list[260] = "";
  for (const dls_model *const *m = known; m != NULL && *m != NULL && strlen(list) < MOST_NAMES; m++) {
    if ((*m)->mesh != NULL) {
      dls_text_append(list, sizeof list, "%s%s", list[0] != '\0' ? ", " : "; these have: ", (*m)->name);
    }
  }
  return model->mesh != NULL
             ? DLS_OK
             : dls_fail(err, DLS_ERR_ARG, "%s: model %s has no mesh%s", what, model->name, list);
}

void dls_mesh_motion_destroy(dls_mesh_motion *m)
{
  dls_mesh_destroy(&m->mesh);
  dls_matrix_destroy(m->H);
  free(m->points);
  free(m->push);
  free(m->values);
  *m = (dls_mesh_motion){0};
}

/* First column of a kind; 0 if there is none. */
static size_t first_column(const dls_trajectory *traj, const char *name)
{
  const int at = dls_trajectory_column(traj, name);
  return at > 0 ? (size_t)at : 0;
}

dls_status dls_mesh_motion_create(const dls_model *model, const dls_system *sys, const dls_trajectory *traj,
                                  dls_mesh_motion *out, dls_error *err)
{
  *out = (dls_mesh_motion){.model = model,
                           .sys = sys,
                           .traj = traj,
                           .q = first_column(traj, "q0"),
                           .v = first_column(traj, "v0"),
                           .p = first_column(traj, "p0"),
                           .lambda = first_column(traj, "lambda0")};
  const bool contacts = sys->m == 0 || (out->p > 0 && out->lambda > 0);
  if (out->q == 0 || out->v == 0 || !contacts || traj->columns != traj->whole_columns) {
    return dls_fail(err, DLS_ERR_ARG, "the trajectory lacks columns of a run of %s", model->name);
  }
  const dls_status status = model->mesh(sys, &out->mesh, err);
  if (status != DLS_OK) {
    return status;
  }
  out->H = dls_matrix_clone(sys->H);
  out->points = malloc(2 * out->mesh.points * sizeof *out->points);
  out->push = malloc(sys->n * sizeof *out->push);
  out->values = malloc(dls_size_product(dls_size_sum(dls_size_product(out->mesh.cells, out->mesh.values), 1),
                                        sizeof *out->values));
  return (out->H != NULL || sys->m == 0) && out->points != NULL && out->push != NULL && out->values != NULL
             ? DLS_OK
             : dls_fail(err, DLS_ERR_MEMORY, "no memory for a mesh of %zu points", out->mesh.points);
}

bool dls_mesh_motion_right(const dls_mesh_motion *m, size_t row)
{
  return row + 1 == m->traj->rows || dls_mesh_motion_row(m, row + 1)[0] != dls_mesh_motion_row(m, row)[0];
}

void dls_mesh_motion_push(dls_mesh_motion *m, size_t row, size_t column)
{
  const double *x = dls_mesh_motion_row(m, row);
  memset(m->push, 0, m->sys->n * sizeof *m->push);
  if (m->H != NULL) {
    dls_system_gradient(m->sys, x + m->q, m->H);
    dls_matrix_multiply(m->H, 1, x + column, m->push);
  }
  dls_mesh_vectors(&m->mesh, m->push, m->points);
}

void dls_mesh_motion_values(dls_mesh_motion *m, size_t row)
{
  const double *x = dls_mesh_motion_row(m, row);
  if (m->mesh.values > 0) {
    m->model->mesh_values(m->sys, x[0], x + m->q, m->values);
  }
}
