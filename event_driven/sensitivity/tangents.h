/* event_driven/sensitivity/tangents.h -- derivatives of the motion with respect to parameters, carried along with the run.
 *
 *   neighbours.c      derivatives of any function of the state, from the neighbouring systems of a parameter
 *   slopes.c          between events:  dq' = dv,  dv' = D v'  along (dq, dv, dp), with the modes of the contacts fixed
 *   changed_terms.c   the terms of a linear system that change with a parameter
 *   joint_slopes.c    the part of the joints
 *   tangent_series.c  its integration by Taylor series, linear systems
 *   multistep.c       on the steps of the run
 *   tangent_phase.c   on its dense output
 *   event_values.c    the functions that events need
 *   saltation.c       what every event needs: its time, the jump and the projection
 *   impact_orders.c   impacts at the same time
 *   switch_orders.c   contacts that switch at the same time without an impact
 *   event_tangents.c  events
 *   slip_pass.c       slip in space that passes near zero
 *   series_sums.c     the sums over an accumulation
 *   series_tangents.c accumulations
 *
 * The run itself does not change: tangents read the dense output of its engine, and evaluate forces and impacts in systems of their own.
 * D is a central difference. The jump R is the impact with its law, then the projection onto the contacts that are closed.
 * Source: Aizerman & Gantmakher 1958; Mueller 1995, Chaos, Solitons & Fractals 5, 1671-1681.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_TANGENTS_H
#define DELASSUS_EVENT_DRIVEN_TANGENTS_H

#include <delassus/error.h>
#include <stddef.h>

typedef struct dls_event_integrator dls_event_integrator;
typedef struct dls_motion_tangents dls_motion_tangents;

/** Tangents at the start, before its event. @return DLS_OK; DLS_ERR_NOT_APPLICABLE; DLS_ERR_MEMORY */
dls_status dls_motion_tangents_create(dls_event_integrator *run, dls_error *err);
void dls_motion_tangents_destroy(dls_motion_tangents *tangents); /* NULL is fine */
/* Without derivatives the functions below do nothing. */

/** From the time of the tangents to t, inside the engine's last step. */
dls_status dls_motion_tangents_advance(dls_event_integrator *run, double t, dls_error *err);
/** A copy of q at the event that begins, which overwrites its workspace; q itself without derivatives. */
const double *dls_motion_tangents_keep(dls_event_integrator *run, const double *q);
/** Through the located event: from q, sim->v_left, sim->a_left to work.q, v, a, with the participants and the modes that follow. */
dls_status dls_motion_tangents_cross(dls_event_integrator *run, const double *q, size_t participants,
                                     dls_error *err);
/** From the sim's state through an accumulation to work.q, v, a. Overwrites its second pass. */
dls_status dls_motion_tangents_accumulate(dls_event_integrator *run, size_t participants, dls_error *err);

#endif
