/* newmark_kernel.h -- steps (1) to (4), (4') of newmark_step.c for small linear systems, DLS_LANES runs at once.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_NEWMARK_KERNEL_H
#define DELASSUS_TIME_STEPPING_NEWMARK_KERNEL_H

#include "time_stepping/batch/newmark_batch.h"
#define DLS_KERNEL_KEEPS 2
#define DLS_KERNEL_KEEPS_N 2
#include "time_stepping/batch/batch.h"

typedef struct dls_kernel {
  dls_real gamma, beta, alpha_m, alpha_f, alpha_c; /* alpha_c averages damping and load */
  dls_real weight_k, weight_c;
} dls_kernel;

DLS_INLINE dls_kernel dls_kernel_of(const dls_real *number)
{
  return (dls_kernel){.gamma = number[DLS_NEWMARK_GAMMA],
                      .beta = number[DLS_NEWMARK_BETA],
                      .alpha_m = number[DLS_NEWMARK_ALPHA_M],
                      .alpha_f = number[DLS_NEWMARK_ALPHA_F],
                      .alpha_c = number[DLS_NEWMARK_ALPHA_C],
                      .weight_k = number[DLS_NEWMARK_WEIGHT_K],
                      .weight_c = number[DLS_NEWMARK_WEIGHT_C]};
}

/* Of one step. */
typedef struct newmark_step {
  dls_real v_star[DLS_SMALL_N], q_star[DLS_SMALL_N]; /* (2) and (3) with a' = 0 and w = 0 */
  dls_real rhs[DLS_SMALL_N], w[DLS_SMALL_N];
} newmark_step;

/* The predictors, and the right-hand side of (4) or (4') without B w; in the order of operations of newmark_step.c. */
DLS_INLINE void newmark_begin(const dls_lanes *k, const dls_kernel *o, dls_sizes is, const dls_lanes_node *x,
                              const dls_lanes_node *y, newmark_step *s)
{
  const dls_real h = k->h, one = dls_same(1), f = o->alpha_f, c = o->alpha_c;
  dls_real q[DLS_SMALL_N], v[DLS_SMALL_N];
  for (size_t i = 0; i < is.n; i++) {
    s->v_star[i] = x->v[i] + h * (one - o->gamma) * x->keep[DLS_NEWMARK_A][i];
    s->q_star[i] = x->q[i] + h * x->v[i] + h * h * (dls_same(0.5) - o->beta) * x->keep[DLS_NEWMARK_A][i];
    s->rhs[i] = (one - c) * y->keep[DLS_NEWMARK_LOAD][i] +
                c * x->keep[DLS_NEWMARK_LOAD][i];  /* (1 - alpha_c) F' + alpha_c F */
    q[i] = (one - f) * s->q_star[i] + f * x->q[i]; /* q* averaged by alpha_f */
    v[i] = (one - c) * s->v_star[i] + c * x->v[i]; /* v* averaged by alpha_c */
  }
  dls_lanes_multiply(&k->like->K, k->K, is, -one, q, s->rhs);
  dls_lanes_multiply(&k->like->C, k->C, is, -one, v, s->rhs);
  if (k->like->mass_term) {
    dls_lanes_multiply(&k->like->M, k->M, is, -o->alpha_m, x->keep[DLS_NEWMARK_A], s->rhs); /* - alpha_m M a */
  }
}

/* A a' = rhs */
DLS_INLINE void newmark_acceleration(const dls_lanes *k, dls_sizes is, const newmark_step *s, dls_lanes_node *y)
{
  for (size_t i = 0; i < is.n; i++) {
    y->keep[DLS_NEWMARK_A][i] = s->rhs[i];
  }
  dls_lanes_solve(&k->like->A, k->A, is.n, y->keep[DLS_NEWMARK_A]);
}

/* w := M^-1 H1 P */
DLS_INLINE void newmark_impulse(const dls_lanes *k, dls_sizes is, const dls_lanes_node *y, newmark_step *s)
{
  for (size_t i = 0; i < is.n; i++) {
    s->w[i] = dls_same(0);
  }
  for (size_t j = 0; j < is.m; j++) {
    const dls_small_contact *like = &k->like->contact[j];
    for (size_t e = 0; e < (is.full ? is.n : like->count); e++) {
      const size_t i = is.full ? e : like->row[e];
      s->w[i] = dls_select(y->active[j], s->w[i] + y->P[j] * k->contact[j].H[e], s->w[i]);
    }
  }
  dls_lanes_solve(&k->like->mass, k->mass, is.n, s->w);
}

/* a', v', q' with the impulses, in the lanes that have active contacts. */
DLS_INLINE void newmark_struck(const dls_lanes *k, const dls_kernel *o, dls_sizes is, dls_mask any,
                               newmark_step *s, dls_lanes_node *y)
{
  const dls_real h = k->h, two = dls_same(2);
  const bool forces = k->like->K.storage != DLS_SMALL_NONE || k->like->C.storage != DLS_SMALL_NONE;
  dls_real a[DLS_SMALL_N];
  newmark_impulse(k, is, y, s);
  for (size_t i = 0; i < is.n; i++) {
    a[i] = y->keep[DLS_NEWMARK_A][i];
  }
  if (forces) { /* A a' = rhs + B w */
    dls_lanes_multiply(&k->like->K, k->K, is, -o->weight_k * h / two, s->w, s->rhs);
    dls_lanes_multiply(&k->like->C, k->C, is, -o->weight_c, s->w, s->rhs);
    newmark_acceleration(k, is, s, y);
  }
  for (size_t i = 0; i < is.n; i++) {
    const dls_real v = s->v_star[i] + h * o->gamma * y->keep[DLS_NEWMARK_A][i] + s->w[i];
    const dls_real q = s->q_star[i] + h * h * o->beta * y->keep[DLS_NEWMARK_A][i] + h / two * s->w[i];
    y->keep[DLS_NEWMARK_A][i] = dls_select(any, y->keep[DLS_NEWMARK_A][i], a[i]);
    y->v[i] = dls_select(any, v, y->v[i]);
    y->q[i] = dls_select(any, q, y->q[i]);
  }
}

DLS_INLINE void dls_kernel_step(const dls_lanes *k, const dls_kernel *o, dls_sizes is, const dls_lanes_node *x,
                                dls_lanes_node *y)
{
  newmark_step s;
  const dls_real h = k->h, gamma = h * o->gamma, beta = h * h * o->beta;
  const dls_mask any = dls_lanes_choose(k, is, x, y);
  newmark_begin(k, o, is, x, y, &s);
  newmark_acceleration(k, is, &s, y);
  for (size_t i = 0; i < is.n; i++) {
    y->v[i] = y->v_free[i] = s.v_star[i] + gamma * y->keep[DLS_NEWMARK_A][i]; /* v' of (2) for w = 0 */
    y->q[i] = s.q_star[i] + beta * y->keep[DLS_NEWMARK_A][i];                 /* q' of (3) for w = 0 */
  }
  dls_lanes_no_hits(is, y);
  if (dls_some(any)) {
    dls_lanes_impulses(k, is, x, y);
    newmark_struck(k, o, is, any, &s, y);
    dls_lanes_hits(k, is, x, y);
  }
}

DLS_INLINE dls_kernel dls_kernel_begin(const dls_lanes *k, const dls_kernel *o, dls_sizes is,
                                       const dls_lanes_node *x, bool steady)
{
  (void)k, (void)is, (void)x, (void)steady;
  return *o;
}

DLS_INLINE dls_real dls_kernel_load(const dls_lanes *k, const dls_kernel *o, dls_real t)
{
  (void)k, (void)o;
  return t;
}

DLS_INLINE dls_lanes_impact dls_kernel_hit(const dls_lanes *k, const dls_kernel *o, dls_sizes is, dls_real t,
                                           const dls_lanes_node *x, const dls_lanes_node *y, size_t j)
{
  (void)o;
  return dls_lanes_hit(k, is, t, x, y, j);
}

#include "time_stepping/batch/batch_run.h"

#endif
