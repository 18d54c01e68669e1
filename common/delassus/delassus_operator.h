/* delassus/delassus_operator.h -- W = H^T A^{-1} H for the contacts that are active, and v += A^{-1} H p.
 *
 * A is any factored matrix: the mass matrix or a scheme's iteration matrix. Cost and memory follow its structure:
 *   A diagonal, H not dense: W is sparse, two contacts are coupled if they move a common degree of freedom;
 *   up to 100 active contacts, or dense A: W is an array. A column of A^{-1} H costs one solve when its contact is active for the
 *   first time, and is kept until dls_delassus_reset;
 *   contacts along the boundary of a large mesh (m > 64, m^2 <= 16 n): W is an array, and its columns are kept instead;
 *   more contacts on another banded or sparse A: W would fill in, so the saddle-point system [A -H; H^T 0] replaces it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_DELASSUS_OPERATOR_H
#define DELASSUS_DELASSUS_OPERATOR_H

#include <delassus/error.h>
#include <delassus/joints.h>
#include <delassus/lcp.h>
#include <delassus/matrix.h>
#include <delassus/problem.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dls_delassus dls_delassus;

/**
 * @param[in] A  factored before the first use; borrowed
 * @param[in] H  n x m; borrowed
 * @return NULL if out of memory
 */
dls_delassus *dls_delassus_create(dls_factor *A, const dls_matrix *H);
/**
 * The same with A^{-1} N M^{-1} in place of A^{-1}, N a sum of the terms of A: 0 until dls_delassus_product sets it.
 * @param[in] M  factored before the first use; borrowed
 */
dls_delassus *dls_delassus_create_product(dls_factor *A, dls_factor *M, const dls_matrix *H);
/** N := sum_i coefficients[i] terms[i], up to four terms in the order that A was made with; and as dls_delassus_reset. */
void dls_delassus_product(dls_delassus *D, size_t count, const double *coefficients);
/**
 * The same with any linear operator in place of A^{-1}: for few active contacts, as W is held as an array.
 * @param[in] apply  x := A^{-1} x, x[n]
 */
dls_delassus *dls_delassus_create_with(void (*apply)(void *data, double *x), void *data, const dls_matrix *H);
/**
 * The same with the projector S of joints, delassus/joints.h: W = H^T S H. For many active contacts on large systems W is not an array.
 * @param[in] J  factored before the first use; after each new factorization call dls_delassus_reset; borrowed
 */
dls_delassus *dls_delassus_create_joints(dls_joints *J, const dls_matrix *H);
void dls_delassus_destroy(dls_delassus *D);
/** A or H changed: forget the columns. */
void dls_delassus_reset(dls_delassus *D);

/* Without active contacts (count = 0) these do nothing, and D may be NULL: a system without contacts has none. */

/**
 * A solver with room for these problems on sets of up to so many contacts, without allocations in dls_delassus_solve: arrays up to 64,
 * where a set may need one.
 * @param[in] D  NULL only without contacts
 * @return as dls_lcp_create
 */
dls_status dls_delassus_create_lcp(const dls_delassus *D, size_t contacts, double tolerance,
                                   dls_lcp_solver **out, dls_error *err);
/**
 * Solve 0 <= W p + b _|_ p >= 0 over the active contacts.
 * @param[in]     count, active  indices of the active contacts, increasing
 * @param[in]     b              count
 * @param[in,out] p              count; start value in, solution out
 * @param[in,out] work_solves, work_pivots  counters, increased; may be NULL
 * @return as dls_lcp_solve
 */
dls_status dls_delassus_solve(dls_delassus *D, dls_lcp_solver *lcp, size_t count, const size_t *active,
                              const double *b, double *p, size_t *work_solves, size_t *work_pivots,
                              dls_error *err);
/**
 * Solve a problem with laws, W = H^T A^{-1} H of the active rows of u (columns of H). W is dense for few rows and sparse where A is
 * diagonal. For many rows on a banded or sparse A it takes solves with A, and a saddle-point system for Newton's steps.
 * @param[in]     active   rows of u, increasing; as many as the blocks of the problem have
 * @param[in]     problem  its W is not read
 * @param[in,out] r        start value in, solution out
 * @return as dls_problem_solve
 */
dls_status dls_delassus_solve_problem(dls_delassus *D, dls_problem_solver *solver, const size_t *active,
                                      const dls_problem *problem, double *r, double *u,
                                      dls_problem_report *report, dls_error *err);
/** Room for that in advance, as an array of up to 64 rows. @return false if out of memory */
bool dls_delassus_reserve_problem(dls_delassus *D);
/** How many solutions that problem has. @param[out] solutions  0: none, or undecided @return as dls_problem_count */
dls_status dls_delassus_count(dls_delassus *D, dls_problem_solver *solver, const size_t *active,
                              const dls_problem *problem, size_t *solutions, dls_error *err);
/** Solve W p + b = 0 over the active contacts (bilateral). Where W is singular: the p of least norm among those
 * of least residual, which is 0 up to rounding if b is in the range of W. Fails only with DLS_ERR_MEMORY. */
dls_status dls_delassus_solve_bilateral(dls_delassus *D, size_t count, const size_t *active, const double *b,
                                        double *p, dls_error *err);
/** Find the rank of W over the active contacts, of up to 64. @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_delassus_rank(dls_delassus *D, size_t count, const size_t *active, dls_error *err);
/** Count the methods of bilateral solves that take over: "orthogonal-decomposition", "proximal-point";
 * as "bilateral-residual" answers of the last whose residual did not converge, although the rows are consistent;
 * as "all-contacts" problems that were not solved for the contacts that may close alone, although columns of W take solves; and as
 * "full-solve" columns of W that took a solve with all of A, although rows of H are eliminated last.
 * @param[in] fallbacks  borrowed; NULL: do not */
void dls_delassus_count_fallbacks(dls_delassus *D, dls_fallbacks *fallbacks);
/** How many of these rows are redundant, if dls_delassus_rank or the last bilateral solve had to find out; else 0. */
size_t dls_delassus_redundant(const dls_delassus *D);
/** Are rows redundant in the last bilateral solve, or is it not known, as proximal points solved for them? */
bool dls_delassus_may_be_redundant(const dls_delassus *D);
/**
 * b := (diag(E) + s W)^{-1} b over the active contacts: contacts that yield under their forces. Time and memory follow the entries of W, or of A and H.
 * @param[in]     count  >= 1
 * @param[in]     E      count, >= 0
 * @param[in,out] b      count; unchanged with DLS_ERR_NOT_APPLICABLE and DLS_ERR_SINGULAR
 * @return DLS_OK; DLS_ERR_NOT_APPLICABLE where W is an array (few contacts and no chain, or W nearly full): use dls_delassus_entry;
 *         DLS_ERR_SINGULAR; DLS_ERR_MEMORY
 */
dls_status dls_delassus_solve_compliant(dls_delassus *D, double s, size_t count, const size_t *active,
                                        const double *E, double *b, dls_error *err);
/** Room for that in advance: where W is tridiagonal, a solve then allocates nothing. @return false if out of memory */
bool dls_delassus_reserve_compliant(dls_delassus *D);
/**
 * x := (S W + B)^{-1} x over active columns of H, with block-diagonal S and B: the linearised laws of groups of d columns.
 * @param[in]     d, count  columns of a block, 1 to 3; blocks
 * @param[in]     active    d count, increasing
 * @param[in]     S, B      blocks of 3 x 3, column-major, 9 numbers each
 * @param[in,out] x         d count
 * @return DLS_OK; DLS_ERR_SINGULAR; DLS_ERR_MEMORY
 */
dls_status dls_delassus_solve_blocks(dls_delassus *D, size_t d, size_t count, const size_t *active,
                                     const double *S, const double *B, double *x, dls_error *err);
/** Room for that in advance. If W is an array of no more rows than were reserved with it, a solve then allocates nothing.
 * @return false if out of memory */
bool dls_delassus_reserve_blocks(dls_delassus *D, size_t d);
/** v += alpha A^{-1} H p over the active contacts; v[n]. */
void dls_delassus_apply(dls_delassus *D, size_t count, const size_t *active, double alpha, const double *p,
                        double *v);
/** What that adds to v if a single p is not 0: p times this column of A^{-1} H.
 * @return false if there are more, or the column is not kept
 * @param[out] only    its index in active; count where all p are 0
 * @param[out] column  n; kept until dls_delassus_reset */
bool dls_delassus_only(const dls_delassus *D, size_t count, const size_t *active, const double *p, size_t *only,
                       const double **column);
/** n: the diagonal of A^{-1}, where A is diagonal and H sparse, so that p adds (p H_ij) A^{-1}_ii to v_i; else NULL.
 * @return kept until dls_delassus_reset */
const double *dls_delassus_diagonal(dls_delassus *D);
/** Columns of W of these contacts, where each takes a solve with A: all are made faster than one by one by the calls of dls_delassus_entry
 * that follow. If there is no memory for them, these calls still work. */
void dls_delassus_make_columns(dls_delassus *D, size_t count, const size_t *active);
/** W(i,j) for contacts i, j. */
double dls_delassus_entry(dls_delassus *D, size_t i, size_t j);
/** Is W tridiagonal with W_k,k+1 <= 0, whatever A is? Each coordinate moves one contact, or two neighbours in opposite directions. */
bool dls_delassus_is_chain(const dls_delassus *D);

#ifdef __cplusplus
}
#endif

#endif
