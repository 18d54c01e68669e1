/* factor.c -- factorization of a weighted sum of matrices, in the narrowest storage possible: division for diagonal
 * matrices, L D L^T for symmetric positive definite tridiagonal ones, otherwise LU (band by SUNDIALS, dense by lu.h), KLU or
 * UMFPACK.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/boundary.h"
#include "common/linear/lu.h"
#include "common/linear/multifrontal.h"
#include "common/linear/pattern.h"
#include "common/linear/sparse_lu.h"
#include "common/linear/storage.h"
#include "common/linear/tridiagonal.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_band.h>

enum { DLS_FACTOR_TERMS = DLS_UNION_MAX };

/* Where the entries of the terms, in turn, are in a sparse copy of the sum. */
typedef struct copy_places {
  uint32_t *at; /* NULL before the first copy */
  size_t count, used;
} copy_places;

struct dls_factor {
  size_t n, count;
  dls_storage storage; /* the widest of the terms */
  const dls_matrix *terms[DLS_FACTOR_TERMS];
  size_t position[DLS_FACTOR_TERMS]; /* storage of each term given at creation */
  double coefficients[DLS_FACTOR_TERMS];
  copy_places *copy;            /* behind the struct, filled with the first copy of the sum */
  double *d, *e;                /* tridiagonal: L D L^T, n and n - 1; else NULL */
  bool is_tridiagonal_definite; /* the valid factors are those in d and e */
  dls_matrix *sum; /* receives the LU factors, for dense and band; tridiagonal: NULL until needed */
  bool current;    /* the valid factors are those of `coefficients` */
  size_t made;
  double **column;                /* n: the columns of a dense or band sum; else NULL */
  sunindextype *swap;             /* n: their row exchanges */
  dls_sparse_lu *sparse_lu;       /* sparse ... */
  dls_multifrontal *multifrontal; /* ... and with much fill */
  dls_schur *schur;               /* rows that sparse_lu eliminates last; NULL: none */
};

enum { LITTLE = 1000 }; /* rows */

typedef struct shape {
  dls_storage widest;
  size_t lower, upper;
} shape;

/* The widest column of a sparse matrix. */
static void widen_by_entries(const dls_matrix *A, shape *all)
{
  for (size_t j = 0; j < A->columns; j++) {
    const dls_column c = dls_matrix_column(A, j);
    if (c.count > 0) {
      const size_t first = dls_column_row(&c, 0), last = dls_column_row(&c, c.count - 1);
      all->upper = first < j && j - first > all->upper ? j - first : all->upper;
      all->lower = last > j && last - j > all->lower ? last - j : all->lower;
    }
  }
}

static shape shape_of_sum(const dls_factor *F)
{
  shape all = {DLS_DIAGONAL, 0, 0};
  for (size_t k = 0; k < F->count; k++) {
    const dls_matrix *A = F->terms[k];
    all.widest = A->storage > all.widest ? A->storage : all.widest;
    all.lower = A->lower > all.lower ? A->lower : all.lower;
    all.upper = A->upper > all.upper ? A->upper : all.upper;
    if (A->storage == DLS_SPARSE) {
      widen_by_entries(A, &all);
    }
  }
  return all;
}

static dls_matrix *create_sum(const dls_factor *F)
{
  const shape all = shape_of_sum(F);
  switch (all.widest) {
  case DLS_DIAGONAL:
    return dls_matrix_diagonal(F->n);
  case DLS_BAND:
    return dls_matrix_band_for_lu(F->n, all.lower, all.upper);
  case DLS_SPARSE:
    return dls_matrix_union(F->terms, F->count);
  case DLS_DENSE:
    return dls_matrix_dense(F->n, F->n);
  }
  return NULL;
}

/* Keep the terms that are not NULL. @return false if there is none or their sizes differ */
static bool take_terms(dls_factor *F, const dls_matrix *const *terms, size_t count)
{
  for (size_t k = 0; k < count; k++) {
    if (terms[k] != NULL) {
      const bool square = terms[k]->rows == terms[k]->columns;
      if (F->count == DLS_FACTOR_TERMS || !square || (F->count > 0 && terms[k]->rows != F->terms[0]->rows)) {
        return false;
      }
      F->position[F->count] = k;
      F->terms[F->count++] = terms[k];
    }
  }
  return F->count > 0;
}

/* @return false if out of memory */
static bool create_sparse(dls_factor *F)
{
  if (!dls_multifrontal_create(F->sum, &F->multifrontal) || F->multifrontal != NULL) {
    return F->multifrontal != NULL;
  }
  F->sparse_lu = dls_sparse_lu_create(F->sum);
  if (F->sparse_lu != NULL && F->schur != NULL) {
    dls_sparse_lu_order(F->sparse_lu, F->schur);
  }
  return F->sparse_lu != NULL;
}

/* Create the sum and its solver. @return false if out of memory */
static bool create_general(dls_factor *F)
{
  F->sum = create_sum(F);
  if (F->sum == NULL || F->sum->storage == DLS_DIAGONAL) {
    return F->sum != NULL;
  }
  if (F->sum->storage == DLS_SPARSE) {
    return create_sparse(F);
  }
  F->column = malloc(F->n * sizeof *F->column);
  F->swap = malloc(F->n * sizeof *F->swap);
  for (size_t j = 0; F->column != NULL && j < F->n; j++) {
    F->column[j] = F->sum->values + j * F->sum->stride;
  }
  return F->column != NULL && F->swap != NULL;
}

static void destroy_general(dls_factor *F)
{
  dls_multifrontal_destroy(F->multifrontal);
  dls_sparse_lu_destroy(F->sparse_lu);
  free(F->column);
  free(F->swap);
  dls_matrix_destroy(F->sum);
  F->multifrontal = NULL;
  F->sparse_lu = NULL;
  F->column = NULL;
  F->swap = NULL;
  F->sum = NULL;
}

/* Small systems allocate at once what LU factors of a tridiagonal sum need. @return false if out of memory */
static bool create_tridiagonal(dls_factor *F)
{
  F->d = malloc(2 * F->n * sizeof *F->d);
  F->e = F->d == NULL ? NULL : F->d + F->n;
  return F->d != NULL && (F->n > LITTLE || create_general(F));
}

/* Large sparse sums may never be factored, since contacts have other methods. @return false if out of memory */
static bool create_when_little(dls_factor *F)
{
  return (F->n > LITTLE && F->storage == DLS_SPARSE) || create_general(F);
}

dls_factor *dls_factor_create(const dls_matrix *const *terms, size_t count)
{
  dls_factor *F = calloc(1, sizeof *F + sizeof *F->copy);
  if (F == NULL) {
    return NULL;
  }
  F->copy = (copy_places *)(F + 1);
  bool done = take_terms(F, terms, count);
  if (done) {
    const shape all = shape_of_sum(F);
    F->n = F->terms[0]->rows;
    const bool narrow =
        (all.widest == DLS_BAND || all.widest == DLS_SPARSE) && all.lower <= 1 && all.upper <= 1;
    F->storage = all.widest;
    done = narrow ? create_tridiagonal(F) : create_when_little(F);
  }
  if (!done) {
    dls_factor_destroy(F);
    return NULL;
  }
  return F;
}

void dls_factor_destroy(dls_factor *F)
{
  if (F == NULL) {
    return;
  }
  destroy_general(F);
  dls_schur_destroy(F->schur);
  free(F->copy->at);
  free(F->d);
  free(F);
}

void dls_factor_touch(dls_factor *F)
{
  F->current = false;
}

typedef struct weighted {
  const dls_matrix *sum;
  double weight;
  bool outside; /* a sparse term got an entry after the pattern of the sum was created */
  size_t row, column;
} weighted;

static void add_entry(void *data, size_t i, size_t j, double x)
{
  weighted *w = data;
  double *place = dls_matrix_place(w->sum, i, j);
  if (place != NULL) {
    *place += w->weight * x;
  } else {
    w->outside = true;
    w->row = i;
    w->column = j;
  }
}

/* Number of values of matrices that share their layout, diagonal or dense; 0 for others. */
static size_t alike(const dls_matrix *A, const dls_matrix *S)
{
  return A->storage != S->storage     ? 0
         : A->storage == DLS_DIAGONAL ? A->rows
         : A->storage == DLS_DENSE    ? A->rows * A->columns
                                      : 0;
}

/* sum := weight x */
static void set_alike(size_t count, double weight, const double *restrict x, double *restrict sum)
{
  for (size_t i = 0; i < count; i++) {
    sum[i] = weight * x[i];
  }
}

/* sum += weight x */
static void add_alike(size_t count, double weight, const double *restrict x, double *restrict sum)
{
  for (size_t i = 0; i < count; i++) {
    sum[i] += weight * x[i];
  }
}

static dls_status assemble(const dls_factor *F, const double *coefficients, dls_matrix *S, dls_error *err)
{
  const size_t first = alike(F->terms[0], S);
  if (first > 0) {
    set_alike(first, coefficients[0], F->terms[0]->values, S->values);
  } else {
    dls_matrix_clear(S); /* keeps the pattern */
  }
  for (size_t k = first > 0; k < F->count; k++) {
    const size_t count = alike(F->terms[k], S);
    if (count > 0) {
      add_alike(count, coefficients[k], F->terms[k]->values, S->values);
      continue;
    }
    weighted w = {.sum = S, .weight = coefficients[k]};
    dls_matrix_visit(F->terms[k], add_entry, &w);
    if (w.outside) {
      return dls_fail(
          err, DLS_ERR_ARG,
          "matrix %zu of the sum has an entry (%zu,%zu) that was absent when the factor was created",
          F->position[k], w.row, w.column);
    }
  }
  return DLS_OK;
}

typedef struct tridiagonal_sum {
  double *d, *e, weight;
  const dls_matrix *term;
  bool symmetric;
} tridiagonal_sum;

static void add_to_tridiagonal(void *data, size_t i, size_t j, double x)
{
  tridiagonal_sum *t = data;
  if (i == j) {
    t->d[i] += t->weight * x;
  } else if (i > j + 1 || j > i + 1) {
    t->symmetric = false; /* a sparse term has grown: the general path reports where */
  } else {
    t->symmetric = t->symmetric && dls_matrix_get(t->term, j, i) == x;
    t->e[j] += i > j ? t->weight * x : 0;
  }
}

/* @return false if the sum is not symmetric and positive definite */
static bool factor_tridiagonal(dls_factor *F)
{
  tridiagonal_sum t = {.d = F->d, .e = F->e, .symmetric = true};
  memset(F->d, 0, 2 * F->n * sizeof *F->d);
  for (size_t k = 0; k < F->count; k++) {
    t.weight = F->coefficients[k];
    t.term = F->terms[k];
    dls_matrix_visit(F->terms[k], add_to_tridiagonal, &t);
  }
  return t.symmetric && dls_tridiagonal_factor(F->n, F->d, F->e, 0) == F->n;
}

/* First row whose pivot is zero or not finite, or n. */
static size_t bad_diagonal(const dls_matrix *S)
{
  size_t i = 0;
  while (i < S->rows && S->values[i] != 0 && isfinite(S->values[i])) {
    i++;
  }
  return i;
}

/* LU factors of a dense or band sum. @return n; or the row of a zero pivot */
static size_t factor_columns(dls_factor *F)
{
  const dls_matrix *S = F->sum;
  if (S->storage == DLS_DENSE) {
    return dls_lu_columns(F->n, F->column, F->swap);
  }
  const sunindextype found =
      SUNDlsMat_bandGBTRF(F->column, (sunindextype)F->n, (sunindextype)S->upper, (sunindextype)S->lower,
                          (sunindextype)S->shift, F->swap); /* 0, or the number of the row from 1 on */
  return found > 0 ? (size_t)found - 1 : F->n;
}

static dls_status factor(dls_factor *F, dls_error *err)
{
  const size_t n = F->n;
  size_t row = n;
  bool failed = false;
  if (F->sum->storage == DLS_SPARSE) {
    const dls_status status = F->multifrontal != NULL ? dls_multifrontal_factor(F->multifrontal, &row)
                                                      : dls_sparse_lu_factor(F->sparse_lu, &row);
    if (status == DLS_ERR_MEMORY) {
      return dls_fail(err, status, "no memory to factor a %zu x %zu matrix", n, n);
    }
    failed = status != DLS_OK;
  } else {
    row = F->column == NULL ? bad_diagonal(F->sum) : factor_columns(F);
    failed = row < n;
  }
  if (failed) {
    char where[48] = "";
    if (row < n) {
      snprintf(where, sizeof where, ", zero pivot in row %zu", row);
    }
    return dls_fail(err, DLS_ERR_SINGULAR, "the %zu x %zu matrix is singular%s", n, n, where);
  }
  return DLS_OK;
}

static bool same(const dls_factor *F, const double *coefficients)
{
  for (size_t k = 0; F->current && k < F->count; k++) {
    if (F->coefficients[k] != coefficients[F->position[k]]) {
      return false;
    }
  }
  return F->current;
}

void dls_factor_weigh(dls_factor *F, const double *coefficients)
{
  for (size_t k = 0; k < F->count; k++) {
    F->coefficients[k] = coefficients[F->position[k]];
  }
  F->current = false;
}

static dls_status make(dls_factor *F, const double *coefficients, dls_error *err)
{
  dls_factor_weigh(F, coefficients);
  F->is_tridiagonal_definite = F->d != NULL && factor_tridiagonal(F);
  if (F->is_tridiagonal_definite) {
    F->made++;
    F->current = true;
    return DLS_OK;
  }
  if (F->sum == NULL && !create_general(F)) {
    destroy_general(F);
    return dls_fail(err, DLS_ERR_MEMORY, "no memory to factor a %zu x %zu matrix", F->n, F->n);
  }
  dls_status status = assemble(F, F->coefficients, F->sum, err);
  status = status != DLS_OK ? status : factor(F, err);
  if (status == DLS_OK) {
    F->made++;
    F->current = true;
  }
  return status;
}

dls_status dls_factor_sum(dls_factor *F, const double *coefficients, dls_error *err)
{
  return same(F, coefficients) ? DLS_OK : make(F, coefficients, err);
}

void dls_factor_solve(dls_factor *F, double *x)
{
  if (F->is_tridiagonal_definite) {
    dls_tridiagonal_solve(F->n, F->d, F->e, x);
    return;
  }
  if (F->multifrontal != NULL) {
    dls_multifrontal_solve(F->multifrontal, x);
    return;
  }
  if (F->sparse_lu != NULL) {
    dls_sparse_lu_solve(F->sparse_lu, x);
    return;
  }
  if (F->column == NULL) {
    for (size_t i = 0; i < F->n; i++) {
      x[i] /= F->sum->values[i];
    }
    return;
  }
  if (F->sum->storage == DLS_DENSE) {
    dls_lu_solve(F->n, F->sum->values, F->sum->stride, F->swap, x);
    return;
  }
  SUNDlsMat_bandGBTRS(F->column, (sunindextype)F->n, (sunindextype)F->sum->shift, (sunindextype)F->sum->lower,
                      F->swap, x);
}

void dls_factor_solve_columns(dls_factor *F, size_t count, double *const *x)
{
  if (!F->is_tridiagonal_definite && F->multifrontal == NULL && F->sparse_lu != NULL) {
    dls_sparse_lu_solve_columns(F->sparse_lu, count, x);
    return;
  }
  for (size_t k = 0; k < count; k++) {
    dls_factor_solve(F, x[k]);
  }
}

bool dls_factor_order_last(dls_factor *F, const dls_matrix *H)
{
  const bool by_klu = F->storage == DLS_SPARSE && F->d == NULL && F->multifrontal == NULL;
  if (F->schur != NULL || !by_klu || !dls_schur_create(H, &F->schur) || F->schur == NULL) {
    return F->schur != NULL && dls_schur_covers(F->schur, H);
  }
  if (F->sparse_lu != NULL) {
    dls_sparse_lu_order(F->sparse_lu, F->schur);
  }
  F->current = false;
  return true;
}

bool dls_factor_solve_last(dls_factor *F, double *x)
{
  return F->current && F->sparse_lu != NULL && dls_sparse_lu_solve_last(F->sparse_lu, x);
}

bool dls_factor_solve_from_last(dls_factor *F, double *x)
{
  return F->current && F->sparse_lu != NULL && dls_sparse_lu_solve_from_last(F->sparse_lu, x);
}

size_t dls_factor_made(const dls_factor *F)
{
  return F->made;
}

dls_storage dls_factor_storage(const dls_factor *F)
{
  return F->storage;
}

/* Number of entries that dls_matrix_visit passes. */
static size_t visited(const dls_matrix *A)
{
  size_t count = 0;
  if (A->storage != DLS_BAND) {
    return A->storage == DLS_SPARSE ? A->used : A->storage == DLS_DENSE ? A->rows * A->columns : A->rows;
  }
  for (size_t j = 0; j < A->columns; j++) {
    count += dls_matrix_column(A, j).count;
  }
  return count;
}

static size_t visited_of_terms(const dls_factor *F)
{
  size_t count = 0;
  for (size_t k = 0; k < F->count; k++) {
    count += visited(F->terms[k]);
  }
  return count;
}

typedef struct listing {
  const dls_matrix *sum;
  uint32_t *next;
} listing;

static void list_place(void *data, size_t i, size_t j, double x)
{
  listing *l = data;
  (void)x;
  *l->next++ = (uint32_t)(dls_matrix_place(l->sum, i, j) - l->sum->values);
}

/* @return false if out of memory */
static bool list_places(const dls_factor *F, const dls_matrix *S)
{
  const size_t count = visited_of_terms(F);
  uint32_t *places = S->used < UINT32_MAX ? malloc((count + 1) * sizeof *places) : NULL;
  if (places == NULL) {
    return S->used >= UINT32_MAX;
  }
  listing l = {S, places};
  for (size_t k = 0; k < F->count; k++) {
    dls_matrix_visit(F->terms[k], list_place, &l);
  }
  free(F->copy->at);
  *F->copy = (copy_places){places, count, S->used};
  return true;
}

/* The sums of `assemble`, in its order. */
static void assemble_listed(const dls_factor *F, const double *coefficients, dls_matrix *S)
{
  const uint32_t *place = F->copy->at;
  memset(S->values, 0, S->used * sizeof *S->values);
  for (size_t k = 0; k < F->count; k++) {
    const dls_matrix *A = F->terms[k];
    const bool whole = A->storage != DLS_BAND; /* one array */
    for (size_t j = 0; j < (whole ? 1 : A->columns); j++) {
      const dls_column c =
          whole ? (dls_column){.count = visited(A), .values = A->values} : dls_matrix_column(A, j);
      for (size_t e = 0; e < c.count; e++) {
        S->values[*place++] += coefficients[k] * c.values[e];
      }
    }
  }
}

dls_status dls_factor_copy_sum(const dls_factor *F, const double *coefficients, dls_matrix **sparse)
{
  double own[DLS_FACTOR_TERMS];
  for (size_t k = 0; k < F->count; k++) {
    own[k] = coefficients != NULL ? coefficients[F->position[k]] : F->coefficients[k];
  }
  if (*sparse == NULL &&
      ((*sparse = dls_matrix_union(F->terms, F->count)) == NULL || !list_places(F, *sparse))) {
    return DLS_ERR_MEMORY;
  }
  if (F->copy->at == NULL || F->copy->used != (*sparse)->used || F->copy->count != visited_of_terms(F)) {
    return assemble(F, own, *sparse, NULL);
  }
  assemble_listed(F, own, *sparse);
  return DLS_OK;
}

void dls_factor_multiply(const dls_factor *F, const double *coefficients, const double *x, double *y)
{
  for (size_t k = 0; k < F->count; k++) {
    if (coefficients[F->position[k]] != 0) {
      dls_matrix_multiply(F->terms[k], coefficients[F->position[k]], x, y);
    }
  }
}

double dls_factor_part(const dls_factor *A, double *coefficients, const dls_factor *M)
{
  double part = 0;
  for (size_t k = 0; M->count == 1 && k < A->count; k++) {
    if (A->terms[k] == M->terms[0]) {
      part += coefficients[A->position[k]] / M->coefficients[0];
      coefficients[A->position[k]] = 0;
    }
  }
  return part;
}

bool dls_factor_split(const dls_factor *A, const double *coefficients, const dls_factor *M, double *s,
                      double *r)
{
  double ratio = 0, of_M = 0, a_M = 0;
  bool splits = M->count == 1, first = true;
  for (size_t k = 0; k < A->count; k++) {
    const double of_N = coefficients[A->position[k]], a = A->coefficients[k];
    if (A->terms[k] == M->terms[0]) {
      of_M = of_N;
      a_M = a;
    } else if (a != 0) {
      splits = splits && (first || ratio == of_N / a);
      ratio = of_N / a;
      first = false;
    } else {
      splits = splits && of_N == 0;
    }
  }
  *s = ratio;
  *r = (of_M - ratio * a_M) / M->coefficients[0];
  return splits;
}

dls_factor_view dls_factor_look(const dls_factor *F)
{
  if (!F->current) {
    return (dls_factor_view){.form = DLS_FACTOR_OTHER};
  }
  if (F->is_tridiagonal_definite) {
    return (dls_factor_view){.form = DLS_FACTOR_ENDS, .d = F->d, .e = F->e};
  }
  if (F->sum != NULL && F->sum->storage == DLS_DIAGONAL) {
    return (dls_factor_view){.form = DLS_FACTOR_DIVIDES, .d = F->sum->values};
  }
  if (F->sum == NULL || F->sum->storage != DLS_DENSE) {
    return (dls_factor_view){.form = DLS_FACTOR_OTHER};
  }
  return (dls_factor_view){
      .form = DLS_FACTOR_LU, .d = F->sum->values, .stride = F->sum->stride, .pivots = F->swap};
}
