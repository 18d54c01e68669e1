/* common/solve/lcp/lcp_methods.h -- what the methods behind dls_lcp_solve share.
 *
 * The driver hands every method an equilibrated problem: the rows and columns of W are scaled by powers of two
 * to largest entries of about 1, and b to a largest entry in [1/2, 1). The constants below assume this.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_LCP_METHODS_H
#define DELASSUS_LCP_METHODS_H

#include <delassus/lcp.h>
#include <float.h>
#include <stdbool.h>

extern const dls_lcp_method dls_lcp_closed_form, dls_lcp_enumeration, dls_lcp_block_pivoting, dls_lcp_lemke,
    dls_lcp_pgs;

/* If z could grow without bound, |W| |z| would grow too. Then a z along a direction with W z = 0 up to rounding would be
 * accepted for an unsolvable problem. So rounding errors of W z + b may hide at most this fraction of max |b_i|. A chain of
 * n hanging contacts has |W| |z| = n^2 / 2 max |b_i|, which gives 1e-4 for n = 1e6. */
#define DLS_LCP_HIDDEN 1e-3

/* Rounding in w_i of an active set, in units of |b_i| + sum_j |W_ij z_j|. */
#define DLS_LCP_ZERO 1e-13

/* While other sets remain, methods look for a z with |W| |z| at most about 1e6 max |b_i|. */
#define DLS_LCP_GROWTH 1e6

/* Rounding error of W z + b relative to |W| |z| + |b|, for rows of n terms, with a margin for the solve. */
static inline double dls_lcp_rounding(size_t n)
{
  return 8 * (double)(n + 1) * DBL_EPSILON;
}

/* Rows of the equilibrated problem are judged by their own size, |b_i| + sum_j |W_ij| |z_j|, so that small rows count. A
 * row below this fraction of the largest may be rounding errors only. */
#define DLS_LCP_SMALL_ROW 1e-2

/** Quality of z as a solution of LCP(W,b): residual and scale as in lcp.h. */
typedef struct dls_lcp_figures {
  double residual, scale;
  double worst; /* max_i |min(s_i z_i, w_i)| / size_i: the componentwise backward error */
} dls_lcp_figures;

/** @param[out] w,size  n each: W z + b and max(|b_i| + sum_j |W_ij| |z_j|, DLS_LCP_SMALL_ROW scale) */
dls_lcp_figures dls_lcp_judge(size_t n, const double *W, const double *b, const double *z, double *w,
                              double *size);

/** The residual and the rounding that may hide in it: W z + b is known to an ulp of its largest term. */
static inline double dls_lcp_certain(const dls_lcp_figures *figures)
{
  return figures->residual + DBL_EPSILON * figures->scale;
}

/** The value a method compares with the tolerance (equilibrated problems only). */
double dls_lcp_merit(const dls_lcp_figures *figures);

/** Powers of two: W'_ij = row_i W_ij column_j, b'_i = load row_i b_i, so that z_j = column_j z'_j / load. */
typedef struct dls_lcp_scaling {
  double *row, *column, load;
} dls_lcp_scaling;

/**
 * Equilibrate W.
 * @param[in]  n,W      finite
 * @param[out] s        row[n], column[n] memory of the caller
 * @param[out] Ws       n x n
 * @param      work     2n
 */
void dls_lcp_equilibrate(size_t n, const double *W, dls_lcp_scaling *s, double *Ws, double *work);
/** s->load, and b by it and the rows of s. @param[in] b  finite, not zero @param[out] bs  n */
void dls_lcp_scale_load(size_t n, const double *b, dls_lcp_scaling *s, double *bs);

/** Candidates from active sets: z_a = -W_aa^{-1} b_a for the indices a in the set, 0 elsewhere. */
typedef struct dls_lcp_sets {
  size_t n;
  const double *W, *b;
  double *best; /* n, >= 0: the best z so far */
  double merit; /* merit of the best z */
  size_t tried;
  int *active;                          /* n flags: the set to try next */
  double *z, *w, *size, *rhs, *factors; /* workspace */
  int *list, *swap, *wrong;
} dls_lcp_sets;

size_t dls_lcp_sets_reals(size_t n);
size_t dls_lcp_sets_integers(size_t n);
/** Start with the set {i: z_i > 0}; best := z, not yet judged (merit infinite). */
void dls_lcp_sets_start(dls_lcp_sets *sets, size_t n, const double *W, const double *b, double *z,
                        double *reals, int *integers);
/** Judge sets->z (negative entries count as 0) and keep it if better than the best. */
void dls_lcp_sets_offer(dls_lcp_sets *sets);
/**
 * Try the active set, then up to rounds - 1 times the set in which every index of the wrong sign has changed
 * sides (block principal pivoting).
 * @return true once the best is exact up to rounding
 */
bool dls_lcp_sets_pivot(dls_lcp_sets *sets, size_t rounds);
/** LU factors of W_aa for sets->list[k] = a, and x := W_aa^{-1} x. @return false if W_aa is singular */
bool dls_lcp_sets_factor(const dls_lcp_sets *sets, size_t k);
void dls_lcp_sets_solve(const dls_lcp_sets *sets, size_t k, double *x);

enum { DLS_LCP_MOST_ROUNDS = 500 }; /* limit of block pivoting; ten iterations are already many */

/** A problem with an operator during block pivoting; the arrays are the caller's, n each. */
typedef struct dls_lcp_pivoting {
  const dls_lcp_operator *W;
  const double *b;
  double shift;             /* W means W + shift diagonal */
  double *z, *w, *size, *x; /* z of the last set, W z + b, |b_i| + sum_j |W_ij z_j|; scratch */
  /* n flags: the starting set on entry, the last on exit; no index with zero diagonal */
  unsigned char *active;
  int *set; /* indices of the last set tried, count of them */
  size_t count;
  size_t tried;                        /* number of sets, increased */
  size_t most;                         /* limit of iterations */
  const dls_interrupt_poll *interrupt; /* polled before each set except the first; NULL: none */
} dls_lcp_pivoting;

/**
 * Factor, solve, and exchange the indices with the wrong sign until there are none.
 * @return DLS_OK; DLS_ERR_SINGULAR if a W_aa is; DLS_ERR_NOCONV at the limit of iterations; DLS_ERR_INTERRUPTED;
 * DLS_ERR_MEMORY
 */
dls_status dls_lcp_pivot(dls_lcp_pivoting *p);
/** The starting set: that of z > 0, all if z = 0. @return its size */
size_t dls_lcp_first_set(const dls_lcp_operator *W, const double *z, unsigned char *active);

/** Residual and scale of z; w and size as in dls_lcp_judge. */
dls_lcp_figures dls_lcp_judge_operator(const dls_lcp_operator *W, const double *b, const double *z, double *w,
                                       double *size);
/** The same from w and size as dls_lcp_judge takes them, if known; size is raised. */
dls_lcp_figures dls_lcp_weigh_operator(const dls_lcp_operator *W, const double *z, const double *w,
                                       double *size);
/** Does z, by these figures, solve the problem for max |b_i| = largest: exactly for a problem that differs from it by at
 * most the tolerance, entry by entry? */
bool dls_lcp_accepted(const dls_lcp_figures *figures, double tolerance, double largest);
/** Projected Gauss-Seidel from p->z; p->w, p->size are scratch. @return DLS_OK if accepted; DLS_ERR_NOCONV; DLS_ERR_INTERRUPTED */
dls_status dls_lcp_sweep(const dls_lcp_pivoting *p, double tolerance, double largest, size_t *sweeps);

struct dls_lcp_solver {
  const dls_lcp_method *method; /* NULL: auto */
  double tolerance;
  size_t capacity; /* dense */
  double *reals;
  int *integers;
  size_t scaled; /* order of the W equilibrated last; it and its scaling are in the workspace; 0: none */
  size_t operator_capacity; /* for operators only */
  double *operator_reals;
  int *operator_set;
  unsigned char *operator_active;
  struct dls_lcp_matrix *matrix;       /* of dls_lcp_solve_matrix; NULL before its first use */
  dls_matrix *copy;                    /* sparse, of a matrix in other storage */
  const dls_interrupt_poll *interrupt; /* borrowed; NULL: none */
  dls_fallbacks *fallbacks;            /* borrowed; NULL: none */
};
/** Memory for problems of n contacts. Without it, those of more than 64 ask for it when they are solved. @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_lcp_reserve(dls_lcp_solver *solver, size_t n, dls_error *err);
/** Allocate for operators of n contacts. @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_lcp_reserve_operator(dls_lcp_solver *solver, size_t n);
/** Is z = 0 the solution? If so, fill z, w and the report's residual and scale. */
bool dls_lcp_nothing_to_do(size_t n, const double *b, double *z, double *w, dls_lcp_report *report);

#endif
