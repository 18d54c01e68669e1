/* redistributed_mass_midpoint.h -- state for the next step and for the energy ledger.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_REDISTRIBUTED_MASS_MIDPOINT_H
#define DELASSUS_TIME_STEPPING_REDISTRIBUTED_MASS_MIDPOINT_H

#include "time_stepping/step/iteration.h"
#include <delassus/balance.h>
#include <delassus/configuration.h>
#include <delassus/delassus_operator.h>
#include <delassus/scheme.h>

typedef struct dls_static_contact_options {
  dls_newton_options newton;
} dls_static_contact_options;

typedef struct dls_static_contact_memory {
  dls_configuration config; /* M at the middle of the step, H at its end */
  dls_matrix *K_end;        /* of nonlinear systems at the end, with coordinates without mass; else NULL */
  dls_factor *A;
  dls_delassus *W; /* NULL without contacts */
  dls_lcp_solver *lcp;
  dls_newton newton;
  double t, step;        /* of the present step: its begin, its length */
  bool holding;          /* not a step: masses stay, other coordinates move to equilibrium */
  size_t count, *active; /* contacts of the present contact problem, increasing */
  bool *problem;         /* m: is it one of them? */
  size_t without;        /* coordinates without mass */
  bool *massless;        /* n */
  bool *light;           /* m: the contact moves a coordinate without mass */
  double *w;             /* n: velocities at the node; without mass 2 x/h minus the last one */
  double *kept;          /* n: half the forces at the node of light contacts; read where there is mass */
  double *lambda;        /* m: of the iterate, at its end */
  double *b, *b_active,
      *r; /* m: gaps without contact forces; the same and s lambda of (3) of those in the problem */
  double *x, *dx, *q_at, *v_at, *middle, *end, *zero; /* n; zero: stays 0 */
  double *block;                                      /* owns the arrays of doubles */
} dls_static_contact_memory;

/** Of the energy ledger. */
extern const dls_balance dls_balance_redistributed_mass_midpoint;

#endif
