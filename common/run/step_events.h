/* step_events.h -- impacts, landings, ends and begins of slip inside a step, for derivatives with the saltation matrix.
 *
 * An event of the step from t_k, with the law of the system, as seen from the state (q_k, v_k):
 *   tau = time to the event,  x* = x_k + f- tau,  x+ = R(x*) - f+ tau                    (1)
 * with the jump R of the impact, and the accelerations in f-, f+ before and after it held fixed. The derivative of (1) is
 *   Xi = R_x + (f+ - R_x f- - R_t) h_x/h'-                                             (2)
 * up to terms of the size of h. (1) is evaluated at the run and at its neighbours, each in its own system, so that what parameters do to
 * gaps, laws and surfaces is part of it. Then all states fly to t_k + h by the midpoint rule.
 *   impact   R by the law of the contacts; of contacts that act on each other and are struck at the same time, all at once
 *   landing  of a contact with e = 0, or slower than 3 h |g''| (the end of an accumulation): R with e = 0, then g = u = 0. In the second
 *            case tau is left out: the impacts before have passed its derivative on
 *   end of slip, in the plane: tau = -u_T/u_T', R = I; the contact sticks, or slips the other way
 *            In space the steps pass their tangents as (2) does: u_T = 0; so does a crossing
 *   begin of slip with mu_s > mu: tau = time to mu_s lambda_N - |lambda_T| = 0, R = I
 *   jump of a load, a surface velocity or a support, at a time that a parameter moves: R = I. Where a support strikes a contact at rest there is
 *            no derivative
 * Source: Mueller 1995, Chaos, Solitons & Fractals 5, 1671-1681, for (2).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_RUN_STEP_EVENTS_H
#define DELASSUS_COMMON_RUN_STEP_EVENTS_H

#include <delassus/scheme.h>

typedef struct dls_step_events dls_step_events;

/** A node of the run. */
typedef struct dls_step_node {
  double t;
  double *q, *v; /* n */
} dls_step_node;

/**
 * @param[in] systems  count, of the states below; the first is that of the run
 * @return DLS_OK; DLS_ERR_NOT_APPLICABLE if contacts of the scheme have no instant of impact; DLS_ERR_MEMORY
 */
dls_status dls_step_events_create(const dls_sim *sim, size_t count, const dls_system *const *systems,
                                  dls_step_events **out, dls_error *err);
void dls_step_events_destroy(dls_step_events *events); /* NULL is fine */

/** The events of the step of length h from the node to the state of the sim. @param[in] pushed  m: contacts with an impulse in the step
 * @param[out] found  their number */
dls_status dls_step_events_find(dls_step_events *events, const dls_sim *sim, const dls_step_node *node,
                                const bool *pushed, double h, size_t *found, dls_error *err);
/**
 * (1) for the events found, if any, and the flight to the end of the step.
 * @param[in,out] x  count x 2 n: states (q, v) at the node in, at the end of the step out
 */
dls_status dls_step_events_cross(dls_step_events *events, const dls_step_node *node, double h, double *x,
                                 dls_error *err);
/** impulse[d m] of state i in the step, by the impacts and forces of the last crossing. */
const double *dls_step_events_impulse(const dls_step_events *events, size_t i);
/** After the above: does a contact move after its impact as the law says? @return one that does not; SIZE_MAX: none */
size_t dls_step_events_compare(dls_step_events *events, const dls_sim *sim, const bool *pushed);
/** Is a jump of a load, at one end of the step, beyond it for some system? Then its steps are not those of the run. */
bool dls_step_events_straddled(const dls_step_events *events);
/** Contact of event i; SIZE_MAX: a jump of a load. */
size_t dls_step_events_contact(const dls_step_events *events, size_t i);
/** tau[count] of event i, after dls_step_events_cross; NULL: its time is not known. */
const double *dls_step_events_tau(const dls_step_events *events, size_t i);
/** |u|/(2 |u'|) of event i [s]: a neighbour whose event is earlier or later by more may miss it; infinite for other events than impacts. */
double dls_step_events_reach(const dls_step_events *events, size_t i);

/** A contact that the last crossing has struck together with one that it acts on, where system i strikes them one after the other: there is
 * no derivative. SIZE_MAX: none */
size_t dls_step_events_apart(const dls_step_events *events, size_t i);

#endif
