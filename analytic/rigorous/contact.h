/* analytic/rigorous/contact.h -- enclosures of a linear system with one unilateral contact: impacts, accumulations, lasting contact, lift-off.
 *
 * The states are the gap g, its velocity u, and others, with x' = L x in flight. In lasting contact g = u = 0, and the force acts in the direction
 * `strike`, like an impulse. At an impact u+ = -e u- and x+ = x- + strike (u+ - u-).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_RIGOROUS_CONTACT_H
#define DELASSUS_RIGOROUS_CONTACT_H

#include "analytic/rigorous/tangent.h"

enum { DLS_BALL_GAP, DLS_BALL_RATE }; /* places of g and u */

typedef struct dls_ball_system dls_ball_system;
struct dls_ball_system {
  dls_ball_flow flight, closed;
  arb_ptr start;  /* k; states at t = 0 */
  arb_ptr strike; /* k; 1 for u, 0 for g */
  arb_t e, mass;  /* restitution; what a change of u takes of impulse [kg] */
  slong n;        /* coordinates */
  arb_mat_t open,
      pressed; /* columns x k: q, v, g, u, p, lambda from states; in flight, while the contact lasts */
  /* Derivatives of flight.L, and the tangent's rows and start; all 0 before. */
  void (*differentiate)(const dls_ball_parameters *p, const dls_ball_system *system, dls_ball_tangent *d,
                        arb_mat_t dL);
};

void dls_ball_system_init(dls_ball_system *system, slong k, slong n);
void dls_ball_system_clear(dls_ball_system *system);
/* To be called when flight.L, weights and strike are there: the flow of lasting contact, bounds. */
void dls_ball_system_finish(dls_ball_system *system, slong prec);

/* Nothing ever acts on the gap where g = u = 0. */
bool dls_ball_no_force(const dls_ball_system *system);
/* Do only g and u change in flight, with u' constant? */
bool dls_ball_force_is_constant(const dls_ball_system *system);
/* The states that neither the gap nor the contact acts on, as the phase of a load: bit i for state i. */
ulong dls_ball_independent_states(const dls_ball_system *system);

/**
 * All pieces that begin by `end`.
 * @param[in] system  allocated by flint_malloc; owned by the solution from here on, also after a failure
 * @param[in] prec    bits of the enclosures
 * @param[in] narrow  accumulations are followed until the remaining time is below 2^-narrow [s]
 * @return DLS_OK; DLS_ERR_NOCONV where a sign cannot be decided at this precision (the message says when); DLS_ERR_CHATTERING
 */
dls_status dls_ball_contact(dls_ball_system *system, const arb_t end, slong prec, slong narrow,
                            dls_ball_solution *out, dls_error *err);

extern const dls_ball_variation dls_ball_contact_variation;

#endif
