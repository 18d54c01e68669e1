/* theta_kernel.h -- steps (1), (2) of theta_step.c for small linear systems, DLS_BATCH_WIDTH runs at once.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_THETA_KERNEL_H
#define DELASSUS_TIME_STEPPING_THETA_KERNEL_H

#define DLS_KERNEL_KEPT 1
#define DLS_KERNEL_KEPT_N 1
#define DLS_KERNEL_D 3
#define DLS_KERNEL_FLIES
#include "time_stepping/batch/theta_flight.h"

/* In the order of operations of linear_step there. */
DLS_INLINE void dls_kernel_step(const dls_batch *k, const dls_kernel *o, dls_sizes is, const dls_batch_node *x,
                                dls_batch_node *y)
{
  const dls_mask any = dls_batch_choose_active(k, is, x, y);
  theta_free_velocity(k, o, is, x, y->kept[DLS_THETA_LOAD], y->v_free);
  for (size_t i = 0; i < is.n; i++) {
    y->v[i] = y->v_free[i];
  }
  dls_batch_no_impacts(is, y);
  if (dls_some(any)) {
    dls_batch_impulses(k, is, x, y);
    dls_batch_apply_impulses(k, is, y->P, y->v); /* v' = v_free + A^-1 H1 P */
    dls_batch_find_impacts(k, is, x, y);
  }
  theta_positions(k, o, is, x, y);
}

DLS_INLINE void dls_kernel_move(const dls_batch *k, const dls_kernel *o, dls_sizes is, const dls_batch_node *x,
                                dls_batch_node *y)
{
  theta_positions(k, o, is, x, y);
}

DLS_INLINE dls_real dls_kernel_load(const dls_batch *k, const dls_kernel *o, dls_real t)
{
  (void)k, (void)o;
  return t;
}

DLS_INLINE dls_batch_impact dls_kernel_impact(const dls_batch *k, const dls_kernel *o, dls_sizes is, dls_real t,
                                              const dls_batch_node *x, const dls_batch_node *y, size_t j)
{
  (void)o;
  return dls_batch_impact_of(k, is, t, x, y, j);
}

#include "time_stepping/batch/batch_run.h"

#endif
