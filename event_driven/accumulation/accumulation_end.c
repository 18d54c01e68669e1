/* event_driven/accumulation/accumulation_end.c -- the end of an accumulation: who rests there, the impulses in the node, the event.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/accumulation/accumulation_parts.h"
#include <math.h>
#include <string.h>

/* Mean of both courses, without what those that are held add. */
static double mean_friction(const dls_accumulation *acc, size_t i, size_t tangent)
{
  const dls_local_pass *a = &acc->local_pass[0], *b = &acc->local_pass[1];
  return 0.5 * (a->c[2 * i + tangent] * a->sums->P[i] + b->c[2 * i + tangent] * b->sums->P[i]);
}

/* The event's contacts, with the impulses; left limits in tr->q, tr->v. @return how many rest: tr->subset, tr->down */
static size_t collect_participants(dls_event_integrator *tr, dls_accumulation *acc)
{
  const dls_local_pass *a = &acc->local_pass[0], *b = &acc->local_pass[1];
  size_t rest = 0;
  for (size_t i = 0; i < acc->k; i++) {
    const size_t j = acc->set[i];
    acc->P[i] = 0.5 * (a->sums->P[i] + b->sums->P[i]);
    tr->set[i] = j;
    tr->was_closed[j] = tr->contact[j].closed;
    if (!tr->contact[j].weighed) { /* it has not been hit by itself */
      dls_smooth_contact_weight(tr, j);
    }
    tr->participant[i] = (dls_participant){.contact = j,
                                           .impulse = acc->P[i],
                                           .friction = {mean_friction(acc, i, 0), mean_friction(acc, i, 1)},
                                           .closing = a->sums->rests[i]};
    if (a->sums->rests[i]) {
      tr->subset[rest] = tr->down[rest] = j;
      rest++;
    }
  }
  for (size_t i = 0; i < acc->k; i++) { /* when the impulses of all are there */
    dls_local_pass_held_friction(tr, acc, a, 0.5, acc->P, i, tr->participant[i].friction);
    dls_local_pass_held_friction(tr, acc, b, 0.5, acc->P, i, tr->participant[i].friction);
  }
  tr->participant_count = acc->k;
  for (size_t i = 0; i < tr->n; i++) {
    tr->q[i] = 0.5 * (a->q[i] + b->q[i]);
    tr->v[i] = 0.5 * (a->v[i] + b->v[i]);
  }
  return rest;
}

/* u+ of the touching contacts, and their slip, for tr->v. */
static void update_velocities(dls_event_integrator *tr, const dls_accumulation *acc, size_t rest)
{
  for (size_t i = 0, r = 0; i < acc->k; i++) {
    dls_participant *participant = &tr->participant[i];
    const size_t j = participant->contact;
    const bool rests = r < rest && tr->subset[r] == j;
    r += rests;
    participant->u_plus = rests ? 0 : dls_place_row(tr->stage.place, tr->d * j, tr->v);
    dls_slip_of(tr, j, tr->v, participant->slip_plus);
  }
}

/* Those that rest are put there, and what that takes is part of the impulses. */
static dls_status project_rest(dls_event_integrator *tr, dls_accumulation *acc, size_t down, size_t rest,
                               dls_error *err)
{
  const dls_status status = dls_smooth_project(tr, down, rest, err);
  if (status == DLS_OK) {
    dls_smooth_add_held_impulses(tr, acc->k);
  }
  update_velocities(tr, acc, rest);
  return status;
}

/* As the courses say. */
static dls_status rest_by_series(dls_event_integrator *tr, dls_accumulation *acc, size_t rest, dls_error *err)
{
  for (size_t i = 0; i < acc->k; i++) {
    dls_apply_mode(tr, &tr->participant[i], acc->tangency[i] != DLS_TANGENCY_SLIPS);
  }
  return project_rest(tr, acc, rest, rest, err);
}

/* By one impact without restitution. @param[in,out] rest  those that it throws off do not */
static dls_status rest_by_final_impact(dls_event_integrator *tr, dls_accumulation *acc, size_t *rest,
                                       dls_error *err)
{
  const size_t down = *rest;
  dls_status status = dls_smooth_geometry(tr, tr->located.t, tr->q, err);
  status = status != DLS_OK ? status : dls_accumulation_final_impact(tr, acc, down, err);
  if (status != DLS_OK) {
    return status;
  }
  *rest = 0;
  for (size_t i = 0, r = 0; i < acc->k && r < down; i++) {
    const dls_participant *participant = &tr->participant[i];
    const size_t j = participant->contact;
    if (tr->down[r] == j) {
      r++;
      const double u = dls_place_row(tr->stage.place, tr->d * j, tr->v);
      if (tr->contact[j].weight * participant->impulse >= u) {
        tr->subset[(*rest)++] = j;
      }
    }
  }
  return project_rest(tr, acc, down, *rest, err);
}

/* Gates of those that fly on. */
static void set_gap_thresholds(dls_event_integrator *tr)
{
  dls_system_gap(tr->sys, tr->located.t, tr->q, tr->g);
  for (size_t i = 0; i < tr->participant_count; i++) {
    const size_t j = tr->participant[i].contact;
    dls_contact *contact = &tr->contact[j];
    if (!contact->closed) {
      contact->gap_threshold = tr->g[j] > 0 ? DLS_GAP_THRESHOLD_ZERO : DLS_GAP_THRESHOLD_LEAVING;
      contact->threshold_depth = fmin(fmax(-2 * tr->g[j], 0), 0.5 * tr->eps.g);
      contact->peak = fmax(fabs(tr->participant[i].u_plus), tr->was_closed[j] ? 0 : contact->peak);
    }
  }
}

static void report_accumulation(dls_event_integrator *tr, const dls_event *passed)
{
  dls_event event = *passed;
  event.t = event.time_end = tr->located.t;
  event.bound += dls_simultaneous_gap_uncertainty(tr, event.t);
  event.bound_velocity += tr->uncertainty.dv;
  for (size_t i = 0; i < tr->participant_count; i++) {
    event.members += tr->participant[i].impulse > 0;
  }
  for (size_t i = 0; i < tr->participant_count; i++) {
    const dls_participant *participant = &tr->participant[i];
    event.contact = participant->contact;
    event.u_minus = participant->u_minus;
    event.u_plus = participant->u_plus;
    event.impulse = participant->impulse;
    event.work_friction = 0; /* of this contact */
    dls_event_record_work(tr, participant, &event);
    event.kind = participant->painleve ? DLS_JAM : DLS_ACCUMULATION;
    if (participant->impulse > 0) {
      dls_sim_event(tr->sim, &event);
    } else if (tr->was_closed[participant->contact] && !tr->contact[participant->contact].closed) {
      dls_sim_event(tr->sim, &(dls_event){.t = event.t, .kind = DLS_LIFT_OFF, .contact = event.contact});
    }
  }
}

/* v_left := v without the impulses, and u- with it. */
static void remove_impulses(dls_event_integrator *tr, dls_accumulation *acc)
{
  const dls_contacts set = {acc->k, acc->set};
  for (size_t i = 0; i < acc->k; i++) {
    acc->r[tr->d * i] = tr->participant[i].impulse;
    memcpy(acc->r + tr->d * i + 1, tr->participant[i].friction, (tr->d - 1) * sizeof *acc->r);
  }
  dls_stage_apply(&tr->stage, &set, -1, acc->r, tr->sim->v_left);
  for (size_t i = 0; i < acc->k; i++) {
    dls_participant *participant = &tr->participant[i];
    participant->u_minus = dls_place_row(tr->stage.place, tr->d * participant->contact, tr->sim->v_left);
    dls_slip_of(tr, participant->contact, tr->sim->v_left, participant->slip_minus);
  }
}

/* Who rests, with what impulses. @param[out] rest  how many: tr->subset; 0 and not *arrived: friction is not that of the courses */
static dls_status come_to_rest(dls_event_integrator *tr, dls_accumulation *acc, dls_event *passed, bool must,
                               size_t *rest, bool *arrived, dls_error *err)
{
  const double error = fmax(passed->bound_velocity, tr->eps.tol * tr->sys->length / tr->sys->time);
  *rest = collect_participants(tr, acc);
  *arrived = false;
  dls_status status = DLS_OK;
  if (acc->slip == DLS_SLIP_AGREES) {
    status = rest_by_series(tr, acc, *rest, err);
    *arrived = status == DLS_OK && dls_accumulation_is_lawful(tr, acc, error);
  }
  if (acc->slip == DLS_SLIP_PUSHED) {
    status = rest_by_final_impact(tr, acc, rest, err);
    *arrived = status == DLS_OK && dls_accumulation_ends_stationary(tr, acc);
    status = status == DLS_ERR_MEMORY || status == DLS_ERR_INTERRUPTED ? status : DLS_OK;
  }
  if (!*arrived && must && status == DLS_OK) {
    *rest = collect_participants(tr, acc);
    passed->bound_velocity +=
        fmax(acc->local_pass[0].sums->velocity_change, acc->local_pass[1].sums->velocity_change);
    status = rest_by_final_impact(tr, acc, rest, err);
    *arrived = status == DLS_OK;
  }
  return status;
}

/* As it was before. */
static dls_status restore_state(dls_event_integrator *tr, dls_error *err)
{
  tr->located = (dls_located_event){.kind = DLS_LOCATED_NONE, .t = HUGE_VAL};
  tr->memo.valid = false;
  return dls_smooth_geometry(tr, tr->sim->t, tr->sim->q, err);
}

/* Friction is against the slip that is there when all impulses are taken back. */
static void update_slip_directions(dls_event_integrator *tr, const dls_accumulation *acc)
{
  for (size_t i = 0; i < acc->k; i++) {
    double e[2];
    dls_contact *contact = &tr->contact[acc->set[i]];
    if (contact->closed && contact->grip.kind == DLS_GRIP_SLIPS) {
      dls_slip_direction(tr, acc->set[i], tr->sim->v_left, e);
      memcpy(contact->grip.e, e, sizeof contact->grip.e);
    }
  }
  tr->memo.valid = false;
}

/* Contacts that would pull with that friction do not press. tr->active is made anew after the left limits. @return are there any? */
static bool release_tensile(dls_event_integrator *tr)
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
static dls_status set_left_limits(dls_event_integrator *tr, dls_accumulation *acc, dls_error *err)
{
  memcpy(tr->sim->v_left, tr->v, tr->n * sizeof *tr->v);
  remove_impulses(tr, acc);
  update_slip_directions(tr, acc);
  dls_status status = dls_event_left_limits(tr, tr->sim->v_left, err);
  while (status == DLS_OK && release_tensile(tr)) {
    status = dls_event_left_limits(tr, tr->sim->v_left, err);
  }
  for (size_t i = 0; i < acc->k; i++) {
    dls_apply_mode(tr, &tr->participant[i], tr->participant[i].stationary);
  }
  return status;
}

dls_status dls_accumulation_arrive(dls_event_integrator *tr, dls_accumulation *acc, dls_event *passed,
                                   double end, bool must, bool *arrived, dls_error *err)
{
  const double tau = passed->duration;
  const double next = fmin(acc->local_pass[0].sums->next, acc->local_pass[1].sums->next);
  size_t rest = 0;
  tr->located = (dls_located_event){
      .kind = DLS_LOCATED_CROSSING, .t = fmin(tr->sim->t + tau, end), .contact = acc->set[0]};
  dls_status status = come_to_rest(tr, acc, passed, must, &rest, arrived, err);
  if (status != DLS_OK || !*arrived) {
    return status != DLS_OK ? status : restore_state(tr, err);
  }
  status = set_left_limits(tr, acc, err);
  status = status != DLS_OK ? status : dls_event_acceleration_level(tr, rest, err);
  if (status == DLS_ERR_JAM && tr->eps.painleve_impact) {
    status = dls_slip_resolve_painleve(tr, acc->k, err);
  }
  if (status != DLS_OK) {
    return status == DLS_ERR_JAM ? dls_slip_fail_painleve(tr, err) : status;
  }
  set_gap_thresholds(tr);
  status = dls_event_restart(tr, rest < acc->k ? tr->scale : 1, next < HUGE_VAL ? next : 0, err);
  if (status == DLS_OK) {
    dls_event_commit(tr, acc->k);
    report_accumulation(tr, passed);
    tr->located = (dls_located_event){.kind = DLS_LOCATED_NONE, .t = HUGE_VAL};
  }
  return status;
}
