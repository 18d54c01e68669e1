/* one_step.c -- a scheme by step as a map from state to state.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/adaptive/one_step.h"
#include "common/base/arrays.h"
#include "common/run/checks.h"
#include "time_stepping/newmark/newmark_step.h"
#include <delassus/law.h>
#include <stdlib.h>
#include <string.h>

static const dls_scheme *const bases[] = {&dls_scheme_moreau_jean, &dls_scheme_moreau_jean_variant,
                                          &dls_scheme_nonsmooth_newmark};
const char *const dls_base_choices[] = {"moreau-jean", "variant", "newmark", NULL};

/* Newmark: gamma = theta, and the beta that damps high frequencies most, beta = (gamma + 1/2)^2/4. */
static void set_options(const dls_theta_options *opt, dls_sim *run)
{
  if (run->scheme != &dls_scheme_nonsmooth_newmark) {
    *(dls_theta_options *)run->options = *opt;
    return;
  }
  dls_newmark_options *newmark = run->options;
  newmark->gamma = opt->theta;
  newmark->beta = (opt->theta + 0.5) * (opt->theta + 0.5) / 4;
  newmark->contact = (dls_newmark_contact_options){.forecast = opt->gamma,
                                                   .velocity_test = opt->velocity_test,
                                                   .velocity_tol = opt->velocity_tol,
                                                   .newton = opt->newton};
}

int dls_one_step_order(const dls_system *sys, double theta, const int *status)
{
  bool second = theta == 0.5;
  for (size_t j = 0; second && sys->d > 2 && j < sys->m; j++) {
    double c[DLS_MOST_ROWS];
    dls_law_of(sys, j)->mixture(sys, j, 0.5, (const double[DLS_MOST_ROWS]){0}, c);
    second = status[j] != 2 || (c[1] == 1 && !dls_law_sees_speed(sys, j)); /* c may differ from step to step */
  }
  return second ? 2 : 1;
}

dls_trajectory *dls_one_step_events(const dls_system *sys)
{
  dls_trajectory *events = dls_trajectory_create(sys->n, sys->m, false);
  if (events != NULL && dls_trajectory_reserve_events(events, DLS_ONE_STEP_EVENTS * sys->m, NULL) != DLS_OK) {
    dls_trajectory_destroy(events);
    return NULL;
  }
  return events;
}

static dls_status create_run(dls_sim *sim, const dls_base_options *opt, dls_one_step *s, size_t k,
                             dls_error *err)
{
  const dls_system *sys = sim->sys;
  dls_status status = dls_sim_create(sys, bases[opt->base], &s->run[k], err);
  if (status != DLS_OK) {
    return status;
  }
  s->run[k]->record = s->events;
  s->run[k]->work.watch = sim->work.watch;
  s->run[k]->work.interrupt = sim->work.interrupt;
  set_options(&opt->theta, s->run[k]);
  if (!dls_checks_compare(s->run[k], sim->scheme->q_between == DLS_HERMITE)) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for the checks of a step");
  }
  return dls_sim_start(s->run[k], err);
}

dls_status dls_one_step_create(dls_sim *sim, const dls_base_options *opt, dls_one_step *s, dls_error *err)
{
  const size_t linear = sim->sys->n < DLS_ONE_STEP_LARGE ? DLS_ONE_STEP_RUNS : DLS_ONE_STEP_LARGE_RUNS;
  const size_t count = sim->sys->linear ? linear : 2; /* nonlinear systems factor at every iteration */
  s->events = dls_one_step_events(sim->sys);
  if (s->events == NULL) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for the events of a step");
  }
  s->events->skip_nodes = true;
  dls_status status = DLS_OK;
  for (size_t k = 0; status == DLS_OK && k < count; k++) {
    s->count = k + 1;
    status = create_run(sim, opt, s, k, err);
  }
  return status;
}

void dls_one_step_destroy(dls_one_step *s)
{
  for (size_t k = 0; k < s->count; k++) {
    dls_sim_destroy(s->run[k]);
  }
  dls_trajectory_destroy(s->events);
}

/* The run that stepped with h last; else the one that was used longest ago. */
static size_t pick(const dls_one_step *s, double h)
{
  size_t oldest = 0;
  for (size_t k = 0; k < s->count; k++) {
    if (s->h[k] == h) {
      return k;
    }
    oldest = s->used[k] < s->used[oldest] ? k : oldest;
  }
  return oldest;
}

/* Steps and events are counted when they are accepted. */
static void take_work(dls_sim *sim, dls_sim *run)
{
  sim->work.problems += run->work.steps;
  run->work.steps = run->work.events = run->work.impacts = 0;
#define DLS_ADD_WORK(name) sim->work.name += run->work.name;
  DLS_WORK_LIST(DLS_ADD_WORK)
  for (size_t k = 0; k < DLS_FALLBACK_METHODS && run->work.fallbacks.by[k].method != NULL; k++) {
    for (size_t i = 0; i < run->work.fallbacks.by[k].count; i++) {
      dls_count_fallback(&sim->work.fallbacks, run->work.fallbacks.by[k].method);
    }
  }
  run->work = (dls_work){.watch = sim->work.watch, .interrupt = sim->work.interrupt};
}

dls_status dls_one_step_begin(dls_one_step *s, double t, const double *q, const double *v, double h,
                              dls_sim **run, dls_error *err)
{
  const size_t k = pick(s, h);
  s->h[k] = h;
  s->used[k] = ++s->clock;
  s->events->event_count = 0;
  *run = s->run[k];
  return dls_sim_move(*run, t, q, v, err);
}

dls_status dls_one_step_advance(dls_sim *sim, dls_sim *run, double h, dls_error *err)
{
  run->warnings[DLS_WARN_PASSED].count = 0;
  const dls_status status = dls_sim_advance(run, h, err);
  take_work(sim, run);
  return status != DLS_OK ? status : dls_sim_poll(sim, err); /* the inner run is not polled */
}

bool dls_one_step_passed(const dls_sim *run)
{
  return run->warnings[DLS_WARN_PASSED].count > 0;
}

void dls_one_step_report(dls_sim *sim, const dls_sim *run, size_t from, size_t to, const int *before)
{
  for (size_t i = from; i < to; i++) {
    const dls_event *event = &run->record->events[i];
    if (before[event->contact] == 0) {
      dls_sim_event(sim, event);
    }
  }
}

bool dls_one_step_state_create(const dls_system *sys, dls_one_step_state *x)
{
  x->block = dls_arrays((const dls_slot[]){{sys->n, {&x->q, &x->v, &x->v_left}},
                                           {sys->m, {&x->p}},
                                           {(sys->d - 1) * sys->m, {&x->p_t, &x->u_t}},
                                           {0}});
  x->status = calloc(sys->m + 1, sizeof *x->status);
  return x->block != NULL && x->status != NULL;
}

void dls_one_step_state_destroy(dls_one_step_state *x)
{
  free(x->block);
  free(x->status);
}

bool dls_one_step_jumps(const dls_sim *run, const int *before)
{
  for (size_t j = 0; run->jump && j < run->sys->m; j++) {
    if (run->p[j] > 0 && before[j] == 0) {
      return true;
    }
  }
  return false;
}

bool dls_one_step_turns(const dls_system *sys, const int *status, const double *u_t, const int *status_behind,
                        const double *u_t_behind)
{
  const size_t tangents = sys->d - 1;
  for (size_t j = 0; tangents > 0 && j < sys->m; j++) {
    double product = 0;
    for (size_t i = tangents * j; i < tangents * (j + 1); i++) {
      product += u_t[i] * u_t_behind[i];
    }
    if (status[j] == 2 && status_behind[j] == 2 && product < 0) {
      return true;
    }
  }
  return false;
}

void dls_one_step_state_get(const dls_sim *run, const int *before, dls_one_step_state *x)
{
  const size_t n = run->sys->n;
  const size_t m = run->sys->m;
  x->t = run->t;
  x->jump = dls_one_step_jumps(run, before);
  memcpy(x->q, run->q, n * sizeof *x->q);
  memcpy(x->v, run->v, n * sizeof *x->v);
  memcpy(x->v_left, run->v_left, n * sizeof *x->v);
  memcpy(x->p, run->p, m * sizeof *x->p);
  memcpy(x->p_t, run->p_t, (run->sys->d - 1) * m * sizeof *x->p_t);
  memcpy(x->u_t, run->u_t, (run->sys->d - 1) * m * sizeof *x->u_t);
  memcpy(x->status, run->status, m * sizeof *x->status);
}

void dls_one_step_state_put(const dls_one_step_state *x, dls_sim *sim)
{
  const size_t n = sim->sys->n;
  const size_t m = sim->sys->m;
  sim->t = x->t;
  sim->jump = x->jump;
  memcpy(sim->q, x->q, n * sizeof *x->q);
  memcpy(sim->v, x->v, n * sizeof *x->v);
  memcpy(sim->v_left, x->v_left, n * sizeof *x->v);
  memcpy(sim->p, x->p, m * sizeof *x->p);
  memcpy(sim->p_t, x->p_t, (sim->sys->d - 1) * m * sizeof *x->p_t);
  memcpy(sim->status, x->status, m * sizeof *x->status);
}
