/* event_driven/accumulation/accumulation_end.c -- the end of an accumulation: who rests there, the impulses in the node, the event.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/accumulation/accumulation_parts.h"
#include <math.h>
#include <string.h>

/* Mean of both courses, without what those that are held add. */
static double friction(const dls_accumulation *acc, size_t i, size_t tangent)
{
  const dls_course *a = &acc->course[0], *b = &acc->course[1];
  return 0.5 * (a->c[2 * i + tangent] * a->sums->P[i] + b->c[2 * i + tangent] * b->sums->P[i]);
}

/* The event's contacts, with the impulses; left limits in tr->q, tr->v. @return how many rest: tr->subset, tr->down */
static size_t place(dls_tracker *tr, dls_accumulation *acc)
{
  const dls_course *a = &acc->course[0], *b = &acc->course[1];
  size_t rest = 0;
  for (size_t i = 0; i < acc->k; i++) {
    const size_t j = acc->set[i];
    acc->P[i] = 0.5 * (a->sums->P[i] + b->sums->P[i]);
    tr->set[i] = j;
    tr->was_closed[j] = tr->contact[j].closed;
    if (!tr->contact[j].weighed) { /* it has not been hit by itself */
      dls_tracker_weigh(tr, j);
    }
    tr->touch[i] = (dls_touch){.contact = j,
                               .impulse = acc->P[i],
                               .friction = {friction(acc, i, 0), friction(acc, i, 1)},
                               .closing = a->sums->rests[i]};
    if (a->sums->rests[i]) {
      tr->subset[rest] = tr->down[rest] = j;
      rest++;
    }
  }
  for (size_t i = 0; i < acc->k; i++) { /* when the impulses of all are there */
    dls_accumulation_friction(tr, acc, a, 0.5, acc->P, i, tr->touch[i].friction);
    dls_accumulation_friction(tr, acc, b, 0.5, acc->P, i, tr->touch[i].friction);
  }
  tr->touched = acc->k;
  for (size_t i = 0; i < tr->n; i++) {
    tr->q[i] = 0.5 * (a->q[i] + b->q[i]);
    tr->v[i] = 0.5 * (a->v[i] + b->v[i]);
  }
  return rest;
}

/* u+ of the touching contacts, and their slip, for tr->v. */
static void look(dls_tracker *tr, const dls_accumulation *acc, size_t rest)
{
  for (size_t i = 0, r = 0; i < acc->k; i++) {
    dls_touch *touch = &tr->touch[i];
    const size_t j = touch->contact;
    const bool rests = r < rest && tr->subset[r] == j;
    r += rests;
    touch->u_plus = rests ? 0 : dls_place_row(tr->stage.place, tr->d * j, tr->v);
    dls_slip_of(tr, j, tr->v, touch->slip_plus);
  }
}

/* Those that rest are put there, and what that takes is part of the impulses. */
static dls_status settle(dls_tracker *tr, dls_accumulation *acc, size_t down, size_t rest, dls_error *err)
{
  const dls_status status = dls_tracker_project(tr, down, rest, err);
  if (status == DLS_OK) {
    dls_tracker_add_held(tr, acc->k);
  }
  look(tr, acc, rest);
  return status;
}

/* As the courses say. */
static dls_status settle_series(dls_tracker *tr, dls_accumulation *acc, size_t rest, dls_error *err)
{
  for (size_t i = 0; i < acc->k; i++) {
    dls_slip_settle(tr, &tr->touch[i], acc->tangency[i] != DLS_TANGENCY_SLIDES);
  }
  return settle(tr, acc, rest, rest, err);
}

/* By one impact without restitution. @param[in,out] rest  those that it throws off do not */
static dls_status settle_at_once(dls_tracker *tr, dls_accumulation *acc, size_t *rest, dls_error *err)
{
  const size_t down = *rest;
  dls_status status = dls_tracker_geometry(tr, tr->hit.t, tr->q, err);
  status = status != DLS_OK ? status : dls_accumulation_strike(tr, acc, down, err);
  if (status != DLS_OK) {
    return status;
  }
  *rest = 0;
  for (size_t i = 0, r = 0; i < acc->k && r < down; i++) {
    const dls_touch *touch = &tr->touch[i];
    const size_t j = touch->contact;
    if (tr->down[r] == j) {
      r++;
      const double u = dls_place_row(tr->stage.place, tr->d * j, tr->v);
      if (tr->contact[j].weight * touch->impulse >= u) {
        tr->subset[(*rest)++] = j;
      }
    }
  }
  return settle(tr, acc, down, *rest, err);
}

/* Gates of those that fly on. */
static void open_gates(dls_tracker *tr)
{
  dls_system_gap(tr->sys, tr->hit.t, tr->q, tr->g);
  for (size_t i = 0; i < tr->touched; i++) {
    const size_t j = tr->touch[i].contact;
    dls_contact *contact = &tr->contact[j];
    if (!contact->closed) {
      contact->gate = tr->g[j] > 0 ? DLS_GATE_OPEN : DLS_GATE_LEAVING;
      contact->below = fmin(fmax(-2 * tr->g[j], 0), 0.5 * tr->eps.g);
      contact->peak = fmax(fabs(tr->touch[i].u_plus), tr->was_closed[j] ? 0 : contact->peak);
    }
  }
}

static void report(dls_tracker *tr, const dls_event *passed)
{
  dls_event event = *passed;
  event.t = event.time_end = tr->hit.t;
  event.bound += dls_tracker_gap_uncertainty(tr, event.t);
  event.bound_velocity += tr->uncertainty.dv;
  for (size_t i = 0; i < tr->touched; i++) {
    event.members += tr->touch[i].impulse > 0;
  }
  for (size_t i = 0; i < tr->touched; i++) {
    const dls_touch *touch = &tr->touch[i];
    event.contact = touch->contact;
    event.u_minus = touch->u_minus;
    event.u_plus = touch->u_plus;
    event.impulse = touch->impulse;
    event.work_friction = 0; /* of this contact */
    dls_tracker_book(tr, touch, &event);
    event.kind = touch->jams ? DLS_JAM : DLS_ACCUMULATION;
    if (touch->impulse > 0) {
      dls_sim_event(tr->sim, &event);
    } else if (tr->was_closed[touch->contact] && !tr->contact[touch->contact].closed) {
      dls_sim_event(tr->sim, &(dls_event){.t = event.t, .kind = DLS_LIFT_OFF, .contact = event.contact});
    }
  }
}

/* v_left := v without the impulses, and u- with it. */
static void take_back(dls_tracker *tr, dls_accumulation *acc)
{
  const dls_contacts set = {acc->k, acc->set};
  for (size_t i = 0; i < acc->k; i++) {
    acc->r[tr->d * i] = tr->touch[i].impulse;
    memcpy(acc->r + tr->d * i + 1, tr->touch[i].friction, (tr->d - 1) * sizeof *acc->r);
  }
  dls_stage_apply(&tr->stage, &set, -1, acc->r, tr->sim->v_left);
  for (size_t i = 0; i < acc->k; i++) {
    dls_touch *touch = &tr->touch[i];
    touch->u_minus = dls_place_row(tr->stage.place, tr->d * touch->contact, tr->sim->v_left);
    dls_slip_of(tr, touch->contact, tr->sim->v_left, touch->slip_minus);
  }
}

/* Who rests, with what impulses. @param[out] rest  how many: tr->subset; 0 and not *arrived: friction is not that of the courses */
static dls_status come_to_rest(dls_tracker *tr, dls_accumulation *acc, dls_event *passed, bool must,
                               size_t *rest, bool *arrived, dls_error *err)
{
  const double error = fmax(passed->bound_velocity, tr->eps.tol * tr->sys->length / tr->sys->time);
  *rest = place(tr, acc);
  *arrived = false;
  dls_status status = DLS_OK;
  if (acc->slip == DLS_SLIP_AGREES) {
    status = settle_series(tr, acc, *rest, err);
    *arrived = status == DLS_OK && dls_accumulation_is_lawful(tr, acc, error);
  }
  if (acc->slip == DLS_SLIP_PUSHED) {
    status = settle_at_once(tr, acc, rest, err);
    *arrived = status == DLS_OK && dls_accumulation_ends_still(tr, acc);
    status = status == DLS_ERR_MEMORY || status == DLS_ERR_INTERRUPTED ? status : DLS_OK;
  }
  if (!*arrived && must && status == DLS_OK) {
    *rest = place(tr, acc);
    passed->bound_velocity += fmax(acc->course[0].sums->swing, acc->course[1].sums->swing);
    status = settle_at_once(tr, acc, rest, err);
    *arrived = status == DLS_OK;
  }
  return status;
}

/* As it was before. */
static dls_status go_back(dls_tracker *tr, dls_error *err)
{
  tr->hit = (dls_hit){.kind = DLS_HIT_NONE, .t = HUGE_VAL};
  tr->memo.valid = false;
  return dls_tracker_geometry(tr, tr->sim->t, tr->sim->q, err);
}

/* Friction is against the slip that is there when all impulses are taken back. */
static void turn_grips(dls_tracker *tr, const dls_accumulation *acc)
{
  for (size_t i = 0; i < acc->k; i++) {
    double e[2];
    dls_contact *contact = &tr->contact[acc->set[i]];
    if (contact->closed && contact->grip.kind == DLS_GRIP_SLIPS) {
      dls_slip_way(tr, acc->set[i], tr->sim->v_left, e);
      memcpy(contact->grip.e, e, sizeof contact->grip.e);
    }
  }
  tr->memo.valid = false;
}

/* Contacts that would pull with that friction do not press. tr->active is made anew after the left limits. @return are there any? */
static bool let_go(dls_tracker *tr)
{
  size_t kept = 0;
  for (size_t k = 0; k < tr->active.count; k++) {
    const size_t j = tr->active.index[k];
    if (!(tr->contact[j].weight * tr->lambda[tr->d * j] < -tr->eps.a)) {
      tr->active.index[kept++] = j;
    }
  }
  const bool any = kept < tr->active.count;
  tr->active.count = kept;
  tr->memo.valid = tr->memo.valid && !any;
  return any;
}

/* With the impulses of the node taken back; tr->grip is again that of what follows. */
static dls_status left_limits(dls_tracker *tr, dls_accumulation *acc, dls_error *err)
{
  memcpy(tr->sim->v_left, tr->v, tr->n * sizeof *tr->v);
  take_back(tr, acc);
  turn_grips(tr, acc);
  dls_status status = dls_tracker_left_limits(tr, tr->sim->v_left, err);
  while (status == DLS_OK && let_go(tr)) {
    status = dls_tracker_left_limits(tr, tr->sim->v_left, err);
  }
  for (size_t i = 0; i < acc->k; i++) {
    dls_slip_settle(tr, &tr->touch[i], tr->touch[i].still);
  }
  return status;
}

dls_status dls_accumulation_arrive(dls_tracker *tr, dls_accumulation *acc, dls_event *passed, double end,
                                   bool must, bool *arrived, dls_error *err)
{
  const double tau = passed->duration;
  const double next = fmin(acc->course[0].sums->next, acc->course[1].sums->next);
  size_t rest = 0;
  tr->hit = (dls_hit){.kind = DLS_HIT_CROSSING, .t = fmin(tr->sim->t + tau, end), .contact = acc->set[0]};
  dls_status status = come_to_rest(tr, acc, passed, must, &rest, arrived, err);
  if (status != DLS_OK || !*arrived) {
    return status != DLS_OK ? status : go_back(tr, err);
  }
  status = left_limits(tr, acc, err);
  status = status != DLS_OK ? status : dls_tracker_acceleration_stage(tr, rest, err);
  if (status == DLS_ERR_JAM && tr->eps.jam_impact) {
    status = dls_slip_unjam(tr, acc->k, err);
  }
  if (status != DLS_OK) {
    return status == DLS_ERR_JAM ? dls_slip_fail(tr, err) : status;
  }
  open_gates(tr);
  status = dls_tracker_restart(tr, rest < acc->k ? tr->scale : 1, next < HUGE_VAL ? next : 0, err);
  if (status == DLS_OK) {
    dls_tracker_commit(tr, acc->k);
    report(tr, passed);
    tr->hit = (dls_hit){.kind = DLS_HIT_NONE, .t = HUGE_VAL};
  }
  return status;
}
