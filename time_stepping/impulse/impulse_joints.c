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
  s->block = dls_arrays(
      (const dls_slot[]){{sys->r, {&s->phi, &s->rate, &s->inverse_mass, &s->r, &s->total, &s->c}}, {0}});
  const bool constant = !dls_system_mass_varies(sys);
  const bool there = s->G != NULL && s->block != NULL &&
                     (!constant || dls_selected_inverse_create(sys->M, s->G, &s->coupled) == DLS_OK);
  s->W = there && s->coupled == NULL ? dls_delassus_create(M, s->G) : NULL;
  if (!there || (s->W == NULL && s->coupled == NULL)) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu equations of joints", sys->r);
  }
  s->count = sys->r;
  if (constant && s->W != NULL && dls_matrix_storage(s->G) == DLS_SPARSE) {
    s->inverse = dls_delassus_diagonal(s->W);
  }
  return DLS_OK;
}

void dls_impulse_joints_destroy(dls_impulse_joints *s)
{
  dls_selected_inverse_destroy(s->coupled);
  dls_delassus_destroy(s->W);
  dls_matrix_destroy(s->G);
  free(s->block);
}

/* W_ii of a row with `count` entries, for M diagonal: the operations of the operator in their order. */
static inline double inverse_mass(const double *G, const sunindextype *row, size_t count, const double *inverse)
{
  double W = 0;
  for (size_t e = 0; e < count; e++) {
    W += G[e] * G[e] * inverse[row[e]];
  }
  return W;
}

static void take_inverse_masses(dls_impulse_joints *s)
{
  const double *G = s->G->values;
  const sunindextype *row = s->G->row_of;
  for (size_t i = 0, begin = 0; i < s->count; i++) {
    const size_t end = dls_matrix_end(s->G, i), count = end - begin;
    s->inverse_mass[i] = count == 4 ? inverse_mass(G, row, 4, s->inverse) /* without a loop */
                                    : inverse_mass(G, row, count, s->inverse);
    G += count;
    row += count;
    begin = end;
  }
}

void dls_impulse_joints_at(dls_impulse_joints *s, const dls_system *sys, double t, const double *q)
{
  if (s->count == 0) {
    return;
  }
  dls_system_joint(sys, t, q, s->phi);
  dls_system_joint_rate(sys, t, q, s->rate);
  dls_system_joint_gradient(sys, t, q, s->G);
  if (s->inverse != NULL) {
    take_inverse_masses(s);
    return;
  }
  memset(s->inverse_mass, 0, s->count * sizeof *s->inverse_mass);
  if (s->coupled == NULL) {
    dls_delassus_reset(s->W);
  }
}

void dls_impulse_joints_aim(dls_impulse_joints *s, double h, const double *v)
{
  if (s->inverse != NULL) {
    dls_matrix_transposed_plus(s->G, v, s->rate, s->c); /* all u at once */
  }
  for (size_t i = 0; i < s->count; i++) {
    s->c[i] = s->phi[i] / h - (s->inverse != NULL ? s->c[i] : dls_impulse_joints_velocity(s, i, v));
  }
}

void dls_impulse_joints_warm_start(dls_impulse_joints *s, double *v)
{
  if (s->coupled != NULL) {
    dls_selected_inverse_apply(s->coupled, s->G, s->r, v);
    return;
  }
  for (size_t i = 0; i < s->count; i++) {
    if (s->inverse == NULL) {
      dls_delassus_apply(s->W, 1, &i, 1, s->r + i, v);
    } else if (s->r[i] != 0) {
      dls_sparse_column_add(s->G, i, s->r[i], s->inverse, v);
    }
  }
}

/* (2) of row i of G^T, with `count` entries, for M diagonal: the operations of the operator in their order. */
static inline void sparse_row(dls_impulse_joints *s, size_t i, const double *restrict G,
                              const sunindextype *restrict row, size_t count, double *restrict v)
{
  const double *restrict inverse = s->inverse, W = s->inverse_mass[i];
  double u = 0;
  if (!(W > 0)) { /* it moves nothing */
    return;
  }
  for (size_t e = 0; e < count; e++) {
    u += G[e] * v[row[e]];
  }
  const double change = DLS_IMPULSE_CHANGE(u + s->rate[i], s->r[i], W, s->c[i], s->mass, s->yield); /* (2) */
  for (size_t e = 0; e < count && change != 0; e++) {
    v[row[e]] += change * G[e] * inverse[row[e]];
  }
  s->r[i] += change;
}

/* Two and four entries, of a rod in the plane, are without loops. */
static void sparse_sweep(dls_impulse_joints *s, double *v)
{
  const double *G = s->G->values;
  const sunindextype *row = s->G->row_of;
  for (size_t i = 0, begin = 0; i < s->count; i++) {
    const size_t end = dls_matrix_end(s->G, i), count = end - begin;
    switch (count) {
    case 2:
      sparse_row(s, i, G, row, 2, v);
      break;
    case 4:
      sparse_row(s, i, G, row, 4, v);
      break;
    default:
      sparse_row(s, i, G, row, count, v);
    }
    G += count;
    row += count;
    begin = end;
  }
}

/* For M that couples bodies. */
static void coupled_sweep(dls_impulse_joints *s, double *v)
{
  dls_selected_inverse_begin(s->coupled, v);
  for (size_t i = 0; i < s->count; i++) {
    double *const W = &s->inverse_mass[i];
    *W = *W == 0 ? dls_selected_inverse_diagonal(s->coupled, s->G, i) : *W;
    if (*W > 0) { /* else it moves nothing */
      const double u = dls_selected_inverse_speed(s->coupled, s->G, i) + s->rate[i];
      const double change = DLS_IMPULSE_CHANGE(u, s->r[i], *W, s->c[i], s->mass, s->yield); /* (2) */
      dls_selected_inverse_add(s->coupled, s->G, i, change);
      s->r[i] += change;
    }
  }
  dls_selected_inverse_end(s->coupled, v);
}

void dls_impulse_joints_sweep(dls_impulse_joints *s, double *v)
{
  if (s->coupled != NULL) {
    coupled_sweep(s, v);
    return;
  }
  if (s->inverse != NULL) {
    sparse_sweep(s, v);
    return;
  }
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
