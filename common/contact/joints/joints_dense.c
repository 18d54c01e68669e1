/* joints_dense.c -- small systems: x = what c asks for + N y with an orthonormal basis N of the null space of C^T,
 *   N_D^T A N_C y = N_D^T (f - A x_c),   D mu = A x - f.
 * By complete orthogonal decompositions C s P = Q [R 0; 0 0] Z^T, columns brought to length 1 by s: x_c = Q R^-T (P Z)^T s c,
 * N = the last columns of Q.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/joints/joint_solver.h"
#include "common/linear/lu.h"
#include "common/linear/storage.h"
#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double certain = 1e-6;    /* of the largest pivot: equations that do not depend on others */
static const double dependent = 1e-13; /* of it: equations that do, up to rounding */

typedef struct basis {
  const dls_matrix *G;               /* n x r */
  gsl_matrix *factors;               /* rows x r */
  gsl_vector *tau_q, *tau_z, *scale; /* r */
  gsl_permutation *order;
  gsl_matrix *null; /* n x n: columns from rank on */
} basis;

typedef struct dense {
  dls_joints_solver base;
  size_t rows; /* max(n, r) */
  size_t rank;
  basis C, D, *d;                /* d: C where D is the same */
  gsl_matrix *product, *reduced; /* n x n */
  gsl_permutation *pivots;
  gsl_vector *column, *left; /* rows */
  gsl_vector *norm, *mu;     /* r */
  gsl_vector *x, *y, *f;     /* n */
} dense;

static void free_basis(basis *b)
{
  gsl_matrix_free(b->factors);
  gsl_vector_free(b->tau_q);
  gsl_vector_free(b->tau_z);
  gsl_vector_free(b->scale);
  gsl_permutation_free(b->order);
  gsl_matrix_free(b->null);
}

static void destroy(dls_joints_solver *s)
{
  dense *S = (dense *)s;
  free_basis(&S->C);
  free_basis(&S->D);
  gsl_matrix_free(S->product);
  gsl_matrix_free(S->reduced);
  gsl_permutation_free(S->pivots);
  gsl_vector *vectors[] = {S->column, S->left, S->norm, S->mu, S->x, S->y, S->f};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
    gsl_vector_free(vectors[i]);
  }
  free(S);
}

static void put_entry(void *data, size_t i, size_t j, double x)
{
  gsl_matrix_set(data, i, j, x);
}

/* factors := G with columns of length 1. */
static void take(basis *b)
{
  gsl_matrix_set_zero(b->factors);
  dls_matrix_visit(b->G, put_entry, b->factors);
  for (size_t j = 0; j < b->scale->size; j++) {
    gsl_vector_view column = gsl_matrix_column(b->factors, j);
    const double size = gsl_blas_dnrm2(&column.vector);
    const double scale = size > 0 ? 1 / size : 1;
    gsl_vector_set(b->scale, j, scale);
    gsl_vector_scale(&column.vector, scale);
  }
}

/* Pivots of R above a part of the first. */
static size_t count_pivots(const basis *b, double part)
{
  const double first = fabs(gsl_matrix_get(b->factors, 0, 0));
  size_t k = 0;
  while (k < b->scale->size && fabs(gsl_matrix_get(b->factors, k, k)) > part * first) {
    k++;
  }
  return k;
}

/* The largest pivot from the rank on. What is left there is rounding, of which the first need not be the largest. */
static double largest_left(const basis *b, size_t rank)
{
  double most = 0;
  for (size_t k = rank; k < b->scale->size; k++) {
    most = fmax(most, fabs(gsl_matrix_get(b->factors, k, k)));
  }
  return most;
}

/* The last columns of Q. */
static void make_null(dense *S, basis *b)
{
  const size_t n = S->base.n;
  for (size_t k = S->rank; k < n; k++) {
    gsl_vector_set_basis(S->column, k);
    gsl_linalg_QR_Qvec(b->factors, b->tau_q, S->column);
    for (size_t i = 0; i < n; i++) {
      gsl_matrix_set(b->null, i, k, gsl_vector_get(S->column, i));
    }
  }
}

/* Redundant equations whose rank is that of the start, as nearly always: one decomposition in place of two. Columns have length 1,
 * so that the largest pivot is 1. @return false if the rank is another */
static bool decompose_as_known(dense *S, basis *b)
{
  const size_t known = b == &S->C ? S->base.known : S->rank;
  size_t rank = 0;
  if (known == 0 || known >= S->base.r) {
    return false;
  }
  take(b);
  gsl_linalg_COD_decomp_e(b->factors, b->tau_q, b->tau_z, b->order, certain, &rank, S->norm);
  return rank == known;
}

/* The same, of any rank. */
static void decompose_anew(dense *S, basis *b)
{
  int sign = 0;
  take(b);
  gsl_linalg_QRPT_decomp(b->factors, b->tau_q, b->order, &sign, S->norm);
  if (b == &S->C) {
    const size_t there = count_pivots(b, dependent), known = S->base.known;
    S->base.sure = count_pivots(b, certain);
    S->rank = known == 0 ? S->base.sure : there < known ? there : known;
  }
  if (S->rank > 0 && S->rank < S->base.r) { /* repeat, with what is left beyond the rank set to 0 */
    size_t rank = 0;
    const double left = largest_left(b, S->rank);
    take(b);
    gsl_linalg_COD_decomp_e(b->factors, b->tau_q, b->tau_z, b->order, left, &rank, S->norm);
  }
}

/* The decomposition, and of C the rank. */
static void decompose(dense *S, basis *b)
{
  const size_t known = S->base.known;
  if (!decompose_as_known(S, b)) {
    decompose_anew(S, b);
  } else if (b == &S->C) {
    S->rank = S->base.sure = known;
  }
  S->base.redundant = S->base.r - (known > 0 ? known : S->rank);
  make_null(S, b);
}

/* product := A N_C, reduced := N_D^T A N_C, and its factors. */
static dls_status reduce(dense *S, dls_error *err)
{
  const size_t n = S->base.n, k = S->rank, free = n - k;
  if (free == 0) {
    return DLS_OK;
  }
  gsl_matrix_view NC = gsl_matrix_submatrix(S->C.null, 0, k, n, free),
                  ND = gsl_matrix_submatrix(S->d->null, 0, k, n, free),
                  product = gsl_matrix_submatrix(S->product, 0, 0, n, free),
                  reduced = gsl_matrix_submatrix(S->reduced, 0, 0, free, free);
  gsl_matrix_set_zero(&product.matrix);
  for (size_t j = 0; j < n; j++) {
    const dls_column c = dls_matrix_column(S->base.A, j);
    for (size_t e = 0; e < c.count; e++) {
      gsl_vector_view row = gsl_matrix_row(&product.matrix, dls_column_row(&c, e));
      gsl_vector_const_view from = gsl_matrix_const_row(&NC.matrix, j);
      gsl_blas_daxpy(c.values[e], &from.vector, &row.vector); /* A_ij N_C,j */
    }
  }
  gsl_blas_dgemm(CblasTrans, CblasNoTrans, 1, &ND.matrix, &product.matrix, 0,
                 &reduced.matrix); /* N_D^T A N_C */
  S->pivots->size = free;
  dls_lu(&reduced.matrix, S->pivots);
  for (size_t i = 0; i < free; i++) {
    if (!(fabs(gsl_matrix_get(&reduced.matrix, i, i)) > 0)) {
      return dls_fail(err, DLS_ERR_SINGULAR, "motions that the joints leave free have no inertia");
    }
  }
  return DLS_OK;
}

static dls_status factor(dls_joints_solver *s, bool same, dls_error *err)
{
  dense *S = (dense *)s;
  decompose(S, &S->C);
  S->d = same ? &S->C : &S->D;
  if (!same) {
    decompose(S, &S->D);
  }
  return reduce(S, err);
}

/* column := x_c = Q R^-T (P Z)^T s c */
static void take_condition(dense *S, const double *c)
{
  const basis *b = &S->C;
  const size_t r = S->base.r, k = S->rank;
  gsl_vector_set_zero(S->column);
  if (k == 0) {
    return;
  }
  gsl_matrix_view turned = gsl_matrix_view_vector(S->mu, 1, r);
  for (size_t j = 0; j < r; j++) {
    const size_t i = gsl_permutation_get(b->order, j);
    gsl_vector_set(S->mu, j, gsl_vector_get(b->scale, i) * c[i]); /* P^T s c */
  }
  gsl_vector_view one = gsl_vector_subvector(S->norm, 0, 1);
  gsl_linalg_COD_matZ(b->factors, b->tau_z, k, &turned.matrix, &one.vector); /* Z^T .. */
  gsl_vector_view head = gsl_vector_subvector(S->column, 0, k);
  for (size_t j = 0; j < k; j++) {
    gsl_vector_set(&head.vector, j, gsl_vector_get(S->mu, j));
  }
  gsl_matrix_const_view R = gsl_matrix_const_submatrix(b->factors, 0, 0, k, k);
  gsl_blas_dtrsv(CblasUpper, CblasTrans, CblasNonUnit, &R.matrix, &head.vector); /* R^-T .. */
  gsl_linalg_QR_Qvec(b->factors, b->tau_q, S->column);                           /* x_c = Q .. */
}

/* f := f - A x */
static void subtract_product(const dense *S, const double *x, double *f)
{
  dls_matrix_multiply(S->base.A, -1, x, f);
}

/* x += N_C (N_D^T A N_C)^-1 N_D^T f */
static void add_free(dense *S, const gsl_vector *f, gsl_vector *x)
{
  const size_t n = S->base.n, k = S->rank, free = n - k;
  if (free == 0) {
    return;
  }
  gsl_matrix_const_view NC = gsl_matrix_const_submatrix(S->C.null, 0, k, n, free),
                        ND = gsl_matrix_const_submatrix(S->d->null, 0, k, n, free),
                        reduced = gsl_matrix_const_submatrix(S->reduced, 0, 0, free, free);
  gsl_vector_view y = gsl_vector_subvector(S->y, 0, free);
  gsl_blas_dgemv(CblasTrans, 1, &ND.matrix, f, 0, &y.vector);
  gsl_linalg_LU_svx(&reduced.matrix, S->pivots, &y.vector);
  gsl_blas_dgemv(CblasNoTrans, 1, &NC.matrix, &y.vector, 1, x);
}

/* D mu = -f, with the least |mu / s| */
static void take_multipliers(dense *S, double *mu)
{
  const basis *b = S->d;
  gsl_vector_set_zero(S->column);
  for (size_t i = 0; i < S->base.n; i++) {
    gsl_vector_set(S->column, i, -gsl_vector_get(S->f, i));
  }
  gsl_vector_set_zero(S->mu);
  if (S->rank > 0) {
    gsl_linalg_COD_lssolve(b->factors, b->tau_q, b->tau_z, b->order, S->rank, S->column, S->mu, S->left);
  }
  for (size_t i = 0; i < S->base.r; i++) {
    mu[i] = gsl_vector_get(b->scale, i) * gsl_vector_get(S->mu, i);
  }
}

static void solve(dls_joints_solver *s, double *x, const double *c, double *mu)
{
  dense *S = (dense *)s;
  const size_t n = S->base.n;
  memcpy(S->f->data, x, n * sizeof *x);
  gsl_vector_set_zero(S->x);
  if (c != NULL) {
    take_condition(S, c); /* x_c */
    memcpy(S->x->data, S->column->data, n * sizeof *x);
    subtract_product(S, S->x->data, S->f->data);
  }
  add_free(S, S->f, S->x); /* x = x_c + N_C y */
  if (mu != NULL) {
    memcpy(S->f->data, x, n * sizeof *x);
    subtract_product(S, S->x->data, S->f->data);
    take_multipliers(S, mu); /* D mu = A x - f */
  }
  memcpy(x, S->x->data, n * sizeof *x);
}

static const dls_joints_kind kind = {.factor = factor, .solve = solve, .destroy = destroy};

static bool create_basis(const dense *S, const dls_matrix *G, basis *b)
{
  const size_t n = S->base.n, r = S->base.r;
  b->G = G;
  b->factors = gsl_matrix_calloc(S->rows, r);
  b->tau_q = gsl_vector_calloc(r);
  b->tau_z = gsl_vector_calloc(r);
  b->scale = gsl_vector_calloc(r);
  b->order = gsl_permutation_calloc(r);
  b->null = gsl_matrix_calloc(n, n);
  return b->factors != NULL && b->tau_q != NULL && b->tau_z != NULL && b->scale != NULL && b->order != NULL &&
         b->null != NULL;
}

dls_joints_solver *dls_joints_dense(const dls_joints_solver *parts)
{
  const size_t n = parts->n, r = parts->r;
  dense *S = calloc(1, sizeof *S);
  if (S == NULL) {
    return NULL;
  }
  S->base = *parts;
  S->base.kind = &kind;
  S->rows = n > r ? n : r;
  const bool made = create_basis(S, parts->C, &S->C) && create_basis(S, parts->D, &S->D);
  S->product = gsl_matrix_calloc(n, n);
  S->reduced = gsl_matrix_calloc(n, n);
  S->pivots = gsl_permutation_calloc(n);
  gsl_vector **const vectors[] = {&S->column, &S->left, &S->norm, &S->mu, &S->x, &S->y, &S->f};
  bool done = made && S->product != NULL && S->reduced != NULL && S->pivots != NULL;
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
    *vectors[i] = gsl_vector_calloc(i < 2 ? S->rows : i < 4 ? r : n);
    done = done && *vectors[i] != NULL;
  }
  if (!done) {
    destroy(&S->base);
    return NULL;
  }
  return &S->base;
}
