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
  const double *q;       /* at the event */
  size_t count;          /* participants */
  const double *rest_dt; /* count: where slip in space ends, of its end; NULL: as at other events */
} dls_crossing;

/* saltation.c */

/** Where slip in space ends: rest_dt. */
dls_status dls_tangent_slip_end(dls_crossing *c, dls_error *err);
/** The root function of contact j that fell before it switched, with the modes before; value NULL: it has not switched, or by an impulse. */
dls_state_function dls_tangent_switch_function(const dls_crossing *c, size_t j, dls_contact_function *which);
/** The tangents of direction k at q, v onto the closed contacts and the joints. */
dls_status dls_tangent_project(const dls_crossing *c, size_t k, const double *q, const double *v,
                               dls_error *err);
/** dv += M^-1 H r(lambda), along the contact forces of the motion that follows, so that D u_N = 0 on closed contacts, and D u_T = 0 where
 * they stick: a neighbour off a slipping contact comes back to it by an impulse that has friction. */
dls_status dls_tangent_come_to_rest(const dls_crossing *c, size_t k, dls_error *err);

/** dt of the root function f of direction k; NaN: it is not transversal. The radius of validity follows. */
dls_status dls_tangent_event_time(const dls_crossing *c, size_t k, const dls_state_function *f, double *dt,
                                  dls_error *err);
/** x^ = dx + f- dt,  dx+ = D R(x^) - f+ dt: from v_from, a_from to v_to, a_to at time t + dt p; impact NULL: v does not jump. */
dls_status dls_tangent_saltation(const dls_crossing *c, size_t k, const dls_impact_function *impact, double dt,
                                 const double *v_from, const double *a_from, const double *v_to,
                                 const double *a_to, dls_error *err);
/** W_ij of two contacts, relative to their own; in the geometry of the run's own system. Overwrites dq and dv. */
double dls_tangent_coupling(const dls_crossing *c, size_t i, size_t j);
/** Does a participant come down with a velocity? */
bool dls_tangent_closes(const dls_participant *participant);

/* event_tangents.c */

/** Closed contacts without a force: directions that press or lift them have no derivative behind the event. */
dls_status dls_tangents_note_idle(const dls_crossing *c, dls_error *err);

/* tangents.c */

/** The derivative is that for rising (1) or falling p (-1), where they differ. */
int dls_tangent_side(const dls_motion_tangents *tangents, size_t k);
/** tangents->side becomes that of the result, if this event gave the status. */
void dls_tangent_keep_sides(dls_motion_tangents *tangents, size_t k);

/** Size of the difference of two tangents, in units of the scales; y NULL: size of x. */
double dls_tangent_distance(const dls_motion_tangents *tangents, const double *x, const double *y);
/** valid_within of the result. */
void dls_tangents_set_radii(dls_motion_tangents *tangents);
/** The integrals of q += weight dq, if they are asked for. */
void dls_tangents_add_to_integrals(dls_motion_tangents *tangents, double weight, const double *q,
                                   const double *v);
/** E- - E+ of an impact at the time of the tangents; 0 if no integral of the energy can be asked for. */
double dls_tangents_lost_energy(dls_motion_tangents *tangents, const double *q, const double *v_from,
                                const double *q_to, const double *v_to);
/** The integral of the energy, as an event at the time of the tangents has taken it from that at (q, v_left) to that at (work.q, work.v):
 * energy_jump := (E- - E+) dt, unless its impacts have times of their own and have set it; dJ/dp += energy_jump. */
void dls_tangents_add_jump(dls_motion_tangents *tangents, const dls_event_integrator *run, const double *q,
                           const double *v_left);
/** To the time of an event that is a little later than the search has found it, as the end of slip in space is. */
void dls_tangents_drift(dls_motion_tangents *tangents, double t);
/** The left limits of the result := the tangents, and those of forces at q, if they are asked for. */
dls_status dls_tangents_keep_left(dls_motion_tangents *tangents, const dls_event_integrator *run,
                                  const double *q, dls_error *err);
/** energy_jump := NaN. */
void dls_tangents_clear_jumps(dls_motion_tangents *tangents);
/** Are derivatives of forces and impulses asked for? */
bool dls_tangents_have_forces(const dls_motion_tangents *tangents);
/** The derivatives of all impulses := 0 where there is a derivative. */
void dls_tangents_clear_impulses(dls_motion_tangents *tangents);

/* impact_orders.c */

/** Is v that of the run after the event? */
bool dls_tangent_same_velocity(const dls_crossing *c, const double *v);
/**
 * Several impacts at the same time, in the order that a change of p gives them: a derivative, or both sides and a status.
 * @param[in]  coupled  two of them act on each other
 * @param[out] at_once  they stay simultaneous along this direction: nothing was done, they are one event
 */
dls_status dls_tangent_cross_orders(const dls_crossing *c, size_t k, bool coupled, bool *at_once,
                                    dls_error *err);

/* switch_orders.c */

/**
 * Contacts that switch together without an impact, in the order that a change of p gives them: a derivative, or both sides and a status.
 * @param[out] crossed  false: contact of the event alone switches, and others as a consequence; or, with a status, the order is not known.
 *                      The tangents are as they were
 */
dls_status dls_tangent_cross_switches(const dls_crossing *c, size_t k, bool *crossed, dls_error *err);

#endif
