/* event_driven/sensitivity/series_tangents.c -- tangents through an accumulation, which is one event with a duration.
 * Source: closed form of the series of impacts of one contact at constant acceleration: docs/event-driven.md.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/sensitivity/event_tangents.h"
#include <delassus/law.h>
#include <math.h>
#include <string.h>

/* An infinite series of impacts of one contact that leaves with u = V, in closed form. */
typedef struct series_function {
  size_t contact;
  double slip; /* direction of its slip; 0: no friction */
} series_function;

/* x := response of v to a unit impulse at the contact, with the contacts that are closed; overwrites near->work.force, lambda, u_free. */
static dls_status respond(dls_event_integrator *near, const series_function *f, double *x, dls_error *err)
{
  dls_event_work *work = &near->work;
  const dls_contacts *closed = &near->state.active;
  const size_t n = near->method.n, row = near->method.d * f->contact;
  double *offset = work->dy, *rest = work->dddy; /* n each */
  memset(x, 0, n * sizeof *x);
  memset(offset, 0, n * sizeof *x);
  memset(rest, 0, n * sizeof *x);
  dls_matrix_column_add(work->contacts.config->H, row, 1, x);
  if (f->slip != 0) {
    const double mu = dls_system_friction(near->method.sys, f->contact, 0);
    dls_matrix_column_add(work->contacts.config->H, row + 1, -f->slip * mu, x);
  }
  dls_contact_system_inverse(&work->contacts, x);
  dls_status status = DLS_OK;
  for (int i = 0; i < 2 && closed->count > 0 && status == DLS_OK; i++) { /* the reaction is affine in x */
    double *of = i == 0 ? x : offset;
    status = work->solver == NULL
                 ? dls_contact_system_reaction(&work->contacts, closed, rest, of, work->force, err)
                 : dls_mode_solver_reaction(work->solver, closed, near->state.mode, NULL, rest, of, work->force,
                                            err);
  }
  for (size_t i = 0; i < n; i++) {
    x[i] -= offset[i];
  }
  return status;
}

/* q, v at the end, and the duration tau = 2 V / (A (1 - e)) with A = -u': the impulses have the sum (1 + e) V / ((1 - e) w) and the
 * first moment 2 e V^2 / (w A (1 - e)^2), w = response of u. */
static dls_status series_value(dls_event_integrator *near, const void *data, double t, const double *q,
                               const double *v, double *out, dls_error *err)
{
  const series_function *f = data;
  dls_event_work *work = &near->work;
  const size_t n = near->method.n, row = near->method.d * f->contact;
  double *response = work->y;
  dls_status status = dls_smooth_dynamics(near, t, q, v, work->a, work->lambda, err);
  if (status == DLS_OK) {
    status = respond(near, f, response, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  dls_system_curvature(near->method.sys, t, q, v, work->curvature);
  const dls_matrix *H = work->contacts.config->H;
  const double V = dls_configuration_row(work->contacts.config, row, v),
               w = dls_matrix_column_dot(H, row, response),
               A = -dls_matrix_column_dot(H, row, work->a) - work->curvature[f->contact],
               e = dls_law_restitution(near->method.sys, f->contact, -V), tau = 2 * V / (A * (1 - e)),
               sum = (1 + e) * V / ((1 - e) * w), moment = 2 * e * V * V / (w * A * (1 - e) * (1 - e));
  for (size_t i = 0; i < n; i++) {
    out[i] = q[i] + v[i] * tau + 0.5 * work->a[i] * tau * tau + response[i] * moment;
    out[n + i] = v[i] + work->a[i] * tau + response[i] * sum;
  }
  out[2 * n] = tau;
  return DLS_OK;
}

/* Through the series of a single contact: x^ at its last impact, which moves by -D g / V, then its end, which moves by D tau too. */
static dls_status pass_series(const dls_crossing *c, size_t k, const series_function *f, dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  const dls_sim *sim = c->run->sim;
  const size_t n = tangents->n;
  double *x = tangents->x + 2 * n * k;
  const dls_contact_function which = {.contact = f->contact};
  const dls_state_function series = {series_value, f, 2 * n + 1};
  dls_state_line line = {.t = sim->t, .q = sim->q, .v = sim->v};
  double change = 0, speed = 0;
  dls_status status = dls_tangent_gap_change(c, k, f->contact, sim->t, sim->q, sim->v, &change, err);
  if (status != DLS_OK ||
      (status = dls_value_normal(tangents->self.run, &which, sim->t, sim->q, sim->v, &speed, err)) != DLS_OK) {
    return status;
  }
  const double impact_dt = -change / speed;
  for (size_t i = 0; i < n; i++) {
    tangents->dq[i] = x[i] + sim->v[i] * impact_dt;
    tangents->dv[i] = x[n + i] + sim->a[i] * impact_dt;
  }
  line.dt = impact_dt;
  line.dq = tangents->dq;
  line.dv = tangents->dv;
  status = dls_neighbours_event_derivative(tangents, (int)k, &series, &line, tangents->out, NULL, err);
  const double dt = impact_dt + tangents->out[2 * n];
  for (size_t i = 0; i < n; i++) {
    x[i] = tangents->out[i] - c->run->work.v[i] * dt;
    x[n + i] = tangents->out[n + i] - c->run->work.a[i] * dt;
  }
  dls_tangent_set_event_dt(tangents, k, dt);
  return status;
}

/* Is the accumulation a series of one contact whose friction keeps its direction? */
static bool is_series(const dls_crossing *c, series_function *f)
{
  const size_t j = c->run->state.participant[0].contact;
  const dls_contact *contact = &c->run->state.contact[j];
  const bool slips = contact->has_friction && contact->mode.kind == DLS_MODE_SLIPS;
  *f = (series_function){.contact = j, .slip = slips ? contact->mode.e[0] : 0};
  return c->count == 1 && !dls_law_sees_speed(c->run->method.sys, j) &&
         (!contact->has_friction || (slips && c->run->method.sys->v_s[j] == 0));
}

/* dv := dv less what acts along the contact forces of the motion that follows, so that D u_N = 0. */
static dls_status come_to_rest(const dls_crossing *c, size_t k, dls_error *err)
{
  dls_motion_tangents *tangents = c->tangents;
  dls_event_integrator *near = tangents->self.run;
  const size_t n = tangents->n;
  double *dv = tangents->x + 2 * n * k + n;
  if (near->work.solver == NULL || near->state.active.count == 0) {
    return DLS_OK; /* the projection does it */
  }
  memset(tangents->v, 0, n * sizeof *tangents->v);
  dls_status status = dls_geometry_set(&near->state, &near->work, c->t, c->run->work.q, err);
  return status != DLS_OK ? status
                          : dls_mode_solver_reaction(near->work.solver, &near->state.active, near->state.mode,
                                                     NULL, tangents->v, dv, near->work.lambda, err);
}

dls_status dls_motion_tangents_accumulate(dls_event_integrator *run, size_t participants, dls_error *err)
{
  dls_motion_tangents *tangents = run->work.tangents;
  dls_status status = DLS_OK;
  if (tangents == NULL) {
    return status;
  }
  const dls_crossing c = {run, tangents, run->state.located.t, run->work.q, participants};
  series_function series;
  const bool single = is_series(&c, &series);
  dls_tangents_keep_left(tangents);
  for (size_t k = 0; k < tangents->count && status == DLS_OK; k++) {
    dls_tangent_set_event_dt(tangents, k, NAN); /* of several contacts it is not known */
    if (single && !dls_tangent_has_ended(tangents, k)) {
      status = pass_series(&c, k, &series, err);
    }
  }
  tangents->t = c.t;
  for (size_t i = 0; i < participants; i++) { /* the impacts before belong to it */
    const size_t j = run->state.participant[i].contact;
    tangents->last_speed[j] = 0;
    for (size_t k = 0; k < tangents->count; k++) {
      tangents->waiting[run->method.m * k + j] = HUGE_VAL;
    }
  }
  dls_neighbours_follow(tangents, run);
  for (size_t k = 0; k < tangents->count && status == DLS_OK; k++) {
    if (!dls_tangent_has_ended(tangents, k)) {
      status = single ? DLS_OK : come_to_rest(&c, k, err);
      status = status != DLS_OK ? status : dls_tangent_project(&c, k, run->work.q, run->work.v, err);
    }
  }
  dls_tangents_publish(tangents);
  return status;
}
