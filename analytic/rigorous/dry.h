/* analytic/rigorous/dry.h -- a mass with a spring, a harmonic force and dry friction; formulas in dry.c.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_RIGOROUS_DRY_H
#define DELASSUS_RIGOROUS_DRY_H

#include "analytic/rigorous/tangent.h"

enum { DLS_DRY_X, DLS_DRY_V, DLS_DRY_ONE, DLS_DRY_COS, DLS_DRY_SIN, DLS_DRY_STATES };
enum { DLS_DRY_STICK, DLS_DRY_SLIP_UP, DLS_DRY_SLIP_DOWN, DLS_DRY_MODES }; /* signs 0, 1, -1 */

/* Names of parameters; NULL: there is none, and 0 */
typedef struct dls_dry_names {
  const char *k, *P, *omega, *phase, *limit, *vb, *t1, *vb1;
} dls_dry_names;

typedef struct dls_dry_regime { /* all with one velocity of the belt */
  dls_ball_flow flow[DLS_DRY_MODES];
  arb_mat_t rows[DLS_DRY_MODES];
  arb_ptr slip, up, down; /* rows: v - vb; Fs - holding, Fs + holding */
  arb_t vb;
} dls_dry_regime;

typedef struct dls_dry_oscillator {
  dls_dry_names names;
  dls_dry_regime belt[2]; /* before and after a jump of its velocity */
  arb_t jump;             /* when; used if jumps */
  bool jumps, even;       /* even: F = Fs */
} dls_dry_oscillator;

extern const dls_ball_variation dls_ball_dry_variation;

#endif
