/* event_driven/sensitivity/event_tangents.c -- tangents at events (saltation.c), with
 *
 *   event                     h                          R
 *   impact, landing           g of the closing contact   impact with the law
 *   lift-off                  lambda_N                   identity, and f+ = f-
 *   slip ends or reverses     u_T                        identity
 *   slip begins               mu_s lambda_N -+ lambda_T  identity
 *   loads or surfaces jump    t - t1(p)                  identity, or an impact
 * then the projection onto the contacts that are closed: g = u = 0, and u_T = 0 where they stick. Where slip in space ends, with the modes
 * that follow,
 *   dv+ := dv + M^-1 D r,   D_(dx+, dp) u = 0 of the rows that are held                                   (1)
 * (f- - f+) dt and what an error of the direction of slip adds to dv are such M^-1 D r, so that dv+ depends on neither.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/sensitivity/event_tangents.h"
#include "event_driven/sensitivity/slip_pass.h"
#include "event_driven/sensitivity/slip_rest.h"
#include "event_driven/sensitivity/tape.h"
#include <math.h>
#include <string.h>

/* The participants that close, in c->tangents->set; coupled: two of them act on each other. @return how many */
static size_t closing(const dls_crossing *c, bool *coupled)
{
  const dls_participant *participant = c->run->state.participant;
  size_t count = 0;
  *coupled = false;
  for (size_t k = 0; k < c->count; k++) {
    if (dls_tangent_closes(&participant[k])) {
      for (size_t i = 0; i < count; i++) {
        *coupled = *coupled || dls_tangent_coupling(c, c->tangents->set[i], participant[k].contact) >
                                   threshold_coupled_impacts;
      }
      c->tangents->set[count++] = participant[k].contact;
    }
  }
  return count;
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

/* One direction through the event; scheduled: the derivative of the time of a break. */
static dls_status cross(const dls_crossing *c, size_t k, const dls_impact_function *impact, double scheduled,
                        dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  const dls_event_integrator *run = c->run;
  const dls_located_event *located = &run->state.located;
  dls_contact_function which;
  const dls_state_function f = dls_tangent_switch_function(c, located->contact, &which);
  const bool timed = located->kind == DLS_LOCATED_CROSSING || located->kind == DLS_LOCATED_RELEASE ||
                     located->kind == DLS_LOCATED_REST || located->kind == DLS_LOCATED_LIMIT;
  double dt = scheduled;
  dls_status status = timed ? dls_tangent_event_time(c, k, &f, &dt, err) : DLS_OK;
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
  bool crossed = false;
  if (timed && located->kind != DLS_LOCATED_CROSSING && impact == NULL) {
    status = dls_tangent_cross_switches(c, k, &crossed, err);
  }
  if (status != DLS_OK || crossed) {
    return status;
  }
  if (!only_lifts_off(c)) { /* there f+ = f- */
    status = dls_tangent_saltation(c, k, impact, dt, run->sim->v_left, run->sim->a_left, run->work.v,
                                   run->work.a, err);
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

/* dt of an impact at the start, as of any other impact; NAN: several contacts close, at times that differ. */
static dls_status first_impact_time(const dls_crossing *c, size_t k, double *dt, dls_error *err)
{
  size_t closers = 0, moved = 0;
  dls_status status = DLS_OK;
  *dt = 0;
  for (size_t i = 0; i < c->count && status == DLS_OK; i++) {
    const dls_participant *participant = &c->run->state.participant[i];
    double change = 0;
    if (dls_tangent_closes(participant)) {
      status = dls_neighbours_gap_change(c->tangents, k, participant->contact, c->t, c->q, c->run->sim->v_left,
                                         &change, err);
      *dt = change != 0 ? -change / participant->u_minus : *dt;
      moved += change != 0;
      closers++;
    }
  }
  *dt = closers > 1 && moved > 0 ? NAN : *dt;
  return status;
}

/* Contact j begins to slip from rest along its direction. On the side whose u_T is opposite, slip first reverses:
 *   dt = -D u_T / u_T',   dv := dv + (v'_reversed - v') dt                                               */
static dls_status start_both_ways(const dls_crossing *c, size_t k, size_t j, double change, double *x,
                                  dls_error *err)
{
  const dls_event_integrator *run = c->run;
  dls_motion_tangents *tangents = c->tangents;
  dls_event_integrator *near = tangents->self.run;
  const size_t n = tangents->n, row = run->method.d * j + 1;
  const int own = dls_tangent_side(tangents, k);
  dls_contact_mode *mode = &near->state.contact[j].mode;
  const double e = mode->e[0];
  const int along = change * e > 0 ? 1 : -1; /* the side that slips as the run does */
  double *reversed = tangents->a_from;
  mode->e[0] = near->state.mode[j].e[0] = -e;
  near->work.memo.valid = false;
  dls_status status =
      dls_smooth_dynamics(near, c->t, run->work.q, run->work.v, reversed, near->work.lambda, err);
  mode->e[0] = near->state.mode[j].e[0] = e;
  near->work.memo.valid = false;
  if (status != DLS_OK) {
    return status;
  }
  dls_configuration_curvature(near->work.contacts.config, run->work.v, near->work.contacts.curvature);
  const double rate = dls_matrix_column_dot(near->work.contacts.config->H, row, reversed) +
                      near->work.contacts.curvature[row],
               dt = -change / rate;
  for (size_t i = 0; i < 2; i++) {
    dls_side *side = &tangents->side[i];
    const double moved = (i > 0 ? 1 : -1) == along ? 0 : dt;
    side->known = rate * e > 0;
    side->impacts = 0;
    memcpy(side->v, run->work.v, n * sizeof *x);
    memcpy(side->dq, x, n * sizeof *x);
    for (size_t l = 0; l < n; l++) {
      side->dv[l] = x[n + l] + (reversed[l] - run->work.a[l]) * moved;
    }
  }
  dls_tangent_note(&tangents->result->tangent[k], DLS_DERIVATIVE_ONE_SIDED, c->t, j);
  dls_tangent_keep_sides(tangents, k);
  memcpy(x + n, tangents->side[own > 0].dv, n * sizeof *x);
  return DLS_OK;
}

/* The same along tangent i. In space no reversal is known, and the value is that of the slip of the run. */
static dls_status note_switch_along(const dls_crossing *c, size_t k, size_t j, size_t i, double *x,
                                    dls_error *err)
{
  const dls_event_integrator *run = c->run;
  const dls_contact_function which = {.contact = j, .along = {i == 0, i == 1}};
  const dls_state_function slip = {dls_value_slip, &which, 1};
  const dls_state_line line = {
      .t = c->t, .q = run->work.q, .v = run->work.v, .dq = x, .dv = x + c->tangents->n};
  double u = 0, change = 0;
  dls_status status = dls_value_slip(c->tangents->self.run, &which, c->t, run->work.q, run->work.v, &u, err);
  if (status == DLS_OK && fabs(u) <= run->method.eps.s) {
    status = dls_neighbours_event_derivative(c->tangents, (int)k, &slip, &line, &change, NULL, err);
  }
  if (status != DLS_OK || !(fabs(change) * dls_direction_unit(&c->tangents->result->direction[k]) >
                            threshold_transversal * run->method.sys->length / run->method.sys->time)) {
    return status;
  }
  if (run->method.d == 3) {
    dls_tangent_note(&c->tangents->result->tangent[k], DLS_DERIVATIVE_ONE_SIDED, c->t, j);
    return DLS_OK;
  }
  return start_both_ways(c, k, j, change, x, err);
}

/* Does a contact begin to slip from rest? Neighbours that slip the other way first reverse. */
static dls_status note_switch_at_start(const dls_crossing *c, size_t k, double *x, dls_error *err)
{
  const dls_event_integrator *run = c->run;
  dls_status status = DLS_OK;
  for (size_t j = 0; j < run->method.m; j++) {
    const bool slips = run->state.contact[j].closed && run->state.contact[j].mode.kind == DLS_MODE_SLIPS;
    double u[2];
    const bool rests = slips && (run->method.d == 2 ||
                                 dls_slip_of(&run->method, &run->work, j, run->work.v, u) <= run->method.eps.s);
    for (size_t i = 0; rests && i + 1 < run->method.d && status == DLS_OK; i++) {
      status = note_switch_along(c, k, j, i, x, err);
    }
  }
  return status;
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
      status = dls_tangent_saltation(c, k, impact, dt, run->sim->v_left, run->sim->a_left, run->work.v,
                                     run->work.a, err);
    }
  }
  dls_tangent_set_event_dt(tangents, k, dt);
  memcpy(tangents->first, x, 2 * tangents->n * sizeof *x);
  if (status == DLS_OK) {
    status = dls_tangent_project(c, k, run->work.q, run->work.v, err);
  }
  if (status != DLS_OK || dls_tangent_has_ended(tangents, k)) {
    return status;
  }
  if (run->work.solver != NULL) { /* only dq in the mass metric */
    memcpy(x + tangents->n, tangents->first + tangents->n, tangents->n * sizeof *x);
    status = dls_tangent_come_to_rest(c, k, err);
    status = status != DLS_OK ? status : dls_tangent_project(c, k, run->work.q, run->work.v, err);
  }
  const double size = dls_tangent_distance(tangents, tangents->first, NULL);
  tangents->result->tangent[k].projected =
      size > 0 ? dls_tangent_distance(tangents, x, tangents->first) / size : 0;
  return status != DLS_OK ? status : note_switch_at_start(c, k, x, err);
}

/* The impact of all participants; NULL: there is none. */
static const dls_impact_function *impact_of(const dls_crossing *c, dls_impact_function *impact)
{
  const size_t d = c->run->method.d;
  bool made = false;
  for (size_t k = 0; k < c->count; k++) {
    const dls_participant *participant = &c->run->state.participant[k];
    made = made || participant->u_minus < 0;
    c->tangents->P[d * k] = participant->impulse;
    memcpy(c->tangents->P + d * k + 1, participant->friction, (d - 1) * sizeof *participant->friction);
  }
  *impact = (dls_impact_function){
      {c->count, c->run->work.set}, c->run->state.participant, NULL, c->run, c->tangents->P};
  return made ? impact : NULL;
}

/* Size of the terms of a force that a difference by parameter k rounds [m/s^2]. */
static double rounded_terms(const dls_crossing *c, size_t k)
{
  dls_motion_tangents *tangents = c->tangents;
  dls_event_integrator *self = tangents->self.run;
  const size_t n = tangents->n;
  const dls_changed_terms changed = tangents->changed[k];
  const bool load_alone = tangents->exact && !changed.M && !changed.K && !changed.C && !changed.H;
  double *load = tangents->dq, *all = tangents->dv, most = 0;
  memset(load, 0, n * sizeof *load);
  if (tangents->exact) {
    dls_system_load(self->method.sys, dls_geometry_before_break(&self->state, c->t), load);
    dls_contact_system_inverse(&self->work.contacts, load);
  }
  dls_geometry_free_acceleration(self, c->t, c->run->work.q, c->run->work.v, all);
  for (size_t i = 0; i < n; i++) {
    const double size = load_alone ? fabs(load[i]) : fmax(fabs(all[i]), fabs(all[i] - load[i]));
    most = fmax(most, dls_tangent_as_length(tangents, i, size));
  }
  return most;
}

/* Closed contacts whose force is 0 and stays 0 on the present path, in tangents->set: the force is no transversal root function there.
 * @return how many */
static dls_status find_idle(const dls_crossing *c, size_t *count, dls_error *err)
{
  const dls_event_integrator *run = c->run;
  dls_motion_tangents *tangents = c->tangents;
  dls_event_integrator *self = tangents->self.run;
  const dls_system *sys = run->method.sys;
  const double delta = threshold_decision_delay * sys->time,
               steady = threshold_transversal * delta * sys->length / (sys->time * sys->time * sys->time);
  size_t idle = 0;
  for (size_t k = 0; k < run->state.active.count; k++) {
    const size_t j = run->state.active.index[k];
    const double force = run->state.contact[j].weight * run->work.lambda[run->method.d * j];
    if (fabs(force) <= run->method.eps.a) {
      tangents->set[idle++] = j;
    }
  }
  *count = 0;
  if (idle == 0) {
    return DLS_OK;
  }
  for (size_t i = 0; i < tangents->n; i++) {
    tangents->q[i] = run->work.q[i] + delta * (run->work.v[i] + 0.5 * delta * run->work.a[i]);
    tangents->v[i] = run->work.v[i] + delta * run->work.a[i];
  }
  self->work.memo.valid = false;
  const dls_status status =
      dls_smooth_dynamics(self, c->t + delta, tangents->q, tangents->v, tangents->dq, tangents->u, err);
  self->work.memo.valid = false;
  for (size_t k = 0; k < idle && status == DLS_OK; k++) {
    const size_t j = tangents->set[k], row = run->method.d * j;
    const double change = self->state.contact[j].weight * (tangents->u[row] - run->work.lambda[row]);
    if (fabs(change) <= steady) {
      tangents->set[(*count)++] = j;
    }
  }
  return status;
}

dls_status dls_tangents_note_idle(const dls_crossing *c, dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  const dls_event_integrator *run = c->run;
  const dls_system *sys = run->method.sys;
  const size_t n = tangents->n, d = run->method.d;
  size_t idle = 0;
  dls_status status = find_idle(c, &idle, err);
  if (status == DLS_OK && idle > 0) {
    status = dls_slopes_prepare_forces(tangents, c->t, run->work.q, run->work.v, err);
  }
  for (size_t k = 0; k < tangents->count && idle > 0 && status == DLS_OK; k++) {
    if (dls_tangent_has_ended(tangents, k)) {
      continue;
    }
    const double size = dls_tangent_distance(tangents, tangents->x + 2 * n * k, NULL),
                 none = dls_slopes_noise(tangents, k, rounded_terms(c, k)) +
                        threshold_transversal * size * sys->length / (sys->time * sys->time);
    double *forces = tangents->base;
    size_t contact = SIZE_MAX;
    status = dls_slopes_forces_of(tangents, k, c->t, forces, err);
    for (size_t i = 0; i < d * idle && status == DLS_OK && contact == SIZE_MAX; i++) {
      const size_t j = tangents->set[i / d];
      const double change = run->state.contact[j].weight * forces[n + d * j + i % d];
      contact = fabs(change) > none ? j : contact;
    }
    if (contact != SIZE_MAX && k < tangents->result->count) {
      dls_tangent_end(tangents, k, DLS_DERIVATIVE_DEGENERATE, contact);
    } else if (contact !=
               SIZE_MAX) { /* the adjoint equation: parameters may not move the state in this direction */
      dls_tangent_note(&tangents->result->tangent[k], DLS_DERIVATIVE_DEGENERATE, c->t, contact);
    }
  }
  return status;
}

/* Does a contact slip behind the event? Without one the reaction of (1) is the projection. */
static bool slips_on(const dls_event_state *state)
{
  bool any = false;
  for (size_t k = 0; k < state->active.count && !any; k++) {
    any = state->mode[state->active.index[k]].kind == DLS_MODE_SLIPS;
  }
  return any;
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
      bool at_once = false;
      status = dls_tangent_cross_orders(c, k, coupled, &at_once, err);
      status = status == DLS_OK && at_once ? cross(c, k, impact, scheduled[k], err) : status;
    } else {
      status = cross(c, k, impact, scheduled[k], err);
    }
  }
  for (size_t i = 0; i < c->count; i++) {
    const dls_participant *participant = &state->participant[i];
    if (dls_tangent_closes(participant)) {
      tangents->last_speed[participant->contact] = -participant->u_minus;
    }
  }
  if (status == DLS_OK) {
    dls_neighbours_follow(tangents, c->run);
  }
  for (size_t k = 0; k < tangents->count && status == DLS_OK; k++) {
    if (dls_tangent_has_ended(tangents, k)) {
      continue;
    }
    if (state->located.kind == DLS_LOCATED_START) {
      status = begin(c, k, impact, err);
      continue;
    }
    if (c->run->method.d == 3 && state->located.kind == DLS_LOCATED_REST && slips_on(state)) { /* (1) */
      status = dls_tangent_come_to_rest(c, k, err);
    }
    status = status != DLS_OK ? status : dls_tangent_project(c, k, c->run->work.q, c->run->work.v, err);
  }
  return status != DLS_OK ? status : dls_tangents_note_idle(c, err);
}

/* To the time of the event. In space slip is located at eps.s, and the run follows it to its end: so do dv, with the slopes there,
 * by the polynomial of the tangents if there is one. Their errors in the direction of slip have no effect by (1). */
static dls_status follow_slip(dls_motion_tangents *tangents, const dls_event_integrator *run, const double *q,
                              dls_error *err)
{
  const size_t n = tangents->n;
  const double t = run->state.located.t, later = t - tangents->t;
  dls_status status = DLS_OK;
  if (run->method.d == 3 && run->state.located.kind == DLS_LOCATED_REST && later > 0 &&
      tangents->tape == NULL) {
    const double *slope = dls_tangent_multistep_slopes(tangents, tangents->t);
    if (slope == NULL) {
      memcpy(tangents->y, q, n * sizeof *q);
      memcpy(tangents->y + n, run->sim->v_left, n * sizeof *q);
      status = dls_slopes(tangents, t, tangents->y, tangents->x, tangents->slope, err);
      slope = tangents->slope;
    }
    for (size_t i = 0; i < n * tangents->count && status == DLS_OK; i++) {
      const size_t at = 2 * n * (i / n) + n + i % n;
      tangents->x[at] += later * slope[at];
    }
  }
  dls_tangents_drift(tangents, t);
  return status;
}

dls_status dls_motion_tangents_cross(dls_event_integrator *run, const double *q, size_t participants,
                                     dls_error *err)
{
  dls_motion_tangents *tangents = run->work.tangents;
  if (tangents == NULL) {
    return DLS_OK;
  }
  dls_crossing c = {.run = run, .tangents = tangents, .t = run->state.located.t, .q = q, .count = participants};
  dls_status status = follow_slip(tangents, run, q, err);
  dls_tangents_clear_impulses(tangents);
  dls_tangents_clear_jumps(tangents);
  status = status != DLS_OK ? status : dls_slip_pass_end(tangents, run, q, err);
  status = status != DLS_OK ? status : dls_tangents_keep_left(tangents, run, q, err);
  const bool passed = dls_neighbours_pass_break(tangents, run, c.t, tangents->dt);
  status = status != DLS_OK
               ? status
               : dls_geometry_set(&tangents->self.run->state, &tangents->self.run->work, c.t, q, err);
  status = status != DLS_OK ? status : dls_tangent_slip_end(&c, err);
  if (status == DLS_OK && (status = dls_tape_open(run, q, participants, err)) == DLS_OK) {
    status = cross_all(&c, tangents->dt, run->state.located.kind == DLS_LOCATED_SWITCH && !passed, err);
  }
  dls_tangents_set_radii(tangents);
  dls_tangents_add_jump(tangents, run, q, run->sim->v_left);
  status = status != DLS_OK ? status : dls_tape_close(run, q, participants, err);
  dls_slip_rest_forget(tangents->rest);
  return status;
}
