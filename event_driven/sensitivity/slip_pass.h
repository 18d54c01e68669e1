/* event_driven/sensitivity/slip_pass.h -- slip in space that passes near zero: how far the derivatives hold.
 *
 * Slip u = u_T that falls to s = |u| and grows again has turned within s. Where a parameter changes by s / |D u|, the slip is another there, or
 * ends, so that the derivative does not hold farther. Of several contacts that slip the slowest counts, once it is twice as fast again. An error
 * epsilon of the velocity of the run changes derivatives by epsilon / s of their size.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_SLIP_PASS_H
#define DELASSUS_EVENT_DRIVEN_SLIP_PASS_H

#include "event_driven/sensitivity/event_values.h"

struct dls_slip_pass {
  size_t m;
  double t;       /* of the slowest slip since it began to fall */
  size_t contact; /* of it */
  double s;       /* |u| there; infinite: none falls */
  double *y, *x;  /* 2 n: the state there; 2 n count: its tangents */
  double *last;   /* m: |u| at the last step; 0: none in this phase */
  double
      slowest; /* of all that have grown again: for the adjoint equation, whose state and time these are; infinite: none */
  double slowest_t, *slowest_y;
  size_t slowest_contact;
  double *block;
};

/** For `count` tangents. @return NULL if out of memory */
dls_slip_pass *dls_slip_pass_create(const dls_event_method *method, size_t count);
void dls_slip_pass_destroy(dls_slip_pass *pass); /* NULL is fine */
/* Without friction in space there is none (NULL), and the functions below do nothing. */

/** Before the tangents advance in a step: valid_within of all directions, if slip has grown again. */
dls_status dls_slip_pass_note(dls_motion_tangents *tangents, const dls_event_integrator *run, dls_error *err);
/** An event ends the phase; slip that reverses there has passed zero. */
dls_status dls_slip_pass_end(dls_motion_tangents *tangents, const dls_event_integrator *run, dls_error *err);
/** Parameter k changes slip that passes at s by `change`: its valid_within, and its status if errors of the run change the direction of slip. */
void dls_slip_pass_limit(dls_motion_tangents *tangents, size_t k, double t, size_t contact, double s,
                         double change);
/** out := D u of component i of the slip of a contact along the line, with parameter k or DLS_NO_PARAMETER. */
dls_status dls_slip_pass_change(dls_motion_tangents *tangents, int k, size_t contact, int i,
                                const dls_state_line *line, double *out, dls_error *err);

#endif
