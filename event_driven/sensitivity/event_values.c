/* event_driven/sensitivity/event_values.c -- functions of the state whose derivatives events need; see event_values.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/sensitivity/event_values.h"
#include <delassus/law.h>
#include <math.h>
#include <string.h>

dls_status dls_value_gap(dls_event_integrator *near, const void *data, double t, const double *q,
                         const double *v, double *out, dls_error *err)
{
  (void)v;
  (void)err;
  dls_system_gap(near->method.sys, dls_geometry_before_break(&near->state, t), q, near->work.g);
  *out = near->work.g[((const dls_contact_function *)data)->contact];
  return DLS_OK;
}

static dls_status row_value(dls_event_integrator *near, size_t row, double t, const double *q, const double *v,
                            double *out, dls_error *err)
{
  const dls_status status = dls_geometry_set(&near->state, &near->work, t, q, err);
  *out = status == DLS_OK ? dls_configuration_row(near->work.contacts.config, row, v) : 0;
  return status;
}

dls_status dls_value_normal(dls_event_integrator *near, const void *data, double t, const double *q,
                            const double *v, double *out, dls_error *err)
{
  return row_value(near, near->method.d * ((const dls_contact_function *)data)->contact, t, q, v, out, err);
}

dls_status dls_value_slip(dls_event_integrator *near, const void *data, double t, const double *q,
                          const double *v, double *out, dls_error *err)
{
  const dls_contact_function *f = data;
  const dls_status status = dls_geometry_set(&near->state, &near->work, t, q, err);
  double u[2] = {0};
  if (status == DLS_OK) {
    dls_slip_of(&near->method, &near->work, f->contact, v, u);
  }
  *out = dls_slip_along(near->method.d, u, f->along);
  return status;
}

dls_status dls_value_slip_rate(dls_event_integrator *near, const void *data, double t, const double *q,
                               const double *v, double *out, dls_error *err)
{
  const dls_contact_function *f = data;
  const dls_status status = dls_smooth_dynamics(near, t, q, v, near->work.a, near->work.lambda, err);
  double rate[2] = {0};
  if (status == DLS_OK) {
    dls_slip_rate(&near->method, &near->work, f->contact, near->work.a, rate);
  }
  *out = dls_slip_along(near->method.d, rate, f->along);
  return status;
}

dls_status dls_value_force(dls_event_integrator *near, const void *data, double t, const double *q,
                           const double *v, double *out, dls_error *err)
{
  const size_t j = ((const dls_contact_function *)data)->contact;
  const dls_status status = dls_smooth_dynamics(near, t, q, v, near->work.a, near->work.lambda, err);
  *out = near->state.contact[j].weight * near->work.lambda[near->method.d * j];
  return status;
}

dls_status dls_value_limit(dls_event_integrator *near, const void *data, double t, const double *q,
                           const double *v, double *out, dls_error *err)
{
  const dls_contact_function *f = data;
  const dls_contact *contact = &near->state.contact[f->contact];
  const dls_status status = dls_smooth_dynamics(near, t, q, v, near->work.a, near->work.lambda, err);
  const double *r = near->work.lambda + near->method.d * f->contact;
  *out = contact->weight * (contact->mode.mu * r[0] - dls_slip_along(near->method.d, r + 1, f->along));
  return status;
}

/* Has contact k of the set landed without restitution? */
static bool has_landed(const dls_impact_function *f, size_t k)
{
  const size_t j = f->set.index[k];
  return f->run->state.contact[j].closed &&
         dls_law_restitution(f->run->method.sys, j, f->participant[k].u_minus) == 0;
}

/* r := P(u of v, if it is given, + the u of f) in the configuration of the neighbour. */
static dls_status impulse_of(dls_event_integrator *near, const dls_impact_function *f, const double *v,
                             double *r, dls_error *err)
{
  dls_event_work *work = &near->work;
  const size_t d = near->method.d, rows = d * f->set.count;
  if (v != NULL) {
    dls_contact_system_velocity(&work->contacts, &f->set, v, work->u_free);
  }
  for (size_t i = 0; i < rows; i++) {
    const bool none = i % d == 0 && f->participant[i / d].u_minus == 0; /* it counts as none in the run too */
    work->u_free[i] = none ? 0 : (v != NULL ? work->u_free[i] : 0) + (f->u != NULL ? f->u[i] : 0);
    work->u_minus[i] = i % d > 0 ? work->u_free[i] : has_landed(f, i / d) ? 0 : fmin(work->u_free[i], 0);
  }
  memset(r, 0, rows * sizeof *r);
  return dls_contact_system_impulse(&work->contacts, &f->set, work->u_free, work->u_minus, r, err);
}

dls_status dls_value_impulse(dls_event_integrator *near, const void *data, double t, const double *q,
                             const double *v, double *out, dls_error *err)
{
  const dls_impact_function *f = data;
  dls_event_work *work = &near->work;
  dls_status status = dls_geometry_set(&near->state, work, t, q, err);
  if (status == DLS_OK) {
    status = impulse_of(near, f, v, out, err);
  }
  if (status == DLS_OK && f->u != NULL) {
    status = impulse_of(near, f, NULL, work->force, err);
    for (size_t i = 0; i < near->method.d * f->set.count; i++) {
      out[i] -= work->force[i];
    }
  }
  return status;
}

dls_status dls_value_impact(dls_event_integrator *near, const void *data, double t, const double *q,
                            const double *v, double *out, dls_error *err)
{
  const dls_impact_function *f = data;
  dls_event_work *work = &near->work;
  const dls_status status = dls_value_impulse(near, data, t, q, v, work->impulse, err);
  memcpy(out, v, near->method.n * sizeof *out);
  if (status == DLS_OK) {
    dls_contact_system_apply(&work->contacts, &f->set, 1, work->impulse, out);
  }
  return status;
}

const double *dls_impact_raise(dls_motion_tangents *tangents, const dls_impact_function *f, const double *v)
{
  const dls_event_integrator *run = tangents->self.run;
  const size_t rows = run->method.d * f->set.count;
  const double speed = run->method.sys->length / run->method.sys->time;
  double most = 0;
  dls_contact_system_velocity(&run->work.contacts, &f->set, v, tangents->u);
  for (size_t i = 0; i < rows; i++) {
    if (dls_law_sees_speed(run->method.sys, f->set.index[i / run->method.d])) {
      return NULL;
    }
    most = i % run->method.d == 0 ? fmax(most, fabs(tangents->u[i])) : most;
  }
  for (size_t i = 0; i < rows; i++) {
    tangents->u[i] *= most > 0 ? speed / most : 0;
  }
  return most > 0 && most < speed ? tangents->u : NULL;
}

double dls_impact_weight(const dls_event_integrator *near, const dls_impact_function *f, size_t i)
{
  const size_t d = near->method.d, k = i / d;
  const double c = near->work.contacts.mixture[d * f->set.index[k] + i % d],
               u_minus = f->participant[k].u_minus;
  return i % d > 0 ? 1 + c : u_minus == 0 ? 0 : u_minus > 0 || has_landed(f, k) ? 1 : 1 + c;
}

size_t dls_impact_row(const dls_event_integrator *near, const dls_impact_function *f, size_t i)
{
  const size_t d = near->method.d;
  return d * f->set.index[i / d] + i % d;
}

dls_status dls_value_struck(dls_event_integrator *near, const void *data, double t, const double *q,
                            const double *v, double *out, dls_error *err)
{
  const dls_impact_function *f = data;
  const size_t n = near->method.n, rows = near->method.d * f->set.count;
  const dls_contact_system *contacts = &near->work.contacts;
  const dls_status status = dls_geometry_set(&near->state, &near->work, t, q, err);
  if (status != DLS_OK) {
    return status;
  }
  memset(out, 0, n * sizeof *out);
  dls_contact_system_apply(&near->work.contacts, &f->set, 1, f->P, out);
  dls_contact_system_velocity(contacts, &f->set, v, out + n);
  for (size_t i = 0; i < rows; i++) {
    out[n + i] = dls_impact_weight(near, f, i) * out[n + i] +
                 dls_matrix_column_dot(contacts->config->H, dls_impact_row(near, f, i), out);
  }
  for (size_t i = 0; i < n; i++) {
    out[i] += v[i];
  }
  return DLS_OK;
}

dls_status dls_value_gaps(dls_event_integrator *near, const void *unused, double t, const double *q,
                          const double *v, double *out, dls_error *err)
{
  (void)unused;
  (void)v;
  (void)err;
  dls_system_gap(near->method.sys, dls_geometry_before_break(&near->state, t), q, near->work.g);
  for (size_t k = 0; k < near->state.active.count; k++) {
    out[k] = near->work.g[near->state.active.index[k]];
  }
  return DLS_OK;
}

dls_status dls_value_held(dls_event_integrator *near, const void *unused, double t, const double *q,
                          const double *v, double *out, dls_error *err)
{
  (void)unused;
  const size_t rows = dls_geometry_hold_rows(near, &near->state.active, true);
  const dls_status status = dls_geometry_set(&near->state, &near->work, t, q, err);
  for (size_t i = 0; i < rows; i++) {
    out[i] = status == DLS_OK ? dls_configuration_row(near->work.contacts.config, near->work.held[i], v) : 0;
  }
  return status;
}
