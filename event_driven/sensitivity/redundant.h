/* event_driven/sensitivity/redundant.h -- closed contacts whose rows depend on each other. Along a direction their equations
 *   D g = 0,  D u = 0,  D u' = 0
 * may contradict each other: then they do not all stay closed when p changes, neighbouring motions have other closed contacts, and there is no
 * derivative. And the motion does not determine their forces.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_REDUNDANT_H
#define DELASSUS_EVENT_DRIVEN_REDUNDANT_H

#include "event_driven/sensitivity/neighbours.h"

/** After work.impulse has been solved for to remove `rows` along direction k, of the first `count` held rows: if more than rounding is left of
 * them, the direction has no derivative from here on. @param[in,out] rows  count; what is left of them @param[in] order  0: rows are D g, 1: D u */
void dls_redundant_check_rows(dls_motion_tangents *tangents, size_t k, const dls_state_line *line, size_t count,
                              double *rows, int order);
/** The same between events, for rate + H^T a of the held rows, with a = D v': the status alone. noise: round-off of D v' */
void dls_redundant_check_rates(dls_motion_tangents *tangents, size_t k, const dls_state_line *line,
                               const double *rate, const double *a, double noise);
/** Derivatives of forces at a node that the motion does not determine := NaN, or their left limits. */
void dls_redundant_forces(dls_motion_tangents *tangents, bool left);
/** Do rows of closed contacts depend on each other, in the last solve? */
bool dls_redundant_any(const dls_event_integrator *self);

#endif
