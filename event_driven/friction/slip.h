/* event_driven/friction/slip.h -- slip of the closed contacts: velocity, rate, direction.
 *
 * The mode of a closed contact is stored and changes at events only. A contact that has just begun to slip keeps a stored direction:
 * in the plane that of its event until its slip exceeds a fraction of eps.s, in space that of slow slip (slow_slip.h).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_SLIP_H
#define DELASSUS_EVENT_DRIVEN_SLIP_H

#include "event_driven/roots.h"
#include <delassus/contact_mode.h>

/** e . x with d - 1 entries. */
static inline double dls_slip_along(size_t d, const double *x, const double *e)
{
  return d == 2 ? x[0] * e[0] : x[0] * e[0] + x[1] * e[1];
}
/** Slip of contact j for v with the current geometry. @param[out] u  d - 1 @return its size [m/s] */
double dls_slip_of(const dls_event_method *method, const dls_event_work *work, size_t j, const double *v,
                   double *u);
/** Size of the friction force of contact j in r. */
double dls_slip_force(const dls_event_method *method, size_t j, const double *r);
/** The acceleration u_T' of contact j for a, with curvature and geometry of the last forces. @param[out] rate  d - 1 @return its size */
double dls_slip_rate(const dls_event_method *method, const dls_event_work *work, size_t j, const double *a,
                     double *rate);
/** The mode of contact j that slips along x, of this size, with a speed [m/s]. */
dls_contact_mode dls_slip_mode(const dls_event_method *method, size_t j, const double *x, double size,
                               double speed);
/** Modes for the next forces := the stored modes of Is, with the directions of slip in space at v; slow slip keeps the stored ones. */
void dls_slip_directions(dls_event_integrator *run, const double *v);
/** Slip above this speed is established: its end counts, where it reverses, or in space falls to eps.s unless it is slow [m/s]. */
double dls_slip_established_speed(const dls_event_method *method);
/** Slip of contact j for v along its direction, with the current geometry. Slip that has only begun has the direction of its mode.
 * @param[out] e  2; 0 where there is no slip @return its size [m/s] */
double dls_slip_direction(const dls_event_integrator *run, size_t j, const double *v, double *e);
/** How redundant rows split their force (dls_mode_solver_reaction); NULL: the smallest forces. */
const double *dls_slip_reaction_split(const dls_event_state *state);

/* slip_end.c */

/** > 0: slip in space turned by a right angle in one step, which was too long to follow its direction; a step that is not [s]. */
double dls_slip_resolved_step(dls_event_integrator *run);
/** The end of slip in space is located at eps.s: q, v and the time of the event move to where the slip is 0. Slip that has only turned
 * continues in its direction: the event becomes a restart without event. */
dls_status dls_slip_end(dls_event_integrator *run, dls_error *err);

#endif
