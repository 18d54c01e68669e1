/* delassus_local.c -- diagonal A: W = H^T A^{-1} H is sparse, two contacts are coupled only if they move a common
 * degree of freedom. Cost and memory follow the entries of H and W.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/delassus_parts.h"
#include <stdlib.h>
#include <string.h>

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
         dls_matrix_storage(D->H) != DLS_DENSE;
}

static dls_status take_inverse(dls_delassus *D)
{
  dls_local *L = &D->local;
  L->inverse = L->inverse != NULL ? L->inverse : malloc(D->n * sizeof *L->inverse);
  if (L->inverse == NULL) {
    return DLS_ERR_MEMORY;
  }
  const double *diagonal = dls_factor_diagonal(D->factor);
  for (size_t i = 0; !L->known && i < D->n; i++) {
    L->inverse[i] = 1 / diagonal[i];
  }
  L->known = true;
  return DLS_OK;
}

static dls_status reserve_rows(dls_delassus *D, size_t entries)
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
  return L->starts != NULL && L->capacity >= entries ? DLS_OK : DLS_ERR_MEMORY;
}

/* The rows of H on the active set. */
static dls_status transpose(dls_delassus *D)
{
  dls_local *L = &D->local;
  size_t entries = 1;
  for (size_t k = 0; k < D->count; k++) {
    entries += dls_matrix_column(D->H, D->active[k]).count;
  }
  if (reserve_rows(D, entries) != DLS_OK) {
    return DLS_ERR_MEMORY;
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
  return DLS_OK;
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

static dls_status reserve_W(dls_delassus *D, size_t entries)
{
  dls_local *L = &D->local;
  if (D->count > L->W_columns || entries > L->W_entries) {
    const size_t columns = D->capacity, room = entries > L->W_entries ? entries + entries / 4 : L->W_entries;
    dls_matrix_destroy(L->W);
    dls_accumulator_destroy(&L->column);
    L->W = dls_matrix_sparse(columns, columns, room);
    if (L->W == NULL || !dls_accumulator_create(&L->column, columns)) {
      dls_matrix_destroy(L->W);
      L->W = NULL;
      L->W_columns = L->W_entries = 0;
      return DLS_ERR_MEMORY;
    }
    L->W_columns = columns;
    L->W_entries = room;
  }
  L->matrix = L->matrix != NULL ? L->matrix : dls_lcp_matrix_create();
  return L->matrix != NULL ? DLS_OK : DLS_ERR_MEMORY;
}

dls_status dls_local_gather(dls_delassus *D)
{
  dls_local *L = &D->local;
  if (take_inverse(D) != DLS_OK || transpose(D) != DLS_OK || reserve_W(D, most_entries(D)) != DLS_OK) {
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
  const double *diagonal = dls_factor_diagonal(D->factor);
  for (size_t k = 0; k < count; k++) {
    const dls_column c = dls_matrix_column(D->H, active[k]);
    for (size_t e = 0; p[k] != 0 && e < c.count; e++) {
      const size_t i = dls_column_row(&c, e);
      v[i] += alpha * p[k] * c.values[e] / diagonal[i];
    }
  }
}

double dls_local_entry(dls_delassus *D, size_t i, size_t j)
{
  const double *diagonal = dls_factor_diagonal(D->factor);
  const dls_column c = dls_matrix_column(D->H, j);
  double sum = 0;
  for (size_t e = 0; e < c.count; e++) {
    const size_t row = dls_column_row(&c, e);
    sum += dls_matrix_get(D->H, row, i) * c.values[e] / diagonal[row];
  }
  return sum;
}
