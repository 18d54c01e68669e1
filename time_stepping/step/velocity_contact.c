/* velocity_contact.c -- index set, impulses and events of contact at velocity level.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/step/velocity_contact.h"
#include "common/base/arrays.h"
#include "time_stepping/step/static_friction.h"
#include "time_stepping/step/stribeck.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Gaps below this, in units of the length scale, are rounding if u is: a contact that rests at g = u = 1e-17
 * must not fall freely for a step. */
static const double gap_rounding = 1e-13;
/* The same in units of the largest coordinate: the gap is a difference of coordinates. */
static const double coordinate_rounding = 4 * DBL_EPSILON;

static void set_thresholds(const dls_sim *sim, double velocity_tol, dls_velocity_contact *c)
{
  const dls_system *sys = sim->sys;
  c->eps_u = velocity_tol * sys->length / sys->time;
  c->static_friction = dls_system_has_static_friction(sys);
  c->stribeck = dls_system_has_stribeck(sys);
  c->eps_g = gap_rounding * sys->length;
  for (size_t i = 0; i < sys->n; i++) {
    c->eps_g = fmax(c->eps_g, coordinate_rounding * fabs(sim->q[i]));
  }
}

/* Thresholds and arrays. */
static bool prepare(const dls_sim *sim, double velocity_tol, dls_velocity_contact *c)
{
  const dls_system *sys = sim->sys;
  const size_t rows = sys->d * sys->m;
  set_thresholds(sim, velocity_tol, c);
  c->active.index = calloc(sys->m + 1, sizeof *c->active.index);
  c->chosen = calloc(sys->m + 1, sizeof *c->chosen);
  c->block = dls_arrays((const dls_slot[]){{rows, {&c->velocity, &c->impulse, &c->u_minus, &c->u_free}},
                                           {sys->m, {&c->gap}},
                                           {sys->n, {&c->q_ahead}},
                                           {0}});
  return c->active.index != NULL && c->chosen != NULL && c->block != NULL;
}

dls_status dls_velocity_contact_create(dls_sim *sim, dls_configuration *config, dls_delassus *W, double theta,
                                       double forecast, bool test, double velocity_tol, dls_velocity_contact *c,
                                       dls_error *err)
{
  const dls_system *sys = sim->sys;
  *c = (dls_velocity_contact){.forecast = forecast, .test = test, .theta = theta};
  c->as_at_node = sys->linear && !config->moves && !config->gradient_varies;
  const bool prepared = prepare(sim, velocity_tol, c);
  const dls_status status = dls_contact_system_create(config, W, theta, &sim->work, &c->contacts, err);
  return prepared ? status : dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu contacts", sys->m);
}

dls_status dls_velocity_contact_create_mass(dls_sim *sim, double velocity_tol, dls_velocity_contact *c,
                                            dls_error *err)
{
  *c = (dls_velocity_contact){.test = true, .theta = 0.5};
  const bool prepared = prepare(sim, velocity_tol, c);
  const dls_status status = dls_contact_system_create_mass(sim->sys, &sim->work, &c->contacts, err);
  return prepared ? status : dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu contacts", sim->sys->m);
}

void dls_velocity_contact_restart(const dls_sim *sim, double velocity_tol, dls_velocity_contact *c)
{
  const dls_system *sys = sim->sys;
  set_thresholds(sim, velocity_tol, c);
  memset(c->block, 0, (4 * sys->d * sys->m + sys->m + sys->n) * sizeof *c->block);
  c->taken = false;
  c->active.count = 0;
  dls_contact_system_restart(&c->contacts);
}

void dls_velocity_contact_destroy(dls_velocity_contact *c)
{
  dls_contact_system_destroy(&c->contacts);
  free(c->active.index);
  free(c->chosen);
  free(c->block);
}

/* c->gap := g(t + ahead, q + ahead v), or g + ahead U */
static void gaps_ahead(const dls_sim *sim, dls_velocity_contact *c, double ahead)
{
  if (c->linear) {
    for (size_t j = 0; j < sim->sys->m; j++) {
      c->gap[j] = sim->g[j] + ahead * sim->u[j];
    }
    return;
  }
  for (size_t i = 0; i < sim->sys->n; i++) {
    c->q_ahead[i] = sim->q[i] + ahead * sim->v[i];
  }
  dls_system_gap(sim->sys, sim->t + ahead, c->q_ahead, c->gap);
}

/* (2) */
static inline bool is_active(const dls_velocity_contact *c, double u, double gap)
{
  return gap <= (fabs(u) <= c->eps_u ? c->eps_g : 0) && (!c->test || u <= c->eps_u);
}

/* The sim has normal and tangential parts apart. */
void dls_velocity_contact_node(const dls_sim *sim, dls_velocity_contact *c)
{
  const size_t d = c->contacts.config->d, m = sim->sys->m;
  const double *u_t = sim->u_t;
  double *velocity = c->velocity;
  if (d == 1) {
    memcpy(velocity, sim->u, m * sizeof *velocity);
    return;
  }
  for (size_t j = 0; j < m; j++) {
    *velocity++ = sim->u[j];
    for (size_t i = 1; i < d; i++) {
      *velocity++ = *u_t++;
    }
  }
}

static void forecast_as_at_node(const dls_sim *sim, dls_velocity_contact *c, double ahead)
{
  const dls_velocity_contact rule = *c; /* which no store changes */
  const double *g = sim->g, *u = sim->u;
  size_t count = 0;
  dls_velocity_contact_node(sim, c);
  for (size_t j = 0; j < sim->sys->m; j++) {
    c->active.index[count] = j;
    count += is_active(&rule, u[j], g[j] + ahead * u[j]); /* (2): g(q + forecast h v) = g + forecast h U */
  }
  c->active.count = count;
}

void dls_velocity_contact_configuration(const dls_sim *sim, dls_velocity_contact *c, double h, const double *q)
{
  dls_configuration *config = c->contacts.config;
  dls_configuration_contacts(config, sim->t, q);
  if (config->gradient_varies && c->contacts.W != NULL) {
    dls_delassus_reset(c->contacts.W); /* in a linear system with varying tangents, nothing else varies */
  }
  dls_configuration_velocity(config, sim->v, c->velocity); /* U */
  dls_configuration_time(config, dls_sim_next_time(sim, h));
}

void dls_velocity_contact_forecast(dls_sim *sim, dls_velocity_contact *c, double h, const double *q)
{
  const size_t d = c->contacts.config->d;
  if (c->as_at_node) {
    forecast_as_at_node(sim, c, c->forecast * h);
    return;
  }
  dls_velocity_contact_configuration(sim, c, h, q); /* U */
  gaps_ahead(sim, c, c->forecast * h);              /* g(q + forecast h v) */
  c->active.count = 0;
  for (size_t j = 0; j < sim->sys->m; j++) {
    if (is_active(c, c->velocity[d * j], c->gap[j])) { /* (2) */
      c->active.index[c->active.count++] = j;
    }
  }
}

/* Largest restitution coefficient of the active contacts that approach. */
static double most_restitution(const dls_velocity_contact *c)
{
  const size_t d = c->contacts.config->d;
  double most = 0;
  for (size_t k = 0; k < c->active.count; k++) {
    const size_t row = d * c->active.index[k];
    most = c->velocity[row] < 0 ? fmax(most, c->contacts.mixture[row]) : most;
  }
  return most;
}

/* Laws that depend on u- see U, the velocity at the begin of the step. */
static void ask_laws(dls_velocity_contact *c)
{
  const size_t d = c->contacts.config->d;
  for (size_t k = 0; c->contacts.sees_speed && k < d * c->active.count; k++) {
    c->u_minus[k] = c->velocity[d * c->active.index[k / d] + k % d];
  }
  dls_contact_system_approach(&c->contacts, &c->active, c->u_minus);
}

/* U and the impulses of the last step on I1, and add to u_free the additional restitution of contacts that separate. */
static void gather_active(const dls_sim *sim, dls_velocity_contact *c)
{
  const size_t d = c->contacts.config->d;
  ask_laws(c);
  const double most = c->test ? 0 : most_restitution(c); /* tested, none separates */
  for (size_t k = 0; k < c->active.count; k++) {         /* without divisions, which are slow */
    const size_t j = c->active.index[k];
    double *u_minus = c->u_minus + d * k, *impulse = c->impulse + d * k;
    for (size_t i = 0; i < d; i++) {
      u_minus[i] = c->velocity[d * j + i];
      impulse[i] = dls_sim_impulse(sim, j, i); /* of the last step: to start with */
    }
    if (u_minus[0] > c->eps_u && c->contacts.mixture[d * j] < most) {
      c->u_free[d * k] += most * u_minus[0];
      u_minus[0] = 0;
    }
  }
}

dls_status dls_velocity_contact_primal_dual(dls_sim *sim, dls_velocity_contact *c, dls_primal_dual *R,
                                            const double *v_0, const double *f, double *x, dls_error *err)
{
  for (size_t k = 0; v_0 == NULL && k < c->active.count; k++) {
    c->u_free[k] = c->velocity[c->active.index[k]]; /* U' = U + H^T x */
  }
  if (v_0 != NULL) {
    dls_contact_system_velocity(&c->contacts, &c->active, v_0, c->u_free); /* U' = H^T (v_0 + x) */
  }
  gather_active(sim, c);
  return dls_primal_dual_solve(R, &c->active, f, c->u_free, c->u_minus, c->impulse, x, err);
}

dls_status dls_velocity_contact_solve_active(dls_sim *sim, dls_velocity_contact *c, const double *v_free,
                                             dls_error *err)
{
  dls_contact_system_velocity(&c->contacts, &c->active, v_free, c->u_free);
  gather_active(sim, c);
  return c->static_friction ? dls_static_friction_solve(sim, c, err)
         : c->stribeck      ? dls_stribeck_solve(sim, c, err)
                       : dls_contact_system_impulse(&c->contacts, &c->active, c->u_free, c->u_minus, c->impulse,
                                                    err); /* (1) */
}

/* Slips, friction and works 1/2 (u- + u+) p of the active contact k, with u- = U of the law. */
static void describe_friction(const dls_velocity_contact *c, size_t k, const double *v_next, dls_event *event)
{
  const size_t d = c->contacts.config->d, row = d * event->contact;
  event->tangential = true;
  event->work_normal = 0.5 * (event->u_minus + event->u_plus) * event->impulse;
  for (size_t i = 1; i < d; i++) {
    event->slip_minus[i - 1] = c->velocity[row + i];
    event->slip_plus[i - 1] = dls_configuration_row(c->contacts.config, row + i, v_next);
    event->friction[i - 1] = c->impulse[d * k + i];
    event->work_friction += 0.5 * (event->slip_minus[i - 1] + event->slip_plus[i - 1]) * event->friction[i - 1];
  }
}

static void report_impact(dls_sim *sim, const dls_velocity_contact *c, size_t k, double t, const double *v_next)
{
  const size_t d = c->contacts.config->d;
  const size_t j = c->active.index[k];
  dls_event event = {.t = t,
                     .kind = DLS_IMPACT,
                     .contact = j,
                     .u_minus = c->velocity[d * j],
                     .u_plus = dls_configuration_row(c->contacts.config, d * j, v_next),
                     .impulse = c->impulse[d * k]};
  if (d > 1) {
    describe_friction(c, k, v_next, &event);
  }
  dls_sim_event(sim, &event);
}

/* Those of the last step. */
static void forget_impulses(dls_sim *sim)
{
  const size_t m = sim->sys->m;
  memset(sim->p, 0, m * sizeof *sim->p);
  memset(sim->p_t, 0, (sim->sys->d - 1) * m * sizeof *sim->p_t);
  memset(sim->status, 0, m * sizeof *sim->status);
}

/* Tangential impulses, and which contacts slip. */
static void take_tangents(dls_sim *sim, const dls_velocity_contact *c)
{
  const size_t d = c->contacts.config->d;
  for (size_t k = 0; k < c->active.count; k++) {
    const size_t j = c->active.index[k];
    memcpy(sim->p_t + (d - 1) * j, c->impulse + d * k + 1, (d - 1) * sizeof *sim->p_t);
    if (c->impulse[d * k] > 0 && dls_contact_system_slips(&c->contacts, &c->active, k, c->impulse, c->eps_u)) {
      sim->status[j] = 2;
    }
  }
}

/* Does contact k approach with U < -eps_u and get an impulse? */
static inline bool struck(const dls_velocity_contact *c, size_t d, size_t k, size_t j)
{
  return c->impulse[d * k] > 0 && c->velocity[d * j] < -c->eps_u;
}

/* Normal impulses and status. @return is one of them an impact? */
static bool take_normals(dls_sim *sim, const dls_velocity_contact *c)
{
  const dls_velocity_contact rule = *c; /* which no store changes */
  const size_t d = c->contacts.config->d;
  double *p = sim->p;
  int *status = sim->status, any = 0;
  for (size_t k = 0; k < rule.active.count; k++) {
    const size_t j = rule.active.index[k];
    p[j] = rule.impulse[d * k]; /* P */
    status[j] = p[j] > 0;
    any |= struck(&rule, d, k, j);
  }
  return any;
}

static void report_impacts(dls_sim *sim, const dls_velocity_contact *c, double t, const double *v_next)
{
  const size_t d = c->contacts.config->d;
  for (size_t k = 0; k < c->active.count; k++) {
    if (struck(c, d, k, c->active.index[k])) {
      report_impact(sim, c, k, t, v_next);
    }
  }
}

void dls_velocity_contact_take(dls_sim *sim, dls_velocity_contact *c, double t, const double *v_free,
                               const double *v_next)
{
  const size_t d = c->contacts.config->d;
  if (c->taken) {
    forget_impulses(sim);
  }
  c->taken = c->active.count > 0;
  if (take_normals(sim, c)) {
    sim->jump = true;
    report_impacts(sim, c, t, v_next);
  }
  if (d > 1 && c->taken) {
    take_tangents(sim, c);
  }
  if (sim->jump) {
    memcpy(sim->v_left, v_free, sim->sys->n * sizeof *v_free);
  }
}
