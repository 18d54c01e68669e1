/* common/solve/lcp/lcp.c -- the driver of the methods: scales the problem, selects methods and certifies every answer.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/large/matrix_operator.h"
#include "common/solve/lcp/lcp_methods.h"
#include <delassus/option.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RESERVED = 64 }; /* contacts above which W need not be dense */

static const dls_lcp_method *const methods[] = {
    &dls_lcp_closed_form, &dls_lcp_enumeration, &dls_lcp_block_pivoting, &dls_lcp_lemke, &dls_lcp_pgs, NULL,
};

static const char dense[] = "dense"; /* how the methods use W */

/* One problem while it is solved. */
typedef struct attempt {
  size_t n;
  const double *W, *b;
  double largest;                       /* max |b_i| */
  double *z, *w;                        /* the best so far; z is the caller's */
  double *guess, *candidate;            /* z on entry, equilibrated; z of the current method */
  double *candidate_w, *candidate_size; /* certificate of z by dls_lcp_judge */
  double *Ws, *bs;                      /* the equilibrated problem */
  dls_lcp_scaling scaling;
  double *reals; /* workspace of the method */
  int *integers;
  dls_lcp_report best; /* method NULL before the first candidate */
  double certain;      /* its residual and the rounding that may hide in it */
  double worst;        /* its componentwise backward error */
  bool accepted;
} attempt;

const dls_lcp_method *const *dls_lcp_methods(void)
{
  return methods;
}

/* Workspace of the driver. */
static size_t own_reals(size_t n)
{
  return 2 * n * n + 8 * n;
}

/* On failure the old arrays are kept. */
dls_status dls_lcp_reserve(dls_lcp_solver *solver, size_t n, dls_error *err)
{
  size_t reals = 0, integers = 0;
  if (n <= solver->capacity) {
    return DLS_OK;
  }
  for (const dls_lcp_method *const *m = methods; *m; m++) {
    if (solver->method ? *m == solver->method : n <= (*m)->largest) {
      reals = (*m)->reals(n) > reals ? (*m)->reals(n) : reals;
      integers = (*m)->integers(n) > integers ? (*m)->integers(n) : integers;
    }
  }
  reals += own_reals(n);
  double *block = calloc(1, reals * sizeof *block + (integers + 1) * sizeof *solver->integers);
  if (!block) {
    return dls_fail(err, DLS_ERR_MEMORY, "lcp: no memory for n = %zu contacts", n);
  }
  free(solver->reals);
  solver->reals = block;
  solver->integers = (int *)(block + reals);
  solver->capacity = n;
  solver->scaled = 0;
  return DLS_OK;
}

static dls_status find_method(const char *name, const dls_lcp_method **method, dls_error *err)
{
  *method = NULL;
  if (!name || strcmp(name, "auto") == 0) {
    return DLS_OK;
  }
  char allowed[160] = "auto";
  for (const dls_lcp_method *const *m = methods; *m; m++) {
    if (strcmp(name, (*m)->name) == 0) {
      *method = *m;
      return DLS_OK;
    }
    const size_t length = strlen(allowed);
    snprintf(allowed + length, sizeof allowed - length, ", %s", (*m)->name);
  }
  return dls_fail(err, DLS_ERR_OPTION, "lcp method '%s' is unknown; allowed: %s", name, allowed);
}

dls_status dls_lcp_reserve_operator(dls_lcp_solver *solver, size_t n)
{
  if (n <= solver->operator_capacity) {
    return DLS_OK;
  }
  free(solver->operator_reals);
  solver->operator_capacity = 0;
  solver->operator_reals =
      malloc(n * (7 * sizeof(double) + sizeof *solver->operator_set + sizeof *solver->operator_active));
  if (solver->operator_reals == NULL) {
    return DLS_ERR_MEMORY;
  }
  solver->operator_set = (int *)(solver->operator_reals + 7 * n);
  solver->operator_active = (unsigned char *)(solver->operator_set + n);
  solver->operator_capacity = n;
  return DLS_OK;
}

dls_status dls_lcp_create(size_t capacity, const char *method, double tolerance, dls_lcp_solver **out,
                          dls_error *err)
{
  if (!out) {
    return dls_fail(err, DLS_ERR_ARG, "lcp: out is NULL");
  }
  *out = NULL;
  const dls_lcp_method *chosen;
  dls_status status = find_method(method, &chosen, err);
  if (status != DLS_OK) {
    return status;
  }
  if (!(tolerance > 0 && tolerance < 1)) {
    return dls_fail(err, DLS_ERR_OPTION, "lcp tolerance = %g is outside (0, 1)", tolerance);
  }
  dls_lcp_solver *solver = calloc(1, sizeof *solver);
  if (!solver) {
    return dls_fail(err, DLS_ERR_MEMORY, "lcp: no memory for a solver");
  }
  solver->method = chosen;
  solver->tolerance = tolerance;
  status = dls_lcp_reserve(solver, capacity < MOST_RESERVED ? capacity : MOST_RESERVED, err);
  if (status == DLS_OK && dls_lcp_reserve_operator(solver, capacity) != DLS_OK) {
    status = dls_fail(err, DLS_ERR_MEMORY, "lcp: no memory for n = %zu contacts", capacity);
  }
  if (status != DLS_OK) {
    dls_lcp_destroy(solver);
    return status;
  }
  *out = solver;
  return DLS_OK;
}

void dls_lcp_destroy(dls_lcp_solver *solver)
{
  if (solver) {
    free(solver->reals);
    free(solver->operator_reals);
    dls_lcp_matrix_destroy(solver->matrix);
    dls_matrix_destroy(solver->copy);
    free(solver);
  }
}

void dls_lcp_count_fallbacks(dls_lcp_solver *solver, dls_fallbacks *fallbacks)
{
  solver->fallbacks = fallbacks;
}

void dls_lcp_set_interrupt(dls_lcp_solver *solver, const dls_interrupt_poll *interrupt)
{
  solver->interrupt = interrupt;
}

/* One contact with W > 0 in `auto`: by far the most frequent case. @return false if the general path is needed */
static bool one_contact(double W, double b, double tolerance, double *z, double *w, dls_lcp_report *report)
{
  if (!(W > 0)) {
    return false;
  }
  const double x = b < 0 ? -b / W : 0, term = W * x, y = term + b;
  const double residual = fabs(term < y ? term : y), scale = fabs(b) + term;
  if (!(residual <= tolerance * scale && scale <= DBL_MAX)) { /* false too if W or b is not finite */
    return false;
  }
  *z = x;
  if (w) {
    *w = y;
  }
  if (report) {
    *report =
        (dls_lcp_report){.residual = residual, .scale = scale, .method = methods[0]->name, .structure = dense};
  }
  return true;
}

static bool all_finite(size_t count, const double *x)
{
  int finite = 1;
  for (size_t i = 0; i < count; i++) {
    finite &= fabs(x[i]) <= DBL_MAX;
  }
  return finite;
}

static dls_status check_finite(size_t n, const double *W, const double *b, dls_error *err)
{
  if (all_finite(n * n, W) && all_finite(n, b)) {
    return DLS_OK;
  }
  for (size_t i = 0; i < n; i++) {
    if (!isfinite(b[i])) {
      return dls_fail(err, DLS_ERR_NONFINITE, "lcp of n = %zu: b[%zu] = %g is not finite", n, i, b[i]);
    }
  }
  size_t k = 0;
  while (isfinite(W[k])) {
    k++;
  }
  return dls_fail(err, DLS_ERR_NONFINITE, "lcp of n = %zu: W[%zu,%zu] = %g is not finite", n, k % n, k / n,
                  W[k]);
}

/* Set up the workspace, equilibrate, and take z as the guess. */
static attempt begin(dls_lcp_solver *solver, size_t n, const double *W, const double *b, double *z)
{
  double *reals = solver->reals;
  attempt a = {.n = n, .W = W, .b = b, .z = z};
  a.w = reals;
  a.guess = reals + n;
  a.candidate = reals + 2 * n;
  a.candidate_w = reals + 3 * n;
  a.candidate_size = reals + 4 * n;
  a.bs = reals + 5 * n;
  a.scaling.row = reals + 6 * n;
  a.scaling.column = reals + 7 * n;
  a.Ws = reals + 8 * n;
  double *last = reals + 8 * n + n * n;
  a.reals = reals + own_reals(n);
  a.integers = solver->integers;
  if (solver->scaled != n ||
      memcmp(W, last, n * n * sizeof *W) != 0) { /* an unchanged contact set has the W of the last step */
    dls_lcp_equilibrate(n, W, &a.scaling, a.Ws, a.candidate_w); /* 2 n: candidate_size as well */
    memcpy(last, W, n * n * sizeof *W);
    solver->scaled = n;
  }
  dls_lcp_scale_load(n, b, &a.scaling, a.bs);
  for (size_t i = 0; i < n; i++) {
    a.largest = fabs(b[i]) > a.largest ? fabs(b[i]) : a.largest;
    a.guess[i] = z[i] > 0 && z[i] <= DBL_MAX ? z[i] / a.scaling.column[i] * a.scaling.load : 0;
  }
  return a;
}

/* Keep the candidate if it is the best so far. */
static void judge(attempt *a, double tolerance, const char *method, size_t pivots)
{
  const dls_lcp_figures f = dls_lcp_judge(a->n, a->W, a->b, a->candidate, a->candidate_w, a->candidate_size);
  const double certain = dls_lcp_certain(&f);
  const bool accepted = dls_lcp_accepted(&f, tolerance, a->largest);
  const bool better =
      !a->best.method || accepted > a->accepted || (accepted == a->accepted && certain < a->certain);
  if (!better || !(f.residual <= DBL_MAX && f.scale <= DBL_MAX)) {
    return;
  }
  memcpy(a->z, a->candidate, a->n * sizeof *a->z);
  memcpy(a->w, a->candidate_w, a->n * sizeof *a->w);
  a->best = (dls_lcp_report){
      .residual = f.residual, .scale = f.scale, .pivots = pivots, .method = method, .structure = dense};
  a->certain = certain;
  a->worst = f.worst;
  a->accepted = accepted;
}

/* Run one method. @return its status */
static dls_status let_try(attempt *a, const dls_lcp_method *method, double tolerance)
{
  size_t pivots = 0;
  memcpy(a->candidate, a->guess, a->n * sizeof *a->guess);
  const dls_status said =
      method->solve(a->n, a->Ws, a->bs, tolerance, a->candidate, &pivots, a->reals, a->integers);
  if (said == DLS_ERR_NOT_APPLICABLE) {
    return said;
  }
  for (size_t i = 0; i < a->n; i++) {
    const double z = a->candidate[i] * a->scaling.column[i] / a->scaling.load;
    a->candidate[i] = z > 0 ? z : 0;
  }
  judge(a, tolerance, method->name, pivots);
  return said;
}

/* Run the methods in turn until one converges and the certificate accepts. Otherwise accept an answer that passes the
 * certificate alone. */
static dls_status try_methods(const dls_lcp_solver *solver, attempt *a)
{
  size_t tried = 0;
  dls_status verdict = DLS_ERR_NOCONV;
  for (const dls_lcp_method *const *m = methods; *m; m++) {
    const bool late = a->accepted && *m == &dls_lcp_pgs; /* the method would not find a better one */
    if (solver->method ? *m != solver->method : a->n > (*m)->largest || late) {
      continue;
    }
    if (tried++ > 0) {
      dls_count_fallback(solver->fallbacks, (*m)->name);
    }
    const dls_status said = let_try(a, *m, solver->tolerance);
    if (said == DLS_ERR_NOT_APPLICABLE || (said == DLS_OK && a->accepted)) {
      return said;
    }
    verdict = said == DLS_ERR_NOCONV ? verdict : DLS_ERR_LCP;
  }
  return a->accepted ? DLS_OK : verdict;
}

static dls_status explain(const dls_lcp_solver *solver, const attempt *a, dls_status status, dls_error *err)
{
  const char *asked = solver->method ? solver->method->name : "auto";
  if (status == DLS_ERR_NOT_APPLICABLE) {
    return dls_fail(err, status, "lcp method '%s' does not apply to n = %zu (%s)", asked, a->n,
                    solver->method->summary);
  }
  return dls_fail(err, status,
                  "lcp of n = %zu, method %s: %s; the best, by %s, has residual %g, %g of |b| + |W||z| where "
                  "tolerance %g is allowed, and %g of rounding errors where %g is",
                  a->n, asked, status == DLS_ERR_LCP ? "no solution found" : "not converged", a->best.method,
                  a->best.residual, a->worst, solver->tolerance, DBL_EPSILON * a->best.scale,
                  DLS_LCP_HIDDEN * a->largest);
}

bool dls_lcp_nothing_to_do(size_t n, const double *b, double *z, double *w, dls_lcp_report *report)
{
  double largest = 0;
  for (size_t i = 0; i < n; i++) {
    if (b[i] < 0) {
      return false;
    }
    largest = b[i] > largest ? b[i] : largest;
  }
  for (size_t i = 0; i < n; i++) {
    z[i] = 0;
    if (w) {
      w[i] = b[i];
    }
  }
  report->residual = 0;
  report->scale = largest;
  return true;
}

static const char *first_method(const dls_lcp_solver *solver, size_t n)
{
  const dls_lcp_method *const *m = methods;
  while (!solver->method && n > (*m)->largest) {
    m++;
  }
  return solver->method ? solver->method->name : (*m)->name;
}

/* Any n and method; report is not NULL. */
static dls_status solve_any(dls_lcp_solver *solver, size_t n, const double *W, const double *b, double *z,
                            double *w, dls_lcp_report *report, dls_error *err)
{
  *report = (dls_lcp_report){
      .residual = INFINITY, .scale = INFINITY, .method = first_method(solver, n), .structure = dense};
  dls_status status = check_finite(n, W, b, err);
  if (status != DLS_OK) {
    return status;
  }
  if (dls_lcp_nothing_to_do(n, b, z, w, report)) {
    return DLS_OK;
  }
  if ((status = dls_lcp_reserve(solver, n, err)) != DLS_OK) {
    return status;
  }
  attempt a = begin(solver, n, W, b, z);
  status = try_methods(solver, &a);
  if (!a.best.method) { /* nothing finite: z = 0 */
    memset(a.candidate, 0, n * sizeof *a.candidate);
    judge(&a, solver->tolerance, report->method, 0);
  }
  if (w) {
    memcpy(w, a.w, n * sizeof *w);
  }
  *report = a.best;
  return status == DLS_OK ? DLS_OK : explain(solver, &a, status, err);
}

dls_status dls_lcp_solve(dls_lcp_solver *solver, size_t n, const double *W, const double *b, double *z,
                         double *w, dls_lcp_report *report, dls_error *err)
{
  if (!solver || (n > 0 && (!W || !b || !z))) {
    return dls_fail(err, DLS_ERR_ARG, "lcp of n = %zu: solver, W, b or z is NULL", n);
  }
  if (n == 1 && !solver->method && one_contact(*W, *b, solver->tolerance, z, w, report)) {
    return DLS_OK;
  }
  dls_lcp_report own = {0};
  return solve_any(solver, n, W, b, z, w, report ? report : &own, err);
}
