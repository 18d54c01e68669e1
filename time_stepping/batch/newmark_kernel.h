/* newmark_kernel.h -- steps (1) to (4), (4') of newmark_step.c for small linear systems, DLS_BATCH_WIDTH runs at once.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_NEWMARK_KERNEL_H
#define DELASSUS_TIME_STEPPING_NEWMARK_KERNEL_H

#include "time_stepping/batch/newmark_batch.h"
#define DLS_KERNEL_KEPT 2
#define DLS_KERNEL_KEPT_N 2
#define DLS_KERNEL_D 3
#include "time_stepping/batch/batch.h"
#include "time_stepping/step/newmark_equations.h"

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

/* Terms of one step. */
typedef struct newmark_step {
  dls_real v_star[DLS_SMALL_N], q_star[DLS_SMALL_N]; /* (2) and (3) with a' = 0 and w = 0 */
  dls_real rhs[DLS_SMALL_N], w[DLS_SMALL_N];
} newmark_step;

/* The predictors, and the right-hand side of (4) or (4') without B w; in the order of operations of newmark_step.c. */
DLS_INLINE void newmark_begin(const dls_batch *k, const dls_kernel *o, dls_sizes is, const dls_batch_node *x,
                              const dls_batch_node *y, newmark_step *s)
{
  const dls_real h = k->h, f = o->alpha_f, c = o->alpha_c, *a = x->kept[DLS_NEWMARK_A];
  const dls_real v_a = DLS_NEWMARK_V_A(h, o->gamma), q_a = DLS_NEWMARK_Q_A(h, o->beta);
  dls_real q[DLS_SMALL_N], v[DLS_SMALL_N];
  for (size_t i = 0; i < is.n; i++) {
    s->v_star[i] = DLS_NEWMARK_V_STAR(x->v[i], v_a, a[i]);             /* (2): v* */
    s->q_star[i] = DLS_NEWMARK_Q_STAR(x->q[i], h, x->v[i], q_a, a[i]); /* (3): q* */
    s->rhs[i] = DLS_NEWMARK_AVERAGE(c, x->kept[DLS_NEWMARK_LOAD][i],
                                    y->kept[DLS_NEWMARK_LOAD][i]); /* (4'): (1 - alpha_c) F' + alpha_c F */
    q[i] = DLS_NEWMARK_AVERAGE(f, x->q[i], s->q_star[i]);          /* (4'): q* averaged by alpha_f */
    v[i] = DLS_NEWMARK_AVERAGE(c, x->v[i], s->v_star[i]);          /* (4'): v* averaged by alpha_c */
  }
  dls_batch_multiply(&k->pattern->K, k->K, is, dls_same(-1), q, s->rhs);
  dls_batch_multiply(&k->pattern->C, k->C, is, dls_same(-1), v, s->rhs);
  if (k->pattern->mass_term) {
    dls_batch_multiply(&k->pattern->M, k->M, is, -o->alpha_m, a, s->rhs); /* - alpha_m M a */
  }
}

/* A a' = rhs */
DLS_INLINE void newmark_acceleration(const dls_batch *k, dls_sizes is, const newmark_step *s, dls_batch_node *y)
{
  for (size_t i = 0; i < is.n; i++) {
    y->kept[DLS_NEWMARK_A][i] = s->rhs[i];
  }
  dls_batch_solve(&k->pattern->A, k->A, is.n, y->kept[DLS_NEWMARK_A]);
}

/* w := M^-1 H1 P */
DLS_INLINE void newmark_impulse(const dls_batch *k, dls_sizes is, const dls_batch_node *y, newmark_step *s)
{
  for (size_t i = 0; i < is.n; i++) {
    s->w[i] = dls_same(0);
  }
  for (size_t j = 0; j < is.d * is.m; j++) {
    const dls_small_row *pattern = &k->pattern->row[j];
    for (size_t e = 0; e < (is.full ? is.n : pattern->count); e++) {
      const size_t i = is.full ? e : pattern->row[e];
      s->w[i] = dls_select(y->active[j / is.d], s->w[i] + y->P[j] * k->row[j].H[e], s->w[i]);
    }
  }
  dls_batch_solve(&k->pattern->mass, k->mass, is.n, s->w);
}

/* a', v', q' with the impulses, in the members that have active contacts. */
DLS_INLINE void newmark_struck(const dls_batch *k, const dls_kernel *o, dls_sizes is, dls_mask any,
                               newmark_step *s, dls_batch_node *y)
{
  const dls_real h = k->h, v_a = DLS_NEWMARK_V_A_NEXT(h, o->gamma), q_a = DLS_NEWMARK_Q_A_NEXT(h, o->beta);
  const bool forces = k->pattern->K.storage != DLS_SMALL_NONE || k->pattern->C.storage != DLS_SMALL_NONE;
  dls_real a[DLS_SMALL_N];
  newmark_impulse(k, is, y, s);
  for (size_t i = 0; i < is.n; i++) {
    a[i] = y->kept[DLS_NEWMARK_A][i];
  }
  if (forces) { /* A a' = rhs + B w */
    dls_batch_multiply(&k->pattern->K, k->K, is, DLS_NEWMARK_B_K(o->weight_k, h), s->w, s->rhs);
    dls_batch_multiply(&k->pattern->C, k->C, is, -o->weight_c, s->w, s->rhs);
    newmark_acceleration(k, is, s, y);
  }
  for (size_t i = 0; i < is.n; i++) {
    const dls_real v = DLS_NEWMARK_UPDATE(s->v_star[i], v_a, y->kept[DLS_NEWMARK_A][i]) + s->w[i]; /* (2) */
    const dls_real q = DLS_NEWMARK_UPDATE(s->q_star[i], q_a, y->kept[DLS_NEWMARK_A][i]) +
                       DLS_NEWMARK_Q_W(h, s->w[i]); /* (3) */
    y->kept[DLS_NEWMARK_A][i] = dls_select(any, y->kept[DLS_NEWMARK_A][i], a[i]);
    y->v[i] = dls_select(any, v, y->v[i]);
    y->q[i] = dls_select(any, q, y->q[i]);
  }
}

/* y for w = 0, with the load there. */
DLS_INLINE void newmark_free(const dls_batch *k, const dls_kernel *o, dls_sizes is, const dls_batch_node *x,
                             dls_batch_node *y, newmark_step *s)
{
  const dls_real h = k->h, v_a = DLS_NEWMARK_V_A_NEXT(h, o->gamma), q_a = DLS_NEWMARK_Q_A_NEXT(h, o->beta);
  newmark_begin(k, o, is, x, y, s);
  newmark_acceleration(k, is, s, y);
  for (size_t i = 0; i < is.n; i++) {
    y->v[i] = DLS_NEWMARK_UPDATE(s->v_star[i], v_a, y->kept[DLS_NEWMARK_A][i]); /* (2) */
    y->q[i] = DLS_NEWMARK_UPDATE(s->q_star[i], q_a, y->kept[DLS_NEWMARK_A][i]); /* (3) */
  }
}

DLS_INLINE void dls_kernel_step(const dls_batch *k, const dls_kernel *o, dls_sizes is, const dls_batch_node *x,
                                dls_batch_node *y)
{
  newmark_step s;
  const dls_mask any = dls_batch_choose_active(k, is, x, y);
  newmark_free(k, o, is, x, y, &s);
  for (size_t i = 0; i < is.n; i++) {
    y->v_free[i] = y->v[i];
  }
  dls_batch_no_impacts(is, y);
  if (dls_some(any)) {
    dls_batch_impulses(k, is, x, y);
    newmark_struck(k, o, is, any, &s, y);
    dls_batch_find_impacts(k, is, x, y);
  }
}

DLS_INLINE dls_kernel dls_kernel_begin(const dls_batch *k, const dls_kernel *o, dls_sizes is,
                                       const dls_batch_node *x, bool steady)
{
  (void)k, (void)is, (void)x, (void)steady;
  return *o;
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
