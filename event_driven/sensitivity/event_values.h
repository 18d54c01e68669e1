/* event_driven/sensitivity/event_values.h -- functions of the state in one system, whose derivatives events need: the root functions,
 * the impact, and the projection onto closed contacts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_EVENT_VALUES_H
#define DELASSUS_EVENT_DRIVEN_EVENT_VALUES_H

#include "event_driven/sensitivity/neighbours.h"

typedef struct dls_contact_function {
  size_t contact;
  double along[2]; /* unit vector among the tangents, of slip or of friction at its limit */
} dls_contact_function;

/* Functions of one contact, data: dls_contact_function. The last three are accelerations. */
dls_status dls_value_gap(dls_event_integrator *near, const void *data, double t, const double *q,
                         const double *v, double *out, dls_error *err);
dls_status dls_value_normal(dls_event_integrator *near, const void *data, double t, const double *q,
                            const double *v, double *out, dls_error *err);
dls_status dls_value_slip(dls_event_integrator *near, const void *data, double t, const double *q,
                          const double *v, double *out, dls_error *err);
dls_status dls_value_slip_rate(dls_event_integrator *near, const void *data, double t, const double *q,
                               const double *v, double *out, dls_error *err);
dls_status dls_value_force(dls_event_integrator *near, const void *data, double t, const double *q,
                           const double *v, double *out, dls_error *err);
dls_status dls_value_limit(dls_event_integrator *near, const void *data, double t, const double *q,
                           const double *v, double *out, dls_error *err);

/** v+ of the impact of a set. Impulses P(u) of laws that do not depend on the speed are homogeneous of degree one, and linear where the
 * same contacts close, stick and slip: P(u) = P(u + c u-) - P(c u-), c >= 0. With c u- of the size of the scales, increments leave the
 * contacts of slow impacts as they are. */
typedef struct dls_impact_function {
  dls_contacts set;
  const dls_participant *participant; /* by position in the set */
  const double *u;                    /* c u- of the run, d rows of each; NULL: c = 0 */
  /** The run. Its contacts that have landed with e = 0 land in neighbours with e > 0 too: to first order in e, what such a contact
   * gives back is the force that it lacks in flight, 2 e u- = u'_N tau. */
  const dls_event_integrator *run;
  const double *P; /* the impulses, d rows of each */
} dls_impact_function;

/** Weight of the velocity H^T v + b of row i of the set in u^, 1 + c where it counts: a contact at rest is at rest in neighbours too, and only one
 * that approaches is returned. */
double dls_impact_weight(const dls_event_integrator *near, const dls_impact_function *f, size_t i);
/** Row i of the set among all rows. */
size_t dls_impact_row(const dls_event_integrator *near, const dls_impact_function *f, size_t i);
/** v+ of (1) of impact_slopes.h, n, then u^, d rows of each contact of the set, with P held. */
dls_status dls_value_struck(dls_event_integrator *near, const void *data, double t, const double *q,
                            const double *v, double *out, dls_error *err);

dls_status dls_value_impact(dls_event_integrator *near, const void *data, double t, const double *q,
                            const double *v, double *out, dls_error *err);
/** The impulses P of the set, d rows of each; of an impact with c u- less those of c u-. */
dls_status dls_value_impulse(dls_event_integrator *near, const void *data, double t, const double *q,
                             const double *v, double *out, dls_error *err);
/** c u- of an impact from v, in tangents->u; NULL: the impact is fast, or a law depends on the speed. The configuration of the run's own
 * system is that of the event. */
const double *dls_impact_raise(dls_motion_tangents *tangents, const dls_impact_function *f, const double *v);
/** The gaps of the closed contacts, in their order. */
dls_status dls_value_gaps(dls_event_integrator *near, const void *unused, double t, const double *q,
                          const double *v, double *out, dls_error *err);
/** u of the rows that closed contacts hold, with tangents. */
dls_status dls_value_held(dls_event_integrator *near, const void *unused, double t, const double *q,
                          const double *v, double *out, dls_error *err);

#endif
