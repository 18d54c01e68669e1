/* event_driven/explicit_time.c -- see explicit_time.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/explicit_time.h"
#include "common/base/arrays.h"
#include "event_driven/event_integrator.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Note the resolution in the record's metadata if it has changed. */
static dls_status report_resolution(dls_event_work *work, dls_sim *sim, dls_error *err)
{
  dls_explicit_time *x = &work->explicit_time;
  dls_trajectory *record = sim->record;
  const double resolution = dls_calendar_resolution(x->calendar);
  if (resolution == x->reported) {
    return DLS_OK;
  }
  x->reported = resolution;
  return record == NULL ? DLS_OK
                        : dls_trajectory_note(record, err, "explicit_time_resolution", "%.6g", resolution);
}

dls_status dls_explicit_time_create(dls_event_integrator *run, double resolution, dls_error *err)
{
  dls_explicit_time *x = &run->work.explicit_time;
  const dls_system *sys = run->method.sys;
  const dls_sim *sim = run->sim;
  x->end = sim->spec != NULL ? sim->spec->end : HUGE_VAL;
  if (dls_system_explicit_time(sys) == DLS_TIME_NONE ||
      (sys->time_terms == 0 && sys->load_period == 0 && sys->shortest_feature == 0 &&
       !dls_system_time_is_opaque(sys))) {
    return DLS_OK;
  }
  const double end = x->end < HUGE_VAL ? x->end : sim->t + threshold_unknown_run * sys->time;
  const double sampled = resolution > 0 ? resolution : (end - sim->t) / threshold_default_samples;
  x->calendar = dls_calendar_create(sys, sim->t, end, run->method.eps.tol, sampled);
  x->block = dls_arrays((const dls_slot[]){{DLS_CALENDAR_ROOM, {&x->instants}},
                                           {run->method.size, {&x->y, &x->slope, &x->rhs, &x->weight}},
                                           {run->method.m, {&x->gap, &x->rate}},
                                           {0}});
  x->may_jump = (sys->time_terms > 0 || dls_system_time_is_opaque(sys)) &&
                (dls_system_gap_moves(sys) || sys->surface != NULL);
  x->least_defect = run->method.eps.tol / (run->method.eps.rtol * run->method.eps.slack);
  return x->calendar != NULL && x->block != NULL
             ? report_resolution(&run->work, run->sim, err)
             : dls_fail(err, DLS_ERR_MEMORY, "event-driven: no memory for the explicit-time terms");
}

void dls_explicit_time_destroy(dls_event_work *work)
{
  dls_calendar_destroy(work->explicit_time.calendar);
  free(work->explicit_time.block);
}

/* --- jumps of supports and surfaces that next_break does not declare --- */

/* In the dense output at t: is every closed contact on its support, and does a sticking contact move with it? */
static bool supports_hold(dls_event_integrator *run, double t)
{
  const dls_event_method *method = &run->method;
  dls_explicit_time *x = &run->work.explicit_time;
  const double *q = x->y, *v = x->y + method->n, before = dls_geometry_before_break(&run->state, t);
  const double speed = threshold_support_jump * method->eps.u * method->sys->length / method->sys->time;
  dls_engine_interpolate(run->work.engine, t, 0, x->y);
  if (dls_geometry_set(&run->state, &run->work, t, q, NULL) != DLS_OK) {
    return true; /* the check of forces reports it */
  }
  dls_system_gap(method->sys, before, q, x->gap);
  dls_system_gap_rate(method->sys, before, q, x->rate);
  for (size_t k = 0; k < run->state.active.count; k++) {
    const size_t j = run->state.active.index[k];
    const double u = x->rate[j] + dls_matrix_column_dot(run->work.contacts.config->normals, j, v);
    double slip[2];
    if (!(fabs(x->gap[j]) <= threshold_support_jump * method->eps.g && fabs(u) <= speed) ||
        (run->state.contact[j].has_friction && run->state.contact[j].mode.kind == DLS_MODE_STICKS &&
         !(dls_slip_of(method, &run->work, j, v, slip) <= speed))) {
      return false;
    }
  }
  return true;
}

/* If supports or surfaces jump at t, make t the next break. */
static bool break_at(dls_event_integrator *run, double t)
{
  const double declared = run->state.next_break;
  run->state.next_break = t;
  if (dls_explicit_time_jumps(run)) {
    return true;
  }
  run->state.next_break = declared;
  return false;
}

/* next_break := the first jump that takes a closed contact off its support before `end`, the step's end or one before it. */
static void find_jump(dls_event_integrator *run, double end)
{
  const dls_explicit_time *x = &run->work.explicit_time;
  double good = run->state.left.t;
  bool held = true;
  for (size_t k = 0; k <= x->count; k++) {
    double bad = k < x->count ? x->instants[k] : end;
    const bool holds = supports_hold(run, bad);
    const double next = bad;
    if (held && !holds) {
      for (double t = 0.5 * (good + bad); good < t && t < bad; t = 0.5 * (good + bad)) {
        *(supports_hold(run, t) ? &good : &bad) = t;
      }
      if (break_at(run, bad)) {
        return;
      }
    }
    held = holds;
    good = next;
  }
}

dls_status dls_explicit_time_check_root(dls_event_integrator *run, dls_error *err)
{
  dls_event_state *state = &run->state;
  const bool gap = state->located.kind == DLS_LOCATED_CROSSING;
  if (!run->work.explicit_time.may_jump || !(gap || state->located.kind == DLS_LOCATED_REST) ||
      !(state->located.t < state->next_break)) {
    return DLS_OK;
  }
  const double width = 2 * fmax(run->method.eps.event, 2 * DBL_EPSILON * state->located.t),
               speed = run->method.eps.u * run->method.sys->length / run->method.sys->time;
  dls_point low = {0}, high = {0}, p = {0};
  const size_t k = state->located.root;
  dls_status status = dls_root_sample(run, k, fmax(state->located.t - width, state->left.t), &low, err);
  if (status == DLS_OK) {
    status = dls_root_sample(run, k, fmin(state->located.t + width, state->right.t), &high, err);
  }
  const double smooth =
      threshold_support_jump * (gap ? run->method.eps.g : speed) + 2 * (fabs(low.df) + fabs(high.df)) * width;
  if (status != DLS_OK || !(low.f >= 0 && high.f < 0 && low.f - high.f > smooth)) {
    return status;
  }
  for (double t = 0.5 * (low.t + high.t); status == DLS_OK && low.t < t && t < high.t;
       t = 0.5 * (low.t + high.t)) {
    status = dls_root_sample(run, k, t, &p, err);
    *(p.f >= 0 ? &low : &high) = p;
  }
  if (status == DLS_OK && break_at(run, high.t)) {
    state->located = (dls_located_event){.kind = DLS_LOCATED_SWITCH, .t = state->next_break};
  }
  return status;
}

/* --- the check of a step --- */

/* Is the defect of the dense output at t, over this distance, within tolerance? */
static bool defect_is_small(dls_event_integrator *run, double t, double distance)
{
  dls_explicit_time *x = &run->work.explicit_time;
  dls_engine_interpolate(run->work.engine, t, 0, x->y);
  dls_engine_interpolate(run->work.engine, t, 1, x->slope);
  if (dls_smooth_rhs(run, t, x->y, x->rhs) != 0) {
    return false;
  }
  dls_smooth_weights(run, x->y, x->weight);
  for (size_t i = run->method.n; i < run->method.size; i++) {
    if (!(fabs(x->slope[i] - x->rhs[i]) * distance * x->weight[i] <= x->least_defect)) {
      return false;
    }
  }
  return true;
}

/* The first instant with a large defect; count: there is none. */
static size_t first_large_defect(dls_event_integrator *run, double begin)
{
  const dls_explicit_time *x = &run->work.explicit_time;
  double last = begin;
  for (size_t k = 0; k < x->count; k++) {
    const double t = x->instants[k], next = k + 1 < x->count ? x->instants[k + 1] : run->state.right.t;
    if (!defect_is_small(run, t, fmax(t - last, next - t))) {
      return k;
    }
    last = t;
  }
  return x->count;
}

/* Bisect between an instant with a small defect and one with a large defect. */
static void bisect_defect(dls_event_integrator *run, double *good, double *bad)
{
  const double begin = *good;
  for (int i = 0; i < threshold_instant_halvings; i++) {
    const double t = 0.5 * (*good + *bad);
    *(defect_is_small(run, t, t - begin) ? good : bad) = t;
  }
}

/* End the step at t. */
static void cut_step(dls_event_state *state, dls_event_work *work, double t)
{
  state->right.t = t;
  state->bracket = 0;
  dls_engine_interpolate(work->engine, t, 0, state->right.y);
}

/* Is the step valid up to right.t? @param[out] good  otherwise it is valid up to here, and x->first_step is the length of what follows */
static bool step_is_valid(dls_event_integrator *run, double *good)
{
  dls_explicit_time *x = &run->work.explicit_time;
  const double begin = run->state.left.t, end = fmin(run->state.right.t, fmax(x->end, begin));
  double next_break = end;
  x->count = end > begin ? dls_calendar_instants(x->calendar, begin, end, x->instants, &next_break) : 0;
  if (next_break == end && end < run->state.right.t &&
      x->count < DLS_CALENDAR_ROOM) { /* the integrator evaluated nothing there */
    x->instants[x->count++] = end;
  }
  if (x->may_jump && run->state.active.count > 0) {
    find_jump(run, next_break);
  }
  const size_t bad = first_large_defect(run, begin);
  *good = next_break;
  if (bad < x->count) {
    double first = x->instants[bad];
    *good = bad > 0 ? x->instants[bad - 1] : begin;
    bisect_defect(run, good, &first);
    x->first_step = first - *good;
  } else if (next_break < end) {
    x->first_step = end - next_break;
  }
  return bad == x->count && next_break == end;
}

/* Cut the step until it is valid. The rest may hide pulses that the calendar of the whole step has ignored beside a larger one.
 * @return false if no part of it is valid */
static bool keep_valid_part(dls_event_integrator *run)
{
  double good = 0;
  while (!step_is_valid(run, &good)) {
    if (!(good > run->state.left.t)) {
      return false;
    }
    cut_step(&run->state, &run->work, good);
  }
  return true;
}

/* The same step again, first as long as x->first_step. */
static dls_status repeat_step(dls_event_integrator *run, dls_error *err)
{
  dls_event_state *state = &run->state;
  const dls_status status = dls_engine_restart(run->work.engine, state->left.t, state->left.y,
                                               run->work.explicit_time.first_step, err);
  if (status != DLS_OK) {
    return status;
  }
  return dls_engine_step(run->work.engine, &state->right.t, state->right.y, &state->bracket, err);
}

dls_status dls_explicit_time_check_step(dls_event_integrator *run, dls_error *err)
{
  dls_explicit_time *x = &run->work.explicit_time;
  dls_status status = DLS_OK;
  x->first_step = 0;
  bool holds = keep_valid_part(run);
  /* Each repeat is at most a 256th as long. A step within the round-off of t has no instants inside, so this ends. */
  while (status == DLS_OK && !holds) {
    status = repeat_step(run, err);
    dls_engine_collect(run->work.engine, &run->sim->work);
    run->sim->work.rejected++;
    x->first_step = 0;
    holds = status == DLS_OK && keep_valid_part(run);
  }
  run->sim->work.rejected += x->first_step > 0;
  if (status != DLS_OK) {
    return dls_smooth_failure(&run->state, run->sim, status, err);
  }
  run->state.failure = DLS_OK; /* the step was cut before an instant at which it failed */
  return report_resolution(&run->work, run->sim, err);
}

/* --- the round-off of t --- */

dls_status dls_explicit_time_check_clock(dls_event_integrator *run, dls_error *err)
{
  dls_explicit_time *x = &run->work.explicit_time;
  const double t = run->state.right.t, step = t - run->state.left.t, ulp = nextafter(t, HUGE_VAL) - t;
  const double scale = run->method.sys->length / run->method.sys->time, *y = run->state.right.y;
  if (!(step < threshold_short_step * ulp)) {
    x->short_since = t;
    return DLS_OK;
  }
  x->short_since = fmax(x->short_since, run->state.restarted);
  const dls_work work = run->sim->work;
  const bool known = dls_smooth_rhs(run, x->short_since, y, run->work.dddy) == 0 &&
                     dls_smooth_rhs(run, t, y, run->work.dy) == 0;
  run->sim->work = work;
  run->state.failure = DLS_OK;
  for (size_t i = run->method.n; known && i < 2 * run->method.n; i++) {
    const double change = fabs(run->work.dy[i] - run->work.dddy[i]) * ulp,
                 allowed = run->method.eps.tol * (fabs(y[i]) + scale);
    if (change > allowed) {
      return dls_sim_fail(
          run->sim, err, DLS_ERR_INTEGRATOR,
          "steps of %.3g s are near the round-off of t = %.17g s, %.3g s, in which a load that has "
          "changed a%zu by %.3g changes v%zu by %.3g; tol allows %.3g; use a larger tol, or measure "
          "t from an instant nearer to the load",
          step, t, ulp, i - run->method.n, change / ulp, i - run->method.n, change, allowed);
    }
  }
  return DLS_OK;
}

/* --- instants at which something jumps --- */

void dls_explicit_time_next_break(const dls_event_method *method, dls_event_state *state, double t)
{
  state->next_break = dls_system_next_break(method->sys, t);
}

double dls_explicit_time_last_break(const dls_event_method *method, const dls_event_state *state)
{
  const double next = dls_system_next_break(method->sys, state->next_break);
  return next <= state->next_break * (1 + threshold_closest_breaks * DBL_EPSILON) ? next : state->next_break;
}

double dls_explicit_time_stop(void *data)
{
  const dls_event_integrator *run = data;
  return run->method.sys->next_break != NULL || run->method.integrator == DLS_ENGINE_FLOW ||
                 dls_system_gap_moves(run->method.sys)
             ? run->state.next_break
             : HUGE_VAL;
}

static bool differ(const double *before, const double *after, size_t count, double absolute)
{
  for (size_t i = 0; i < count; i++) {
    if (!(fabs(after[i] - before[i]) <=
          absolute + threshold_jump_rounding * (fabs(before[i]) + fabs(after[i])))) {
      return true;
    }
  }
  return false;
}

bool dls_explicit_time_jumps(dls_event_integrator *run)
{
  const dls_system *sys = run->method.sys;
  const double t = run->state.next_break, before = nextafter(t, 0);
  const double *q = run->state.right.y, *v = run->state.right.y + run->method.n;
  const double speed = run->method.eps.u * sys->length / sys->time;
  if (dls_system_next_switch(sys, before) <= t) {
    return true;
  }
  dls_system_force(sys, before, q, v, run->work.a);
  dls_system_force(sys, t, q, v, run->work.q);
  bool jumps = differ(run->work.a, run->work.q, run->method.n, 0);
  if (dls_system_gap_moves(sys)) {
    dls_system_gap(sys, before, q, run->work.g);
    dls_system_gap(sys, t, q, run->work.u);
    jumps = jumps || differ(run->work.g, run->work.u, run->method.m, run->method.eps.g);
    dls_system_gap_rate(sys, before, q, run->work.g);
    dls_system_gap_rate(sys, t, q, run->work.u);
    jumps = jumps || differ(run->work.g, run->work.u, run->method.m, speed);
    dls_system_curvature(sys, before, q, v, run->work.g);
    dls_system_curvature(sys, t, q, v, run->work.u);
    jumps = jumps || differ(run->work.g, run->work.u, run->method.m, run->method.eps.a);
  }
  if (sys->surface != NULL) {
    dls_system_surface(sys, before, q, run->work.force);
    dls_system_surface(sys, t, q, run->work.lambda);
    jumps = jumps || differ(run->work.force, run->work.lambda, (run->method.d - 1) * run->method.m, speed);
  }
  run->work.memo.valid = false;
  return jumps;
}

dls_status dls_explicit_time_support(const dls_event_integrator *run, size_t j, bool *dropped, dls_error *err)
{
  const double allowed =
      fmax(run->method.eps.g, dls_geometry_gap_round_off(run, j, run->state.located.t, run->work.q));
  *dropped = run->state.contact[j].closed && run->work.g[j] > allowed;
  if (run->work.g[j] >= -allowed) {
    return DLS_OK;
  }
  char name[80];
  dls_contact_name(run->method.sys, j, name, sizeof name);
  return dls_sim_fail(run->sim, err, DLS_ERR_PENETRATION,
                      "the support of %s jumps into the body at t = %.17g: the gap becomes %.6g m, allowed is "
                      ">= -%.3g m",
                      name, run->state.located.t, run->work.g[j], allowed);
}
