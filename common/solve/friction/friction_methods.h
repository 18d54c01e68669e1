/* friction_methods.h -- what the methods behind dls_problem_solve share.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_SOLVE_FRICTION_METHODS_H
#define DELASSUS_COMMON_SOLVE_FRICTION_METHODS_H

#include <delassus/lcp.h>
#include <delassus/problem.h>
#include <stdbool.h>

extern const dls_problem_method dls_problem_auto, dls_problem_one_contact, dls_problem_frictionless,
    dls_problem_modes, dls_problem_lemke, dls_problem_nsgs, dls_problem_newton, dls_problem_interior_point,
    dls_problem_proximal, dls_problem_faceted, dls_problem_apgd;

/* planar_modes.c, for a problem that dls_problem_modes accepts. @param[out] none  true if each combination of modes is
 * excluded
 * @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_modes_exclude(dls_problem_task *task, bool *none);

enum { DLS_BLOCK = 9 }; /* numbers of a 3 x 3 block */

/* Target residual of a method, whatever is accepted, so that results do not depend on units; and the level of rounding. */
#define DLS_EXACT 1e-14
#define DLS_ROUNDING 1e-15

/* Quality of r as a solution of the problem. */
typedef struct dls_certificate {
  double residual, absolute; /* error norm of the report */
  double norm, scale;        /* |f|_2 and max(|q|, |u|, |r / rho|) */
} dls_certificate;

struct dls_problem_task {
  const dls_problem *problem;
  const dls_problem_operator *W;
  size_t count, n, facets;
  double tolerance, load; /* load = |q|_2 */
  const double *q;
  const dls_block *blocks;
  /* Workspace of the solver. */
  size_t *first;             /* count + 1: first row of each block */
  double *inverse_rho;       /* count: tr W_aa / d [m/s per N s] */
  double *own;               /* 9 count: W_aa, column-major, d x d */
  double *start;             /* n: the guess */
  double *best, *best_u;     /* n: the best r so far (the caller's) and its u */
  double *kept;              /* n: r before a damped step */
  double *r, *u, *f, *x;     /* n: work vectors of the methods; f is the certificate's */
  double *A, *D, *B;         /* 9 count, count, 9 count: of the Newton method */
  dls_problem_report report; /* of the best r; method NULL before the first */
  bool accepted;
  double begun; /* work count of W before this problem */
  double delta; /* proximal term of the last step of Newton's method */
  double usual; /* no larger one is taken; 0: not known */
  double
      fraction; /* Newton's method ends if its steps leave more than this of the residual on average; 0: no limit */
  dls_problem_solver *solver;
};

typedef struct dls_dense_operator dls_dense_operator;
typedef struct dls_sparse_operator dls_sparse_operator;

struct dls_problem_solver {
  const dls_problem_method *method;
  double tolerance;
  size_t facets, iterations; /* of faceted, of apgd */
  const dls_problem_watch *watch;
  const dls_interrupt_poll *interrupt; /* borrowed; NULL: none */
  dls_fallbacks *fallbacks;            /* borrowed; NULL: none */
  bool stopped;                        /* polled count, in this problem */
  double delta;        /* with which Newton's method from a guess ended, where steps were slow ... */
  size_t delta_rows;   /* ... on so many rows; 0: it was not needed */
  double *guess;       /* of the monitored problem */
  size_t rows, blocks; /* capacity */
  double *reals;
  size_t *first;
  dls_dense_operator *dense; /* NULL before first use */
  dls_sparse_operator *sparse;
  dls_matrix *copy;    /* sparse, of a matrix in other storage */
  dls_lcp_solver *lcp; /* for frictionless problems and those reduced to an LCP */
  dls_lcp_solver *lemke;
  double *room; /* for methods that build an LCP or try modes */
  size_t room_size;
};

/* task.c: `refuses` of a method that handles every problem. @return NULL */
const char *dls_problem_refuses_none(const dls_problem *problem);
/* problem.c: does r = 0 satisfy the law of a block where u = q? */
bool dls_block_rests(const dls_block *block, const double *q);
/* layout.c: @param[in,out] r  n: the guess, then the best answer so far @return DLS_OK; DLS_ERR_ARG; DLS_ERR_NONFINITE;
 * DLS_ERR_MEMORY */
dls_status dls_task_begin(dls_problem_solver *solver, const dls_problem *problem, double *r,
                          dls_problem_task *task, dls_error *err);
/**
 * Judge r (u, f are left in task->u, task->f) and keep it if it is the best so
 * far.
 * @param[in] r  n; may be task->r, not task->best
 * @return its certificate
 */
dls_certificate dls_task_offer(dls_problem_task *task, const double *r, const char *method, size_t iterations);
/* The certificate alone; u n, f n. */
dls_certificate dls_certify(const dls_problem_task *task, const double *r, double *u, double *f);
/* |f|_2 for any u, e.g. of another problem with the same laws. @param[out] f  n */
double dls_task_gap(const dls_problem_task *task, const double *r, const double *u, double *f);
/* Does the residual meet the tolerance? */
bool dls_certificate_accepts(const dls_problem_task *task, const dls_certificate *c);
/* Has a contact the associated law? */
bool dls_problem_associated(const dls_problem *problem);
/* `refuses` of methods for Coulomb's law alone. @return NULL, or the reason */
const char *dls_problem_refuses_associated(const dls_problem *problem);
/* associated.c: the solution of one contact in the plane with the associated law; W_NN > 0. */
void dls_associated_exact(const double *W, const double *q, double mu, double *r);
/* one_contact.c: as dls_contact_exact, for an r that is near. In space its slip is refined by Newton's method, without the roots of the
 * quartic. Of several slips: one that is near r. */
void dls_contact_from(size_t d, const double *W, const double *q, double mu, double *r);
/* Room for `count` doubles. @return NULL if out of memory */
double *dls_task_room(dls_problem_task *task, size_t count);

/* nsgs.c: sweeps over r, forwards and backwards. u is W r + q before and, up to
 * rounding, after. */
void dls_task_sweep(const dls_problem_task *task, size_t sweeps, double *r, double *u);
/* alart_curnier.c: r += dr, (A (W + delta diag(1 / rho)) + B) dr = -Phi, at task->r with the u of task->u. task->x: -dr. @return as
 * factor */
dls_status dls_task_newton_step(dls_problem_task *task, double delta);
/* Steps from task->r, which task->x, A, B, D serve, until it
 * is exact, fails, or gets no better.
 * @param[in] delta  the proximal term @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_task_newton(dls_problem_task *task, double delta, size_t most, size_t *steps);
/* The same, with a proximal term that shrinks as long as steps help and grows where they do not. */
dls_status dls_task_newton_damped(dls_problem_task *task, size_t most, size_t *steps);

/* interior_point.c: from the middle of the cones, scale max |q| from their tips. task->r: the last.
 * @param[in] correctors  of a step; 1 where Newton's method ends what is left @return as above */
dls_status dls_task_interior_point(dls_problem_task *task, double scale, size_t correctors, size_t most,
                                   size_t *steps);

/* polyhedral.c: is every contact without friction, or in the plane with the associated law? */
bool dls_problem_polyhedral(const dls_problem *problem);
/* polyhedral.c: interior points for such problems, from task->start, moved inside in proportion to `scale` and its error. task->r: the last.
 * @return as above */
dls_status dls_task_polyhedral(dls_problem_task *task, double scale, size_t most, size_t *steps);

/* proximal.c: from task->r. task->r: the last point. @return as above */
dls_status dls_task_proximal(dls_problem_task *task, size_t most, size_t *steps);

/* Factor A (W + D) + B with A, D, B of the task. @return as dls_problem_operator's factor */
dls_status dls_task_factor(dls_problem_task *task);
/* Is the work limit reached, or was the solve interrupted? */
bool dls_task_spent(const dls_problem_task *task);
/* A stage of "auto" ended after these iterations. */
void dls_task_stage(dls_problem_task *task, const char *method, size_t iterations);
/* Sum over all stages. */
size_t dls_task_iterations(const dls_problem_task *task);

/* Operators: created at first use and cached. @return NULL if out of memory */
const dls_problem_operator *dls_dense_operator_take(dls_dense_operator **dense, size_t n, const double *W);
/* Allocate for factors of n rows before they are needed. @return false if out of memory */
bool dls_dense_operator_reserve(dls_dense_operator **dense, size_t n);
void dls_dense_operator_destroy(dls_dense_operator *dense);
/* @param[in] ranks  W is factored often enough for its ranks to be looked for, if bodies is NULL */
const dls_problem_operator *dls_sparse_operator_take(dls_sparse_operator **sparse, const dls_matrix *W,
                                                     const dls_problem_bodies *bodies, bool ranks);
void dls_sparse_operator_destroy(dls_sparse_operator *sparse);

#endif
