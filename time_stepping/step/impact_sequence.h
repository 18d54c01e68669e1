/* impact_sequence.h -- the impacts of touching contacts at one instant. Impact problems are solved until no contact
 * approaches:
 *   contacts that separate wait;
 *   on the others  0 <= U+ + e U-  _|_  P >= 0,   v+ = v- + M^-1 H P;
 *   v- := v+; waiting contacts with U < 0 now take part, and contacts that separate now wait.
 * Each problem changes the kinetic energy by 1/2 sum (1 - e) U- P <= 0 for all coefficients, because P > 0 only where U- <= 0.
 * If contacts that separate took part with a smaller e than the others, their 1/2 (1 - e) U- P would be positive. The energy could grow
 * without bound between contacts that face each other.
 * Sources: Acary, lecture on nonsmooth mechanical systems, eqs. (24)-(28), repeated until u+ >= 0. The waiting contacts are this project's.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_IMPACT_SEQUENCE_H
#define DELASSUS_TIME_STEPPING_IMPACT_SEQUENCE_H

#include <delassus/contact_system.h>
#include <delassus/sim.h>

/** Vectors of rows are blocks of d for each contact of the set, in its order. */
typedef struct dls_impact_sequence {
  dls_contacts set;   /* in: the contacts that touch */
  bool *mixes;        /* in: the law sees u-; else u+ alone, as for e = 0 */
  double *before;     /* in: the normal part of u- in the first problem, 0 where there is none */
  bool *waits;        /* in: takes no part in the first problem: it separates */
  double *P;          /* out, rows: sum of the impulses */
  bool *struck;       /* out: approached again, or after all */
  double *u_minus;    /* out: gap velocity before the last approach, or before all */
  dls_contacts now;   /* scratch: the contacts of a problem */
  bool *acts, *rests; /* scratch: an approach acts on it; its approach is rounding, and has no impulses */
  double *u, *free, *mixed, *p; /* scratch, rows */
  /* scratch of impact_chain.h, m and one more: of the contacts that move, and impulses of one at rest over those beside it */
  double *ground, *couplings, *law, *pivots, *sums, *to_left, *to_right;
  size_t *moves, moving; /* places in the set */
  double *block;         /* owns the arrays of doubles */
} dls_impact_sequence;

/** @return false if out of memory; destroy it in any case */
bool dls_impact_sequence_create(const dls_system *sys, dls_impact_sequence *s);
void dls_impact_sequence_destroy(dls_impact_sequence *s);
/** Gap velocities up to this count as zero beside an approach that fast [m/s]. */
double dls_impact_still(const dls_system *sys, double fastest);
/** Add contact j (increasing) to the set, with the normal part of its u-. */
void dls_impact_sequence_add(dls_impact_sequence *s, size_t j, double u_minus, bool mixes, bool waits);
/**
 * @param[in]     contacts  in the mass metric, in the configuration of the impacts
 * @param[in,out] v      n; v- in, v+ out
 * @return as dls_contact_system_impulse
 */
dls_status dls_impact_sequence_solve(dls_sim *sim, dls_contact_system *contacts, dls_impact_sequence *s,
                                     double *v, dls_error *err);

#endif
