/* event_driven/friction/slip.h -- friction of the event-driven integrator: who sticks, who slips, and in which direction.
 *
 * The grip of a closed contact is stored and changes at events only. A contact that has just begun to slip creeps: in the plane it
 * keeps the direction that its event has given it until its slip exceeds a part of eps.s, in space it crawls (crawl.h).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_SLIP_H
#define DELASSUS_EVENT_DRIVEN_SLIP_H

#include "event_driven/roots.h"
#include <delassus/grip.h>

typedef struct dls_participant dls_participant;

/* Of eps.s: slip up to this ends with that of another contact. */
#define DLS_SLIP_TOGETHER 1e-2

/** Slip of contact j for v, the geometry as it is. @param[out] u  d - 1 @return its size [m/s] */
double dls_slip_of(const dls_event_integrator *tr, size_t j, const double *v, double *u);
/** Friction force in r of contact j, as a size. */
double dls_slip_force(const dls_event_integrator *tr, size_t j, const double *r);
/** The acceleration u_T' of contact j for a, curvature and geometry as in the last forces. @param[out] rate  d - 1 @return its size */
double dls_slip_rate(const dls_event_integrator *tr, size_t j, const double *a, double *rate);
/** tr->grip := the stored ones of Is, with the directions of slip in space at v; of what crawls those that are stored. */
void dls_slip_directions(dls_event_integrator *tr, const double *v);
/** Slip above this has begun, and its end counts: where it turns round, or in space falls to eps.s unless it crawls [m/s]. */
double dls_slip_established_speed(const dls_event_integrator *tr);
/** Contact j has tr->grip from now on: whether its end of slip counts yet, and whether it crawls. */
void dls_slip_start(dls_event_integrator *tr, size_t j);
/** tr->a, tr->lambda := those of Is at tr->q, tr->v, from which it goes on: slip that is to crawl and is not near its direction does not. */
dls_status dls_slip_forces(dls_event_integrator *tr, double t, dls_error *err);
/** At the right end of a step without event, the geometry of the contacts as there: the end of slip of contact j may count from now on, and it may
 * begin to crawl; if it sticks and drifts it is to be projected: tr->hit. */
dls_status dls_slip_update(dls_event_integrator *tr, size_t j, dls_error *err);
/** touch->still of the touching contacts: is their slip 0 now? @param[in] impact  there were impulses */
void dls_classify_slip(dls_event_integrator *tr, size_t count, bool impact);
/** tr->grip of the touching contacts: how they start into the acceleration level. */
void dls_initial_modes(dls_event_integrator *tr, size_t count, bool impact);
/** The acceleration level of the set at (t, q, v), the geometry as there: tr->a, tr->force, and tr->grip of what follows.
 * @return DLS_ERR_JAM: there are no forces; tr->jam says where */
dls_status dls_slip_level(dls_event_integrator *tr, double t, const double *q, const double *v,
                          const dls_contacts *set, dls_error *err);
/** One of the first `rest` contacts in tr->subset does not stick with the forces in tr->lambda. If those in tr->force, of the
 * acceleration level, leave all clear of their limits the rows share like those from now on; else that one creeps. @return is there
 * one? */
bool dls_slip_overloaded(dls_event_integrator *tr, size_t rest);
/** Of dls_grips_reaction for Is. */
const double *dls_slip_reaction_split(const dls_event_integrator *tr);
/** Impact without collision of the contact in tr->jam: impulses that stop its slip, others that are closed stay so; then the event's
 * acceleration level again. */
dls_status dls_slip_resolve_painleve(dls_event_integrator *tr, size_t count, dls_error *err);
/** Slip of contact j for v along its direction, the geometry as it is: that of one that has only begun to slip is its grip's.
 * @param[out] e  2; 0 where there is no slip @return its size [m/s] */
double dls_slip_direction(const dls_event_integrator *tr, size_t j, const double *v, double *e);
/** tr->grip and touch->still after impulses that were passed: it is still, or slips as tr->v says. */
void dls_apply_mode(dls_event_integrator *tr, dls_participant *participant, bool stationary);
/** Fail with tr->jam. */
dls_status dls_slip_fail_painleve(const dls_event_integrator *tr, dls_error *err);

/* slip_end.c */

/** > 0: slip in space turned by a right angle in one step, which was too long to follow its direction; a step that is not [s]. */
double dls_slip_resolved_step(dls_event_integrator *tr);

/** The end of slip in space is seen at eps.s: tr->q, tr->v and the time of the hit move to where the slip is 0. Slip that has only turned goes
 * on in its direction: the hit becomes quiet. */
dls_status dls_slip_end(dls_event_integrator *tr, dls_error *err);

#endif
