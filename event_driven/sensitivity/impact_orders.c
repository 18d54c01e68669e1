/* event_driven/sensitivity/impact_orders.c -- impacts at the same time, in the order that a small change of p gives them.
 *
 * For p + s eps, s = -1 or 1, the gaps close one after the other. Between these impacts v is constant to first order, so the next impact
 * is that of the contact with
 *   u_i < 0  and the smallest  s dt_i,   dt_i = -D g_i / u_i                                             (1)
 * and each is an event of its own (saltation.c), until no contact closes. If v+ differs for both signs, the motion is discontinuous
 * in p; if v+ is the same, there are one-sided derivatives; impacts that do not act on each other have one derivative.
 * Source: Pace & Burden 2017; Burden, Sastry, Koditschek & Revzen 2016.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/arrays.h"
#include "event_driven/sensitivity/event_tangents.h"
#include <math.h>
#include <string.h>

/* Where a sequence of impacts has come to. */
typedef struct sequence {
  const dls_crossing *c;
  size_t k;       /* direction */
  int side;       /* -1: falling p, 1: rising p */
  double zero;    /* slower contacts rest [m/s] */
  bool own_times; /* dt of each contact is kept as that of its event */
  bool known;     /* it has an end, and each impact had one result */
  dls_side *out;
} sequence;

/* (1): the next contact; SIZE_MAX: none closes. @param[out] dt  of its impact
 * @param[out] unique  false: another contact, that acts on it, comes at the same time */
static dls_status next_impact(const sequence *s, size_t *next, double *dt, bool *unique, dls_error *err)
{
  const dls_crossing *c = s->c;
  dls_motion_tangents *tangents = c->tangents;
  dls_status status = DLS_OK;
  *next = SIZE_MAX;
  *unique = true;
  for (size_t i = 0; i < c->count && status == DLS_OK; i++) {
    const size_t j = c->run->state.participant[i].contact;
    const dls_contact_function which = {.contact = j};
    double u = 0, change = 0;
    if (tangents->self.run->state.contact[j].closed) {
      continue;
    }
    status = dls_value_normal(tangents->self.run, &which, c->t, c->q, tangents->v_from, &u, err);
    if (status == DLS_OK && u < -s->zero) {
      status = dls_neighbours_gap_change(c->tangents, s->k, j, c->t, c->q, tangents->v_from, &change, err);
      const double own = -change / u;
      const bool same =
          *next != SIZE_MAX && fabs(own - *dt) <= threshold_same_order * fmax(fabs(own), fabs(*dt));
      if (same && dls_tangent_coupling(c, j, *next) > threshold_coupled_impacts) {
        *unique = false;
      } else if (*next == SIZE_MAX || s->side * own < s->side * *dt) {
        *next = j;
        *dt = own;
        *unique = true;
      }
    }
  }
  return status;
}

/* The contacts that take part in an impact of contact j alone: it, and those that are closed. */
static dls_contacts gather(const sequence *s, size_t j, double u)
{
  dls_motion_tangents *tangents = s->c->tangents;
  dls_contacts set = {0, tangents->set};
  for (size_t i = 0; i < s->c->count; i++) {
    const size_t other = s->c->run->state.participant[i].contact;
    if (other == j || tangents->self.run->state.contact[other].closed) {
      tangents->hit[set.count] = (dls_participant){.contact = other, .u_minus = other == j ? u : 0};
      set.index[set.count++] = other;
    }
  }
  return set;
}

/* A contact that lands: it sticks or slips as in the run, if it rests there too. @return false: that is not known */
static bool land(dls_event_integrator *near, const dls_event_integrator *run, size_t j)
{
  if (near->state.contact[j].has_friction && !run->state.contact[j].closed) {
    return false;
  }
  near->state.contact[j].mode = near->state.mode[j] = run->state.contact[j].mode;
  return true;
}

/* Which contacts of the set rest after the impact. */
static dls_status settle(sequence *s, const dls_contacts *set, dls_error *err)
{
  dls_event_integrator *near = s->c->tangents->self.run;
  dls_status status = DLS_OK;
  for (size_t i = 0; i < set->count && status == DLS_OK; i++) {
    const dls_contact_function which = {.contact = set->index[i]};
    double u = 0;
    status = dls_value_normal(near, &which, s->c->t, s->c->q, s->c->tangents->v_to, &u, err);
    const bool rests = u <= s->zero, was = near->state.contact[set->index[i]].closed;
    s->known = s->known && (!rests || was || land(near, s->c->run, set->index[i]));
    dls_neighbour_set_closed(near, set->index[i], rests);
  }
  return status;
}

/* One impact, from v_from to v_to; the accelerations after it are those of the run if its motion continues from there. */
static dls_status make_impact(sequence *s, size_t j, double dt, dls_error *err)
{
  const dls_crossing *c = s->c;
  dls_motion_tangents *tangents = c->tangents;
  dls_event_integrator *near = tangents->self.run;
  const dls_contact_function which = {.contact = j};
  double u = 0;
  dls_status status = dls_value_normal(near, &which, c->t, c->q, tangents->v_from, &u, err);
  const dls_impact_function impact = {gather(s, j, u), tangents->hit, NULL, c->run, near->work.impulse};
  status = status != DLS_OK
               ? status
               : dls_value_impact(near, &impact, c->t, c->q, tangents->v_from, tangents->v_to, err);
  status = status != DLS_OK ? status : settle(s, &impact.set, err);
  if (status != DLS_OK) {
    return status;
  }
  const double *after = tangents->a_to;
  if (dls_tangent_same_velocity(c, tangents->v_to)) {
    after = c->run->work.a;
  } else if ((status = dls_smooth_dynamics(near, c->t, c->q, tangents->v_to, tangents->a_to, near->work.lambda,
                                           err)) != DLS_OK) {
    return status;
  }
  status = dls_geometry_set(&near->state, &near->work, c->t, c->q, err);
  status = status != DLS_OK ? status
                            : dls_tangent_saltation(c, s->k, &impact, dt, tangents->v_from, tangents->a_from,
                                                    tangents->v_to, after, err);
  if (s->own_times) {
    tangents->energy_jump[s->k] +=
        dt * dls_tangents_lost_energy(tangents, c->q, tangents->v_from, c->q, tangents->v_to);
  }
  dls_swap(&tangents->v_from, &tangents->v_to);
  if (after == tangents->a_to) {
    dls_swap(&tangents->a_from, &tangents->a_to);
  } else {
    memcpy(tangents->a_from, after, tangents->n * sizeof *after);
  }
  return status;
}

/* All impacts of one side, from the left limits. */
static dls_status run_sequence(sequence *s, dls_error *err)
{
  const dls_crossing *c = s->c;
  dls_motion_tangents *tangents = c->tangents;
  dls_tangent *tangent = &tangents->result->tangent[s->k];
  const size_t n = tangents->n;
  const double *x = tangents->x + 2 * n * s->k;
  dls_status status = DLS_OK;
  memcpy(tangents->v_from, c->run->sim->v_left, n * sizeof(double));
  memcpy(tangents->a_from, c->run->sim->a_left, n * sizeof(double));
  for (size_t i = 0; i < c->count; i++) {
    const size_t j = c->run->state.participant[i].contact;
    dls_neighbour_set_closed(tangents->self.run, j, c->run->state.was_closed[j]);
  }
  s->known = true;
  s->out->impacts = 0;
  tangents->energy_jump[s->k] = 0;
  dls_tangent_set_impulses(tangents, s->k, 0);
  while (status == DLS_OK && s->known) {
    size_t next = SIZE_MAX;
    double dt = 0;
    bool unique = true;
    status = next_impact(s, &next, &dt, &unique, err);
    if (status != DLS_OK || next == SIZE_MAX) {
      break;
    }
    if (s->own_times) {
      tangent->dt = tangent->contact_dt[next] = dt;
    }
    s->known = unique && s->out->impacts < threshold_order_passes;
    if (s->out->impacts < DLS_SIDE_IMPACTS) {
      s->out->contact[s->out->impacts] = next;
    }
    s->out->impacts++;
    status = s->known ? make_impact(s, next, dt, err) : status;
  }
  s->out->known = s->known;
  memcpy(s->out->v, tangents->v_from, n * sizeof *x);
  memcpy(s->out->dq, x, n * sizeof *x);
  memcpy(s->out->dv, x + n, n * sizeof *x);
  return status;
}

/* Largest difference of two velocities [l_s/t_s]. */
static double difference(const dls_motion_tangents *tangents, const double *a, const double *b)
{
  double most = 0;
  for (size_t i = 0; i < tangents->n; i++) {
    most = fmax(most, fabs(a[i] - b[i]));
  }
  return most * tangents->self.run->method.sys->time / tangents->self.run->method.sys->length;
}

bool dls_tangent_same_velocity(const dls_crossing *c, const double *v)
{
  return difference(c->tangents, v, c->run->work.v) <= threshold_same_velocity;
}

/* dt of all contacts that close, before any impact. @param[out] apart  some of them differ; NaN in dt: one is not transversal */
static dls_status first_times(const dls_crossing *c, size_t k, bool *apart, bool *transversal, dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  dls_tangent *tangent = &tangents->result->tangent[k];
  const dls_system *sys = c->run->method.sys;
  const double of_p = dls_direction_unit(&tangents->result->direction[k]);
  double first = NAN;
  *apart = false;
  *transversal = true;
  for (size_t i = 0; i < c->count; i++) {
    const dls_participant *participant = &c->run->state.participant[i];
    const dls_contact_function which = {.contact = participant->contact};
    const dls_state_function gap = {dls_value_gap, &which, 1};
    double dt = 0;
    if (!dls_tangent_closes(participant)) {
      continue;
    }
    const dls_status status = dls_tangent_event_time(c, k, &gap, &dt, err);
    if (status != DLS_OK) {
      return status;
    }
    *transversal = *transversal && !isnan(dt);
    if (isnan(first)) { /* of the event, for contacts that do not close too */
      first = dt;
      dls_tangent_set_event_dt(tangents, k, dt);
    }
    const double unit = fmax(sys->time, sys->length / fabs(participant->u_minus)) / of_p; /* dt = -D g/u */
    *apart = *apart || fabs(dt - first) > threshold_same_order * fmax(unit, fmax(fabs(dt), fabs(first)));
    tangent->dt = tangent->contact_dt[which.contact] = dt;
  }
  return DLS_OK;
}

/* Both sides, in tangents->side, and the own side in the tangents. */
static dls_status run_sides(const dls_crossing *c, size_t k, bool coupled, dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  const size_t size = 2 * tangents->n;
  double *x = tangents->x + size * k, fastest = 0;
  const int side = dls_tangent_side(tangents, k);
  for (size_t i = 0; i < c->count; i++) {
    fastest = fmin(fastest, c->run->state.participant[i].u_minus);
  }
  sequence own = {.c = c, .k = k, .side = side, .zero = -c->run->method.eps.u * fastest, .own_times = true},
           other = own;
  own.out = &tangents->side[side > 0];
  other.out = &tangents->side[side < 0];
  other.side = -side;
  other.own_times = false;
  memcpy(tangents->first, x, size * sizeof *x);
  dls_status status = coupled ? run_sequence(&other, err) : DLS_OK;
  memcpy(x, tangents->first, size * sizeof *x);
  return status != DLS_OK ? status : run_sequence(&own, err);
}

dls_status dls_tangent_cross_orders(const dls_crossing *c, size_t k, bool coupled, bool *at_once,
                                    dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  const size_t located = c->run->state.located.contact;
  const dls_side *own = &tangents->side[dls_tangent_side(tangents, k) > 0];
  bool apart = false, transversal = true;
  dls_status status = first_times(c, k, &apart, &transversal, err);
  *at_once = coupled && !apart && transversal && status == DLS_OK;
  if (status != DLS_OK || *at_once) {
    return status;
  }
  if (!transversal) {
    dls_tangent_end(tangents, k, DLS_DERIVATIVE_DEGENERATE, located);
    return DLS_OK;
  }
  if ((status = run_sides(c, k, coupled, err)) != DLS_OK) {
    return status;
  }
  bool continuous = own->known && dls_tangent_same_velocity(c, own->v);
  for (size_t i = 0; i < 2 && coupled; i++) {
    continuous = continuous && tangents->side[i].known && dls_tangent_same_velocity(c, tangents->side[i].v);
  }
  if (!continuous) {
    dls_tangent_end(tangents, k, DLS_DERIVATIVE_DISCONTINUOUS, located);
  } else if (coupled) {
    dls_tangent_note(&tangents->result->tangent[k], DLS_DERIVATIVE_ONE_SIDED, c->t, located);
  }
  if (coupled) {
    dls_tangent_keep_sides(tangents, k);
  }
  return DLS_OK;
}
