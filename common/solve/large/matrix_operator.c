/* matrix_operator.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/large/matrix_operator.h"
#include "common/linear/storage.h"
#include "common/solve/large/chain.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Twenty sweeps cost less than a sparse factorization, but twenty times a tridiagonal one. */
enum { SWEEPS = 20, TRIDIAGONAL_ROUNDS = 5 };
enum { CHAIN_ROUNDS = 2 }; /* cost as much as a new pass of chain.c */

/* W is symmetric: row i is column i. */
static void multiply(void *data, const double *z, double *w, double *size)
{
  const dls_matrix *W = ((const dls_lcp_matrix *)data)->W;
  const sunindextype *row = W->row_of;
  for (size_t j = 0; j < W->columns; j++) {
    double sum = w[j], absolute = size[j];
    const size_t end = dls_matrix_end(W, j);
    for (size_t entry = dls_matrix_begin(W, j); entry < end; entry++) {
      const double term = W->values[entry] * z[row[entry]];
      sum += term;
      absolute += fabs(term);
    }
    w[j] = sum;
    size[j] = absolute;
  }
}

/* The same for a tridiagonal matrix, in the same order of operations. */
static void multiply_tridiagonal(void *data, const double *restrict z, double *restrict w,
                                 double *restrict size)
{
  const dls_lcp_matrix *L = data;
  const size_t n = L->as_operator.n, last = n - 1;
  const double *restrict before = L->before, *restrict own = L->diagonal, *restrict after = L->after;
  const double up = own[0] * z[0], down = own[last] * z[last];
  if (n == 1) {
    w[0] += up;
    size[0] += fabs(up);
    return;
  }
  w[0] = w[0] + up + after[0] * z[1];
  size[0] = size[0] + fabs(up) + fabs(after[0] * z[1]);
  for (size_t i = 1; i < last; i++) {
    const double a = before[i] * z[i - 1], b = own[i] * z[i], c = after[i] * z[i + 1];
    w[i] = w[i] + a + b + c;
    size[i] = size[i] + fabs(a) + fabs(b) + fabs(c);
  }
  w[last] = w[last] + before[last] * z[last - 1] + down;
  size[last] = size[last] + fabs(before[last] * z[last - 1]) + fabs(down);
}

/* Does this set equal that of the positive z? */
static bool is_set(size_t n, const double *z, size_t count, const int *set)
{
  size_t positive = 0, there = 0;
  for (size_t i = 0; i < n; i++) {
    positive += z[i] > 0;
  }
  for (size_t k = 0; count < n && k < count; k++) {
    there += z[set[k]] > 0;
  }
  return positive == count && (count == n || there == count);
}

static bool again(void *data, const double *guess, const double *b, double *z, double *w, double *size)
{
  dls_lcp_matrix *L = data;
  const size_t n = L->as_operator.n;
  size_t count;
  const int *set = dls_principal_kept(L->principal, &count);
  if (set == NULL || !is_set(n, guess, count, set)) {
    return false;
  }
  for (size_t k = 0; k < count; k++) {
    w[k] = b[count == n ? k : (size_t)set[k]];
  }
  if (dls_principal_solve(L->principal, w) != DLS_OK) {
    return false;
  }
  memset(z, 0, n * sizeof *z);
  for (size_t k = 0; k < count; k++) {
    z[count == n ? k : (size_t)set[k]] -= w[k];
  }
  for (size_t i = 0; i < n; i++) {
    w[i] = b[i];
    size[i] = fabs(b[i]);
  }
  L->as_operator.multiply(L, z, w, size);
  return true;
}

static inline double relaxed(const dls_lcp_matrix *L, const double *b, const double *z, size_t i)
{
  const dls_matrix *W = L->W;
  const size_t end = dls_matrix_end(W, i);
  double w = b[i];
  for (size_t entry = dls_matrix_begin(W, i); entry < end; entry++) {
    w += W->values[entry] * z[W->row_of[entry]];
  }
  const double target = L->diagonal[i] > 0 ? z[i] - w / L->diagonal[i] : 0;
  return target > 0 ? target : 0;
}

static void sweep(void *data, const double *b, double *z)
{
  const dls_lcp_matrix *L = data;
  for (size_t i = 0; i < L->W->columns; i++) {
    z[i] = relaxed(L, b, z, i);
  }
  for (size_t i = L->W->columns; i-- > 0;) {
    z[i] = relaxed(L, b, z, i);
  }
}

static dls_status factor(void *data, size_t count, const int *set, double shift)
{
  dls_lcp_matrix *L = data;
  if (L->cycles != NULL && shift == 0) {
    dls_lcp_cycles_take(L->cycles, count, set);
    L->by_cycles = true;
    return DLS_OK;
  }
  L->by_cycles = false;
  return dls_principal_factor(L->principal, count, set, shift);
}

static dls_status solve(void *data, double *x)
{
  dls_lcp_matrix *L = data;
  dls_status status = DLS_OK;
  if (L->by_cycles) {
    if (dls_lcp_cycles_solve(L->cycles, x)) {
      return DLS_OK;
    }
    size_t count;
    const int *set = dls_lcp_cycles_set(L->cycles, &count);
    status = dls_principal_factor(L->principal, count, set, 0);
    L->by_cycles = false;
    dls_lcp_cycles_destroy(L->cycles); /* factors are slow for such sets */
    L->cycles = NULL;
  }
  return status != DLS_OK ? status : dls_principal_solve(L->principal, x);
}

static dls_status first_set(void *data, const double *b, unsigned char *active, double *z)
{
  dls_lcp_matrix *L = data;
  if (L->chain && dls_lcp_chain(L->W, b, L->room, active)) {
    return DLS_OK;
  }
  if (L->cycles != NULL) {
    return dls_lcp_cycles_first_set(L->cycles, b, active, z) ? DLS_OK : DLS_ERR_MEMORY;
  }
  return L->guess(L, b, active, z);
}

dls_lcp_matrix *dls_lcp_matrix_create(dls_lcp_guess *guess)
{
  dls_lcp_matrix *L = calloc(1, sizeof *L);
  if (L == NULL || (L->principal = dls_principal_create()) == NULL) {
    dls_lcp_matrix_destroy(L);
    return NULL;
  }
  L->guess = guess;
  L->as_operator = (dls_lcp_operator){.data = L,
                                      .multiply = multiply,
                                      .sweep = sweep,
                                      .factor = factor,
                                      .solve = solve,
                                      .first_set = first_set};
  return L;
}

void dls_lcp_matrix_destroy(dls_lcp_matrix *L)
{
  if (L != NULL) {
    dls_principal_destroy(L->principal);
    dls_lcp_cycles_destroy(L->cycles);
    free(L->diagonal);
    free(L);
  }
}

bool dls_lcp_matrix_reserve(dls_lcp_matrix *L, size_t n)
{
  if (n > L->capacity) {
    free(L->diagonal);
    L->diagonal = malloc((3 * n + dls_lcp_chain_room(n)) * sizeof *L->diagonal);
    L->capacity = L->diagonal == NULL ? 0 : n;
    L->before = L->diagonal == NULL ? NULL : L->diagonal + n;
    L->after = L->diagonal == NULL ? NULL : L->diagonal + 2 * n;
    L->room = L->diagonal == NULL ? NULL : L->diagonal + 3 * n;
  }
  return L->capacity >= n && dls_principal_reserve(L->principal, n);
}

dls_status dls_lcp_matrix_take(dls_lcp_matrix *L, const dls_matrix *W)
{
  const size_t n = W->rows;
  dls_status status = dls_lcp_matrix_reserve(L, n) ? dls_principal_take(L->principal, W) : DLS_ERR_MEMORY;
  const bool tridiagonal = status == DLS_OK && dls_principal_tridiagonal(L->principal);
  for (size_t i = 0; status == DLS_OK && i < n; i++) {
    L->diagonal[i] = L->before[i] = L->after[i] = 0;
    for (size_t entry = dls_matrix_begin(W, i); entry < dls_matrix_end(W, i); entry++) {
      const size_t row = (size_t)W->row_of[entry];
      double *place = row == i ? &L->diagonal[i] : row < i ? &L->before[i] : &L->after[i];
      *place = row == i || tridiagonal ? W->values[entry] : 0;
    }
  }
  L->W = W;
  L->chain = dls_principal_tridiagonal(L->principal) && dls_lcp_chain_applies(W);
  dls_lcp_cycles_destroy(L->cycles);
  L->cycles = NULL;
  L->by_cycles = false;
  if (status == DLS_OK && !dls_principal_tridiagonal(L->principal) && !dls_lcp_cycles_create(W, &L->cycles)) {
    status = DLS_ERR_MEMORY;
  }
  L->as_operator.n = n;
  L->as_operator.multiply = tridiagonal ? multiply_tridiagonal : multiply;
  L->as_operator.again = tridiagonal ? again : NULL;
  L->as_operator.diagonal = L->diagonal;
  L->as_operator.structure = dls_principal_structure(L->principal);
  L->as_operator.guess_rounds = L->chain ? CHAIN_ROUNDS : 0;
  L->as_operator.sweeps = SWEEPS;
  L->as_operator.rounds = dls_principal_tridiagonal(L->principal) ? TRIDIAGONAL_ROUNDS : 0;
  return status;
}
