/* theta_flight.h -- steps (1) of theta_step.c without contact, for batches. A file that includes it has defined what batch.h needs.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_THETA_FLIGHT_H
#define DELASSUS_TIME_STEPPING_THETA_FLIGHT_H

#include "time_stepping/batch/batch.h"
#include "time_stepping/batch/theta_batch.h"
#include "time_stepping/moreau/theta_equations.h"

typedef struct dls_kernel {
  dls_real theta, eta;
  bool pushed;                /* the forces are the same in every step: */
  dls_real push[DLS_SMALL_N]; /* A^-1 h F */
} dls_kernel;

DLS_INLINE dls_kernel dls_kernel_of(const dls_real *number)
{
  return (dls_kernel){.theta = number[DLS_THETA_THETA], .eta = number[DLS_THETA_ETA]};
}

/* change := v_free - v from x, with the load of the end of the step. */
DLS_INLINE void theta_change(const dls_batch *k, const dls_kernel *o, dls_sizes is, const dls_batch_node *x,
                             const dls_real *load_next, dls_real *change)
{
  const dls_small_system *pattern = k->pattern;
  const dls_real h = k->h, theta = o->theta;
  dls_real ahead[DLS_SMALL_N];
  for (size_t i = 0; i < is.n; i++) {
    change[i] =
        DLS_THETA_FORCE(h, theta, x->kept[DLS_THETA_LOAD][i], load_next[i]); /* (1): h F_theta of the load */
    ahead[i] = DLS_THETA_AHEAD(x->q[i], x->v[i], h * theta);                 /* (1): K acts at q + h theta v */
  }
  dls_batch_multiply(&pattern->K, k->K, is, -h, ahead, change); /* - h K (q + h theta v) */
  dls_batch_multiply(&pattern->C, k->C, is, -h, x->v, change);  /* - h C v */
  dls_batch_solve(&pattern->A, k->A, is.n, change);             /* A^-1 (..) */
}

DLS_INLINE dls_kernel dls_kernel_begin(const dls_batch *k, const dls_kernel *o, dls_sizes is,
                                       const dls_batch_node *x, bool steady)
{
  dls_kernel own = *o;
  own.pushed = steady && k->pattern->K.storage == DLS_SMALL_NONE && k->pattern->C.storage == DLS_SMALL_NONE;
  if (own.pushed) {
    theta_change(k, o, is, x, x->kept[DLS_THETA_LOAD], own.push);
  }
  return own;
}

/* v_free */
DLS_INLINE void theta_free_velocity(const dls_batch *k, const dls_kernel *o, dls_sizes is,
                                    const dls_batch_node *x, const dls_real *load_next, dls_real *v_free)
{
  dls_real change[DLS_SMALL_N];
  if (!o->pushed) {
    theta_change(k, o, is, x, load_next, change);
  }
  for (size_t i = 0; i < is.n; i++) {
    v_free[i] = (o->pushed ? o->push[i] : change[i]) + x->v[i]; /* v_free = v + A^-1 (..) */
  }
}

DLS_INLINE void theta_positions(const dls_batch *k, const dls_kernel *o, dls_sizes is, const dls_batch_node *x,
                                dls_batch_node *y)
{
  for (size_t i = 0; i < is.n; i++) {
    y->q[i] = DLS_THETA_POSITION(x->q[i], k->h, o->eta, x->v[i], y->v[i]); /* (1) */
  }
}

DLS_INLINE void dls_kernel_fly(const dls_batch *k, const dls_kernel *o, dls_sizes is, const dls_batch_node *x,
                               dls_batch_node *y)
{
  theta_free_velocity(k, o, is, x, x->kept[DLS_THETA_LOAD], y->v);
  theta_positions(k, o, is, x, y);
}

#endif
