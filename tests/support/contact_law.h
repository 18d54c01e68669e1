/* contact_law.h -- Coulomb's law checked case by case, by the tests' own means, and random problems of one contact.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_CONTACT_LAW_H
#define DELASSUS_TESTS_CONTACT_LAW_H

#include <delassus/problem.h>
#include <gsl/gsl_rng.h>

typedef struct one_contact {
  size_t d;
  double W[9], q[3], mu;
} one_contact;

/** W = G G^T, not better conditioned than it comes; mu from 0.1 to 10 by its logarithm; q normal. */
one_contact one_contact_random(gsl_rng *rng, size_t d);
dls_problem one_contact_problem(const one_contact *c, dls_block *block);

/**
 * How far r and u = W r + q are from the law, relative to the largest of |q|, |u|, |r| tr W / d: r outside of the cone, u_N
 * below 0, and whichever of these fits least badly: r = 0; u = 0; u_N = 0, |r_T| = mu r_N and r_T against u_T.
 */
double one_contact_violation(const one_contact *c, const double *r, const double *u);

#endif
