/* event_driven/sensitivity/event_tangents.h -- what tangents at events and through accumulations share.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_EVENT_TANGENTS_H
#define DELASSUS_EVENT_DRIVEN_EVENT_TANGENTS_H

#include "event_driven/sensitivity/event_values.h"

/** An event, or an accumulation. */
typedef struct dls_crossing {
  dls_event_integrator *run;
  dls_motion_tangents *tangents;
  double t;
  const double *q; /* at the event */
  size_t count;    /* participants */
} dls_crossing;

/** out := D g of contact j along the state x = (dq, dv) at q and the parameter. A difference along the state would lose digits that the
 * times of slow impacts need, so the gradient of the gap is used. */
dls_status dls_tangent_gap_change(const dls_crossing *c, size_t k, size_t j, double t, const double *q,
                                  const double *v, double *out, dls_error *err);
/** The tangents of direction k at q, v onto the closed contacts and the joints. */
dls_status dls_tangent_project(const dls_crossing *c, size_t k, const double *q, const double *v,
                               dls_error *err);

/* tangents.c */

/** The result := the tangents. */
void dls_tangents_publish(dls_motion_tangents *tangents);
/** The left limits of the result := the tangents. */
void dls_tangents_keep_left(dls_motion_tangents *tangents);

#endif
