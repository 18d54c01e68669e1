/* contact_level.h -- the complementarity problems of contact at one instant, in the mass metric; W = H^T M^-1 H.
 * Sources: Acary, lecture on nonsmooth mechanical systems, eqs. (24)-(31), with the term (dH^T/dt) v.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_CONTACT_LEVEL_H
#define DELASSUS_TIME_STEPPING_CONTACT_LEVEL_H

#include <delassus/delassus_operator.h>
#include <delassus/scheme.h>

/** A set of contacts, indices increasing. */
typedef struct dls_contacts {
  size_t count, *index; /* room for m */
} dls_contacts;

/** A state, and what follows from it. */
typedef struct dls_instant {
  double t;
  double *q, *v, *a;     /* n */
  double *g, *u, *gamma; /* m; gap, its velocity and its acceleration */
  double *lambda;        /* m */
  double *block;         /* owns the arrays */
} dls_instant;

typedef struct dls_contact_level {
  dls_factor *M;
  dls_delassus *W; /* NULL without contacts */
  dls_lcp_solver *lcp;
  double *curvature; /* m: (dH^T/dt) v of the last acceleration */
  double open; /* m/s^2: gap accelerations above this open; the rest is rounding, of the last acceleration */
  double *b, *p, *x; /* m, scratch */
  double *block;     /* owns the arrays */
} dls_contact_level;

/** @return false if out of memory; destroy it in any case */
bool dls_instant_create(const dls_system *sys, dls_instant *x);
void dls_instant_destroy(dls_instant *x);

/** For the matrices of sim; M is factored. Destroy it also after a failure. */
dls_status dls_contact_level_create(dls_sim *sim, dls_contact_level *c, dls_error *err);
void dls_contact_level_destroy(dls_contact_level *c);
/** Take M and H at q[n]. */
dls_status dls_contact_level_place(dls_sim *sim, dls_contact_level *c, const double *q, dls_error *err);

/**
 * Acceleration at (t, q, v), with M and H at q from then on:
 *   M a = F + H lambda,  Gamma = H^T a + (dH^T/dt) v,  0 <= Gamma _|_ lambda >= 0 on the set, lambda = 0 elsewhere.
 * @param[out] a, lambda, gamma  n, m, m; gamma of all contacts
 * @param[out] opens  the complementarity problem makes some Gamma of the set > 0; may be NULL
 */
dls_status dls_contact_level_acceleration(dls_sim *sim, dls_contact_level *c, double t, const double *q,
                                          const double *v, const dls_contacts *set, double *a, double *lambda,
                                          double *gamma, bool *opens, dls_error *err);
/** The same for an instant whose t, q, v are set; g and u too. */
dls_status dls_contact_level_observe(dls_sim *sim, dls_contact_level *c, const dls_contacts *set,
                                     dls_instant *x, bool *opens, dls_error *err);
/** q := nearest with g = 0 at t on the set; M and H then at that q. */
dls_status dls_contact_level_close(dls_sim *sim, dls_contact_level *c, double t, const dls_contacts *set,
                                   double *q, dls_error *err);
/** v := nearest with H^T v = 0 on the set. M and H as last placed. */
dls_status dls_contact_level_stop(dls_sim *sim, dls_contact_level *c, const dls_contacts *set, double *v,
                                  dls_error *err);

/** Round-off of the gaps at q[n] [m]. */
double dls_gap_noise(const dls_sim *sim, const double *q);

#endif
