/* analytic/rigorous/contact.h -- a linear system with one unilateral contact: impacts, accumulations, lasting contact, lift-off,
 * all of them enclosed.
 *
 * States: the gap g, its velocity u, others, by x' = L x in flight. While the contact lasts g = u = 0, and its force acts as
 * an impulse does: strike.  At an impact u+ = -e u-, x+ = x- + strike (u+ - u-).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_RIGOROUS_CONTACT_H
#define DELASSUS_RIGOROUS_CONTACT_H

#include "analytic/rigorous/flow.h"

#include <delassus/error.h>
#include <stdbool.h>
#include <stddef.h>

enum { DLS_BALL_GAP, DLS_BALL_RATE }; /* places of g and u */

typedef struct dls_ball_system {
  dls_ball_flow flight, closed;
  arb_ptr start;  /* k; states at t = 0 */
  arb_ptr strike; /* k; 1 for u, 0 for g */
  arb_t e, mass;  /* restitution; what a change of u takes of impulse [kg] */
  slong n;        /* coordinates */
  arb_mat_t q, v; /* n x k; coordinates and velocities from states */
} dls_ball_system;

void dls_ball_system_init(dls_ball_system *system, slong k, slong n);
void dls_ball_system_clear(dls_ball_system *system);
/* To be called when flight.L, weights and strike are there: the flow of lasting contact, bounds. */
void dls_ball_system_finish(dls_ball_system *system, slong prec);

typedef enum dls_ball_event {
  DLS_BALL_START,
  DLS_BALL_IMPACT,
  DLS_BALL_ACCUMULATION,
  DLS_BALL_LIFT_OFF
} dls_ball_event;

/* What begins at a time with an event. */
typedef struct dls_ball_piece {
  dls_ball_event event;
  bool closed;
  ulong lead; /* order of the first derivative of g that is not 0; 0: g itself */
  arb_t t, impulse;
  arb_ptr left, x; /* k; states before and after the event */
} dls_ball_piece;

typedef struct dls_ball_motion {
  slong k;
  size_t count, room;
  dls_ball_piece *piece;
} dls_ball_motion;

void dls_ball_motion_clear(dls_ball_motion *motion);

/**
 * All pieces that begin by `end`.
 * @param[in] prec    bits of the enclosures that numbers are computed in
 * @param[in] narrow  accumulations are followed until they are over within 2^-narrow [s]
 * @return DLS_OK; DLS_ERR_NOCONV where a sign cannot be told at this precision (the message says when); DLS_ERR_CHATTERING
 */
dls_status dls_ball_contact(const dls_ball_system *system, const arb_t end, slong prec, slong narrow,
                            dls_ball_motion *out, dls_error *err);

/* States at the time s after the start of a piece. */
void dls_ball_piece_at(arb_ptr x, const dls_ball_system *system, const dls_ball_piece *piece, const arb_t s,
                       slong prec);

#endif
