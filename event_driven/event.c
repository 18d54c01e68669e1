/* event_driven/event.c -- one event: who takes part, impact, acceleration level, new index sets, restart.
 *
 *   Ic = closed contacts and those with |g| <= eps_g that do not separate
 *   impact:        0 <= W P + (I + E) u-  _|_  P >= 0 on Ic,   v+ = v- + M^-1 H P
 *   Is = contacts of Ic with u+ = 0; project g = 0, then u = 0
 *   acceleration:  Gamma = W lambda + H^T M^-1 F + (dH^T/dt) v,   0 <= Gamma _|_ lambda >= 0 on Is
 *   lambda > 0: stays; Gamma > 0: opens; both zero: the same a short time ahead, that is, the next derivative.
 * Source: Acary, lecture, eqs. (9), (21), (24)-(28) and the multi-contact algorithm after (29).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/event_integrator.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* Gap velocities below this count as zero, relative to the flight that ends. */
static double zero_velocity(const dls_event_integrator *tr, size_t j)
{
  const double peak =
      tr->located.kind == DLS_LOCATED_START ? tr->sys->length / tr->sys->time : tr->contact[j].peak;
  return tr->eps.u * peak;
}

/* Gaps up to this are closed if their velocity is 0. It is proportional to the speed of slow flights: near the end of an accumulation
 * all gaps are small, although the impacts are separate events. */
static double closed_gap(const dls_event_integrator *tr, size_t j)
{
  const double speed = tr->sys->length / tr->sys->time;
  const double part = tr->located.kind == DLS_LOCATED_START ? 1 : fmin(1, tr->contact[j].peak / speed);
  return fmax(part * tr->eps.g,
              threshold_resolved_gap * dls_geometry_gap_round_off(tr, j, tr->located.t, tr->q));
}

/* Does open contact j, other than that of the event, take part? A moving contact does if it closes at the time of the event, a
 * resting one if its gap is closed. At the start all gaps up to eps_g are closed. */
static bool closes(const dls_event_integrator *tr, size_t j)
{
  const double u = tr->u[j], rest = fmax(zero_velocity(tr, j), threshold_rest_speed * tr->eps.z);
  return u < -rest && tr->located.kind != DLS_LOCATED_START ? dls_simultaneous_closes(tr, j)
                                                            : u <= rest && fabs(tr->g[j]) <= closed_gap(tr, j);
}

/* Does contact j take part? If so with which u-? */
static bool takes_part(const dls_event_integrator *tr, size_t j, dls_participant *participant)
{
  const dls_contact *contact = &tr->contact[j];
  const double u = tr->u[j], least = tr->eps.u * tr->sys->length / tr->sys->time;
  *participant = (dls_participant){.contact = j, .gap = tr->g[j]};
  dls_slip_of(tr, j, tr->v, participant->slip_minus);
  if (contact->closed) { /* u jumps where its support gets another velocity */
    const bool jumps = tr->located.kind == DLS_LOCATED_SWITCH && tr->contacts.config->moves && fabs(u) > least;
    participant->closing = jumps && u < 0;
    participant->u_minus = jumps ? u : 0;
    return true;
  }
  const bool located = tr->located.contact == j &&
                       (tr->located.kind == DLS_LOCATED_CROSSING || tr->located.kind == DLS_LOCATED_GRAZE);
  if (dls_located_is_quiet(&tr->located) || (!located && !closes(tr, j))) {
    return false;
  }
  const bool graze = located && tr->located.kind == DLS_LOCATED_GRAZE;
  participant->closing = graze || u <= zero_velocity(tr, j);
  participant->u_minus = graze || fabs(u) <= zero_velocity(tr, j) ? 0 : u;
  return true;
}

/* The support of contact j has jumped away. */
static void drop_support(dls_event_integrator *tr, size_t j)
{
  tr->contact[j].gap_threshold = DLS_GAP_THRESHOLD_ZERO;
  tr->contact[j].peak = fabs(tr->u[j]);
  dls_sim_event(tr->sim,
                &(dls_event){.t = tr->located.t, .kind = DLS_LIFT_OFF, .contact = j, .u_plus = tr->u[j]});
}

static dls_status gather_participants(dls_event_integrator *tr, size_t *participant_count, dls_error *err)
{
  size_t count = 0;
  const bool supports = tr->located.kind == DLS_LOCATED_SWITCH && dls_system_gap_moves(tr->sys);
  dls_status status = DLS_OK;
  dls_system_gap(tr->sys, tr->located.t, tr->q, tr->g);
  dls_geometry_gap_velocity(tr, tr->located.t, tr->q, tr->v);
  tr->located_error =
      tr->located.kind == DLS_LOCATED_CROSSING ? dls_simultaneous_time_error(tr, tr->located.contact) : 0;
  for (size_t j = 0; j < tr->m && status == DLS_OK; j++) {
    bool dropped = false;
    tr->was_closed[j] = tr->contact[j].closed;
    tr->was[j] = tr->contact[j].mode;
    if (supports) {
      status = dls_explicit_time_support(tr, j, &dropped, err);
    }
    if (dropped) {
      drop_support(tr, j);
    } else if (takes_part(tr, j, &tr->participant[count])) {
      dls_geometry_contact_weight(tr, j);
      tr->set[count++] = j;
    }
  }
  *participant_count = count;
  return status;
}

static void apply_impulse(dls_event_integrator *tr, dls_participant *participant, const double *impulse,
                          double zero)
{
  const size_t j = participant->contact;
  const double u_plus = dls_configuration_row(tr->contacts.config, tr->d * j, tr->v);
  const bool given = dls_law_of(tr->sys, j)->expands; /* an impulse comes back even where u- = 0 */
  const bool plastic =
      dls_geometry_restitution(tr, j) == 0 || (participant->u_minus >= 0 && !given); /* u+ or P is 0 */
  const bool held = plastic && tr->contact[j].weight * impulse[0] > u_plus;
  participant->impulse = impulse[0];
  memcpy(participant->friction, impulse + 1, (tr->d - 1) * sizeof *impulse);
  const double least = threshold_vanished_rebound * tr->sys->length / tr->sys->time;
  participant->u_plus = held || u_plus <= fmax(zero, least) ? 0 : u_plus;
}

/* How many solutions the impact has, and how many of its rows depend on others. */
static dls_status count_impact(dls_event_integrator *tr, const dls_contacts *set, dls_error *err)
{
  size_t rows = 0;
  for (size_t k = 0; k < set->count; k++) {
    for (size_t i = 0; i < (tr->contact[set->index[k]].has_friction ? tr->d : 1); i++) {
      tr->held[rows++] = tr->d * set->index[k] + i;
    }
  }
  const dls_status status = set->count > 1 ? dls_delassus_rank(tr->contacts.W, rows, tr->held, err) : DLS_OK;
  if (set->count > 1) {
    dls_geometry_count_redundant(tr, dls_delassus_redundant(tr->contacts.W));
  }
  return status != DLS_OK ? status
                          : dls_contact_system_count(&tr->contacts, set, tr->u_free, tr->u_minus, tr->impulse,
                                                     &tr->impact_solutions, err);
}

/* What the laws make of u- at the touching contacts. A u+ up to zero is round-off. */
static dls_status solve_impact(dls_event_integrator *tr, size_t count, const double *v_before, double zero,
                               dls_error *err)
{
  const dls_contacts set = {count, tr->set};
  dls_contact_system_velocity(&tr->contacts, &set, v_before, tr->u_free);
  memcpy(tr->u_minus, tr->u_free, tr->d * count * sizeof *tr->u_minus);
  for (size_t k = 0; k < count; k++) {
    tr->u_free[tr->d * k] = tr->participant[k].u_minus;
    tr->u_minus[tr->d * k] =
        fmin(tr->participant[k].u_minus, 0); /* one that separates is only kept from coming back */
  }
  memset(tr->impulse, 0, tr->d * count * sizeof *tr->impulse);
  dls_status status =
      dls_contact_system_impulse(&tr->contacts, &set, tr->u_free, tr->u_minus, tr->impulse, err);
  status = status != DLS_OK ? status : count_impact(tr, &set, err);
  if (status != DLS_OK) {
    return status;
  }
  memcpy(tr->v, v_before, tr->n * sizeof *tr->v);
  dls_contact_system_apply(&tr->contacts, &set, 1, tr->impulse, tr->v);
  for (size_t k = 0; k < count; k++) {
    apply_impulse(tr, &tr->participant[k], tr->impulse + tr->d * k, zero);
  }
  return DLS_OK;
}

/* Impacts if there are any. @param[out] made  there were */
static dls_status impact_level(dls_event_integrator *tr, size_t count, const double *v_before, bool *made,
                               dls_error *err)
{
  double fastest = 0;
  for (size_t k = 0; k < count; k++) {
    tr->participant[k].u_plus = tr->participant[k].u_minus;
    fastest = fmin(fastest, tr->participant[k].u_minus);
  }
  *made = fastest < 0;
  if (!*made) {
    return DLS_OK;
  }
  const dls_status status = dls_simultaneous_try_orders(tr, count, v_before, -tr->eps.u * fastest, err);
  if (status != DLS_OK) {
    return status;
  }
  const size_t before = tr->impact_count++;
  tr->impact_interval = before > 0 ? tr->located.t - tr->impacts[(before - 1) % DLS_WINDOW] : HUGE_VAL;
  tr->impacts[before % DLS_WINDOW] = tr->located.t;
  return solve_impact(tr, count, v_before, -tr->eps.u * fastest, err);
}

/* Is before the acceleration stage: those with u+ = 0. @return their number */
static size_t collect_resting(dls_event_integrator *tr, size_t count)
{
  size_t rest = 0;
  for (size_t k = 0; k < count; k++) {
    if (tr->participant[k].u_plus == 0) {
      tr->subset[rest++] = tr->set[k];
    }
  }
  return rest;
}

/* Positions first, of all that came down, rest or rested until now; then velocities of those that rest. One that is
 * thrown off from a gap below 0, by drift, would come back from there faster than it left. */
static dls_status project_rest(dls_event_integrator *tr, size_t count, size_t rest, dls_error *err)
{
  size_t down = 0;
  for (size_t k = 0; k < count; k++) {
    if (tr->participant[k].closing || tr->participant[k].u_plus == 0 || tr->was_closed[tr->set[k]]) {
      tr->down[down++] = tr->set[k];
    }
  }
  return dls_geometry_project(tr, down, rest, err);
}

/* The acceleration level on set at (t, q, v), the geometry as there: verdict[k]; tr->a := the acceleration with the forces. */
static dls_status acceleration_level(dls_event_integrator *tr, double t, const double *q, const double *v,
                                     size_t count, size_t *set, dls_contact_decision *decision, dls_error *err)
{
  const dls_contacts contacts = {count, set};
  dls_status status = DLS_OK;
  if (tr->solver != NULL) {
    status = dls_modes_acceleration_level(tr, t, q, v, &contacts, err);
  } else {
    dls_geometry_free_acceleration(tr, t, q, v, tr->a);
    status = dls_contact_system_force(&tr->contacts, &contacts, v, tr->a, tr->force, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  for (size_t k = 0; k < count; k++) {
    const size_t j = set[k], row = tr->d * j;
    const double gamma =
        dls_matrix_column_dot(tr->contacts.config->normals, j, tr->a) + tr->contacts.curvature[row];
    const bool stays = tr->contact[j].weight * tr->force[row] > tr->eps.a;
    decision[k] = stays                     ? DLS_DECISION_CLOSED
                  : gamma > 0.5 * tr->eps.a ? DLS_DECISION_OPEN
                                            : DLS_DECISION_UNDECIDED;
  }
  return DLS_OK;
}

/* Keep the entries of set whose verdict is not to open. @return their number */
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

/* Gamma = lambda = 0 somewhere: their derivatives decide, by the same LCP a short time ahead on the present
 * path. What is still zero there stays closed. */
static dls_status decide_ahead(dls_event_integrator *tr, double t, size_t *count, dls_error *err)
{
  const double delta = threshold_decision_delay * tr->sys->time;
  double *q = tr->y;
  double *v = tr->y + tr->n;
  for (size_t i = 0; i < tr->n; i++) {
    q[i] = tr->q[i] + delta * (tr->v[i] + 0.5 * delta * tr->a[i]);
    v[i] = tr->v[i] + delta * tr->a[i];
  }
  dls_contact_decision *later = tr->decision + tr->m;
  dls_status status = dls_geometry_set(tr, t + delta, q, err);
  status = status != DLS_OK ? status : acceleration_level(tr, t + delta, q, v, *count, tr->subset, later, err);
  for (size_t k = 0; k < *count; k++) {
    if (tr->decision[k] == DLS_DECISION_UNDECIDED && later[k] == DLS_DECISION_OPEN) {
      tr->decision[k] = DLS_DECISION_OPEN;
    }
  }
  *count = keep_closed(*count, tr->subset, tr->decision);
  return status != DLS_OK ? status : dls_geometry_set(tr, t, tr->q, err);
}

static void set_active(dls_event_integrator *tr, size_t count)
{
  tr->memo.valid = false;
  for (size_t j = 0; j < tr->m; j++) {
    tr->contact[j].closed = false;
  }
  for (size_t k = 0; k < count; k++) {
    dls_contact *contact = &tr->contact[tr->subset[k]];
    contact->closed = true;
    contact->end_time_error = 0;
    contact->last_compression = dls_located_is_quiet(&tr->located) && tr->was_closed[tr->subset[k]]
                                    ? contact->last_compression
                                    : tr->located.t;
    if (contact->has_friction) {
      dls_modes_start(tr, tr->subset[k]);
    }
  }
  memcpy(tr->active.index, tr->subset, count * sizeof *tr->active.index);
  tr->active.count = count;
}

/* Whether contact j, held with all others that rest, is let go: it pulls. Redundant contacts: one that carries nothing may get a
 * negative share of the bilateral forces. The naive way takes this for all that there is to know. */
static bool pulls(const dls_event_integrator *tr, size_t j)
{
  const bool fell = tr->located.kind == DLS_LOCATED_RELEASE && tr->located.contact == j;
  return tr->contact[j].weight * tr->lambda[tr->d * j] < -tr->eps.a || (tr->eps.by_sign && fell);
}

dls_status dls_event_acceleration_level(dls_event_integrator *tr, size_t rest, dls_error *err)
{
  const double t = tr->located.t;
  dls_status status = DLS_OK;
  tr->split_stored = false;
  for (size_t k = 0; k < rest; k++) {
    tr->decision[k] = DLS_DECISION_CLOSED;
  }
  if (rest > 0 && !tr->eps.by_sign) {
    status = acceleration_level(tr, t, tr->q, tr->v, rest, tr->subset, tr->decision, err);
    rest = keep_closed(rest, tr->subset, tr->decision);
  }
  bool question = false;
  for (size_t k = 0; k < rest; k++) {
    question = question || tr->decision[k] == DLS_DECISION_UNDECIDED;
  }
  if (question && status == DLS_OK) {
    status = decide_ahead(tr, t, &rest, err);
  }
  for (bool again = true; again && status == DLS_OK;) {
    set_active(tr, rest);
    status = dls_modes_forces(tr, t, err);
    again = false;
    for (size_t k = 0; k < rest; k++) {
      if (pulls(tr, tr->subset[k])) {
        tr->decision[k] = DLS_DECISION_OPEN;
        again = true;
      }
    }
    rest = keep_closed(rest, tr->subset, tr->decision);
    again = again || dls_modes_release_overloaded(tr, rest);
  }
  return status;
}

/* Gates and peaks of the contacts that are open now. One that a neighbour's impact threw off while its gap was a
 * little negative by rounding must not count as closing again while it rises: its gate lies below that gap. No more
 * than needed: from a fall to -eps_g/2 it would come back faster than it left, and rocking would never end. */
static void set_gap_thresholds(dls_event_integrator *tr, size_t count)
{
  dls_system_gap(tr->sys, tr->located.t, tr->q, tr->g);
  for (size_t k = 0; k < count; k++) {
    const dls_participant *participant = &tr->participant[k];
    dls_contact *contact = &tr->contact[participant->contact];
    if (!contact->closed) {
      const double g = tr->g[participant->contact];
      const bool threshold_depth = !participant->closing && g < 0;
      contact->gap_threshold =
          participant->u_plus > 0 && !threshold_depth ? DLS_GAP_THRESHOLD_ZERO : DLS_GAP_THRESHOLD_LEAVING;
      contact->threshold_depth = participant->u_plus > 0 ? fmin(-2 * g, 0.5 * tr->eps.g) : 0.5 * tr->eps.g;
      contact->peak = fmax(participant->u_plus, 0);
    }
  }
}

/* Does the flight of contact j with u+, back after `flight`, matter little enough to look for the end of all? */
static dls_accumulation_risk flight_risk(dls_event_integrator *tr, size_t j, double u_plus, double flight)
{
  const double height = 0.25 * u_plus * flight; /* u^2 / (2 gamma), flight = 2 u / gamma */
  if (dls_geometry_restitution(tr, j) >= 1) {
    return DLS_ACCUMULATION_RISK_NONE;
  }
  const double shift = threshold_flight_time_rounding * DBL_EPSILON *
                       fabs(tr->located.t); /* the round-off of t shifts where a flight ends */
  const double noise = fmax(dls_geometry_gap_round_off(tr, j, tr->located.t, tr->q), u_plus * shift);
  if (height <= threshold_clear_height * noise) {
    tr->unresolved = fmax(tr->unresolved, u_plus / (1 - dls_geometry_restitution(tr, j)));
    return height <= threshold_lost_height * noise ? DLS_ACCUMULATION_RISK_LOST
                                                   : DLS_ACCUMULATION_RISK_UNRESOLVED;
  }
  return u_plus <= tr->eps.z || fmin(flight, tr->impact_interval) <= tr->eps.remaining
             ? DLS_ACCUMULATION_RISK_SMALL
             : DLS_ACCUMULATION_RISK_NONE;
}

/* A flight that ends d too high ends d/|u-| too early, and all that are to come are shorter in proportion: the end of a series of
 * impacts comes (1 + e)/(1 - e) times as much too early. d is what the flight may err by, and the gap that counts as closed. */
static void add_end_time_error(dls_event_integrator *tr, const dls_participant *participant)
{
  const double e = dls_geometry_restitution(tr, participant->contact);
  if (participant->u_minus < 0 && e < 1) {
    tr->contact[participant->contact].end_time_error +=
        (threshold_flight_steps * dls_smooth_gap_tolerance(tr, participant->contact, tr->q, tr->v) +
         fabs(participant->gap) + dls_simultaneous_gap_uncertainty(tr, tr->located.t)) /
        -participant->u_minus * (1 + e) / (1 - e);
  }
}

/* Size of the motion after the event, and the shortest flight that begins; tr->brink. */
static void assess_flights(dls_event_integrator *tr, size_t count, double *scale, double *flight)
{
  const double speed = tr->sys->length / tr->sys->time;
  *scale = 1;
  *flight = HUGE_VAL;
  tr->accumulation_risk = DLS_ACCUMULATION_RISK_NONE;
  tr->unresolved = 0;
  dls_system_curvature(tr->sys, tr->located.t, tr->q, tr->v, tr->curvature);
  for (size_t k = 0; k < count; k++) {
    const dls_participant *participant = &tr->participant[k];
    if (participant->u_minus <= 0 && participant->u_plus > 0) { /* rebounds, or is thrown off by a neighbour */
      const size_t j = participant->contact;
      add_end_time_error(tr, participant);
      const double gamma = dls_matrix_column_dot(tr->contacts.config->normals, j, tr->a) + tr->curvature[j];
      *scale = fmin(*scale, participant->u_plus / speed);
      const double own = gamma < 0 ? -2 * participant->u_plus / gamma : HUGE_VAL;
      const dls_accumulation_risk accumulation_risk = flight_risk(tr, j, participant->u_plus, own);
      tr->accumulation_risk =
          accumulation_risk > tr->accumulation_risk ? accumulation_risk : tr->accumulation_risk;
      *flight = fmin(*flight, own);
    }
  }
}

dls_status dls_event_restart(dls_event_integrator *tr, double scale, double flight, dls_error *err)
{
  tr->scale = scale;
  tr->restarted = tr->located.t;
  if (!dls_located_is_quiet(&tr->located)) {
    tr->uncontrolled = false;
    tr->slow_since = tr->located.t;
    tr->slow_steps = 0;
  }
  dls_step_end *left = &tr->left;
  left->t = tr->right.t = tr->located.t;
  memcpy(left->y, tr->q, tr->n * sizeof *left->y);
  memcpy(left->y + tr->n, tr->v, tr->n * sizeof *left->y);
  memset(left->y + 2 * tr->n, 0, tr->d * tr->m * sizeof *left->y);
  memcpy(left->dy, tr->v, tr->n * sizeof *left->dy);
  memcpy(left->dy + tr->n, tr->a, tr->n * sizeof *left->dy);
  memset(left->dy + 2 * tr->n, 0, tr->d * tr->m * sizeof *left->dy);
  for (size_t k = 0; tr->slow_slip != NULL && k < tr->active.count; k++) {
    dls_contact *contact = &tr->contact[tr->active.index[k]];
    contact->slow_slip_limit = contact->slips_slowly ? dls_slow_slip_limit(tr, tr->active.index[k]) : 0;
  }
  const dls_status status = dls_engine_restart(tr->engine, left->t, left->y, flight, err);
  dls_roots_select(tr);
  return status != DLS_OK ? status : dls_roots_observe(tr, left, err);
}

void dls_event_commit(dls_event_integrator *tr, size_t count)
{
  dls_sim *sim = tr->sim;
  sim->t = tr->located.t;
  sim->jump = !dls_located_is_quiet(&tr->located) && tr->located.kind != DLS_LOCATED_START;
  memcpy(sim->q, tr->q, tr->n * sizeof *sim->q);
  memcpy(sim->v, tr->v, tr->n * sizeof *sim->v);
  memcpy(sim->a, tr->a, tr->n * sizeof *sim->a);
  dls_geometry_multipliers(tr, tr->located.t, tr->q, tr->v, tr->lambda, sim->a, sim->mu);
  dls_geometry_split_rows(tr, tr->lambda, sim->lambda, sim->lambda_t);
  for (size_t j = 0; j < tr->m; j++) {
    const dls_contact *contact = &tr->contact[j];
    sim->status[j] = !contact->closed ? 0 : contact->mode.kind == DLS_MODE_SLIPS ? 2 : 1;
    sim->p[j] = 0;
  }
  memset(sim->p_t, 0, (tr->d - 1) * tr->m * sizeof *sim->p_t);
  for (size_t k = 0; k < count; k++) {
    const size_t j = tr->participant[k].contact;
    sim->p[j] = tr->participant[k].impulse;
    memcpy(sim->p_t + (tr->d - 1) * j, tr->participant[k].friction, (tr->d - 1) * sizeof *sim->p_t);
    sim->jump = sim->jump || tr->participant[k].impulse > 0;
  }
  dls_nodes_record(tr);
}

/* Counts the participants at rest that were released although nothing pulls them away, the danger of release=sign: their gaps close at
 * once. Geometry and tr->a as after the event. */
static void count_wrong_releases(dls_event_integrator *tr, size_t count)
{
  dls_system_curvature(tr->sys, tr->located.t, tr->q, tr->v, tr->curvature);
  for (size_t k = 0; k < count; k++) {
    const size_t j = tr->participant[k].contact;
    const double gamma = dls_matrix_column_dot(tr->contacts.config->normals, j, tr->a) + tr->curvature[j];
    tr->sim->work.wrong_releases +=
        tr->participant[k].u_plus == 0 && !tr->contact[j].closed && gamma < -tr->eps.a;
  }
}

/* The participants that rest are projected, and the acceleration level says what they do.
 * @return also DLS_ERR_JAM */
static dls_status apply_modes(dls_event_integrator *tr, size_t count, dls_error *err)
{
  const size_t rest = collect_resting(tr, count);
  dls_status status = project_rest(tr, count, rest, err);
  status = status != DLS_OK ? status : dls_event_acceleration_level(tr, rest, err);
  if (status == DLS_OK && tr->eps.by_sign) {
    count_wrong_releases(tr, count);
  }
  return status;
}

dls_status dls_event_left_limits(dls_event_integrator *tr, const double *v, dls_error *err)
{
  const dls_status status = dls_smooth_dynamics(tr, tr->located.t, tr->q, v, tr->sim->a_left, tr->lambda, err);
  dls_geometry_multipliers(tr, tr->located.t, tr->q, v, tr->lambda, tr->sim->a_left, tr->sim->mu_left);
  memcpy(tr->force_left, tr->lambda, tr->d * tr->m * sizeof *tr->lambda);
  dls_geometry_split_rows(tr, tr->lambda, tr->sim->lambda_left, tr->sim->lambda_t_left);
  return status;
}

/* --- the record --- */

void dls_event_record_work(const dls_event_integrator *tr, const dls_participant *participant, dls_event *event)
{
  event->tangential = tr->d > 1;
  event->work_normal = 0.5 * (participant->u_minus + participant->u_plus) * participant->impulse;
  for (size_t i = 0; i + 1 < tr->d; i++) {
    event->slip_minus[i] = participant->slip_minus[i];
    event->slip_plus[i] = participant->stationary ? 0 : participant->slip_plus[i];
    event->friction[i] = participant->friction[i];
    event->work_friction += 0.5 * (event->slip_minus[i] + event->slip_plus[i]) * participant->friction[i];
  }
}

static void report_kind(dls_event_integrator *tr, dls_event_kind kind, const dls_participant *participant)
{
  dls_event event = {.t = tr->located.t,
                     .kind = kind,
                     .contact = participant->contact,
                     .u_minus = participant->u_minus,
                     .u_plus = participant->u_plus,
                     .impulse = participant->impulse,
                     .solutions = kind == DLS_IMPACT && tr->impact_solutions > 0 ? tr->impact_solutions
                                  : tr->solver != NULL                           ? tr->solutions
                                                                                 : 0,
                     .root_missed = tr->located.root_missed};
  if (participant->merged) {
    event.merged_count = tr->merge.count;
    event.merged_difference = tr->merge.dv;
    event.merged_orders = tr->merge.orders;
    event.merged_unsolved = tr->merge.unsolved;
    memcpy(event.merged, tr->merge.contact, sizeof event.merged);
  }
  dls_participant bracketed = *participant;
  if (tr->solver == NULL) { /* without friction the event itself needs no slips */
    dls_slip_of(tr, participant->contact, tr->v, bracketed.slip_plus);
  }
  dls_event_record_work(tr, &bracketed, &event);
  dls_sim_event(tr->sim, &event);
}

/* Of a contact that was and is closed: it begins, ends or turns its slip, or takes part in an impact of others. */
static void report_friction_change(dls_event_integrator *tr, const dls_participant *participant)
{
  const dls_contact_mode *was = &tr->was[participant->contact], *is = &tr->contact[participant->contact].mode;
  if (was->kind == DLS_MODE_SLIPS && is->kind == DLS_MODE_STICKS) {
    report_kind(tr, DLS_STICK, participant);
  } else if (was->kind == DLS_MODE_STICKS && is->kind == DLS_MODE_SLIPS) {
    report_kind(tr, DLS_SLIP, participant);
  } else if (was->kind == DLS_MODE_SLIPS && is->kind == DLS_MODE_SLIPS &&
             (participant->stationary ||
              (tr->located.kind == DLS_LOCATED_SWITCH && was->e[0] * is->e[0] + was->e[1] * is->e[1] < 0))) {
    report_kind(tr, DLS_REVERSAL, participant);
  } else if (tr->solver != NULL && participant->impulse > 0) {
    report_kind(tr, DLS_IMPACT, participant);
  }
}

/* Record what happened to the participants. */
static void report(dls_event_integrator *tr, size_t count)
{
  for (size_t k = 0; k < count; k++) {
    const dls_participant *participant = &tr->participant[k];
    const bool closed = tr->contact[participant->contact].closed;
    if (participant->painleve) {
      report_kind(tr, DLS_JAM, participant);
    } else if (participant->u_minus < 0 && participant->impulse > 0) {
      report_kind(tr, DLS_IMPACT, participant);
    } else if (tr->was_closed[participant->contact] && !closed) {
      report_kind(tr, DLS_LIFT_OFF, participant);
    } else if (!tr->was_closed[participant->contact] && closed) {
      report_kind(tr, DLS_LANDING, participant);
    } else if (!closed && participant->closing && participant->u_minus == 0) {
      report_kind(tr, DLS_GRAZING, participant);
    } else if (closed) {
      report_friction_change(tr, participant);
    }
  }
}

/* --- the event --- */

/* Count tr->located. @return DLS_ERR_CHATTERING if there are too many */
static dls_status count_event(dls_event_integrator *tr, dls_error *err)
{
  if (dls_located_is_quiet(&tr->located) || tr->located.kind == DLS_LOCATED_START ||
      ++tr->events <= tr->eps.max_events) {
    return DLS_OK;
  }
  const size_t made = tr->impact_count;
  const size_t kept = made < DLS_WINDOW ? made : DLS_WINDOW;
  const double window =
      kept > 0 ? tr->impacts[(made - 1) % DLS_WINDOW] - tr->impacts[(made - kept) % DLS_WINDOW] : 0;
  char name[80];
  dls_contact_name(tr->sys, tr->located.contact, name, sizeof name);
  return dls_sim_fail(
      tr->sim, err, DLS_ERR_CHATTERING,
      "event %zu, of %s, is more than max_events = %zu; the last %zu impacts came within %.3g s", tr->events,
      name, tr->eps.max_events, kept, window);
}

dls_status dls_event_resolve_painleve(dls_event_integrator *tr, size_t count, dls_error *err)
{
  const dls_status status = dls_modes_stop_slip(tr, count, err);
  dls_modes_classify_slip(tr, count, true);
  dls_modes_initial(tr, count, true);
  return status != DLS_OK ? status : apply_modes(tr, count, err);
}

/* From the left limits in tr->q, tr->v to the right limits there, with the new index sets. */
static dls_status transition(dls_event_integrator *tr, size_t *count, dls_error *err)
{
  memcpy(tr->sim->v_left, tr->v, tr->n * sizeof *tr->v);
  dls_status status = dls_event_left_limits(tr, tr->sim->v_left, err);
  *count = 0;
  status = status != DLS_OK
               ? status
               : gather_participants(tr, count, err); /* slip is that before a jump of the surfaces */
  if (status == DLS_OK && tr->located.t >= tr->next_break) {
    dls_explicit_time_next_break(tr, tr->located.t);
    tr->memo.valid = false;
    status = dls_geometry_set(tr, tr->located.t, tr->q, err);
  }
  bool impacts = false;
  status = status != DLS_OK ? status : impact_level(tr, *count, tr->sim->v_left, &impacts, err);
  if (status == DLS_OK && tr->solver != NULL) {
    dls_modes_classify_slip(tr, *count, impacts);
    dls_modes_initial(tr, *count, impacts);
  }
  status = status != DLS_OK ? status : apply_modes(tr, *count, err);
  if (status == DLS_ERR_JAM && tr->eps.painleve_impact) {
    status = dls_event_resolve_painleve(tr, *count, err);
  }
  return status == DLS_ERR_JAM ? dls_modes_fail_painleve(tr, err) : status;
}

/* A grazing after which nothing differs. */
static bool nothing_changed(const dls_event_integrator *tr, size_t count)
{
  if (tr->located.kind != DLS_LOCATED_GRAZE) {
    return false;
  }
  for (size_t k = 0; k < count; k++) {
    const size_t j = tr->participant[k].contact;
    if (tr->participant[k].impulse > 0 || tr->contact[j].closed != tr->was_closed[j]) {
      return false;
    }
  }
  return true;
}

dls_status dls_event_process(dls_event_integrator *tr, const double *q, const double *v, bool *changed,
                             dls_error *err)
{
  memcpy(tr->q, q, tr->n * sizeof *q);
  memcpy(tr->v, v, tr->n * sizeof *v);
  size_t count = 0;
  tr->impact_solutions = 0;
  tr->merge = (dls_merge){0};
  dls_status status = count_event(tr, err);
  if (status == DLS_OK && tr->contacts.joints != NULL) { /* first, as impacts need the directions there */
    status = dls_geometry_project_joints(tr, tr->located.t, &(dls_contacts){0}, tr->q, tr->v, err);
  }
  if (status == DLS_OK && tr->located.kind == DLS_LOCATED_REST && tr->d == 3) {
    status = dls_slip_end(tr, err);
  }
  status = status != DLS_OK ? status : transition(tr, &count, err);
  if (status != DLS_OK) {
    return status;
  }
  tr->participant_count = count;
  set_gap_thresholds(tr, count);
  *changed = !nothing_changed(tr, count);
  if (*changed) {
    double scale = 1, flight = HUGE_VAL;
    assess_flights(tr, count, &scale, &flight);
    if (tr->located.kind == DLS_LOCATED_CUT) {
      flight = fmin(flight, tr->explicit_time.first_step);
    }
    status = dls_event_restart(tr, scale, flight < HUGE_VAL ? flight : 0, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  if (*changed) {
    dls_event_commit(tr, count);
  }
  report(tr, count);
  if (*changed) {
    tr->located = (dls_located_event){.kind = DLS_LOCATED_NONE, .t = HUGE_VAL};
  }
  return DLS_OK;
}
