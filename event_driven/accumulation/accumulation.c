/* event_driven/accumulation/accumulation.c -- infinitely many impacts of some contacts are passed as one.
 *
 * After an impact from which a contact rebounds little, the motion of all contacts that matter is followed with the
 * present coefficients (cluster.h) to the end of its series, tau later. There F, M, H and e are evaluated again, and the motion
 * is followed a second time with those. If the two passes differ by less than tol, their mean is taken:
 *   v+ = v + M^-1 (F tau + H (sum P + int lambda))                                                  (1)
 *   q+ = q + v tau + M^-1 (F tau^2 / 2 + H (sum P (tau - s) + int lambda (tau - s) ds))             (2)
 * The difference of the two passes is reported as the error; the node at t + tau carries the impulses sum P.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/accumulation/local_pass.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* acc->in := the contacts that are closed, or come back within the time if no other impact happens. */
static void find_contacts(dls_event_integrator *run, dls_accumulation *acc, double time)
{
  dls_event_work *work = &run->work;
  const dls_sim *sim = run->sim;
  dls_configuration_contacts(work->contacts.config, sim->t, sim->q);
  dls_configuration_gap(work->contacts.config, work->g);
  dls_geometry_gap_velocity(&run->method, work, sim->t, sim->q, sim->v);
  dls_system_curvature(run->method.sys, sim->t, sim->q, sim->v, work->curvature);
  for (size_t j = 0; j < run->method.m; j++) {
    const double gamma = dls_matrix_column_dot(work->contacts.config->normals, j, sim->a) +
                         work->curvature[j]; /* Gamma = H^T a + (dH^T/dt) v */
    work->g[j] += run->state.contact[j].gap_threshold == DLS_GAP_THRESHOLD_ZERO
                      ? 0
                      : run->state.contact[j].threshold_depth; /* it may graze */
    acc->in[j] =
        run->state.contact[j].closed || dls_cluster_return(fmax(work->g[j], 0), work->u[j], gamma) <= time;
  }
  for (size_t i = 0; i < run->state.participant_count; i++) {
    const dls_participant *participant = &run->state.participant[i];
    const size_t j = participant->contact;
    acc->in[j] = true;
    work->u[j] = participant->u_plus;
    if (participant->closing || participant->u_plus == 0 || run->state.was_closed[j]) { /* it was projected */
      work->g[j] = 0;
    }
  }
}

/* Add contacts outside the set that may be hit on the way. @return were there any? */
static bool add_reached_contacts(dls_event_integrator *run, dls_accumulation *acc, const dls_cluster_sums *sums)
{
  bool wider = false;
  for (size_t j = 0; j < run->method.m; j++) {
    if (acc->in[j]) {
      continue;
    }
    double a = 0, u = run->work.u[j];
    dls_geometry_free_gap_acceleration(run, run->sim->t, run->sim->q, run->sim->v, 1, &j, &a);
    for (size_t i = 0; i < acc->k; i++) {
      u +=
          fmin(0, dls_local_pass_row(&run->method, &run->work, acc, &acc->local_pass[0], run->method.d * j, i) *
                      (sums->P[i] + sums->L[i]));
    }
    acc->in[j] = dls_cluster_return(fmax(run->work.g[j], 0), u, a) <= sums->tau;
    wider = wider || acc->in[j];
  }
  return wider;
}

/* The set, and the first pass, with the coefficients at the start; sums = NULL: no end. */
static dls_status run_first_pass(dls_event_integrator *run, dls_accumulation *acc,
                                 const dls_cluster_limits *limits, dls_error *err)
{
  dls_local_pass *first = &acc->local_pass[0];
  do {
    acc->k = 0;
    for (size_t j = 0; j < run->method.m; j++) {
      if (acc->in[j]) {
        acc->set[acc->k++] = j;
      }
    }
    if (!dls_local_pass_reserve(acc, acc->k)) {
      return dls_sim_fail(run->sim, err, DLS_ERR_MEMORY, "no memory for an accumulation of %zu contacts",
                          acc->k);
    }
    for (size_t i = 0; i < acc->k; i++) {
      const size_t j = acc->set[i];
      acc->e[i] = dls_law_restitution(run->method.sys, j, -fabs(run->work.u[j])); /* where the flight ends */
      acc->g[i] = fmax(run->work.g[j], 0);
      acc->u[i] = run->work.u[j];
      acc->gap_error[i] =
          acc->g[i] > 0 ? dls_simultaneous_gap_error(run, j, run->sim->t, run->sim->q, run->sim->v) : 0;
    }
    dls_local_pass_choose_tangency(run, acc,
                                   acc->sticking == DLS_STICKING_FORCED ? limits->velocity_change : 0);
    dls_local_pass_choose_held(run, acc, limits->velocity_change);
    dls_local_pass_set_coefficients(run, acc, run->sim->t, run->sim->q, run->sim->v, first);
    dls_local_pass_run(acc, first, limits);
  } while (first->sums != NULL && add_reached_contacts(run, acc, first->sums));
  return DLS_OK;
}

/* Advance both passes to the later of their ends. @return do the same contacts rest in both? */
static bool synchronize(const dls_accumulation *acc)
{
  dls_cluster_sums *a = acc->local_pass[0].sums, *b = acc->local_pass[1].sums;
  const double later = fmax(a->tau, b->tau);
  dls_cluster_sums *const earlier = a->tau < b->tau ? a : b;
  if (earlier->tau < later && !(later - earlier->tau < earlier->next)) {
    return false;
  }
  dls_cluster_advance(earlier, acc->k, later - earlier->tau);
  return memcmp(a->rests, b->rests, acc->k * sizeof *a->rests) == 0;
}

/* The second pass, with the coefficients at the end of the first; sums = NULL: no end. Geometry as at sim->q before and after. */
static dls_status run_second_pass(dls_event_integrator *run, dls_accumulation *acc,
                                  const dls_cluster_limits *limits, double *lag, dls_error *err)
{
  dls_local_pass *first = &acc->local_pass[0], *second = &acc->local_pass[1];
  dls_local_pass_set_end_state(run, acc, first);
  dls_status status = dls_geometry_set(&run->state, &run->work, run->sim->t + first->sums->tau, first->q, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_local_pass_set_coefficients(run, acc, run->sim->t + first->sums->tau, first->q, first->v, second);
  for (size_t i = 0; i < acc->k; i++) {
    acc->e[i] = dls_law_restitution(run->method.sys, acc->set[i], 0); /* at the end of the series */
  }
  dls_cluster_limits wider = *limits;
  wider.time = threshold_second_pass_time * first->sums->tau; /* the same end, not a later one */
  wider.velocity_change *= threshold_second_pass_change;
  dls_local_pass_run(acc, second, &wider);
  if (second->sums != NULL) {
    *lag = fabs(second->sums->tau - first->sums->tau);
    if (synchronize(acc)) {
      dls_local_pass_set_end_state(run, acc, second);
    } else {
      second->sums = NULL;
    }
  }
  status = dls_geometry_set(&run->state, &run->work, run->sim->t, run->sim->q, err);
  if (status == DLS_OK && second->sums != NULL) {
    dls_local_pass_set_end_state(run, acc, first); /* it may have waited */
  }
  return status;
}

/* The difference of the two passes, in units of what tol allows; bounds of the event. */
static double compare_passes(dls_event_integrator *run, const dls_accumulation *acc, double rest_speed,
                             dls_event *passed)
{
  const dls_local_pass *a = &acc->local_pass[0], *b = &acc->local_pass[1];
  const double length = run->method.sys->length, time = run->method.sys->time;
  double worst = 0, speed = 0, dv = 0, dg = 0, end_time_error = 0;
  for (size_t i = 0; i < run->method.n; i++) {
    const double step = fabs(a->v[i] - b->v[i]);
    dv = fmax(dv, step);
    speed = fmax(speed, fabs(a->v[i]));
    const double apart = fmax(fabs(a->q[i] - b->q[i]), step * time) / length;
    worst = apart <= worst ? worst : apart + 0 * step; /* NaN stays */
  }
  for (size_t j = 0; j < run->method.m; j++) {
    const double change = dls_matrix_column_dot(run->work.contacts.config->normals, j, a->q) -
                          dls_matrix_column_dot(run->work.contacts.config->normals, j, b->q);
    dg = fmax(dg, fabs(change) + dls_geometry_gap_round_off(run, j, run->sim->t, a->q));
  }
  for (size_t i = 0; i < acc->k; i++) {
    end_time_error = fmax(end_time_error, run->state.contact[acc->set[i]].end_time_error);
  }
  const double tau = a->sums->tau;
  passed->bound = 0.5 * tau * fmax(a->sums->velocity_change, b->sums->velocity_change) + dg;
  passed->bound_velocity = dv + threshold_accumulation_rounding * speed +
                           (a->sums->came_to_rest || b->sums->came_to_rest ? rest_speed : 0);
  passed->bound_time = passed->bound_time + end_time_error + threshold_accumulation_rounding * run->sim->t;
  passed->impacts = a->sums->impacts;
  passed->duration = tau;
  return worst / run->method.eps.tol;
}

/* The change of q that slip would make which the passes neglect, over what tol allows. Such slip is slower than the velocity change, and
 * friction stops it soon. */
static double neglected_displacement(const dls_event_method *method, const dls_accumulation *acc)
{
  const dls_cluster_sums *sums = acc->local_pass[0].sums;
  double gamma = 0;
  for (size_t i = 0; i < acc->k; i++) {
    gamma = fmax(gamma, fabs(acc->local_pass[0].a[i]));
  }
  return sums->velocity_change * (sums->tau + sums->velocity_change / gamma) /
         (method->eps.tol * method->sys->length);
}

/* In space one impact has friction against the slip at its end, while in the series slip turns by up to velocity_change/|u_T|. */
static double turning_error(const dls_event_integrator *run, const dls_accumulation *acc)
{
  const double velocity_change = acc->local_pass[0].sums->velocity_change;
  double most = 0, e[2];
  for (size_t i = 0; run->method.d == 3 && i < acc->k; i++) {
    const double slip = dls_slip_direction(run, acc->set[i], run->sim->v, e);
    most = acc->tangency[i] == DLS_TANGENCY_SLIPS
               ? fmax(most, velocity_change * fmin(1, velocity_change / slip))
               : most;
  }
  return most;
}

/* Slip of stationary contacts by the impulses of others: up to tol it is included in the bound. @return is it more? */
static bool neglects_slip(dls_event_integrator *run, const dls_accumulation *acc, dls_event *passed)
{
  const double slip = dls_local_pass_neglected_slip(run, acc);
  const bool matters = slip > run->method.eps.tol * run->method.sys->length / run->method.sys->time;
  passed->bound_velocity += matters ? turning_error(run, acc) : slip;
  return matters;
}

/* For two passes that are close. @param[in] ends  slip of closed contacts ends on the way */
static dls_slip_agreement slip_agreement(dls_event_integrator *run, const dls_accumulation *acc, bool ends,
                                         dls_event *passed)
{
  if (acc->sticking == DLS_STICKING_FORCED || ends || !dls_local_pass_slip_lasts(run, acc, false)) {
    return DLS_SLIP_DIFFERS;
  }
  return neglects_slip(run, acc, passed) ? DLS_SLIP_PUSHED : DLS_SLIP_AGREES;
}

/* Two passes that agree, or sums = NULL. They may be wrong about slip where sticking is forced or flights are lost. */
static dls_status find_agreement(dls_event_integrator *run, dls_accumulation *acc, dls_cluster_limits *limits,
                                 dls_event *passed, dls_error *err)
{
  const bool may_err =
      acc->sticking == DLS_STICKING_FORCED || run->state.accumulation_risk == DLS_ACCUMULATION_RISK_LOST;
  const double slack =
      run->state.accumulation_risk >= DLS_ACCUMULATION_RISK_UNRESOLVED ? threshold_unresolved_slack : 1;
  for (size_t i = 0; i < threshold_end_tries; i++) {
    dls_status status = run_first_pass(run, acc, limits, err);
    if (status != DLS_OK || acc->local_pass[0].sums == NULL) {
      return status;
    }
    const double tau = acc->local_pass[0].sums->tau;
    status = run_second_pass(run, acc, limits, &passed->bound_time, err);
    if (status != DLS_OK) {
      return status;
    }
    const bool close =
        acc->local_pass[1].sums != NULL && compare_passes(run, acc, limits->rest_speed, passed) <= slack;
    const bool ends = close && !dls_local_pass_slip_lasts(run, acc, true);
    acc->slip = close ? slip_agreement(run, acc, ends, passed) : DLS_SLIP_AGREES;
    const bool may_differ = acc->slip == DLS_SLIP_PUSHED || (acc->slip == DLS_SLIP_DIFFERS && may_err);
    if (close &&
        (acc->slip == DLS_SLIP_AGREES || (may_differ && neglected_displacement(&run->method, acc) <= slack))) {
      return DLS_OK;
    }
    dls_local_pass_record_slip(acc, ends);
    limits->time = threshold_shorter_end * tau;
  }
  acc->local_pass[0].sums = NULL;
  return DLS_OK;
}

/* Where the next impact can hardly be resolved: may slip be why no end was found? */
static bool slip_prevents_end(const dls_event_state *state, const dls_accumulation *acc)
{
  const bool slips = acc->sticking == DLS_STICKING_BROKEN;
  if (slips || state->accumulation_risk != DLS_ACCUMULATION_RISK_LOST) {
    return slips && state->accumulation_risk >= DLS_ACCUMULATION_RISK_UNRESOLVED;
  }
  for (size_t i = 0; i < acc->k; i++) {
    if (acc->tangency[i] == DLS_TANGENCY_SLIPS) {
      return true;
    }
  }
  return false;
}

/* The flights are too low to be followed one by one, and a sticking contact would slip in their impacts. */
static dls_status fail_beside_slip(const dls_event_integrator *run, const dls_accumulation *acc, dls_error *err)
{
  const dls_event_state *state = &run->state;
  char name[80], beside[80];
  size_t k = 0, i = 0;
  while (k + 1 < state->participant_count && !(state->participant[k].u_plus > 0)) {
    k++;
  }
  while (i + 1 < acc->k && !(state->contact[acc->set[i]].has_friction && state->contact[acc->set[i]].closed)) {
    i++;
  }
  dls_contact_name(run->method.sys, state->participant[k].contact, name, sizeof name);
  dls_contact_name(run->method.sys, acc->set[i], beside, sizeof beside);
  return dls_sim_fail(
      run->sim, err, DLS_ERR_CHATTERING,
      "impacts of %s accumulate at t = %.17g in flights lower than the round-off of its gap, and "
      "begin and end slip of %s beside it; such a series cannot be passed",
      name, run->sim->t, beside);
}

/* Two passes that agree. Where flights are too low for the next impact, friction beside them may exceed its limit.
 * @param[out] what  of the event */
static dls_status search_end(dls_event_integrator *run, dls_accumulation *acc, double most, dls_event *what,
                             dls_error *err)
{
  const double longest = fmin(threshold_longest_accumulation * run->method.sys->time, most);
  const double velocity_change = fmax(run->method.eps.z, threshold_unresolved_change * run->state.unresolved);
  dls_cluster_limits limits = {
      .time = longest,
      .velocity_change = velocity_change,
      .short_time = run->method.eps.remaining,
      .rest_speed = threshold_rest_speed * velocity_change,
      .impacts = threshold_accumulation_impacts,
  };
  acc->sticking = DLS_STICKING_KEPT;
  acc->slip = DLS_SLIP_AGREES;
  find_contacts(run, acc, longest);
  dls_status status = find_agreement(run, acc, &limits, what, err);
  if (status == DLS_OK && acc->local_pass[0].sums == NULL && slip_prevents_end(&run->state, acc)) {
    acc->sticking = DLS_STICKING_FORCED;
    limits.time = longest;
    status = find_agreement(run, acc, &limits, what, err);
  }
  if (acc->slip != DLS_SLIP_AGREES) {
    what->bound_time += what->duration;
    what->bound += what->duration * velocity_change;
  }
  return status;
}

/* --- the end: who rests there, the impulses in the node, the event --- */

/* Mean of both passes, without the reaction of held contacts. */
static double mean_friction(const dls_accumulation *acc, size_t i, size_t tangent)
{
  const dls_local_pass *a = &acc->local_pass[0], *b = &acc->local_pass[1];
  return 0.5 * (a->c[2 * i + tangent] * a->sums->P[i] + b->c[2 * i + tangent] * b->sums->P[i]);
}

/* Participants := the set with its impulses, the mean of sum P of the two passes; q, v := the mean of (1), (2) of both.
 * @return number of contacts at rest: subset, down */
static size_t collect_participants(dls_event_integrator *run, dls_accumulation *acc)
{
  dls_event_state *state = &run->state;
  const dls_local_pass *a = &acc->local_pass[0], *b = &acc->local_pass[1];
  size_t rest = 0;
  for (size_t i = 0; i < acc->k; i++) {
    const size_t j = acc->set[i];
    acc->P[i] = 0.5 * (a->sums->P[i] + b->sums->P[i]);
    run->work.set[i] = j;
    state->was_closed[j] = state->contact[j].closed;
    if (!state->contact[j].weighed) { /* it has not been hit before */
      dls_geometry_contact_weight(run, j);
    }
    state->participant[i] = (dls_participant){.contact = j,
                                              .impulse = acc->P[i],
                                              .friction = {mean_friction(acc, i, 0), mean_friction(acc, i, 1)},
                                              .closing = a->sums->rests[i]};
    if (a->sums->rests[i]) {
      run->work.subset[rest] = run->work.down[rest] = j;
      rest++;
    }
  }
  for (size_t i = 0; i < acc->k; i++) { /* needs the impulses of all */
    dls_local_pass_held_friction(&run->method, acc, a, 0.5, acc->P, i, state->participant[i].friction);
    dls_local_pass_held_friction(&run->method, acc, b, 0.5, acc->P, i, state->participant[i].friction);
  }
  state->participant_count = acc->k;
  for (size_t i = 0; i < run->method.n; i++) {
    run->work.q[i] = 0.5 * (a->q[i] + b->q[i]);
    run->work.v[i] = 0.5 * (a->v[i] + b->v[i]);
  }
  return rest;
}

/* u+ and slip of the participants for v. */
static void update_velocities(dls_event_integrator *run, const dls_accumulation *acc, size_t rest)
{
  dls_event_work *work = &run->work;
  for (size_t i = 0, r = 0; i < acc->k; i++) {
    dls_participant *participant = &run->state.participant[i];
    const size_t j = participant->contact;
    const bool rests = r < rest && work->subset[r] == j;
    r += rests;
    participant->u_plus = rests ? 0 : dls_configuration_row(work->contacts.config, run->method.d * j, work->v);
    dls_slip_of(&run->method, work, j, work->v, participant->slip_plus);
  }
}

/* Project the contacts that rest, and add the impulses that this takes. */
static dls_status project_rest(dls_event_integrator *run, dls_accumulation *acc, size_t down, size_t rest,
                               dls_error *err)
{
  const dls_status status = dls_geometry_project(run, down, rest, err);
  if (status == DLS_OK) {
    dls_geometry_add_held_impulses(run, acc->k);
  }
  update_velocities(run, acc, rest);
  return status;
}

/* Rest as in the passes. */
static dls_status rest_by_series(dls_event_integrator *run, dls_accumulation *acc, size_t rest, dls_error *err)
{
  for (size_t i = 0; i < acc->k; i++) {
    dls_modes_apply(run, &run->state.participant[i], acc->tangency[i] != DLS_TANGENCY_SLIPS);
  }
  return project_rest(run, acc, rest, rest, err);
}

/* Remove the impulses of the contacts that are to rest from v. u_free := their u; u- = 0 and r = 0. */
static void remove_rest_impulses(dls_event_integrator *run, dls_accumulation *acc, const dls_contacts *set)
{
  const size_t d = run->method.d;
  for (size_t i = 0, k = 0; i < acc->k && k < set->count; i++) {
    const dls_participant *participant = &run->state.participant[i];
    if (participant->contact == set->index[k]) {
      acc->r[d * k] = participant->impulse;
      memcpy(acc->r + d * k + 1, participant->friction, (d - 1) * sizeof *acc->r);
      k++;
    }
  }
  dls_contact_system_apply(&run->work.contacts, set, -1, acc->r, run->work.v);
  dls_contact_system_velocity(&run->work.contacts, set, run->work.v, run->work.u_free);
  memset(run->work.u_minus, 0, d * set->count * sizeof *run->work.u_minus);
}

/* Contacts that fly on and were held beyond their limit of friction get friction at the limit. */
static void limit_friction(dls_event_integrator *run, dls_accumulation *acc, const dls_contacts *rest)
{
  for (size_t i = 0, k = 0; i < acc->k; i++) {
    dls_participant *participant = &run->state.participant[i];
    const bool rests = k < rest->count && rest->index[k] == participant->contact;
    const double most = run->method.sys->mu[participant->contact] * participant->impulse,
                 size = hypot(participant->friction[0], participant->friction[1]);
    k += rests;
    if (rests || !(size > most)) {
      continue;
    }
    acc->r[0] = 0;
    for (size_t l = 0; l + 1 < run->method.d; l++) {
      acc->r[1 + l] = (most / size - 1) * participant->friction[l];
      participant->friction[l] *= most / size;
    }
    dls_contact_system_apply(&run->work.contacts, &(dls_contacts){1, &participant->contact}, 1, acc->r,
                             run->work.v);
  }
}

/* The participants that are to rest (subset) get the impulses of one impact without restitution in place of their sums. Updates impulses,
 * v, u+, modes and whether they are stationary, with the current geometry. */
static dls_status final_impact(dls_event_integrator *run, dls_accumulation *acc, size_t rest, dls_error *err)
{
  const size_t d = run->method.d;
  const dls_contacts set = {rest, run->work.subset};
  limit_friction(run, acc, &set);
  remove_rest_impulses(run, acc, &set);
  double fastest = 0;
  for (size_t row = 0; row < d * rest; row++) {
    fastest = fmax(fastest, fabs(run->work.u_free[row]));
  }
  const dls_status status =
      dls_contact_system_impulse(&run->work.contacts, &set, run->work.u_free, run->work.u_minus, acc->r, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_contact_system_apply(&run->work.contacts, &set, 1, acc->r, run->work.v);
  for (size_t i = 0, k = 0; i < acc->k && k < rest; i++) {
    dls_participant *participant = &run->state.participant[i];
    double u[2];
    if (participant->contact == set.index[k]) {
      participant->impulse = acc->r[d * k];
      memcpy(participant->friction, acc->r + d * k + 1, (d - 1) * sizeof *acc->r);
      dls_modes_apply(run, participant,
                      dls_slip_of(&run->method, &run->work, participant->contact, run->work.v, u) <=
                          threshold_stopped_slip * fastest);
      k++;
    }
  }
  return DLS_OK;
}

/* After final_impact: is every contact that was taken as stationary, and rests, without slip? */
static bool ends_stationary(const dls_event_state *state, const dls_accumulation *acc)
{
  for (size_t i = 0; i < acc->k; i++) {
    const dls_participant *participant = &state->participant[i];
    if (acc->tangency[i] == DLS_TANGENCY_STATIONARY && state->contact[participant->contact].has_friction &&
        participant->closing && !participant->stationary) {
      return false;
    }
  }
  return true;
}

/* Are the impulses of the participants, which are the set, in their cones? @param[in] error  of velocities [m/s] */
static bool impulses_are_lawful(const dls_event_method *method, const dls_event_state *state,
                                const dls_accumulation *acc, double error)
{
  for (size_t i = 0; i < acc->k; i++) {
    const dls_participant *participant = &state->participant[i];
    const size_t j = participant->contact;
    const double mu = acc->tangency[i] == DLS_TANGENCY_HELD ? acc->mu[i] : method->sys->mu[j],
                 T = hypot(participant->friction[0], participant->friction[1]);
    if (!(state->contact[j].weight * -participant->impulse <= error) ||
        (state->contact[j].has_friction &&
         !(state->contact[j].weight * (T - mu * participant->impulse) <= error))) {
      return false;
    }
  }
  return true;
}

/* Rest by one impact without restitution. @param[in,out] rest  without the contacts that it throws off */
static dls_status rest_by_final_impact(dls_event_integrator *run, dls_accumulation *acc, size_t *rest,
                                       dls_error *err)
{
  const size_t down = *rest;
  dls_status status = dls_geometry_set(&run->state, &run->work, run->state.located.t, run->work.q, err);
  if (status == DLS_OK) {
    status = final_impact(run, acc, down, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  *rest = 0;
  for (size_t i = 0, r = 0; i < acc->k && r < down; i++) {
    const dls_participant *participant = &run->state.participant[i];
    const size_t j = participant->contact;
    if (run->work.down[r] == j) {
      r++;
      const double u = dls_configuration_row(run->work.contacts.config, run->method.d * j, run->work.v);
      if (run->state.contact[j].weight * participant->impulse >= u) {
        run->work.subset[(*rest)++] = j;
      }
    }
  }
  return project_rest(run, acc, down, *rest, err);
}

/* Gap thresholds of the contacts that fly on. */
static void set_gap_thresholds(dls_event_integrator *run)
{
  dls_event_state *state = &run->state;
  dls_system_gap(run->method.sys, state->located.t, run->work.q, run->work.g);
  for (size_t i = 0; i < state->participant_count; i++) {
    const size_t j = state->participant[i].contact;
    dls_contact *contact = &state->contact[j];
    if (!contact->closed) {
      contact->gap_threshold = run->work.g[j] > 0 ? DLS_GAP_THRESHOLD_ZERO : DLS_GAP_THRESHOLD_LEAVING;
      contact->threshold_depth = fmin(fmax(-2 * run->work.g[j], 0), 0.5 * run->method.eps.g);
      contact->peak = fmax(fabs(state->participant[i].u_plus), state->was_closed[j] ? 0 : contact->peak);
    }
  }
}

static void report_accumulation(dls_event_integrator *run, const dls_event *passed)
{
  dls_event_state *state = &run->state;
  dls_event event = *passed;
  event.t = event.time_end = state->located.t;
  event.bound += dls_simultaneous_gap_uncertainty(state, event.t);
  event.bound_velocity += state->uncertainty.dv;
  for (size_t i = 0; i < state->participant_count; i++) {
    event.members += state->participant[i].impulse > 0;
  }
  for (size_t i = 0; i < state->participant_count; i++) {
    const dls_participant *participant = &state->participant[i];
    event.contact = participant->contact;
    event.u_minus = participant->u_minus;
    event.u_plus = participant->u_plus;
    event.impulse = participant->impulse;
    event.work_friction = 0; /* of this contact */
    dls_event_record_work(&run->method, participant, &event);
    event.kind = participant->painleve ? DLS_PAINLEVE : DLS_ACCUMULATION;
    if (participant->impulse > 0) {
      dls_sim_event(run->sim, &event);
    } else if (state->was_closed[participant->contact] && !state->contact[participant->contact].closed) {
      dls_sim_event(run->sim, &(dls_event){.t = event.t, .kind = DLS_LIFT_OFF, .contact = event.contact});
    }
  }
}

/* v_left := v without the impulses; u- and slip- follow. */
static void remove_impulses(dls_event_integrator *run, dls_accumulation *acc)
{
  const dls_event_method *method = &run->method;
  const dls_contacts set = {acc->k, acc->set};
  for (size_t i = 0; i < acc->k; i++) {
    acc->r[method->d * i] = run->state.participant[i].impulse;
    memcpy(acc->r + method->d * i + 1, run->state.participant[i].friction, (method->d - 1) * sizeof *acc->r);
  }
  dls_contact_system_apply(&run->work.contacts, &set, -1, acc->r, run->sim->v_left);
  for (size_t i = 0; i < acc->k; i++) {
    dls_participant *participant = &run->state.participant[i];
    participant->u_minus =
        dls_configuration_row(run->work.contacts.config, method->d * participant->contact, run->sim->v_left);
    dls_slip_of(method, &run->work, participant->contact, run->sim->v_left, participant->slip_minus);
  }
}

/* Which contacts rest, and their impulses. @param[out] rest  how many (subset)
 * @param[out] arrived  false: friction is not that of the passes */
static dls_status come_to_rest(dls_event_integrator *run, dls_accumulation *acc, dls_event *passed, bool must,
                               size_t *rest, bool *arrived, dls_error *err)
{
  const dls_event_method *method = &run->method;
  const double error = fmax(passed->bound_velocity, method->eps.tol * method->sys->length / method->sys->time);
  *rest = collect_participants(run, acc);
  *arrived = false;
  dls_status status = DLS_OK;
  if (acc->slip == DLS_SLIP_AGREES) {
    status = rest_by_series(run, acc, *rest, err);
    *arrived = status == DLS_OK && impulses_are_lawful(method, &run->state, acc, error);
  }
  if (acc->slip == DLS_SLIP_PUSHED) {
    status = rest_by_final_impact(run, acc, rest, err);
    *arrived = status == DLS_OK && ends_stationary(&run->state, acc);
    status = status == DLS_ERR_MEMORY || status == DLS_ERR_INTERRUPTED ? status : DLS_OK;
  }
  if (!*arrived && must && status == DLS_OK) {
    *rest = collect_participants(run, acc);
    passed->bound_velocity +=
        fmax(acc->local_pass[0].sums->velocity_change, acc->local_pass[1].sums->velocity_change);
    status = rest_by_final_impact(run, acc, rest, err);
    *arrived = status == DLS_OK;
  }
  return status;
}

/* Restore the state before the attempt. */
static dls_status restore_state(dls_event_integrator *run, dls_error *err)
{
  run->state.located = (dls_located_event){.kind = DLS_LOCATED_NONE, .t = HUGE_VAL};
  run->work.memo.valid = false;
  return dls_geometry_set(&run->state, &run->work, run->sim->t, run->sim->q, err);
}

/* Friction opposes the slip at the left limits. */
static void update_slip_directions(dls_event_integrator *run, const dls_accumulation *acc)
{
  for (size_t i = 0; i < acc->k; i++) {
    double e[2];
    dls_contact *contact = &run->state.contact[acc->set[i]];
    if (contact->closed && contact->mode.kind == DLS_MODE_SLIPS) {
      dls_slip_direction(run, acc->set[i], run->sim->v_left, e);
      memcpy(contact->mode.e, e, sizeof contact->mode.e);
    }
  }
  run->work.memo.valid = false;
}

/* Remove contacts that would pull with that friction; active is rebuilt after the left limits. @return are there any? */
static bool release_tensile(dls_event_integrator *run)
{
  size_t kept = 0;
  for (size_t k = 0; k < run->state.active.count; k++) {
    const size_t j = run->state.active.index[k];
    if (!(run->state.contact[j].weight * run->work.lambda[run->method.d * j] < -run->method.eps.a)) {
      run->state.active.index[kept++] = j;
    }
  }
  const bool any = kept < run->state.active.count;
  run->state.active.count = kept;
  run->work.memo.valid = run->work.memo.valid && !any;
  return any;
}

/* Left limits without the impulses of the node; afterwards the modes are those of the right limits. */
static dls_status set_left_limits(dls_event_integrator *run, dls_accumulation *acc, dls_error *err)
{
  memcpy(run->sim->v_left, run->work.v, run->method.n * sizeof *run->work.v);
  remove_impulses(run, acc);
  update_slip_directions(run, acc);
  dls_status status = dls_event_left_limits(run, run->sim->v_left, err);
  while (status == DLS_OK && release_tensile(run)) {
    status = dls_event_left_limits(run, run->sim->v_left, err);
  }
  for (size_t i = 0; i < acc->k; i++) {
    dls_modes_apply(run, &run->state.participant[i], run->state.participant[i].stationary);
  }
  return status;
}

/* Go from the sim's state to the end of the accumulation on which both passes agree.
 * @param[in]  must     flights are too low to make the next impact: end there with friction as near to this as it can be
 * @param[out] arrived  false: friction is not what the passes took it for, and nothing has changed */
static dls_status arrive(dls_event_integrator *run, dls_accumulation *acc, dls_event *passed, double end,
                         bool must, bool *arrived, dls_error *err)
{
  const double tau = passed->duration;
  const double next = fmin(acc->local_pass[0].sums->next, acc->local_pass[1].sums->next);
  size_t rest = 0;
  run->state.located = (dls_located_event){
      .kind = DLS_LOCATED_CROSSING, .t = fmin(run->sim->t + tau, end), .contact = acc->set[0]};
  dls_status status = come_to_rest(run, acc, passed, must, &rest, arrived, err);
  if (status != DLS_OK || !*arrived) {
    return status != DLS_OK ? status : restore_state(run, err);
  }
  status = set_left_limits(run, acc, err);
  if (status == DLS_OK) {
    status = dls_event_acceleration_level(run, rest, err);
  }
  if (status == DLS_ERR_PAINLEVE && run->method.eps.painleve_impact) {
    status = dls_event_resolve_painleve(run, acc->k, err);
  }
  if (status != DLS_OK) {
    return status == DLS_ERR_PAINLEVE ? dls_modes_fail_painleve(run, err) : status;
  }
  if ((status = dls_motion_tangents_accumulate(run, acc->k, err)) != DLS_OK) {
    return status;
  }
  set_gap_thresholds(run);
  status = dls_event_restart(run, rest < acc->k ? run->state.scale : 1, next < HUGE_VAL ? next : 0, err);
  if (status == DLS_OK) {
    dls_event_commit(run, acc->k);
    report_accumulation(run, passed);
    run->state.located = (dls_located_event){.kind = DLS_LOCATED_NONE, .t = HUGE_VAL};
  }
  return status;
}

dls_status dls_accumulation_pass(dls_event_integrator *run, double end, bool *passed, dls_error *err)
{
  dls_accumulation *acc = run->work.accumulation;
  const double slack = fmax(run->method.eps.event, threshold_accumulation_rounding * fabs(end));
  dls_event what = {.kind = DLS_ACCUMULATION};
  *passed = false;
  dls_status status = search_end(run, acc, end + slack - run->sim->t, &what, err);
  const bool forced = acc->sticking == DLS_STICKING_FORCED,
             must = forced || run->state.accumulation_risk == DLS_ACCUMULATION_RISK_LOST;
  run->state.accumulation_risk = DLS_ACCUMULATION_RISK_NONE;
  if (status == DLS_OK && acc->local_pass[0].sums != NULL) {
    status = arrive(run, acc, &what, end, must, passed, err);
  }
  acc->lost = forced && !*passed ? acc->lost + 1 : 0;
  if (status == DLS_OK && acc->lost > threshold_lost_ends) { /* flights should have become negligible */
    return fail_beside_slip(run, acc, err);
  }
  return status;
}
