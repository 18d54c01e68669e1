/* instant.h -- a state with its gaps, accelerations and contact forces.
 * Sources: Acary, lecture on nonsmooth mechanical systems, eqs. (24)-(31), with the term (dH^T/dt) v.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_INSTANT_H
#define DELASSUS_TIME_STEPPING_INSTANT_H

#include <delassus/contact_system.h>
#include <delassus/scheme.h>

typedef struct dls_instant {
  double t;
  double *q, *v, *a; /* n */
  double *g;         /* m */
  double *u, *gamma; /* rows; gap velocities and accelerations; gamma may be NULL */
  double *lambda;    /* rows */
  double *block;     /* owns the arrays */
} dls_instant;

/** @return false if out of memory; destroy it in any case */
bool dls_instant_create(const dls_system *sys, dls_instant *x);
void dls_instant_destroy(dls_instant *x);

/**
 * Acceleration at (t, q, v). The contact system, in the mass metric, is then at (t, q):
 *   M a = F + H lambda,  Gamma = H^T a + c,  0 <= Gamma _|_ lambda >= 0 on the set, lambda = 0 elsewhere;
 * With joints, F includes their forces, and S replaces M^-1 for the forces of contacts.
 * @param[out] a, lambda, gamma  n, rows, rows; gamma of all contacts; NULL: not computed, and *opens is false
 * @param[out] opens  the complementarity problem makes some Gamma of the set > 0; may be NULL
 */
dls_status dls_instant_acceleration(dls_sim *sim, dls_contact_system *contacts, double t, const double *q,
                                    const double *v, const dls_contacts *set, double *a, double *lambda,
                                    double *gamma, bool *opens, dls_error *err);
/** The same for an instant with t, q, v; sets g and u, too. */
dls_status dls_instant_observe(dls_sim *sim, dls_contact_system *contacts, const dls_contacts *set,
                               dls_instant *x, bool *opens, dls_error *err);

/** Does contact j open with these rows of gamma and lambda? Rounding of gamma is large where W is nearly singular, so that a contact
 * does not open while its force alone would accelerate it more than gamma. */
bool dls_instant_opens(const dls_contact_system *contacts, size_t j, const double *gamma, const double *lambda);

/**
 * Multipliers of the joints, M a = F + H lambda + G mu, at the instant observed last. Does nothing without joints.
 * @param[out] a, mu  n, r
 */
void dls_instant_multipliers(dls_sim *sim, dls_contact_system *contacts, const dls_instant *x, double *a,
                             double *mu);

/** x := the state of the sim. dls_instant_observe computes the rest. */
void dls_instant_begin(const dls_sim *sim, dls_instant *x);
/** now and the q, v, a, lambda of the sim := x; x := the old now. */
void dls_instant_commit(dls_sim *sim, dls_instant *now, dls_instant *x);
/** x is the left limit of the sim's state. */
void dls_instant_left(dls_sim *sim, const dls_instant *x);

/** x[m], x_t[(d - 1) m] := normal and tangential parts of rows, as a sim holds them. */
void dls_split_rows(const dls_system *sys, const double *rows, double *x, double *x_t);
/** Round-off of the gaps at q[n] [m]. */
double dls_gap_noise(const dls_sim *sim, const double *q);

#endif
