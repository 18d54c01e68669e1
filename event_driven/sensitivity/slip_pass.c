/* event_driven/sensitivity/slip_pass.c -- see slip_pass.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/sensitivity/slip_pass.h"
#include "common/base/arrays.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

dls_slip_pass *dls_slip_pass_create(const dls_event_method *method, size_t count)
{
  const size_t n = method->n, m = method->m, states = count == 0 ? m : 0;
  dls_slip_pass *pass = calloc(1, sizeof *pass);
  if (pass == NULL) {
    return NULL;
  }
  pass->block =
      dls_arrays((const dls_slot[]){{2 * n, {&pass->y}},
                                    {2 * n * count, {&pass->x}},
                                    {m, {&pass->s, &pass->last}},
                                    {m, {&pass->least, &pass->least_t, &pass->slowest, &pass->slowest_t}},
                                    {m * count, {&pass->change}},
                                    {2 * n * states, {&pass->least_y, &pass->slowest_y}},
                                    {0}});
  if (pass->block == NULL) {
    dls_slip_pass_destroy(pass);
    return NULL;
  }
  for (size_t j = 0; j < m; j++) {
    pass->least[j] = pass->slowest[j] = HUGE_VAL;
  }
  return pass;
}

void dls_slip_pass_destroy(dls_slip_pass *pass)
{
  if (pass != NULL) {
    free(pass->block);
    free(pass);
  }
}

dls_status dls_slip_pass_change(dls_motion_tangents *tangents, int k, size_t contact, int i,
                                const dls_state_line *line, double *out, dls_error *err)
{
  const dls_contact_function which = {.contact = contact, .along = {i == 0, i == 1}};
  const dls_state_function slip = {dls_value_slip, &which, 1};
  return dls_neighbours_event_derivative(tangents, k, &slip, line, out, NULL, err);
}

void dls_slip_pass_limit(dls_motion_tangents *tangents, size_t k, double t, size_t contact, double s,
                         double change)
{
  const dls_event_method *method = &tangents->self.run->method;
  const double speed = method->sys->length / method->sys->time;
  dls_tangent *tangent = &tangents->result->tangent[k];
  if (change * dls_direction_unit(&tangents->result->direction[k]) > threshold_transversal * speed) {
    tangent->valid_within = fmin(tangent->valid_within, s / change);
    if (method->eps.tol * speed > threshold_slip_pass_digits * s) {
      dls_tangent_note(tangent, DLS_DERIVATIVE_GRAZING, t, contact);
    }
  }
}

void dls_slip_pass_limit_running(dls_motion_tangents *tangents, size_t k, double t, size_t contact, double s,
                                 double change)
{
  double *within = &tangents->result->tangent[k].valid_within;
  const double published = *within; /* with radii that an accumulation may drop */
  *within = tangents->valid_within[k];
  dls_slip_pass_limit(tangents, k, t, contact, s, change);
  tangents->valid_within[k] = *within;
  *within = fmin(published, tangents->valid_within[k]);
}

/* The least slip of contact j is that of the state that was kept: |D u| there. */
static dls_status keep_least(dls_motion_tangents *tangents, size_t j, dls_error *err)
{
  dls_slip_pass *pass = tangents->pass;
  const size_t n = tangents->n, count = tangents->tape == NULL ? tangents->count : 0;
  dls_status status = DLS_OK;
  pass->least_t[j] = pass->t;
  for (size_t k = 0; k < count && status == DLS_OK; k++) {
    const double *dq = pass->x + 2 * n * k;
    const dls_state_line line = {.t = pass->t, .q = pass->y, .v = pass->y + n, .dq = dq, .dv = dq + n};
    double change[2] = {0};
    for (int i = 0; i < 2 && status == DLS_OK && !isnan(dq[0]); i++) {
      status = dls_slip_pass_change(tangents, (int)k, j, i, &line, &change[i], err);
    }
    pass->change[count * j + k] = hypot(change[0], change[1]);
  }
  if (tangents->tape != NULL) {
    memcpy(pass->least_y + 2 * n * j, pass->y, 2 * n * sizeof *pass->y);
  }
  tangents->self.run->work.memo.valid = false;
  return status;
}

/* The slip of contact j has passed its least. */
static void limit_validity(dls_motion_tangents *tangents, size_t j)
{
  dls_slip_pass *pass = tangents->pass;
  const size_t n = tangents->n, count = tangents->tape == NULL ? tangents->count : 0;
  for (size_t k = 0; k < count; k++) {
    dls_slip_pass_limit_running(tangents, k, pass->least_t[j], j, pass->least[j], pass->change[count * j + k]);
  }
  if (tangents->tape != NULL && pass->least[j] < pass->slowest[j]) {
    pass->slowest[j] = pass->least[j];
    pass->slowest_t[j] = pass->least_t[j];
    memcpy(pass->slowest_y + 2 * n * j, pass->least_y + 2 * n * j, 2 * n * sizeof *pass->y);
  }
  pass->least[j] = HUGE_VAL;
}

/* The contacts are those of the run's own system, which follows the modes of the run. */
static bool slips(const dls_event_integrator *self, size_t j)
{
  return self->state.contact[j].mode.kind == DLS_MODE_SLIPS;
}

bool dls_slip_pass_measure(dls_motion_tangents *tangents, double t, const double *q, const double *v)
{
  dls_event_integrator *self = tangents->self.run;
  bool any = false;
  for (size_t k = 0; tangents->pass != NULL && k < self->state.active.count; k++) {
    const size_t j = self->state.active.index[k];
    double u[2];
    if (slips(self, j) && !any) {
      dls_configuration_contacts(self->work.contacts.config, dls_geometry_before_break(&self->state, t), q);
      self->work.memo.valid = false;
      any = true;
    }
    tangents->pass->s[j] = slips(self, j) ? dls_slip_of(&self->method, &self->work, j, v, u) : 0;
  }
  return any;
}

dls_status dls_slip_pass_note(dls_motion_tangents *tangents, double t, const double *q, const double *v,
                              dls_error *err)
{
  dls_slip_pass *pass = tangents->pass;
  const dls_event_integrator *self = tangents->self.run;
  const size_t n = tangents->n;
  const double slow = threshold_slip_pass * self->method.sys->length / self->method.sys->time;
  dls_status status = DLS_OK;
  bool any = false;
  for (size_t k = 0; k < self->state.active.count && status == DLS_OK; k++) {
    const size_t j = self->state.active.index[k];
    const double s = pass->s[j];
    if (!slips(self, j) ||
        !self->state.contact[j]
             .slip_established) { /* slip that only begins does not fall, except by rounding */
      continue;
    }
    if (s < fmin(fmin(pass->last[j], pass->least[j]), slow)) {
      pass->least[j] = s;
    } else if (pass->last[j] == pass->least[j]) {
      status = keep_least(tangents, j, err);
    }
    if (s > threshold_slip_pass_growth * pass->least[j] && status == DLS_OK) {
      limit_validity(tangents, j);
    }
    pass->last[j] = s;
    any = any || s < slow;
  }
  if (any) {
    pass->t = t;
    memcpy(pass->y, q, n * sizeof *q);
    memcpy(pass->y + n, v, n * sizeof *v);
    memcpy(pass->x, tangents->x, 2 * n * (tangents->tape == NULL ? tangents->count : 0) * sizeof *pass->x);
  }
  return status;
}

dls_status dls_slip_pass_end(dls_motion_tangents *tangents, const dls_event_integrator *run, const double *q,
                             dls_error *err)
{
  dls_slip_pass *pass = tangents->pass;
  const dls_located_event *located = &run->state.located;
  if (pass == NULL || dls_located_is_quiet(located)) {
    return DLS_OK;
  }
  const double *v = run->sim->v_left;
  const size_t j = located->contact;
  const bool reverses = located->kind == DLS_LOCATED_REST && run->state.contact[j].closed &&
                        run->state.contact[j].mode.kind == DLS_MODE_SLIPS;
  dls_status status = dls_slip_pass_measure(tangents, located->t, q, v)
                          ? dls_slip_pass_note(tangents, located->t, q, v, err)
                          : DLS_OK;
  if (status == DLS_OK && reverses && pass->least[j] < HUGE_VAL) {
    status = pass->last[j] == pass->least[j] ? keep_least(tangents, j, err) : DLS_OK;
    limit_validity(tangents, j);
  }
  for (size_t i = 0; i < run->method.m; i++) {
    pass->least[i] = HUGE_VAL;
    pass->last[i] = 0;
  }
  return status;
}
