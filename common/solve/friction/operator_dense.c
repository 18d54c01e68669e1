/* operator_dense.c -- W as an array, column-major, and A (W + D) + B by LU with partial pivoting.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/memory.h"
#include "common/linear/lu.h"
#include "common/solve/friction/friction_methods.h"
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_dense.h>

struct dls_dense_operator {
  dls_problem_operator as_operator;
  const double *W;
  size_t capacity, factored; /* factored: rows of J whose factors are there; 0: none */
  double *J, **column;       /* J, and its factors behind it */
  sunindextype *swap;
  double work;
};

static void multiply(void *data, const double *r, double *u)
{
  dls_dense_operator *O = data;
  const size_t n = O->as_operator.n;
  O->work += (double)n * (double)n;
  for (size_t j = 0; j < n; j++) {
    const double *column = O->W + j * n, x = r[j];
    for (size_t i = 0; x != 0 && i < n; i++) {
      u[i] += column[i] * x;
    }
  }
}

static void add_columns(void *data, size_t first, size_t count, const double *x, double *u)
{
  dls_dense_operator *O = data;
  const size_t n = O->as_operator.n;
  O->work += (double)(n * count);
  for (size_t k = 0; k < count; k++) {
    const double *column = O->W + (first + k) * n;
    for (size_t i = 0; i < n; i++) {
      u[i] += column[i] * x[k];
    }
  }
}

static void diagonal(void *data, size_t first, size_t count, double *block)
{
  const dls_dense_operator *O = data;
  for (size_t j = 0; j < count; j++) {
    memcpy(block + j * count, O->W + (first + j) * O->as_operator.n + first, count * sizeof *block);
  }
}

static bool reserve(dls_dense_operator *O, size_t n)
{
  if (n <= O->capacity) {
    return true;
  }
  free(O->J);
  free(O->column);
  free(O->swap);
  O->J = malloc(dls_size_product(dls_size_product(n, n), 2 * sizeof *O->J));
  O->factored = 0;
  O->column = malloc(n * sizeof *O->column);
  O->swap = malloc(n * sizeof *O->swap);
  const bool done = O->J != NULL && O->column != NULL && O->swap != NULL;
  O->capacity = done ? n : 0;
  return done;
}

/* Rows a to end of column j of J = A (W + D) + B. @return an entry is another one than before */
static bool fill_block(const dls_dense_operator *O, size_t a, size_t end, size_t j, const double *A, double D,
                       const double *B)
{
  const double *W = O->W + j * O->as_operator.n;
  double *column = O->J + j * O->as_operator.n;
  const bool own = a <= j && j < end;
  bool changed = false;
  for (size_t i = a; i < end; i++) {
    double sum = own ? B[i - a + 3 * (j - a)] : 0;
    for (size_t k = a; k < end; k++) {
      sum += A[i - a + 3 * (k - a)] * (k == j ? W[k] + D : W[k]);
    }
    changed = changed || !(column[i] == sum); /* NaN has changed */
    column[i] = sum;
  }
  return changed;
}

static dls_status factor(void *data, size_t blocks, const size_t *first, const double *A, const double *D,
                         const double *B)
{
  dls_dense_operator *O = data;
  const size_t n = O->as_operator.n;
  if (!reserve(O, n)) {
    return DLS_ERR_MEMORY;
  }
  bool changed = O->factored != n;
  for (size_t j = 0; j < n; j++) {
    for (size_t k = 0; k < blocks; k++) {
      changed |= fill_block(O, first[k], first[k + 1], j, A + DLS_BLOCK * k, D[k], B + DLS_BLOCK * k);
    }
  }
  if (!changed) { /* as where contacts stick for many steps */
    return DLS_OK;
  }
  for (size_t j = 0; j < n; j++) {
    O->column[j] = memcpy(O->J + (n + j) * n, O->J + j * n, n * sizeof *O->J);
  }
  O->work += (double)n * (double)n * (double)n / 3;
  O->factored = dls_lu_columns(n, O->column, O->swap) == n ? n : 0;
  return O->factored == n ? DLS_OK : DLS_ERR_SINGULAR;
}

static void solve(void *data, double *x)
{
  dls_dense_operator *O = data;
  SUNDlsMat_denseGETRS(O->column, (sunindextype)O->as_operator.n, O->swap, x);
}

/* @return NULL if out of memory */
static dls_dense_operator *made(dls_dense_operator **dense)
{
  *dense = *dense != NULL ? *dense : calloc(1, sizeof **dense);
  return *dense;
}

bool dls_dense_operator_reserve(dls_dense_operator **dense, size_t n)
{
  return made(dense) != NULL && reserve(*dense, n);
}

const dls_problem_operator *dls_dense_operator_take(dls_dense_operator **dense, size_t n, const double *W)
{
  dls_dense_operator *O = made(dense);
  if (O == NULL) {
    return NULL;
  }
  O->W = W;
  O->as_operator = (dls_problem_operator){.n = n,
                                          .structure = "dense",
                                          .data = O,
                                          .multiply = multiply,
                                          .add_columns = add_columns,
                                          .diagonal = diagonal,
                                          .factor = factor,
                                          .solve = solve,
                                          .work = &O->work};
  return &O->as_operator;
}

void dls_dense_operator_destroy(dls_dense_operator *dense)
{
  if (dense == NULL) {
    return;
  }
  free(dense->J);
  free(dense->column);
  free(dense->swap);
  free(dense);
}
