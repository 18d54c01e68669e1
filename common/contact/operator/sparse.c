/* sparse.c -- diagonal A: W = H^T A^{-1} H is sparse, two contacts are coupled only if they move a common
 * degree of freedom. Cost and memory follow the entries of H and W.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/operator/operator.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_COUPLED = 16 }; /* entries of W for one of H, if they are reserved from the start */

void dls_local_free(dls_local *L)
{
  free(L->inverse);
  free(L->starts);
  free(L->contact);
  free(L->entry);
  dls_matrix_destroy(L->W);
  dls_accumulator_destroy(&L->column);
  dls_lcp_matrix_destroy(L->matrix);
  *L = (dls_local){0};
}

bool dls_local_applies(const dls_delassus *D)
{
  return D->factor != NULL && dls_factor_storage(D->factor) == DLS_DIAGONAL &&
         (D->mass == NULL || dls_factor_storage(D->mass) == DLS_DIAGONAL) &&
         dls_matrix_storage(D->H) != DLS_DENSE;
}

/* The diagonal of A^{-1} is A^{-1} (1, 1, ...). */
static const double *take_inverse(dls_delassus *D)
{
  dls_local *L = &D->local;
  for (size_t i = 0; !L->known && i < D->n; i++) {
    L->inverse[i] = 1;
  }
  if (!L->known) {
    D->apply(D->data, L->inverse);
    L->known = true;
  }
  return L->inverse;
}

static bool reserve_rows(dls_delassus *D, size_t entries)
{
  dls_local *L = &D->local;
  L->starts = L->starts != NULL ? L->starts : malloc((D->n + 1) * sizeof *L->starts);
  if (entries > L->capacity) {
    free(L->contact);
    free(L->entry);
    L->contact = malloc(entries * sizeof *L->contact);
    L->entry = malloc(entries * sizeof *L->entry);
    L->capacity = L->contact != NULL && L->entry != NULL ? entries : 0;
  }
  return L->starts != NULL && L->capacity >= entries;
}

/* The rows of H on the active set. */
static bool transpose(dls_delassus *D)
{
  dls_local *L = &D->local;
  size_t entries = 1;
  for (size_t k = 0; k < D->count; k++) {
    entries += dls_matrix_column(D->H, D->active[k]).count;
  }
  if (!reserve_rows(D, entries)) {
    return false;
  }
  memset(L->starts, 0, (D->n + 1) * sizeof *L->starts);
  for (size_t k = 0; k < D->count; k++) {
    const dls_column c = dls_matrix_column(D->H, D->active[k]);
    for (size_t e = 0; e < c.count; e++) {
      L->starts[dls_column_row(&c, e) + 1]++;
    }
  }
  for (size_t i = 0; i < D->n; i++) {
    L->starts[i + 1] += L->starts[i];
  }
  for (size_t k = 0; k < D->count; k++) {
    const dls_column c = dls_matrix_column(D->H, D->active[k]);
    for (size_t e = 0; e < c.count; e++) {
      const size_t place = L->starts[dls_column_row(&c, e)]++;
      L->contact[place] = (int)k;
      L->entry[place] = c.values[e];
    }
  }
  memmove(L->starts + 1, L->starts, D->n * sizeof *L->starts);
  L->starts[0] = 0;
  return true;
}

/* Entries that W can have, no more than count^2. */
static size_t most_entries(const dls_delassus *D)
{
  double sum = 0;
  for (size_t i = 0; i < D->n; i++) {
    const double contacts = (double)(D->local.starts[i + 1] - D->local.starts[i]);
    sum += contacts * contacts;
  }
  const double full = (double)D->count * (double)D->count;
  return (size_t)(sum < full ? sum : full);
}

static bool reserve_W(dls_delassus *D, size_t columns, size_t entries)
{
  dls_local *L = &D->local;
  if (columns > L->W_columns || entries > L->W_entries) {
    const size_t room = entries > L->W_entries ? entries + entries / 4 : L->W_entries;
    dls_matrix_destroy(L->W);
    dls_accumulator_destroy(&L->column);
    L->W = dls_matrix_sparse(columns, columns, room);
    if (L->W == NULL || !dls_accumulator_create(&L->column, columns)) {
      dls_matrix_destroy(L->W);
      L->W = NULL;
      L->W_columns = L->W_entries = 0;
      return false;
    }
    L->W_columns = columns;
    L->W_entries = room;
  }
  L->matrix = L->matrix != NULL ? L->matrix : dls_lcp_matrix_create();
  return L->matrix != NULL && dls_lcp_matrix_reserve(L->matrix, columns);
}

bool dls_local_reserve(dls_delassus *D)
{
  dls_local *L = &D->local;
  size_t entries = 1, coupled = 0;
  for (size_t j = 0; j < D->m; j++) {
    entries += dls_matrix_column(D->H, j).count;
  }
  L->inverse = malloc(D->n * sizeof *L->inverse);
  if (L->inverse == NULL || !reserve_rows(D, entries)) {
    return false;
  }
  memset(L->starts, 0, (D->n + 1) * sizeof *L->starts);
  for (size_t j = 0; j < D->m; j++) {
    const dls_column c = dls_matrix_column(D->H, j);
    for (size_t e = 0; e < c.count; e++) {
      coupled += 2 * L->starts[dls_column_row(&c, e)]++ + 1; /* the sum of these is the square */
    }
  }
  return coupled > MOST_COUPLED * entries || reserve_W(D, D->m, coupled);
}

dls_status dls_local_gather(dls_delassus *D)
{
  dls_local *L = &D->local;
  take_inverse(D);
  if (!transpose(D) || !reserve_W(D, D->capacity, most_entries(D))) {
    return DLS_ERR_MEMORY;
  }
  dls_matrix_reshape(L->W, D->count);
  for (size_t k = 0; k < D->count; k++) {
    const dls_column c = dls_matrix_column(D->H, D->active[k]);
    for (size_t e = 0; e < c.count; e++) {
      const size_t i = dls_column_row(&c, e);
      const double x = c.values[e] * L->inverse[i];
      for (size_t place = L->starts[i]; place < L->starts[i + 1]; place++) {
        dls_accumulator_add(&L->column, (size_t)L->contact[place], L->entry[place] * x);
      }
    }
    dls_accumulator_flush(&L->column, L->W, k);
  }
  return DLS_OK;
}

void dls_local_apply(dls_delassus *D, size_t count, const size_t *active, double alpha, const double *p,
                     double *v)
{
  const double *inverse = take_inverse(D);
  for (size_t k = 0; k < count; k++) {
    const dls_column c = dls_matrix_column(D->H, active[k]);
    for (size_t e = 0; p[k] != 0 && e < c.count; e++) {
      const size_t i = dls_column_row(&c, e);
      v[i] += alpha * p[k] * c.values[e] * inverse[i];
    }
  }
}

double dls_local_entry(dls_delassus *D, size_t i, size_t j)
{
  const double *inverse = take_inverse(D);
  const dls_column c = dls_matrix_column(D->H, j);
  double sum = 0;
  for (size_t e = 0; e < c.count; e++) {
    const size_t row = dls_column_row(&c, e);
    sum += dls_matrix_get(D->H, row, i) * c.values[e] * inverse[row];
  }
  return sum;
}
