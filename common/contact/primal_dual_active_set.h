/* primal_dual_active_set.h -- contact by a primal-dual active set on the unknowns of the body. Each contact must move an unknown
 * of its own: its column of H has one entry, in a row that no other contact has. Then
 *
 *   A x = f + H p,    0 <= w = H^T x + s  _|_  p >= 0,    s = u + c u-                                           (1)
 *
 * needs neither W = H^T A^-1 H nor a saddle-point system. The unknown of a closed contact is prescribed, x_i = -s_k / H_ik, so that
 * the system (dirichlet_system.h) loses a row, and the residual of that row is the impulse. Contacts with a wrong sign change
 * between open and closed until none is left. The sets are those of block pivoting on W.
 *
 * A method whose impulses move a contact by more than A^-1 H p, along its own unknown, has the second line
 *
 *   0 <= w = H^T x + s + E p  _|_  p >= 0,    E = H^T (k M)^-1 H,    M diagonal                                  (2)
 *
 * There the unknown of a closed contact is drawn to x_i = -s_k / H_ik by a spring k M_ii.
 * Source: Hueeber, Wohlmuth 2005, Computer Methods in Applied Mechanics and Engineering 194 (primal-dual active sets on the
 * unknowns of the body).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_CONTACT_PRIMAL_DUAL_ACTIVE_SET_H
#define DELASSUS_COMMON_CONTACT_PRIMAL_DUAL_ACTIVE_SET_H

#include <delassus/contact_system.h>
#include <stdbool.h>

typedef struct dls_primal_dual dls_primal_dual;

/**
 * For many contacts, all of that kind, with normal laws on a linear system.
 * @param[in]  contacts, A  A of M, C, K; borrowed; arrays of the contact system are scratch
 * @param[out] R         NULL where the contacts are of another kind
 * @return false if out of memory
 */
bool dls_primal_dual_create(dls_contact_system *contacts, const dls_factor *A, dls_primal_dual **R);
void dls_primal_dual_destroy(dls_primal_dual *R); /* NULL is fine */
/** Set A to these coefficients of M, C, K, and k of (2); no work if they are unchanged.
 * @param[in] spring  k; 0: (1)
 * @return DLS_OK; DLS_ERR_NOT_APPLICABLE for a matrix that is not symmetric, and k > 0 with M not diagonal; DLS_ERR_MEMORY */
dls_status dls_primal_dual_matrix(dls_primal_dual *R, const double *coefficients, double spring);
/**
 * (1) or (2) on a set of contacts, with the mixture c of their laws.
 * @param[in]     f           n
 * @param[in]     u, u_minus  set->count
 * @param[in,out] p     set->count; in: those that are positive are closed to begin with
 * @param[out]    x     n
 * @return DLS_OK with A x = f + H p to 1e-14 of the largest row, w = 0 where p > 0, else w >= -1e-13 (|H^T x| + |s|);
 *         DLS_ERR_NOT_APPLICABLE if no solution was found: use W. Then the next 16 problems get the same answer (after another
 *         failure the next 32, and so on), unless the coefficients change; DLS_ERR_INTERRUPTED; DLS_ERR_MEMORY
 */
dls_status dls_primal_dual_solve(dls_primal_dual *R, const dls_contacts *set, const double *f, const double *u,
                                 const double *u_minus, double *p, double *x, dls_error *err);
/** x := A^{-1} f, x a guess before. @return DLS_OK; DLS_ERR_NOT_APPLICABLE; DLS_ERR_MEMORY */
dls_status dls_primal_dual_unconstrained(dls_primal_dual *R, const double *f, double *x);

#endif
