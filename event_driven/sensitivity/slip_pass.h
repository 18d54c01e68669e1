/* event_driven/sensitivity/slip_pass.h -- slip in space that passes near zero: how far the derivatives hold.
 *
 * Slip u = u_T that falls to s = |u| and grows again has turned within s. Where a parameter changes by s / |D u|, the slip is another there, or
 * ends, so that the derivative does not hold farther. An error epsilon of the velocity of the run changes derivatives by epsilon / s of their
 * size.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_SLIP_PASS_H
#define DELASSUS_EVENT_DRIVEN_SLIP_PASS_H

#include "event_driven/sensitivity/event_values.h"

struct dls_slip_pass {
  double t;                /* of the last state with slow slip */
  double *y, *x;           /* 2 n: this state; 2 n count: its tangents */
  double *s;               /* m: |u| at the last state, of contacts that slip [m/s] */
  double *last;            /* m: the same at the state before; 0: none in this phase */
  double *least, *least_t; /* m: the least since it began to fall, and its time; infinite: it does not */
  double *change;          /* count m: |D u| there, once it has grown again */
  double *slowest,
      *slowest_t; /* m: the slowest of each contact that has passed, and its time; infinite: none */
  double *least_y, *slowest_y; /* 2 n m: their states, for the adjoint equation */
  double *block;
};

/** For `count` tangents, or for the adjoint equation, which has none (0). @return NULL if out of memory */
dls_slip_pass *dls_slip_pass_create(const dls_event_method *method, size_t count);
void dls_slip_pass_destroy(dls_slip_pass *pass); /* NULL is fine */
/* Without friction in space there is none (NULL), and nothing is measured. */

/** pass->s := the slip of all closed contacts that slip, at (t, y). @return whether there is one */
bool dls_slip_pass_measure(dls_motion_tangents *tangents, double t, const double *q, const double *v);
/** After a measure that has found one, at the same (t, y): valid_within of all directions, of slip that has grown again. */
dls_status dls_slip_pass_note(dls_motion_tangents *tangents, double t, const double *q, const double *v,
                              dls_error *err);
/** The same at the event that ends the phase, at q and the left limit of v. Slip that reverses there has passed zero. */
dls_status dls_slip_pass_end(dls_motion_tangents *tangents, const dls_event_integrator *run, const double *q,
                             dls_error *err);
/** Parameter k changes slip that passes at s by `change`: its valid_within, and its status if errors of the run change the direction of slip. */
void dls_slip_pass_limit(dls_motion_tangents *tangents, size_t k, double t, size_t contact, double s,
                         double change);
/** The same during the run. */
void dls_slip_pass_limit_running(dls_motion_tangents *tangents, size_t k, double t, size_t contact, double s,
                                 double change);
/** out := D u of component i of the slip of a contact along the line, with parameter k or DLS_NO_PARAMETER. */
dls_status dls_slip_pass_change(dls_motion_tangents *tangents, int k, size_t contact, int i,
                                const dls_state_line *line, double *out, dls_error *err);

#endif
