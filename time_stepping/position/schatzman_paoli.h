/* schatzman_paoli.h -- state of the Schatzman-Paoli scheme, also read by its energy identity.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_SCHATZMAN_PAOLI_H
#define DELASSUS_TIME_STEPPING_SCHATZMAN_PAOLI_H

#include "common/contact/primal_dual_active_set.h"
#include "common/linear/tridiagonal_fused.h"
#include "time_stepping/step/iteration.h"
#include <delassus/balance.h>
#include <delassus/contact_system.h>
#include <delassus/scheme.h>

enum { DLS_PAOLI_TAYLOR }; /* startup */

typedef struct dls_paoli_options {
  double theta;
  int startup;
  double velocity_tol;
  dls_newton_options newton;
} dls_paoli_options;
typedef struct dls_paoli_memory {
  double h;                 /* of the first step; 0 before */
  double factored;          /* h of A; 0: there is none yet */
  double t;                 /* nonlinear: of the node that the step completes */
  double eps_u;             /* m/s */
  dls_configuration config; /* M at q_k; every column of H at the averaged point of its contact */
  dls_configuration hat;    /* at one averaged point */
  dls_factor *A;
  dls_factor *M; /* of systems with tables of loads, for the first step; else NULL */
  dls_contact_system contacts;
  dls_primal_dual *primal_dual; /* where every contact moves an unknown of its own; NULL */
  dls_contacts all;
  bool fused;           /* steps with tridiagonal factors are fused: paoli_fused.h */
  dls_rows rows;        /* that gaps depend on, where fused; else all */
  const double *column; /* n; of A^-1 H, of the only impulse: x = x_free + push column; NULL: x is complete */
  double push;
  struct dls_small_system *small_system;    /* the numbers of a small system, for many steps at once; NULL */
  double *q_last, *q, *d, *q_next, *a0;     /* n; q_k-1, q_k, d_k, q_k+1, initial acceleration */
  double *x, *x_free, *velocity, *F, *work; /* n */
  double *g_last, *g, *g_next, *g_hat;      /* m; gaps at k-1, k, k+1 and at the averaged point */
  double *b, *Pi, *nothing;                 /* rows; nothing: 0 */
  double *u_minus, *impulse;                /* m; of a contact that impacted a step ago, else impulse 0 */
  double *block;                            /* owns all the arrays of doubles */
} dls_paoli_memory;

/** Of linear systems with up to 8 degrees of freedom and 4 contacts, without friction. */
void dls_paoli_advance_batch(dls_batch_member *member, size_t count);

extern const dls_balance dls_balance_schatzman_paoli;

#endif
