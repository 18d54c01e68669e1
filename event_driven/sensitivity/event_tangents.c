/* event_driven/sensitivity/event_tangents.c -- tangents at events: dt = -D h / h',  x^ = dx + f- dt,  dx+ = D R(x^) - f+ dt.
 *
 *   event                     h                          R
 *   impact, landing           g of the closing contact   impact with the law
 *   lift-off                  lambda_N                   identity, and f+ = f-
 *   slip ends or reverses     u_T                        identity
 *   slip begins               mu_s lambda_N -+ lambda_T  identity
 *   loads or surfaces jump    t - t1(p)                  identity, or an impact
 * then the projection onto the contacts that are closed: g = u = 0, and u_T = 0 where they stick.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/sensitivity/event_tangents.h"
#include "common/base/arrays.h"
#include <delassus/law.h>
#include <math.h>
#include <string.h>

/* The root function that fell, as a function of the state. */
static dls_state_function located_function(const dls_crossing *c, dls_contact_function *which)
{
  const dls_event_state *state = &c->run->state;
  const size_t j = state->located.contact;
  *which = (dls_contact_function){.contact = j};
  if (state->located.kind == DLS_LOCATED_LIMIT) {
    which->side = c->run->work.force_left[c->run->method.d * j + 1] < 0 ? -1 : 1;
  }
  return (dls_state_function){state->located.kind == DLS_LOCATED_RELEASE ? dls_value_force
                              : state->located.kind == DLS_LOCATED_REST  ? dls_value_slip
                              : state->located.kind == DLS_LOCATED_LIMIT ? dls_value_limit
                                                                         : dls_value_gap,
                              which, 1};
}

dls_status dls_tangent_gap_change(const dls_crossing *c, size_t k, size_t j, double t, const double *q,
                                  const double *v, double *out, dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  dls_event_integrator *self = tangents->self.run;
  const dls_contact_function which = {.contact = j};
  const dls_state_function gap = {dls_value_gap, &which, 1};
  const dls_state_line fixed = {.t = t, .q = q, .v = v};
  const dls_status status = dls_geometry_set(&self->state, &self->work, t, q, err);
  const double along_state =
      dls_matrix_column_dot(self->work.contacts.config->normals, j, tangents->x + 2 * tangents->n * k);
  if (status != DLS_OK) {
    return status;
  }
  const dls_status added = dls_neighbours_derivative(tangents, (int)k, &gap, &fixed, out, err);
  *out += along_state;
  return added;
}

/* Unit of the rate of a root function. */
static double rate_unit(const dls_event_method *method, dls_located_kind kind)
{
  const double speed = method->sys->length / method->sys->time;
  return kind == DLS_LOCATED_CROSSING ? speed
         : kind == DLS_LOCATED_REST   ? speed / method->sys->time
                                      : speed / (method->sys->time * method->sys->time);
}

/* The derivative holds within `radius` of the parameter: beyond it, the impact of contact j with `speed` is missed. An impact slower than
 * the last one may belong to an accumulation. If it does, missing it changes nothing, so its radius waits. */
static void limit_validity(dls_motion_tangents *tangents, size_t k, size_t j, double speed, double radius)
{
  double *waiting = &tangents->waiting[k * tangents->self.run->method.m + j];
  if (speed < tangents->last_speed[j]) {
    *waiting = fmin(*waiting, radius);
  } else {
    tangents->valid_within[k] = fmin(tangents->valid_within[k], fmin(radius, *waiting));
    *waiting = HUGE_VAL;
  }
}

/* Line 1: dt of the root function f of direction k. */
static dls_status event_time(const dls_crossing *c, size_t k, const dls_state_function *f, double *dt,
                             dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  const dls_sim *sim = c->run->sim;
  const dls_located_event *located = &c->run->state.located;
  const double *dq = tangents->x + 2 * tangents->n * k;
  const dls_state_line along = {.t = c->t, .q = c->q, .v = sim->v_left, .dq = dq, .dv = dq + tangents->n},
                       flow = {.t = c->t,
                               .q = c->q,
                               .v = sim->v_left,
                               .dt = 1,
                               .dq = sim->v_left,
                               .dv = sim->a_left};
  double change = 0, rate = 0, turn = 0;
  const size_t j = ((const dls_contact_function *)f->data)->contact;
  dls_status status = f->value == dls_value_gap
                          ? dls_tangent_gap_change(c, k, j, c->t, c->q, sim->v_left, &change, err)
                          : dls_neighbours_event_derivative(tangents, (int)k, f, &along, &change, NULL, err);
  if (status == DLS_OK && f->value == dls_value_gap) {
    status = dls_value_normal(tangents->self.run, f->data, c->t, c->q, sim->v_left, &rate, err);
    const dls_state_function normal = {dls_value_normal, f->data, 1};
    status = status != DLS_OK ? status
                              : dls_neighbours_event_derivative(tangents, DLS_NO_PARAMETER, &normal, &flow,
                                                                &turn, NULL, err);
  } else if (status == DLS_OK) {
    status = dls_neighbours_event_derivative(tangents, DLS_NO_PARAMETER, f, &flow, &rate, NULL, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  *dt = -change / rate;
  if (!(fabs(rate) > threshold_transversal * rate_unit(&c->run->method, located->kind))) {
    *dt = NAN;
    return DLS_OK;
  }
  if (turn != 0 && change != 0) {
    limit_validity(tangents, k, j, fabs(rate), rate * rate / (2 * fabs(turn * change)));
  }
  return DLS_OK;
}

/* Lines 2 and 3: from v_from, a_from to v_to, a_to at time t + dt p; impact NULL: v does not jump. */
static dls_status saltation(const dls_crossing *c, size_t k, const dls_impact_function *impact, double dt,
                            const double *v_from, const double *a_from, const double *v_to, const double *a_to,
                            dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  const size_t n = tangents->n;
  double *x = tangents->x + 2 * n * k;
  for (size_t i = 0; i < n; i++) { /* x^ = dx + f- dt */
    tangents->dq[i] = x[i] + v_from[i] * dt;
    tangents->dv[i] = x[n + i] + a_from[i] * dt;
  }
  memcpy(tangents->out, tangents->dv, n * sizeof *x);
  if (impact != NULL) {
    double bend = 0;
    const dls_state_function jump = {dls_value_impact, impact, n};
    const dls_state_line line = {c->t, c->q, v_from, dt, tangents->dq, tangents->dv};
    const dls_status status =
        dls_neighbours_event_derivative(tangents, (int)k, &jump, &line, tangents->out, &bend, err);
    if (status != DLS_OK) {
      return status;
    }
    if (bend > threshold_tangent_bend) {
      dls_tangent_note(&tangents->result->tangent[k], DLS_DERIVATIVE_ONE_SIDED, c->t, impact->set.index[0]);
    }
  }
  for (size_t i = 0; i < n; i++) { /* dx+ = D R(x^) - f+ dt */
    x[i] = tangents->dq[i] - v_to[i] * dt;
    x[n + i] = tangents->out[i] - a_to[i] * dt;
  }
  return DLS_OK;
}

dls_status dls_tangent_project(const dls_crossing *c, size_t k, const double *q, const double *v,
                               dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  const size_t n = tangents->n;
  double *x = tangents->x + 2 * n * k;
  if (c->run->state.active.count == 0 && c->run->work.contacts.joints == NULL) {
    return DLS_OK;
  }
  const dls_state_function onto = {dls_value_projection, NULL, 2 * n};
  const dls_state_line line = {.t = c->t, .q = q, .v = v, .dq = x, .dv = x + n};
  const dls_status status =
      dls_neighbours_event_derivative(tangents, (int)k, &onto, &line, tangents->out, NULL, err);
  if (status == DLS_OK) {
    memcpy(x, tangents->out, 2 * n * sizeof *x);
  }
  return status;
}

/* W_ij of two contacts, relative to their own; in the geometry of the run's own system. */
static double coupling(const dls_crossing *c, size_t i, size_t j)
{
  dls_contact_system *contacts = &c->tangents->self.run->work.contacts;
  const dls_matrix *normals = contacts->config->normals;
  double *x = c->tangents->dq, *y = c->tangents->dv;
  memset(x, 0, c->tangents->n * sizeof *x);
  memset(y, 0, c->tangents->n * sizeof *y);
  dls_matrix_column_add(normals, i, 1, x);
  dls_matrix_column_add(normals, j, 1, y);
  dls_contact_system_inverse(contacts, x);
  dls_contact_system_inverse(contacts, y);
  const double own = dls_matrix_column_dot(normals, i, x) * dls_matrix_column_dot(normals, j, y);
  return own > 0 ? fabs(dls_matrix_column_dot(normals, j, x)) / sqrt(own) : 0;
}

static bool closes(const dls_participant *participant)
{
  return participant->closing && participant->u_minus < 0;
}

/* The participants that close, in c->tangents->set; coupled: two of them act on each other. @return how many */
static size_t closing(const dls_crossing *c, bool *coupled)
{
  const dls_participant *participant = c->run->state.participant;
  size_t count = 0;
  *coupled = false;
  for (size_t k = 0; k < c->count; k++) {
    if (closes(&participant[k])) {
      for (size_t i = 0; i < count; i++) {
        *coupled =
            *coupled || coupling(c, c->tangents->set[i], participant[k].contact) > threshold_coupled_impacts;
      }
      c->tangents->set[count++] = participant[k].contact;
    }
  }
  return count;
}

/* Impacts at the same time that do not act on each other: one after the other, each with its own dt. */
static dls_status cross_each(const dls_crossing *c, size_t k, dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  const dls_event_integrator *run = c->run;
  const size_t n = tangents->n;
  const dls_participant *participant = run->state.participant;
  size_t left = 0;
  memcpy(tangents->v_from, run->sim->v_left, n * sizeof(double));
  memcpy(tangents->a_from, run->sim->a_left, n * sizeof(double));
  for (size_t i = 0; i < c->count; i++) {
    left += closes(&participant[i]);
  }
  for (size_t i = 0; i < c->count; i++) {
    if (!closes(&participant[i])) {
      continue;
    }
    size_t j = participant[i].contact;
    double dt = 0;
    const dls_contact_function which = {.contact = j};
    const dls_state_function gap = {dls_value_gap, &which, 1};
    dls_impact_function impact = {{1, &j}, &participant[i], NULL};
    dls_status status = event_time(c, k, &gap, &dt, err);
    if (status != DLS_OK || isnan(dt)) {
      dls_tangent_end(tangents, k, DLS_DERIVATIVE_DEGENERATE, j);
      return status;
    }
    status = dls_value_impact(tangents->self.run, &impact, c->t, c->q, tangents->v_from, tangents->v_to, err);
    if (status == DLS_OK) {
      status = dls_smooth_dynamics(tangents->self.run, c->t, c->q, tangents->v_to, tangents->a_to,
                                   tangents->self.run->work.lambda, err);
    }
    left--;
    if (status == DLS_OK) {
      impact.u = dls_impact_raise(tangents, &impact, tangents->v_from);
      status = saltation(c, k, &impact, dt, tangents->v_from, tangents->a_from, tangents->v_to,
                         left == 0 ? run->work.a : tangents->a_to, err);
    }
    if (status != DLS_OK) {
      return status;
    }
    dls_swap(&tangents->v_from, &tangents->v_to);
    dls_swap(&tangents->a_from, &tangents->a_to);
    tangents->result->tangent[k].dt = dt;
    tangents->result->tangent[k].contact_dt[j] = dt;
  }
  return DLS_OK;
}

/* Do contacts that come down at the same time rebound, and leave all others alone? */
static bool all_rebound(const dls_crossing *c)
{
  for (size_t k = 0; k < c->count; k++) {
    const dls_participant *participant = &c->run->state.participant[k];
    if (closes(participant) ? c->run->state.contact[participant->contact].closed : participant->impulse > 0) {
      return false;
    }
  }
  return true;
}

/* Has an impulse stopped slip in a Painleve paradox? */
static bool any_painleve(const dls_crossing *c)
{
  for (size_t k = 0; k < c->count; k++) {
    if (c->run->state.participant[k].painleve) {
      return true;
    }
  }
  return c->run->state.located.kind == DLS_LOCATED_LEVERAGE;
}

/* Is the event the lift-off of its contact, and nothing else? */
static bool only_lifts_off(const dls_crossing *c)
{
  const dls_event_state *state = &c->run->state;
  for (size_t j = 0; j < c->run->method.m; j++) {
    const bool itself = j == state->located.contact;
    if ((state->was_closed[j] != state->contact[j].closed) != itself ||
        (!itself && state->was_closed[j] && state->was[j].kind != state->contact[j].mode.kind)) {
      return false;
    }
  }
  return state->located.kind == DLS_LOCATED_RELEASE;
}

/* The root function of contact j that its change of mode says has fallen too; value NULL: it has not changed, or by an impulse. */
static dls_state_function other_function(const dls_crossing *c, size_t j, dls_contact_function *which)
{
  const dls_event_state *state = &c->run->state;
  const dls_contact_mode_kind was = state->was[j].kind, is = state->contact[j].mode.kind;
  const bool stays = state->was_closed[j] && state->contact[j].closed && state->contact[j].has_friction;
  *which = (dls_contact_function){
      .contact = j,
      .side = c->run->method.d > 1 && c->run->work.force_left[c->run->method.d * j + 1] < 0 ? -1 : 1};
  return (dls_state_function){state->was_closed[j] && !state->contact[j].closed         ? dls_value_force
                              : stays && was == DLS_MODE_SLIPS && is == DLS_MODE_STICKS ? dls_value_slip
                              : stays && was == DLS_MODE_STICKS && is == DLS_MODE_SLIPS ? dls_value_limit
                                                                                        : NULL,
                              which, 1};
}

/* Note if contacts that switch together would switch at times that differ: the order depends on the sign of the change of p. */
static dls_status compare_switches(const dls_crossing *c, size_t k, double dt, dls_error *err)
{
  const dls_event_state *state = &c->run->state;
  for (size_t j = 0; j < c->run->method.m; j++) {
    dls_contact_function which;
    const dls_state_function f = other_function(c, j, &which);
    double other = dt;
    const dls_status status =
        j != state->located.contact && f.value != NULL ? event_time(c, k, &f, &other, err) : DLS_OK;
    if (status != DLS_OK) {
      return status;
    }
    c->tangents->result->tangent[k].contact_dt[j] = other;
    if (!(fabs(other - dt) <= threshold_same_switch * fmax(fabs(dt), c->run->method.sys->time))) {
      dls_tangent_note(&c->tangents->result->tangent[k], DLS_DERIVATIVE_ONE_SIDED, c->t, j);
    }
  }
  return DLS_OK;
}

/* One direction through the event; scheduled: the derivative of the time of a break. */
static dls_status cross(const dls_crossing *c, size_t k, const dls_impact_function *impact, double scheduled,
                        dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  const dls_event_integrator *run = c->run;
  const dls_located_event *located = &run->state.located;
  dls_contact_function which;
  const dls_state_function f = located_function(c, &which);
  const bool timed = located->kind == DLS_LOCATED_CROSSING || located->kind == DLS_LOCATED_RELEASE ||
                     located->kind == DLS_LOCATED_REST || located->kind == DLS_LOCATED_LIMIT;
  double dt = scheduled;
  dls_status status = timed ? event_time(c, k, &f, &dt, err) : DLS_OK;
  if (status != DLS_OK) {
    return status;
  }
  if (isnan(dt)) {
    dls_tangent_end(tangents, k, DLS_DERIVATIVE_DEGENERATE, located->contact);
    return DLS_OK;
  }
  if (!dls_located_is_quiet(located)) {
    dls_tangent_set_event_dt(tangents, k, dt);
  }
  if (timed && impact == NULL && (status = compare_switches(c, k, dt, err)) != DLS_OK) {
    return status;
  }
  if (!only_lifts_off(c)) { /* there f+ = f- */
    status = saltation(c, k, impact, dt, run->sim->v_left, run->sim->a_left, run->work.v, run->work.a, err);
  }
  return status;
}

/* A contact that touches without a velocity: the neighbours on one side miss it. */
static void graze(const dls_crossing *c, size_t k)
{
  const dls_event_state *state = &c->run->state;
  const size_t j = state->located.contact;
  if (c->run->state.contact[j].closed || c->run->state.was_closed[j]) {
    dls_tangent_end(c->tangents, k, DLS_DERIVATIVE_GRAZING, j);
  } else {
    dls_tangent_note(&c->tangents->result->tangent[k], DLS_DERIVATIVE_GRAZING, c->t, j);
    dls_tangent_set_event_dt(c->tangents, k, NAN); /* neighbours on one side have no such event */
  }
  c->tangents->valid_within[k] = 0;
}

/* Size of the difference of two tangents, in units of the scales. */
static double distance(const dls_system *sys, size_t n, const double *x, const double *y)
{
  double most = 0;
  for (size_t i = 0; i < 2 * n; i++) {
    const double unit = i < n ? 1 / sys->length : sys->time / sys->length;
    most = fmax(most, unit * fabs(x[i] - (y != NULL ? y[i] : 0)));
  }
  return most;
}

/* dt of an impact at the start, as of any other impact; NAN: several contacts close, at times that differ. */
static dls_status first_impact_time(const dls_crossing *c, size_t k, double *dt, dls_error *err)
{
  size_t closers = 0, moved = 0;
  dls_status status = DLS_OK;
  *dt = 0;
  for (size_t i = 0; i < c->count && status == DLS_OK; i++) {
    const dls_participant *participant = &c->run->state.participant[i];
    double change = 0;
    if (closes(participant)) {
      status =
          dls_tangent_gap_change(c, k, participant->contact, c->t, c->q, c->run->sim->v_left, &change, err);
      *dt = change != 0 ? -change / participant->u_minus : *dt;
      moved += change != 0;
      closers++;
    }
  }
  *dt = closers > 1 && moved > 0 ? NAN : *dt;
  return status;
}

/* Does a contact begin to slip from rest? Neighbours that slip the other way first reverse. */
static dls_status note_switch_at_start(const dls_crossing *c, size_t k, const double *x, dls_error *err)
{
  const dls_event_integrator *run = c->run;
  const size_t n = c->tangents->n;
  for (size_t j = 0; j < run->method.m; j++) {
    const dls_contact_function which = {.contact = j};
    const dls_state_function slip = {dls_value_slip, &which, 1};
    const dls_state_line line = {.t = c->t, .q = run->work.q, .v = run->work.v, .dq = x, .dv = x + n};
    double u = 0, change = 0;
    if (!run->state.contact[j].closed || run->state.contact[j].mode.kind != DLS_MODE_SLIPS) {
      continue;
    }
    dls_status status = dls_value_slip(c->tangents->self.run, &which, c->t, run->work.q, run->work.v, &u, err);
    if (status == DLS_OK && fabs(u) <= run->method.eps.s) {
      status = dls_neighbours_event_derivative(c->tangents, (int)k, &slip, &line, &change, NULL, err);
    }
    if (status != DLS_OK) {
      return status;
    }
    if (fabs(change) > threshold_transversal * run->method.sys->length / run->method.sys->time) {
      dls_tangent_note(&c->tangents->result->tangent[k], DLS_DERIVATIVE_ONE_SIDED, c->t, j);
    }
  }
  return DLS_OK;
}

/* At the start: a contact at g = 0 exists for neighbours only along directions that keep it closed. */
static dls_status begin(const dls_crossing *c, size_t k, const dls_impact_function *impact, dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  const dls_event_integrator *run = c->run;
  double *x = tangents->x + 2 * tangents->n * k;
  dls_status status = DLS_OK;
  double dt = 0;
  if (impact != NULL) {
    status = first_impact_time(c, k, &dt, err);
    if (isnan(dt)) {
      dls_tangent_end(tangents, k, DLS_DERIVATIVE_DISCONTINUOUS, run->state.participant[0].contact);
      return status;
    }
    if (status == DLS_OK) {
      status = saltation(c, k, impact, dt, run->sim->v_left, run->sim->a_left, run->work.v, run->work.a, err);
    }
  }
  dls_tangent_set_event_dt(tangents, k, dt);
  memcpy(tangents->first, x, 2 * tangents->n * sizeof *x);
  if (status == DLS_OK) {
    status = dls_tangent_project(c, k, run->work.q, run->work.v, err);
  }
  if (status == DLS_OK) {
    status = note_switch_at_start(c, k, x, err);
  }
  const double size = distance(run->method.sys, tangents->n, tangents->first, NULL);
  tangents->result->tangent[k].projected =
      size > 0 ? distance(run->method.sys, tangents->n, x, tangents->first) / size : 0;
  return status;
}

/* The impact of all participants; NULL: there is none. */
static const dls_impact_function *impact_of(const dls_crossing *c, dls_impact_function *impact)
{
  bool made = false;
  for (size_t k = 0; k < c->count; k++) {
    made = made || c->run->state.participant[k].u_minus < 0;
  }
  *impact = (dls_impact_function){{c->count, c->run->work.set}, c->run->state.participant, NULL};
  if (made) {
    impact->u = dls_impact_raise(c->tangents, impact, c->run->sim->v_left);
  }
  return made ? impact : NULL;
}

/* undeclared: something jumps at a time that the system does not state, so that its derivative is not known. */
static dls_status cross_all(const dls_crossing *c, const double *scheduled, bool undeclared, dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  const dls_event_state *state = &c->run->state;
  dls_impact_function all;
  const dls_impact_function *impact = impact_of(c, &all);
  bool coupled = false;
  const size_t closers = closing(c, &coupled);
  dls_status status = DLS_OK;
  for (size_t k = 0; k < tangents->count && status == DLS_OK; k++) {
    if (dls_tangent_has_ended(tangents, k)) {
      continue;
    }
    if (state->located.kind == DLS_LOCATED_START) {
      continue; /* begin, with the modes that follow */
    }
    if (state->located.kind == DLS_LOCATED_GRAZE) {
      graze(c, k);
    } else if (any_painleve(c) || undeclared) {
      dls_tangent_end(tangents, k, DLS_DERIVATIVE_DEGENERATE, undeclared ? SIZE_MAX : state->located.contact);
    } else if (closers > 1 && state->located.kind == DLS_LOCATED_CROSSING) {
      if (coupled || !all_rebound(c)) {
        dls_tangent_end(tangents, k, DLS_DERIVATIVE_DISCONTINUOUS, state->located.contact);
      } else {
        status = cross_each(c, k, err);
      }
    } else {
      status = cross(c, k, impact, scheduled[k], err);
    }
  }
  for (size_t i = 0; i < c->count; i++) {
    const dls_participant *participant = &state->participant[i];
    if (closes(participant)) {
      tangents->last_speed[participant->contact] = -participant->u_minus;
    }
  }
  if (status == DLS_OK) {
    dls_neighbours_follow(tangents, c->run);
  }
  for (size_t k = 0; k < tangents->count && status == DLS_OK; k++) {
    if (!dls_tangent_has_ended(tangents, k)) {
      status = state->located.kind == DLS_LOCATED_START
                   ? begin(c, k, impact, err)
                   : dls_tangent_project(c, k, c->run->work.q, c->run->work.v, err);
    }
  }
  return status;
}

dls_status dls_motion_tangents_cross(dls_event_integrator *run, const double *q, size_t participants,
                                     dls_error *err)
{
  dls_motion_tangents *tangents = run->work.tangents;
  if (tangents == NULL) {
    return DLS_OK;
  }
  const dls_crossing c = {run, tangents, run->state.located.t, q, participants};
  tangents->t = c.t;
  dls_tangents_keep_left(tangents);
  const bool passed = dls_neighbours_pass_break(tangents, run, c.t, tangents->dt);
  dls_status status = dls_geometry_set(&tangents->self.run->state, &tangents->self.run->work, c.t, q, err);
  if (status == DLS_OK) {
    status = cross_all(&c, tangents->dt, run->state.located.kind == DLS_LOCATED_SWITCH && !passed, err);
  }
  dls_tangents_publish(tangents);
  return status;
}
