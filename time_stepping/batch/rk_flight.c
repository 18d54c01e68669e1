/* rk_flight.c -- advance_batch of the Runge-Kutta schemes: steps of one run in which no contact acts, with the operations of
 * runge_kutta.c in the same order, and steps at rest, which repeat each other.
 * Left to advance: steps in which a gap may close, or in which an approach ends; systems that are not small, linear and under a
 * constant load; runs whose nodes are recorded.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define DLS_BATCH_WIDTH 1
#define DLS_KERNEL_D 3
#define DLS_KERNEL_KEPT 1
#include "common/contact/gap_root.h"
#include "time_stepping/batch/batch.h"
#include "time_stepping/batch/flight.h"
#include "time_stepping/runge_kutta/runge_kutta.h"

enum { MOST_STAGES = 13, MOST_WEIGHTS = MOST_STAGES * (MOST_STAGES + 1) / 2 };

/* The weights of a row of the table that are not zero, as dls_rk_combine uses them. */
typedef struct weights {
  size_t count;
  unsigned char stage[MOST_STAGES];
  double weight[MOST_STAGES];
} weights;

typedef struct flight {
  dls_batch k;
  size_t stages;
  weights row[MOST_STAGES + 1]; /* a_ij of stage i; b_i behind them */
  bool pushed;                  /* without C and K all accelerations are the same */
  double load[DLS_SMALL_N], push[DLS_SMALL_N];
} flight;

typedef struct node {
  double q[DLS_SMALL_N], v[DLS_SMALL_N], a[DLS_SMALL_N];
  double g[DLS_SMALL_M], u[DLS_SMALL_M], gamma[DLS_SMALL_M]; /* normal parts */
} node;

/* a := M^-1 F(q, v) */
DLS_INLINE void acceleration(const flight *f, dls_sizes is, const double *q, const double *v, double *a)
{
  const dls_small_system *pattern = f->k.pattern;
  for (size_t i = 0; i < is.n; i++) {
    a[i] = f->load[i];
  }
  dls_batch_multiply(&pattern->K, f->k.K, is, -1, q, a);
  dls_batch_multiply(&pattern->C, f->k.C, is, -1, v, a);
  dls_batch_solve(&pattern->A, f->k.A, is.n, a);
}

/* y := x + h sum_j w_j slope_j, in the order of dls_rk_combine */
DLS_INLINE void combine(dls_sizes is, const double *x, double h, const weights *w,
                        double slope[MOST_STAGES][DLS_SMALL_N], double *y)
{
  for (size_t i = 0; i < is.n; i++) {
    y[i] = x[i];
  }
  for (size_t k = 0; k < w->count; k++) {
    const double factor = h * w->weight[k];
    for (size_t i = 0; i < is.n; i++) {
      y[i] += factor * slope[w->stage[k]][i];
    }
  }
}

/* (1)-(3) of runge_kutta.h without contacts. */
DLS_INLINE void step(const flight *f, dls_sizes is, double h, const node *x, node *y)
{
  double Q[DLS_SMALL_N], V[MOST_STAGES][DLS_SMALL_N], A[MOST_STAGES][DLS_SMALL_N];
  for (size_t i = 0; i < f->stages; i++) {
    combine(is, x->v, h, &f->row[i], A, V[i]); /* (1): V_i */
    if (!f->pushed && i > 0) {
      combine(is, x->q, h, &f->row[i], V, Q); /* (1): Q_i */
      acceleration(f, is, Q, V[i], A[i]);     /* (2) */
    }
    for (size_t e = 0; (f->pushed || i == 0) && e < is.n; e++) {
      A[i][e] = i == 0 ? x->a[e] : f->push[e];
    }
  }
  combine(is, x->q, h, &f->row[f->stages], V, y->q); /* (3): q' */
  combine(is, x->v, h, &f->row[f->stages], A, y->v); /* (3): v' */
}

/* a, and gaps with their velocities and accelerations. */
DLS_INLINE void observe(const flight *f, dls_sizes is, node *y)
{
  if (f->pushed) {
    for (size_t i = 0; i < is.n; i++) {
      y->a[i] = f->push[i];
    }
  } else {
    acceleration(f, is, y->q, y->v, y->a);
  }
  for (size_t j = 0; j < is.m; j++) {
    y->g[j] = f->k.contact[j].w + dls_batch_dot(&f->k, is, is.d * j, y->q);
    y->u[j] = 0 + dls_batch_dot(&f->k, is, is.d * j, y->v);
    y->gamma[j] = dls_batch_dot(&f->k, is, is.d * j, y->a);
  }
}

/* The condition under which find_crossing of rk_locate.c finds nothing. Its noise of gaps would only raise the coefficients. */
DLS_INLINE bool stays_open(double h, const node *x, const node *y, size_t j)
{
  double c[DLS_GAP_COEFFICIENTS];
  bool open = true;
  dls_gap_bernstein((dls_gap_end){x->g[j], x->u[j], x->gamma[j]}, (dls_gap_end){y->g[j], y->u[j], y->gamma[j]},
                    h, c);
  for (size_t k = 0; k < DLS_GAP_COEFFICIENTS; k++) {
    open = open && c[k] >= 0;
  }
  return open;
}

/* Is the step from x to y one without contact, whose nodes need no check and have finite values? */
DLS_INLINE bool is_free(dls_sizes is, dls_rk_impacts impacts, double h, const node *x, const node *y)
{
  bool is_open = true;
  double sum = 0;
  for (size_t i = 0; i < is.n; i++) {
    sum += y->q[i] + y->v[i] + y->a[i];
  }
  for (size_t j = 0; j < is.m; j++) {
    sum += y->g[j] + y->u[j];
    is_open = is_open && y->g[j] > 0 && !(x->u[j] < 0 && y->u[j] > 0) &&
              (impacts == DLS_RK_AT_NODES || stays_open(h, x, y, j));
  }
  return is_open && fabs(sum) <= DBL_MAX;
}

/* Up to `most` steps of length h from x, which becomes the last node. @return how many */
DLS_INLINE size_t fly_steps(dls_sim *sim, const flight *f, dls_sizes is, dls_rk_impacts impacts, double h,
                            size_t most, node *x, double *t)
{
  size_t made = 0;
  for (; made < most; made++) {
    const double end = sim->t_base + (double)(sim->step + made + 1) * h;
    const double length = impacts == DLS_RK_AT_NODES ? h : end - *t;
    node y;
    step(f, is, length, x, &y);
    observe(f, is, &y);
    if (!is_free(is, impacts, length, x, &y)) {
      break;
    }
    for (size_t j = 0; j < is.m; j++) {
      if (y.g[j] < sim->worst_gap) {
        sim->worst_gap = y.g[j];
        sim->worst_time = end;
        sim->worst_contact = j;
      }
    }
    *x = y;
    *t = end;
  }
  return made;
}

/* The usual sizes are constants for the compiler. */
DLS_INLINE size_t fly_by_size(dls_sim *sim, const flight *f, dls_rk_impacts impacts, double h, size_t most,
                              node *x, double *t)
{
  const dls_small_system *s = f->k.pattern;
  const dls_sizes is = {s->n, s->m, s->d, s->full, false};
  return is.full && is.n == 1 && is.m == 1 && dls_batch_unit(&f->k)
             ? fly_steps(sim, f, (dls_sizes){1, 1, 1, true, true}, impacts, h, most, x, t)
             : fly_steps(sim, f, is, impacts, h, most, x, t);
}

static void take_weights(const double *row, size_t count, weights *out)
{
  out->count = 0;
  for (size_t j = 0; j < count; j++) {
    if (row[j] != 0) {
      out->stage[out->count] = (unsigned char)j;
      out->weight[out->count++] = row[j];
    }
  }
}

static void take_system(const dls_sim *sim, const dls_rk_flight *s, flight *f)
{
  const dls_small_system *pattern = s->small_system;
  const dls_sizes is = {pattern->n, pattern->m, pattern->d, pattern->full, false};
  f->k.pattern = pattern;
  dls_batch_read_system(&f->k, 0, pattern, 0);
  f->stages = s->rk->stages;
  for (size_t i = 0; i < f->stages; i++) {
    take_weights(s->rk->table->A[i], i, &f->row[i]);
  }
  take_weights(s->rk->table->b, f->stages, &f->row[f->stages]);
  f->pushed = pattern->K.storage == DLS_SMALL_NONE && pattern->C.storage == DLS_SMALL_NONE;
  dls_system_load(sim->sys, sim->t, f->load);
  acceleration(f, is, s->now->q, s->now->v, f->push);
}

static void take_node(const dls_sim *sim, const dls_instant *now, node *x)
{
  memcpy(x->q, now->q, sim->sys->n * sizeof *x->q);
  memcpy(x->v, now->v, sim->sys->n * sizeof *x->v);
  memcpy(x->a, now->a, sim->sys->n * sizeof *x->a);
  for (size_t j = 0; j < sim->sys->m; j++) {
    x->g[j] = now->g[j];
    x->u[j] = now->u[sim->sys->d * j];
    x->gamma[j] = now->gamma[sim->sys->d * j];
  }
}

/* The sim := x at t, after `made` > 0 steps. */
static void store(dls_sim *sim, const dls_rk_flight *s, const node *x, double t, size_t made)
{
  dls_instant *now = s->now;
  now->t = sim->t = t;
  memcpy(now->q, x->q, sim->sys->n * sizeof *x->q);
  memcpy(now->v, x->v, sim->sys->n * sizeof *x->v);
  dls_instant_observe(sim, s->contacts, s->closed, now, NULL, NULL);
  memcpy(sim->q, now->q, sim->sys->n * sizeof *sim->q);
  memcpy(sim->v, now->v, sim->sys->n * sizeof *sim->v);
  memcpy(sim->a, now->a, sim->sys->n * sizeof *sim->a);
  dls_batch_at_flight(sim);
  sim->step += made;
  sim->work.steps += made;
  sim->work.force_evals += made * s->rk->stages - 1; /* the last one has been counted */
}

/* Steps without contact from the state of the sim. @return how many */
static size_t fly(dls_sim *sim, const dls_rk_flight *s, double h, size_t most)
{
  flight f;
  node x;
  double t = s->now->t;
  take_system(sim, s, &f);
  take_node(sim, s->now, &x);
  const size_t made = s->impacts == DLS_RK_AT_NODES
                          ? fly_by_size(sim, &f, DLS_RK_AT_NODES, h, most, &x, &t)
                          : fly_by_size(sim, &f, DLS_RK_BETWEEN_NODES, h, most, &x, &t);
  if (made > 0) {
    store(sim, s, &x, t, made);
  }
  return made;
}

static bool applies(dls_sim *sim, const dls_rk_flight *s)
{
  return s->small_system != NULL && s->rk->implicit == NULL && s->rk->stages <= MOST_STAGES &&
         dls_batch_unseen(sim) &&
         dls_small_system_read(s->small_system, sim, s->contacts, s->contacts->M, NULL, false);
}

/* Are v and a exactly 0? */
static bool at_rest(const dls_sim *sim)
{
  bool rests = true;
  for (size_t i = 0; i < sim->sys->n; i++) {
    rests = rests && sim->v[i] == 0 && sim->a[i] == 0;
  }
  return rests;
}

/* With v = a = 0 a step that repeats the state does so whatever its length is: the stages do not leave q. */
static void rest(dls_batch_member *member, const dls_rk_flight *s)
{
  dls_work before;
  if (dls_batch_find_period(member, 1, &before)) {
    dls_batch_repeat(member, &before);
    s->now->t = member->sim->t;
  }
}

void dls_rk_advance_batch(dls_batch_member *members, size_t count)
{
  for (size_t l = 0; l < count; l++) {
    dls_batch_member *member = &members[l];
    const dls_rk_flight *s = member->sim->memory;
    const bool used = applies(member->sim, s), rests = used && at_rest(member->sim);
    member->status = DLS_OK;
    member->made = 0;
    if (rests) {
      rest(member, s);
    } else if (used && s->closed->count == 0) {
      member->made = fly(member->sim, s, member->h, member->most);
    }
    member->stuck = !rests && member->made < member->most;
  }
}
