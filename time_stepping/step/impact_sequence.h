/* impact_sequence.h -- the impacts of touching contacts at one instant, one impact problem after the other until none
 * approaches:
 *   contacts that separate wait;
 *   on the others  0 <= U+ + e U-  _|_  P >= 0,   v+ = v- + M^-1 H P;
 *   v- := v+, and those that wait and are struck, U < 0, take part, while those that separate now wait.
 * Each problem changes the kinetic energy by 1/2 sum (1 - e) U- P <= 0, whatever the coefficients, as P > 0 only where
 * U- <= 0. Were a contact that separates part of it with e = 0 beside others with e > 0, or with an e of its own below
 * theirs, its 1/2 (1 - e) U- P would be positive: energy from nothing, without bound for contacts that face each other.
 * Sources: Acary, lecture on nonsmooth mechanical systems, eqs. (24)-(28), repeated until u+ >= 0; who waits: this project.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_IMPACT_SEQUENCE_H
#define DELASSUS_TIME_STEPPING_IMPACT_SEQUENCE_H

#include <delassus/delassus_operator.h>
#include <delassus/sim.h>

/** Arrays of m; the first `count` entries are filled in by the caller and by the solution. */
typedef struct dls_impact_sequence {
  size_t count, *index;   /* the contacts that touch, indices increasing */
  double *e;              /* restitution coefficients */
  double *bounce;         /* e U- of the first problem: <= 0, and 0 where no restitution applies in it */
  bool *waits;            /* takes no part in the first problem: it separates */
  double *P;              /* out: sum of the impulses */
  bool *struck;           /* out: approached again, or after all */
  double *u_minus;        /* out: gap velocity before the last approach, or before all */
  size_t *now, now_count; /* scratch: the contacts of a problem */
  double *b, *p;          /* scratch */
  double *block;          /* owns the arrays of doubles */
} dls_impact_sequence;

/** @return false if out of memory; destroy it in any case */
bool dls_impact_sequence_create(size_t m, dls_impact_sequence *s);
void dls_impact_sequence_destroy(dls_impact_sequence *s);
/** Gap velocities up to this count as zero beside an approach that fast [m/s]. */
double dls_impact_still(const dls_system *sys, double fastest);
/**
 * @param[in]     W  of sim->H and the mass matrix, as placed
 * @param[in,out] v  n; v- in, v+ out
 * @return as dls_delassus_solve
 */
dls_status dls_impact_sequence_solve(dls_sim *sim, dls_delassus *W, dls_lcp_solver *lcp, dls_impact_sequence *s,
                                     double *v, dls_error *err);

#endif
