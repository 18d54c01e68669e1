/* held_system.c -- A x = f where x is not given, by conjugate gradients with Jacobi's preconditioner, which are good where A is
 * mostly diagonal (masses that are not small beside h^2 K); where they take long, by CHOLMOD's factors of that part of A.
 * Unknowns that are given have 0 in the preconditioner: then they do not change, and the residual in their rows, which
 * the iteration carries along, is the force that holds them.
 * Source: Golub, Van Loan 2013, "Matrix computations", section 11.5.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/held_system.h"
#include "common/linear/principal.h"
#include "common/linear/storage.h"
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_ITERATIONS = 150, /* take about as long as a factorization */
  AWAY = 50,             /* systems before iteration is tried again */
  CORRECTIONS = 3
};
static const double reduction = 1e-15; /* of the residual that counts, beside the terms of A x = f */
static const double accepted = 1e-14;  /* of the residual in any row, beside the largest row */
static const double symmetric = 8 * DBL_EPSILON;

struct dls_held_system {
  size_t n, entries;        /* entries off the diagonal that there is room for */
  uint32_t *starts, *other; /* n + 1: entries off the diagonal of each row; their columns */
  double *value;            /* of them */
  double *d;                /* n: the diagonal */
  double *inverse, *p, *q;  /* n: of d, 0 where x is given; direction; A p */
  const dls_factor *F;
  double coefficients[DLS_HELD_TERMS];
  bool direct;   /* conjugate gradients took long ... */
  size_t wait;   /* ... and are not tried for so many systems */
  dls_matrix *A; /* what follows is made when it is first needed */
  dls_principal *principal;
  bool taken; /* A by principal */
  int *set;   /* n: unknowns that are not given */
};

dls_held_system *dls_held_system_create(void)
{
  return calloc(1, sizeof(dls_held_system));
}

static void free_direct(dls_held_system *S)
{
  dls_matrix_destroy(S->A);
  dls_principal_destroy(S->principal);
  free(S->set);
  S->A = NULL;
  S->principal = NULL;
  S->set = NULL;
  S->taken = false;
}

static void free_rows(dls_held_system *S)
{
  free(S->starts);
  free(S->other);
  free(S->value);
  free(S->d);
  S->starts = S->other = NULL;
  S->value = S->d = NULL;
  S->n = S->entries = 0;
}

void dls_held_system_destroy(dls_held_system *S)
{
  if (S != NULL) {
    free_rows(S);
    free_direct(S);
    free(S);
  }
}

const char *dls_held_system_method(const dls_held_system *S)
{
  return S->direct ? "Cholesky" : "conjugate gradients";
}

static bool reserve(dls_held_system *S, size_t n, size_t entries)
{
  if (n == S->n && entries <= S->entries) {
    return true;
  }
  free_rows(S);
  S->starts = malloc((n + 1) * sizeof *S->starts);
  S->other = malloc((entries + 1) * sizeof *S->other);
  S->value = malloc((entries + 1) * sizeof *S->value);
  S->d = malloc(4 * n * sizeof *S->d);
  if (S->starts == NULL || S->other == NULL || S->value == NULL || S->d == NULL) {
    free_rows(S);
    return false;
  }
  S->inverse = S->d + n;
  S->p = S->inverse + n;
  S->q = S->p + n;
  S->n = n;
  S->entries = entries;
  return true;
}

/* Column j of A as a row; A is symmetric. @return false if it is not, or its diagonal entry is not positive */
static bool take_row(dls_held_system *S, const dls_matrix *A, size_t j)
{
  uint32_t at = S->starts[j];
  S->d[j] = 0;
  for (size_t e = dls_matrix_begin(A, j); e < dls_matrix_end(A, j); e++) {
    const size_t i = (size_t)A->row_of[e];
    const double x = A->values[e];
    if (i == j) {
      S->d[j] = x;
    } else if (x != 0) {
      if (i > j && !(fabs(dls_matrix_get(A, j, i) - x) <= symmetric * fabs(x))) {
        return false;
      }
      S->other[at] = (uint32_t)i;
      S->value[at++] = x;
    }
  }
  S->starts[j + 1] = at;
  return S->d[j] > 0 && S->d[j] <= DBL_MAX;
}

/* Entries of the upper triangle without a mirror image are seen by their number. */
static bool as_many_above(const dls_held_system *S)
{
  size_t above = 0;
  for (size_t j = 0; j < S->n; j++) {
    for (uint32_t e = S->starts[j]; e < S->starts[j + 1]; e++) {
      above += S->other[e] < j;
    }
  }
  return 2 * above == S->starts[S->n];
}

static dls_status copy_sum(dls_held_system *S)
{
  S->taken = false;
  return dls_factor_copy_sum(S->F, S->coefficients, &S->A);
}

dls_status dls_held_system_take(dls_held_system *S, const dls_factor *F, const double *coefficients)
{
  S->F = F;
  memcpy(S->coefficients, coefficients, sizeof S->coefficients);
  dls_status status = copy_sum(S);
  if (status != DLS_OK) {
    return status;
  }
  const size_t n = dls_matrix_rows(S->A);
  if (S->A->used >= UINT32_MAX) {
    return DLS_ERR_NOT_APPLICABLE;
  }
  if (!reserve(S, n, S->A->used)) {
    return DLS_ERR_MEMORY;
  }
  S->starts[0] = 0;
  for (size_t j = 0; j < n; j++) {
    if (!take_row(S, S->A, j)) {
      return DLS_ERR_NOT_APPLICABLE;
    }
  }
  if (!S->direct) {
    free_direct(S);
  }
  return as_many_above(S) ? DLS_OK : DLS_ERR_NOT_APPLICABLE;
}

/* r := f - A x. *scale := max_i of |f_i| + sum_k |A_ik x_k|; *square: the squares of these over d, added up where x is not
 * given. @return the largest |r_i| there */
static double residual(const dls_held_system *S, const unsigned char *held, const double *f, const double *x,
                       double *r, double *scale, double *square)
{
  double worst = 0;
  *scale = *square = 0;
  for (size_t i = 0; i < S->n; i++) {
    const double own = S->d[i] * x[i];
    double sum = own, size = fabs(f[i]) + fabs(own);
    for (uint32_t e = S->starts[i]; e < S->starts[i + 1]; e++) {
      const double term = S->value[e] * x[S->other[e]];
      sum += term;
      size += fabs(term);
    }
    r[i] = f[i] - sum;
    *scale = size > *scale ? size : *scale;
    if (!held[i]) {
      *square += size * size / S->d[i];
      worst = fabs(r[i]) > worst || r[i] != r[i] ? fabs(r[i]) : worst;
    }
  }
  return worst;
}

/* q := A p. @return p^T A p */
static double multiply(const dls_held_system *S, const double *restrict p, double *restrict q)
{
  const uint32_t *other = S->other;
  const double *value = S->value;
  double energy = 0;
  for (size_t i = 0; i < S->n; i++) {
    double sum = S->d[i] * p[i];
    for (uint32_t e = S->starts[i]; e < S->starts[i + 1]; e++) {
      sum += value[e] * p[other[e]];
    }
    q[i] = sum;
    energy += p[i] * sum;
  }
  return energy;
}

/* x += alpha p, r -= alpha q. @return r^T B r */
static double go(const dls_held_system *S, double alpha, double *restrict x, double *restrict r)
{
  const double *restrict p = S->p, *restrict q = S->q, *restrict inverse = S->inverse;
  double sum = 0;
  for (size_t i = 0; i < S->n; i++) {
    x[i] += alpha * p[i];
    r[i] -= alpha * q[i];
    sum += inverse[i] * r[i] * r[i];
  }
  return sum;
}

/* p := B r + beta p */
static void turn(const dls_held_system *S, double beta, const double *restrict r)
{
  const double *restrict inverse = S->inverse;
  double *restrict p = S->p;
  for (size_t i = 0; i < S->n; i++) {
    p[i] = inverse[i] * r[i] + beta * p[i];
  }
}

/* From x with its residual r, until r^T B r <= least. */
static dls_status iterate(dls_held_system *S, const unsigned char *held, double least, double *x, double *r)
{
  double now = 0;
  for (size_t i = 0; i < S->n; i++) {
    S->inverse[i] = held[i] ? 0 : 1 / S->d[i];
    S->p[i] = S->inverse[i] * r[i];
    now += S->p[i] * r[i];
  }
  for (size_t k = 0; now > least; k++) {
    const double energy = k < MOST_ITERATIONS ? multiply(S, S->p, S->q) : 0;
    if (!(energy > 0)) {
      return DLS_ERR_NOCONV;
    }
    const double last = now;
    now = go(S, last / energy, x, r);
    turn(S, now / last, r);
  }
  return now <= least ? DLS_OK : DLS_ERR_NOCONV; /* NaN is not */
}

static dls_status by_iteration(dls_held_system *S, const unsigned char *held, const double *f, double *x,
                               double *r)
{
  double scale, square;
  double worst = residual(S, held, f, x, r, &scale, &square);
  const double least = reduction * reduction * square;
  const dls_status status = iterate(S, held, least, x, r);
  if (status != DLS_OK) {
    return status;
  }
  worst = residual(S, held, f, x, r, &scale, &square);
  return worst <= accepted * scale ? DLS_OK : DLS_ERR_NOCONV;
}

/* A and its factors where x is not given; S->set. @return DLS_OK; DLS_ERR_SINGULAR; DLS_ERR_MEMORY */
static dls_status factor(dls_held_system *S, const unsigned char *held, size_t *count)
{
  dls_status status = S->A != NULL ? DLS_OK : copy_sum(S);
  S->principal = S->principal != NULL ? S->principal : dls_principal_create();
  S->set = S->set != NULL ? S->set : malloc(S->n * sizeof *S->set);
  if (status != DLS_OK || S->principal == NULL || S->set == NULL) {
    return DLS_ERR_MEMORY;
  }
  status = S->taken ? DLS_OK : dls_principal_take(S->principal, S->A);
  S->taken = status == DLS_OK;
  *count = 0;
  for (size_t i = 0; i < S->n; i++) {
    S->set[*count] = (int)i;
    *count += !held[i];
  }
  return status != DLS_OK || *count == 0 ? status : dls_principal_factor(S->principal, *count, S->set, 0);
}

static dls_status by_factors(dls_held_system *S, const unsigned char *held, const double *f, double *x,
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

dls_status dls_held_system_solve(dls_held_system *S, const unsigned char *held, const double *f, double *x,
                                 double *r)
{
  if (S->direct && S->wait > 0) {
    S->wait--;
    return by_factors(S, held, f, x, r);
  }
  const dls_status status = by_iteration(S, held, f, x, r);
  S->direct = status != DLS_OK;
  S->wait = AWAY;
  return status == DLS_OK ? DLS_OK : by_factors(S, held, f, x, r);
}
