/* common/solve/large/structured.c -- the driver for W that is not a dense array: block pivoting, then block pivoting
 * with a shift that iteration removes, then dense methods on a copy. Certifies every answer itself, like lcp.c.
 *
 * Shifted, where W_aa is singular (redundant contacts): the proximal point method
 *   z_k+1 solves LCP(W + s D, b - s D z_k),   D = diag(W),
 * whose problems have one solution each and which converges to a solution of LCP(W,b) if there is one.
 * Source: Rockafellar 1976, SIAM J. Control Optimization 14 (proximal point).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/memory.h"
#include "common/linear/storage.h"
#include "common/solve/large/cascade.h"
#include "common/solve/large/matrix_operator.h"
#include "common/solve/large/warm_start.h"
#include "common/solve/lcp/lcp_methods.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* shift relative to diag(W): leaves pivots of 1e-10 of the diagonal, and six digits */
static const double shift = 1e-10;
enum { MOST_SHIFTED = 40, STALLED = 5 }; /* limit of proximal steps; two or three are usual */
enum { FEW_ROUNDS = 20 };                /* limit of pivoting iterations from a guess */
enum { MOST_DENSE = 1000 };              /* contacts up to which a dense copy is made as a last resort */

typedef struct problem {
  const dls_lcp_operator *W;
  const double *b;
  double tolerance, largest; /* max |b_i| */
  dls_lcp_pivoting p;        /* its z is the candidate */
  double *z, *w;             /* n: the best so far; z is the caller's */
  double *load, *last;       /* n: b - s D z_k, z_k */
  dls_lcp_report best;       /* method NULL before the first judgement */
  double certain, worst;     /* with the rounding allowance; componentwise backward error */
  bool accepted;
} problem;

static problem begin(const dls_lcp_solver *solver, const dls_lcp_operator *W, const double *b, double *z)
{
  const size_t n = W->n;
  double *reals = solver->operator_reals;
  problem t = {.W = W, .b = b, .tolerance = solver->tolerance, .z = z, .w = reals, .load = reals + n};
  t.last = reals + 2 * n;
  t.p = (dls_lcp_pivoting){.W = W, .b = b, .z = reals + 3 * n, .w = reals + 4 * n, .size = reals + 5 * n};
  t.p.x = reals + 6 * n;
  t.p.active = solver->operator_active;
  t.p.set = solver->operator_set;
  t.p.most = DLS_LCP_MOST_ROUNDS;
  t.p.interrupt = solver->interrupt;
  for (size_t i = 0; i < n; i++) {
    t.largest = fabs(b[i]) > t.largest ? fabs(b[i]) : t.largest;
    t.last[i] = z[i] > 0 && z[i] <= DBL_MAX ? z[i] : 0;
  }
  return t;
}

/* Keep the candidate with these residuals if it is the best so far. */
static void keep(problem *t, dls_lcp_figures f, const char *method, size_t pivots)
{
  const size_t n = t->W->n;
  const double certain = dls_lcp_certain(&f);
  const bool accepted = dls_lcp_accepted(&f, t->tolerance, t->largest);
  const bool better =
      t->best.method == NULL || accepted > t->accepted || (accepted == t->accepted && certain < t->certain);
  if (!better || !(f.residual <= DBL_MAX && f.scale <= DBL_MAX)) {
    return;
  }
  memcpy(t->z, t->p.z, n * sizeof *t->z);
  memcpy(t->w, t->p.w, n * sizeof *t->w);
  t->best = (dls_lcp_report){.residual = f.residual,
                             .scale = f.scale,
                             .pivots = pivots,
                             .method = method,
                             .structure = t->W->structure,
                             .shift = t->p.shift};
  t->certain = certain;
  t->worst = f.worst;
  t->accepted = accepted;
}

/* Keep the candidate, its negative entries as 0, if it is the best so far. */
static void judge(problem *t, const char *method, size_t pivots)
{
  for (size_t i = 0; i < t->W->n; i++) {
    t->p.z[i] = t->p.z[i] > 0 ? t->p.z[i] : 0;
  }
  keep(t, dls_lcp_judge_operator(t->W, t->b, t->p.z, t->p.w, t->p.size), method, pivots);
}

/* A result of block pivoting has no negative z. Its w and size are W z + b and the sum of its terms, unless shifted. */
static dls_status pivot(problem *t)
{
  const dls_status status = dls_lcp_pivot(&t->p);
  if (status == DLS_OK && t->p.shift == 0) {
    keep(t, dls_lcp_weigh_operator(t->W, t->p.z, t->p.w, t->p.size), dls_lcp_block_pivoting.name, t->p.tried);
  } else if (status == DLS_OK || status == DLS_ERR_NOCONV) {
    judge(t, dls_lcp_block_pivoting.name, t->p.tried);
  }
  return status;
}

/* From the set of the guess; if that does not converge, or without a guess, from the operator's first set. */
static dls_status pivot_from_guess(problem *t)
{
  bool guessed = false;
  for (size_t i = 0; i < t->W->n; i++) {
    guessed = guessed || t->last[i] > 0;
  }
  dls_lcp_first_set(t->W, t->last, t->p.active);
  const size_t few = t->W->guess_rounds > 0 ? t->W->guess_rounds : FEW_ROUNDS;
  t->p.most = guessed ? few : DLS_LCP_MOST_ROUNDS;
  dls_status status = guessed || t->W->first_set == NULL ? pivot(t) : DLS_ERR_NOCONV;
  if (status == DLS_ERR_NOCONV && !t->accepted) {
    t->p.most = DLS_LCP_MOST_ROUNDS;
    status = t->W->first_set != NULL ? t->W->first_set(t->W->data, t->b, t->p.active, t->p.z) : DLS_OK;
    status = status != DLS_OK ? status : pivot(t);
  }
  return status;
}

/* The proximal point method, from the guess. */
static dls_status pivot_shifted(problem *t)
{
  const size_t n = t->W->n;
  dls_status status = DLS_OK;
  double least = HUGE_VAL;
  t->p.shift = shift;
  t->p.b = t->load;
  for (int k = 0, stalled = 0; k < MOST_SHIFTED && stalled < STALLED && status == DLS_OK && !t->accepted; k++) {
    for (size_t i = 0; i < n; i++) {
      t->load[i] = t->b[i] - shift * t->W->diagonal[i] * t->last[i];
    }
    status = pivot(t);
    memcpy(t->last, t->p.z, n * sizeof *t->last);
    stalled = t->certain < 0.5 * least ? 0 : stalled + 1;
    least = t->certain < least ? t->certain : least;
  }
  t->p.b = t->b;
  t->p.shift = 0;
  return status;
}

/* The dense methods on a copy of W. */
static dls_status solve_dense(dls_lcp_solver *solver, problem *t, dls_error *err)
{
  const size_t n = t->W->n;
  double *W = calloc(dls_size_product(n, n), sizeof *W);
  if (W == NULL) {
    return DLS_ERR_MEMORY;
  }
  memset(t->load, 0, n * sizeof *t->load);
  for (size_t j = 0; j < n; j++) {
    t->load[j] = 1;
    t->W->multiply(t->W->data, t->load, W + j * n, t->p.size);
    t->load[j] = 0;
  }
  dls_lcp_report report = {0};
  memcpy(t->last, t->z, n * sizeof *t->last);
  const dls_status status = dls_lcp_solve(solver, n, W, t->b, t->last, NULL, &report, err);
  free(W);
  memcpy(t->p.z, t->last, n * sizeof *t->last);
  judge(t, report.method, report.pivots);
  return status;
}

static dls_status sweep(problem *t)
{
  size_t sweeps = 0;
  memcpy(t->p.z, t->z, t->W->n * sizeof *t->z);
  const dls_status status = dls_lcp_sweep(&t->p, t->tolerance, t->largest, &sweeps);
  judge(t, dls_lcp_pgs.name, sweeps);
  return status;
}

/* no other method is left */
static bool ends(dls_status status)
{
  return status == DLS_ERR_MEMORY || status == DLS_ERR_INTERRUPTED;
}

static dls_status try_methods(dls_lcp_solver *solver, problem *t, dls_error *err)
{
  const dls_lcp_method *asked = solver->method;
  dls_status status = DLS_ERR_NOCONV;
  if (asked == NULL || asked == &dls_lcp_block_pivoting) {
    status = pivot_from_guess(t);
    if (!ends(status) && !t->accepted) {
      dls_count_fallback(solver->fallbacks, "shifted-pivoting");
      status = pivot_shifted(t);
    }
  }
  if (t->accepted || ends(status) || asked == &dls_lcp_block_pivoting) {
    return t->accepted ? DLS_OK : status;
  }
  dls_count_fallback(asked == NULL ? solver->fallbacks : NULL,
                     t->W->n > MOST_DENSE ? dls_lcp_pgs.name : "dense-lcp");
  if (asked == &dls_lcp_pgs || t->W->n > MOST_DENSE) {
    return t->W->sweep == NULL ? DLS_ERR_NOT_APPLICABLE : sweep(t);
  }
  return solve_dense(solver, t, err);
}

static dls_status explain(const dls_lcp_solver *solver, const problem *t, dls_status status, dls_error *err)
{
  const char *asked = solver->method != NULL ? solver->method->name : "auto";
  if (status == DLS_ERR_MEMORY) {
    return dls_fail(err, status, "lcp: no memory for n = %zu contacts (%s)", t->W->n, t->W->structure);
  }
  if (status == DLS_ERR_INTERRUPTED) {
    return dls_fail(err, status, "interrupted in a complementarity problem of %zu contacts", t->W->n);
  }
  const dls_status verdict =
      status == DLS_ERR_LCP || status == DLS_ERR_NOT_APPLICABLE ? status : DLS_ERR_NOCONV;
  return dls_fail(
      err, verdict,
      "lcp of n = %zu (%s), method %s: %s; the best, by %s, has residual %g, %g of |b| + |W||z| where "
      "tolerance %g is allowed, and %g of rounding errors where %g is",
      t->W->n, t->W->structure, asked, verdict == DLS_ERR_LCP ? "no solution found" : "not converged",
      t->best.method, t->best.residual, t->worst, t->tolerance, DBL_EPSILON * t->best.scale,
      DLS_LCP_HIDDEN * t->largest);
}

static dls_status check(const dls_lcp_operator *W, const double *b, dls_error *err)
{
  for (size_t i = 0; i < W->n; i++) {
    if (!isfinite(b[i]) || !isfinite(W->diagonal[i])) {
      return dls_fail(err, DLS_ERR_NONFINITE, "lcp of n = %zu: %s[%zu] = %g is not finite", W->n,
                      isfinite(b[i]) ? "diagonal of W, " : "b", i, isfinite(b[i]) ? W->diagonal[i] : b[i]);
    }
  }
  return DLS_OK;
}

dls_status dls_lcp_solve_operator(dls_lcp_solver *solver, const dls_lcp_operator *W, const double *b, double *z,
                                  double *w, dls_lcp_report *report, dls_error *err)
{
  if (solver == NULL || W == NULL || (W->n > 0 && (b == NULL || z == NULL))) {
    return dls_fail(err, DLS_ERR_ARG, "lcp: solver, W, b or z is NULL");
  }
  dls_lcp_report own;
  report = report != NULL ? report : &own;
  if (dls_lcp_warm_start(solver, W, b, z, w, report)) {
    return DLS_OK;
  }
  *report =
      (dls_lcp_report){.residual = INFINITY,
                       .scale = INFINITY,
                       .method = solver->method != NULL ? solver->method->name : dls_lcp_block_pivoting.name,
                       .structure = W->structure};
  dls_status status = check(W, b, err);
  if (status != DLS_OK || dls_lcp_nothing_to_do(W->n, b, z, w, report)) {
    return status;
  }
  if (dls_lcp_reserve_operator(solver, W->n) != DLS_OK) {
    return dls_fail(err, DLS_ERR_MEMORY, "lcp: no memory for n = %zu contacts (%s)", W->n, W->structure);
  }
  problem t = begin(solver, W, b, z);
  status = try_methods(solver, &t, err);
  if (t.best.method == NULL) { /* nothing finite: z = 0 */
    memset(t.p.z, 0, W->n * sizeof *t.p.z);
    judge(&t, report->method, 0);
  }
  if (w != NULL) {
    memcpy(w, t.w, W->n * sizeof *w);
  }
  *report = t.best;
  return t.accepted ? DLS_OK : explain(solver, &t, status, err);
}

typedef struct symmetry {
  const dls_matrix *W;
  dls_matrix *copy; /* NULL: not created */
  size_t row, column;
  bool broken, finite;
} symmetry;

static void check_entry(void *data, size_t i, size_t j, double x)
{
  symmetry *s = data;
  const double mirror = dls_matrix_get(s->W, j, i);
  const bool broken = fabs(x - mirror) > 8 * DBL_EPSILON * fabs(x);
  if (!s->broken && s->finite && (broken || !isfinite(x))) {
    s->row = i;
    s->column = j;
    s->broken = isfinite(x);
    s->finite = isfinite(x);
  }
  if (s->copy != NULL) {
    dls_matrix_set(s->copy, i, j, x);
  }
}

static size_t most_entries(const dls_matrix *W)
{
  return W->rows * (W->storage == DLS_BAND ? W->lower + W->upper + 1 : 1);
}

/* W as sparse matrix for solver->matrix. */
static dls_status take(dls_lcp_solver *solver, const dls_matrix *W, dls_error *err)
{
  symmetry s = {.W = W, .finite = true};
  if (W->storage != DLS_SPARSE) {
    dls_matrix_destroy(solver->copy);
    s.copy = solver->copy = dls_matrix_sparse(W->rows, W->columns, most_entries(W));
  }
  solver->matrix = solver->matrix != NULL ? solver->matrix : dls_lcp_matrix_create(dls_lcp_cascade);
  if (solver->matrix == NULL || (W->storage != DLS_SPARSE && s.copy == NULL)) {
    return dls_fail(err, DLS_ERR_MEMORY, "lcp: no memory for n = %zu contacts", W->rows);
  }
  dls_matrix_visit(W, check_entry, &s);
  if (s.broken || !s.finite) {
    return dls_fail(err, s.finite ? DLS_ERR_ARG : DLS_ERR_NONFINITE,
                    "lcp of n = %zu: W[%zu,%zu] = %g is not %s", W->rows, s.row, s.column,
                    dls_matrix_get(W, s.row, s.column), s.finite ? "equal to its mirror image" : "finite");
  }
  return dls_lcp_matrix_take(solver->matrix, s.copy != NULL ? s.copy : W) == DLS_OK
             ? DLS_OK
             : dls_fail(err, DLS_ERR_MEMORY, "lcp: no memory for n = %zu contacts", W->rows);
}

/* Small or dense W: as an array. */
static dls_status solve_array(dls_lcp_solver *solver, const dls_matrix *W, const double *b, double *z,
                              double *w, dls_lcp_report *report, dls_error *err)
{
  const size_t n = W->rows;
  if (W->storage == DLS_DENSE) {
    return dls_lcp_solve(solver, n, W->values, b, z, w, report, err);
  }
  double array[36];
  for (size_t k = 0; k < n * n; k++) {
    array[k] = dls_matrix_get(W, k % n, k / n);
  }
  return dls_lcp_solve(solver, n, array, b, z, w, report, err);
}

dls_status dls_lcp_solve_matrix(dls_lcp_solver *solver, const dls_matrix *W, const double *b, double *z,
                                double *w, dls_lcp_report *report, dls_error *err)
{
  if (solver == NULL || W == NULL || W->rows != W->columns || b == NULL || z == NULL) {
    return dls_fail(err, DLS_ERR_ARG, "lcp: solver, W, b or z is NULL, or W not square");
  }
  if (W->storage == DLS_DENSE || W->rows <= dls_lcp_enumeration.largest) {
    return solve_array(solver, W, b, z, w, report, err);
  }
  const dls_status status = take(solver, W, err);
  return status != DLS_OK ? status
                          : dls_lcp_solve_operator(solver, &solver->matrix->as_operator, b, z, w, report, err);
}
