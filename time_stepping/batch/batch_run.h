/* batch_run.h -- many steps of small systems, DLS_BATCH_WIDTH runs at once. A kernel includes it last. It has included batch.h and defines
 *   dls_kernel         the numbers of the scheme, an entry a member; dls_kernel_of makes them from dls_batch_data;
 *   dls_kernel_begin   the same, with what is constant in all steps from x on;
 *   dls_kernel_load    the time at which the load of the step to t is taken;
 *   dls_kernel_step    y := the node after x, without g and u; the load is set, and y->ok marks the members whose step is done;
 *   dls_kernel_impact  the report of an impact;
 *   dls_kernel_fly     with DLS_KERNEL_FLIES defined: dls_kernel_step without contacts, for loads that do not depend on t;
 *   dls_kernel_move    likewise: the positions of dls_kernel_step for the velocities in y.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_BATCH_RUN_H
#define DELASSUS_TIME_STEPPING_BATCH_RUN_H

#include "common/run/recorder.h"
#include "time_stepping/batch/batch.h"

/* The runs of a batch. */
typedef struct dls_batch_runs {
  dls_batch_member *member;
  const dls_batch_data *run;
  size_t count; /* members; further entries of a vector repeat the first */
  bool steady;  /* no load depends on t */
  bool records; /* some member records its nodes ... */
  bool listens; /* ... or at least its events */
} dls_batch_runs;

/* The progress of the members. */
typedef struct dls_batch_progress {
  dls_real t_base, steps, t; /* number of steps made; time at the end of the present step */
  dls_real worst_gap, worst_time, worst_contact, solves, impacts;
  dls_mask jumped;
} dls_batch_progress;

static DLS_OUTLINE void dls_batch_begin(dls_batch_runs *w, dls_sizes is, dls_batch_node *x,
                                        dls_batch_progress *p)
{
  for (int l = 0; l < DLS_BATCH_WIDTH; l++) {
    const size_t from = (size_t)l < w->count ? (size_t)l : 0;
    const dls_sim *sim = w->member[from].sim;
    DLS_FILL(x->q, l, sim->q, is.n)
    DLS_FILL(x->v, l, sim->v, is.n)
    DLS_FILL(x->g, l, sim->g, is.m)
    for (size_t j = 0; j < is.m; j++) {
      for (size_t i = 0; i < is.d; i++) {
        DLS_AT(x->u[is.d * j + i], l) = i == 0 ? sim->u[j] : sim->u_t[(is.d - 1) * j + i - 1];
        DLS_AT(x->P[is.d * j + i], l) = dls_sim_impulse(sim, j, i);
      }
    }
    for (size_t i = 0; i < DLS_KERNEL_KEPT; i++) {
      DLS_FILL(x->kept[i], l, w->run[from].kept[i], i < DLS_KERNEL_KEPT_N ? is.n : is.m)
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
DLS_INLINE void dls_batch_load(const dls_batch_runs *w, size_t n, dls_real t, dls_real *load)
{
  for (int l = 0; l < DLS_BATCH_WIDTH; l++) {
    double F[DLS_SMALL_N];
    dls_system_load(w->member[(size_t)l < w->count ? l : 0].sim->sys, DLS_AT(t, l), F);
    DLS_FILL(load, l, F, n)
  }
}

/* Tangential velocities and impulses, and the status, of contact j of member l. */
DLS_INLINE void dls_batch_store_tangents(const dls_batch_runs *w, int l, size_t d, size_t j,
                                         const dls_batch_node *y)
{
  dls_sim *sim = w->member[l].sim;
  double r[DLS_SMALL_D] = {sim->p[j]}, mixed[DLS_SMALL_D] = {0};
  for (size_t i = 1; i < d; i++) {
    const size_t row = d * j + i, tangent = (d - 1) * j + i - 1;
    mixed[i] = DLS_AT(y->mixed[row], l);
    sim->u_t[tangent] = DLS_AT(y->u[row], l);
    sim->p_t[tangent] = r[i] = DLS_AT(y->P[row], l);
  }
  const dls_small_system *s = w->run[l].small_system;
  if (sim->p[j] > 0 && dls_cone_slips(d, s->contact[j].mu, r, mixed, s->eps_u)) {
    sim->status[j] = 2;
  }
}

/* The sim of member l := the node y. */
DLS_INLINE void dls_batch_store(const dls_batch_runs *w, int l, dls_sizes is, dls_real t,
                                const dls_batch_node *y)
{
  dls_sim *sim = w->member[l].sim;
  for (size_t i = 0; i < is.n; i++) {
    sim->q[i] = DLS_AT(y->q[i], l);
    sim->v[i] = DLS_AT(y->v[i], l);
  }
  for (size_t j = 0; j < is.m; j++) {
    sim->g[j] = DLS_AT(y->g[j], l);
    sim->u[j] = DLS_AT(y->u[is.d * j], l);
    sim->p[j] = DLS_AT(y->P[is.d * j], l);
    sim->status[j] = sim->p[j] > 0;
    if (is.d > 1) {
      dls_batch_store_tangents(w, l, is.d, j, y);
    }
  }
  sim->t = DLS_AT(t, l);
}

/* As describe_friction of velocity_contact.c. */
static void dls_batch_describe_friction(const dls_batch_impact *impact, int l, dls_event *event)
{
  event->tangential = true;
  event->work_normal = 0.5 * (event->u_minus + event->u_plus) * event->impulse;
  for (size_t i = 1; i < DLS_KERNEL_D && i < impact->d; i++) {
    event->slip_minus[i - 1] = DLS_AT(impact->u[i], l);
    event->slip_plus[i - 1] = DLS_AT(impact->u_plus[i], l);
    event->friction[i - 1] = DLS_AT(impact->P[i], l);
    event->work_friction += 0.5 * (event->slip_minus[i - 1] + event->slip_plus[i - 1]) * event->friction[i - 1];
  }
}

/* Report the impacts of one contact. */
static DLS_OUTLINE void dls_batch_report_impact(const dls_batch_runs *w, const dls_batch_impact *impact)
{
  for (int l = 0; l < (int)w->count; l++) {
    if (DLS_AT(impact->impacts, l)) {
      dls_event event = {.t = DLS_AT(impact->t, l),
                         .kind = DLS_IMPACT,
                         .contact = impact->contact,
                         .u_minus = DLS_AT(impact->u[0], l),
                         .u_plus = DLS_AT(impact->u_plus[0], l),
                         .impulse = DLS_AT(impact->P[0], l)};
      if (impact->d > 1) {
        dls_batch_describe_friction(impact, l, &event);
      }
      dls_sim_event(w->member[l].sim, &event);
    }
  }
}

DLS_INLINE void dls_batch_report_impacts(const dls_batch_runs *w, const dls_batch *k, const dls_kernel *o,
                                         dls_sizes is, const dls_batch_progress *p, const dls_batch_node *x,
                                         const dls_batch_node *y)
{
  for (size_t j = 0; j < is.m; j++) {
    if (dls_some(y->impacts[j])) {
      const dls_batch_impact impact = dls_kernel_impact(k, o, is, p->t, x, y, j);
      dls_batch_report_impact(w, &impact);
    }
  }
  for (int l = 0; l < (int)w->count; l++) {
    for (size_t i = 0; DLS_AT(p->jumped, l) && i < is.n; i++) {
      w->member[l].sim->v_left[i] = DLS_AT(y->v_free[i], l);
    }
  }
}

/* Record the nodes at which the sims are. @return false if a record has failed; the member has its status */
static DLS_OUTLINE bool dls_batch_record_rows(const dls_batch_runs *w)
{
  bool done = true;
  for (int l = 0; l < (int)w->count; l++) {
    dls_batch_member *member = &w->member[l];
    if (member->sim->record != NULL) {
      member->status = member->sim->record->skip_nodes ? dls_record_skipped(member->sim, member->err)
                                                       : dls_record_node(member->sim, member->err);
      done = done && member->status == DLS_OK;
    }
  }
  return done;
}

DLS_INLINE bool dls_batch_record(const dls_batch_runs *w, dls_sizes is, const dls_batch_progress *p,
                                 const dls_batch_node *y)
{
  for (int l = 0; l < (int)w->count; l++) {
    dls_batch_store(w, l, is, p->t, y);
    w->member[l].sim->jump = DLS_AT(p->jumped, l) != 0;
  }
  return dls_batch_record_rows(w);
}

/* At the end of the present step. */
DLS_INLINE dls_real dls_batch_time(const dls_batch *k, const dls_batch_progress *p)
{
  return p->t_base + (p->steps + dls_same(1)) * k->h;
}

/* Update deepest penetration and counters by the step that ends at y. @return members with an impact to report */
DLS_INLINE dls_mask dls_batch_count(dls_batch_progress *p, dls_sizes is, const dls_batch_node *y)
{
  dls_mask any = dls_not(y->ok), impacts = any; /* none */
  for (size_t j = 0; j < is.m; j++) {
    const dls_mask lower = y->g[j] < p->worst_gap;
    any |= y->active[j];
    impacts |= y->impacts[j];
    p->impacts += dls_select(y->impacts[j], dls_same(1), dls_same(0));
    p->worst_gap = dls_select(lower, y->g[j], p->worst_gap);
    p->worst_time = dls_select(lower, p->t, p->worst_time);
    p->worst_contact = is.m == 1 ? dls_same(0) : dls_select(lower, dls_same((double)j), p->worst_contact);
  }
  p->solves += dls_select(any, dls_same(1), dls_same(0));
  return impacts;
}

/* The sims := the last node x, after `made` > 0 further steps. */
static DLS_OUTLINE void dls_batch_end(const dls_batch_runs *w, dls_sizes is, const dls_batch_progress *p,
                                      dls_real t, size_t made, const dls_batch_node *x)
{
  for (int l = 0; l < (int)w->count; l++) {
    dls_sim *sim = w->member[l].sim;
    dls_batch_store(w, l, is, t, x);
    sim->jump = DLS_AT(p->jumped, l) != 0;
    for (size_t i = 0; sim->jump && i < is.n; i++) {
      sim->v_left[i] = DLS_AT(x->v_free[i], l);
    }
    if (!w->listens) { /* otherwise dls_sim_event counts them */
      sim->work.events += (size_t)DLS_AT(p->impacts, l);
      sim->work.impacts += (size_t)DLS_AT(p->impacts, l);
    }
    sim->step += made;
    sim->work.steps += made;
    sim->work.force_evals += made;
    sim->work.lcp_solves += (size_t)DLS_AT(p->solves, l);
    sim->work.lcp_pivots += is.d > 1 ? (size_t)DLS_AT(p->solves, l) : 0; /* one iteration each */
    sim->worst_gap = DLS_AT(p->worst_gap, l);
    sim->worst_time = DLS_AT(p->worst_time, l);
    sim->worst_contact = (size_t)DLS_AT(p->worst_contact, l);
    dls_configuration_contacts(&sim->config, sim->t, sim->q);
    for (size_t i = 0; i < DLS_KERNEL_KEPT; i++) {
      for (size_t e = 0; e < (i < DLS_KERNEL_KEPT_N ? is.n : is.m); e++) {
        w->run[l].kept[i][e] = DLS_AT(x->kept[i][e], l);
      }
    }
  }
}

/* x := y, what changes without contact */
DLS_INLINE void dls_batch_next_flight(dls_sizes is, const dls_batch_node *y, dls_batch_node *x)
{
  for (size_t i = 0; i < is.n; i++) {
    x->q[i] = y->q[i];
    x->v[i] = y->v[i];
  }
  for (size_t j = 0; j < is.m; j++) {
    x->g[j] = y->g[j];
  }
  for (size_t row = 0; row < is.d * is.m; row++) {
    x->u[row] = y->u[row];
  }
  for (size_t i = 1; i < DLS_KERNEL_KEPT; i++) { /* the load does not */
    for (size_t e = 0; e < (i < DLS_KERNEL_KEPT_N ? is.n : is.m); e++) {
      x->kept[i][e] = y->kept[i][e];
    }
  }
}

/* x := y, the values that a step reads */
DLS_INLINE void dls_batch_next_node(dls_sizes is, const dls_batch_node *y, dls_batch_node *x)
{
  dls_batch_next_flight(is, y, x);
  for (size_t i = 0; i < is.n; i++) {
    x->v_free[i] = y->v_free[i];
    x->kept[0][i] = y->kept[0][i];
  }
  for (size_t row = 0; row < is.d * is.m; row++) {
    x->P[row] = y->P[row];
  }
  for (size_t row = 0; is.d > 1 && row < is.d * is.m; row++) {
    x->mixed[row] = y->mixed[row];
  }
}

/* One step from x to y. @return members whose step failed, or has something to report or count */
DLS_INLINE dls_mask dls_batch_step(const dls_batch_runs *w, const dls_batch *k, const dls_kernel *o,
                                   dls_sizes is, const dls_batch_progress *p, const dls_batch_node *x,
                                   dls_batch_node *y)
{
  if (!w->steady) {
    dls_batch_load(w, is.n, dls_kernel_load(k, o, dls_batch_time(k, p)), y->kept[0]);
  }
  dls_kernel_step(k, o, is, x, y);
  dls_batch_observe(k, is, y);
  dls_mask rare = dls_not(y->ok);
  for (size_t j = 0; j < is.m; j++) {
    rare |= y->active[j] | y->impacts[j] | (y->g[j] < p->worst_gap);
  }
  return rare;
}

/* Report and record a step that is counted. @return false if the batch ends there */
static DLS_OUTLINE bool dls_batch_report(const dls_batch_runs *w, const dls_batch *k, const dls_kernel *o,
                                         dls_sizes is, bool impacts, const dls_batch_progress *p,
                                         const dls_batch_node *x, const dls_batch_node *y)
{
  if (impacts) {
    dls_batch_report_impacts(w, k, o, is, p, x, y);
  }
  return !(w->records || impacts) || dls_batch_record(w, is, p, y);
}

/* Where some contact is active. */
DLS_INLINE dls_mask dls_batch_any(dls_sizes is, const dls_mask *active)
{
  dls_mask any = active[0];
  for (size_t j = 1; j < is.m; j++) {
    any |= active[j];
  }
  return any;
}

#ifdef DLS_KERNEL_FLIES
enum {
  DLS_FLIGHT = 16
}; /* steps of a flight: less to repeat where it ends in contact, more to check in between */

/* The deepest penetration in the steps of a flight: the least gap in members where it falls, and the step of it, -1 as long as it does not. */
typedef struct dls_batch_depth {
  dls_real gap, step, contact;
} dls_batch_depth;

/* Update by the gaps of y at the end of `step`. */
DLS_INLINE void dls_batch_deepen(dls_sizes is, dls_real step, const dls_batch_node *y, dls_batch_depth *depth)
{
  for (size_t j = 0; j < is.m; j++) {
    const dls_mask lower = y->g[j] < depth->gap;
    depth->gap = dls_lesser(y->g[j], depth->gap);
    depth->step = dls_select(lower, step, depth->step);
    depth->contact = is.m == 1 ? dls_same(0) : dls_select(lower, dls_same((double)j), depth->contact);
  }
}

/* @return whether some gap fell below the worst one */
DLS_INLINE bool dls_batch_keep_depth(const dls_batch *k, const dls_batch_depth *depth, dls_batch_progress *p)
{
  const dls_mask fell = depth->step >= dls_same(0);
  p->worst_gap = depth->gap;
  p->worst_time = dls_select(fell, p->t_base + depth->step * k->h, p->worst_time);
  p->worst_contact = dls_select(fell, depth->contact, p->worst_contact);
  return dls_some(fell);
}

/* What DLS_FLIGHT steps must satisfy: each forecast is above eps_g, and all values are finite. Values that are not finite stay so, in the last
 * node or in the sum of all forecasts. */
typedef struct dls_batch_clearance {
  dls_real forecast, sum, gap; /* least forecast; sum of all; least gap at the end of a step */
} dls_batch_clearance;

/* DLS_FLIGHT steps from x to end without contact. @param[in,out] depth  NULL: not updated; then clearance has the least gap */
DLS_INLINE void dls_batch_free_steps(const dls_batch *k, const dls_kernel *o, dls_sizes is, dls_real step,
                                     const dls_batch_node *x, dls_batch_node *end, dls_batch_clearance *c,
                                     dls_batch_depth *depth)
{
  dls_batch_node b;
  *c = (dls_batch_clearance){dls_same(DBL_MAX), dls_same(0), dls_same(DBL_MAX)};
  dls_batch_next_flight(is, x, end);
  for (size_t i = 0; i < is.n; i++) {
    end->kept[0][i] = x->kept[0][i];
  }
  for (int s = 0; s < DLS_FLIGHT; s++) {
    for (size_t j = 0; j < is.m; j++) {
      const dls_real g = is.unit ? end->q[is.n - 1] : end->g[j],
                     u = is.unit ? end->v[is.n - 1] : end->u[is.d * j];
      const dls_real forecast = DLS_BATCH_FORECAST(g, k->ahead, u);
      c->forecast = dls_lesser(forecast, c->forecast);
      c->sum = is.unit ? c->sum : c->sum + forecast; /* where g = q and u = v, the last node shows it */
    }
    dls_kernel_fly(k, o, is, end, &b);
    if (depth != NULL || !is.unit) { /* else q and v, but for signs of zeros, which no comparison sees */
      dls_batch_gaps(k, is, &b);
    }
    if (depth != NULL) {
      step += dls_same(1);
      dls_batch_deepen(is, step, &b, depth);
    }
    for (size_t j = 0; depth == NULL && j < is.m; j++) {
      c->gap = dls_lesser(is.unit ? b.q[is.n - 1] : b.g[j], c->gap);
    }
    dls_batch_next_flight(is, &b, end);
  }
  dls_batch_gaps(k, is, end);
}

DLS_INLINE bool dls_batch_clear(const dls_batch *k, dls_sizes is, const dls_batch_clearance *c,
                                const dls_batch_node *end)
{
  dls_real sum = c->sum;
  for (size_t i = 0; i < is.n; i++) {
    sum += end->q[i] + end->v[i];
  }
  for (size_t row = 0; row < is.d * is.m; row++) {
    sum += end->u[row];
  }
  return !dls_some(dls_not((c->forecast > k->eps_g) & (dls_size(sum) <= dls_same(DBL_MAX))));
}

/* DLS_FLIGHT steps from x in which no contact is active, by a test that holds for all. Gaps below the worst one are rare, and found by
 * repeating the steps. @param[in,out] deepens  the last flight had some; not to be tried first without
 * @return false, and x is as before, if the test fails */
DLS_INLINE bool dls_batch_fly(const dls_batch *k, const dls_kernel *o, dls_sizes is, bool *deepens,
                              dls_batch_progress *p, dls_batch_node *x)
{
  dls_batch_node end;
  dls_batch_clearance clearance;
  dls_batch_depth depth = {p->worst_gap, dls_same(-1), p->worst_contact};
  if (!*deepens) {
    dls_batch_free_steps(k, o, is, p->steps, x, &end, &clearance, NULL);
    if (!dls_batch_clear(k, is, &clearance, &end)) {
      return false;
    }
    *deepens = dls_some(clearance.gap < p->worst_gap);
  }
  if (*deepens) {
    dls_batch_free_steps(k, o, is, p->steps, x, &end, &clearance, &depth);
    if (!dls_batch_clear(k, is, &clearance, &end)) {
      return false;
    }
    *deepens = dls_batch_keep_depth(k, &depth, p);
  }
  dls_batch_next_flight(is, &end, x);
  for (size_t row = 0; row < is.d * is.m; row++) {
    x->P[row] = dls_same(0);
  }
  p->steps += dls_same(DLS_FLIGHT);
  return true;
}

/* Steps in flight from x, as many as possible. After one that ended in contact the next is not tried before `wait` other steps. */
DLS_INLINE size_t dls_batch_flights(const dls_batch_runs *w, const dls_batch *k, const dls_kernel *o,
                                    dls_sizes is, size_t most, size_t *wait, bool *deepens,
                                    dls_batch_progress *p, dls_batch_node *x)
{
  size_t made = 0;
  if (!is.full || !w->steady || w->records) {
    return 0;
  }
  while (*wait == 0 && most - made >= DLS_FLIGHT) {
    if (dls_batch_fly(k, o, is, deepens, p, x)) {
      made += DLS_FLIGHT;
    } else {
      *wait = DLS_FLIGHT;
    }
  }
  *wait -= *wait > 0;
  if (made > 0) {
    p->jumped = p->steps < p->steps; /* none */
  }
  return made;
}

#include "time_stepping/batch/batch_cycle.h"
#endif

/* Count a step that is done, report and record it. The report sees copies: nodes whose address no other function has stay in registers.
 * @return false if the batch ends there */
DLS_INLINE bool dls_batch_finish(const dls_batch_runs *w, const dls_batch *k, const dls_kernel *o, dls_sizes is,
                                 dls_batch_progress *p, const dls_batch_node *x, const dls_batch_node *y)
{
  p->t = dls_batch_time(k, p);
  const dls_mask reported = dls_batch_count(p, is, y);
  const bool impacts = w->listens && dls_some(reported);
  if (!(w->records || impacts)) {
    return true;
  }
  const dls_batch_progress now = *p;
  const dls_kernel own = *o;
  dls_batch_node from, to;
  dls_batch_next_node(is, x, &from);
  dls_batch_next_node(is, y, &to);
  for (size_t j = 0; j < is.m; j++) {
    to.active[j] = y->active[j];
    to.impacts[j] = y->impacts[j];
  }
  return dls_batch_report(w, k, &own, is, impacts, &now, &from, &to);
}

/* Does the step from x to y repeat x to the last bit, as bodies at rest do? Then so do all further steps, unless the load changes. g, u
 * and what a contact in y has follow from these numbers. */
DLS_INLINE bool dls_batch_repeats(const dls_batch_runs *w, dls_sizes is, const dls_batch_node *x,
                                  const dls_batch_node *y)
{
  if (!w->steady || w->records) {
    return false;
  }
  dls_mask differ = dls_differ(x->v[0], y->v[0]); /* mostly enough */
  for (size_t i = 0; i < is.n && !dls_some(differ); i++) {
    differ = dls_differ(x->v[i], y->v[i]) | dls_differ(x->q[i], y->q[i]);
  }
  if (dls_some(differ)) {
    return false;
  }
  for (size_t row = 0; row < is.d * is.m; row++) {
    differ |= dls_differ(x->P[row], y->P[row]);
  }
  for (size_t i = 1; i < DLS_KERNEL_KEPT; i++) {
    for (size_t e = 0; e < (i < DLS_KERNEL_KEPT_N ? is.n : is.m); e++) {
      differ |= dls_differ(x->kept[i][e], y->kept[i][e]);
    }
  }
  return !dls_some(differ);
}

/* Count `more` steps that repeat the step to y. */
DLS_INLINE void dls_batch_repeat(dls_sizes is, const dls_batch_node *y, size_t more, dls_batch_progress *p)
{
  p->solves += dls_select(dls_batch_any(is, y->active), dls_same((double)more), dls_same(0));
  p->steps += dls_same((double)more);
}

/* @return steps made by all members; those that are not ok are stuck at the next one */
DLS_INLINE size_t dls_batch_loop(dls_batch_runs *w, const dls_batch *k, const dls_kernel *o, dls_sizes is,
                                 size_t most)
{
  dls_batch_node x, y, end;
  dls_batch_progress begin;
  size_t made = 0;
  bool goes_on = true;
  dls_batch_begin(w, is, &end, &begin);
  dls_batch_progress p = begin;
  for (size_t i = 0; i < is.n; i++) {
    end.v_free[i] = dls_same(0); /* for schemes that do not set it */
  }
  for (size_t row = 0; is.d > 1 && row < is.d * is.m; row++) {
    end.mixed[row] = y.mixed[row] = dls_same(0);
  }
  dls_batch_next_node(is, &end, &x);
  y.ok = dls_not(p.jumped);
  for (size_t i = 0; i < is.n; i++) {
    y.kept[0][i] = x.kept[0][i];
    y.v_free[i] = dls_same(0);
  }
  const dls_kernel own = dls_kernel_begin(k, o, is, &x, w->steady);
#ifdef DLS_KERNEL_FLIES
  size_t wait = 0;
  bool deepens = true;
  dls_batch_cycle cycle = {.count = 0};
  const bool cycles = is.unit && is.n == 1 && own.pushed && !w->listens;
#endif
  while (goes_on && made < most) {
#ifdef DLS_KERNEL_FLIES
    const size_t flown = dls_batch_flights(w, k, &own, is, most - made, &wait, &deepens, &p, &x);
    cycle.count = flown > 0 ? 0 : cycle.count;
    made += flown;
    if (made == most) {
      break;
    }
#endif
    const bool rare = dls_some(dls_batch_step(w, k, &own, is, &p, &x, &y));
    if (rare && dls_some(dls_not(y.ok))) {
      break;
    }
#ifdef DLS_KERNEL_FLIES
    wait = rare && dls_some(dls_batch_any(is, y.active)) ? DLS_FLIGHT : wait;
#endif
    p.jumped = y.jumps;
    if (rare || w->records) {
      goes_on = dls_batch_finish(w, k, &own, is, &p, &x, &y);
    }
    const bool repeats = rare && goes_on && dls_batch_repeats(w, is, &x, &y);
#ifdef DLS_KERNEL_FLIES
    const bool goes_round = cycles && dls_batch_find_cycle(&x, &y, &cycle) > 0;
#endif
    dls_batch_next_node(is, &y, &x);
    p.steps += dls_same(1);
    made++;
    if (repeats) {
      dls_batch_repeat(is, &y, most - made, &p);
      made = most;
    }
#ifdef DLS_KERNEL_FLIES
    if (goes_round) {
      made += dls_batch_go_on(k, &own, is, &cycle, most - made, &p, &x);
      cycle.count = 0;
    }
#endif
  }
  const dls_mask ok = y.ok;
  for (int l = 0; l < (int)w->count; l++) {
    w->member[l].stuck = made < most && goes_on && !DLS_AT(ok, l);
  }
  if (made > 0) {
    const dls_batch_progress last = p;
    dls_batch_next_node(is, &x, &end);
    dls_batch_end(w, is, &last, p.t_base + p.steps * k->h, made, &end);
  }
  return made;
}

/* The usual sizes are constants for the compiler. With sanitizers one loop has all sizes: it compiles in a third of the time. */
DLS_INLINE size_t dls_batch_loop_by_size(dls_batch_runs *w, const dls_batch *k, const dls_kernel *o,
                                         size_t most)
{
  const dls_small_system *s = k->pattern;
  const bool single = s->full && s->m == 1;
#ifdef DLS_KERNEL_FLIES
  const bool flies = s->d == 2 && s->n == 2;
#else
  const bool flies = false;
#endif
  const bool unit = single && ((s->d == 1 && s->n == 1) || flies) && dls_batch_unit(k);
#ifdef __SANITIZE_ADDRESS__
  return dls_batch_loop(w, k, o, (dls_sizes){s->n, s->m, s->d, single, unit}, most);
#else
#define DLS_USUAL(n_, d_, unit_)                                                                               \
  if (single && s->n == (n_) && s->d == (d_) && unit == (unit_)) {                                             \
    return dls_batch_loop(w, k, o, (dls_sizes){n_, 1, d_, true, unit_}, most);                                 \
  }
  DLS_USUAL(1, 1, true)
  DLS_USUAL(2, 1, false)
#if DLS_KERNEL_D > 1
#ifdef DLS_KERNEL_FLIES
  DLS_USUAL(2, 2, true)
#endif
  DLS_USUAL(2, 2, false)
  DLS_USUAL(3, 2, false)
  DLS_USUAL(3, 3, false)
#endif
#undef DLS_USUAL
  return dls_batch_loop(w, k, o, (dls_sizes){s->n, s->m, s->d, false, false}, most);
#endif
}

/* A dls_batch_steps. */
DLS_INLINE size_t dls_batch_make_steps(dls_batch_member *member, const dls_batch_data *run, size_t count,
                                       size_t most)
{
  dls_batch k; /* set as far as the systems have numbers */
  dls_batch_data all[DLS_BATCH_WIDTH];
  dls_real number[DLS_BATCH_NUMBERS];
  k.pattern = run[0].small_system;
  k.tolerance = run[0].small_system->tolerance;
  for (int l = 0; l < DLS_BATCH_WIDTH; l++) {
    const size_t from = (size_t)l < count ? (size_t)l : 0;
    all[l] = run[from];
    dls_batch_read_system(&k, l, run[from].small_system, member[from].h);
    DLS_FILL(number, l, run[from].number, DLS_BATCH_NUMBERS)
  }
  const dls_kernel o = dls_kernel_of(number);
  dls_batch_runs runs = {.member = member, .run = all, .count = count, .steady = true};
  return dls_batch_loop_by_size(&runs, &k, &o, most);
}

#endif
