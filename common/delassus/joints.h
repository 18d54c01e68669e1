/* delassus/joints.h -- the joints of a system at an instant. One problem serves smooth motion, impact and contact:
 *
 *   A x = f + D mu,   C^T x = c,        x = S f + (what c asks for)                                 (1)
 *
 * A is the mass matrix or the iteration matrix of a scheme. D has the directions of the joints' forces, C those of their
 * conditions. Both are gradients G of Phi, mostly at the same (t, q). S = A^-1 - A^-1 D (C^T A^-1 D)^+ C^T A^-1 replaces
 * A^-1 in all contact problems. With A = M, D = C it is symmetric, C^T S = 0 and S M S = S.
 *
 * Small systems: orthonormal bases of the directions that C and D leave free, by complete orthogonal decompositions. Redundant
 * equations are found, and mu are those with the least sum of (|D_i| mu_i)^2. The rank is found where Phi = 0 (dls_joints_learn),
 * since elsewhere redundant equations seem independent: rows of C of length 1 count from 1e-6 of the largest pivot on. Later
 * the same number of rows counts, down to 1e-13: a loss of rank in a singular configuration would free a motion.
 * Large sparse systems: all of (1) by KLU, with a shift that iterative refinement removes.
 * Where all equations are independent, elimination along the bodies takes the place of both, unless a pivot is small.
 * Nothing here allocates after creation.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_JOINTS_H
#define DELASSUS_JOINTS_H

#include <delassus/counters.h>
#include <delassus/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dls_joints dls_joints;

/**
 * @param[in] sys  with r > 0; borrowed
 * @param[in] A    factored before dls_joints_factor; borrowed
 * @return NULL if out of memory
 */
dls_joints *dls_joints_create(const dls_system *sys, dls_factor *A);
void dls_joints_destroy(dls_joints *J); /* NULL is fine */
/** Count the factorizations whose elimination is refused. @param[in,out] J  NULL: nothing @param[in] fallbacks  borrowed; NULL: do not */
void dls_joints_count_fallbacks(dls_joints *J, dls_fallbacks *fallbacks);

/** Phi, dPhi/dt, C = D at (t, q), and (1) factored; q is borrowed until the next. @return as dls_joints_factor */
dls_status dls_joints_at(dls_joints *J, double t, const double *q, dls_error *err);
/** The same in parts, D, and Phi, dPhi/dt and C: some schemes take them at different (t, q). */
void dls_joints_directions(dls_joints *J, double t, const double *q);
void dls_joints_conditions(dls_joints *J, double t, const double *q);
/** C alone, for a matrix of Newton's method that has derivatives of the conditions. */
void dls_joints_rows(dls_joints *J, double t, const double *q);
/** Phi at (t, q), where C, D and the factors of an earlier place serve. @return false where they do not: equations may be redundant */
bool dls_joints_residual(dls_joints *J, double t, const double *q);
/** A has been factored again. */
void dls_joints_touch(dls_joints *J);
/** @return DLS_OK; DLS_ERR_SINGULAR where motions that C leaves free have no inertia; DLS_ERR_MEMORY */
dls_status dls_joints_factor(dls_joints *J, dls_error *err);
/** Phi = 0 at the conditions: take the rank from there, unless it has been larger. */
void dls_joints_learn(dls_joints *J);
/** Use the rank of another. */
void dls_joints_follow(dls_joints *J, const dls_joints *other);
/** Number of redundant equations; 0 for large systems, where they are not sought. */
size_t dls_joints_redundant(const dls_joints *J);

/** Has the rank at 1e-6 fallen below that learned where Phi = 0? Always false for large systems. */
bool dls_joints_lose_rank(const dls_joints *J);

/** x := S x; x[n]. joints: a dls_joints. */
void dls_joints_project(void *joints, double *x);
/**
 * Solve (1).
 * @param[in,out] x   n; f in, x out
 * @param[in]     c   r; NULL: 0. Contradictory equations are met in the least-squares sense
 * @param[out]    mu  r; NULL: not asked for
 */
void dls_joints_solve(dls_joints *J, double *x, const double *c, double *mu);
/** dls_joints_factor, then dls_joints_solve, in less time. @return as dls_joints_factor; x is unchanged where it fails */
dls_status dls_joints_factor_solve(dls_joints *J, double *x, const double *c, double *mu, dls_error *err);

/** Phi and u = C^T v + dPhi/dt at the conditions; r. */
const double *dls_joints_phi(const dls_joints *J);
void dls_joints_velocity(const dls_joints *J, const double *v, double *u);
/** The largest |Phi_i| / |C_i|, a length in coordinates; and of which equation, unless NULL. */
double dls_joints_distance(const dls_joints *J, size_t *worst);
/** The largest |u_i| / |C_i|. */
double dls_joints_drift(dls_joints *J, const double *v, size_t *worst);
/** The largest |C_i^T a + c_i(v)| / |C_i|. */
double dls_joints_defect(dls_joints *J, const double *v, const double *a, size_t *worst);
/**
 * Accelerations at the conditions: C^T a + c(v) = 0, or with Baumgarte's terms = -2 alpha u - alpha^2 Phi.
 * @param[in,out] a      n; forces in, accelerations out
 * @param[in]     alpha  1/s; 0: none
 * @param[out]    mu     r; NULL: not asked for
 */
void dls_joints_acceleration(dls_joints *J, const double *v, double alpha, double *a, double *mu);
/** dls_joints_at, then dls_joints_acceleration, in less time. @return as dls_joints_at; a is unchanged where it fails */
dls_status dls_joints_at_acceleration(dls_joints *J, double t, const double *q, const double *v, double alpha,
                                      double *a, double *mu, dls_error *err);
/** dq := the shortest step towards Phi = 0, in the metric of A. */
void dls_joints_correction(dls_joints *J, double *dq);
/** v := nearest with u = 0, in the metric of A. */
void dls_joints_hold(dls_joints *J, double *v);
/**
 * q := nearest with Phi = 0 at time t, up to rounding; J is there then.
 * @return as dls_joints_factor; DLS_ERR_NOCONV names an equation that stays unmet
 */
dls_status dls_joints_project_q(dls_joints *J, double t, double *q, dls_error *err);

#ifdef __cplusplus
}
#endif

#endif
