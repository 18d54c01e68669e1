/* operator_sparse.c -- W in compressed columns, and A (W + D) + B by KLU; by body_schur.c where the bodies are known and have fewer rows;
 * where they are not known, by rank_schur.c if W has few dimensions. Column j of J has all rows of every block that column j of W touches, and its own block. The pattern
 * and the elimination order are computed once for a pattern of W.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/klu_numbers.h"
#include "common/linear/storage.h"
#include "common/solve/friction/friction_methods.h"
#include "common/solve/large/body_schur.h"
#include "common/solve/large/rank_schur.h"
#include <stdlib.h>
#include <string.h>

enum {
  MANY = 100
}; /* rows from which the ranks of W are looked for, which costs about a factorization of fewer rows */

struct dls_sparse_operator {
  dls_problem_operator as_operator;
  const dls_matrix *W;
  const dls_problem_bodies *made_of; /* NULL: factor J itself */
  dls_body_schur *bodies;
  dls_rank_schur *ranks;    /* of W; NULL: none, or not yet looked for */
  bool alone, looked;       /* its ranks are wanted; and were looked for */
  size_t capacity, entries; /* capacity for columns, entries of J */
  int64_t *starts, *rows;   /* J */
  double *values, *rhs;
  size_t *block_of;          /* n: block of each row */
  size_t *mark;              /* n: last column that touched the block, + 1 */
  size_t pattern, pattern_n; /* hash and order of W when the pattern of J was computed; n = 0: never */
  klu_l_common common;
  klu_l_symbolic *symbolic;
  klu_l_numeric *numeric;
  double work;
};

static void multiply(void *data, const double *r, double *u)
{
  dls_sparse_operator *O = data;
  const dls_matrix *W = O->W;
  O->work += (double)W->used;
  for (size_t j = 0; j < W->columns; j++) {
    const size_t end = r[j] != 0 ? dls_matrix_end(W, j) : 0;
    for (size_t e = dls_matrix_begin(W, j); e < end; e++) {
      u[W->row_of[e]] += W->values[e] * r[j];
    }
  }
}

static void add_columns(void *data, size_t first, size_t count, const double *x, double *u)
{
  dls_sparse_operator *O = data;
  const dls_matrix *W = O->W;
  for (size_t k = 0; k < count; k++) {
    const size_t end = dls_matrix_end(W, first + k);
    O->work += (double)(end - dls_matrix_begin(W, first + k));
    for (size_t e = dls_matrix_begin(W, first + k); e < end; e++) {
      u[W->row_of[e]] += W->values[e] * x[k];
    }
  }
}

static void diagonal(void *data, size_t first, size_t count, double *block)
{
  const dls_matrix *W = ((const dls_sparse_operator *)data)->W;
  for (size_t j = 0; j < count; j++) {
    for (size_t i = 0; i < count; i++) {
      block[i + j * count] = dls_matrix_get(W, first + i, first + j);
    }
  }
}

static void free_numbers(dls_sparse_operator *O)
{
  klu_l_free_numeric(&O->numeric, &O->common);
  klu_l_free_symbolic(&O->symbolic, &O->common);
}

static bool reserve(dls_sparse_operator *O, size_t n)
{
  if (n <= O->capacity) {
    return true;
  }
  free(O->starts);
  free(O->rhs);
  free(O->block_of);
  free(O->mark);
  O->starts = malloc((n + 1) * sizeof *O->starts);
  O->rhs = malloc(n * sizeof *O->rhs);
  O->block_of = malloc(n * sizeof *O->block_of);
  O->mark = malloc(n * sizeof *O->mark);
  const bool done = O->starts != NULL && O->rhs != NULL && O->block_of != NULL && O->mark != NULL;
  O->capacity = done ? n : 0;
  O->pattern_n = 0;
  return done;
}

/* Blocks of column j of J in order of first appearance: those that W touches, and its own. Written to visit. */
static size_t column_rows(const dls_sparse_operator *O, const size_t *first, size_t j, int64_t *rows)
{
  const dls_matrix *W = O->W;
  const size_t end = dls_matrix_end(W, j);
  size_t count = 0;
  for (size_t e = dls_matrix_begin(W, j); e <= end; e++) {
    const size_t k = O->block_of[e < end ? (size_t)W->row_of[e] : j];
    if (O->mark[k] == j + 1) {
      continue;
    }
    O->mark[k] = j + 1;
    for (size_t i = first[k]; i < first[k + 1]; i++, count++) {
      if (rows != NULL) {
        rows[count] = (int64_t)i;
      }
    }
  }
  return count;
}

static void lay_out_columns(dls_sparse_operator *O, const size_t *first, bool with_rows)
{
  const size_t n = O->as_operator.n;
  memset(O->mark, 0, n * sizeof *O->mark);
  O->starts[0] = 0;
  for (size_t j = 0; j < n; j++) {
    int64_t *rows = with_rows ? O->rows + O->starts[j] : NULL;
    O->starts[j + 1] = O->starts[j] + (int64_t)column_rows(O, first, j, rows);
  }
}

/* The pattern of J. */
static dls_status lay_out(dls_sparse_operator *O, size_t blocks, const size_t *first)
{
  for (size_t k = 0; k < blocks; k++) {
    for (size_t i = first[k]; i < first[k + 1]; i++) {
      O->block_of[i] = k;
    }
  }
  lay_out_columns(O, first, false);
  const size_t entries = (size_t)O->starts[O->as_operator.n];
  if (entries > O->entries) {
    free(O->rows);
    free(O->values);
    O->rows = malloc(entries * sizeof *O->rows);
    O->values = malloc(entries * sizeof *O->values);
    O->entries = O->rows != NULL && O->values != NULL ? entries : 0;
  }
  if (entries > O->entries) {
    return DLS_ERR_MEMORY;
  }
  lay_out_columns(O, first, true);
  free_numbers(O);
  O->symbolic = klu_l_analyze((int64_t)O->as_operator.n, O->starts, O->rows, &O->common);
  return O->symbolic != NULL ? DLS_OK : DLS_ERR_MEMORY;
}

/* FNV-1a hash of the pattern and the blocks, to recognise the J laid out last. */
static size_t pattern_of(const dls_sparse_operator *O, size_t blocks, const size_t *first)
{
  uint64_t hash = 14695981039346656037u;
  const dls_matrix *W = O->W;
  for (size_t j = 0; j < W->columns; j++) {
    const size_t end = dls_matrix_end(W, j);
    for (size_t e = dls_matrix_begin(W, j); e < end; e++) {
      hash = (hash ^ (uint64_t)W->row_of[e]) * 1099511628211u;
    }
    hash = (hash ^ (uint64_t)end << 32) * 1099511628211u;
  }
  for (size_t k = 0; k < blocks; k++) {
    hash = (hash ^ first[k + 1]) * 1099511628211u;
  }
  return (size_t)hash;
}

/* J = A (W + D) + B, column by column and block by block, with W scattered into rhs. @return false: the factors of these values are there,
 * as where contacts stick for many steps */
static bool fill(dls_sparse_operator *O, const size_t *first, const double *A, const double *D, const double *B)
{
  const dls_matrix *W = O->W;
  double *w = O->rhs; /* column of W + D */
  bool changed = O->numeric == NULL;
  for (size_t j = 0; j < W->columns; j++) {
    const size_t own = O->block_of[j], end = dls_matrix_end(W, j);
    for (int64_t e = O->starts[j]; e < O->starts[j + 1]; e++) {
      w[O->rows[e]] = 0;
    }
    for (size_t e = dls_matrix_begin(W, j); e < end; e++) {
      w[W->row_of[e]] = W->values[e];
    }
    w[j] += D[own];
    for (int64_t e = O->starts[j]; e < O->starts[j + 1]; e++) {
      const size_t i = (size_t)O->rows[e], k = O->block_of[i], a = first[k];
      double sum = k == own ? B[DLS_BLOCK * k + i - a + 3 * (j - a)] : 0;
      for (size_t l = a; l < first[k + 1]; l++) {
        sum += A[DLS_BLOCK * k + i - a + 3 * (l - a)] * w[l];
      }
      changed = changed || !(O->values[e] == sum); /* NaN has */
      O->values[e] = sum;
    }
  }
  return changed;
}

static dls_status factor(void *data, size_t blocks, const size_t *first, const double *A, const double *D,
                         const double *B)
{
  dls_sparse_operator *O = data;
  if (O->made_of != NULL) {
    const dls_status status = dls_body_schur_factor(&O->bodies, O->made_of, blocks, first, A, D, B);
    O->work += dls_body_schur_work(O->bodies);
    return status;
  }
  if (O->alone && !O->looked && O->as_operator.n >= MANY) {
    const dls_status status = dls_rank_schur_create(O->W, blocks, first, &O->ranks);
    if (status != DLS_OK) {
      return status;
    }
    O->looked = true;
  }
  if (O->ranks != NULL) {
    const dls_status status = dls_rank_schur_factor(O->ranks, A, D, B);
    O->work += dls_rank_schur_work(O->ranks);
    return status;
  }
  if (!reserve(O, O->as_operator.n)) {
    return DLS_ERR_MEMORY;
  }
  const size_t pattern = pattern_of(O, blocks, first);
  if (O->pattern_n != O->as_operator.n || O->pattern != pattern || O->symbolic == NULL) {
    O->pattern_n = 0;
    if (lay_out(O, blocks, first) != DLS_OK) {
      return DLS_ERR_MEMORY;
    }
    O->pattern_n = O->as_operator.n;
    O->pattern = pattern;
  }
  if (!fill(O, first, A, D, B)) {
    return DLS_OK;
  }
  const dls_status status =
      dls_klu_numbers(O->starts, O->rows, O->values, O->symbolic, &O->numeric, &O->common);
  if (status == DLS_OK) {
    klu_l_flops(O->symbolic, O->numeric, &O->common);
    O->work += O->common.flops;
  }
  return status;
}

static void solve(void *data, double *x)
{
  dls_sparse_operator *O = data;
  if (O->made_of != NULL) {
    dls_body_schur_solve(O->bodies, x);
  } else if (O->ranks != NULL) {
    dls_rank_schur_solve(O->ranks, x);
  } else {
    klu_l_solve(O->symbolic, O->numeric, (int64_t)O->as_operator.n, 1, x, &O->common);
  }
}

const dls_problem_operator *dls_sparse_operator_take(dls_sparse_operator **sparse, const dls_matrix *W,
                                                     const dls_problem_bodies *bodies, bool ranks)
{
  dls_sparse_operator *O = *sparse;
  if (O == NULL) {
    O = *sparse = calloc(1, sizeof *O);
    if (O == NULL) {
      return NULL;
    }
    klu_l_defaults(&O->common);
  }
  O->W = W;
  dls_rank_schur_destroy(O->ranks);
  O->ranks = NULL;
  O->looked = false;
  O->alone = ranks && bodies == NULL;
  O->made_of = bodies != NULL && bodies->n < W->columns ? bodies : NULL;
  O->as_operator = (dls_problem_operator){.n = W->columns,
                                          .structure = O->made_of != NULL ? "bodies" : "sparse",
                                          .data = O,
                                          .multiply = multiply,
                                          .add_columns = add_columns,
                                          .diagonal = diagonal,
                                          .factor = factor,
                                          .solve = solve,
                                          .work = &O->work};
  return &O->as_operator;
}

void dls_sparse_operator_destroy(dls_sparse_operator *sparse)
{
  if (sparse == NULL) {
    return;
  }
  free_numbers(sparse);
  dls_body_schur_destroy(sparse->bodies);
  dls_rank_schur_destroy(sparse->ranks);
  free(sparse->starts);
  free(sparse->rows);
  free(sparse->values);
  free(sparse->rhs);
  free(sparse->block_of);
  free(sparse->mark);
  free(sparse);
}
