/* event_driven/sensitivity/switch_orders.c -- contacts that switch together without an impact, in the order that a small change of p gives
 * them: two that stop, or one that stops while another is released.
 *
 * For p + s eps, s = -1 or 1, the root functions h_j fall one after the other: next the one with the smallest s dt_j,
 *   dt_j = -D h_j / h_j',   dx := dx + (f - f+) dt_j                                                       (1)
 * where f has the modes so far, and f+ that of contact j after the event too. The state itself is continuous. If dx is the same for both
 * signs, there is a derivative; otherwise there are two. In space slip has a constant direction e only if its D u_T across e is 0 at its end;
 * otherwise the sides are not known.
 * Source: Burden, Sastry, Koditschek & Revzen 2016.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/arrays.h"
#include "event_driven/sensitivity/event_tangents.h"
#include <math.h>
#include <string.h>

/* One side of an event. */
typedef struct order {
  const dls_crossing *c;
  size_t k;    /* direction */
  int side;    /* -1: falling p, 1: rising p */
  double last; /* dt of the switch before */
  bool own;    /* dt of each contact is kept as that of its event */
  bool known;  /* each switch comes after the one before it, and all come */
  dls_side *out;
} order;

/* Has contact j a root function that fell, and has it not been passed on this side? */
static dls_state_function pending(const order *s, size_t j, dls_contact_function *which)
{
  dls_state_function f = dls_tangent_switch_function(s->c, j, which);
  f.value = s->c->tangents->switched[j] ? NULL : f.value;
  return f;
}

/* dt of contact j, with the modes so far; NaN: h does not fall, or is not 0 there. */
static dls_status switch_time(const order *s, const dls_state_function *f, double *dt, dls_error *err)
{
  dls_motion_tangents *tangents = s->c->tangents;
  const double *v = s->c->run->sim->v_left, *dq = tangents->x + 2 * tangents->n * s->k;
  const dls_state_line along = {.t = s->c->t, .q = s->c->q, .v = v, .dq = dq, .dv = dq + tangents->n},
                       flow = {.t = s->c->t, .q = s->c->q, .v = v, .dt = 1, .dq = v, .dv = tangents->a_from};
  double change = 0, rate = 0, h = 0;
  dls_status status = dls_neighbours_event_derivative(tangents, (int)s->k, f, &along, &change, NULL, err);
  if (status == DLS_OK) {
    status = dls_neighbours_event_derivative(tangents, DLS_NO_PARAMETER, f, &flow, &rate, NULL, err);
  }
  if (status == DLS_OK) {
    status = f->value(tangents->self.run, f->data, s->c->t, s->c->q, v, &h, err);
  }
  const double left = fabs(h) / fabs(rate); /* how far away its zero is [s] */
  *dt = left <= threshold_same_switch * s->c->run->method.sys->time ? -change / rate : NAN;
  return status;
}

/* Neighbours keep the direction of slip that has ended: that of its velocity is round-off. */
static void hold_directions(const dls_crossing *c, size_t k, bool hold)
{
  dls_motion_tangents *tangents = c->tangents;
  const dls_event_state *state = &c->run->state;
  for (size_t j = 0; j < c->run->method.m && c->run->method.d == 3; j++) {
    dls_neighbours_switch(tangents, k, j, state->was_closed[j], &state->was[j]);
  }
  for (size_t i = 0; i <= tangents->result->direction[k].count && c->run->method.d == 3; i++) {
    dls_event_integrator *near =
        i == 0 ? tangents->self.run : tangents->near[DLS_DIRECTION_SYSTEMS * k + i - 1].run;
    near->state.located.kind = hold ? DLS_LOCATED_REST : DLS_LOCATED_NONE;
    near->state.located.contact = state->located.contact;
    near->work.memo.valid = false;
  }
}

/* s->known: in space, slip that ends at dt does not turn. */
static dls_status check_direction(order *s, size_t j, double dt, dls_error *err)
{
  const dls_crossing *c = s->c;
  dls_motion_tangents *tangents = c->tangents;
  const dls_system *sys = c->run->method.sys;
  const size_t n = tangents->n;
  const double *v = c->run->sim->v_left, *x = tangents->x + 2 * n * s->k;
  dls_contact_function which;
  double across = 0;
  if (c->run->method.d < 3 || dls_tangent_switch_function(c, j, &which).value != dls_value_slip) {
    return DLS_OK;
  }
  for (size_t i = 0; i < n; i++) {
    tangents->dq[i] = x[i] + v[i] * dt;
    tangents->dv[i] = x[n + i] + tangents->a_from[i] * dt;
  }
  const dls_contact_function turned = {.contact = j, .along = {-which.along[1], which.along[0]}};
  const dls_state_function slip = {dls_value_slip, &turned, 1};
  const dls_state_line line = {.t = c->t, .q = c->q, .v = v, .dt = dt, .dq = tangents->dq, .dv = tangents->dv};
  const dls_status status =
      dls_neighbours_event_derivative(tangents, (int)s->k, &slip, &line, &across, NULL, err);
  s->known = s->known && fabs(across) <= threshold_same_sides * sys->length / sys->time *
                                             fmax(1 / dls_direction_unit(&tangents->result->direction[s->k]),
                                                  dls_tangent_distance(tangents, x, NULL));
  return status;
}

/* (1): the next contact; SIZE_MAX: all have switched. */
static dls_status next_switch(order *s, size_t *next, double *dt, dls_error *err)
{
  const double least = threshold_same_switch * s->c->run->method.sys->time;
  dls_status status = DLS_OK;
  *next = SIZE_MAX;
  for (size_t j = 0; j < s->c->run->method.m && status == DLS_OK; j++) {
    dls_contact_function which;
    const dls_state_function f = pending(s, j, &which);
    double own = 0;
    if (f.value == NULL) {
      continue;
    }
    status = switch_time(s, &f, &own, err);
    s->known = s->known && s->side * own >= s->side * s->last - fmax(least, threshold_same_switch * fabs(own));
    if (*next == SIZE_MAX || s->side * own < s->side * *dt) {
      *next = j;
      *dt = own;
    }
  }
  return status;
}

/* All switches of one side, from the modes before the event. */
static dls_status run_order(order *s, dls_error *err)
{
  const dls_crossing *c = s->c;
  dls_motion_tangents *tangents = c->tangents;
  const dls_event_integrator *run = c->run;
  const size_t n = tangents->n;
  dls_tangent *tangent = &tangents->result->tangent[s->k];
  const double *v = run->sim->v_left, *x = tangents->x + 2 * n * s->k;
  dls_status status = DLS_OK;
  memset(tangents->switched, 0, run->method.m * sizeof *tangents->switched);
  memcpy(tangents->a_from, run->sim->a_left, n * sizeof *x);
  s->known = true;
  s->last = s->side > 0 ? -HUGE_VAL : HUGE_VAL;
  while (status == DLS_OK && s->known) {
    size_t next = SIZE_MAX;
    double dt = 0;
    status = next_switch(s, &next, &dt, err);
    if (status == DLS_OK && s->known && next < SIZE_MAX) {
      status = check_direction(s, next, dt, err);
    }
    if (status != DLS_OK || !s->known || next == SIZE_MAX) {
      break;
    }
    tangents->switched[next] = true;
    dls_neighbours_switch(tangents, s->k, next, run->state.contact[next].closed,
                          &run->state.contact[next].mode);
    status = dls_smooth_dynamics(tangents->self.run, c->t, c->q, v, tangents->a_to,
                                 tangents->self.run->work.lambda, err);
    status = status != DLS_OK
                 ? status
                 : dls_tangent_saltation(c, s->k, NULL, dt, v, tangents->a_from, v, tangents->a_to, err);
    dls_swap(&tangents->a_from, &tangents->a_to);
    s->last = dt;
    if (s->own) {
      tangent->dt = tangent->contact_dt[next] = dt;
    }
  }
  for (size_t j = 0; j < run->method.m; j++) {
    if (tangents->switched[j]) {
      dls_neighbours_switch(tangents, s->k, j, run->state.was_closed[j], &run->state.was[j]);
    }
  }
  s->out->known = s->known;
  s->out->impacts = 0;
  memcpy(s->out->v, run->work.v, n * sizeof *x);
  memcpy(s->out->dq, x, n * sizeof *x);
  memcpy(s->out->dv, x + n, n * sizeof *x);
  return status;
}

/* Another contact whose root function is 0 too; SIZE_MAX: none. Contacts that only follow the forces of others have none. */
static dls_status find_other(const dls_crossing *c, size_t k, size_t *other, dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  const order s = {.c = c, .k = k};
  dls_status status = DLS_OK;
  *other = SIZE_MAX;
  memset(tangents->switched, 0, c->run->method.m * sizeof *tangents->switched);
  memcpy(tangents->a_from, c->run->sim->a_left, tangents->n * sizeof *tangents->a_from);
  for (size_t j = 0; j < c->run->method.m && status == DLS_OK; j++) {
    dls_contact_function which;
    const dls_state_function f = pending(&s, j, &which);
    double dt = NAN;
    if (j != c->run->state.located.contact && f.value != NULL) {
      status = switch_time(&s, &f, &dt, err);
    }
    *other = isnan(dt) ? *other : j;
  }
  return status;
}

static dls_status cross_switches(const dls_crossing *c, size_t k, bool *crossed, dls_error *err)
{
  size_t other = SIZE_MAX;
  dls_status status = find_other(c, k, &other, err);
  *crossed = false;
  if (status != DLS_OK || other == SIZE_MAX) {
    return status;
  }
  dls_motion_tangents *tangents = c->tangents;
  const size_t n = tangents->n, size = 2 * n;
  double *x = tangents->x + size * k;
  const int side = dls_tangent_side(tangents, k);
  order own = {.c = c, .k = k, .side = side, .own = true, .out = &tangents->side[side > 0]},
        last = {.c = c, .k = k, .side = -side, .out = &tangents->side[side < 0]};
  memcpy(tangents->first, x, size * sizeof *x);
  status = run_order(&last, err);
  memcpy(x, tangents->first, size * sizeof *x);
  status = status != DLS_OK ? status : run_order(&own, err);
  *crossed = status == DLS_OK && own.known && last.known;
  if (!*crossed) {
    memcpy(x, tangents->first, size * sizeof *x);
    dls_tangent_note(&tangents->result->tangent[k], DLS_DERIVATIVE_ONE_SIDED, c->t, other);
    return status;
  }
  memcpy(tangents->first, last.out->dq, n * sizeof *x);
  memcpy(tangents->first + n, last.out->dv, n * sizeof *x);
  if (dls_tangent_distance(tangents, x, tangents->first) >
      threshold_same_sides * fmax(1 / dls_direction_unit(&tangents->result->direction[k]),
                                  dls_tangent_distance(tangents, x, NULL))) {
    dls_tangent_note(&tangents->result->tangent[k], DLS_DERIVATIVE_ONE_SIDED, c->t, other);
    dls_tangent_keep_sides(tangents, k);
  }
  return DLS_OK;
}

dls_status dls_tangent_cross_switches(const dls_crossing *c, size_t k, bool *crossed, dls_error *err)
{
  hold_directions(c, k, true);
  const dls_status status = cross_switches(c, k, crossed, err);
  hold_directions(c, k, false);
  return status;
}
