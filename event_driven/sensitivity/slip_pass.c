/* event_driven/sensitivity/slip_pass.c -- see slip_pass.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/sensitivity/slip_pass.h"
#include "common/base/arrays.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

dls_slip_pass *dls_slip_pass_create(const dls_event_method *method, size_t count)
{
  const size_t n = method->n;
  dls_slip_pass *pass = calloc(1, sizeof *pass);
  if (pass == NULL) {
    return NULL;
  }
  pass->m = method->m;
  pass->s = pass->slowest = HUGE_VAL;
  pass->block = dls_arrays((const dls_slot[]){
      {2 * n, {&pass->y, &pass->slowest_y}}, {2 * n * count, {&pass->x}}, {method->m, {&pass->last}}, {0}});
  if (pass->block == NULL) {
    dls_slip_pass_destroy(pass);
    return NULL;
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

/* Slip has grown again behind the state that was kept. */
static dls_status limit_validity(dls_motion_tangents *tangents, dls_error *err)
{
  dls_slip_pass *pass = tangents->pass;
  const size_t n = tangents->n, count = tangents->tape == NULL ? tangents->count : 0;
  dls_status status = DLS_OK;
  for (size_t k = 0; k < count && status == DLS_OK; k++) {
    const double *dq = pass->x + 2 * n * k;
    const dls_state_line line = {.t = pass->t, .q = pass->y, .v = pass->y + n, .dq = dq, .dv = dq + n};
    double change[2] = {0};
    for (int i = 0; i < 2 && status == DLS_OK && !isnan(dq[0]); i++) {
      status = dls_slip_pass_change(tangents, (int)k, pass->contact, i, &line, &change[i], err);
    }
    double *within = &tangents->result->tangent[k].valid_within;
    const double published = *within; /* with radii that an accumulation may drop */
    *within = tangents->valid_within[k];
    dls_slip_pass_limit(tangents, k, pass->t, pass->contact, pass->s, hypot(change[0], change[1]));
    tangents->valid_within[k] = *within;
    *within = fmin(published, tangents->valid_within[k]);
  }
  if (pass->s < pass->slowest) {
    pass->slowest = pass->s;
    pass->slowest_t = pass->t;
    pass->slowest_contact = pass->contact;
    memcpy(pass->slowest_y, pass->y, 2 * n * sizeof *pass->y);
  }
  pass->s = HUGE_VAL;
  tangents->self.run->work.memo.valid = false;
  return status;
}

dls_status dls_slip_pass_note(dls_motion_tangents *tangents, const dls_event_integrator *run, dls_error *err)
{
  dls_slip_pass *pass = tangents->pass;
  const dls_step_end *left = &run->state.left;
  const size_t n = run->method.n;
  const double slow = threshold_slip_pass * run->method.sys->length / run->method.sys->time;
  dls_status status = DLS_OK;
  bool known = false;
  if (pass == NULL || (tangents->tape == NULL && left->t != tangents->t)) {
    return DLS_OK;
  }
  for (size_t k = 0; k < run->state.active.count && status == DLS_OK; k++) {
    const size_t j = run->state.active.index[k];
    const dls_contact *contact = &run->state.contact[j];
    if (contact->mode.kind != DLS_MODE_SLIPS ||
        !contact->slip_established) { /* slip that only begins does not fall, except by rounding */
      continue;
    }
    if (!known) {
      dls_configuration_contacts(tangents->self.run->work.contacts.config,
                                 dls_geometry_before_break(&run->state, left->t), left->y);
      tangents->self.run->work.memo.valid = false;
      known = true;
    }
    double u[2];
    const double s = dls_slip_of(&run->method, &tangents->self.run->work, j, left->y + n, u);
    if (s < pass->last[j] && s < slow && s < pass->s) {
      pass->t = left->t;
      pass->contact = j;
      pass->s = s;
      memcpy(pass->y, left->y, 2 * n * sizeof *pass->y);
      memcpy(pass->x, tangents->x, 2 * n * (tangents->tape == NULL ? tangents->count : 0) * sizeof *pass->x);
    } else if (j == pass->contact && s > 2 * pass->s) {
      status = limit_validity(tangents, err);
      known = false;
    }
    pass->last[j] = s;
  }
  return status;
}

dls_status dls_slip_pass_end(dls_motion_tangents *tangents, const dls_event_integrator *run, dls_error *err)
{
  dls_slip_pass *pass = tangents->pass;
  const dls_located_event *located = &run->state.located;
  if (pass == NULL || dls_located_is_quiet(located)) {
    return DLS_OK;
  }
  const bool reverses = pass->s < HUGE_VAL && located->kind == DLS_LOCATED_REST &&
                        located->contact == pass->contact && run->state.contact[pass->contact].closed &&
                        run->state.contact[pass->contact].mode.kind == DLS_MODE_SLIPS;
  const dls_status status = reverses ? limit_validity(tangents, err) : DLS_OK;
  pass->s = HUGE_VAL;
  memset(pass->last, 0, pass->m * sizeof *pass->last);
  return status;
}
