/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/impulse/impulse_joints.h"
#include "common/base/arrays.h"
#include "time_stepping/impulse/impulse_equations.h"
#include <stdlib.h>
#include <string.h>

dls_status dls_impulse_joints_create(const dls_system *sys, dls_factor *M, dls_impulse_joints *s,
                                     dls_error *err)
{
  if (sys->r == 0) {
    return DLS_OK;
  }
  s->G = dls_matrix_clone(sys->G);
  s->W = s->G != NULL ? dls_delassus_create(M, s->G) : NULL;
  s->block = dls_arrays(
      (const dls_slot[]){{sys->r, {&s->phi, &s->rate, &s->inverse_mass, &s->r, &s->total, &s->c}}, {0}});
  if (s->W == NULL || s->block == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu equations of joints", sys->r);
  }
  s->count = sys->r;
  return DLS_OK;
}

void dls_impulse_joints_destroy(dls_impulse_joints *s)
{
  dls_delassus_destroy(s->W);
  dls_matrix_destroy(s->G);
  free(s->block);
}

void dls_impulse_joints_at(dls_impulse_joints *s, const dls_system *sys, double t, const double *q)
{
  if (s->count > 0) {
    dls_system_joint(sys, t, q, s->phi);
    dls_system_joint_rate(sys, t, q, s->rate);
    dls_system_joint_gradient(sys, t, q, s->G);
    dls_delassus_reset(s->W);
    memset(s->inverse_mass, 0, s->count * sizeof *s->inverse_mass);
  }
}

double dls_impulse_joints_velocity(const dls_impulse_joints *s, size_t i, const double *v)
{
  return dls_matrix_column_dot(s->G, i, v) + s->rate[i];
}

void dls_impulse_joints_warm_start(dls_impulse_joints *s, double *v)
{
  for (size_t i = 0; i < s->count; i++) {
    dls_delassus_apply(s->W, 1, &i, 1, s->r + i, v);
  }
}

void dls_impulse_joints_sweep(dls_impulse_joints *s, double *v)
{
  for (size_t i = 0; i < s->count; i++) {
    if (s->inverse_mass[i] == 0) {
      s->inverse_mass[i] = dls_delassus_entry(s->W, i, i);
    }
    if (s->inverse_mass[i] > 0) { /* else it moves nothing */
      const double u = dls_impulse_joints_velocity(s, i, v);
      const double change =
          DLS_IMPULSE_CHANGE(u, s->r[i], s->inverse_mass[i], s->c[i], s->mass, s->yield); /* (2) */
      dls_delassus_apply(s->W, 1, &i, 1, &change, v);
      s->r[i] += change;
    }
  }
}

void dls_impulse_joints_collect(dls_impulse_joints *s)
{
  for (size_t i = 0; i < s->count; i++) {
    s->total[i] += s->r[i];
  }
}
