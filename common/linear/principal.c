/* principal.c -- tridiagonal W by L D L^T from both ends, any other by CHOLMOD with one fill-reducing order for all
 * submatrices.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/principal_parts.h"
#include "common/linear/tridiagonal.h"
#include <stdlib.h>
#include <string.h>

/* Redundant contacts leave pivots of about 1e-16 of the diagonal; what is left of a legitimate one, above. */
static const double least_pivot = 1e-12;

dls_principal *dls_principal_create(void)
{
  return calloc(1, sizeof(dls_principal));
}

static void free_sparse(dls_principal *P)
{
  free(P->order);
  free(P->lower.starts);
  free(P->lower.rows);
  free(P->lower.values);
  free(P->asked);
  free(P->work);
  P->asked = NULL;
  P->work = NULL;
  P->order = P->position = P->own = NULL;
  P->lower = (dls_lower){0};
  P->order_capacity = P->entry_capacity = 0;
}

static void free_dense(dls_principal *P)
{
  free(P->set);
  free(P->d);
  P->set = NULL;
  P->d = P->e = NULL;
  P->capacity = 0;
}

void dls_principal_destroy(dls_principal *P)
{
  if (P != NULL) {
    free_sparse(P);
    free_dense(P);
    dls_cholesky_destroy(P->cholesky);
    free(P);
  }
}

static bool is_tridiagonal(const dls_matrix *W)
{
  for (size_t j = 0; j < W->columns; j++) {
    const size_t begin = dls_matrix_begin(W, j), end = dls_matrix_end(W, j);
    if (begin < end && ((size_t)W->row_of[begin] + 1 < j || (size_t)W->row_of[end - 1] > j + 1)) {
      return false;
    }
  }
  return true;
}

bool dls_principal_reserve(dls_principal *P, size_t n)
{
  if (n > P->capacity) {
    free_dense(P);
    P->set = malloc(n * sizeof *P->set);
    P->d = malloc(2 * n * sizeof *P->d);
    if (P->set == NULL || P->d == NULL) {
      free_dense(P);
      return false;
    }
    P->capacity = n;
  }
  P->e = P->d + P->capacity;
  return true;
}

static bool reserve_sparse(dls_principal *P, size_t n, size_t entries)
{
  P->cholesky = P->cholesky != NULL ? P->cholesky : dls_cholesky_create();
  if (P->cholesky != NULL && n <= P->order_capacity && entries <= P->entry_capacity) {
    return true;
  }
  free_sparse(P);
  P->order = malloc(3 * n * sizeof *P->order);
  P->lower.starts = malloc((n + 1) * sizeof *P->lower.starts);
  P->lower.rows = malloc(entries * sizeof *P->lower.rows);
  P->lower.values = malloc(entries * sizeof *P->lower.values);
  P->asked = malloc(n * sizeof *P->asked);
  P->work = malloc(5 * n * sizeof *P->work);
  if (P->cholesky == NULL || P->order == NULL || P->lower.starts == NULL || P->lower.rows == NULL ||
      P->lower.values == NULL || P->asked == NULL || P->work == NULL) {
    free_sparse(P);
    return false;
  }
  P->order_capacity = n;
  P->entry_capacity = entries;
  P->position = P->order + n;
  P->own = P->order + 2 * n;
  return true;
}

/* lower := lower triangle of W_aa + shift diag(W_aa); position is that of a. */
static void gather(dls_principal *P, size_t count, const int *set, double shift)
{
  const dls_matrix *W = P->W;
  size_t used = 0;
  for (size_t k = 0; k < count; k++) {
    const size_t j = (size_t)set[k];
    P->lower.starts[k] = (int64_t)used;
    for (size_t entry = dls_matrix_begin(W, j); entry < dls_matrix_end(W, j); entry++) {
      const size_t i = (size_t)W->row_of[entry];
      if (i >= j && P->position[i] >= 0) {
        P->lower.rows[used] = P->position[i];
        P->lower.values[used++] = W->values[entry] * (i == j ? 1 + shift : 1);
      }
    }
  }
  P->lower.starts[count] = (int64_t)used;
  P->lower.n = count;
}

/* The order of elimination of the whole of W. */
static dls_status order_all(dls_principal *P)
{
  const size_t n = P->W->rows;
  if (!reserve_sparse(P, n, P->W->used)) {
    return DLS_ERR_MEMORY;
  }
  for (size_t i = 0; i < n; i++) {
    P->position[i] = (int64_t)i;
    P->set[i] = (int)i;
  }
  gather(P, n, P->set, 0);
  return dls_cholesky_order(P->cholesky, &P->lower, P->order) ? DLS_OK : DLS_ERR_MEMORY;
}

dls_status dls_principal_take(dls_principal *P, const dls_matrix *W)
{
  P->W = W;
  P->current = false;
  P->nearby = false;
  P->tridiagonal = is_tridiagonal(W);
  if (!dls_principal_reserve(P, W->rows)) {
    return DLS_ERR_MEMORY;
  }
  P->ordered = P->tridiagonal;
  return DLS_OK;
}

static dls_status factor_tridiagonal(dls_principal *P, size_t count, const int *set, double shift)
{
  const dls_matrix *W = P->W;
  for (size_t k = 0; k < count; k++) {
    const size_t j = (size_t)set[k];
    P->d[k] = P->e[k] = 0;
    for (size_t entry = dls_matrix_begin(W, j); entry < dls_matrix_end(W, j); entry++) {
      const size_t i = (size_t)W->row_of[entry];
      if (i == j) {
        P->d[k] = W->values[entry] * (1 + shift);
      } else if (i == j + 1 && k + 1 < count && (size_t)set[k + 1] == i) {
        P->e[k] = W->values[entry];
      }
    }
  }
  const size_t done = dls_tridiagonal_dominant(count, P->d, P->e)
                          ? dls_tridiagonal_factor_dominant(count, P->d, P->e, least_pivot)
                          : dls_tridiagonal_factor(count, P->d, P->e, least_pivot);
  return done == count ? DLS_OK : DLS_ERR_SINGULAR;
}

static dls_status factor_sparse(dls_principal *P, size_t count, const int *set, double shift)
{
  const size_t n = P->W->rows;
  for (size_t i = 0; i < n; i++) {
    P->position[i] = -1;
  }
  for (size_t k = 0; k < count; k++) {
    P->position[set[k]] = (int64_t)k;
  }
  for (size_t i = 0, k = 0; i < n; i++) {
    if (P->position[P->order[i]] >= 0) {
      P->own[k++] = P->position[P->order[i]];
    }
  }
  gather(P, count, set, shift);
  return dls_cholesky_factor(P->cholesky, &P->lower, P->own, least_pivot);
}

static dls_status factor(dls_principal *P, size_t count, const int *set, double shift)
{
  P->ordered = P->ordered || order_all(P) == DLS_OK;
  if (!P->ordered) {
    return DLS_ERR_MEMORY;
  }
  memmove(P->set, set, count * sizeof *set);
  P->count = count;
  P->shift = shift;
  P->nearby = false;
  P->made =
      P->tridiagonal ? factor_tridiagonal(P, count, P->set, shift) : factor_sparse(P, count, P->set, shift);
  P->current = P->made != DLS_ERR_MEMORY;
  return P->made;
}

static bool same(size_t count, const int *a, size_t other, const int *b)
{
  return count == other && memcmp(a, b, count * sizeof *a) == 0;
}

dls_status dls_principal_factor(dls_principal *P, size_t count, const int *set, double shift)
{
  if (P->current && shift == P->shift && same(count, set, P->count, P->set)) {
    P->nearby = false;
    return P->made;
  }
  const bool again =
      P->nearby && same(count, set, P->asked_count, P->asked); /* it stays: worth a factorization */
  P->nearby = !again && dls_nearby_takes(P, count, set, shift);
  return P->nearby ? DLS_OK : factor(P, count, set, shift);
}

dls_status dls_principal_solve(dls_principal *P, double *x)
{
  if (P->tridiagonal) {
    dls_tridiagonal_solve(P->count, P->d, P->e, x);
    return DLS_OK;
  }
  dls_status status = P->nearby ? dls_nearby_solve(P, x) : DLS_OK;
  if (status == DLS_ERR_NOCONV) {
    status = factor(P, P->asked_count, P->asked, P->shift);
  }
  return P->nearby || status != DLS_OK ? status : dls_cholesky_solve(P->cholesky, x);
}

const int *dls_principal_kept(const dls_principal *P, size_t *count)
{
  *count = P->count;
  return P->current && P->made == DLS_OK && P->shift == 0 && !P->nearby ? P->set : NULL;
}

bool dls_principal_tridiagonal(const dls_principal *P)
{
  return P->tridiagonal;
}

const char *dls_principal_structure(const dls_principal *P)
{
  return P->tridiagonal ? "tridiagonal" : "sparse";
}
