/* soft_cone.h -- the impulse of a regularised friction cone, of MuJoCo and SAP, as a function of the velocity u of its contact:
 *   gamma = P_K^R( R^-1 (v^ - u) ),   K = { |gamma_T| <= mu gamma_N },   R = diag(R_N, R_T, R_T)               (3)
 *   pyramid: gamma = sum over the four edges e = n + mu t_i, n - mu t_i of  e ((e . (v^ - u))/R)_+                    (4)
 * P_K^R is the projection on K in the norm of R. Both are minus gradients of convex functions of u.
 * Sources: E. Todorov 2014; A. Castro, F. Permenter & X. Han 2022.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_SOFT_CONE_H
#define DELASSUS_TIME_STEPPING_SOFT_CONE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct dls_soft_cone {
  double target[3];    /* v^ [m/s] */
  double R_N, R_T, mu; /* [1/kg], [1/kg], 1 */
  double R_pyramid;    /* 0: the cone itself */
} dls_soft_cone;

/**
 * A dls_soft_impulse of convex_minimisation.h.
 * @param[out] gamma  d [N s]
 * @param[out] D      -d gamma/d u, 3 x 3; NULL: not asked for
 * @return whether it slips, with gamma_T at the bound
 */
bool dls_soft_cone_impulse(const void *cone, size_t d, const double *u, double *gamma, double *D);

#endif
