/* event_driven/event.c -- one event: participants, impact, acceleration level, new index sets, restart, record.
 *
 *   Ic = closed contacts and those with |g| <= eps_g that do not separate
 *   impact:        0 <= W P + (I + E) u-  _|_  P >= 0 on Ic,   v+ = v- + M^-1 H P
 *   Is = contacts of Ic with u+ = 0; project g = 0, then u = 0
 *   acceleration:  Gamma = W lambda + H^T M^-1 F + (dH^T/dt) v,   0 <= Gamma _|_ lambda >= 0 on Is
 *   lambda > 0: stays closed; Gamma > 0: opens; both zero: the same problem a short time ahead, that is, the next derivative, decides.
 * Source: Acary, lecture, eqs. (9), (21), (24)-(28) and the multi-contact algorithm after (29).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/event_integrator.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* Gap velocities up to this are zero beside the flight that ends [m/s]. */
static double zero_velocity(const dls_event_method *method, const dls_event_state *state, size_t j)
{
  const double peak = state->located.kind == DLS_LOCATED_START ? method->sys->length / method->sys->time
                                                               : state->contact[j].peak;
  return method->eps.u * peak;
}

/* Gaps up to this are closed if their velocity is 0. The limit is proportional to the speed of slow flights: near the end of an
 * accumulation all gaps are small, although the impacts are separate events. */
static double closed_gap(const dls_event_integrator *run, size_t j)
{
  const double speed = run->method.sys->length / run->method.sys->time;
  const double part =
      run->state.located.kind == DLS_LOCATED_START ? 1 : fmin(1, run->state.contact[j].peak / speed);
  return fmax(part * run->method.eps.g,
              threshold_resolved_gap * dls_geometry_gap_round_off(run, j, run->state.located.t, run->work.q));
}

/* Does open contact j, other than that of the event, take part? A moving contact does if it closes at the time of the event, a
 * resting contact if its gap is closed. At the start all gaps up to eps_g are closed. */
static bool closes(const dls_event_integrator *run, size_t j)
{
  const double u = run->work.u[j], rest = fmax(zero_velocity(&run->method, &run->state, j),
                                               threshold_rest_speed * run->method.eps.z);
  return u < -rest && run->state.located.kind != DLS_LOCATED_START
             ? dls_simultaneous_closes(run, j)
             : u <= rest && fabs(run->work.g[j]) <= closed_gap(run, j);
}

/* Does contact j take part, and with which u-? */
static bool takes_part(const dls_event_integrator *run, size_t j, dls_participant *participant)
{
  const dls_contact *contact = &run->state.contact[j];
  const double u = run->work.u[j], least = run->method.eps.u * run->method.sys->length / run->method.sys->time;
  *participant = (dls_participant){.contact = j, .gap = run->work.g[j]};
  dls_slip_of(&run->method, &run->work, j, run->work.v, participant->slip_minus);
  if (contact->closed) { /* u jumps where the velocity of its support jumps */
    const bool jumps =
        run->state.located.kind == DLS_LOCATED_SWITCH && run->work.contacts.config->moves && fabs(u) > least;
    participant->closing = jumps && u < 0;
    participant->u_minus = jumps ? u : 0;
    return true;
  }
  const bool located = run->state.located.contact == j && (run->state.located.kind == DLS_LOCATED_CROSSING ||
                                                           run->state.located.kind == DLS_LOCATED_GRAZE);
  if (dls_located_is_quiet(&run->state.located) || (!located && !closes(run, j))) {
    return false;
  }
  const bool graze = located && run->state.located.kind == DLS_LOCATED_GRAZE;
  participant->closing = graze || u <= zero_velocity(&run->method, &run->state, j);
  participant->u_minus = graze || fabs(u) <= zero_velocity(&run->method, &run->state, j) ? 0 : u;
  return true;
}

/* The support of contact j has jumped away. */
static void drop_support(dls_event_integrator *run, size_t j)
{
  run->state.contact[j].gap_threshold = DLS_GAP_THRESHOLD_ZERO;
  run->state.contact[j].peak = fabs(run->work.u[j]);
  dls_sim_event(
      run->sim,
      &(dls_event){.t = run->state.located.t, .kind = DLS_LIFT_OFF, .contact = j, .u_plus = run->work.u[j]});
}

static dls_status gather_participants(dls_event_integrator *run, size_t *participant_count, dls_error *err)
{
  size_t count = 0;
  const bool supports = run->state.located.kind == DLS_LOCATED_SWITCH && dls_system_gap_moves(run->method.sys);
  dls_status status = DLS_OK;
  dls_system_gap(run->method.sys, run->state.located.t, run->work.q, run->work.g);
  dls_geometry_gap_velocity(&run->method, &run->work, run->state.located.t, run->work.q, run->work.v);
  run->state.located_error = run->state.located.kind == DLS_LOCATED_CROSSING
                                 ? dls_simultaneous_time_error(run, run->state.located.contact)
                                 : 0;
  for (size_t j = 0; j < run->method.m && status == DLS_OK; j++) {
    bool dropped = false;
    run->state.contact[j].peak = fmax(run->state.contact[j].peak, fabs(run->work.u[j]));
    run->state.was_closed[j] = run->state.contact[j].closed;
    run->state.was[j] = run->state.contact[j].mode;
    if (supports) {
      status = dls_explicit_time_support(run, j, &dropped, err);
    }
    if (dropped) {
      drop_support(run, j);
    } else if (takes_part(run, j, &run->state.participant[count])) {
      dls_geometry_contact_weight(run, j);
      run->work.set[count++] = j;
    }
  }
  *participant_count = count;
  return status;
}

static void apply_impulse(dls_event_integrator *run, dls_participant *participant, const double *impulse,
                          double zero)
{
  const size_t j = participant->contact;
  const double u_plus = dls_configuration_row(run->work.contacts.config, run->method.d * j, run->work.v);
  const bool given =
      dls_law_of(run->method.sys, j)->expands; /* its expansion returns an impulse even where u- = 0 */
  const bool plastic = dls_law_restitution(run->method.sys, j, fmin(participant->u_minus, 0)) == 0 ||
                       (participant->u_minus >= 0 && !given); /* u+ or P is 0 */
  const bool held = plastic && run->state.contact[j].weight * impulse[0] > u_plus;
  participant->impulse = impulse[0];
  memcpy(participant->friction, impulse + 1, (run->method.d - 1) * sizeof *impulse);
  const double least = threshold_vanished_rebound * run->method.sys->length / run->method.sys->time;
  participant->u_plus = held || u_plus <= fmax(zero, least) ? 0 : u_plus;
}

/* Count the solutions of the impact, and its rows that depend on others. */
static dls_status count_impact(dls_event_integrator *run, const dls_contacts *set, dls_error *err)
{
  dls_event_work *work = &run->work;
  size_t rows = 0;
  for (size_t k = 0; k < set->count; k++) {
    for (size_t i = 0; i < (run->state.contact[set->index[k]].has_friction ? run->method.d : 1); i++) {
      work->held[rows++] = run->method.d * set->index[k] + i;
    }
  }
  const dls_status status =
      set->count > 1 ? dls_delassus_rank(work->contacts.W, rows, work->held, err) : DLS_OK;
  if (set->count > 1) {
    dls_geometry_count_redundant(run->sim, dls_delassus_redundant(work->contacts.W));
  }
  return status != DLS_OK ? status
                          : dls_contact_system_count(&work->contacts, set, work->u_free, work->u_minus,
                                                     work->impulse, &run->state.impact_solutions, err);
}

/* (9), (21): the impact of the participants with their laws. A velocity u+ up to `zero` is round-off. */
static dls_status solve_impact(dls_event_integrator *run, size_t count, const double *v_before, double zero,
                               dls_error *err)
{
  const dls_contacts set = {count, run->work.set};
  dls_contact_system_velocity(&run->work.contacts, &set, v_before, run->work.u_free); /* (9) u- = H^T v- */
  memcpy(run->work.u_minus, run->work.u_free, run->method.d * count * sizeof *run->work.u_minus);
  for (size_t k = 0; k < count; k++) {
    run->work.u_free[run->method.d * k] = run->state.participant[k].u_minus;
    run->work.u_minus[run->method.d * k] =
        fmin(run->state.participant[k].u_minus, 0); /* a contact that separates must only not come back */
  }
  memset(run->work.impulse, 0, run->method.d * count * sizeof *run->work.impulse);
  dls_status status = dls_contact_system_impulse(&run->work.contacts, &set, run->work.u_free, run->work.u_minus,
                                                 run->work.impulse, err);
  if (status == DLS_OK) {
    status = count_impact(run, &set, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  memcpy(run->work.v, v_before, run->method.n * sizeof *run->work.v);
  dls_contact_system_apply(&run->work.contacts, &set, 1, run->work.impulse,
                           run->work.v); /* (9) v+ = v- + M^-1 H P */
  for (size_t k = 0; k < count; k++) {
    apply_impulse(run, &run->state.participant[k], run->work.impulse + run->method.d * k, zero);
  }
  return DLS_OK;
}

/* The impact, if a participant approaches. @param[out] made  there was one */
static dls_status impact_level(dls_event_integrator *run, size_t count, const double *v_before, bool *made,
                               dls_error *err)
{
  dls_event_state *state = &run->state;
  double fastest = 0;
  for (size_t k = 0; k < count; k++) {
    state->participant[k].u_plus = state->participant[k].u_minus;
    fastest = fmin(fastest, state->participant[k].u_minus);
  }
  *made = fastest < 0;
  if (!*made) {
    return DLS_OK;
  }
  const dls_status status =
      dls_simultaneous_try_orders(run, count, v_before, -run->method.eps.u * fastest, err);
  if (status != DLS_OK) {
    return status;
  }
  const size_t before = state->impact_count++;
  state->impact_interval = before > 0 ? state->located.t - state->impacts[(before - 1) % DLS_WINDOW] : HUGE_VAL;
  state->impacts[before % DLS_WINDOW] = state->located.t;
  return solve_impact(run, count, v_before, -run->method.eps.u * fastest, err);
}

/* Is before the acceleration level: the participants with u+ = 0. @return their number */
static size_t collect_resting(const dls_event_state *state, dls_event_work *work, size_t count)
{
  size_t rest = 0;
  for (size_t k = 0; k < count; k++) {
    if (state->participant[k].u_plus == 0) {
      work->subset[rest++] = work->set[k];
    }
  }
  return rest;
}

/* Project the positions of all participants that came down, rest or were closed, then the velocities of those that rest. A contact that
 * is thrown off from a gap below 0, by drift, would come back from there faster than it left. */
static dls_status project_rest(dls_event_integrator *run, size_t count, size_t rest, dls_error *err)
{
  size_t down = 0;
  for (size_t k = 0; k < count; k++) {
    if (run->state.participant[k].closing || run->state.participant[k].u_plus == 0 ||
        run->state.was_closed[run->work.set[k]]) {
      run->work.down[down++] = run->work.set[k];
    }
  }
  return dls_geometry_project(run, down, rest, err);
}

/* (27), (28): the acceleration level on the set at (t, q, v), with the geometry there: decision[k]; a := the acceleration with the forces. */
static dls_status acceleration_level(dls_event_integrator *run, double t, const double *q, const double *v,
                                     size_t count, size_t *set, dls_contact_decision *decision, dls_error *err)
{
  const dls_contacts contacts = {count, set};
  dls_status status = DLS_OK;
  if (run->work.solver != NULL) {
    status = dls_modes_acceleration_level(run, t, q, v, &contacts, err);
  } else {
    dls_geometry_free_acceleration(run, t, q, v, run->work.a);
    status = dls_contact_system_force(&run->work.contacts, &contacts, v, run->work.a, run->work.force, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  for (size_t k = 0; k < count; k++) {
    const size_t j = set[k], row = run->method.d * j;
    const double gamma = dls_matrix_column_dot(run->work.contacts.config->normals, j, run->work.a) +
                         run->work.contacts.curvature[row];
    const bool stays = run->state.contact[j].weight * run->work.force[row] > run->method.eps.a;
    decision[k] = stays                             ? DLS_DECISION_CLOSED
                  : gamma > 0.5 * run->method.eps.a ? DLS_DECISION_OPEN
                                                    : DLS_DECISION_UNDECIDED;
  }
  return DLS_OK;
}

/* Remove the contacts that open from the set. @return how many are left */
static size_t keep_closed(size_t count, size_t *set, dls_contact_decision *decision)
{
  size_t kept = 0;
  for (size_t k = 0; k < count; k++) {
    if (decision[k] != DLS_DECISION_OPEN) {
      decision[kept] = decision[k];
      set[kept++] = set[k];
    }
  }
  return kept;
}

/* Where Gamma = lambda = 0 their derivatives decide, by the same problem a short time ahead on the present path. A contact that is
 * still undecided there stays closed. */
static dls_status decide_ahead(dls_event_integrator *run, double t, size_t *count, dls_error *err)
{
  const double delta = threshold_decision_delay * run->method.sys->time;
  double *q = run->work.y;
  double *v = run->work.y + run->method.n;
  for (size_t i = 0; i < run->method.n; i++) {
    q[i] = run->work.q[i] + delta * (run->work.v[i] + 0.5 * delta * run->work.a[i]);
    v[i] = run->work.v[i] + delta * run->work.a[i];
  }
  dls_contact_decision *later = run->work.decision + run->method.m;
  dls_status status = dls_geometry_set(&run->state, &run->work, t + delta, q, err);
  if (status == DLS_OK) {
    status = acceleration_level(run, t + delta, q, v, *count, run->work.subset, later, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  for (size_t k = 0; k < *count; k++) {
    if (run->work.decision[k] == DLS_DECISION_UNDECIDED && later[k] == DLS_DECISION_OPEN) {
      run->work.decision[k] = DLS_DECISION_OPEN;
    }
  }
  *count = keep_closed(*count, run->work.subset, run->work.decision);
  return dls_geometry_set(&run->state, &run->work, t, run->work.q, err);
}

static void set_active(dls_event_integrator *run, size_t count)
{
  dls_event_state *state = &run->state;
  run->work.memo.valid = false;
  for (size_t j = 0; j < run->method.m; j++) {
    state->contact[j].closed = false;
  }
  for (size_t k = 0; k < count; k++) {
    dls_contact *contact = &state->contact[run->work.subset[k]];
    contact->closed = true;
    contact->end_time_error = 0;
    contact->last_compression = dls_located_is_quiet(&state->located) && state->was_closed[run->work.subset[k]]
                                    ? contact->last_compression
                                    : state->located.t;
    if (contact->has_friction) {
      dls_modes_start(run, run->work.subset[k]);
    }
  }
  memcpy(state->active.index, run->work.subset, count * sizeof *state->active.index);
  state->active.count = count;
}

/* Is contact j, held with all others that rest, released because it pulls? Among redundant contacts, one that carries nothing may get
 * a negative fraction of the bilateral forces. With release=sign this is the only criterion. */
static bool pulls(const dls_event_integrator *run, size_t j)
{
  const bool fell = run->state.located.kind == DLS_LOCATED_RELEASE && run->state.located.contact == j;
  return run->state.contact[j].weight * run->work.lambda[run->method.d * j] < -run->method.eps.a ||
         (run->method.eps.by_sign && fell);
}

dls_status dls_event_acceleration_level(dls_event_integrator *run, size_t rest, dls_error *err)
{
  dls_event_work *work = &run->work;
  const double t = run->state.located.t;
  dls_status status = DLS_OK;
  run->state.split_stored = false;
  for (size_t k = 0; k < rest; k++) {
    work->decision[k] = DLS_DECISION_CLOSED;
  }
  if (rest > 0 && !run->method.eps.by_sign) {
    status = acceleration_level(run, t, work->q, work->v, rest, work->subset, work->decision, err);
    rest = keep_closed(rest, work->subset, work->decision);
  }
  bool question = false;
  for (size_t k = 0; k < rest; k++) {
    question = question || work->decision[k] == DLS_DECISION_UNDECIDED;
  }
  if (question && status == DLS_OK) {
    status = decide_ahead(run, t, &rest, err);
  }
  for (bool again = true; again && status == DLS_OK;) {
    set_active(run, rest);
    status = dls_modes_forces(run, t, err);
    again = false;
    for (size_t k = 0; k < rest; k++) {
      if (pulls(run, work->subset[k])) {
        work->decision[k] = DLS_DECISION_OPEN;
        again = true;
      }
    }
    rest = keep_closed(rest, work->subset, work->decision);
    again = again || dls_modes_release_overloaded(run, rest);
  }
  return status;
}

/* Gap thresholds and peak speeds of the contacts that are open now. A contact that the impact of a neighbour threw off while its gap
 * was slightly negative by rounding must not count as closing while it rises: its threshold lies below that gap. The threshold is no
 * deeper than needed: after a fall to -eps_g/2 the contact would come back faster than it left, and rocking would never end. */
static void set_gap_thresholds(dls_event_integrator *run, size_t count)
{
  dls_system_gap(run->method.sys, run->state.located.t, run->work.q, run->work.g);
  for (size_t k = 0; k < count; k++) {
    const dls_participant *participant = &run->state.participant[k];
    dls_contact *contact = &run->state.contact[participant->contact];
    if (!contact->closed) {
      const double g = run->work.g[participant->contact];
      const bool threshold_depth = !participant->closing && g < 0;
      contact->gap_threshold =
          participant->u_plus > 0 && !threshold_depth ? DLS_GAP_THRESHOLD_ZERO : DLS_GAP_THRESHOLD_LEAVING;
      contact->threshold_depth =
          participant->u_plus > 0 ? fmin(-2 * g, 0.5 * run->method.eps.g) : 0.5 * run->method.eps.g;
      contact->peak = fmax(participant->u_plus, 0);
    }
  }
}

/* Is the flight of contact j with u+, which comes back after `flight`, so small that the end of a series of impacts may be near? */
static dls_accumulation_risk flight_risk(dls_event_integrator *run, size_t j, double u_plus, double flight)
{
  dls_event_state *state = &run->state;
  const double height = 0.25 * u_plus * flight;                      /* u^2 / (2 gamma), flight = 2 u / gamma */
  const double e = dls_law_restitution(run->method.sys, j, -u_plus); /* of the impact that ends the flight */
  if (e >= 1) {
    return DLS_ACCUMULATION_RISK_NONE;
  }
  const double shift = threshold_flight_time_rounding * DBL_EPSILON *
                       fabs(state->located.t); /* the round-off of t shifts where a flight ends */
  const double noise = fmax(dls_geometry_gap_round_off(run, j, state->located.t, run->work.q), u_plus * shift);
  if (height <= threshold_clear_height * noise) {
    state->unresolved = fmax(state->unresolved, u_plus / (1 - e));
    return height <= threshold_lost_height * noise ? DLS_ACCUMULATION_RISK_LOST
                                                   : DLS_ACCUMULATION_RISK_UNRESOLVED;
  }
  return u_plus <= run->method.eps.z || fmin(flight, state->impact_interval) <= run->method.eps.remaining
             ? DLS_ACCUMULATION_RISK_SMALL
             : DLS_ACCUMULATION_RISK_NONE;
}

/* A flight that ends d too high ends d/|u-| too early, and all later flights are shorter in proportion: the end of the series comes
 * (1 + e)/(1 - e) times as much too early. d is the error of the flight plus the gap that counts as closed. */
static void add_end_time_error(dls_event_integrator *run, const dls_participant *participant)
{
  const double e = dls_law_restitution(run->method.sys, participant->contact, fmin(participant->u_minus, 0));
  if (participant->u_minus < 0 && e < 1) {
    run->state.contact[participant->contact].end_time_error +=
        (threshold_flight_steps *
             dls_smooth_gap_tolerance(run, participant->contact, run->work.q, run->work.v) +
         fabs(participant->gap) + dls_simultaneous_gap_uncertainty(&run->state, run->state.located.t)) /
        -participant->u_minus * (1 + e) / (1 - e);
  }
}

/* Size of the motion after the event, the shortest flight that begins, and accumulation_risk. */
static void assess_flights(dls_event_integrator *run, size_t count, double *scale, double *flight)
{
  const double speed = run->method.sys->length / run->method.sys->time;
  *scale = 1;
  *flight = HUGE_VAL;
  run->state.accumulation_risk = DLS_ACCUMULATION_RISK_NONE;
  run->state.unresolved = 0;
  dls_system_curvature(run->method.sys, run->state.located.t, run->work.q, run->work.v, run->work.curvature);
  for (size_t k = 0; k < count; k++) {
    const dls_participant *participant = &run->state.participant[k];
    if (participant->u_minus <= 0 && participant->u_plus > 0) { /* rebounds, or is thrown off by a neighbour */
      const size_t j = participant->contact;
      add_end_time_error(run, participant);
      const double gamma =
          dls_matrix_column_dot(run->work.contacts.config->normals, j, run->work.a) + run->work.curvature[j];
      *scale = fmin(*scale, participant->u_plus / speed);
      const double own = gamma < 0 ? -2 * participant->u_plus / gamma : HUGE_VAL;
      const dls_accumulation_risk accumulation_risk = flight_risk(run, j, participant->u_plus, own);
      run->state.accumulation_risk =
          accumulation_risk > run->state.accumulation_risk ? accumulation_risk : run->state.accumulation_risk;
      *flight = fmin(*flight, own);
    }
  }
}

dls_status dls_event_restart(dls_event_integrator *run, double scale, double flight, dls_error *err)
{
  run->state.scale = scale;
  run->state.restarted = run->state.located.t;
  if (!dls_located_is_quiet(&run->state.located)) {
    run->state.uncontrolled = false;
    run->state.slow_since = run->state.located.t;
    run->state.slow_steps = 0;
  }
  dls_step_end *left = &run->state.left;
  left->t = run->state.right.t = run->state.located.t;
  memcpy(left->y, run->work.q, run->method.n * sizeof *left->y);
  memcpy(left->y + run->method.n, run->work.v, run->method.n * sizeof *left->y);
  memset(left->y + 2 * run->method.n, 0, run->method.d * run->method.m * sizeof *left->y);
  memcpy(left->dy, run->work.v, run->method.n * sizeof *left->dy);
  memcpy(left->dy + run->method.n, run->work.a, run->method.n * sizeof *left->dy);
  memset(left->dy + 2 * run->method.n, 0, run->method.d * run->method.m * sizeof *left->dy);
  for (size_t k = 0; run->work.slow_slip != NULL && k < run->state.active.count; k++) {
    dls_contact *contact = &run->state.contact[run->state.active.index[k]];
    contact->slow_slip_limit =
        contact->slips_slowly ? dls_slow_slip_limit(&run->method, &run->work, run->state.active.index[k]) : 0;
  }
  const dls_status status = dls_engine_restart(run->work.engine, left->t, left->y, flight, err);
  dls_roots_select(run);
  return status != DLS_OK ? status : dls_roots_observe(run, left, err);
}

void dls_event_commit(dls_event_integrator *run, size_t count)
{
  dls_event_state *state = &run->state;
  dls_sim *sim = run->sim;
  sim->t = state->located.t;
  sim->jump = !dls_located_is_quiet(&state->located) && state->located.kind != DLS_LOCATED_START;
  memcpy(sim->q, run->work.q, run->method.n * sizeof *sim->q);
  memcpy(sim->v, run->work.v, run->method.n * sizeof *sim->v);
  memcpy(sim->a, run->work.a, run->method.n * sizeof *sim->a);
  dls_geometry_multipliers(run, state->located.t, run->work.q, run->work.v, run->work.lambda, sim->a, sim->mu);
  dls_geometry_split_rows(&run->method, run->work.lambda, sim->lambda, sim->lambda_t);
  for (size_t j = 0; j < run->method.m; j++) {
    const dls_contact *contact = &state->contact[j];
    sim->status[j] = !contact->closed ? 0 : contact->mode.kind == DLS_MODE_SLIPS ? 2 : 1;
    sim->p[j] = 0;
  }
  memset(sim->p_t, 0, (run->method.d - 1) * run->method.m * sizeof *sim->p_t);
  for (size_t k = 0; k < count; k++) {
    const size_t j = state->participant[k].contact;
    sim->p[j] = state->participant[k].impulse;
    memcpy(sim->p_t + (run->method.d - 1) * j, state->participant[k].friction,
           (run->method.d - 1) * sizeof *sim->p_t);
    sim->jump = sim->jump || state->participant[k].impulse > 0;
  }
  dls_nodes_record(state, run->sim);
}

/* Count the participants at rest that were released although no force pulls them away, the danger of release=sign: their gaps close at
 * once. Uses geometry and a after the event. */
static void count_wrong_releases(dls_event_integrator *run, size_t count)
{
  dls_event_work *work = &run->work;
  dls_system_curvature(run->method.sys, run->state.located.t, work->q, work->v, work->curvature);
  for (size_t k = 0; k < count; k++) {
    const size_t j = run->state.participant[k].contact;
    const double gamma = dls_matrix_column_dot(work->contacts.config->normals, j, work->a) + work->curvature[j];
    run->sim->work.wrong_releases +=
        run->state.participant[k].u_plus == 0 && !run->state.contact[j].closed && gamma < -run->method.eps.a;
  }
}

/* The participants that rest are projected, and the acceleration level says what they do.
 * @return also DLS_ERR_PAINLEVE */
static dls_status apply_modes(dls_event_integrator *run, size_t count, dls_error *err)
{
  const size_t rest = collect_resting(&run->state, &run->work, count);
  dls_status status = project_rest(run, count, rest, err);
  if (status == DLS_OK) {
    status = dls_event_acceleration_level(run, rest, err);
  }
  if (status == DLS_OK && run->method.eps.by_sign) {
    count_wrong_releases(run, count);
  }
  return status;
}

dls_status dls_event_left_limits(dls_event_integrator *run, const double *v, dls_error *err)
{
  const dls_status status =
      dls_smooth_dynamics(run, run->state.located.t, run->work.q, v, run->sim->a_left, run->work.lambda, err);
  dls_geometry_multipliers(run, run->state.located.t, run->work.q, v, run->work.lambda, run->sim->a_left,
                           run->sim->mu_left);
  memcpy(run->work.force_left, run->work.lambda, run->method.d * run->method.m * sizeof *run->work.lambda);
  dls_geometry_split_rows(&run->method, run->work.lambda, run->sim->lambda_left, run->sim->lambda_t_left);
  return status;
}

/* --- the record --- */

void dls_event_record_work(const dls_event_method *method, const dls_participant *participant, dls_event *event)
{
  event->tangential = method->d > 1;
  event->work_normal = 0.5 * (participant->u_minus + participant->u_plus) * participant->impulse;
  for (size_t i = 0; i + 1 < method->d; i++) {
    event->slip_minus[i] = participant->slip_minus[i];
    event->slip_plus[i] = participant->stationary ? 0 : participant->slip_plus[i];
    event->friction[i] = participant->friction[i];
    event->work_friction += 0.5 * (event->slip_minus[i] + event->slip_plus[i]) * participant->friction[i];
  }
}

static void report_kind(dls_event_integrator *run, dls_event_kind kind, const dls_participant *participant)
{
  dls_event_state *state = &run->state;
  dls_event event = {.t = state->located.t,
                     .kind = kind,
                     .contact = participant->contact,
                     .u_minus = participant->u_minus,
                     .u_plus = participant->u_plus,
                     .impulse = participant->impulse,
                     .solutions = kind == DLS_IMPACT && state->impact_solutions > 0 ? state->impact_solutions
                                  : run->work.solver != NULL                        ? state->solutions
                                                                                    : 0,
                     .root_missed = state->located.root_missed};
  if (participant->merged) {
    event.merged_count = state->merge.count;
    event.merged_difference = state->merge.dv;
    event.merged_orders = state->merge.orders;
    event.merged_unsolved = state->merge.unsolved;
    memcpy(event.merged, state->merge.contact, sizeof event.merged);
  }
  dls_participant bracketed = *participant;
  if (run->work.solver == NULL) { /* without friction the event has not computed slips */
    dls_slip_of(&run->method, &run->work, participant->contact, run->work.v, bracketed.slip_plus);
  }
  dls_event_record_work(&run->method, &bracketed, &event);
  dls_sim_event(run->sim, &event);
}

/* Report a contact that was and is closed: its slip begins, ends or reverses, or it takes part in an impact of others. */
static void report_friction_change(dls_event_integrator *run, const dls_participant *participant)
{
  const dls_contact_mode *was = &run->state.was[participant->contact],
                         *is = &run->state.contact[participant->contact].mode;
  if (was->kind == DLS_MODE_SLIPS && is->kind == DLS_MODE_STICKS) {
    report_kind(run, DLS_STICK, participant);
  } else if (was->kind == DLS_MODE_STICKS && is->kind == DLS_MODE_SLIPS) {
    report_kind(run, DLS_SLIP, participant);
  } else if (was->kind == DLS_MODE_SLIPS && is->kind == DLS_MODE_SLIPS &&
             (participant->stationary || (run->state.located.kind == DLS_LOCATED_SWITCH &&
                                          was->e[0] * is->e[0] + was->e[1] * is->e[1] < 0))) {
    report_kind(run, DLS_REVERSAL, participant);
  } else if (run->work.solver != NULL && participant->impulse > 0) {
    report_kind(run, DLS_IMPACT, participant);
  }
}

/* Report each participant. */
static void report(dls_event_integrator *run, size_t count)
{
  for (size_t k = 0; k < count; k++) {
    const dls_participant *participant = &run->state.participant[k];
    const bool closed = run->state.contact[participant->contact].closed;
    if (participant->painleve) {
      report_kind(run, DLS_PAINLEVE, participant);
    } else if (participant->u_minus < 0 && participant->impulse > 0) {
      report_kind(run, DLS_IMPACT, participant);
    } else if (run->state.was_closed[participant->contact] && !closed) {
      report_kind(run, DLS_LIFT_OFF, participant);
    } else if (!run->state.was_closed[participant->contact] && closed) {
      report_kind(run, DLS_LANDING, participant);
    } else if (!closed && participant->closing && participant->u_minus == 0) {
      report_kind(run, DLS_GRAZING, participant);
    } else if (closed) {
      report_friction_change(run, participant);
    }
  }
}

/* --- the event --- */

/* Count the event. @return DLS_ERR_CHATTERING if there are more than max_events */
static dls_status count_event(dls_event_integrator *run, dls_error *err)
{
  dls_event_state *state = &run->state;
  if (dls_located_is_quiet(&state->located) || state->located.kind == DLS_LOCATED_START ||
      ++state->events <= run->method.eps.max_events) {
    return DLS_OK;
  }
  const size_t made = state->impact_count;
  const size_t kept = made < DLS_WINDOW ? made : DLS_WINDOW;
  const double window =
      kept > 0 ? state->impacts[(made - 1) % DLS_WINDOW] - state->impacts[(made - kept) % DLS_WINDOW] : 0;
  char name[80];
  dls_contact_name(run->method.sys, state->located.contact, name, sizeof name);
  return dls_sim_fail(
      run->sim, err, DLS_ERR_CHATTERING,
      "event %zu, of %s, is more than max_events = %zu; the last %zu impacts came within %.3g s", state->events,
      name, run->method.eps.max_events, kept, window);
}

dls_status dls_event_resolve_painleve(dls_event_integrator *run, size_t count, dls_error *err)
{
  const dls_status status = dls_modes_stop_slip(run, count, err);
  dls_modes_classify_slip(run, count, true);
  dls_modes_initial(run, count, true);
  return status != DLS_OK ? status : apply_modes(run, count, err);
}

/* From the left limits in q, v to the right limits, with the new index sets. */
static dls_status transition(dls_event_integrator *run, size_t *count, dls_error *err)
{
  memcpy(run->sim->v_left, run->work.v, run->method.n * sizeof *run->work.v);
  *count = 0;
  dls_status status = dls_event_left_limits(run, run->sim->v_left, err);
  if (status != DLS_OK) {
    return status;
  }
  status = gather_participants(
      run, count, err); /* Ic; before the next break: slip- is relative to the surfaces before their jump */
  if (status == DLS_OK && run->state.located.t >= run->state.next_break) {
    dls_explicit_time_next_break(&run->method, &run->state, run->state.located.t);
    run->work.memo.valid = false;
    status = dls_geometry_set(&run->state, &run->work, run->state.located.t, run->work.q, err);
  }
  bool impacts = false;
  if (status != DLS_OK ||
      (status = impact_level(run, *count, run->sim->v_left, &impacts, err)) != DLS_OK) { /* impact: P, v+ */
    return status;
  }
  if (run->work.solver != NULL) {
    dls_modes_classify_slip(run, *count, impacts);
    dls_modes_initial(run, *count, impacts);
  }
  status = apply_modes(run, *count, err); /* Is; acceleration: Gamma, lambda */
  if (status == DLS_ERR_PAINLEVE && run->method.eps.painleve_impact) {
    status = dls_event_resolve_painleve(run, *count, err);
  }
  return status == DLS_ERR_PAINLEVE ? dls_modes_fail_painleve(run, err) : status;
}

/* Did a grazing leave everything as it was? */
static bool nothing_changed(const dls_event_state *state, size_t count)
{
  if (state->located.kind != DLS_LOCATED_GRAZE) {
    return false;
  }
  for (size_t k = 0; k < count; k++) {
    const size_t j = state->participant[k].contact;
    if (state->participant[k].impulse > 0 || state->contact[j].closed != state->was_closed[j]) {
      return false;
    }
  }
  return true;
}

dls_status dls_event_process(dls_event_integrator *run, const double *q, const double *v, bool *changed,
                             dls_error *err)
{
  dls_event_state *state = &run->state;
  dls_event_work *work = &run->work;
  memcpy(work->q, q, run->method.n * sizeof *q);
  memcpy(work->v, v, run->method.n * sizeof *v);
  const double *q_left = dls_motion_tangents_keep(run, q);
  size_t count = 0;
  state->impact_solutions = 0;
  state->merge = (dls_merge){0};
  dls_status status = count_event(run, err);
  if (status == DLS_OK &&
      work->contacts.joints != NULL) { /* first: impacts need the directions of the joints there */
    status =
        dls_geometry_project_joints(state, work, state->located.t, &(dls_contacts){0}, work->q, work->v, err);
  }
  if (status == DLS_OK && state->located.kind == DLS_LOCATED_REST && run->method.d == 3) {
    status = dls_slip_end(run, err);
  }
  if (status != DLS_OK || (status = transition(run, &count, err)) != DLS_OK ||
      (status = dls_motion_tangents_cross(run, q_left, count, err)) != DLS_OK) {
    return status;
  }
  state->participant_count = count;
  set_gap_thresholds(run, count);
  *changed = !nothing_changed(state, count);
  if (!*changed) {
    report(run, count);
    return DLS_OK;
  }
  double scale = 1, flight = HUGE_VAL;
  assess_flights(run, count, &scale, &flight);
  if (state->located.kind == DLS_LOCATED_CUT) {
    flight = fmin(flight, work->explicit_time.first_step);
  }
  status = dls_event_restart(run, scale, flight < HUGE_VAL ? flight : 0, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_event_commit(run, count);
  report(run, count);
  state->located = (dls_located_event){.kind = DLS_LOCATED_NONE, .t = HUGE_VAL};
  return DLS_OK;
}
