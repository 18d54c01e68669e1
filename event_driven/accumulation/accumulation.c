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
static const double unresolved_swing = 100; /* in units of u+ / (1 - e) of flights that are lower than that */
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
    dls_cluster_destroy(acc->course[i].cluster);
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
  double **vectors[] = {&acc->e, &acc->g,  &acc->u,           &acc->gap_error,
                        &acc->P, &acc->mu, &acc->course[0].a, &acc->course[1].a};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++, at += k) {
    *vectors[i] = at;
  }
  acc->A = at;
  at += p * (p + k + 1);
  acc->along = at;
  at += 2 * p;
  for (size_t i = 0; i < 2; i++, at += k * k + p * (k + 1)) {
    acc->course[i].W = at;
    acc->course[i].C = at + k * k;
    dls_cluster_destroy(acc->course[i].cluster);
    acc->course[i].cluster = dls_cluster_create(k);
    if (acc->course[i].cluster == NULL) {
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
  acc->way = acc->directions;
  for (size_t i = 0; i < 2; i++) {
    acc->course[i].c = acc->directions + 2 * (i + 1) * m;
    acc->course[i].drift = acc->states + 3 * i * n;
    acc->course[i].q = acc->states + (3 * i + 1) * n;
    acc->course[i].v = acc->states + (3 * i + 2) * n;
  }
  return acc;
}

/* Contacts that are closed, or come back within the time if nothing else happens. */
static void find_contacts(dls_tracker *tr, dls_accumulation *acc, double time)
{
  const dls_sim *sim = tr->sim;
  dls_place_contacts(tr->stage.place, sim->t, sim->q);
  dls_place_gap(tr->stage.place, tr->g);
  dls_tracker_gap_velocity(tr, sim->t, sim->q, sim->v);
  dls_system_curvature(tr->sys, sim->t, sim->q, sim->v, tr->curvature);
  for (size_t j = 0; j < tr->m; j++) {
    const double gamma = dls_matrix_column_dot(tr->stage.place->normals, j, sim->a) + tr->curvature[j];
    tr->g[j] += tr->contact[j].gate == DLS_GATE_OPEN ? 0 : tr->contact[j].below; /* it may graze */
    acc->in[j] = tr->contact[j].closed || dls_cluster_return(fmax(tr->g[j], 0), tr->u[j], gamma) <= time;
  }
  for (size_t i = 0; i < tr->touched; i++) {
    const dls_touch *touch = &tr->touch[i];
    const size_t j = touch->contact;
    acc->in[j] = true;
    tr->u[j] = touch->u_plus;
    if (touch->closing || touch->u_plus == 0 || tr->was_closed[j]) { /* it was projected */
      tr->g[j] = 0;
    }
  }
}

/* W, a, M^-1 F at t, q, v with the geometry as at q. */
static void evaluate(dls_tracker *tr, dls_accumulation *acc, double t, const double *q, const double *v,
                     dls_course *course)
{
  dls_tracker_free_gamma(tr, t, q, v, acc->k, acc->set, course->a);
  memcpy(course->drift, tr->a, tr->n * sizeof *course->drift);
  dls_accumulation_columns(tr, acc, v, course);
  for (size_t j = 0; j < acc->k; j++) {
    for (size_t i = 0; i < acc->k; i++) {
      course->W[i + acc->k * j] = dls_accumulation_row(tr, acc, course, tr->d * acc->set[i], j);
    }
  }
  dls_accumulation_constrain(tr, acc, v, course);
}

static void record_slip(dls_accumulation *acc, bool slips)
{
  if (slips && acc->sticking == DLS_STICKING_KEPT) {
    acc->sticking = DLS_STICKING_BROKEN;
  }
}

static void follow(dls_accumulation *acc, dls_course *course, const dls_cluster_limits *limits)
{
  const dls_cluster_problem problem = {.k = acc->k,
                                       .W = course->W,
                                       .a = course->a,
                                       .e = acc->e,
                                       .g = acc->g,
                                       .u = acc->u,
                                       .gap_error = acc->gap_error,
                                       .held = acc->held,
                                       .owner = acc->owner,
                                       .C = course->C,
                                       .mu = acc->sticking == DLS_STICKING_FORCED ? NULL : acc->mu};
  course->sums = dls_cluster_run(course->cluster, &problem, limits);
  record_slip(acc, dls_cluster_slips(course->cluster));
}

/* One of the contacts outside may be hit on the way: it is now in. */
static bool widen(dls_tracker *tr, dls_accumulation *acc, const dls_cluster_sums *sums)
{
  bool wider = false;
  for (size_t j = 0; j < tr->m; j++) {
    if (acc->in[j]) {
      continue;
    }
    double a = 0, u = tr->u[j];
    dls_tracker_free_gamma(tr, tr->sim->t, tr->sim->q, tr->sim->v, 1, &j, &a);
    for (size_t i = 0; i < acc->k; i++) {
      u += fmin(0, dls_accumulation_w(tr, acc, &acc->course[0], tr->d * j, i) * (sums->P[i] + sums->L[i]));
    }
    acc->in[j] = dls_cluster_return(fmax(tr->g[j], 0), u, a) <= sums->tau;
    wider = wider || acc->in[j];
  }
  return wider;
}

/* The full state after the sums, geometry as that of the course. */
static void carry(dls_tracker *tr, dls_accumulation *acc, dls_course *course)
{
  const dls_cluster_sums *s = course->sums;
  const double tau = s->tau;
  const double *q = tr->sim->q, *v = tr->sim->v, *drift = course->drift;
  for (size_t i = 0; i < tr->n; i++) {
    course->v[i] = v[i] + tau * drift[i];
    course->q[i] = q[i] + tau * (v[i] + 0.5 * tau * drift[i]);
  }
  dls_accumulation_push(tr, acc, course, 1, s->P, course->v);
  dls_accumulation_push(tr, acc, course, 1, s->L, course->v);
  dls_accumulation_push(tr, acc, course, 1, s->PM, course->q);
  dls_accumulation_push(tr, acc, course, 1, s->LM, course->q);
}

/* The contacts that matter, and their motion with the coefficients at the start; sums = NULL: no end. */
static dls_status follow_first(dls_tracker *tr, dls_accumulation *acc, const dls_cluster_limits *limits,
                               dls_error *err)
{
  dls_course *first = &acc->course[0];
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
      acc->e[i] = dls_tracker_restitution(tr, j);
      acc->g[i] = fmax(tr->g[j], 0);
      acc->u[i] = tr->u[j];
      acc->gap_error[i] = acc->g[i] > 0 ? dls_tracker_gap_error(tr, j, tr->sim->t, tr->sim->q, tr->sim->v) : 0;
    }
    dls_accumulation_choose(tr, acc, acc->sticking == DLS_STICKING_FORCED ? limits->swing : 0);
    dls_accumulation_hold(tr, acc, limits->swing);
    evaluate(tr, acc, tr->sim->t, tr->sim->q, tr->sim->v, first);
    follow(acc, first, limits);
  } while (first->sums != NULL && widen(tr, acc, first->sums));
  return DLS_OK;
}

/* Both at the time of the later; @return whether they say the same about who rests. */
static bool synchronize(const dls_accumulation *acc)
{
  dls_cluster_sums *a = acc->course[0].sums, *b = acc->course[1].sums;
  const double later = fmax(a->tau, b->tau);
  dls_cluster_sums *const earlier = a->tau < b->tau ? a : b;
  if (earlier->tau < later && !(later - earlier->tau < earlier->next)) {
    return false;
  }
  dls_cluster_wait(earlier, acc->k, later - earlier->tau);
  return memcmp(a->rests, b->rests, acc->k * sizeof *a->rests) == 0;
}

/* The motion with the coefficients at the end of the first; sums = NULL: no end. Geometry as at sim->q before and after. */
static dls_status follow_second(dls_tracker *tr, dls_accumulation *acc, const dls_cluster_limits *limits,
                                double *lag, dls_error *err)
{
  dls_course *first = &acc->course[0], *second = &acc->course[1];
  carry(tr, acc, first);
  dls_status status = dls_tracker_geometry(tr, tr->sim->t + first->sums->tau, first->q, err);
  if (status != DLS_OK) {
    return status;
  }
  evaluate(tr, acc, tr->sim->t + first->sums->tau, first->q, first->v, second);
  dls_cluster_limits wider = *limits;
  wider.time = 1.5 * first->sums->tau; /* the same end, not a later one */
  wider.swing *= 1.1;
  follow(acc, second, &wider);
  if (second->sums != NULL) {
    *lag = fabs(second->sums->tau - first->sums->tau);
    if (synchronize(acc)) {
      carry(tr, acc, second);
    } else {
      second->sums = NULL;
    }
  }
  status = dls_tracker_geometry(tr, tr->sim->t, tr->sim->q, err);
  if (status == DLS_OK && second->sums != NULL) {
    carry(tr, acc, first); /* it may have waited */
  }
  return status;
}

/* What the two courses differ by, in units of what tol allows. */
static double compare(dls_tracker *tr, const dls_accumulation *acc, double calmness, dls_event *passed)
{
  const dls_course *a = &acc->course[0], *b = &acc->course[1];
  const double length = tr->sys->length, time = tr->sys->time;
  double worst = 0, speed = 0, dv = 0, dg = 0, late = 0;
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
    dg = fmax(dg, fabs(change) + dls_tracker_gap_noise(tr, j, tr->sim->t, a->q));
  }
  for (size_t i = 0; i < acc->k; i++) {
    late = fmax(late, tr->contact[acc->set[i]].late);
  }
  const double tau = a->sums->tau;
  passed->bound = 0.5 * tau * fmax(a->sums->swing, b->sums->swing) + dg;
  passed->bound_velocity = dv + rounding * speed + (a->sums->calmed || b->sums->calmed ? calmness : 0);
  passed->bound_time = passed->bound_time + late + rounding * tr->sim->t;
  passed->impacts = a->sums->impacts;
  passed->duration = tau;
  return worst / tr->eps.tol;
}

/* Slip that is not what the courses take it for, slower than the swing and stopped by friction soon: what it would change in q, over what
 * tol allows. */
static double neglected(const dls_tracker *tr, const dls_accumulation *acc)
{
  const dls_cluster_sums *sums = acc->course[0].sums;
  double gamma = 0;
  for (size_t i = 0; i < acc->k; i++) {
    gamma = fmax(gamma, fabs(acc->course[0].a[i]));
  }
  return sums->swing * (sums->tau + sums->swing / gamma) / (tr->eps.tol * tr->sys->length);
}

/* In space: one impact has friction against the slip at its end; in the series slip turns by up to swing/|u_T|. */
static double turning_error(const dls_tracker *tr, const dls_accumulation *acc)
{
  const double swing = acc->course[0].sums->swing;
  double most = 0, e[2];
  for (size_t i = 0; tr->d == 3 && i < acc->k; i++) {
    const double slip = dls_slip_way(tr, acc->set[i], tr->sim->v, e);
    most = acc->tangency[i] == DLS_TANGENCY_SLIDES ? fmax(most, swing * fmin(1, swing / slip)) : most;
  }
  return most;
}

/* Slip of contacts that are still, by the impulses of others: up to tol it is part of the bound. @return is it more? */
static bool neglects_slip(dls_tracker *tr, const dls_accumulation *acc, dls_event *passed)
{
  const double slip = dls_accumulation_neglected_slip(tr, acc);
  const bool matters = slip > tr->eps.tol * tr->sys->length / tr->sys->time;
  passed->bound_velocity += matters ? turning_error(tr, acc) : slip;
  return matters;
}

/* Of two courses that are close. @param[in] ends  slip of closed contacts ends on the way */
static dls_slip_agreement slip_agreement(dls_tracker *tr, const dls_accumulation *acc, bool ends,
                                         dls_event *passed)
{
  if (acc->sticking == DLS_STICKING_FORCED || ends || !dls_accumulation_slides_on(tr, acc, false)) {
    return DLS_SLIP_DIFFERS;
  }
  return neglects_slip(tr, acc, passed) ? DLS_SLIP_PUSHED : DLS_SLIP_AGREES;
}

/* Two courses that agree, or sums = NULL. Those that hold what sticks need not be right about slip, nor any where flights are lost. */
static dls_status agree(dls_tracker *tr, dls_accumulation *acc, dls_cluster_limits *limits, dls_event *passed,
                        dls_error *err)
{
  const bool may_err = acc->sticking == DLS_STICKING_FORCED || tr->brink == DLS_BRINK_LOST;
  const double slack = tr->brink >= DLS_BRINK_UNRESOLVED ? hopeless_slack : 1;
  for (size_t i = 0; i < MAX_TRIES; i++) {
    dls_status status = follow_first(tr, acc, limits, err);
    if (status != DLS_OK || acc->course[0].sums == NULL) {
      return status;
    }
    const double tau = acc->course[0].sums->tau;
    status = follow_second(tr, acc, limits, &passed->bound_time, err);
    if (status != DLS_OK) {
      return status;
    }
    const bool close = acc->course[1].sums != NULL && compare(tr, acc, limits->calm, passed) <= slack;
    const bool ends = close && !dls_accumulation_slides_on(tr, acc, true);
    acc->slip = close ? slip_agreement(tr, acc, ends, passed) : DLS_SLIP_AGREES;
    const bool may_differ = acc->slip == DLS_SLIP_PUSHED || (acc->slip == DLS_SLIP_DIFFERS && may_err);
    if (close && (acc->slip == DLS_SLIP_AGREES || (may_differ && neglected(tr, acc) <= slack))) {
      return DLS_OK;
    }
    record_slip(acc, ends);
    limits->time = shorter * tau;
  }
  acc->course[0].sums = NULL;
  return DLS_OK;
}

/* Where the next impact can hardly be made, or not at all: is slip what may be in the way of an end? */
static bool slip_hinders(const dls_tracker *tr, const dls_accumulation *acc)
{
  const bool slips = acc->sticking == DLS_STICKING_BROKEN;
  if (slips || tr->brink != DLS_BRINK_LOST) {
    return slips && tr->brink >= DLS_BRINK_UNRESOLVED;
  }
  for (size_t i = 0; i < acc->k; i++) {
    if (acc->tangency[i] == DLS_TANGENCY_SLIDES) {
      return true;
    }
  }
  return false;
}

/* Flights too low to be followed one by one, and a contact that sticks would slip in their impacts. */
static dls_status fail_beside_slip(const dls_tracker *tr, const dls_accumulation *acc, dls_error *err)
{
  char name[80], beside[80];
  size_t k = 0, i = 0;
  while (k + 1 < tr->touched && !(tr->touch[k].u_plus > 0)) {
    k++;
  }
  while (i + 1 < acc->k && !(tr->contact[acc->set[i]].rough && tr->contact[acc->set[i]].closed)) {
    i++;
  }
  dls_contact_name(tr->sys, tr->touch[k].contact, name, sizeof name);
  dls_contact_name(tr->sys, acc->set[i], beside, sizeof beside);
  return dls_sim_fail(
      tr->sim, err, DLS_ERR_CHATTERING,
      "impacts of %s accumulate at t = %.17g in flights lower than the round-off of its gap, and "
      "begin and end slip of %s beside it: such a series is not passed",
      name, tr->sim->t, beside);
}

/* Two courses that agree; where flights are too low for the next impact, also without regard to what friction beside them can do.
 * @param[out] what  of the event */
static dls_status look_for_end(dls_tracker *tr, dls_accumulation *acc, double most, dls_event *what,
                               dls_error *err)
{
  const double longest = fmin(DLS_LONGEST_ACCUMULATION * tr->sys->time, most);
  const double swing = fmax(tr->eps.z, unresolved_swing * tr->unresolved);
  dls_cluster_limits limits = {
      .time = longest,
      .swing = swing,
      .brief = tr->eps.remaining,
      .calm = DLS_CALM * swing,
      .impacts = MAX_IMPACTS,
  };
  acc->sticking = DLS_STICKING_KEPT;
  acc->slip = DLS_SLIP_AGREES;
  find_contacts(tr, acc, longest);
  dls_status status = agree(tr, acc, &limits, what, err);
  if (status == DLS_OK && acc->course[0].sums == NULL && slip_hinders(tr, acc)) {
    acc->sticking = DLS_STICKING_FORCED;
    limits.time = longest;
    status = agree(tr, acc, &limits, what, err);
  }
  if (acc->slip != DLS_SLIP_AGREES) {
    what->bound_time += what->duration;
    what->bound += what->duration * swing;
  }
  return status;
}

dls_status dls_tracker_pass_accumulation(dls_tracker *tr, double end, bool *passed, dls_error *err)
{
  dls_accumulation *acc = tr->accumulation;
  const double slack = fmax(tr->eps.event, rounding * fabs(end));
  dls_event what = {.kind = DLS_ACCUMULATION};
  *passed = false;
  dls_status status = look_for_end(tr, acc, end + slack - tr->sim->t, &what, err);
  const bool forced = acc->sticking == DLS_STICKING_FORCED, must = forced || tr->brink == DLS_BRINK_LOST;
  tr->brink = DLS_BRINK_NONE;
  if (status == DLS_OK && acc->course[0].sums != NULL) {
    status = dls_accumulation_arrive(tr, acc, &what, end, must, passed, err);
  }
  acc->lost = forced && !*passed ? acc->lost + 1 : 0;
  if (status == DLS_OK && acc->lost > MAX_LOST) { /* they should have become small enough to be left out */
    return fail_beside_slip(tr, acc, err);
  }
  return status;
}
