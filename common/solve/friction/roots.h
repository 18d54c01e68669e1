/* roots.h -- real roots of a polynomial of low degree.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_SOLVE_ROOTS_H
#define DELASSUS_COMMON_SOLVE_ROOTS_H

#include <stddef.h>

enum { DLS_ROOTS_DEGREE = 4, DLS_ROOTS_MOST = 12 };

/**
 * Positive roots, increasing, each within a few ulps of a change of sign. Points where the polynomial nearly touches 0 (to
 * 1e-8 of its terms) count as roots, so that no double root is missed.
 * @param[in] c  c[0] + c[1] x + ... + c[4] x^4, scaled such that its roots are about 1
 * @return their number
 */
size_t dls_positive_roots(const double *c, double *roots);

#endif
