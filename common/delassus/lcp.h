/* delassus/lcp.h -- linear complementarity problems: find z >= 0 with w = W z + b >= 0 and z^T w = 0.
 *
 * One driver in front of several methods. It reports the residual, which it recomputes from W, b and z and never takes from a
 * method:
 *   residual = max_i | min(s_i z_i, w_i) |,   s_i = W_ii where positive, else the largest |W_jk| (1 if W = 0),
 * in the unit of b. A solution is accepted when its componentwise backward error is small,
 *   | min(s_i z_i, w_i) | <= tolerance * max(size_i, scale / 100),   size_i = |b_i| + sum_j |W_ij| |z_j|,
 * scale the largest size_i. It then solves a problem whose entries differ by no more than the tolerance from those of
 * this one, except in rows where everything is small. In addition (machine epsilon) * scale <= 1e-3 max_i |b_i|: otherwise a huge z
 * along a direction in which W z is rounding would count as solution of a problem that has none.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_LCP_H
#define DELASSUS_LCP_H

#include <delassus/counters.h>
#include <delassus/error.h>
#include <delassus/matrix.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dls_lcp_solver dls_lcp_solver; /* workspace and choice of method */

typedef struct dls_lcp_report {
  double residual, scale; /* as above */
  size_t pivots;          /* pivots, subsets tried, or sweeps */
  const char *method;     /* name of the method that gave the answer */
  const char *structure;  /* how W was used: "dense", "tridiagonal", "sparse", "isostatic", "saddle-point" */
  double shift;           /* W + shift diag(W) was factored in its place, because W is singular; else 0 */
} dls_lcp_report;

/** W as an operator, for many contacts; symmetric and positive semi-definite. */
typedef struct dls_lcp_operator {
  size_t n;
  const char *structure;  /* for the report */
  const double *diagonal; /* n: W_ii, or lower bounds of it, positive where W_ii > 0 */
  void *data;             /* of the calls */
  /** w += W z and size_i += sum_j |W_ij| |z_j|, or a lower bound of it such as |(W z)_i|. */
  void (*multiply)(void *data, const double *z, double *w, double *size);
  /** z_i := max(0, z_i - w_i / W_ii), w = W z + b, forwards and backwards over all i. NULL: projected Gauss-Seidel
   * cannot be used. */
  void (*sweep)(void *data, const double *b, double *z);
  size_t sweeps; /* number of sweeps that improve an active set before it is factored ... */
  size_t rounds; /* ... after this number of iterations without sweeps */
  /** Factor W_aa + shift diagonal_aa for the indices set[count], increasing, count >= 1. The same request twice in
   * succession is done once. @return DLS_OK; DLS_ERR_SINGULAR; DLS_ERR_MEMORY */
  dls_status (*factor)(void *data, size_t count, const int *set, double shift);
  /** The active set to start with if z is 0, n flags; z[n] is scratch. NULL: all contacts. @return DLS_OK; DLS_ERR_MEMORY */
  dls_status (*first_set)(void *data, const double *b, unsigned char *active, double *z);
  size_t guess_rounds; /* iterations that may start from the set of z before first_set is called; 0: 20 */
  /** If the set a = {i: guess_i > 0} is that of the last factors, without shift: z_a := -W_aa^{-1} b_a, z := 0 elsewhere, w := W z + b
   * and size as multiply adds to |b|. NULL: it never is. @return false otherwise; z, w, size are then scratch */
  bool (*again)(void *data, const double *guess, const double *b, double *z, double *w, double *size);
  /** x := (W_aa + shift diagonal_aa)^{-1} x, x[count]. @return DLS_OK; DLS_ERR_MEMORY */
  dls_status (*solve)(void *data, double *x);
} dls_lcp_operator;

/** One method: one file in common/solve/, one line in the list of lcp.c. */
typedef struct dls_lcp_method {
  const char *name, *summary, *source;
  size_t largest; /* size above which `auto` does not use it */
  /** Number of doubles and of ints of workspace for size n. */
  size_t (*reals)(size_t n);
  size_t (*integers)(size_t n);
  /**
   * @param[in]     n,W,b  W n x n column-major; b[n]; the driver passes them equilibrated
   * @param[in,out] z      start value in (a guess, >= 0), answer out
   * @return DLS_OK if the method believes its answer (the driver checks); DLS_ERR_LCP on a ray or no solution;
   *         DLS_ERR_NOCONV at an iteration limit
   */
  dls_status (*solve)(size_t n, const double *W, const double *b, double tolerance, double *z, size_t *pivots,
                      double *reals, int *integers);
} dls_lcp_method;

/** All methods, in the order in which `auto` tries them; ends with NULL. */
const dls_lcp_method *const *dls_lcp_methods(void);

/**
 * @param[in] capacity   largest dense n without allocating, up to 64; it grows on demand
 * @param[in] method     name, or NULL or "auto": by size closed form, enumeration, block pivoting, Lemke, projected
 *                       Gauss-Seidel; if the residual of one is too large, the next is tried
 * @param[in] tolerance  relative residual accepted, e.g. 1e-12
 */
dls_status dls_lcp_create(size_t capacity, const char *method, double tolerance, dls_lcp_solver **out,
                          dls_error *err);
void dls_lcp_destroy(dls_lcp_solver *solver);
/** Poll between two sets, and between sweeps, of an operator. An interrupted solve returns DLS_ERR_INTERRUPTED.
 * @param[in] interrupt  borrowed; NULL: none */
void dls_lcp_set_interrupt(dls_lcp_solver *solver, const dls_interrupt_poll *interrupt);
/** Count the methods of "auto" that take over from others. @param[in] fallbacks  borrowed; NULL: do not */
void dls_lcp_count_fallbacks(dls_lcp_solver *solver, dls_fallbacks *fallbacks);

/**
 * Solve LCP(W,b). For redundant (positive semi-definite) W any solution is returned.
 * @param[in]     n  size; 0 is fine
 * @param[in]     W  n x n, column-major
 * @param[in,out] z  n; start value in for iterative methods (zeros are fine), solution out
 * @param[out]    w  n, W z + b; may be NULL
 * @param[out]    report  may be NULL
 * @return DLS_OK; DLS_ERR_LCP if no method found a solution (the message has size, residual, method);
 *         DLS_ERR_NOCONV; DLS_ERR_INTERRUPTED; DLS_ERR_NONFINITE if W or b is not finite; DLS_ERR_NOT_APPLICABLE if the method
 *         asked for cannot do this size; DLS_ERR_ARG; DLS_ERR_MEMORY. z is then the best found.
 */
dls_status dls_lcp_solve(dls_lcp_solver *solver, size_t n, const double *W, const double *b, double *z,
                         double *w, dls_lcp_report *report, dls_error *err);

/**
 * The same for a W that is not a dense array. `auto` uses block pivoting, which factors W_aa for one active set after
 * the other. It starts with the set of the given z (zeros: all contacts). If W_aa is singular, it adds a shift that an iteration
 * removes again. If that fails, the dense methods follow on a copy of W up to n = 1000, and projected Gauss-Seidel beyond.
 * The operator keeps the factors of the last set: while W and the active set stay, a problem costs two solves and two products.
 * @return as dls_lcp_solve
 */
dls_status dls_lcp_solve_operator(dls_lcp_solver *solver, const dls_lcp_operator *W, const double *b, double *z,
                                  double *w, dls_lcp_report *report, dls_error *err);
/** The same for a matrix in any storage: dense and up to n = 6 as dls_lcp_solve; others must be symmetric.
 * @return as dls_lcp_solve; DLS_ERR_ARG if W is not square or, in other than dense storage, not symmetric */
dls_status dls_lcp_solve_matrix(dls_lcp_solver *solver, const dls_matrix *W, const double *b, double *z,
                                double *w, dls_lcp_report *report, dls_error *err);

#ifdef __cplusplus
}
#endif

#endif
