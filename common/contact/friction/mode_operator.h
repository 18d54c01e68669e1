/* common/contact/friction/mode_operator.h -- A = B^T M^-1 D of many closed contacts at acceleration level (contact_mode.h) where M is diagonal
 * and H sparse, without an entry of A: products by H, and systems S (A + E) + Q of Newton's method by the bodies (body_schur.h).
 *
 * A contact has d rows r = D x. With B^T D = 1 for its columns, its equations S (B^T u' + E x) + Q x = f are
 *   (B S B^T) (u' + E r) + (B Q B^T + 1 - D B^T) r = B f,      x = B^T r,
 * in all its rows, so that no law needs a matrix of its own.
 *
 * Contacts may be redundant, so that A is singular. Held contacts have S = 1, E = s d, d the largest entry of the diagonal of A, and the step
 *   x += (A + s d)^{-1} (-b - A x)
 * is repeated, which removes s again (proximal points). If A is symmetric, it converges to the solution nearest to the x that it starts
 * with, as a rank-revealing decomposition finds it.
 * Source: Rockafellar 1976, SIAM J. Control Optimization 14.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_CONTACT_MODE_OPERATOR_H
#define DELASSUS_COMMON_CONTACT_MODE_OPERATOR_H

#include <delassus/contact_system.h>
#include <delassus/problem.h>

/** An unknown force of a contact: what it is along the rows, and the combination of them that is 0. */
typedef struct dls_unknown {
  size_t row;                 /* the first of the contact */
  double along[3], across[3]; /* d; columns of D and B */
  double shift;               /* x of a slip that turns: B^T u' + shift x is 0 */
} dls_unknown;

/** Unknowns up to which an array is the better choice. */
enum { DLS_MODES_FEW = 100 };

/** s: leaves half of the digits, which the passes recover. */
#define DLS_PROXIMAL_SHIFT 1e-8
/** Part of the largest diagonal entry of A: pivots below are those of s. */
#define DLS_PROXIMAL_REDUNDANT 1e-6

typedef struct dls_mode_operator dls_mode_operator;

/** Do contacts act on each other only by common coordinates? */
bool dls_mode_operator_applies(const dls_contact_system *contacts);
/** @param[in] contacts  to which it applies; borrowed @return NULL if out of memory */
dls_mode_operator *dls_mode_operator_create(dls_contact_system *contacts);
void dls_mode_operator_destroy(dls_mode_operator *O); /* NULL is fine */
/**
 * The contacts and their unknowns, with M and H as they are now.
 * @param[in] count    contacts
 * @param[in] first    count + 1: their first unknowns; borrowed until the next
 * @param[in] unknown  first[count], those of a contact in the same row; borrowed as well
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_mode_operator_take(dls_mode_operator *O, size_t count, const size_t *first,
                                  const dls_unknown *unknown);
/** Row and column i of A. */
double dls_mode_operator_entry(dls_contact_system *contacts, const dls_unknown *row, const dls_unknown *column);
/** A, for dls_problem.by_operator. @return NULL if out of memory */
const dls_problem_operator *dls_mode_operator_problem(dls_mode_operator *O);
/** Factor A + s d. @param[out] rank  of A, by pivots that s alone does not explain @return DLS_OK; DLS_ERR_SINGULAR; DLS_ERR_MEMORY */
dls_status dls_mode_operator_hold(dls_mode_operator *O, size_t *rank);
/** x := (A + s d)^{-1} x after that. */
void dls_mode_operator_solve(dls_mode_operator *O, double *x);

#endif
