/* impact_slopes.h -- the derivative of an impact whose contacts keep their modes. With P held,
 *
 *   v+ = v + M^-1 H P,   u^ = H^T v+ + b + c (H^T v + b)                                                (1)
 * are functions of the state and of the parameters without a contact problem, whose differences do not see modes. With D of them and
 *   P_N = 0              dP = 0
 *   sticks               D u^ + W dP = 0
 *   slips along e        D u^_N + (W dP)_N = 0,
 *                        dP_T = -mu dP_N e - D mu P_N e - mu P_N/|u^_T| (1 - e e^T) (D u^ + W dP)_T      (2)
 * D v+ is that of (1) and M^-1 H dP. (2) is the generalised Jacobian of the contact problem, where it has one element.
 * Source: Alart & Curnier 1991, Computer Methods in Applied Mechanics and Engineering 92, 353-375.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_IMPACT_SLOPES_H
#define DELASSUS_EVENT_DRIVEN_IMPACT_SLOPES_H

#include "event_driven/sensitivity/event_tangents.h"

/**
 * tangents->out := D v+ of direction k along the line, by (2). Derivatives of the impulses are added to those of the result, if they are
 * asked for. Slow slip in space behind the impact limits the validity.
 * @param[out] known  false: a mode is at its border, a law depends on the speed, or the impact has an expansion; nothing was done
 */
dls_status dls_impact_slopes(const dls_crossing *c, size_t k, const dls_impact_function *impact,
                             const dls_state_line *line, bool *known, dls_error *err);

#endif
