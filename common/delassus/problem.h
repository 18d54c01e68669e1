/* delassus/problem.h -- contact problems with laws: find r and u = W r + q such that every block obeys its law,
 *   DLS_FREE     u = 0                                            (joint, held contact)
 *   DLS_HALF     0 <= u_N  _|_  r_N >= 0                          (contact without friction)
 *   DLS_COULOMB  K* > (u_N + mu |u_T|, u_T)  _|_  r in K          (Coulomb, one or two tangents)
 *   DLS_ASSOCIATED  K* > u  _|_  r in K                           (Coulomb's cone with the associated flow: convex)
 * with K = {|r_T| <= mu r_N}, K* its dual. Blocks follow each other; inside a contact the order is N, T1, T2. The terms of
 * a law with velocities before an impact (e u^-, e_T u_T^-) are part of q.
 *
 * One driver in front of several methods. It recomputes the certificate from W, q and r, and never takes it from a method. With
 * rho = d / tr W_aa of a block of d rows and the projection P on its cone,
 *   f_a = (r_a - P(r_a - rho_a (u_N + mu |u_T|, u_T))) / rho_a       a velocity; u for DLS_FREE
 *   residual = |f|_2 / max(|q|_2, |u|_2, |r_a / rho_a|_2),   residual_abs = max_a |f_a|_2.
 * The associated law is Coulomb's of (u_N - mu |u_T|, u_T), and is judged as such.
 * For every mu, u_N = 0, or r = 0 and u_N >= 0. The projection on a wide cone divides the violation of that by mu. Hence |f_a| is
 * taken as at least -u_N, or min(u_N, |r_a / rho_a|), with friction.
 * Neither residual depends on units. A solution is accepted when residual <= tolerance and, but for one block with W_00 > 0,
 * |f|_2 <= 1e6 tolerance |q|_2 and (machine epsilon) max(...) <= |q|_2: a huge r along which W r vanishes hides no violation.
 * For a contact with 8 (machine epsilon) (1 + mu) > tolerance, which with 1e-12 begins at mu = 562, |u_T| counts in
 * mu |u_T| less its rounding, 8 (machine epsilon) max(...). Nothing else is reduced, and no other contact.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_PROBLEM_H
#define DELASSUS_PROBLEM_H

#include <delassus/counters.h>
#include <delassus/error.h>
#include <delassus/matrix.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dls_block_law { DLS_FREE, DLS_HALF, DLS_COULOMB, DLS_ASSOCIATED } dls_block_law;

/** Rows of u and r that go together. */
typedef struct dls_block {
  dls_block_law law;
  size_t rows; /* DLS_FREE: 1 to 3 (a longer joint is several blocks); DLS_HALF: 1; with friction 2 or 3 */
  double mu;   /* with friction: its coefficient, >= 0; else not read */
} dls_block;

/** W as an operator; need not be symmetric. */
typedef struct dls_problem_operator {
  size_t n;
  const char *structure; /* for the report: "dense", "sparse", ... */
  void *data;            /* of the calls */
  /** u += W r. */
  void (*multiply)(void *data, const double *r, double *u);
  /** u += W x for an x that is 0 but for x[count] at rows first, first + 1, ... */
  void (*add_columns)(void *data, size_t first, size_t count, const double *x, double *u);
  /** W(first..first + count - 1, the same), column-major. */
  void (*diagonal)(void *data, size_t first, size_t count, double *block);
  /** Factor J = A (W + D) + B with block-diagonal A, D, B: blocks of 3 x 3, column-major, A[9 k + i + 3 j], D one number
   * a block. @return DLS_OK; DLS_ERR_SINGULAR; DLS_ERR_MEMORY */
  dls_status (*factor)(void *data, size_t blocks, const size_t *first, const double *A, const double *D,
                       const double *B);
  /** x := J^{-1} x. */
  void (*solve)(void *data, double *x);
  const double *work; /* multiplications done so far; NULL: not counted */
} dls_problem_operator;

/** What W = H^T M^{-1} H is made of, with diagonal M; H only in the columns of the problem. */
typedef struct dls_problem_bodies {
  size_t n;                   /* rows of H */
  const double *inverse_mass; /* n: the diagonal of M^{-1} */
  const dls_matrix *H;        /* sparse */
  const size_t *columns;      /* the column of H for each row of the problem */
} dls_problem_bodies;

/** A problem; everything is borrowed. W is one of the three that are not NULL. */
typedef struct dls_problem {
  size_t count;
  const dls_block *blocks;  /* count */
  const double *q;          /* n = sum of the blocks' rows [m/s] */
  const double *dense;      /* n x n, column-major */
  const dls_matrix *matrix; /* any storage */
  const dls_problem_operator *by_operator;
  const dls_problem_bodies
      *bodies; /* besides a sparse matrix, where it is known: makes Newton's steps cheap. May be NULL */
} dls_problem;

/** Result of a part of the method "auto". */
typedef struct dls_problem_stage {
  const char *method;
  size_t iterations; /* all of it */
  double residual;   /* the best one at its end */
} dls_problem_stage;

enum { DLS_PROBLEM_STAGES = 6 };

typedef struct dls_problem_report {
  double residual;       /* scaled, as above */
  double residual_abs;   /* m/s */
  size_t iterations;     /* sweeps, Newton steps, pivots, modes: what the method that answered counts */
  const char *method;    /* that gave the answer */
  const char *structure; /* how W was used */
  size_t solutions; /* that the problem has, where the method finds them all; else 0. See dls_problem_count */
  size_t stages;    /* of "auto" where no formula did; in the order of their beginning */
  dls_problem_stage stage[DLS_PROBLEM_STAGES];
} dls_problem_report;

/** The parts of "auto" as METHOD:ITERATIONS:RESIDUAL;...; empty without. @param[out] text  200 characters are enough */
void dls_problem_stages_text(const dls_problem_report *report, char *text, size_t size);

typedef struct dls_problem_solver dls_problem_solver; /* workspace and choice of method */
typedef struct dls_problem_task dls_problem_task;     /* a problem on its way through the methods */

/** One method: one file in common/solve/, one line in the list of problem.c. */
typedef struct dls_problem_method {
  const char *name, *summary, *source;
  const char *handles;                         /* which problems, in words */
  const char *(*refuses)(const dls_problem *); /* NULL if it handles the problem, else the reason */
  /** Offers its iterates to the judge. @return DLS_OK if it believes its best; DLS_ERR_LCP without a solution;
   * DLS_ERR_NOCONV at its limit; DLS_ERR_MEMORY */
  dls_status (*solve)(dls_problem_task *task);
} dls_problem_method;

/** The methods there are, "auto" first; ends with NULL. */
const dls_problem_method *const *dls_problem_methods(void);

/**
 * @param[in] method     name, or NULL or "auto"
 * @param[in] tolerance  residual accepted, e.g. 1e-12
 * @return DLS_OK; DLS_ERR_OPTION for an unknown name; DLS_ERR_ARG; DLS_ERR_MEMORY
 */
dls_status dls_problem_create(const char *method, double tolerance, dls_problem_solver **out, dls_error *err);
void dls_problem_destroy(dls_problem_solver *solver);
/** Called after every problem that a solver has solved, or failed to solve. */
typedef struct dls_problem_watch {
  /** @param[in] guess  n: the r that the solver began with */
  void (*solved)(void *data, const dls_problem *problem, const double *guess, const dls_problem_report *report);
  void *data;
} dls_problem_watch;
/** @param[in] watch  borrowed; NULL: none */
void dls_problem_watch_by(dls_problem_solver *solver, const dls_problem_watch *watch);
/** Poll between two steps of a method. An interrupted solve returns DLS_ERR_INTERRUPTED.
 * @param[in] interrupt  borrowed; NULL: none */
void dls_problem_set_interrupt(dls_problem_solver *solver, const dls_interrupt_poll *interrupt);
/** Count the methods of "auto" that take over from others. @param[in] fallbacks  borrowed; NULL: do not */
void dls_problem_count_fallbacks(dls_problem_solver *solver, dls_fallbacks *fallbacks);
/** Forget what earlier problems have taught. */
void dls_problem_restart(dls_problem_solver *solver);
/** Iterations of the method "apgd", at least 1; 20000 at first. */
void dls_problem_iterations(dls_problem_solver *solver, size_t most);
/** Facets of the method "faceted", 3 to 64; 8 at first. @return DLS_OK; DLS_ERR_OPTION */
dls_status dls_problem_facets(dls_problem_solver *solver, size_t facets, dls_error *err);

/**
 * Solve. Memory is kept and grows with the largest problem; a problem of the size and pattern of an earlier one allocates
 * nothing, but for what KLU takes to factor a sparse matrix.
 * @param[in,out] r  n; in: the r of the last step for contacts that were there, 0 for others (it selects one of several
 *                   solutions); out: solution, or the best found
 * @param[out]    u  n, W r + q; may be NULL
 * @param[out]    report  may be NULL
 * @return DLS_OK; DLS_ERR_LCP or DLS_ERR_NOCONV with the residual that was reached; DLS_ERR_INTERRUPTED; DLS_ERR_NOT_APPLICABLE where the method
 *         asked for does not do this problem; DLS_ERR_NONFINITE; DLS_ERR_ARG; DLS_ERR_MEMORY
 */
dls_status dls_problem_solve(dls_problem_solver *solver, const dls_problem *problem, double *r, double *u,
                             dls_problem_report *report, dls_error *err);
/** The certificate of any r. @param[out] u  n, W r + q @return DLS_OK; DLS_ERR_ARG; DLS_ERR_NONFINITE; DLS_ERR_MEMORY */
dls_status dls_problem_judge(dls_problem_solver *solver, const dls_problem *problem, const double *r, double *u,
                             dls_problem_report *report, dls_error *err);

/**
 * The number of solutions with different u: redundant contacts have many r for one u. For problems in the plane with up to
 * 65536 combinations of modes (8 contacts with friction, 16 without), and for one contact in space. Combinations with a singular
 * system are left out: their u appears with others, unless it is a continuum.
 * @param[out] solutions  0: there is none, or undecided
 * @return DLS_OK; as dls_problem_solve for an invalid problem
 */
dls_status dls_problem_count(dls_problem_solver *solver, const dls_problem *problem, size_t *solutions,
                             dls_error *err);

/**
 * Does a problem have no solution? For problems in the plane with up to 65536 combinations of modes. True if the equations of each
 * combination are contradictory, or their solution violates a law by more than rounding, for a relative error of W up to 1e-10.
 * @param[out] unsolvable  false: there is a solution, or undecided
 * @return DLS_OK; DLS_ERR_ARG; DLS_ERR_NONFINITE; DLS_ERR_MEMORY
 */
dls_status dls_problem_unsolvable(dls_problem_solver *solver, const dls_problem *problem, bool *unsolvable,
                                  dls_error *err);

enum { DLS_ONE_CONTACT_MOST = 8 };
/**
 * All solutions of one contact with Coulomb's law that are isolated, smallest |r| first.
 * @param[in]  d, W, q, mu  2 or 3; d x d, column-major; d
 * @param[out] r  room for DLS_ONE_CONTACT_MOST solutions of d numbers each
 * @return how many; 0 only if there is none (never for positive definite W)
 */
size_t dls_one_contact(size_t d, const double *W, const double *q, double mu, double *r);

#ifdef __cplusplus
}
#endif

#endif
