/* joints_sparse.c -- large systems: all of
 *
 *   [ A   -D  ] [ x  ]   [ f ]
 *   [ C^T eps ] [ mu ] = [ c ]
 *
 * by KLU, eps = 1e-12 of the size of C^T A^-1 D, so that equations that depend on others do no harm; what eps leaves of the
 * second line is refined away.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/arrays.h"
#include "common/contact/joints/joint_solver.h"
#include "common/linear/storage.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REFINEMENTS = 4 };
static const double shift = 1e-12;
static const double refined = 4 * DBL_EPSILON; /* of the right-hand side */

typedef struct sparse {
  dls_joints_solver base;
  dls_matrix *whole;      /* n + r */
  size_t *where, entries; /* of whole, for the entries of A, those of D and of C, and the shifts */
  const dls_matrix *D;    /* C where D is the same */
  double *rhs, *x;        /* n + r: what is left, then a correction; solution */
  double sum;
  double *block;
} sparse;

static void destroy(dls_joints_solver *s)
{
  sparse *S = (sparse *)s;
  dls_factor_destroy(S->base.whole);
  dls_matrix_destroy(S->whole);
  free(S->where);
  free(S->block);
  free(S);
}

/* Column j < n: that of A over row j of C^T; the rows of C, by column, are in starts and columns. */
typedef struct transposed {
  size_t *starts, *columns, *next; /* n + 1, entries, n */
} transposed;

static void count_entry(void *data, size_t i, size_t j, double x)
{
  (void)j, (void)x;
  ((transposed *)data)->starts[i + 1]++;
}

static void put_column(void *data, size_t i, size_t j, double x)
{
  transposed *T = data;
  (void)x;
  T->columns[T->next[i]++] = j;
}

static bool transpose(const dls_matrix *C, size_t entries, transposed *T)
{
  const size_t n = C->rows;
  T->starts = calloc(n + 1, sizeof *T->starts);
  T->columns = malloc((entries + 1) * sizeof *T->columns);
  T->next = malloc(n * sizeof *T->next);
  if (T->starts == NULL || T->columns == NULL || T->next == NULL) {
    return false;
  }
  dls_matrix_visit(C, count_entry, T);
  for (size_t i = 0; i < n; i++) {
    T->starts[i + 1] += T->starts[i];
  }
  memcpy(T->next, T->starts, n * sizeof *T->next);
  dls_matrix_visit(C, put_column, T);
  return true;
}

static void free_transposed(transposed *T)
{
  free(T->starts);
  free(T->columns);
  free(T->next);
}

static void count_any(void *data, size_t i, size_t j, double x)
{
  (void)i, (void)j, (void)x;
  ++*(size_t *)data;
}

static size_t count_entries(const dls_matrix *A)
{
  size_t entries = 0;
  dls_matrix_visit(A, count_any, &entries);
  return entries;
}

/* Column by column. */
static void append(sparse *S, const transposed *T)
{
  const size_t n = S->base.n, r = S->base.r;
  for (size_t j = 0; j < n; j++) {
    const dls_column c = dls_matrix_column(S->base.A, j);
    for (size_t e = 0; e < c.count; e++) {
      dls_matrix_append(S->whole, dls_column_row(&c, e), j);
    }
    for (size_t e = T->starts[j]; e < T->starts[j + 1]; e++) {
      dls_matrix_append(S->whole, n + T->columns[e], j);
    }
  }
  for (size_t j = 0; j < r; j++) {
    const dls_column c = dls_matrix_column(S->base.D, j);
    for (size_t e = 0; e < c.count; e++) {
      dls_matrix_append(S->whole, dls_column_row(&c, e), n + j);
    }
    dls_matrix_append(S->whole, n + j, n + j);
  }
}

static bool lay_out(sparse *S, size_t capacity, size_t joint_entries)
{
  transposed T = {0};
  S->whole = dls_matrix_sparse(S->base.n + S->base.r, S->base.n + S->base.r, capacity);
  const bool done = S->whole != NULL && transpose(S->base.C, joint_entries, &T);
  if (done) {
    append(S, &T);
  }
  free_transposed(&T);
  return done;
}

typedef struct search {
  sparse *S;
  size_t row, column; /* of the block */
  bool turned;
} search;

static void find_place(void *data, size_t i, size_t j, double x)
{
  search *s = data;
  (void)x;
  const double *place = s->turned ? dls_matrix_place(s->S->whole, s->row + j, s->column + i)
                                  : dls_matrix_place(s->S->whole, s->row + i, s->column + j);
  s->S->where[s->S->entries++] = (size_t)(place - s->S->whole->values);
}

static void find_places(sparse *S)
{
  const size_t n = S->base.n;
  dls_matrix_visit(S->base.A, find_place, &(search){S, 0, 0, false});
  dls_matrix_visit(S->base.D, find_place, &(search){S, 0, n, false});
  dls_matrix_visit(S->base.C, find_place, &(search){S, n, 0, true});
  for (size_t i = 0; i < S->base.r; i++) {
    find_place(&(search){S, n, n, false}, i, i, 0);
  }
}

typedef struct filling {
  double *values, weight;
  const size_t *where;
} filling;

static void put_value(void *data, size_t i, size_t j, double x)
{
  filling *f = data;
  (void)i, (void)j;
  f->values[*f->where++] = f->weight * x;
}

static void add_ratio(void *data, size_t i, size_t j, double x)
{
  sparse *S = data;
  const double a = fabs(S->x[i]);
  (void)j;
  S->sum += a > 0 ? x * x / a : 0;
}

static void take_diagonal(void *data, size_t i, size_t j, double x)
{
  if (i == j) {
    ((sparse *)data)->x[i] = x;
  }
}

/* The mean of C_i^T diag(A)^-1 C_i */
static double mean_size(sparse *S)
{
  memset(S->x, 0, S->base.n * sizeof *S->x);
  dls_matrix_visit(S->base.A, take_diagonal, S);
  S->sum = 0;
  dls_matrix_visit(S->base.C, add_ratio, S);
  return S->sum / (double)S->base.r;
}

static void fill(dls_joints_solver *s, bool same)
{
  sparse *S = (sparse *)s;
  const double epsilon = shift * mean_size(S);
  filling f = {.values = S->whole->values, .where = S->where, .weight = 1};
  S->D = same ? S->base.C : S->base.D;
  dls_matrix_visit(S->base.A, put_value, &f); /* A */
  f.weight = -1;
  dls_matrix_visit(S->D, put_value, &f); /* -D */
  f.weight = 1;
  dls_matrix_visit(S->base.C, put_value, &f); /* C^T */
  for (size_t i = 0; i < S->base.r; i++) {
    put_value(&f, i, i, epsilon); /* eps */
  }
  dls_factor_touch(S->base.whole);
}

static dls_status factor(dls_joints_solver *s, bool same, dls_error *err)
{
  fill(s, same);
  return dls_factor_sum(s->whole, (const double[]){1}, err);
}

/* rhs := (f, c). */
static void load(sparse *S, const double *f, const double *c)
{
  const size_t n = S->base.n;
  memcpy(S->rhs, f, n * sizeof *f);
  for (size_t i = 0; i < S->base.r; i++) {
    S->rhs[n + i] = c != NULL ? c[i] : 0;
  }
}

/* The size of the largest entry of rhs. */
static double largest(const sparse *S)
{
  double most = 0;
  for (size_t i = 0; i < S->base.n + S->base.r; i++) {
    most = fmax(most, fabs(S->rhs[i]));
  }
  return most;
}

/* rhs := (f, c) - what x makes of the lines without the shift. */
static void residual(sparse *S, const double *f, const double *c)
{
  const size_t n = S->base.n;
  load(S, f, c);
  dls_matrix_multiply(S->base.A, -1, S->x, S->rhs);                /* f - A x */
  dls_matrix_multiply(S->D, 1, S->x + n, S->rhs);                  /* + D mu */
  dls_matrix_multiply_transposed(S->base.C, -1, S->x, S->rhs + n); /* c - C^T x */
}

static void solve(dls_joints_solver *s, double *x, const double *c, double *mu)
{
  sparse *S = (sparse *)s;
  const size_t n = S->base.n, r = S->base.r;
  memset(S->x, 0, (n + r) * sizeof *S->x);
  load(S, x, c); /* (f, c) */
  const double start = largest(S);
  double last = start;
  for (int k = 0; k < MOST_REFINEMENTS && last > refined * start; k++) {
    dls_factor_solve(S->base.whole, S->rhs);
    for (size_t i = 0; i < n + r; i++) {
      S->x[i] += S->rhs[i]; /* refined */
    }
    residual(S, x, c); /* what eps leaves of (f, c) */
    last = largest(S);
  }
  memcpy(x, S->x, n * sizeof *x);
  if (mu != NULL) {
    memcpy(mu, S->x + n, r * sizeof *mu);
  }
}

static void estimate(dls_joints_solver *s, double *x)
{
  sparse *S = (sparse *)s;
  load(S, x, NULL);
  dls_factor_solve(S->base.whole, S->rhs);
  memcpy(x, S->rhs, S->base.n * sizeof *x);
}

static const dls_joints_kind kind = {
    .factor = factor, .solve = solve, .fill = fill, .estimate = estimate, .destroy = destroy};

dls_joints_solver *dls_joints_sparse(const dls_joints_solver *parts)
{
  const size_t order = parts->n + parts->r, joint_entries = count_entries(parts->C);
  const size_t capacity = count_entries(parts->A) + 2 * joint_entries + parts->r;
  sparse *S = calloc(1, sizeof *S);
  if (S == NULL) {
    return NULL;
  }
  S->base = *parts;
  S->base.kind = &kind;
  S->D = parts->C;
  S->where = malloc(capacity * sizeof *S->where);
  S->block = dls_arrays((const dls_slot[]){{order, {&S->rhs, &S->x}}, {0}});
  if (S->where == NULL || S->block == NULL || !lay_out(S, capacity, joint_entries) ||
      (S->base.whole = dls_factor_create((const dls_matrix *const[]){S->whole}, 1)) == NULL) {
    destroy(&S->base);
    return NULL;
  }
  find_places(S);
  return &S->base;
}
