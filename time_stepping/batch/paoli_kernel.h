/* paoli_kernel.h -- steps (1), (2) of schatzman_paoli.c for small linear systems, DLS_BATCH_WIDTH runs at once.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_PAOLI_KERNEL_H
#define DELASSUS_TIME_STEPPING_PAOLI_KERNEL_H

#include "time_stepping/batch/paoli_batch.h"
#define DLS_KERNEL_KEPT DLS_PAOLI_KEPT
#define DLS_KERNEL_KEPT_N DLS_PAOLI_KEPT_N
#define DLS_KERNEL_D 1
#include "time_stepping/batch/batch.h"
#include "time_stepping/position/paoli_equations.h"

typedef struct dls_kernel {
  dls_real theta;
} dls_kernel;

DLS_INLINE dls_kernel dls_kernel_of(const dls_real *number)
{
  return (dls_kernel){.theta = number[DLS_PAOLI_THETA]};
}

DLS_INLINE dls_kernel dls_kernel_begin(const dls_batch *k, const dls_kernel *o, dls_sizes is,
                                       const dls_batch_node *x, bool steady)
{
  (void)k, (void)is, (void)x, (void)steady;
  return *o;
}

/* t_k+theta */
DLS_INLINE dls_real dls_kernel_load(const dls_batch *k, const dls_kernel *o, dls_real t)
{
  return DLS_PAOLI_TIME(t, o->theta, k->h);
}

/* (2): Pi in y->P, for one contact. If several close, the general path makes the step. */
DLS_INLINE void paoli_contact(const dls_batch *k, dls_sizes is, const dls_batch_node *x, const dls_real *x_free,
                              dls_batch_node *y)
{
  const dls_mask none = dls_same(0) > dls_same(0);
  dls_real q_free[DLS_SMALL_N];
  dls_mask closing = none;
  for (size_t i = 0; i < is.n; i++) {
    q_free[i] = DLS_PAOLI_POSITION(x->kept[DLS_PAOLI_Q][i], x->kept[DLS_PAOLI_D][i] + x_free[i]); /* (1) */
  }
  y->ok = dls_not(none);
  for (size_t j = 0; j < is.m; j++) {
    const dls_real g_hat = k->contact[j].w + dls_batch_dot(k, is, j, q_free);
    const dls_real b = DLS_PAOLI_FREE_GAP(k->row[j].mixture, g_hat, x->kept[DLS_PAOLI_G_LAST][j]); /* (2) */
    const dls_mask closes = dls_not(b >= dls_same(0));
    y->P[j] = dls_same(0);
    closing |= closes;
    if (is.m == 1 && dls_some(closes)) {
      dls_batch_one_contact(k, j, closes, b, y);
    }
    y->active[j] = closes;
  }
  y->ok &= is.m == 1 ? dls_not(none) : dls_not(closing);
}

/* As follow_impacts of schatzman_paoli.c: y->P becomes p = Pi/h, and the first step of an impact is stored. */
DLS_INLINE void paoli_follow(const dls_batch *k, dls_sizes is, const dls_batch_node *x, dls_batch_node *y)
{
  const dls_real zero = dls_same(0);
  for (size_t j = 0; j < is.m; j++) {
    const dls_real impulse = DLS_PAOLI_IMPULSE(k->h, y->P[j]);
    const dls_real u =
        DLS_PAOLI_GAP_RATE(k->h, x->kept[DLS_PAOLI_G_LAST][j], x->kept[DLS_PAOLI_G][j]); /* before */
    const dls_mask second = x->kept[DLS_PAOLI_IMPULSE][j] > zero;
    const dls_mask first = dls_not(second) & (impulse > zero) & dls_not(x->P[j] > zero) & (u < -k->eps_u);
    y->kept[DLS_PAOLI_PI][j] = y->P[j];
    y->kept[DLS_PAOLI_U_MINUS][j] = dls_select(first, u, x->kept[DLS_PAOLI_U_MINUS][j]);
    y->kept[DLS_PAOLI_IMPULSE][j] =
        dls_select(second, zero, dls_select(first, impulse, x->kept[DLS_PAOLI_IMPULSE][j]));
    y->impacts[j] = second;
    y->P[j] = impulse;
  }
}

/* In the order of operations of linear_step and advance there. */
DLS_INLINE void dls_kernel_step(const dls_batch *k, const dls_kernel *o, dls_sizes is, const dls_batch_node *x,
                                dls_batch_node *y)
{
  const dls_real h = k->h;
  const dls_real *q = x->kept[DLS_PAOLI_Q], *d = x->kept[DLS_PAOLI_D];
  dls_real x_free[DLS_SMALL_N], ahead[DLS_SMALL_N];
  for (size_t i = 0; i < is.n; i++) {
    x_free[i] = DLS_PAOLI_FORCE(h, y->kept[DLS_PAOLI_LOAD][i]); /* (1): h^2 F_ext,k+theta */
    ahead[i] = DLS_PAOLI_AHEAD(q[i], o->theta, d[i]);           /* (1): K acts at q_k + theta d_k */
  }
  dls_batch_multiply(&k->pattern->K, k->K, is, -h * h, ahead, x_free);
  dls_batch_multiply(&k->pattern->C, k->C, is, -h, d, x_free);
  dls_batch_solve(&k->pattern->A, k->A, is.n, x_free);
  paoli_contact(k, is, x, x_free, y);
  dls_batch_apply_impulses(k, is, y->P, x_free); /* x = x_free + A^-1 H Pi */
  for (size_t i = 0; i < is.n; i++) {
    const dls_real d_next = d[i] + x_free[i];
    y->q[i] = q[i];
    y->v[i] = DLS_PAOLI_VELOCITY(h, d[i], d_next);              /* (1) */
    y->kept[DLS_PAOLI_Q][i] = DLS_PAOLI_POSITION(q[i], d_next); /* (1) */
    y->kept[DLS_PAOLI_D][i] = d_next;
  }
  for (size_t j = 0; j < is.m; j++) {
    y->kept[DLS_PAOLI_G_LAST][j] = x->kept[DLS_PAOLI_G][j];
    y->kept[DLS_PAOLI_G][j] = k->contact[j].w + dls_batch_dot(k, is, j, y->kept[DLS_PAOLI_Q]);
  }
  paoli_follow(k, is, x, y);
  y->jumps = h > h; /* none */
}

/* An impact is reported after the second of its two active steps, with the difference quotients around them. */
DLS_INLINE dls_batch_impact dls_kernel_impact(const dls_batch *k, const dls_kernel *o, dls_sizes is, dls_real t,
                                              const dls_batch_node *x, const dls_batch_node *y, size_t j)
{
  (void)o, (void)is;
  return (dls_batch_impact){
      .contact = j,
      .d = 1,
      .impacts = y->impacts[j],
      .t = t - k->h,
      .u = {x->kept[DLS_PAOLI_U_MINUS][j]},
      .u_plus = {DLS_PAOLI_GAP_RATE(k->h, x->kept[DLS_PAOLI_G][j], y->kept[DLS_PAOLI_G][j])},
      .P = {x->kept[DLS_PAOLI_IMPULSE][j] + y->P[j]}};
}

#include "time_stepping/batch/batch_run.h"

#endif
