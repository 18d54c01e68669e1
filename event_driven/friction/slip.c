/* event_driven/friction/slip.c -- slip of the closed contacts: its velocity, rate, direction and mode.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/event_integrator.h"
#include <float.h>
#include <math.h>
#include <string.h>

double dls_slip_of(const dls_event_method *method, const dls_event_work *work, size_t j, const double *v,
                   double *u)
{
  double size = 0;
  for (size_t i = 1; i < method->d; i++) {
    u[i - 1] = dls_configuration_row(work->contacts.config, method->d * j + i, v);
    size = hypot(size, u[i - 1]);
  }
  return size;
}

double dls_slip_force(const dls_event_method *method, size_t j, const double *r)
{
  double size = 0;
  for (size_t i = 1; i < method->d; i++) {
    size = hypot(size, r[method->d * j + i]);
  }
  return size;
}

double dls_slip_rate(const dls_event_method *method, const dls_event_work *work, size_t j, const double *a,
                     double *rate)
{
  double size = 0;
  for (size_t i = 1; i < method->d; i++) {
    const size_t row = method->d * j + i;
    rate[i - 1] = dls_matrix_column_dot(work->contacts.config->H, row, a) + work->contacts.curvature[row];
    size = hypot(size, rate[i - 1]);
  }
  return size;
}

dls_contact_mode dls_slip_mode(const dls_event_method *method, size_t j, const double *x, double size,
                               double speed)
{
  dls_contact_mode mode = {.kind = DLS_MODE_SLIPS, .mu = dls_system_friction(method->sys, j, speed)};
  for (size_t i = 0; i + 1 < method->d; i++) {
    mode.e[i] = x[i] / size;
  }
  return mode;
}

void dls_slip_directions(dls_event_integrator *run, const double *v)
{
  const dls_event_method *method = &run->method;
  for (size_t k = 0; k < run->state.active.count; k++) {
    const size_t j = run->state.active.index[k];
    const dls_contact *contact = &run->state.contact[j];
    double u[2];
    run->state.mode[j] = contact->mode;
    if (contact->mode.kind == DLS_MODE_SLIPS && method->sys->v_s[j] > 0) {
      run->state.mode[j].mu = dls_system_friction(method->sys, j, dls_slip_of(method, &run->work, j, v, u));
    }
    if (method->d == 3 && contact->mode.kind == DLS_MODE_SLIPS && !contact->slips_slowly) {
      const double size = dls_slip_of(method, &run->work, j, v, u);
      const bool ended = run->state.located.kind == DLS_LOCATED_REST &&
                         (run->state.located.contact == j ||
                          size <= threshold_slip_together * method->eps.s); /* the slip that ended last */
      if (size > 0 && !ended) { /* a trial step beyond the end of slip stays smooth */
        run->state.mode[j] =
            dls_slip_mode(method, j, u, dls_slip_along(method->d, u, contact->mode.e) < 0 ? -size : size, size);
      }
    }
  }
}

double dls_slip_established_speed(const dls_event_method *method)
{
  return threshold_slip_together * method->eps.s;
}

double dls_slip_direction(const dls_event_integrator *run, size_t j, const double *v, double *e)
{
  const dls_event_method *method = &run->method;
  double u[2] = {0};
  const dls_contact *contact = &run->state.contact[j];
  const double size = dls_slip_of(method, &run->work, j, v, u);
  const double *stored = contact->mode.e, forward = dls_slip_along(method->d, u, stored);
  const bool slips = contact->closed && contact->mode.kind == DLS_MODE_SLIPS;
  const bool has_only_begun = contact->slips_slowly || (!contact->slip_established && size <= method->eps.s);
  if (slips && has_only_begun &&
      (forward > 0 || size <= threshold_slip_rounding * method->sys->length / method->sys->time)) {
    memcpy(e, stored, sizeof contact->mode.e);
    return forward;
  }
  for (size_t i = 0; i < 2; i++) {
    e[i] = size > 0 ? u[i] / size : 0;
  }
  return size;
}

const double *dls_slip_reaction_split(const dls_event_state *state)
{
  return state->split_stored ? state->reaction_split : NULL;
}
