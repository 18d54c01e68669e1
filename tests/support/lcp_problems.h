/* lcp_problems.h -- random complementarity problems of known character, and a residual of the tests' own.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_LCP_PROBLEMS_H
#define DELASSUS_TESTS_LCP_PROBLEMS_H

#include <delassus/lcp.h>
#include <gsl/gsl_rng.h>

enum { LCP_MAX = 30 };
#define LCP_TOLERANCE 1e-10

typedef struct lcp_problem {
  size_t n;
  double W[LCP_MAX * LCP_MAX], b[LCP_MAX];
} lcp_problem;

typedef void (*lcp_generator)(gsl_rng *rng, size_t n, lcp_problem *p);

/* W := H^T H + skew K, n x n; H d x n, and K skew-symmetric with normal entries. */
void gram_matrix(gsl_rng *rng, size_t n, const double *H, size_t d, double skew, double *W);

/* P-matrices: positive definite and far from symmetric. */
void lcp_definite(gsl_rng *rng, size_t n, lcp_problem *p);
/* P-matrices that are not definite: triangular with a positive diagonal, rows and columns permuted alike. */
void lcp_triangular(gsl_rng *rng, size_t n, lcp_problem *p);
/* P-matrices with dominant rows, nonsymmetric. */
void lcp_dominant(gsl_rng *rng, size_t n, lcp_problem *p);
void lcp_any_p(gsl_rng *rng, size_t n, lcp_problem *p);
/* M-matrices: off-diagonal entries <= 0, many of them 0; every third is the chain of beads, (-1, 2, -1). */
void lcp_m_matrix(gsl_rng *rng, size_t n, lcp_problem *p);
/* Symmetric definite with small integers, and b = w - W z for integers z, w of which a third are both 0: ties
 * that are exact, and rows with b = 0. */
void lcp_degenerate(gsl_rng *rng, size_t n, lcp_problem *p);
/* Redundant contacts: W = H^T H of rank d < n, b = H^T v; solvable, as v = 0 afterwards is admissible. */
void lcp_redundant(gsl_rng *rng, size_t n, lcp_problem *p);
/* The same with small integers: ties that are exact, and rows in which everything is zero. */
void lcp_redundant_integers(gsl_rng *rng, size_t n, lcp_problem *p);
/* min c^T x, A x >= 0, x >= 0 with small integers and c = A^T y + s, s >= 0, y >= 0, so that x = 0 and y solve
 * it: W = [0, -A^T; A, 0], b = (c, 0), as degenerate as can be. */
void lcp_degenerate_program(gsl_rng *rng, size_t n, lcp_problem *p);
/* P-matrices on which the pivots of Gaussian elimination grow as 2^n (Wilkinson 1963): without refinement of
 * the final set the residual is 1e-9 for n = 30. */
void lcp_growing(gsl_rng *rng, size_t n, lcp_problem *p);
/* W = H^T H with H y = 0 for a y > 0 and y^T b < 0: then y^T w = y^T b < 0 for every z, which no w >= 0 allows.
 */
void lcp_unsolvable(gsl_rng *rng, size_t n, lcp_problem *p);

/** LCP_TOLERANCE as tolerance, room for LCP_MAX. */
dls_lcp_solver *lcp_create(const char *method);

/** Solve from z = 0, check z >= 0, w, the residual reported, and that DLS_OK is deserved. */
dls_status lcp_solve(dls_lcp_solver *solver, const lcp_problem *p, double *z, double *w,
                     dls_lcp_report *report);

#endif
