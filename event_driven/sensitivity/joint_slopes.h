/* joint_slopes.h -- the terms of joints in slopes of tangents. With K(mu) = sum_i mu_i Phi_i,qq and c = v^T Phi_qq v + 2 Phi_tq v + Phi_tt,
 * which is of second degree in v, D along a direction of the state is exact for every s:
 *
 *   D_q [G mu] dq = K(mu) dq,   D_v c dv = [c(v + s dv) - c(v - s dv)] / 2s,                                (1)
 *   D_q [G^T] v' dq = [c(v' + s dq) - c(v' - s dq) - c(s dq) + c(-s dq)] / 4s
 *
 * What is left is D_q c at fixed v, a difference of terms that are equal where Phi is of second degree in q, and D_t.
 * A projection onto the joints, from a state that meets them, has the derivative that is nearest in the mass metric with
 *
 *   G^T dq + D_p Phi = 0,   G^T dv + D_q [G^T v + Phi_t] dq + D_p [G^T v + Phi_t] = 0,                       (2)
 *   D_q [G^T v + Phi_t] dq = [c(v + s dq) - c(v - s dq)] / 4s
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_JOINT_SLOPES_H
#define DELASSUS_EVENT_DRIVEN_JOINT_SLOPES_H

#include "event_driven/sensitivity/neighbours.h"

/** @return false if out of memory; release in any case */
bool dls_joint_slopes_create(dls_motion_tangents *tangents);
void dls_joint_slopes_release(dls_motion_tangents *tangents);
/** K for (1), with mu of the run at (t, q). */
void dls_joint_slopes_set(dls_motion_tangents *tangents, double t, const double *q);
/**
 * force[n] += G mu, rate[r] := c + G^T v' of a system near the line, with v', mu of the run: c at (t, q), G of a neighbour at q of the line.
 * G of the run's own system is left out where (1) has its derivative.
 */
void dls_joint_slopes_evaluate(const dls_motion_tangents *tangents, const dls_event_integrator *near, double t,
                               const double *q, const dls_state_line *line, double *force, double *rate);
/** force, rate += (1); size: of the direction. Overwrites v and value of the tangents. */
void dls_joint_slopes_along(dls_motion_tangents *tangents, const dls_state_line *line, double size,
                            double *force, double *rate);
/** (dq, dv) := (2) along parameter `direction`, or DLS_NO_PARAMETER, in the geometry of (t, q), which is set. Overwrites q, v, value, base and
 * by_p of the tangents. */
void dls_joint_slopes_project(dls_motion_tangents *tangents, int direction, double t, const double *q,
                              const double *v, double *dq, double *dv);
/** row[n] := the derivative along the dq of (2) of what has the derivative row[n] along any, in the geometry that is set. Overwrites q. */
void dls_joint_slopes_restrict(dls_motion_tangents *tangents, double *row);

#endif
