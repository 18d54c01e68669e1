/* analytic/rigorous/contact.h -- a linear system with one unilateral contact: impacts, accumulations, lasting contact, lift-off,
 * all of them enclosed.
 *
 * States: the gap g, its velocity u, others, by x' = L x in flight. While the contact lasts g = u = 0, and its force acts as
 * an impulse does: strike.  At an impact u+ = -e u-, x+ = x- + strike (u+ - u-).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_RIGOROUS_CONTACT_H
#define DELASSUS_RIGOROUS_CONTACT_H

#include "analytic/rigorous/solution.h"

enum { DLS_BALL_GAP, DLS_BALL_RATE }; /* places of g and u */

typedef struct dls_ball_system {
  dls_ball_flow flight, closed;
  arb_ptr start;  /* k; states at t = 0 */
  arb_ptr strike; /* k; 1 for u, 0 for g */
  arb_t e, mass;  /* restitution; what a change of u takes of impulse [kg] */
  slong n;        /* coordinates */
  arb_mat_t open,
      pressed; /* columns x k: q, v, g, u, p, lambda from states; in flight, while the contact lasts */
} dls_ball_system;

void dls_ball_system_init(dls_ball_system *system, slong k, slong n);
void dls_ball_system_clear(dls_ball_system *system);
/* To be called when flight.L, weights and strike are there: the flow of lasting contact, bounds. */
void dls_ball_system_finish(dls_ball_system *system, slong prec);

/**
 * All pieces that begin by `end`.
 * @param[in] system  made by flint_malloc; the solution's from here on, also after a failure
 * @param[in] prec    bits of the enclosures that numbers are computed in
 * @param[in] narrow  accumulations are followed until they are over within 2^-narrow [s]
 * @return DLS_OK; DLS_ERR_NOCONV where a sign cannot be decided at this precision (the message says when); DLS_ERR_CHATTERING
 */
dls_status dls_ball_contact(dls_ball_system *system, const arb_t end, slong prec, slong narrow,
                            dls_ball_solution *out, dls_error *err);

#endif
