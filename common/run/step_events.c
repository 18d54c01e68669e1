/* step_events.c -- events inside a step; see step_events.h.
 * Long because finding events and crossing them share the modes of the contacts in the step, and its scratch.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/step_events.h"
#include "common/base/arrays.h"
#include "common/base/memory.h"
#include "common/run/step_thresholds.h"
#include <delassus/contact_system.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum event_kind { IMPACT, LANDING, SLOW_LANDING, SLIP_END, SLIP_BEGIN, LOAD_JUMP } event_kind;

typedef struct step_event {
  event_kind kind;
  size_t contact;
  double tau;   /* of the run [s] */
  double slope; /* g'', u_T' or the derivative of the margin of friction, before it */
  double time;  /* of a jump of a load [s] */
  double speed; /* slow landing: change of the gap velocity in the step [m/s] */
  double reach; /* see step_events.h */
} step_event;

/* Steps after an impact, when the velocities of two-step schemes are those after it; steps without an impulse of an open contact. */
enum { EXPECTED_AFTER = 3, OPEN_AFTER = 3 };

enum { MOST_JUMPS = 8 }; /* of loads in a step */

struct dls_step_events {
  size_t n, m, d, count;
  dls_contact_system *contacts; /* count */
  dls_work work;
  const dls_scheme *scheme;
  const void *options; /* of the scheme */
  bool *pushed;        /* m: with an impulse in the step */
  bool *rests;         /* m: closed since a landing */
  bool *crossed;       /* m: its impact has been treated, and its impulse has not ended */
  bool *passive;       /* m: closed or struck in the step, without an event of its own */
  size_t *
      apart; /* count: a contact whose impact in this system is not at once with one of the run; SIZE_MAX: none */
  bool straddled; /* a jump of a load is at one end of the step, and beyond it for another system */
  size_t held;    /* a contact that sticks whatever its force; SIZE_MAX: none */
  size_t
      driven; /* a contact at rest, not pushed by the step, to which an impact of another gives u_N < 0; SIZE_MAX: none */
  dls_contacts set;
  step_event *event; /* m + MOST_JUMPS */
  size_t found;
  double *tau;     /* count x (m + MOST_JUMPS), event by event */
  double *impulse; /* count x d m: of contacts, by impacts and forces in the step */
  double *passed;  /* count: the last jump of a load that has been crossed [s] */
  double *ahead;   /* count: where slip has begun in the step, the time of the state since the node [s] */
  struct expected {
    size_t steps;             /* after which it is compared; 0: nothing is expected */
    double u, difference;     /* gap velocity, and how far it may be away [m/s] */
  } * expected;               /* m: of contacts, by the last impact */
  double *before, *after;     /* n: accelerations of the run */
  double *a, *q, *v, *middle; /* n */
  double *r, *u, *u_minus;    /* d m */
  double *slid;               /* d m: slips of closed contacts; 0 sticks, or begins to slip */
  double *
      last_slip; /* m: in the plane, of a contact at rest at the end of the last step that pushed it; NAN: none has */
  double *g;           /* m */
  double *of_run;      /* m gaps, m gap velocities */
  size_t *rows;        /* d m: of the set */
  dls_contacts struck; /* by the present event */
  int *status;         /* m: of the run when it pushed last */
  size_t *idle;        /* m: steps without an impulse */
  double *block;
};

/* --- creation --- */

void dls_step_events_destroy(dls_step_events *events)
{
  if (events == NULL) {
    return;
  }
  for (size_t i = 0; events->contacts != NULL && i < events->count; i++) {
    dls_contact_system_destroy(&events->contacts[i]);
  }
  free(events->contacts);
  free(events->rests);
  free(events->set.index);
  free(events->event);
  free(events->expected);
  free(events->rows);
  free(events->apart);
  free(events->status);
  free(events->block);
  free(events);
}

static bool allocate(dls_step_events *events)
{
  const size_t n = events->n, m = events->m, rows = events->d * m;
  events->contacts = calloc(events->count, sizeof *events->contacts);
  events->rests = calloc(4 * m + 1, sizeof *events->rests);
  events->crossed = events->rests + m;
  events->passive = events->crossed + m;
  events->pushed = events->passive + m;
  events->set.index = calloc(m + 1, sizeof *events->set.index);
  events->event = calloc(m + MOST_JUMPS, sizeof *events->event);
  events->expected = calloc(m + 1, sizeof *events->expected);
  events->rows = calloc(rows + 2 * m + 1, sizeof *events->rows);
  events->idle = events->rows != NULL ? events->rows + rows : NULL;
  events->struck.index = events->rows != NULL ? events->rows + rows + m : NULL;
  events->apart = calloc(events->count, sizeof *events->apart);
  events->status = calloc(m + 1, sizeof *events->status);
  events->block = dls_arrays((const dls_slot[]){
      {m, {&events->g, &events->last_slip}},
      {2 * m, {&events->of_run}},
      {n, {&events->before, &events->after, &events->a, &events->q, &events->v, &events->middle}},
      {rows, {&events->r, &events->u, &events->u_minus, &events->slid}},
      {dls_size_product(events->count, m + MOST_JUMPS), {&events->tau}},
      {events->count, {&events->ahead, &events->passed}},
      {dls_size_product(events->count, rows), {&events->impulse}},
      {0}});
  return events->contacts != NULL && events->rests != NULL && events->set.index != NULL &&
         events->event != NULL && events->expected != NULL && events->rows != NULL && events->apart != NULL &&
         events->status != NULL && events->block != NULL;
}

/* The limit model of an impact of contact j at a speed, in system i. */
static dls_status limit_of(const dls_step_events *events, size_t i, size_t j, double speed,
                           dls_limit_model *limit, dls_error *err)
{
  const dls_system *sys = events->contacts[i].config->sys;
  const dls_limit_contact contact = {
      .inverse_mass = 1, .e = sys->e[j], .mu = sys->mu[j], .speed = speed, .velocity = sys->length / sys->time};
  return dls_scheme_limit(events->scheme, events->options, &contact, limit, err);
}

/* Do the impacts of the scheme have an instant and a restitution coefficient? */
static dls_status check_limit(const dls_step_events *events, dls_error *err)
{
  const dls_system *sys = events->contacts[0].config->sys;
  for (size_t j = 0; j < events->m; j++) {
    dls_limit_model limit;
    const dls_status status = limit_of(events, 0, j, sys->length / sys->time, &limit, err);
    const bool known = limit.kind == DLS_LIMIT_RIGID || (limit.kind == DLS_LIMIT_OWN && !isnan(limit.e));
    if (status != DLS_OK || !known) {
      return dls_fail(
          err, DLS_ERR_NOT_APPLICABLE,
          "scheme %s, contact %zu: there is no saltation matrix, because impacts have no instant or no "
          "restitution coefficient that is known (%s); allowed are the tangents plain and "
          "difference:delta=D",
          events->scheme->name, j, dls_limit_text(limit.kind));
    }
  }
  return DLS_OK;
}

/* All systems take the restitution coefficient of the scheme over, if it has its own. */
static dls_status use_restitution(dls_step_events *events, size_t j, double speed, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; i < events->count && status == DLS_OK; i++) {
    dls_limit_model limit;
    status = limit_of(events, i, j, speed, &limit, err);
    if (status == DLS_OK && limit.kind == DLS_LIMIT_OWN) {
      events->contacts[i].mixture[events->d * j] = limit.e;
    }
  }
  return status;
}

dls_status dls_step_events_create(const dls_sim *sim, size_t count, const dls_system *const *systems,
                                  dls_step_events **out, dls_error *err)
{
  dls_step_events *events = *out = calloc(1, sizeof *events);
  if (events == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the events of steps");
  }
  events->n = sim->sys->n;
  events->m = sim->sys->m;
  events->d = sim->sys->d;
  events->count = count;
  events->held = SIZE_MAX;
  events->scheme = sim->scheme;
  events->options = sim->options;
  if (!allocate(events)) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the events of %zu contacts", events->m);
  }
  dls_status status = DLS_OK;
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    events->passed[i] = -HUGE_VAL;
    status = dls_contact_system_create_mass(systems[i], &events->work, &events->contacts[i], err);
  }
  return status != DLS_OK ? status : check_limit(events, err);
}

/* --- one state --- */

static void collect(const dls_step_events *events, const bool *member, size_t also, dls_contacts *set)
{
  set->count = 0;
  for (size_t j = 0; j < events->m; j++) {
    if (member[j] || j == also) {
      set->index[set->count++] = j;
    }
  }
}

static void take_set(dls_step_events *events, const bool *member, size_t also)
{
  collect(events, member, also, &events->set);
}

/* Contacts that stick have their static coefficient in forces, and all others the kinetic one. */
static void set_coefficients(const dls_step_events *events, dls_contact_system *contacts, bool forces)
{
  const dls_system *sys = contacts->config->sys;
  for (size_t j = 0; events->d > 1 && j < events->m; j++) {
    bool sticks = forces;
    for (size_t k = 1; k < events->d; k++) {
      sticks = sticks && events->slid[events->d * j + k] == 0;
    }
    const double mu_s = fmax(sys->mu_s[j], sys->mu[j]);
    contacts->mu[j] = !sticks ? sys->mu[j] : j == events->held ? threshold_stick * mu_s : mu_s;
  }
}

/* t, or the time behind the last jump of a load: that of a neighbour may be later. */
static double time_at(const dls_step_events *events, size_t i, double t)
{
  const double passed = events->passed[i];
  return fmax(t, passed + 4 * DBL_EPSILON * fabs(passed));
}

/* a[n] with the forces of the contacts at rest. */
static dls_status accelerate(dls_step_events *events, size_t i, double t, const double *q, const double *v,
                             double *a, dls_error *err)
{
  dls_contact_system *contacts = &events->contacts[i];
  const double at = time_at(events, i, t);
  const dls_status status = dls_contact_system_at(contacts, at, q, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_system_force(contacts->config->sys, at, q, v, a);
  dls_contact_system_acceleration(contacts, v, a);
  take_set(events, events->rests, SIZE_MAX);
  if (events->set.count == 0) {
    return DLS_OK;
  }
  set_coefficients(events, contacts, true);
  const dls_status solved = dls_contact_system_force(contacts, &events->set, v, a, events->r, err);
  set_coefficients(events, contacts, false);
  return solved;
}

/* Time to g = 0 along the parabola g + u tau + slope tau^2/2, which may have begun: the root next to -g/u. @return NAN: none near */
static double time_to_contact(double g, double u, double slope, double h)
{
  const double square = u * u - 2 * slope * g;
  const double tau = square >= 0 ? -2 * g / (u - sqrt(square)) : -g / u;
  return fabs(tau) <= threshold_nearest_event * h ? tau : NAN;
}

/* The gap of contact j where the configuration is, and its velocity. */
static void gap_motion(dls_step_events *events, size_t i, const double *v, size_t j, double *g, double *u)
{
  const dls_configuration *config = events->contacts[i].config;
  dls_configuration_gap(config, events->g);
  *g = events->g[j];
  *u = dls_configuration_row(config, events->d * j, v);
}

/* u' of a row for the acceleration a. */
static double row_acceleration(dls_step_events *events, size_t i, const double *v, const double *a, size_t row)
{
  dls_contact_system *contacts = &events->contacts[i];
  dls_configuration_curvature(contacts->config, v, contacts->curvature);
  dls_configuration_acceleration(contacts->config, a, contacts->curvature, events->u);
  return events->u[row];
}

/* All systems take the slips over. */
static void use_slips(dls_step_events *events)
{
  for (size_t i = 0; i < events->count; i++) {
    dls_contact_system_begin_interval(&events->contacts[i], events->slid);
  }
}

/* Size of the tangential part of a block of a vector over rows. */
static double tangential(const dls_step_events *events, const double *block)
{
  return events->d == 3 ? hypot(block[1], block[2]) : fabs(block[1]);
}

/* mu_s lambda_N - |lambda_T| of contact j, if it sticks; events->middle: the acceleration. */
static dls_status margin_of(dls_step_events *events, size_t i, double t, const double *q, const double *v,
                            size_t j, double *margin, dls_error *err)
{
  const dls_system *sys = events->contacts[i].config->sys;
  events->held = j;
  const dls_status status = accelerate(events, i, t, q, v, events->middle, err);
  events->held = SIZE_MAX;
  const double *r = events->r + events->d * j;
  *margin = sys->mu_s[j] * r[0] - tangential(events, r);
  return status;
}

/* --- the events of a step --- */

static bool is_inelastic(const dls_step_events *events, size_t j)
{
  const dls_contact_system *contacts = &events->contacts[0];
  const bool expands = contacts->gives != NULL && contacts->config->sys->e[j] > 0;
  return contacts->mixture[events->d * j] == 0 && !expands;
}

static dls_status look_at(dls_step_events *events, const dls_sim *sim, const dls_step_node *node, double h,
                          size_t j, dls_error *err)
{
  double g, u;
  dls_status status = accelerate(events, 0, node->t, node->q, node->v, events->before, err);
  if (status != DLS_OK) {
    return status;
  }
  gap_motion(events, 0, node->v, j, &g, &u);
  const double slope = row_acceleration(events, 0, node->v, events->before, events->d * j);
  const double tau = time_to_contact(g, u, slope, h);
  const bool slow = fabs(u) < threshold_slow_landing * h * fabs(slope);
  const bool starts = u < 0 && !isnan(tau) && !events->crossed[j];
  if (starts && (status = use_restitution(events, j, fabs(u), err)) != DLS_OK) {
    return status;
  }
  if (slow || starts) {
    events->event[events->found++] =
        (step_event){.kind = slow                      ? SLOW_LANDING
                             : is_inelastic(events, j) ? LANDING
                                                       : IMPACT,
                     .contact = j,
                     .tau = slow ? 0 : tau,
                     .slope = slope,
                     .speed = fmax(sim->u[j] - u, threshold_least_landing * h * fabs(slope)),
                     .reach = slow ? HUGE_VAL : fabs(u) / (2 * fabs(slope))};
  } else {
    events->passive[j] = true;
  }
  return DLS_OK;
}

/* The slip of contact j ends or reverses. */
static dls_status look_at_slip_end(dls_step_events *events, const dls_step_node *node, double h, size_t j,
                                   dls_error *err)
{
  const size_t row = events->d * j + 1;
  const dls_status status = accelerate(events, 0, node->t, node->q, node->v, events->before, err);
  const double slope = row_acceleration(events, 0, node->v, events->before, row);
  const double tau = -dls_configuration_row(events->contacts[0].config, row, node->v) / slope;
  if (status == DLS_OK && fabs(tau) <= threshold_nearest_event * h) {
    events->event[events->found++] =
        (step_event){.kind = SLIP_END, .contact = j, .tau = tau, .slope = slope, .reach = HUGE_VAL};
  }
  return status;
}

/* The slip of contact j begins, with a static coefficient of its own. */
static dls_status look_at_slip_begin(dls_step_events *events, const dls_step_node *node, double h, size_t j,
                                     dls_error *err)
{
  const double ahead = 0.5 * h;
  double margin, later = 0;
  dls_status status = margin_of(events, 0, node->t, node->q, node->v, j, &margin, err);
  if (status != DLS_OK) {
    return status;
  }
  for (size_t k = 0; k < events->n; k++) {
    events->q[k] = node->q[k] + ahead * node->v[k];
    events->v[k] = node->v[k] + ahead * events->middle[k];
  }
  status = margin_of(events, 0, node->t + ahead, events->q, events->v, j, &later, err);
  const double slope = (later - margin) / ahead, tau = -margin / slope;
  if (status == DLS_OK && fabs(tau) <= threshold_nearest_event * h) {
    events->event[events->found++] =
        (step_event){.kind = SLIP_BEGIN, .contact = j, .tau = tau, .slope = slope, .reach = HUGE_VAL};
  }
  return status;
}

/* Of contacts at rest with friction, in steps that push them: where only every second step does, slip may have ended since. In space a slip
 * does not reverse, and the step passes its end as Xi does: u_T = 0. */
static dls_status look_at_friction(dls_step_events *events, const dls_sim *sim, const dls_step_node *node,
                                   double h, size_t j, dls_error *err)
{
  const dls_system *sys = sim->sys;
  const size_t d = events->d;
  if (d == 1 || !events->rests[j] || !events->pushed[j] || !dls_law_has_friction(sys, j)) {
    return DLS_OK;
  }
  const double still = threshold_still * sys->length / sys->time, *u_t = sim->u_t + (d - 1) * j,
               *from = events->slid + d * j;
  const bool sticks = tangential(events, from) == 0,
             slips = sim->status[j] == 2 && (d == 3 ? hypot(u_t[0], u_t[1]) : fabs(u_t[0])) > still;
  if (!sticks) {
    return d == 2 && !(slips && from[1] * u_t[0] > 0) ? look_at_slip_end(events, node, h, j, err) : DLS_OK;
  }
  return slips && sys->mu_s[j] > sys->mu[j] ? look_at_slip_begin(events, node, h, j, err) : DLS_OK;
}

/* Slips at the node. Contacts that stuck when they were pushed last have none, nor have those that stick in the step and land. Others keep
 * the side of the slip with which they were pushed last: friction has not yet answered another one. */
static dls_status take_slips(dls_step_events *events, const dls_sim *sim, const dls_step_node *node,
                             dls_error *err)
{
  const size_t d = events->d;
  const double still = threshold_still * sim->sys->length / sim->sys->time;
  if (d == 1) {
    return DLS_OK;
  }
  const dls_status status = dls_contact_system_at(&events->contacts[0], node->t, node->q, err);
  for (size_t row = 0; row < d * events->m && status == DLS_OK; row++) {
    const double slip = dls_configuration_row(events->contacts[0].config, row, node->v);
    const bool sticks = (events->rests[row / d] ? events->status : sim->status)[row / d] == 1;
    const bool turned =
        d == 2 && events->rests[row / d] && events->last_slip[row / d] * slip < 0; /* not of NAN */
    events->slid[row] = row % d == 0 || sticks || fabs(slip) <= still ? 0 : turned ? -slip : slip;
  }
  use_slips(events);
  return status;
}

static int earlier(const void *a, const void *b)
{
  const double x = ((const step_event *)a)->tau, y = ((const step_event *)b)->tau;
  return (x > y) - (x < y);
}

/* The jump of a load of system i that is that of the run at t; more than h away: there is none. */
static double own_jump(const dls_step_events *events, size_t i, double t, double h)
{
  const dls_system *sys = events->contacts[i].config->sys;
  double own = dls_system_next_break(sys, t - 0.5 * h), next = dls_system_next_break(sys, own);
  while (fabs(next - t) < fabs(own - t)) {
    own = next;
    next = dls_system_next_break(sys, own);
  }
  return own;
}

/* Jumps of loads and surfaces in the step, at times that the parameters move. */
static dls_status look_at_loads(dls_step_events *events, const dls_step_node *node, double h, dls_error *err)
{
  const dls_system *sys = events->contacts[0].config->sys;
  size_t jumps = 0;
  double t = dls_system_next_break(sys, node->t);
  events->straddled = false;
  for (size_t i = 0; i < events->count; i++) {
    events->straddled = events->straddled || events->passed[i] > node->t;
  }
  for (; t <= node->t + h; t = dls_system_next_break(sys, t)) {
    bool moves = false;
    for (size_t i = 1; i < events->count; i++) {
      const double own = own_jump(events, i, t, h);
      moves = moves || own != t;
      if (!(fabs(own - t) < 0.5 * h) || jumps == MOST_JUMPS) {
        return dls_fail(
            err, DLS_ERR_NOT_APPLICABLE,
            "the load jumps at t = %.10g s, and at %.10g s for a neighbouring value of a parameter: a "
            "step of %.3g s is too long for its derivative, or has more than %d jumps",
            t, own, h, MOST_JUMPS);
      }
    }
    if (moves) {
      events->event[events->found++] = (step_event){
          .kind = LOAD_JUMP, .contact = SIZE_MAX, .tau = t - node->t, .time = t, .reach = HUGE_VAL};
      jumps++;
    }
  }
  for (size_t i = 1; i < events->count && t < INFINITY; i++) {
    events->straddled = events->straddled || own_jump(events, i, t, h) <= node->t + h;
  }
  return DLS_OK;
}

/* Some schemes push contacts at rest in every second step only. In a step that does not, an impact of another contact is solved without
 * them and may leave them with u_N < 0: the motion depends on the phase of the grid. */
static void find_driven(dls_step_events *events, const dls_sim *sim, double h)
{
  events->driven = SIZE_MAX;
  for (size_t k = 0; k < events->found; k++) {
    const step_event *event = &events->event[k];
    const double speed = 2 * event->reach * fabs(event->slope),
                 most = threshold_opens * speed + threshold_unexpected_steps * h * fabs(event->slope);
    for (size_t j = 0; j < events->m && event->kind <= LANDING; j++) {
      events->driven = events->rests[j] && !events->pushed[j] && sim->u[j] < -most ? j : events->driven;
    }
  }
}

/* Contacts without an impulse in several steps are open. Some schemes push contacts at rest in every second step. */
static void release_idle(dls_step_events *events)
{
  for (size_t j = 0; j < events->m; j++) {
    events->idle[j] = events->pushed[j] ? 0 : events->idle[j] + 1;
    events->rests[j] = events->rests[j] && events->idle[j] < OPEN_AFTER;
  }
}

dls_status dls_step_events_find(dls_step_events *events, const dls_sim *sim, const dls_step_node *node,
                                const bool *pushed, double h, size_t *found, dls_error *err)
{
  events->found = 0;
  for (size_t j = 0; j < events->m; j++) {
    events->pushed[j] = pushed[j];
    events->crossed[j] = events->crossed[j] && pushed[j];
    events->passive[j] = events->rests[j];
  }
  dls_status status = take_slips(events, sim, node, err);
  for (size_t j = 0; j < events->m && status == DLS_OK; j++) {
    status = pushed[j] && !events->rests[j] ? look_at(events, sim, node, h, j, err)
                                            : look_at_friction(events, sim, node, h, j, err);
  }
  if (status == DLS_OK) {
    status = look_at_loads(events, node, h, err);
  }
  find_driven(events, sim, h);
  qsort(events->event, events->found, sizeof *events->event, earlier);
  *found = events->found;
  for (size_t j = 0; j < events->m; j++) {
    events->status[j] = pushed[j] || !events->rests[j] ? sim->status[j] : events->status[j];
    if (events->d == 2 && (pushed[j] || !events->rests[j])) {
      events->last_slip[j] = events->rests[j] ? sim->u_t[j] : NAN;
    }
  }
  if (events->found == 0) {
    release_idle(events);
  }
  return status;
}

size_t dls_step_events_compare(dls_step_events *events, const dls_sim *sim, const bool *pushed)
{
  size_t differs = events->driven;
  for (size_t j = 0; j < events->m; j++) {
    struct expected *x = &events->expected[j];
    if (x->steps > 0 && --x->steps == 0 && fabs(sim->u[j] - x->u) > x->difference) {
      differs = j;
    }
    x->steps = x->steps < EXPECTED_AFTER - 1 && pushed[j] ? 0 : x->steps; /* another impact */
  }
  return differs;
}

bool dls_step_events_straddled(const dls_step_events *events)
{
  return events->straddled;
}

size_t dls_step_events_contact(const dls_step_events *events, size_t i)
{
  return events->event[i].contact;
}

const double *dls_step_events_tau(const dls_step_events *events, size_t i)
{
  return events->event[i].kind == SLOW_LANDING ? NULL : events->tau + events->count * i;
}

double dls_step_events_reach(const dls_step_events *events, size_t i)
{
  return events->event[i].kind == IMPACT ? events->event[i].reach : HUGE_VAL;
}

/* --- crossing --- */

const double *dls_step_events_impulse(const dls_step_events *events, size_t i)
{
  return events->impulse + i * events->d * events->m;
}

/* The impulse of state i += time times the forces of the set, or an impulse with time 1. */
static void push(dls_step_events *events, size_t i, double time)
{
  const size_t d = events->d;
  for (size_t k = 0; k < d * events->set.count; k++) {
    events->impulse[d * (i * events->m + events->set.index[k / d]) + k % d] += time * events->r[k];
  }
}

/* Has contact j of the run landed without restitution? */
static bool has_landed(const dls_step_events *events, size_t j)
{
  return events->rests[j] && is_inelastic(events, j);
}

/* v := R v at the state's place, by the law of the set. A slow landing is inelastic, and its velocities are moved by the same for all
 * states, so that all approach: shift[d j]. What a contact with e = 0 gives back in neighbours with e > 0 is, to first order in e, the force
 * that it lacks in flight. */
static dls_status jump(dls_step_events *events, size_t i, const step_event *event, double shift, double *v,
                       dls_error *err)
{
  dls_contact_system *contacts = &events->contacts[i];
  const size_t d = events->d, normal = d * event->contact;
  const bool slow = event->kind == SLOW_LANDING;
  const double mixture = contacts->mixture[normal];
  bool *gives = contacts->gives;
  events->set.count = events->struck.count;
  memcpy(events->set.index, events->struck.index, events->struck.count * sizeof *events->set.index);
  dls_contact_system_velocity(contacts, &events->set, v, events->u);
  for (size_t k = 0; k < d * events->set.count; k++) {
    events->u[k] += slow && d * events->set.index[k / d] + k % d == normal ? shift : 0;
    events->u_minus[k] = k % d > 0                                      ? events->u[k]
                         : has_landed(events, events->set.index[k / d]) ? 0
                                                                        : fmin(events->u[k], 0);
  }
  if (slow) {
    contacts->mixture[normal] = 0;
    contacts->gives = NULL;
  }
  memset(events->r, 0, d * events->set.count * sizeof *events->r);
  dls_status status =
      dls_contact_system_impulse(contacts, &events->set, events->u, events->u_minus, events->r, err);
  contacts->mixture[normal] = mixture;
  contacts->gives = gives;
  if (status == DLS_OK) {
    dls_contact_system_apply(contacts, &events->set, 1, events->r, v);
    push(events, i, 1);
  }
  return status;
}

/* x += M^-1 H r with the r that removes the differences b of events->rows[count]. */
static dls_status remove_differences(dls_step_events *events, size_t i, size_t count, const double *b,
                                     double *x, dls_error *err)
{
  dls_delassus *W = events->contacts[i].W;
  const dls_status status = dls_delassus_solve_bilateral(W, count, events->rows, b, events->r, err);
  if (status == DLS_OK) {
    dls_delassus_apply(W, count, events->rows, 1, events->r, x);
  }
  return status;
}

/* State i onto the g and u of the run, whose own drift is not differentiated, of the contacts of the set. */
static dls_status close_gaps(dls_step_events *events, size_t i, double t, double *q, double *v, dls_error *err)
{
  dls_contact_system *contacts = &events->contacts[i];
  const size_t count = events->set.count;
  for (int velocity = 0; velocity < 2; velocity++) {
    dls_status status = dls_contact_system_at(contacts, t, q, err);
    dls_configuration_gap(contacts->config, events->g);
    for (size_t k = 0; k < count && status == DLS_OK; k++) {
      const size_t contact = events->set.index[k];
      const double value =
          velocity == 1 ? dls_configuration_row(contacts->config, events->d * contact, v) : events->g[contact];
      double *of_run = &events->of_run[velocity * events->m + contact];
      *of_run = i == 0 ? value : *of_run;
      events->u_minus[k] = value - *of_run;
      events->rows[k] = events->d * contact;
    }
    if (status == DLS_OK && i > 0) {
      status = remove_differences(events, i, count, events->u_minus, velocity == 1 ? v : q, err);
    }
    if (status != DLS_OK) {
      return status;
    }
  }
  return DLS_OK;
}

/* After contact j has landed: with those that rest. */
static dls_status land(dls_step_events *events, size_t i, double t, size_t j, double *q, double *v,
                       dls_error *err)
{
  take_set(events, events->rests, j);
  return close_gaps(events, i, t, q, v, err);
}

/* Contacts that rest, and were pushed in the step, stay closed in all states: schemes that keep more than a state restart with velocities of their
 * own. */
static dls_status stay_closed(dls_step_events *events, size_t i, double t, double *q, double *v, dls_error *err)
{
  events->set.count = 0;
  for (size_t j = 0; j < events->m; j++) {
    if (events->rests[j] && events->pushed[j]) {
      events->set.index[events->set.count++] = j;
    }
  }
  return events->set.count > 0 ? close_gaps(events, i, time_at(events, i, t), q, v, err) : DLS_OK;
}

/* In space slip has ended in the step where a contact sticks: state i at t onto the u_T of the run, in events->u_minus. */
static dls_status hold(dls_step_events *events, size_t i, double t, const double *q, double *v, dls_error *err)
{
  dls_contact_system *contacts = &events->contacts[i];
  const size_t d = events->d;
  size_t count = 0, stuck = 0;
  const dls_status status = dls_contact_system_at(contacts, time_at(events, i, t), q, err);
  for (size_t row = 0; row < d * events->m && status == DLS_OK; row++) {
    const size_t j = row / d;
    const bool sticks = events->status[j] == 1 && dls_law_has_friction(contacts->config->sys, j);
    const double value = dls_configuration_row(contacts->config, row, v);
    events->u_minus[row] = i == 0 ? value : events->u_minus[row];
    if (events->rests[j] && (row % d == 0 || sticks)) {
      events->rows[count] = row;
      events->u[count++] = row % d == 0 ? 0 : value - events->u_minus[row];
      stuck += sticks;
    }
  }
  return status == DLS_OK && i > 0 && stuck > 0 ? remove_differences(events, i, count, events->u, v, err)
                                                : status;
}

/* tau of (1), from a state at t */
static dls_status time_to_event(dls_step_events *events, size_t i, const step_event *event, double t, double h,
                                const double *q, const double *v, double *tau, dls_error *err)
{
  dls_contact_system *contacts = &events->contacts[i];
  double g, u;
  dls_status status = dls_contact_system_at(contacts, t, q, err);
  if (status != DLS_OK) {
    return status;
  }
  switch (event->kind) {
  case IMPACT:
  case LANDING:
    gap_motion(events, i, v, event->contact, &g, &u);
    *tau = time_to_contact(g, u, event->slope, 2 * h);
    break;
  case SLIP_END:
    *tau = -dls_configuration_row(contacts->config, events->d * event->contact + 1, v) / event->slope;
    break;
  case SLIP_BEGIN:
    status = margin_of(events, i, t, q, v, event->contact, &g, err);
    *tau = -g / event->slope;
    break;
  case LOAD_JUMP:
    *tau = own_jump(events, i, event->time, h) - t;
    break;
  default:
    *tau = 0;
  }
  *tau = isnan(*tau) ? 0 : *tau;
  return status;
}

/* x + f tau, with the acceleration a. */
static void forward(size_t n, double tau, const double *a, double *q, double *v)
{
  for (size_t k = 0; k < n; k++) {
    q[k] += tau * (v[k] + 0.5 * tau * a[k]);
    v[k] += tau * a[k];
  }
}

/* (1) from a state at t, without the flight back: q, v := R(x*). */
static dls_status to_event(dls_step_events *events, size_t i, const step_event *event, double t, double shift,
                           double tau, double *q, double *v, dls_error *err)
{
  forward(events->n, tau, events->before, q, v);
  if (event->kind == SLIP_END) {
    return DLS_OK;
  }
  const dls_status status = dls_contact_system_at(&events->contacts[i], t + tau, q, err);
  return status != DLS_OK ? status : jump(events, i, event, shift, v, err);
}

static void back(const dls_step_events *events, double tau, double *q, double *v)
{
  for (size_t k = 0; k < events->n; k++) {
    v[k] -= tau * events->after[k];
    q[k] -= tau * (v[k] + 0.5 * tau * events->after[k]);
  }
}

/* Slips of the contacts at rest for v of the run: an impact may reverse them. */
static void take_slips_after(dls_step_events *events, const double *v)
{
  const dls_configuration *config = events->contacts[0].config;
  const double still = threshold_still * config->sys->length / config->sys->time;
  for (size_t row = 0; events->d > 1 && row < events->d * events->m; row++) {
    if (row % events->d != 0 && events->rests[row / events->d]) {
      const double slip = dls_configuration_row(config, row, v);
      events->slid[row] = fabs(slip) <= still ? 0 : slip;
    }
  }
  use_slips(events);
}

/* The contacts take their modes afterwards, for v of the run: those that an impact has opened do not rest any more. */
static void enter_mode(dls_step_events *events, const step_event *event, const double *v)
{
  const size_t j = event->contact;
  if (event->kind == SLIP_END) {
    events->slid[events->d * j + 1] = 0;
    use_slips(events);
    return;
  }
  events->crossed[j] = event->kind == IMPACT;
  events->rests[j] = events->rests[j] || event->kind != IMPACT;
  events->passive[j] = events->passive[j] || event->kind != IMPACT;
  const double speed = 2 * event->reach * fabs(event->slope);
  for (size_t k = 0; k < events->m && event->kind != SLOW_LANDING; k++) {
    const double u = dls_configuration_row(events->contacts[0].config, events->d * k, v);
    events->rests[k] = events->rests[k] && (k == j || !(u > threshold_opens * speed));
  }
  if (event->kind != SLOW_LANDING) {
    take_slips_after(events, v);
  }
}

/* Has the contact no force in the last accelerations? Then an inelastic impact has not closed it: the forces open it at once. */
static bool opens_at_once(const dls_step_events *events, size_t j)
{
  size_t k = 0;
  while (k < events->set.count && events->set.index[k] != j) {
    k++;
  }
  return k < events->set.count && events->r[events->d * k] == 0;
}

/* What is added to the gap velocities of a slow landing, so that its impulse is that of the step less that of a force at rest. */
static double shift_of(dls_step_events *events, const step_event *event, const double *v)
{
  double g, u;
  gap_motion(events, 0, v, event->contact, &g, &u);
  return -u - event->speed;
}

/* The time of state i, which is later than the node if a slip has begun in the step. */
static double time_of(const dls_step_events *events, const dls_step_node *node, size_t i)
{
  return node->t + events->ahead[i];
}

/* tau of the events `number` to `last` in all systems, from the times of their states. */
static dls_status take_times(dls_step_events *events, size_t number, size_t last, const dls_step_node *node,
                             double h, const double *x, dls_error *err)
{
  const size_t n = events->n;
  dls_status status = DLS_OK;
  for (size_t k = number; k <= last; k++) {
    for (size_t i = 0; i < events->count && status == DLS_OK; i++) {
      const double *q = x + 2 * n * i;
      status = time_to_event(events, i, &events->event[k], time_of(events, node, i), h, q, q + n,
                             &events->tau[events->count * k + i], err);
    }
  }
  return status;
}

/* After the events from `number` to `last`: an inelastic impact has not closed a contact that forces open at once.
 * @return one of them has landed */
static bool open_or_land(dls_step_events *events, size_t number, size_t last)
{
  bool lands = false;
  for (size_t k = number; k <= last; k++) {
    const step_event *event = &events->event[k];
    const size_t j = event->contact;
    const bool opens = event->kind == LANDING && opens_at_once(events, j);
    if (opens) {
      events->rests[j] = events->passive[j] = false;
      events->crossed[j] = true;
    }
    lands = lands || (event->kind == LANDING && !opens) || event->kind == SLOW_LANDING;
  }
  return lands;
}

/* Contact j of state i begins to slip, against the force that held it. The flight goes on from there: in space the directions of slips as small
 * as these turn by O(1) from neighbour to neighbour, and each has to begin at u_T = 0. */
static dls_status begin_slip(dls_step_events *events, size_t i, size_t j, double t, double tau, double *q,
                             double *v, dls_error *err)
{
  double margin, *slid = events->slid + events->d * j;
  memset(slid, 0, events->d * sizeof *slid);
  dls_status status = margin_of(events, i, t, q, v, j, &margin, err);
  const double *r = events->r + events->d * j, size = tangential(events, r);
  for (size_t k = 1; k < events->d; k++) {
    slid[k] = size > 0 ? -r[k] / size : 0;
  }
  dls_contact_system_begin_interval(&events->contacts[i], events->slid);
  forward(events->n, tau, events->middle, q, v);
  push(events, i, tau);
  events->ahead[i] += tau;
  return status;
}

/* Supports that jump let go of contacts at rest, or strike them. Schemes differ in the velocities that they take for those before such an
 * impact, so that its law is not known: there is no derivative. */
static void jump_supports(dls_step_events *events, const step_event *event, double before, const double *q)
{
  const dls_system *sys = events->contacts[0].config->sys;
  const double least = threshold_opens * sys->length / sys->time;
  double *u = events->of_run, *u_before = events->of_run + events->m;
  dls_system_gap_rate(sys, before, q, u_before);
  dls_system_gap_rate(sys, event->time, q, u);
  for (size_t j = 0; j < events->m; j++) {
    for (size_t i = 1; i < events->count && events->rests[j] && u[j] - u_before[j] < -least; i++) {
      events->apart[i] = j;
    }
    events->rests[j] = events->rests[j] && u[j] - u_before[j] <= least;
  }
}

/* A jump of loads, surfaces or supports. */
static dls_status cross_jump(dls_step_events *events, size_t number, const dls_step_node *node, double *x,
                             dls_error *err)
{
  const step_event *event = &events->event[number];
  const size_t n = events->n;
  const double *tau = events->tau + events->count * number, t = time_of(events, node, 0);
  dls_status status = accelerate(events, 0, t, x, x + n, events->before, err);
  for (size_t i = 0; i < events->count && status == DLS_OK; i++) {
    push(events, i, tau[i]);
  }
  jump_supports(events, event, t, x);
  for (size_t i = 0; i < events->count && status == DLS_OK; i++) {
    double *q = x + 2 * n * i, *v = q + n;
    forward(n, tau[i], events->before, q, v);
    events->passed[i] = time_of(events, node, i) + tau[i];
    status = dls_contact_system_at(&events->contacts[i], time_at(events, i, events->passed[i]), q, err);
  }
  take_slips_after(events, x + n);
  if (status == DLS_OK) {
    status = accelerate(events, 0, events->passed[0], x, x + n, events->after, err);
  }
  for (size_t i = 0; i < events->count && status == DLS_OK; i++) {
    push(events, i, -tau[i]);
    back(events, tau[i], x + 2 * n * i, x + 2 * n * i + n);
  }
  return status;
}

/* The event `number`, for all states; with those up to `last`, which are impacts at the same time in all systems and make one. */
static dls_status cross_event(dls_step_events *events, size_t number, size_t last, const dls_step_node *node,
                              double *x, dls_error *err)
{
  const step_event *event = &events->event[number];
  const size_t n = events->n;
  const double *tau = events->tau + events->count * number;
  dls_status status = DLS_OK;
  if (event->kind == LOAD_JUMP) {
    return cross_jump(events, number, node, x, err);
  }
  if (event->kind == SLIP_BEGIN) { /* the run last: its slips are kept */
    for (size_t i = events->count; i-- > 0 && status == DLS_OK;) {
      double *q = x + 2 * n * i;
      status = begin_slip(events, i, event->contact, time_of(events, node, i), tau[i], q, q + n, err);
    }
    return status;
  }
  const double t = time_of(events, node, 0);
  status = accelerate(events, 0, t, x, x + n, events->before, err);
  for (size_t i = 0; i < events->count && status == DLS_OK; i++) { /* forces before, up to tau */
    push(events, i, tau[i]);
  }
  const double shift = status == DLS_OK && event->kind == SLOW_LANDING ? shift_of(events, event, x + n) : 0;
  for (size_t k = number + 1; k <= last; k++) {
    events->passive[events->event[k].contact] = true;
  }
  collect(events, events->passive, event->contact, &events->struck);
  if (status == DLS_OK) {
    status = to_event(events, 0, event, t, shift, tau[0], x, x + n, err);
  }
  for (size_t k = number; k <= last; k++) {
    events->passive[events->event[k].contact] = events->rests[events->event[k].contact];
    enter_mode(events, &events->event[k], x + n);
  }
  if (status == DLS_OK) {
    status = accelerate(events, 0, t + tau[0], x, x + n, events->after, err);
  }
  for (size_t i = 0; i < events->count && status == DLS_OK; i++) { /* forces afterwards act from tau on */
    push(events, i, -tau[i]);
  }
  const bool lands = open_or_land(events, number, last);
  for (size_t i = 0; i < events->count && status == DLS_OK; i++) {
    double *q = x + 2 * n * i, *v = q + n;
    if (i > 0) { /* with what the contacts of the run do afterwards */
      status = to_event(events, i, event, time_of(events, node, i), shift, tau[i], q, v, err);
    }
    back(events, tau[i], q, v);
    status = status == DLS_OK && lands ? land(events, i, time_of(events, node, i), event->contact, q, v, err)
                                       : status;
  }
  return status;
}

/* To the end of the step, by the midpoint rule. */
static dls_status fly(dls_step_events *events, size_t i, double t, double h, double *q, double *v,
                      dls_error *err)
{
  const size_t n = events->n;
  dls_status status = accelerate(events, i, t, q, v, events->a, err);
  if (status != DLS_OK) {
    return status;
  }
  for (size_t k = 0; k < n; k++) {
    events->q[k] = q[k] + 0.5 * h * v[k];
    events->v[k] = v[k] + 0.5 * h * events->a[k];
  }
  status = accelerate(events, i, t + 0.5 * h, events->q, events->v, events->a, err);
  if (status == DLS_OK) {
    push(events, i, h);
  }
  for (size_t k = 0; k < n && status == DLS_OK; k++) {
    q[k] += h * events->v[k];
    v[k] += h * events->a[k];
  }
  return status;
}

size_t dls_step_events_apart(const dls_step_events *events, size_t i)
{
  return events->apart[i];
}

/* Is event `number` an impact at the time of the one before it? */
static bool strikes_with_last(const dls_step_events *events, size_t number, double h)
{
  const step_event *a = number > 0 ? &events->event[number - 1] : NULL, *b = &events->event[number];
  return a != NULL && a->kind <= LANDING && b->kind <= LANDING &&
         fabs(b->tau - a->tau) <= threshold_simultaneous * h;
}

/* Do impacts of the contacts i and j act on each other? At the configuration of the run. */
static bool act_on_each_other(const dls_step_events *events, size_t i, size_t j)
{
  dls_delassus *W = events->contacts[0].W;
  const size_t d = events->d;
  return fabs(dls_delassus_entry(W, d * i, d * j)) >
         threshold_acts * sqrt(dls_delassus_entry(W, d * i, d * i) * dls_delassus_entry(W, d * j, d * j));
}

/* Moves those impacts to follow `number` that are at its time and act on it, or on one of those. @return the last of them */
static size_t gather_impacts(dls_step_events *events, size_t number, double h)
{
  size_t last = number, end = number + 1;
  while (end < events->found && strikes_with_last(events, end, h)) {
    end++;
  }
  for (size_t k = number; k <= last; k++) {
    for (size_t other = last + 1; other < end; other++) {
      if (act_on_each_other(events, events->event[k].contact, events->event[other].contact)) {
        const step_event moved = events->event[other];
        events->event[other] = events->event[++last];
        events->event[last] = moved;
      }
    }
  }
  return last;
}

/* The impacts `number` to `last` are at the same time in the run. In which neighbours are they not? tau have errors of -D g/u. */
static void note_apart(dls_step_events *events, size_t number, size_t last)
{
  const dls_system *sys = events->contacts[0].config->sys;
  const double *first = events->tau + events->count * number;
  for (size_t k = number + 1; k <= last; k++) {
    const step_event *event = &events->event[k];
    const double *tau = events->tau + events->count * k, speed = 2 * event->reach * fabs(event->slope);
    const double bound =
        threshold_same_shift * threshold_neighbour_distance * fmax(sys->time, sys->length / speed);
    for (size_t i = 1; i < events->count; i++) {
      events->apart[i] =
          fabs((tau[i] - tau[0]) - (first[i] - first[0])) > bound ? event->contact : events->apart[i];
    }
  }
}

/* tau of events that are crossed, from the node on. A slip that begins has moved its states to its time. */
static void count_from_node(dls_step_events *events, size_t number, size_t last)
{
  for (size_t k = number; k <= last; k++) {
    double *tau = events->tau + events->count * k;
    for (size_t i = 0; i < events->count; i++) {
      tau[i] = events->ahead[i] + (events->event[k].kind == SLIP_BEGIN ? 0 : tau[i]);
    }
  }
}

/* Crosses event `number`, with those that are one with it. @param[out] next  the event after them */
static dls_status cross_at_once(dls_step_events *events, size_t number, const dls_step_node *node, double h,
                                double *x, size_t *next, dls_error *err)
{
  dls_status status = dls_contact_system_at(&events->contacts[0], time_of(events, node, 0), x, err);
  const size_t last = status == DLS_OK ? gather_impacts(events, number, h) : number;
  *next = last + 1;
  if (status == DLS_OK && (status = take_times(events, number, last, node, h, x, err)) == DLS_OK) {
    note_apart(events, number, last);
    status = cross_event(events, number, last, node, x, err);
    count_from_node(events, number, last);
  }
  return status;
}

/* A contact at rest begins to slip from u_T = 0, at the start of a run: neighbours that slip the other way reverse first. */
static dls_status note_slip_from_rest(dls_step_events *events, size_t j, double t, const double *x,
                                      dls_error *err)
{
  const dls_system *sys = events->contacts[0].config->sys;
  const size_t n = events->n, d = events->d;
  const double still = threshold_still * sys->length / sys->time;
  double of_run[3] = {0};
  dls_status status = DLS_OK;
  for (size_t i = 0; i < events->count && status == DLS_OK; i++) {
    status = dls_contact_system_at(&events->contacts[i], t, x + 2 * n * i, err);
    for (size_t k = 0; k < d && status == DLS_OK; k++) {
      const double u = dls_configuration_row(events->contacts[i].config, d * j + k, x + 2 * n * i + n);
      of_run[k] = i == 0 ? u : of_run[k];
      events->apart[i] =
          k > 0 && fabs(of_run[0]) <= still && fabs(u - of_run[k]) > still ? j : events->apart[i];
    }
  }
  return status;
}

dls_status dls_step_events_cross(dls_step_events *events, const dls_step_node *node, double h, double *x,
                                 dls_error *err)
{
  const size_t n = events->n;
  dls_status status = DLS_OK;
  memset(events->impulse, 0, events->count * events->d * events->m * sizeof *events->impulse);
  for (size_t i = 0; i < events->count; i++) {
    events->apart[i] = SIZE_MAX;
    events->ahead[i] = 0;
  }
  for (size_t k = 0; k < events->found && status == DLS_OK; k++) {
    const size_t j = events->event[k].contact;
    if (events->event[k].kind == SLOW_LANDING && events->d > 1 && events->status[j] == 2 &&
        tangential(events, events->slid + events->d * j) == 0) {
      status = note_slip_from_rest(events, j, node->t, x, err);
    }
  }
  for (size_t k = 0; k < events->found && status == DLS_OK;) {
    status = cross_at_once(events, k, node, h, x, &k, err);
  }
  for (size_t i = 0; i < events->count && status == DLS_OK; i++) {
    const double ahead = events->ahead[i];
    double *q = x + 2 * n * i;
    status = fly(events, i, time_of(events, node, i), h - ahead, q, q + n, err);
    status = status == DLS_OK ? stay_closed(events, i, node->t + h, q, q + n, err) : status;
    status = status == DLS_OK && events->d == 3 ? hold(events, i, node->t + h, q, q + n, err) : status;
  }
  release_idle(events);
  for (size_t k = 0; k < events->found && status == DLS_OK; k++) {
    const step_event *event = &events->event[k];
    const double speed = 2 * event->reach * fabs(event->slope);
    if (event->kind == IMPACT) {
      status = dls_contact_system_at(&events->contacts[0], node->t + h, x, err);
      events->expected[event->contact] = (struct expected){
          EXPECTED_AFTER, dls_configuration_row(events->contacts[0].config, events->d * event->contact, x + n),
          threshold_unexpected * speed + threshold_unexpected_steps * h * fabs(event->slope)};
    }
  }
  return status;
}
