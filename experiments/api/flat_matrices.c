/* experiments/api/flat_matrices.c -- a linear system from matrices in memory, in plain C types.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/flat.h>

#include "common/models/matrix_market/market_table.h"
#include "common/models/matrix_market/matrix_tables.h"
#include "experiments/api/flat_internal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const dls_model dls_model_matrix_model;

static dls_status check_entry(const dls_flat_matrix *A, size_t k, dls_error *err)
{
  if (A->row_of[k] >= A->rows || A->column_of[k] >= A->columns) {
    return dls_fail(err, DLS_ERR_ARG, "%s: entry %zu is at (%zu, %zu), outside of %zu x %zu", A->name, k,
                    A->row_of[k], A->column_of[k], A->rows, A->columns);
  }
  return isfinite(A->values[k]) ? DLS_OK
                                : dls_fail(err, DLS_ERR_ARG, "%s(%zu, %zu) = %g is not finite", A->name,
                                           A->row_of[k], A->column_of[k], A->values[k]);
}

static dls_status check_places(const dls_flat_matrix *A, const dls_market *table, dls_error *err)
{
  for (size_t k = 1; k < table->count; k++) {
    const dls_market_entry *last = &table->entries[k - 1], *next = &table->entries[k];
    if (last->row == next->row && last->column == next->column) {
      return dls_fail(err, DLS_ERR_ARG, "%s(%zu, %zu) is given twice", A->name, next->row, next->column);
    }
  }
  return DLS_OK;
}

/* Sorted, without zeros; *out is to be destroyed, on failure too. */
static dls_status make_table(const dls_flat_matrix *A, dls_market **out, dls_error *err)
{
  const size_t most = 2147483647;
  if (A->rows < 1 || A->rows > most || A->columns < 1 || A->columns > most) {
    return dls_fail(err, DLS_ERR_ARG, "%s is %zu x %zu: sizes are from 1 to %zu", A->name, A->rows, A->columns,
                    most);
  }
  dls_market *table = *out = calloc(1, sizeof *table);
  if (table != NULL) {
    *table = (dls_market){.rows = A->rows, .columns = A->columns};
    table->entries = malloc((A->count + 1) * sizeof *table->entries);
  }
  if (table == NULL || table->entries == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory for %zu entries", A->name, A->count);
  }
  dls_status status = DLS_OK;
  for (size_t k = 0; k < A->count && status == DLS_OK; k++) {
    status = check_entry(A, k, err);
    table->entries[table->count++] = (dls_market_entry){A->row_of[k], A->column_of[k], A->values[k], k + 1};
  }
  if (status != DLS_OK) {
    return status;
  }
  dls_market_sort(table);
  status = check_places(A, table, err);
  dls_market_drop_zeros(table);
  return status;
}

/* The place of a matrix among the files of matrix-model. @return DLS_MATRIX_SLOTS if it has none */
static size_t slot_of(const char *name)
{
  size_t slot = 0;
  while (slot < DLS_MATRIX_SLOTS && strcmp(dls_model_matrix_model.files[slot].name, name) != 0) {
    slot++;
  }
  return slot;
}

static dls_status make_tables(size_t count, const dls_flat_matrix *matrices, dls_matrix_tables *tables,
                              dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    const size_t slot = slot_of(matrices[i].name);
    if (slot == DLS_MATRIX_SLOTS) {
      status =
          dls_fail(err, DLS_ERR_OPTION, "no matrix is called '%.60s': `delassus show matrix-model` lists them",
                   matrices[i].name);
    } else if (tables->slots[slot] != NULL) {
      status = dls_fail(err, DLS_ERR_OPTION, "%s is given twice", matrices[i].name);
    } else {
      status = make_table(&matrices[i], &tables->slots[slot], err);
    }
  }
  return status;
}

int dls_flat_matrices(dls_catalogue *catalogue, const char *name, size_t count, const dls_flat_matrix *matrices,
                      char *error, size_t size)
{
  dls_error err = {0};
  dls_matrix_tables tables = {0};
  dls_model *model = NULL;
  dls_status status = make_tables(count, matrices, &tables, &err);
  if (status == DLS_OK) {
    status = dls_matrix_model_of_tables(&tables, &model, &err);
    tables = (dls_matrix_tables){0};
    if (status == DLS_OK) {
      status = dls_flat_add_model(catalogue, name, model, &err);
    } else {
      dls_model_release(model);
    }
  }
  for (size_t i = 0; i < DLS_MATRIX_SLOTS; i++) {
    dls_market_destroy(tables.slots[i]);
  }
  return dls_flat_report(status, &err, error, size);
}
