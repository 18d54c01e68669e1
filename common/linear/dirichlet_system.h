/* dirichlet_system.h -- linear systems with a symmetric positive definite matrix, some of whose unknowns are prescribed
 * (Dirichlet conditions).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_LINEAR_DIRICHLET_SYSTEM_H
#define DELASSUS_COMMON_LINEAR_DIRICHLET_SYSTEM_H

#include "common/linear/monotone.h"
#include <delassus/counters.h>
#include <stdbool.h>

enum { DLS_DIRICHLET_TERMS = 3 }; /* of a factor: M, C, K */
typedef struct dls_dirichlet_system dls_dirichlet_system;

/** @return NULL if out of memory */
dls_dirichlet_system *dls_dirichlet_system_create(void);
void dls_dirichlet_system_destroy(dls_dirichlet_system *S); /* NULL is fine */
/**
 * Set A to the sum of the terms of F.
 * @param[in] F             of DLS_DIRICHLET_TERMS terms; borrowed; its factors are not used
 * @param[in] coefficients  DLS_DIRICHLET_TERMS: of the terms, in their order
 * @return DLS_OK; DLS_ERR_NOT_APPLICABLE if A is not symmetric or has a diagonal entry that is not positive; DLS_ERR_MEMORY
 */
dls_status dls_dirichlet_system_matrix(dls_dirichlet_system *S, const dls_factor *F,
                                       const double *coefficients);
/**
 * Until the next matrix, unknowns that are held are not prescribed, but drawn to places by springs s:
 *   A x + S (x - places) = f,   S = diag(s) where held, 0 elsewhere
 * @param[in] springs, places  n; borrowed; springs > 0 where an unknown may be held
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_dirichlet_system_springs(dls_dirichlet_system *S, const double *springs, const double *places);
/**
 * x where held is 0, so that A x = f there.
 * @param[in]     held  n: is x_i prescribed?
 * @param[in]     f     n
 * @param[in,out] x     n; in: prescribed values, and a guess of the others; out: the solution
 * @param[out]    r     n: f - A x, recomputed; rounding where held is 0, S (x - places) elsewhere
 * @return DLS_OK: |r_i| <= 1e-14 max_j (|f_j| + sum_k |A_jk x_k|) where held is 0; DLS_ERR_NOCONV; DLS_ERR_MEMORY
 */
dls_status dls_dirichlet_system_solve(dls_dirichlet_system *S, const unsigned char *held, const double *f,
                                      double *x, double *r);
/**
 * An estimate for a set of prescribed unknowns that is about to change. With multigrid, x is accurate to 1e-6 of the terms
 * of the rows (root mean square of terms over the diagonal entry), and r is the residual of the iteration. Otherwise as
 * dls_dirichlet_system_solve.
 * @param[out] solved  as dls_dirichlet_system_solve
 */
dls_status dls_dirichlet_system_estimate(dls_dirichlet_system *S, const unsigned char *held, const double *f,
                                         double *x, double *r, bool *solved);
/**
 * The unknowns at their bounds at the minimum of 1/2 x^T A x - f^T x, with a few errors, and x near the minimum
 * (monotone.h).
 * @return DLS_OK; DLS_ERR_NOT_APPLICABLE with springs, or if multigrid did not solve the last systems; DLS_ERR_MEMORY
 */
dls_status dls_dirichlet_system_descend(dls_dirichlet_system *S, dls_bounds bounds, const double *f, double *x,
                                        unsigned char *held);
/** Count the methods that take over: "multigrid", "cholesky". @param[in] fallbacks  borrowed; NULL: do not */
void dls_dirichlet_system_count_fallbacks(dls_dirichlet_system *S, dls_fallbacks *fallbacks);
/** How the last systems were solved: "conjugate gradients", with "multigrid", or "Cholesky". */
const char *dls_dirichlet_system_method(const dls_dirichlet_system *S);

#endif
