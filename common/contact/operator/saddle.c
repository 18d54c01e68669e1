/* saddle.c -- many active contacts on a body whose A^{-1} is full: instead of W the system
 *
 *   [ A    -H_a     ] [ x ]   [ 0 ]
 *   [ H_a^T  s D_aa ] [ z ] = [ r ]      z = (W_aa + s D_aa)^{-1} r,  x = A^{-1} H_a z,
 *
 * or, for W = H^T A^{-1} N M^{-1} H,
 *
 *   [ M    0     -H_a   ] [ y ]   [ 0 ]
 *   [ -N   A     0      ] [ x ] = [ 0 ]
 *   [ 0    H_a^T s D_aa ] [ z ]   [ r ],
 *
 * with one row and column for every active contact; those that are not in the set a in hand have z_i = 0 for a row, so
 * that the pattern, and the order of elimination, is the same for all sets. Solved by KLU.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/operator/operator.h"
#include <klu.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 100 };                     /* contacts: fewer are dealt with faster by an array */
static const double least_rcond = 1e-15; /* ratio of the pivots of a matrix that is not singular */

typedef struct saddle {
  dls_operator as_operator;
  dls_lcp_operator lcp;
  dls_matrix *A, *M, *N;  /* sparse; M and N NULL unless D has a product */
  size_t before, contact; /* columns in front of those of x, and of those of z */
  size_t order;           /* contact + count */
  size_t entry_capacity, order_capacity;
  int64_t *starts, *rows; /* of the whole, compressed columns */
  double *values;
  int64_t *place;         /* n + 1, then the next free entry of each column */
  double *diagonal, *rhs; /* D of the contacts; order */
  unsigned char *held;    /* count: contact is in the set */
  int *set;
  size_t set_count;
  double shift;
  klu_l_common common;
  klu_l_symbolic *symbolic;
  klu_l_numeric *numeric; /* of set and shift; NULL: none */
} saddle;

bool dls_saddle_applies(const dls_delassus *D, size_t count)
{
  return count > MANY && D->factor != NULL && dls_factor_storage(D->factor) != DLS_DENSE &&
         dls_factor_storage(D->factor) != DLS_DIAGONAL;
}

static void free_numbers(saddle *S)
{
  klu_l_free_numeric(&S->numeric, &S->common);
  klu_l_free_symbolic(&S->symbolic, &S->common);
}

static void destroy(dls_operator *O)
{
  saddle *S = (saddle *)O;
  free_numbers(S);
  dls_matrix_destroy(S->A);
  dls_matrix_destroy(S->M);
  dls_matrix_destroy(S->N);
  free(S->starts);
  free(S->rows);
  free(S->values);
  free(S->place);
  free(S->diagonal);
  free(S->rhs);
  free(S->held);
  free(S->set);
  free(S);
}

static void *grown(void *old, size_t count, size_t size, bool *done)
{
  void *block = realloc(old, count * size);
  *done = *done && block != NULL;
  return block != NULL ? block : old;
}

static bool reserve(saddle *S, size_t order, size_t entries)
{
  bool done = true;
  if (entries > S->entry_capacity) {
    S->rows = grown(S->rows, entries, sizeof *S->rows, &done);
    S->values = grown(S->values, entries, sizeof *S->values, &done);
    S->entry_capacity = done ? entries : S->entry_capacity;
  }
  if (order > S->order_capacity) {
    S->starts = grown(S->starts, order + 1, sizeof *S->starts, &done);
    S->place = grown(S->place, order + 1, sizeof *S->place, &done);
    S->diagonal = grown(S->diagonal, order, sizeof *S->diagonal, &done);
    S->rhs = grown(S->rhs, order, sizeof *S->rhs, &done);
    S->held = grown(S->held, order, 1, &done);
    S->set = grown(S->set, order, sizeof *S->set, &done);
    S->order_capacity = done ? order : S->order_capacity;
  }
  return done;
}

/* Entries of each column: M over -N, A over H^T, -H over the diagonal. */
static void lay_out(saddle *S)
{
  const dls_delassus *D = S->as_operator.D;
  memset(S->place, 0, (S->order + 1) * sizeof *S->place);
  for (size_t j = 0; j < D->n; j++) {
    if (S->M != NULL) {
      S->place[j] = (int64_t)(dls_matrix_column(S->M, j).count + dls_matrix_column(S->N, j).count);
    }
    S->place[S->before + j] = (int64_t)dls_matrix_column(S->A, j).count;
  }
  for (size_t k = 0; k < D->count; k++) {
    const dls_column c = dls_matrix_column(D->H, D->active[k]);
    S->place[S->contact + k] = (int64_t)c.count + 1;
    for (size_t e = 0; e < c.count; e++) {
      S->place[S->before + dls_column_row(&c, e)]++;
    }
  }
  S->starts[0] = 0;
  for (size_t j = 0; j < S->order; j++) {
    S->starts[j + 1] = S->starts[j] + S->place[j];
  }
}

static void put(saddle *S, size_t i, size_t j, double x)
{
  const int64_t place = S->place[j]++;
  S->rows[place] = (int64_t)i;
  S->values[place] = x;
}

/* weight B at (row, column) and beyond. */
static void put_matrix(saddle *S, const dls_matrix *B, double weight, size_t row, size_t column)
{
  for (size_t j = 0; B != NULL && j < B->columns; j++) {
    const dls_column c = dls_matrix_column(B, j);
    for (size_t e = 0; e < c.count; e++) {
      put(S, row + dls_column_row(&c, e), column + j, weight * c.values[e]);
    }
  }
}

/* Entries for the set in `held` and the shift. */
static void fill(saddle *S)
{
  const dls_delassus *D = S->as_operator.D;
  memcpy(S->place, S->starts, (S->order + 1) * sizeof *S->place);
  put_matrix(S, S->M, 1, 0, 0);
  put_matrix(S, S->N, -1, S->before, 0);
  put_matrix(S, S->A, 1, S->before, S->before);
  for (size_t k = 0; k < D->count; k++) {
    const dls_column c = dls_matrix_column(D->H, D->active[k]);
    for (size_t e = 0; e < c.count; e++) {
      const double x = S->held[k] ? c.values[e] : 0;
      put(S, dls_column_row(&c, e), S->contact + k, -x);
      put(S, S->contact + k, S->before + dls_column_row(&c, e), x);
    }
    put(S, S->contact + k, S->contact + k, S->held[k] ? S->shift * S->diagonal[k] : 1);
  }
}

/* (h^T h)^2 / (h^T A h) <= h^T A^{-1} h = W_kk for the column h of H, by Cauchy and Schwarz. With a product M takes the
 * place of A: the size is right. */
static double bound_of_diagonal(const saddle *S, size_t k)
{
  const dls_delassus *D = S->as_operator.D;
  const dls_column c = dls_matrix_column(D->H, D->active[k]);
  const dls_matrix *A = S->M != NULL ? S->M : S->A;
  double square = 0, energy = 0;
  for (size_t e = 0; e < c.count; e++) {
    const size_t j = dls_column_row(&c, e);
    square += c.values[e] * c.values[e];
    for (size_t f = 0; f < c.count; f++) {
      energy += c.values[e] * dls_matrix_get(A, dls_column_row(&c, f), j) * c.values[f];
    }
  }
  return energy > 0 ? square * square / energy : 0;
}

static dls_status factor(void *data, size_t count, const int *set, double shift)
{
  saddle *S = data;
  if (S->numeric != NULL && count == S->set_count && shift == S->shift &&
      memcmp(set, S->set, count * sizeof *set) == 0) {
    return DLS_OK;
  }
  klu_l_free_numeric(&S->numeric, &S->common);
  memset(S->held, 0, S->as_operator.D->count);
  for (size_t k = 0; k < count; k++) {
    S->held[set[k]] = 1;
    S->set[k] = set[k];
  }
  S->set_count = count;
  S->shift = shift;
  fill(S);
  S->numeric = klu_l_factor(S->starts, S->rows, S->values, S->symbolic, &S->common);
  if (S->numeric != NULL && klu_l_rcond(S->symbolic, S->numeric, &S->common) &&
      S->common.rcond >= least_rcond) {
    return DLS_OK;
  }
  klu_l_free_numeric(&S->numeric, &S->common);
  return S->common.status == KLU_OUT_OF_MEMORY ? DLS_ERR_MEMORY : DLS_ERR_SINGULAR;
}

static dls_status solve(void *data, double *x)
{
  saddle *S = data;
  memset(S->rhs, 0, S->order * sizeof *S->rhs);
  for (size_t k = 0; k < S->set_count; k++) {
    S->rhs[S->contact + (size_t)S->set[k]] = x[k];
  }
  klu_l_solve(S->symbolic, S->numeric, (SuiteSparse_long)S->order, 1, S->rhs, &S->common);
  for (size_t k = 0; k < S->set_count; k++) {
    x[k] = S->rhs[S->contact + (size_t)S->set[k]];
  }
  return DLS_OK;
}

/* w += H^T A^{-1} H z; |(W z)_i| for the size. */
static void multiply(void *data, const double *z, double *w, double *size)
{
  const dls_delassus *D = ((const saddle *)data)->as_operator.D;
  memset(D->x, 0, D->n * sizeof *D->x);
  for (size_t k = 0; k < D->count; k++) {
    if (z[k] != 0) {
      dls_matrix_column_add(D->H, D->active[k], z[k], D->x);
    }
  }
  D->apply(D->data, D->x);
  for (size_t k = 0; k < D->count; k++) {
    const double term = dls_matrix_column_dot(D->H, D->active[k], D->x);
    w[k] += term;
    size[k] += fabs(term);
  }
}

static bool copy_matrices(saddle *S)
{
  const dls_delassus *D = S->as_operator.D;
  if (dls_factor_copy_sum(D->factor, NULL, &S->A) != DLS_OK) {
    return false;
  }
  return D->mass == NULL || (dls_factor_copy_sum(D->mass, NULL, &S->M) == DLS_OK &&
                             dls_factor_copy_sum(D->factor, D->product, &S->N) == DLS_OK);
}

static size_t count_entries(const saddle *S)
{
  const dls_delassus *D = S->as_operator.D;
  size_t entries = S->A->used + D->count + (S->M != NULL ? S->M->used + S->N->used : 0);
  for (size_t k = 0; k < D->count; k++) {
    entries += 2 * dls_matrix_column(D->H, D->active[k]).count;
  }
  return entries;
}

static dls_status gather(dls_operator *O)
{
  saddle *S = (saddle *)O;
  const dls_delassus *D = O->D;
  if (!copy_matrices(S)) {
    return DLS_ERR_MEMORY;
  }
  free_numbers(S);
  S->before = D->mass != NULL ? D->n : 0;
  S->contact = S->before + D->n;
  S->order = S->contact + D->count;
  if (!reserve(S, S->order, count_entries(S))) {
    return DLS_ERR_MEMORY;
  }
  for (size_t k = 0; k < D->count; k++) {
    S->diagonal[k] = bound_of_diagonal(S, k);
    S->held[k] = 1;
  }
  S->shift = 0;
  S->set_count = 0;
  lay_out(S);
  fill(S);
  S->symbolic = klu_l_analyze((SuiteSparse_long)S->order, S->starts, S->rows, &S->common);
  S->lcp.n = D->count;
  S->lcp.diagonal = S->diagonal;
  return S->symbolic != NULL ? DLS_OK : DLS_ERR_MEMORY;
}

/* Column by column. */
static bool copy(dls_operator *O, double *W)
{
  const size_t count = O->D->count;
  double *unit = O->D->r, *size = O->D->r + count;
  memset(W, 0, count * count * sizeof *W);
  memset(unit, 0, count * sizeof *unit);
  for (size_t j = 0; j < count; j++) {
    unit[j] = 1;
    multiply(O, unit, W + j * count, size);
    unit[j] = 0;
  }
  return true;
}

static const dls_operator_kind kind = {.gather = gather, .copy = copy, .destroy = destroy};

dls_operator *dls_saddle_create(dls_delassus *D)
{
  saddle *S = calloc(1, sizeof *S);
  if (S == NULL) {
    return NULL;
  }
  klu_l_defaults(&S->common);
  S->lcp = (dls_lcp_operator){
      .structure = "saddle-point", .data = S, .multiply = multiply, .factor = factor, .solve = solve};
  S->as_operator = (dls_operator){.kind = &kind, .D = D, .lcp = &S->lcp};
  return &S->as_operator;
}
