/* three_level_alpha.h -- what the generalized-alpha method with contact at three levels keeps, for its energy identity too.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_THREE_LEVEL_ALPHA_H
#define DELASSUS_TIME_STEPPING_THREE_LEVEL_ALPHA_H

#include "time_stepping/newmark/newmark_step.h"
#include <delassus/stage.h>

/* a, its bar, and those of the contact forces, at a node. */
typedef struct dls_three_level_node {
  double *a, *a_bar;           /* n */
  double *lambda, *lambda_bar; /* rows */
} dls_three_level_node;

typedef struct dls_three_level {
  dls_newmark c;
  double eps_u, eps_g;
  bool begun;     /* a step was made */
  dls_stage mass; /* velocities and accelerations, at t' and the iterate */
  dls_stage gaps; /* positions, in the metric of (2) to (4) */
  dls_factor *S;  /* M + h gamma c C + h^2 beta c K, c = (1 - alpha_f)/(1 - alpha_m) */
  dls_three_level_node now, next;
  size_t round;                             /* of the iteration */
  bool *was_closed;                         /* m: in the last round */
  dls_contacts all, closed, held;           /* held: with forces */
  double *f;                                /* n: M^-1 F of (2) */
  double *q, *v, *v_last, *x, *jump;        /* n; jump: M^-1 H L */
  double *p, *k, *lambda_last;              /* rows; k in the normal ones */
  double *u_minus, *u_hat, *set, *solution; /* rows */
  double *block;                            /* owns the arrays of doubles */
} dls_three_level;

#endif
