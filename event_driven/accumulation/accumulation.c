/* event_driven/accumulation/accumulation.c -- infinitely many impacts of some contacts are passed as one.
 *
 * After an impact from which a contact rebounds little, the motion of all contacts that matter is followed with the
 * coefficients as they are (cluster.h) to the end of its series, tau later. There F, M, H are evaluated again, the motion
 * is followed once more with those, and if the two differ by less than tol, their mean is taken:
 *   v+ = v + M^-1 (F tau + H (sum P + int lambda)),
 *   q+ = q + v tau + M^-1 (F tau^2 / 2 + H (sum P (tau - s) + int lambda (tau - s) ds)).
 * The difference of the two is the error that is reported; the node at t + tau carries the impulses sum P.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/memory.h"
#include "event_driven/accumulation/accumulation_parts.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double hopeless_slack =
    100; /* [tol] may be lost where flights are lower than the gap's round-off */
static const double unresolved_velocity_change =
    100; /* in units of u+ / (1 - e) of flights that are lower than that */
static const double rounding = 8 * DBL_EPSILON;
enum { MAX_IMPACTS = 10000 }; /* made one by one in one search */
static const double shorter = 0.125;
enum { MAX_LOST = 10 };
enum { MAX_TRIES = 8 }; /* shorter and shorter ends, until one is accurate enough */
enum { FIRST_CAPACITY = 8 };

void dls_accumulation_destroy(dls_accumulation *acc)
{
  if (acc == NULL) {
    return;
  }
  for (size_t i = 0; i < 2; i++) {
    dls_cluster_destroy(acc->local_pass[i].cluster);
  }
  free(acc->set);
  free(acc->tangency);
  free(acc->directions);
  free(acc->r);
  free(acc->in);
  free(acc->states);
  free(acc->tangent);
  free(acc->column);
  free(acc->block);
  free(acc);
}

/* Room for k contacts. */
static bool reserve(dls_accumulation *acc, size_t k)
{
  if (k <= acc->capacity) {
    return true;
  }
  free(acc->block);
  acc->capacity = 0;
  free(acc->tangent);
  free(acc->column);
  const size_t p = (acc->d - 1) * k;
  acc->block = calloc(dls_size_sum(dls_size_product(2 * k + 8, k), dls_size_product(p, p + 3 * k + 5)),
                      sizeof *acc->block);
  acc->tangent = calloc(2 * p + 1, sizeof *acc->tangent);
  acc->column = calloc(p + 1, sizeof *acc->column);
  if (acc->block == NULL || acc->tangent == NULL || acc->column == NULL) {
    return false;
  }
  acc->owner = acc->tangent + p;
  double *at = acc->block;
  double **vectors[] = {&acc->e,
                        &acc->g,
                        &acc->u,
                        &acc->gap_error,
                        &acc->P,
                        &acc->mu,
                        &acc->local_pass[0].a,
                        &acc->local_pass[1].a};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++, at += k) {
    *vectors[i] = at;
  }
  acc->A = at;
  at += p * (p + k + 1);
  acc->along = at;
  at += 2 * p;
  for (size_t i = 0; i < 2; i++, at += k * k + p * (k + 1)) {
    acc->local_pass[i].W = at;
    acc->local_pass[i].C = at + k * k;
    dls_cluster_destroy(acc->local_pass[i].cluster);
    acc->local_pass[i].cluster = dls_cluster_create(k);
    if (acc->local_pass[i].cluster == NULL) {
      return false;
    }
  }
  acc->capacity = k;
  return true;
}

dls_accumulation *dls_accumulation_create(size_t n, size_t m, size_t d)
{
  dls_accumulation *acc = calloc(1, sizeof *acc);
  if (acc == NULL) {
    return NULL;
  }
  acc->d = d;
  acc->set = calloc(m, sizeof *acc->set);
  acc->tangency = calloc(m, sizeof *acc->tangency);
  acc->directions = calloc(6 * m, sizeof *acc->directions);
  acc->r = calloc(d * m, sizeof *acc->r);
  acc->in = calloc(m, sizeof *acc->in);
  acc->states = calloc(6 * n, sizeof *acc->states);
  if (acc->set == NULL || acc->tangency == NULL || acc->directions == NULL || acc->r == NULL ||
      acc->in == NULL || acc->states == NULL || !reserve(acc, m < FIRST_CAPACITY ? m : FIRST_CAPACITY)) {
    dls_accumulation_destroy(acc);
    return NULL;
  }
  acc->direction = acc->directions;
  for (size_t i = 0; i < 2; i++) {
    acc->local_pass[i].c = acc->directions + 2 * (i + 1) * m;
    acc->local_pass[i].drift = acc->states + 3 * i * n;
    acc->local_pass[i].q = acc->states + (3 * i + 1) * n;
    acc->local_pass[i].v = acc->states + (3 * i + 2) * n;
  }
  return acc;
}

/* Contacts that are closed, or come back within the time if nothing else happens. */
static void find_contacts(dls_event_integrator *tr, dls_accumulation *acc, double time)
{
  const dls_sim *sim = tr->sim;
  dls_place_contacts(tr->stage.place, sim->t, sim->q);
  dls_place_gap(tr->stage.place, tr->g);
  dls_smooth_gap_velocity(tr, sim->t, sim->q, sim->v);
  dls_system_curvature(tr->sys, sim->t, sim->q, sim->v, tr->curvature);
  for (size_t j = 0; j < tr->m; j++) {
    const double gamma = dls_matrix_column_dot(tr->stage.place->normals, j, sim->a) + tr->curvature[j];
    tr->g[j] += tr->contact[j].gap_threshold == DLS_GAP_THRESHOLD_ZERO
                    ? 0
                    : tr->contact[j].threshold_depth; /* it may graze */
    acc->in[j] = tr->contact[j].closed || dls_cluster_return(fmax(tr->g[j], 0), tr->u[j], gamma) <= time;
  }
  for (size_t i = 0; i < tr->participant_count; i++) {
    const dls_participant *participant = &tr->participant[i];
    const size_t j = participant->contact;
    acc->in[j] = true;
    tr->u[j] = participant->u_plus;
    if (participant->closing || participant->u_plus == 0 || tr->was_closed[j]) { /* it was projected */
      tr->g[j] = 0;
    }
  }
}

/* W, a, M^-1 F at t, q, v with the geometry as at q. */
static void set_coefficients(dls_event_integrator *tr, dls_accumulation *acc, double t, const double *q,
                             const double *v, dls_local_pass *local_pass)
{
  dls_smooth_free_gap_acceleration(tr, t, q, v, acc->k, acc->set, local_pass->a);
  memcpy(local_pass->drift, tr->a, tr->n * sizeof *local_pass->drift);
  dls_local_pass_columns(tr, acc, v, local_pass);
  for (size_t j = 0; j < acc->k; j++) {
    for (size_t i = 0; i < acc->k; i++) {
      local_pass->W[i + acc->k * j] = dls_local_pass_normal_row(tr, acc, local_pass, tr->d * acc->set[i], j);
    }
  }
  dls_local_pass_constrain(tr, acc, v, local_pass);
}

static void record_slip(dls_accumulation *acc, bool slips)
{
  if (slips && acc->sticking == DLS_STICKING_KEPT) {
    acc->sticking = DLS_STICKING_BROKEN;
  }
}

static void run_pass(dls_accumulation *acc, dls_local_pass *local_pass, const dls_cluster_limits *limits)
{
  const dls_cluster_problem problem = {.k = acc->k,
                                       .W = local_pass->W,
                                       .a = local_pass->a,
                                       .e = acc->e,
                                       .g = acc->g,
                                       .u = acc->u,
                                       .gap_error = acc->gap_error,
                                       .held = acc->held,
                                       .owner = acc->owner,
                                       .C = local_pass->C,
                                       .mu = acc->sticking == DLS_STICKING_FORCED ? NULL : acc->mu};
  local_pass->sums = dls_cluster_run(local_pass->cluster, &problem, limits);
  record_slip(acc, dls_cluster_slips(local_pass->cluster));
}

/* One of the contacts outside may be hit on the way: it is now in. */
static bool add_reached_contacts(dls_event_integrator *tr, dls_accumulation *acc, const dls_cluster_sums *sums)
{
  bool wider = false;
  for (size_t j = 0; j < tr->m; j++) {
    if (acc->in[j]) {
      continue;
    }
    double a = 0, u = tr->u[j];
    dls_smooth_free_gap_acceleration(tr, tr->sim->t, tr->sim->q, tr->sim->v, 1, &j, &a);
    for (size_t i = 0; i < acc->k; i++) {
      u += fmin(0, dls_local_pass_row(tr, acc, &acc->local_pass[0], tr->d * j, i) * (sums->P[i] + sums->L[i]));
    }
    acc->in[j] = dls_cluster_return(fmax(tr->g[j], 0), u, a) <= sums->tau;
    wider = wider || acc->in[j];
  }
  return wider;
}

/* The full state after the sums, geometry as that of the course. */
static void set_end_state(dls_event_integrator *tr, dls_accumulation *acc, dls_local_pass *local_pass)
{
  const dls_cluster_sums *s = local_pass->sums;
  const double tau = s->tau;
  const double *q = tr->sim->q, *v = tr->sim->v, *drift = local_pass->drift;
  for (size_t i = 0; i < tr->n; i++) {
    local_pass->v[i] = v[i] + tau * drift[i];
    local_pass->q[i] = q[i] + tau * (v[i] + 0.5 * tau * drift[i]);
  }
  dls_local_pass_apply(tr, acc, local_pass, 1, s->P, local_pass->v);
  dls_local_pass_apply(tr, acc, local_pass, 1, s->L, local_pass->v);
  dls_local_pass_apply(tr, acc, local_pass, 1, s->PM, local_pass->q);
  dls_local_pass_apply(tr, acc, local_pass, 1, s->LM, local_pass->q);
}

/* The contacts that matter, and their motion with the coefficients at the start; sums = NULL: no end. */
static dls_status run_first_pass(dls_event_integrator *tr, dls_accumulation *acc,
                                 const dls_cluster_limits *limits, dls_error *err)
{
  dls_local_pass *first = &acc->local_pass[0];
  do {
    acc->k = 0;
    for (size_t j = 0; j < tr->m; j++) {
      if (acc->in[j]) {
        acc->set[acc->k++] = j;
      }
    }
    if (!reserve(acc, acc->k)) {
      return dls_sim_fail(tr->sim, err, DLS_ERR_MEMORY, "no memory for an accumulation of %zu contacts",
                          acc->k);
    }
    for (size_t i = 0; i < acc->k; i++) {
      const size_t j = acc->set[i];
      acc->e[i] = dls_smooth_restitution(tr, j);
      acc->g[i] = fmax(tr->g[j], 0);
      acc->u[i] = tr->u[j];
      acc->gap_error[i] =
          acc->g[i] > 0 ? dls_simultaneous_gap_error(tr, j, tr->sim->t, tr->sim->q, tr->sim->v) : 0;
    }
    dls_local_pass_choose_tangency(tr, acc, acc->sticking == DLS_STICKING_FORCED ? limits->velocity_change : 0);
    dls_local_pass_choose_held(tr, acc, limits->velocity_change);
    set_coefficients(tr, acc, tr->sim->t, tr->sim->q, tr->sim->v, first);
    run_pass(acc, first, limits);
  } while (first->sums != NULL && add_reached_contacts(tr, acc, first->sums));
  return DLS_OK;
}

/* Both at the time of the later; @return whether they say the same about who rests. */
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

/* The motion with the coefficients at the end of the first; sums = NULL: no end. Geometry as at sim->q before and after. */
static dls_status run_second_pass(dls_event_integrator *tr, dls_accumulation *acc,
                                  const dls_cluster_limits *limits, double *lag, dls_error *err)
{
  dls_local_pass *first = &acc->local_pass[0], *second = &acc->local_pass[1];
  set_end_state(tr, acc, first);
  dls_status status = dls_smooth_geometry(tr, tr->sim->t + first->sums->tau, first->q, err);
  if (status != DLS_OK) {
    return status;
  }
  set_coefficients(tr, acc, tr->sim->t + first->sums->tau, first->q, first->v, second);
  dls_cluster_limits wider = *limits;
  wider.time = 1.5 * first->sums->tau; /* the same end, not a later one */
  wider.velocity_change *= 1.1;
  run_pass(acc, second, &wider);
  if (second->sums != NULL) {
    *lag = fabs(second->sums->tau - first->sums->tau);
    if (synchronize(acc)) {
      set_end_state(tr, acc, second);
    } else {
      second->sums = NULL;
    }
  }
  status = dls_smooth_geometry(tr, tr->sim->t, tr->sim->q, err);
  if (status == DLS_OK && second->sums != NULL) {
    set_end_state(tr, acc, first); /* it may have waited */
  }
  return status;
}

/* What the two courses differ by, in units of what tol allows. */
static double compare_passes(dls_event_integrator *tr, const dls_accumulation *acc, double rest_speed,
                             dls_event *passed)
{
  const dls_local_pass *a = &acc->local_pass[0], *b = &acc->local_pass[1];
  const double length = tr->sys->length, time = tr->sys->time;
  double worst = 0, speed = 0, dv = 0, dg = 0, end_time_error = 0;
  for (size_t i = 0; i < tr->n; i++) {
    const double step = fabs(a->v[i] - b->v[i]);
    dv = fmax(dv, step);
    speed = fmax(speed, fabs(a->v[i]));
    const double apart = fmax(fabs(a->q[i] - b->q[i]), step * time) / length;
    worst = apart <= worst ? worst : apart + 0 * step; /* NaN stays */
  }
  for (size_t j = 0; j < tr->m; j++) {
    const double change = dls_matrix_column_dot(tr->stage.place->normals, j, a->q) -
                          dls_matrix_column_dot(tr->stage.place->normals, j, b->q);
    dg = fmax(dg, fabs(change) + dls_gap_round_off(tr, j, tr->sim->t, a->q));
  }
  for (size_t i = 0; i < acc->k; i++) {
    end_time_error = fmax(end_time_error, tr->contact[acc->set[i]].end_time_error);
  }
  const double tau = a->sums->tau;
  passed->bound = 0.5 * tau * fmax(a->sums->velocity_change, b->sums->velocity_change) + dg;
  passed->bound_velocity =
      dv + rounding * speed + (a->sums->came_to_rest || b->sums->came_to_rest ? rest_speed : 0);
  passed->bound_time = passed->bound_time + end_time_error + rounding * tr->sim->t;
  passed->impacts = a->sums->impacts;
  passed->duration = tau;
  return worst / tr->eps.tol;
}

/* Slip that is not what the courses take it for, slower than the swing and stopped by friction soon: what it would change in q, over what
 * tol allows. */
static double neglected_displacement(const dls_event_integrator *tr, const dls_accumulation *acc)
{
  const dls_cluster_sums *sums = acc->local_pass[0].sums;
  double gamma = 0;
  for (size_t i = 0; i < acc->k; i++) {
    gamma = fmax(gamma, fabs(acc->local_pass[0].a[i]));
  }
  return sums->velocity_change * (sums->tau + sums->velocity_change / gamma) / (tr->eps.tol * tr->sys->length);
}

/* In space: one impact has friction against the slip at its end; in the series slip turns by up to swing/|u_T|. */
static double turning_error(const dls_event_integrator *tr, const dls_accumulation *acc)
{
  const double velocity_change = acc->local_pass[0].sums->velocity_change;
  double most = 0, e[2];
  for (size_t i = 0; tr->d == 3 && i < acc->k; i++) {
    const double slip = dls_slip_direction(tr, acc->set[i], tr->sim->v, e);
    most = acc->tangency[i] == DLS_TANGENCY_SLIPS
               ? fmax(most, velocity_change * fmin(1, velocity_change / slip))
               : most;
  }
  return most;
}

/* Slip of contacts that are still, by the impulses of others: up to tol it is part of the bound. @return is it more? */
static bool neglects_slip(dls_event_integrator *tr, const dls_accumulation *acc, dls_event *passed)
{
  const double slip = dls_local_pass_neglected_slip(tr, acc);
  const bool matters = slip > tr->eps.tol * tr->sys->length / tr->sys->time;
  passed->bound_velocity += matters ? turning_error(tr, acc) : slip;
  return matters;
}

/* Of two courses that are close. @param[in] ends  slip of closed contacts ends on the way */
static dls_slip_agreement slip_agreement(dls_event_integrator *tr, const dls_accumulation *acc, bool ends,
                                         dls_event *passed)
{
  if (acc->sticking == DLS_STICKING_FORCED || ends || !dls_local_pass_slip_lasts(tr, acc, false)) {
    return DLS_SLIP_DIFFERS;
  }
  return neglects_slip(tr, acc, passed) ? DLS_SLIP_PUSHED : DLS_SLIP_AGREES;
}

/* Two courses that agree, or sums = NULL. Those that hold what sticks need not be right about slip, nor any where flights are lost. */
static dls_status find_agreement(dls_event_integrator *tr, dls_accumulation *acc, dls_cluster_limits *limits,
                                 dls_event *passed, dls_error *err)
{
  const bool may_err =
      acc->sticking == DLS_STICKING_FORCED || tr->accumulation_risk == DLS_ACCUMULATION_RISK_LOST;
  const double slack = tr->accumulation_risk >= DLS_ACCUMULATION_RISK_UNRESOLVED ? hopeless_slack : 1;
  for (size_t i = 0; i < MAX_TRIES; i++) {
    dls_status status = run_first_pass(tr, acc, limits, err);
    if (status != DLS_OK || acc->local_pass[0].sums == NULL) {
      return status;
    }
    const double tau = acc->local_pass[0].sums->tau;
    status = run_second_pass(tr, acc, limits, &passed->bound_time, err);
    if (status != DLS_OK) {
      return status;
    }
    const bool close =
        acc->local_pass[1].sums != NULL && compare_passes(tr, acc, limits->rest_speed, passed) <= slack;
    const bool ends = close && !dls_local_pass_slip_lasts(tr, acc, true);
    acc->slip = close ? slip_agreement(tr, acc, ends, passed) : DLS_SLIP_AGREES;
    const bool may_differ = acc->slip == DLS_SLIP_PUSHED || (acc->slip == DLS_SLIP_DIFFERS && may_err);
    if (close && (acc->slip == DLS_SLIP_AGREES || (may_differ && neglected_displacement(tr, acc) <= slack))) {
      return DLS_OK;
    }
    record_slip(acc, ends);
    limits->time = shorter * tau;
  }
  acc->local_pass[0].sums = NULL;
  return DLS_OK;
}

/* Where the next impact can hardly be made, or not at all: is slip what may be in the way of an end? */
static bool slip_prevents_end(const dls_event_integrator *tr, const dls_accumulation *acc)
{
  const bool slips = acc->sticking == DLS_STICKING_BROKEN;
  if (slips || tr->accumulation_risk != DLS_ACCUMULATION_RISK_LOST) {
    return slips && tr->accumulation_risk >= DLS_ACCUMULATION_RISK_UNRESOLVED;
  }
  for (size_t i = 0; i < acc->k; i++) {
    if (acc->tangency[i] == DLS_TANGENCY_SLIPS) {
      return true;
    }
  }
  return false;
}

/* Flights too low to be followed one by one, and a contact that sticks would slip in their impacts. */
static dls_status fail_beside_slip(const dls_event_integrator *tr, const dls_accumulation *acc, dls_error *err)
{
  char name[80], beside[80];
  size_t k = 0, i = 0;
  while (k + 1 < tr->participant_count && !(tr->participant[k].u_plus > 0)) {
    k++;
  }
  while (i + 1 < acc->k && !(tr->contact[acc->set[i]].has_friction && tr->contact[acc->set[i]].closed)) {
    i++;
  }
  dls_contact_name(tr->sys, tr->participant[k].contact, name, sizeof name);
  dls_contact_name(tr->sys, acc->set[i], beside, sizeof beside);
  return dls_sim_fail(
      tr->sim, err, DLS_ERR_CHATTERING,
      "impacts of %s accumulate at t = %.17g in flights lower than the round-off of its gap, and "
      "begin and end slip of %s beside it: such a series is not passed",
      name, tr->sim->t, beside);
}

/* Two courses that agree; where flights are too low for the next impact, also without regard to what friction beside them can do.
 * @param[out] what  of the event */
static dls_status search_end(dls_event_integrator *tr, dls_accumulation *acc, double most, dls_event *what,
                             dls_error *err)
{
  const double longest = fmin(DLS_LONGEST_ACCUMULATION * tr->sys->time, most);
  const double velocity_change = fmax(tr->eps.z, unresolved_velocity_change * tr->unresolved);
  dls_cluster_limits limits = {
      .time = longest,
      .velocity_change = velocity_change,
      .short_time = tr->eps.remaining,
      .rest_speed = DLS_CALM * velocity_change,
      .impacts = MAX_IMPACTS,
  };
  acc->sticking = DLS_STICKING_KEPT;
  acc->slip = DLS_SLIP_AGREES;
  find_contacts(tr, acc, longest);
  dls_status status = find_agreement(tr, acc, &limits, what, err);
  if (status == DLS_OK && acc->local_pass[0].sums == NULL && slip_prevents_end(tr, acc)) {
    acc->sticking = DLS_STICKING_FORCED;
    limits.time = longest;
    status = find_agreement(tr, acc, &limits, what, err);
  }
  if (acc->slip != DLS_SLIP_AGREES) {
    what->bound_time += what->duration;
    what->bound += what->duration * velocity_change;
  }
  return status;
}

dls_status dls_accumulation_pass(dls_event_integrator *tr, double end, bool *passed, dls_error *err)
{
  dls_accumulation *acc = tr->accumulation;
  const double slack = fmax(tr->eps.event, rounding * fabs(end));
  dls_event what = {.kind = DLS_ACCUMULATION};
  *passed = false;
  dls_status status = search_end(tr, acc, end + slack - tr->sim->t, &what, err);
  const bool forced = acc->sticking == DLS_STICKING_FORCED,
             must = forced || tr->accumulation_risk == DLS_ACCUMULATION_RISK_LOST;
  tr->accumulation_risk = DLS_ACCUMULATION_RISK_NONE;
  if (status == DLS_OK && acc->local_pass[0].sums != NULL) {
    status = dls_accumulation_arrive(tr, acc, &what, end, must, passed, err);
  }
  acc->lost = forced && !*passed ? acc->lost + 1 : 0;
  if (status == DLS_OK && acc->lost > MAX_LOST) { /* they should have become small enough to be left out */
    return fail_beside_slip(tr, acc, err);
  }
  return status;
}
