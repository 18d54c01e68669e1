/* event_driven/friction/slip.c -- slip of the closed contacts: its velocity, rate, direction and mode.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/event_integrator.h"
#include <float.h>
#include <math.h>
#include <string.h>

double dls_slip_of(const dls_event_integrator *tr, size_t j, const double *v, double *u)
{
  double size = 0;
  for (size_t i = 1; i < tr->d; i++) {
    u[i - 1] = dls_configuration_row(tr->contacts.config, tr->d * j + i, v);
    size = hypot(size, u[i - 1]);
  }
  return size;
}

double dls_slip_force(const dls_event_integrator *tr, size_t j, const double *r)
{
  double size = 0;
  for (size_t i = 1; i < tr->d; i++) {
    size = hypot(size, r[tr->d * j + i]);
  }
  return size;
}

double dls_slip_rate(const dls_event_integrator *tr, size_t j, const double *a, double *rate)
{
  double size = 0;
  for (size_t i = 1; i < tr->d; i++) {
    const size_t row = tr->d * j + i;
    rate[i - 1] = dls_matrix_column_dot(tr->contacts.config->H, row, a) + tr->contacts.curvature[row];
    size = hypot(size, rate[i - 1]);
  }
  return size;
}

/* Along x, of this size, with a speed. */
dls_contact_mode dls_slip_mode(const dls_event_integrator *tr, size_t j, const double *x, double size,
                               double speed)
{
  dls_contact_mode mode = {.kind = DLS_MODE_SLIPS, .mu = dls_system_friction(tr->sys, j, speed)};
  for (size_t i = 0; i + 1 < tr->d; i++) {
    mode.e[i] = x[i] / size;
  }
  return mode;
}

void dls_slip_directions(dls_event_integrator *tr, const double *v)
{
  for (size_t k = 0; k < tr->active.count; k++) {
    const size_t j = tr->active.index[k];
    const dls_contact *contact = &tr->contact[j];
    double u[2];
    tr->mode[j] = contact->mode;
    if (contact->mode.kind == DLS_MODE_SLIPS && tr->sys->v_s[j] > 0) {
      tr->mode[j].mu = dls_system_friction(tr->sys, j, dls_slip_of(tr, j, v, u));
    }
    if (tr->d == 3 && contact->mode.kind == DLS_MODE_SLIPS && !contact->slips_slowly) {
      const double size = dls_slip_of(tr, j, v, u);
      const bool ended =
          tr->located.kind == DLS_LOCATED_REST &&
          (tr->located.contact == j || size <= threshold_slip_together * tr->eps.s); /* the last one counts */
      if (size > 0 && !ended) { /* a trial step beyond the end of slip goes on smoothly */
        tr->mode[j] =
            dls_slip_mode(tr, j, u, dls_slip_along(tr->d, u, contact->mode.e) < 0 ? -size : size, size);
      }
    }
  }
}

double dls_slip_established_speed(const dls_event_integrator *tr)
{
  return threshold_slip_together * tr->eps.s;
}

double dls_slip_direction(const dls_event_integrator *tr, size_t j, const double *v, double *e)
{
  double u[2] = {0};
  const dls_contact *contact = &tr->contact[j];
  const double size = dls_slip_of(tr, j, v, u);
  const double *stored = contact->mode.e, forward = dls_slip_along(tr->d, u, stored);
  const bool slips = contact->closed && contact->mode.kind == DLS_MODE_SLIPS;
  const bool has_only_begun = contact->slips_slowly || (!contact->slip_established && size <= tr->eps.s);
  if (slips && has_only_begun &&
      (forward > 0 || size <= threshold_slip_rounding * tr->sys->length / tr->sys->time)) {
    memcpy(e, stored, sizeof contact->mode.e);
    return forward;
  }
  for (size_t i = 0; i < 2; i++) {
    e[i] = size > 0 ? u[i] / size : 0;
  }
  return size;
}

const double *dls_slip_reaction_split(const dls_event_integrator *tr)
{
  return tr->split_stored ? tr->reaction_split : NULL;
}
