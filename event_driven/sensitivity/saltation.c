/* event_driven/sensitivity/saltation.c -- what every event needs: dt = -D h / h',  x^ = dx + f- dt,  dx+ = D R(x^) - f+ dt, and the projection
 * onto closed contacts.
 * Source: Mueller 1995, Chaos, Solitons & Fractals 5, 1671-1681.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/sensitivity/event_tangents.h"
#include "event_driven/sensitivity/impact_slopes.h"
#include "event_driven/sensitivity/joint_slopes.h"
#include "event_driven/sensitivity/model_terms.h"
#include "event_driven/sensitivity/redundant.h"
#include "event_driven/sensitivity/slip_rest.h"
#include <math.h>
#include <string.h>

/* Contact j, and the direction of its friction before the event. */
static dls_contact_function contact_function(const dls_crossing *c, size_t j)
{
  const dls_event_method *method = &c->run->method;
  dls_contact_function f = {.contact = j, .along = {1}};
  const double *r = c->run->work.force_left + method->d * j,
               size = dls_slip_force(method, j, c->run->work.force_left);
  for (size_t i = 1; size > 0 && i < method->d; i++) {
    f.along[i - 1] = r[i] / size;
  }
  return f;
}

/* u' of `count` rows of the contacts before the event, H^T a + c, in the geometry of the run's own system. */
static void row_rates(const dls_crossing *c, size_t row, size_t count, double *rate)
{
  dls_event_work *work = &c->tangents->self.run->work;
  dls_configuration_curvature(work->contacts.config, c->run->sim->v_left, work->u_free);
  for (size_t i = 0; i < count; i++) {
    rate[i] =
        dls_matrix_column_dot(work->contacts.config->H, row + i, c->run->sim->a_left) + work->u_free[row + i];
  }
}

/* Are the tangents straight at the end of slip of contact j? Where slip does not turn, D u_T across it vanishes before the slip does. */
static bool are_straight(const dls_crossing *c, size_t j)
{
  const dls_motion_tangents *tangents = c->tangents;
  const dls_system *sys = c->run->method.sys;
  const size_t n = tangents->n;
  bool straight = true;
  for (size_t k = 0; k < tangents->count; k++) {
    const double turned = tangents->x[2 * n * tangents->count + tangents->turns * k + j],
                 across = turned * c->run->method.eps.s * (sys->time / sys->length),
                 size = fmax(dls_tangent_distance(tangents, tangents->x + 2 * n * k, NULL),
                             1 / dls_direction_unit(&tangents->result->direction[k]));
    straight = straight && fabs(across) <= threshold_slip_straight_tangent * size;
  }
  return straight;
}

/* As slip s = |u| ends, its angle a to the limit, in which u' is along the slip, falls as s^k. Its direction at one small s errs by tol / s,
 * and for small k by a. In the adjoint equation the effect of a moving surface on the direction is as 1 / s. So slip is followed to its
 * end, unless it does not turn. */
dls_status dls_tangent_slip_end(dls_crossing *c, dls_error *err)
{
  const dls_event_integrator *run = c->run;
  const size_t j = run->state.located.contact;
  if (run->method.d != 3 || run->state.located.kind != DLS_LOCATED_REST ||
      c->tangents->self.run->state.contact[j].slips_slowly) {
    return DLS_OK;
  }
  const dls_contact_function f = contact_function(c, j);
  double rate[2];
  row_rates(c, 3 * j + 1, 2, rate);
  const double along = f.along[0] * rate[0] + f.along[1] * rate[1],
               across = f.along[0] * rate[1] - f.along[1] * rate[0];
  const bool straight =
      c->tangents->tape == NULL && fabs(across) <= threshold_slip_straight * fabs(along) && are_straight(c, j);
  return straight ? DLS_OK : dls_slip_rest_end(c->tangents, j, &c->rest_dt, err);
}

/* The root function that fell, as a function of the state. */
static dls_state_function located_function(const dls_crossing *c, dls_contact_function *which)
{
  const dls_event_state *state = &c->run->state;
  *which = contact_function(c, state->located.contact);
  return (dls_state_function){state->located.kind == DLS_LOCATED_RELEASE ? dls_value_force
                              : state->located.kind == DLS_LOCATED_REST  ? dls_value_slip
                              : state->located.kind == DLS_LOCATED_LIMIT ? dls_value_limit
                                                                         : dls_value_gap,
                              which, 1};
}

dls_state_function dls_tangent_switch_function(const dls_crossing *c, size_t j, dls_contact_function *which)
{
  const dls_event_state *state = &c->run->state;
  const dls_contact_mode *was = &state->was[j], *is = &state->contact[j].mode;
  const bool stays = state->was_closed[j] && state->contact[j].closed && state->contact[j].has_friction,
             slipped = stays && was->kind == DLS_MODE_SLIPS,
             reverses =
                 slipped && is->kind == DLS_MODE_SLIPS && was->e[0] * is->e[0] + was->e[1] * is->e[1] < 0;
  if (j == state->located.contact) {
    return located_function(c, which);
  }
  *which = contact_function(c, j);
  return (dls_state_function){state->was_closed[j] && !state->contact[j].closed      ? dls_value_force
                              : reverses || (slipped && is->kind == DLS_MODE_STICKS) ? dls_value_slip
                              : stays && was->kind == DLS_MODE_STICKS && is->kind == DLS_MODE_SLIPS
                                  ? dls_value_limit
                                  : NULL,
                              which, 1};
}

/* Unit of the rate of a root function of contact j. Impacts of low flights are slow, and transversal. */
static double rate_unit(const dls_event_integrator *run, size_t j)
{
  const dls_system *sys = run->method.sys;
  const double speed = sys->length / sys->time;
  const dls_located_kind kind = run->state.located.kind;
  return kind == DLS_LOCATED_CROSSING ? fmin(speed, run->state.contact[j].peak)
         : kind == DLS_LOCATED_REST   ? speed / sys->time
                                      : speed / (sys->time * sys->time);
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

dls_status dls_tangent_event_time(const dls_crossing *c, size_t k, const dls_state_function *f, double *dt,
                                  dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  const dls_sim *sim = c->run->sim;
  const double *dq = tangents->x + 2 * tangents->n * k;
  const dls_state_line along = {.t = c->t, .q = c->q, .v = sim->v_left, .dq = dq, .dv = dq + tangents->n},
                       flow = {.t = c->t,
                               .q = c->q,
                               .v = sim->v_left,
                               .dt = 1,
                               .dq = sim->v_left,
                               .dv = sim->a_left};
  dls_event_integrator *self = tangents->self.run;
  double change = 0, rate = 0, turn = 0;
  const size_t j = ((const dls_contact_function *)f->data)->contact;
  dls_status status = DLS_OK;
  if (f->value == dls_value_slip && c->rest_dt != NULL && j == c->run->state.located.contact) {
    *dt = c->rest_dt[k];
    return DLS_OK;
  }
  if (f->value == dls_value_gap) {
    status = dls_neighbours_gap_change(tangents, k, j, c->t, c->q, sim->v_left, &change, err);
    rate = dls_configuration_row(self->work.contacts.config, self->method.d * j, sim->v_left);
    row_rates(c, self->method.d * j, 1, &turn);
  } else {
    status = dls_neighbours_event_derivative(tangents, (int)k, f, &along, &change, NULL, err);
  }
  if (status == DLS_OK && f->value == dls_value_slip) {
    status = dls_geometry_set(&self->state, &self->work, c->t, c->q, err);
    double rates[2] = {0};
    row_rates(c, self->method.d * j + 1, self->method.d - 1, rates);
    rate = dls_slip_along(self->method.d, rates, ((const dls_contact_function *)f->data)->along);
    if (status == DLS_OK && self->method.d == 2 && change != 0) { /* in space slip turns and does not pass 0 */
      const dls_state_function slope = {dls_value_slip_rate, f->data, 1};
      status = dls_neighbours_event_derivative(tangents, DLS_NO_PARAMETER, &slope, &flow, &turn, NULL, err);
    }
  } else if (status == DLS_OK && f->value != dls_value_gap) {
    status = dls_neighbours_event_derivative(tangents, DLS_NO_PARAMETER, f, &flow, &rate, NULL, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  *dt = -change / rate;
  if (!(fabs(rate) > threshold_transversal * rate_unit(c->run, j))) {
    *dt = NAN;
    return DLS_OK;
  }
  if (turn != 0 && change != 0) {
    const double radius = rate * rate / (2 * fabs(turn * change));
    if (f->value == dls_value_gap) {
      limit_validity(tangents, k, j, fabs(rate), radius);
    } else {
      tangents->valid_within[k] = fmin(tangents->valid_within[k], radius);
    }
  }
  return DLS_OK;
}

/* Line 3: dx+ = D R(x^) - f+ dt, of R in out and of q in dq. */
static void return_to_fixed_time(const dls_motion_tangents *tangents, double dt, const double *v_to,
                                 const double *a_to, double *dq, double *dv)
{
  for (size_t i = 0; i < tangents->n; i++) {
    dq[i] = tangents->dq[i] - v_to[i] * dt;
    dv[i] = tangents->out[i] - a_to[i] * dt;
  }
}

/* Both sides of an impact at the border between stick and slip, in tangents->side; then out := D R of the own side. */
static dls_status one_sided_impact(const dls_crossing *c, size_t k, const dls_state_function *jump,
                                   const dls_state_line *line, double dt, const double *v_to,
                                   const double *a_to, dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  const int own = dls_tangent_side(tangents, k);
  dls_status status = DLS_OK;
  for (int i = 0; i < 2 && status == DLS_OK; i++) { /* the own side last, as its slopes stay in out */
    const int side = i == 0 ? -own : own;
    dls_side *to = &tangents->side[side > 0];
    status = dls_neighbours_side_derivative(tangents, (int)k, jump, line, side, tangents->out, err);
    return_to_fixed_time(tangents, dt, v_to, a_to, to->dq, to->dv);
    memcpy(to->v, v_to, tangents->n * sizeof *v_to);
    to->known = true;
    to->impacts = 0;
  }
  return status;
}

/* D P along the line, added to the derivatives of the impulses. side: of a one-sided impact; 0: both sides are equal */
static dls_status add_impulses(const dls_crossing *c, size_t k, const dls_impact_function *impact,
                               const dls_state_line *line, int side, dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  const size_t d = c->run->method.d;
  const dls_state_function P = {dls_value_impulse, impact, d * impact->set.count};
  const dls_status status =
      side != 0 ? dls_neighbours_side_derivative(tangents, (int)k, &P, line, side, tangents->out, err)
                : dls_neighbours_event_derivative(tangents, (int)k, &P, line, tangents->out, NULL, err);
  for (size_t i = 0; i < P.size; i++) {
    dls_tangent_impulses(tangents, k)[d * impact->set.index[i / d] + i % d] += tangents->out[i];
  }
  return status;
}

/* The same by differences of impacts, where impact_slopes.h has none; at the border of two modes of one side, if both differ. */
static dls_status differentiate_impact(const dls_crossing *c, size_t k, const dls_impact_function *impact,
                                       const dls_state_line *line, const double *v_to, const double *a_to,
                                       dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  dls_event_integrator *self = tangents->self.run;
  double *x = tangents->x + 2 * tangents->n * k, bend = 0;
  dls_status status = dls_geometry_set(&self->state, &self->work, line->t, line->q, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_impact_function raised = *impact;
  raised.u = dls_impact_raise(tangents, impact, line->v);
  const dls_state_function jump = {dls_value_impact, &raised, tangents->n};
  status = dls_neighbours_event_derivative(tangents, (int)k, &jump, line, tangents->out, &bend, err);
  const int side = bend > threshold_tangent_bend ? dls_tangent_side(tangents, k) : 0;
  if (status == DLS_OK && side != 0) {
    dls_tangent_note(&tangents->result->tangent[k], DLS_DERIVATIVE_ONE_SIDED, c->t, impact->set.index[0]);
    status = one_sided_impact(c, k, &jump, line, line->dt, v_to, a_to, err);
    dls_tangent_keep_sides(tangents, k);
  }
  return_to_fixed_time(tangents, line->dt, v_to, a_to, x, x + tangents->n);
  return status == DLS_OK && dls_tangents_have_forces(tangents) ? add_impulses(c, k, &raised, line, side, err)
                                                                : status;
}

dls_status dls_tangent_saltation(const dls_crossing *c, size_t k, const dls_impact_function *impact, double dt,
                                 const double *v_from, const double *a_from, const double *v_to,
                                 const double *a_to, dls_error *err)
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
    const dls_state_line line = {c->t, c->q, v_from, dt, tangents->dq, tangents->dv};
    bool known = false;
    const dls_status status = dls_impact_slopes(c, k, impact, &line, &known, err);
    if (!known && status == DLS_OK) {
      return differentiate_impact(c, k, impact, &line, v_to, a_to, err);
    }
    return_to_fixed_time(tangents, dt, v_to, a_to, x, x + n);
    return status;
  }
  return_to_fixed_time(tangents, dt, v_to, a_to, x, x + n);
  return DLS_OK;
}

/* --- the projection --- */

/* x += the least change in the mass metric that changes the first `count` held rows by -rows, in the geometry that is set. */
static dls_status remove_rows(dls_event_integrator *self, size_t count, const double *rows, double *x,
                              dls_error *err)
{
  dls_event_work *work = &self->work;
  const dls_status status =
      dls_delassus_solve_bilateral(work->contacts.W, count, work->held, rows, work->impulse, err);
  if (status == DLS_OK) {
    dls_delassus_apply(work->contacts.W, count, work->held, 1, work->impulse, x);
  }
  return status;
}

/* rows := D u of the held rows along dq and dv of the line and a parameter, in the geometry of the line afterwards. */
static dls_status change_held(dls_motion_tangents *tangents, int direction, const dls_state_line *line,
                              size_t count, double *rows, dls_error *err)
{
  dls_event_integrator *self = tangents->self.run;
  const dls_state_function held = {dls_value_held, NULL, count};
  const dls_state_line at_v = {.t = line->t, .q = line->q, .v = line->v, .dq = line->dq};
  dls_status status = dls_neighbours_event_derivative(tangents, direction, &held, &at_v, rows, NULL, err);
  status = status != DLS_OK ? status : dls_geometry_set(&self->state, &self->work, line->t, line->q, err);
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    rows[i] += dls_matrix_column_dot(self->work.contacts.config->H, self->work.held[i], line->dv);
  }
  return status;
}

/* rows += D_p u of the normals of closed contacts, D_(t, q) [dg/dp] (1, v) of the stated dg/dp: a difference of fourth order. */
static void add_stated_rates(dls_motion_tangents *tangents, size_t k, const dls_state_line *line, double *rows)
{
  static const double weight[] = {1.0 / 12, -8.0 / 12, 0, 8.0 / 12, -1.0 / 12};
  const dls_event_integrator *self = tangents->self.run;
  const dls_contacts *closed = &self->state.active;
  const double step = threshold_tangent_event_increment * self->method.sys->time;
  for (int at = -2; at <= 2; at++) {
    for (size_t i = 0; i < tangents->n; i++) {
      tangents->q[i] = line->q[i] + at * step * line->v[i];
    }
    const double *g = dls_model_terms(tangents, k, line->t + at * step, tangents->q, line->v)->g;
    for (size_t i = 0; i < closed->count; i++) {
      rows[i] += weight[at + 2] / step * g[closed->index[i]];
    }
  }
}

/* dq, then dv := the nearest that keep the closed contacts, where parameter k moves the gaps by the dg/dp that the model states, else by a
 * difference. Sets the geometry of the line. */
static dls_status onto_contacts(dls_motion_tangents *tangents, size_t k, const dls_state_line *line,
                                bool joints, double *dq, double *dv, dls_error *err)
{
  dls_event_integrator *self = tangents->self.run;
  const dls_contacts *closed = &self->state.active;
  const dls_by_parameter *by =
      self->work.solver == NULL && !joints ? dls_model_terms(tangents, k, line->t, line->q, line->v) : NULL;
  const int direction = by != NULL ? DLS_NO_PARAMETER : (int)k;
  const dls_state_function gaps = {dls_value_gaps, NULL, closed->count};
  const dls_state_line fixed = {.t = line->t, .q = line->q, .v = line->v};
  double *rows = tangents->u;
  dls_status status = dls_neighbours_event_derivative(tangents, direction, &gaps, &fixed, rows, NULL, err);
  status = status != DLS_OK ? status : dls_geometry_set(&self->state, &self->work, line->t, line->q, err);
  for (size_t i = 0; i < closed->count && status == DLS_OK; i++) {
    const size_t j = closed->index[i];
    rows[i] += dls_matrix_column_dot(self->work.contacts.config->normals, j, dq) + (by != NULL ? by->g[j] : 0);
  }
  status = status != DLS_OK
               ? status
               : remove_rows(self, dls_geometry_hold_rows(self, &self->state.active, false), rows, dq, err);
  if (status == DLS_OK) {
    dls_redundant_check_rows(tangents, k, line, closed->count, rows, 0);
  }
  if (status != DLS_OK || dls_tangent_has_ended(tangents, k)) {
    return status;
  }
  if (joints) { /* dv with this dq */
    dls_joint_slopes_project(tangents, (int)k, line->t, line->q, line->v, dq, dv);
  }
  const size_t held = dls_geometry_hold_rows(self, &self->state.active, true);
  status = change_held(tangents, direction, line, held, rows, err);
  if (by != NULL && status == DLS_OK) {
    add_stated_rates(tangents, k, line, rows);
  }
  status = status != DLS_OK ? status : remove_rows(self, held, rows, dv, err);
  if (status == DLS_OK) {
    dls_redundant_check_rows(tangents, k, line, held, rows, 1);
  }
  return status;
}

dls_status dls_tangent_project(const dls_crossing *c, size_t k, const double *q, const double *v,
                               dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  dls_event_integrator *self = tangents->self.run;
  const dls_contact_system *contacts = &c->run->work.contacts;
  const bool joints = contacts->joints != NULL && !contacts->loose, any = self->state.active.count > 0;
  double *dq = tangents->x + 2 * tangents->n * k, *dv = dq + tangents->n;
  const dls_state_line line = {.t = c->t, .q = q, .v = v, .dq = dq, .dv = dv};
  dls_status status = joints ? dls_geometry_set(&self->state, &self->work, c->t, q, err) : DLS_OK;
  if (joints && status == DLS_OK) {
    dls_joint_slopes_project(tangents, (int)k, c->t, q, v, dq, dv);
  }
  return status == DLS_OK && any ? onto_contacts(tangents, k, &line, joints, dq, dv, err) : status;
}

dls_status dls_tangent_come_to_rest(const dls_crossing *c, size_t k, dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  dls_event_integrator *self = tangents->self.run;
  dls_contact_system *contacts = &self->work.contacts;
  const size_t n = tangents->n, rows = self->method.d * self->method.m,
               held = dls_geometry_hold_rows(self, &self->state.active, true);
  double *dv = tangents->x + 2 * n * k + n, *u = tangents->u, *change = tangents->dv;
  if (self->work.solver == NULL || self->state.active.count == 0) {
    return DLS_OK; /* the projection does it */
  }
  const dls_state_line line = {.t = c->t, .q = c->run->work.q, .v = c->run->work.v, .dq = dv - n, .dv = dv};
  dls_status status = change_held(tangents, (int)k, &line, held, u, err);
  if (status != DLS_OK) {
    return status;
  }
  memset(change, 0, n * sizeof *change);
  memset(contacts->curvature, 0, rows * sizeof *u);
  for (size_t i = 0; i < held; i++) {
    contacts->curvature[self->work.held[i]] = u[i];
  }
  status = dls_mode_solver_reaction(self->work.solver, &self->state.active, self->state.mode, NULL, NULL,
                                    change, self->work.lambda, err);
  memset(contacts->curvature, 0, rows * sizeof *u);
  for (size_t i = 0; i < n; i++) {
    dv[i] += change[i];
  }
  return status;
}

double dls_tangent_coupling(const dls_crossing *c, size_t i, size_t j)
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

bool dls_tangent_closes(const dls_participant *participant)
{
  return participant->closing && participant->u_minus < 0;
}
