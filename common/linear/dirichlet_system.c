/* dirichlet_system.c -- A x = f with some unknowns prescribed, by three methods, each used where the previous one takes
 * too long. First conjugate gradients with Jacobi preconditioner, good where A is nearly diagonal (masses not small
 * compared with h^2 K). Then a multigrid cycle as preconditioner (multigrid.h). Then CHOLMOD's factors of the free rows and
 * columns of A. Prescribed unknowns have 0 in the preconditioner, so they do not change, and the residual in their rows is
 * the constraint force. With springs all unknowns are free, and the diagonal is larger where springs act.
 * Source: Golub, Van Loan 2013, "Matrix computations", section 11.5.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/dirichlet_system.h"
#include "common/linear/multigrid.h"
#include "common/linear/principal.h"
#include "common/linear/storage.h"
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_ITERATIONS = 60, /* iterations that cost about as much as multigrid */
  MOST_CYCLES = 50,     /* iterations that cost about as much as a factorization */
  AWAY = 50,            /* number of systems before a method that took too long is tried again */
  CORRECTIONS = 3,
  STARTS = 3 /* of the iteration, each from the true residual */
};
/* from the quickest to the slowest: each is used where the one before it does not converge in time */
typedef enum method { JACOBI, MULTIGRID, CHOLESKY } method;
/* relative residual that is accepted, compared with the terms of A x = f */
static const double reduction = 1e-15;
/* the same for an estimate that shows which contacts have the wrong sign */
static const double rough = 1e-6;
/* how much stricter `reduction` is after a restart, where a row exceeds `accepted` */
static const double restart = 0.1;
static const double accepted = 1e-14; /* residual in any row, relative to the largest row */

struct dls_dirichlet_system {
  dls_rows rows;           /* A */
  size_t entries;          /* off-diagonal entries allocated */
  double *inverse, *p, *q; /* n: inverse of the diagonal, 0 where x is prescribed; direction; A p */
  double *own;             /* n: the diagonal without springs */
  unsigned char *none;     /* n: 0, with springs; NULL */
  const double *springs, *places;
  dls_fallbacks *fallbacks; /* borrowed; NULL */
  const dls_factor *F;
  double coefficients[DLS_DIRICHLET_TERMS];
  method method;            /* the previous methods took too long */
  size_t wait;              /* and are skipped for so many systems */
  dls_multigrid *multigrid; /* allocated at first use */
  dls_monotone *monotone;
  dls_matrix *A;
  dls_principal *principal;
  bool taken; /* A by principal */
  int *set;   /* n: unknowns that are not prescribed */
};

dls_dirichlet_system *dls_dirichlet_system_create(void)
{
  return calloc(1, sizeof(dls_dirichlet_system));
}

static void free_direct(dls_dirichlet_system *S)
{
  dls_matrix_destroy(S->A);
  dls_principal_destroy(S->principal);
  free(S->set);
  S->A = NULL;
  S->principal = NULL;
  S->set = NULL;
  S->taken = false;
}

static void free_multigrid(dls_dirichlet_system *S)
{
  dls_monotone_destroy(S->monotone);
  dls_multigrid_destroy(S->multigrid);
  S->monotone = NULL;
  S->multigrid = NULL;
}

static void free_arrays(dls_dirichlet_system *S)
{
  free_multigrid(S);
  dls_rows_free(&S->rows);
  free(S->inverse);
  free(S->none);
  S->inverse = NULL;
  S->none = NULL;
}

void dls_dirichlet_system_destroy(dls_dirichlet_system *S)
{
  if (S != NULL) {
    free_arrays(S);
    free_direct(S);
    free(S);
  }
}

const char *dls_dirichlet_system_method(const dls_dirichlet_system *S)
{
  static const char *const names[] = {
      [JACOBI] = "conjugate gradients", [MULTIGRID] = "multigrid", [CHOLESKY] = "Cholesky"};
  return names[S->method];
}

void dls_dirichlet_system_count_fallbacks(dls_dirichlet_system *S, dls_fallbacks *fallbacks)
{
  S->fallbacks = fallbacks;
}

static dls_status copy_sum(dls_dirichlet_system *S)
{
  S->taken = false;
  return dls_factor_copy_sum(S->F, S->coefficients, &S->A);
}

dls_status dls_dirichlet_system_matrix(dls_dirichlet_system *S, const dls_factor *F, const double *coefficients)
{
  S->F = F;
  memcpy(S->coefficients, coefficients, sizeof S->coefficients);
  dls_status status = copy_sum(S);
  if (status != DLS_OK) {
    return status;
  }
  const size_t n = S->rows.n;
  free_multigrid(S);
  status = dls_rows_take(&S->rows, S->A);
  if (status == DLS_OK && (n != S->rows.n || S->inverse == NULL)) {
    free(S->inverse);
    S->inverse = malloc(4 * S->rows.n * sizeof *S->inverse);
    status = S->inverse != NULL ? DLS_OK : DLS_ERR_MEMORY;
  }
  if (status == DLS_ERR_MEMORY) {
    free_arrays(S);
    return status;
  }
  S->p = S->inverse != NULL ? S->inverse + S->rows.n : NULL;
  S->q = S->inverse != NULL ? S->p + S->rows.n : NULL;
  S->own = S->inverse != NULL ? S->q + S->rows.n : NULL;
  S->springs = NULL;
  if (S->method != CHOLESKY) {
    free_direct(S);
  }
  return status;
}

dls_status dls_dirichlet_system_springs(dls_dirichlet_system *S, const double *springs, const double *places)
{
  S->none = S->none != NULL ? S->none : calloc(S->rows.n, 1);
  S->springs = S->none != NULL ? springs : NULL;
  S->places = places;
  memcpy(S->own, S->rows.d, S->rows.n * sizeof *S->own);
  return S->none != NULL ? DLS_OK : DLS_ERR_MEMORY;
}

/* The diagonal, with the springs that act. @param[in] held  NULL: none */
static void set_springs(dls_dirichlet_system *S, const unsigned char *held)
{
  for (size_t i = 0; S->springs != NULL && i < S->rows.n; i++) {
    S->rows.d[i] = S->own[i] + (held != NULL && held[i] ? S->springs[i] : 0);
  }
}

/* Which unknowns are prescribed. */
static const unsigned char *prescribed(const dls_dirichlet_system *S, const unsigned char *held)
{
  return S->springs != NULL ? S->none : held;
}

/* r += sign S (places - x) */
static void pull(const dls_dirichlet_system *S, const unsigned char *held, double sign, const double *x,
                 double *r)
{
  for (size_t i = 0; S->springs != NULL && i < S->rows.n; i++) {
    r[i] += held[i] ? sign * S->springs[i] * (S->places[i] - x[i]) : 0;
  }
}

/* With springs, for what residual() has computed without them. @return the largest |r_i|, in which rows with a spring count as
 * displacements times A_ii */
static double add_springs(const dls_dirichlet_system *S, const unsigned char *held, const double *x, double *r)
{
  double worst = 0;
  pull(S, held, 1, x, r);
  for (size_t i = 0; i < S->rows.n; i++) {
    const double size = fabs(r[i]) * (S->own[i] / S->rows.d[i]);
    worst = size > worst || size != size ? size : worst;
  }
  return worst;
}

/* r := f - A x. *scale := max_i of |f_i| + sum_k |A_ik x_k|; *square: the sum of their squares over d, where x is not
 * prescribed. @return the largest |r_i| there */
static double residual(const dls_dirichlet_system *S, const unsigned char *held, const double *f,
                       const double *x, double *r, double *scale, double *square)
{
  const double *d = S->springs != NULL ? S->own : S->rows.d;
  const unsigned char *given = prescribed(S, held);
  double worst = 0;
  *scale = *square = 0;
  for (size_t i = 0; i < S->rows.n; i++) {
    const double own = d[i] * x[i];
    double sum = own, size = fabs(f[i]) + fabs(own);
    for (uint32_t e = S->rows.starts[i]; e < S->rows.starts[i + 1]; e++) {
      const double term = S->rows.value[e] * x[S->rows.other[e]];
      sum += term;
      size += fabs(term);
    }
    r[i] = f[i] - sum;
    *scale = size > *scale ? size : *scale;
    if (!given[i]) {
      *square += size * size / d[i];
      worst = fabs(r[i]) > worst || r[i] != r[i] ? fabs(r[i]) : worst;
    }
  }
  return S->springs != NULL ? add_springs(S, held, x, r) : worst;
}

/* x += alpha p, r -= alpha q. @return r^T B r */
static double go(const dls_dirichlet_system *S, double alpha, double *restrict x, double *restrict r)
{
  const double *restrict p = S->p, *restrict q = S->q, *restrict inverse = S->inverse;
  double sum = 0;
  for (size_t i = 0; i < S->rows.n; i++) {
    x[i] += alpha * p[i];
    r[i] -= alpha * q[i];
    sum += inverse[i] * r[i] * r[i];
  }
  return sum;
}

/* p := B r + beta p */
static void next_direction(const dls_dirichlet_system *S, double beta, const double *restrict r)
{
  const double *restrict inverse = S->inverse;
  double *restrict p = S->p;
  for (size_t i = 0; i < S->rows.n; i++) {
    p[i] = inverse[i] * r[i] + beta * p[i];
  }
}

/* From x with its residual r, until r^T B r <= least. */
static dls_status iterate(dls_dirichlet_system *S, const unsigned char *held, double least, double *x,
                          double *r)
{
  const unsigned char *given = prescribed(S, held);
  double now = 0;
  for (size_t i = 0; i < S->rows.n; i++) {
    S->inverse[i] = given[i] ? 0 : 1 / S->rows.d[i];
    S->p[i] = S->inverse[i] * r[i];
    now += S->p[i] * r[i];
  }
  for (size_t k = 0; now > least; k++) {
    const double energy = k < MOST_ITERATIONS ? dls_rows_multiply(&S->rows, S->p, S->q) : 0;
    if (!(energy > 0)) {
      return DLS_ERR_NOCONV;
    }
    const double last = now;
    now = go(S, last / energy, x, r);
    next_direction(S, now / last, r);
  }
  return now <= least ? DLS_OK : DLS_ERR_NOCONV; /* NaN fails */
}

/* The same with multigrid. */
static dls_status cycles(dls_dirichlet_system *S, const unsigned char *held, double least, double *x, double *r)
{
  size_t iterations;
  if (S->multigrid == NULL) {
    set_springs(S, NULL);
    S->multigrid = dls_multigrid_create(&S->rows);
    set_springs(S, held);
  }
  if (S->multigrid == NULL) {
    return DLS_ERR_MEMORY;
  }
  if (S->springs != NULL) {
    dls_multigrid_stiffen(S->multigrid, held);
  } else {
    dls_multigrid_hold(S->multigrid, held);
  }
  return dls_multigrid_solve(S->multigrid, least, MOST_CYCLES, S->p, x, r, &iterations);
}

/* The updated residual drifts from f - A x by rounding; then the iteration restarts from the true one. */
static dls_status by_iteration(dls_dirichlet_system *S, const unsigned char *held, const double *f, double to,
                               double *x, double *r)
{
  double scale, square;
  residual(S, held, f, x, r, &scale, &square);
  double least = to * to * square;
  for (int start = 0; start < STARTS; start++) {
    const dls_status status =
        S->method == JACOBI ? iterate(S, held, least, x, r) : cycles(S, held, least, x, r);
    if (status != DLS_OK || to > reduction || residual(S, held, f, x, r, &scale, &square) <= accepted * scale) {
      return status;
    }
    least *= restart * restart;
  }
  return DLS_ERR_NOCONV;
}

/* A and its factors where x is not prescribed; S->set. @return DLS_OK; DLS_ERR_SINGULAR; DLS_ERR_MEMORY */
static dls_status factor(dls_dirichlet_system *S, const unsigned char *held, size_t *count)
{
  dls_status status = S->A != NULL && S->springs == NULL ? DLS_OK : copy_sum(S);
  S->principal = S->principal != NULL ? S->principal : dls_principal_create();
  S->set = S->set != NULL ? S->set : malloc(S->rows.n * sizeof *S->set);
  if (status != DLS_OK || S->principal == NULL || S->set == NULL) {
    return DLS_ERR_MEMORY;
  }
  for (size_t i = 0; S->springs != NULL && i < S->rows.n && status == DLS_OK; i++) {
    status = dls_matrix_set(S->A, i, i, S->rows.d[i]);
  }
  status = S->taken || status != DLS_OK ? status : dls_principal_take(S->principal, S->A);
  S->taken = status == DLS_OK;
  *count = 0;
  for (size_t i = 0; i < S->rows.n; i++) {
    S->set[*count] = (int)i;
    *count += !prescribed(S, held)[i];
  }
  return status != DLS_OK || *count == 0 ? status : dls_principal_factor(S->principal, *count, S->set, 0);
}

static dls_status by_factors(dls_dirichlet_system *S, const unsigned char *held, const double *f, double *x,
                             double *r)
{
  size_t count = 0;
  double scale, square, worst = residual(S, held, f, x, r, &scale, &square);
  dls_status status = factor(S, held, &count);
  for (int pass = 0; count > 0 && status == DLS_OK && pass < CORRECTIONS; pass++) {
    if (pass > 0 && worst <= accepted * scale) {
      break;
    }
    for (size_t k = 0; k < count; k++) {
      S->p[k] = r[S->set[k]];
    }
    status = dls_principal_solve(S->principal, S->p);
    for (size_t k = 0; k < count; k++) {
      x[S->set[k]] += S->p[k];
    }
    worst = residual(S, held, f, x, r, &scale, &square);
  }
  return status == DLS_ERR_SINGULAR || (status == DLS_OK && !(worst <= accepted * scale)) ? DLS_ERR_NOCONV
                                                                                          : status;
}

/* Solve by the current method and, if it fails, by the next ones. */
static dls_status solve(dls_dirichlet_system *S, const unsigned char *held, const double *f, double to,
                        double *x, double *r)
{
  S->method = S->wait > 0 ? S->method : JACOBI;
  S->wait -= S->wait > 0;
  set_springs(S, held);
  for (; S->method != CHOLESKY; S->method++) {
    const dls_status status = by_iteration(S, held, f, to, x, r);
    if (status != DLS_ERR_NOCONV) {
      return status;
    }
    S->wait = AWAY;
    dls_count_fallback(S->fallbacks, S->method == JACOBI ? "multigrid" : "cholesky");
  }
  return by_factors(S, held, f, x, r);
}

dls_status dls_dirichlet_system_solve(dls_dirichlet_system *S, const unsigned char *held, const double *f,
                                      double *x, double *r)
{
  const dls_status status = solve(S, held, f, reduction, x, r);
  pull(S, held, -1, x, r);
  return status;
}

dls_status dls_dirichlet_system_estimate(dls_dirichlet_system *S, const unsigned char *held, const double *f,
                                         double *x, double *r, bool *solved)
{
  const bool due = S->method == MULTIGRID && S->wait > 0;
  const dls_status status = solve(S, held, f, due ? rough : reduction, x, r);
  pull(S, held, -1, x, r);
  *solved = !due || S->method == CHOLESKY;
  return status;
}

dls_status dls_dirichlet_system_descend(dls_dirichlet_system *S, dls_bounds bounds, const double *f, double *x,
                                        unsigned char *held)
{
  if (S->method != MULTIGRID || S->multigrid == NULL || S->springs != NULL) {
    return DLS_ERR_NOT_APPLICABLE;
  }
  S->monotone = S->monotone != NULL ? S->monotone : dls_monotone_create(S->multigrid);
  if (S->monotone == NULL) {
    return DLS_ERR_MEMORY;
  }
  dls_monotone_descend(S->monotone, bounds, f, S->inverse, x, held); /* 3 n */
  return DLS_OK;
}
