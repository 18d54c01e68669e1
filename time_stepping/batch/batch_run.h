/* batch_run.h -- many steps of small systems, DLS_LANES runs at once. A file that includes it has defined DLS_LANES and, behind batch.h,
 *   dls_kernel       the scheme's own numbers, by lanes, which dls_kernel_of makes of those of dls_small_run;
 *   dls_kernel_begin those, with what stays the same in all steps from x on;
 *   dls_kernel_load  when the load of the step to t is;
 *   dls_kernel_step  y := the node behind x, but for g and u; the load is set, y->ok where the step is made;
 *   dls_kernel_hit   what is to be told of an impact.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_BATCH_RUN_H
#define DELASSUS_TIME_STEPPING_BATCH_RUN_H

#include "common/run/recorder.h"
#include "time_stepping/batch/batch.h"

/* Who goes. */
typedef struct dls_lanes_way {
  dls_glide *lane;
  const dls_small_run *run;
  size_t count; /* lanes that are there; the others repeat the first */
  bool steady;  /* no load depends on t */
  bool records; /* some lane records its nodes ... */
  bool listens; /* ... or at least its events */
} dls_lanes_way;

/* How far they are. */
typedef struct dls_lanes_pace {
  dls_real t_base, steps, t; /* number of steps made; time of the node behind the present step */
  dls_real worst_gap, worst_time, worst_contact, solves, impacts;
  dls_mask jumped;
} dls_lanes_pace;

DLS_INLINE void dls_lanes_begin(dls_lanes_way *w, dls_sizes is, dls_lanes_node *x, dls_lanes_pace *p)
{
  for (int l = 0; l < DLS_LANES; l++) {
    const size_t from = (size_t)l < w->count ? (size_t)l : 0;
    const dls_sim *sim = w->lane[from].sim;
    DLS_FILL(x->q, l, sim->q, is.n)
    DLS_FILL(x->v, l, sim->v, is.n)
    DLS_FILL(x->g, l, sim->g, is.m)
    DLS_FILL(x->u, l, sim->u, is.m)
    DLS_FILL(x->P, l, sim->p, is.m)
    for (size_t i = 0; i < DLS_KERNEL_KEEPS; i++) {
      DLS_FILL(x->keep[i], l, w->run[from].keep[i], i < DLS_KERNEL_KEEPS_N ? is.n : is.m)
    }
    DLS_AT(p->t_base, l) = sim->t_base;
    DLS_AT(p->steps, l) = (double)sim->step;
    DLS_AT(p->worst_gap, l) = sim->worst_gap;
    DLS_AT(p->worst_time, l) = sim->worst_time;
    DLS_AT(p->worst_contact, l) = (double)sim->worst_contact;
    w->steady = w->steady && (sim->sys->load == NULL || sim->sys->steady_load);
    w->records = w->records || (sim->record != NULL && !sim->record->skip_nodes);
    w->listens = w->listens || sim->record != NULL;
  }
  p->solves = p->impacts = dls_same(0);
  p->jumped = p->solves > p->solves; /* none */
}

/* load := F_ext at the end of the step */
DLS_INLINE void dls_lanes_load(const dls_lanes_way *w, size_t n, dls_real t, dls_real *load)
{
  for (int l = 0; l < DLS_LANES; l++) {
    double F[DLS_SMALL_N];
    dls_system_load(w->lane[(size_t)l < w->count ? l : 0].sim->sys, DLS_AT(t, l), F);
    DLS_FILL(load, l, F, n)
  }
}

/* The sim of lane l is at the node y. */
DLS_INLINE void dls_lanes_store(const dls_lanes_way *w, int l, dls_sizes is, dls_real t,
                                const dls_lanes_node *y)
{
  dls_sim *sim = w->lane[l].sim;
  for (size_t i = 0; i < is.n; i++) {
    sim->q[i] = DLS_AT(y->q[i], l);
    sim->v[i] = DLS_AT(y->v[i], l);
  }
  for (size_t j = 0; j < is.m; j++) {
    sim->g[j] = DLS_AT(y->g[j], l);
    sim->u[j] = DLS_AT(y->u[j], l);
    sim->p[j] = DLS_AT(y->P[j], l);
    sim->status[j] = sim->p[j] > 0;
  }
  sim->t = DLS_AT(t, l);
}

/* Impacts of one contact. */
static __attribute__((noinline)) void dls_lanes_tell(const dls_lanes_way *w, const dls_lanes_impact *impact)
{
  for (int l = 0; l < (int)w->count; l++) {
    if (DLS_AT(impact->hits, l)) {
      const dls_event event = {.t = DLS_AT(impact->t, l),
                               .kind = DLS_IMPACT,
                               .contact = impact->contact,
                               .u_minus = DLS_AT(impact->u, l),
                               .u_plus = DLS_AT(impact->u_plus, l),
                               .impulse = DLS_AT(impact->P, l)};
      dls_sim_event(w->lane[l].sim, &event);
    }
  }
}

DLS_INLINE void dls_lanes_impacts(const dls_lanes_way *w, const dls_lanes *k, const dls_kernel *o, dls_sizes is,
                                  const dls_lanes_pace *p, const dls_lanes_node *x, const dls_lanes_node *y)
{
  for (size_t j = 0; j < is.m; j++) {
    if (dls_some(y->hits[j])) {
      const dls_lanes_impact impact = dls_kernel_hit(k, o, is, p->t, x, y, j);
      dls_lanes_tell(w, &impact);
    }
  }
  for (int l = 0; l < (int)w->count; l++) {
    for (size_t i = 0; DLS_AT(p->jumped, l) && i < is.n; i++) {
      w->lane[l].sim->v_left[i] = DLS_AT(y->v_free[i], l);
    }
  }
}

/* Rows of the node, which the sims are at, in the records. @return false if one has failed, which its lane says */
static __attribute__((noinline)) bool dls_lanes_rows(const dls_lanes_way *w)
{
  bool done = true;
  for (int l = 0; l < (int)w->count; l++) {
    dls_glide *lane = &w->lane[l];
    if (lane->sim->record != NULL) {
      lane->status = lane->sim->record->skip_nodes ? dls_record_skipped(lane->sim, lane->err)
                                                   : dls_record_node(lane->sim, lane->err);
      done = done && lane->status == DLS_OK;
    }
  }
  return done;
}

DLS_INLINE bool dls_lanes_record(const dls_lanes_way *w, dls_sizes is, const dls_lanes_pace *p,
                                 const dls_lanes_node *y)
{
  for (int l = 0; l < (int)w->count; l++) {
    dls_lanes_store(w, l, is, p->t, y);
    w->lane[l].sim->jump = DLS_AT(p->jumped, l) != 0;
  }
  return dls_lanes_rows(w);
}

/* Of the node at the end of the present step. */
DLS_INLINE dls_real dls_lanes_time(const dls_lanes *k, const dls_lanes_pace *p)
{
  return p->t_base + (p->steps + dls_same(1)) * k->h;
}

/* What is lasting of the step that ends at y. @return lanes in which it has an impact to be told */
DLS_INLINE dls_mask dls_lanes_count(dls_lanes_pace *p, dls_sizes is, const dls_lanes_node *y)
{
  dls_mask any = dls_not(y->ok), hits = any; /* none */
  for (size_t j = 0; j < is.m; j++) {
    const dls_mask lower = y->g[j] < p->worst_gap;
    any |= y->active[j];
    hits |= y->hits[j];
    p->impacts += dls_select(y->hits[j], dls_same(1), dls_same(0));
    p->worst_gap = dls_select(lower, y->g[j], p->worst_gap);
    p->worst_time = dls_select(lower, p->t, p->worst_time);
    p->worst_contact = dls_select(lower, dls_same((double)j), p->worst_contact);
  }
  p->solves += dls_select(any, dls_same(1), dls_same(0));
  return hits;
}

/* The sims at the last node x, behind `made` > 0 steps more. */
DLS_INLINE void dls_lanes_end(const dls_lanes_way *w, dls_sizes is, const dls_lanes_pace *p, dls_real t,
                              size_t made, const dls_lanes_node *x)
{
  for (int l = 0; l < (int)w->count; l++) {
    dls_sim *sim = w->lane[l].sim;
    dls_lanes_store(w, l, is, t, x);
    sim->jump = DLS_AT(p->jumped, l) != 0;
    for (size_t i = 0; sim->jump && i < is.n; i++) {
      sim->v_left[i] = DLS_AT(x->v_free[i], l);
    }
    if (!w->listens) { /* else they are counted where they are told */
      sim->work.events += (size_t)DLS_AT(p->impacts, l);
      sim->work.impacts += (size_t)DLS_AT(p->impacts, l);
    }
    sim->step += made;
    sim->work.steps += made;
    sim->work.force_evals += made;
    sim->work.lcp_solves += (size_t)DLS_AT(p->solves, l);
    sim->worst_gap = DLS_AT(p->worst_gap, l);
    sim->worst_time = DLS_AT(p->worst_time, l);
    sim->worst_contact = (size_t)DLS_AT(p->worst_contact, l);
    dls_place_contacts(&sim->place, sim->t, sim->q);
    for (size_t i = 0; i < DLS_KERNEL_KEEPS; i++) {
      for (size_t e = 0; e < (i < DLS_KERNEL_KEEPS_N ? is.n : is.m); e++) {
        w->run[l].keep[i][e] = DLS_AT(x->keep[i][e], l);
      }
    }
  }
}

/* x := y, as far as a step reads it */
DLS_INLINE void dls_lanes_go_on(dls_sizes is, const dls_lanes_node *y, dls_lanes_node *x)
{
  for (size_t i = 0; i < is.n; i++) {
    x->q[i] = y->q[i];
    x->v[i] = y->v[i];
    x->v_free[i] = y->v_free[i];
  }
  for (size_t j = 0; j < is.m; j++) {
    x->g[j] = y->g[j];
    x->u[j] = y->u[j];
    x->P[j] = y->P[j];
  }
  for (size_t i = 0; i < DLS_KERNEL_KEEPS; i++) {
    for (size_t e = 0; e < (i < DLS_KERNEL_KEEPS_N ? is.n : is.m); e++) {
      x->keep[i][e] = y->keep[i][e];
    }
  }
}

/* One step from x to y. @return lanes in which it is not made, or something is to be told or kept of it */
DLS_INLINE dls_mask dls_lanes_step(const dls_lanes_way *w, const dls_lanes *k, const dls_kernel *o,
                                   dls_sizes is, const dls_lanes_pace *p, const dls_lanes_node *x,
                                   dls_lanes_node *y)
{
  if (!w->steady) {
    dls_lanes_load(w, is.n, dls_kernel_load(k, o, dls_lanes_time(k, p)), y->keep[0]);
  }
  dls_kernel_step(k, o, is, x, y);
  dls_lanes_observe(k, is, y);
  dls_mask rare = dls_not(y->ok);
  for (size_t j = 0; j < is.m; j++) {
    rare |= y->active[j] | y->hits[j] | (y->g[j] < p->worst_gap);
  }
  return rare;
}

/* A step is made: what is told and kept of it. @return false if the lanes end there */
DLS_INLINE bool dls_lanes_tell_all(const dls_lanes_way *w, const dls_lanes *k, const dls_kernel *o,
                                   dls_sizes is, dls_lanes_pace *p, const dls_lanes_node *x,
                                   const dls_lanes_node *y)
{
  p->t = dls_lanes_time(k, p);
  const dls_mask told = dls_lanes_count(p, is, y);
  const bool hits = w->listens && dls_some(told);
  if (hits) {
    dls_lanes_impacts(w, k, o, is, p, x, y);
  }
  return !(w->records || hits) || dls_lanes_record(w, is, p, y);
}

/* @return steps made by all lanes; those that are not ok are stuck at the next one */
DLS_INLINE size_t dls_lanes_run(dls_lanes_way *w, const dls_lanes *k, const dls_kernel *o, dls_sizes is,
                                size_t most)
{
  dls_lanes_node x, y;
  dls_lanes_pace p;
  size_t made = 0;
  bool goes_on = true;
  dls_lanes_begin(w, is, &x, &p);
  y.ok = dls_not(p.jumped);
  for (size_t i = 0; i < is.n; i++) {
    y.keep[0][i] = x.keep[0][i];
    x.v_free[i] = y.v_free[i] = dls_same(0); /* for schemes that leave it */
  }
  const dls_kernel own = dls_kernel_begin(k, o, is, &x, w->steady);
  while (goes_on && made < most) {
    const bool rare = dls_some(dls_lanes_step(w, k, &own, is, &p, &x, &y));
    if (rare && dls_some(dls_not(y.ok))) {
      break;
    }
    p.jumped = y.jumps;
    if (rare || w->records) {
      goes_on = dls_lanes_tell_all(w, k, &own, is, &p, &x, &y);
    }
    dls_lanes_go_on(is, &y, &x);
    p.steps += dls_same(1);
    made++;
  }
  const dls_mask ok = y.ok;
  for (int l = 0; l < (int)w->count; l++) {
    w->lane[l].stuck = made < most && goes_on && !DLS_AT(ok, l);
  }
  if (made > 0) {
    dls_lanes_end(w, is, &p, p.t_base + p.steps * k->h, made, &x);
  }
  return made;
}

/* With sizes that the compiler knows, where they are the usual ones. */
DLS_INLINE size_t dls_lanes_dispatch(dls_lanes_way *w, const dls_lanes *k, const dls_kernel *o, size_t most)
{
  const dls_sizes is = {k->like->n, k->like->m, k->like->full};
  return is.full && is.n == 1 && is.m == 1   ? dls_lanes_run(w, k, o, (dls_sizes){1, 1, true}, most)
         : is.full && is.n == 2 && is.m == 1 ? dls_lanes_run(w, k, o, (dls_sizes){2, 1, true}, most)
                                             : dls_lanes_run(w, k, o, (dls_sizes){is.n, is.m, false}, most);
}

/* A dls_small_go. */
DLS_INLINE size_t dls_lanes_go(dls_glide *lane, const dls_small_run *run, size_t count, size_t most)
{
  dls_lanes k; /* as far as the systems have numbers */
  dls_small_run all[DLS_LANES];
  dls_real number[DLS_SMALL_NUMBERS];
  k.like = run[0].small;
  k.tolerance = run[0].small->tolerance;
  for (int l = 0; l < DLS_LANES; l++) {
    const size_t from = (size_t)l < count ? (size_t)l : 0;
    all[l] = run[from];
    dls_lanes_take(&k, l, run[from].small, lane[from].h);
    DLS_FILL(number, l, run[from].number, DLS_SMALL_NUMBERS)
  }
  const dls_kernel o = dls_kernel_of(number);
  dls_lanes_way way = {.lane = lane, .run = all, .count = count, .steady = true};
  return dls_lanes_dispatch(&way, &k, &o, most);
}

#endif
