/* analytic/rigorous/puck.h -- the curved path of a puck on an incline; formulas in puck.c.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_RIGOROUS_PUCK_H
#define DELASSUS_RIGOROUS_PUCK_H

#include "analytic/rigorous/solution.h"
#include <stdbool.h>

/* Place, velocity, 1, friction force. */
enum {
  DLS_PUCK_X,
  DLS_PUCK_Y,
  DLS_PUCK_VX,
  DLS_PUCK_VY,
  DLS_PUCK_ONE,
  DLS_PUCK_RX,
  DLS_PUCK_RY,
  DLS_PUCK_STATES
};

typedef struct dls_ball_puck_path {
  arb_t kappa, gs, drag, m; /* drag = mu g cos(alpha) */
  arb_t sigma0, C, across;  /* across: 1 or -1, the side to which y goes */
  arb_t stop;               /* where it rests */
  bool rests;
  dls_ball_flow straight, rest;
  arb_mat_t rows;
} dls_ball_puck_path;

/* sigma0, C, across, rests, stop. @return false if a sign cannot be decided */
bool dls_ball_puck_begin(dls_ball_puck_path *path, const arb_t v0, const arb_t phi0, slong prec);
/* l = ln(sigma/sigma0) at the time t before rest; t may be wide. A ball without end if it is not surely before rest. */
void dls_ball_puck_turn(arb_t l, const dls_ball_puck_path *path, const arb_t t, slong prec);
/* States at the time t before rest; t may be wide. Balls without end if it is not surely before rest. */
void dls_ball_puck_at(arb_ptr x, const dls_ball_puck_path *path, const arb_t t, slong prec);
/* Box of all states from the time t until rest, kappa > 1. */
void dls_ball_puck_remaining(arb_ptr box, const dls_ball_puck_path *path, const arb_t t, slong prec);
/* Where it rests: x, y. */
void dls_ball_puck_rest(arb_ptr place, const dls_ball_puck_path *path, slong prec);
/* n terms of w states about t, which may be wide. */
void dls_ball_puck_jet(arb_ptr a, slong n, const dls_ball_puck_path *path, arb_srcptr w, const arb_t t,
                       slong prec);

extern const dls_ball_variation dls_ball_puck_variation;

#endif
