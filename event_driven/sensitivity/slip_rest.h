/* event_driven/sensitivity/slip_rest.h -- derivatives of the time at which slip in space ends that still turns where it ends.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_SLIP_REST_H
#define DELASSUS_EVENT_DRIVEN_SLIP_REST_H

#include "event_driven/sensitivity/event_values.h"

/** For `count` tangents. @return NULL if out of memory */
dls_slip_rest *dls_slip_rest_create(const dls_event_method *method, size_t count);
void dls_slip_rest_destroy(dls_slip_rest *rest); /* NULL is fine */
/* Without friction in space there is none (NULL). */

/** Before the tangents advance in a step, after dls_slip_pass_measure has found a slip: keep the state and the tangents at its beginning, if slip is fast there by pass->s. */
void dls_slip_rest_note(dls_motion_tangents *tangents, const dls_step_end *left);
/** Another phase begins. */
void dls_slip_rest_forget(dls_slip_rest *rest);
/** The state that was kept, and its time, if the slip that ends at the event in progress still turns; else NULL. */
const double *dls_slip_rest_state(const dls_slip_rest *rest, double *t);
/** The slip of a contact ends, and still turns. @param[out] dt  count: derivatives of the time of its end, from the state that was kept, with
 * the modes of the phase; NULL: no state was kept, or the adjoint equation computes them */
dls_status dls_slip_rest_end(dls_motion_tangents *tangents, size_t contact, const double **dt, dls_error *err);
/** Derivatives of that time from (t, y), y = (q, v), by the state [2 n] at fixed parameters, and by the parameters at the fixed state. */
dls_status dls_slip_rest_gradient(dls_motion_tangents *tangents, size_t contact, double t, const double *y,
                                  double *by_state, double *by_parameter, dls_error *err);

#endif
