/* extrapolation.c -- one interval of the Moreau-Jean scheme by extrapolation over finer and finer sub-steps.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/adaptive/extrapolation.h"
#include "common/base/arrays.h"
#include "common/base/larger.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const dls_sequence_choices[] = {"1-2", "1-2-3", "1-2-4-6", NULL};
static const int sequences[][DLS_MOST_SEQUENCES] = {{1, 2}, {1, 2, 3}, {1, 2, 4, 6}};
static const size_t lengths[] = {2, 3, 4};

static bool allocate(const dls_system *sys, dls_extrapolation *e)
{
  const size_t n = sys->n, m = sys->m, slips = (sys->d - 1) * m, row = 2 * n + sys->d * m;
  e->block = dls_arrays((const dls_slot[]){{row, {&e->T[0], &e->T[1], &e->T[2], &e->T[3]}},
                                           {n, {&e->change}},
                                           {m, {&e->speed, &e->depth}},
                                           {slips, {&e->slip}},
                                           {0}});
  e->before = calloc(m + 1, sizeof *e->before);
  e->events = dls_one_step_events(sys);
  return dls_one_step_state_create(sys, &e->x) && e->block != NULL && e->before != NULL && e->events != NULL;
}

dls_status dls_extrapolation_create(dls_sim *sim, const dls_extrapolation_options *opt, dls_extrapolation *e,
                                    dls_error *err)
{
  const dls_theta_options *theta = &opt->base.theta;
  e->n = sequences[opt->sequence];
  e->count = lengths[opt->sequence];
  e->half = theta->theta == 0.5;
  e->velocity_tol = theta->velocity_tol * sim->sys->length / sim->sys->time;
  if (!allocate(sim->sys, e)) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", sim->sys->n);
  }
  return dls_one_step_create(sim, &opt->base, &e->base, err);
}

void dls_extrapolation_destroy(dls_extrapolation *e)
{
  dls_one_step_destroy(&e->base);
  dls_one_step_state_destroy(&e->x);
  dls_trajectory_destroy(e->events);
  free(e->block);
  free(e->before);
}

/* The test of smoothness on a sub-step that began with e->speed and e->slip. An open contact must not be deeper than when the
 * interval began: the base scheme's forecast may have overlooked that it closes. */
static bool keeps_contacts(const dls_extrapolation *e, const dls_sim *run, const int *status)
{
  for (size_t j = 0; j < run->sys->m; j++) {
    const bool rests = fabs(e->speed[j]) <= e->velocity_tol;
    const bool open = run->g[j] >= -e->depth[j];
    if (run->status[j] != status[j] || !(status[j] != 0 ? rests : open)) {
      return false;
    }
  }
  return !dls_one_step_turns(run->sys, status, e->slip, run->status, run->u_t);
}

/* Keep the results of a sub-step: impulses in T, jumps of v, events from number `seen`. */
static dls_status collect(const dls_sim *run, dls_extrapolation *e, size_t seen, double *impulse,
                          dls_error *err)
{
  const size_t m = run->sys->m;
  const bool jump = dls_one_step_jumps(run, e->before);
  for (size_t j = 0; j < m; j++) {
    impulse[j] += run->p[j];
  }
  for (size_t i = 0; i < (run->sys->d - 1) * m; i++) {
    impulse[m + i] += run->p_t[i];
  }
  for (size_t i = 0; jump && i < run->sys->n; i++) {
    e->change[i] += run->v[i] - run->v_left[i];
  }
  e->x.jump = e->x.jump || jump;
  for (size_t i = seen; i < run->record->event_count; i++) {
    const dls_event *event = &run->record->events[i];
    if (e->before[event->contact] == 0) {
      const dls_status status = dls_trajectory_add_event(e->events, event, err);
      if (status != DLS_OK) {
        return status;
      }
    }
  }
  memcpy(e->before, run->status, m * sizeof *e->before);
  return DLS_OK;
}

/* The largest penetration that an inner run has more than e->depth. */
static double new_depth(const dls_extrapolation *e, const dls_sim *run)
{
  double largest = 0;
  for (size_t j = 0; j < run->sys->m; j++) {
    largest = fmax(largest, fmax(0, -run->g[j]) - e->depth[j]);
  }
  return largest;
}

static void prepare(const dls_one_step_state *from, const dls_sim *run, dls_extrapolation *e, double *impulse)
{
  const size_t n = run->sys->n;
  const size_t m = run->sys->m;
  memset(impulse, 0, run->sys->d * m * sizeof *impulse);
  memset(e->change, 0, n * sizeof *e->change);
  memcpy(e->before, from->status, m * sizeof *e->before);
  for (size_t j = 0; j < m; j++) {
    e->depth[j] = fmax(0, -run->g[j]);
  }
  e->x.jump = false;
  e->events->event_count = 0;
}

/* z_k with all that belongs to it in e->x, and in T[k]. @param[out] depth  what it adds to a penetration */
static dls_status run_sequence(dls_sim *sim, dls_extrapolation *e, const dls_one_step_state *from, size_t k,
                               double h, double *depth, dls_error *err)
{
  const size_t n = sim->sys->n;
  const size_t m = sim->sys->m;
  double *impulse = e->T[k] + 2 * n;
  dls_sim *run;
  dls_status status =
      dls_one_step_begin(&e->base, from->t, from->q, from->v, h / e->n[k], &run, err); /* base step h/n_j */
  if (status != DLS_OK) {
    return status;
  }
  prepare(from, run, e, impulse);
  for (int i = 0; i < e->n[k]; i++) {
    const size_t seen = run->record->event_count;
    memcpy(e->speed, run->u, m * sizeof *e->speed);
    memcpy(e->slip, run->u_t, (run->sys->d - 1) * m * sizeof *e->slip);
    status = dls_one_step_advance(sim, run, h / e->n[k], err); /* z_j of (1), one sub-step further */
    if (status != DLS_OK) {
      return status;
    }
    e->smooth = e->smooth && keeps_contacts(e, run, from->status);
    e->passed = e->passed || dls_one_step_passed(run);
    status = collect(run, e, seen, impulse, err);
    if (status != DLS_OK) {
      return status;
    }
  }
  memcpy(e->T[k], run->q, n * sizeof *run->q); /* T_j,1 = z_j of (1) */
  memcpy(e->T[k] + n, run->v, n * sizeof *run->v);
  memcpy(e->x.status, run->status, m * sizeof *run->status);
  *depth = new_depth(e, run);
  return DLS_OK;
}

/* max_i |x_i - y_i| over q and h v */
static double distance(const dls_sim *sim, const double *x, const double *y, double h)
{
  const size_t n = sim->sys->n;
  double largest = 0;
  for (size_t i = 0; i < 2 * n; i++) {
    const double d = (i < n ? 1 : h) * fabs(x[i] - y[i]);
    largest = dls_larger(largest, d);
  }
  return largest;
}

double dls_extrapolation_ratio(const dls_extrapolation *e, size_t k, size_t l, int rho)
{
  return pow((double)e->n[k] / e->n[k - l], rho) - 1;
}

/* (1) for row k, in place: T[k-l] holds T_k-1,l and becomes T_k,l+1. */
static void extrapolate(const dls_sim *sim, dls_extrapolation *e, size_t k, int rho)
{
  for (size_t l = 1; l <= k; l++) {
    const double ratio = dls_extrapolation_ratio(e, k, l, rho);
    for (size_t i = 0; i < 2 * sim->sys->n + sim->sys->d * sim->sys->m; i++) {
      e->T[k - l][i] = DLS_EXTRAPOLATE(e->T[k - l + 1][i], e->T[k - l][i], ratio);
    }
  }
}

int dls_extrapolation_exponent(const dls_sim *sim, const dls_extrapolation *e, const int *status)
{
  bool contact = false;
  for (size_t j = 0; j < sim->sys->m; j++) {
    contact = contact || status[j] != 0;
  }
  const bool elsewhere = dls_system_mass_varies(sim->sys) || (contact && dls_system_gradient_varies(sim->sys));
  return elsewhere ? 1 : dls_one_step_order(sim->sys, e->half ? 0.5 : 1, status);
}

/* e->x := T, a row of (1) at the end of the interval: q, v, p, p_t. */
static void take_result(const dls_sim *sim, dls_extrapolation *e, const double *T, double t)
{
  const size_t n = sim->sys->n, m = sim->sys->m;
  e->x.t = t;
  memcpy(e->x.q, T, n * sizeof *T);
  memcpy(e->x.v, T + n, n * sizeof *T);
  memcpy(e->x.p, T + 2 * n, m * sizeof *T);
  memcpy(e->x.p_t, T + 2 * n + m, (sim->sys->d - 1) * m * sizeof *T);
  for (size_t i = 0; i < n; i++) {
    e->x.v_left[i] = e->x.v[i] - e->change[i];
  }
}

dls_status dls_extrapolation_try(dls_sim *sim, dls_extrapolation *e, const dls_one_step_state *from, double h,
                                 double limit, dls_error *err)
{
  const int rho = dls_extrapolation_exponent(sim, e, from->status);
  double switching = 0; /* the estimate across a switching point */
  e->smooth = true;
  e->passed = false;
  for (size_t k = 0; k < e->count; k++) {
    double depth;
    const dls_status status = run_sequence(sim, e, from, k, h, &depth, err);
    if (status != DLS_OK) {
      return status;
    }
    e->smooth = e->smooth && !e->passed;
    if (e->passed && limit < HUGE_VAL) { /* bodies passed through each other between nodes */
      e->error = HUGE_VAL;
      e->order = 0;
      return DLS_OK;
    }
    if (k == 1) {
      switching = fmax(2 * distance(sim, e->T[1], e->T[0], h), depth);
    }
    if (k > 0 && !e->smooth && !(switching <= limit)) {
      e->error = switching;
      e->order = 0;
      return DLS_OK;
    }
    if (e->smooth) {
      extrapolate(sim, e, k, rho);
    } else if (k > 0 && k + 2 < e->count) {
      k = e->count - 2; /* only the finest is used */
    }
  }
  e->order = e->smooth ? (int)(e->count - 1) * rho : 0;
  e->error = e->smooth ? distance(sim, e->T[0], e->T[1], h) : switching;
  take_result(sim, e, e->T[e->smooth ? 0 : e->count - 1], from->t + h);
  return DLS_OK;
}

void dls_extrapolation_take(dls_sim *sim, const dls_extrapolation *e)
{
  for (size_t i = 0; i < e->events->event_count; i++) {
    dls_sim_event(sim, &e->events->events[i]);
  }
  dls_one_step_state_put(&e->x, sim);
}
