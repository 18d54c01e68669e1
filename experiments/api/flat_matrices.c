/* experiments/api/flat_matrices.c -- a linear system from matrices in memory, in plain C types, or from their text.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/flat.h>

#include "common/base/text.h"
#include "common/models/matrix_market/market_table.h"
#include "common/models/matrix_market/matrix_tables.h"
#include "experiments/api/flat_internal.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ORIGIN_ROOM = 400 }; /* for the names of all matrices twice */

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

static dls_status make_tables(size_t count, const dls_flat_matrix *matrices, dls_matrix_tables *tables,
                              dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    const size_t slot = dls_matrix_slot(matrices[i].name, strlen(matrices[i].name));
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

/* Takes the tables. @param[in] status  of what made them @param[in] origin  of the model; or NULL */
static dls_status add_model(dls_catalogue *catalogue, const char *name, dls_matrix_tables *tables,
                            const char *origin, dls_status status, dls_error *err)
{
  dls_model *model = NULL;
  if (status != DLS_OK) {
    for (size_t i = 0; i < DLS_MATRIX_SLOTS; i++) {
      dls_market_destroy(tables->slots[i]);
    }
    return status;
  }
  status = dls_matrix_model_of_tables(tables, &model, err);
  if (status == DLS_OK && origin != NULL && (model->origin = dls_text_copy(origin)) == NULL) {
    status = dls_fail(err, DLS_ERR_MEMORY, "no memory for a model");
  }
  if (status == DLS_OK) {
    return dls_flat_add_model(catalogue, name, model, err);
  }
  dls_model_release(model);
  return status;
}

int dls_flat_matrices(dls_catalogue *catalogue, const char *name, size_t count, const dls_flat_matrix *matrices,
                      char *error, size_t size)
{
  dls_error err = {0};
  dls_matrix_tables tables = {0};
  dls_status status = make_tables(count, matrices, &tables, &err);
  status = add_model(catalogue, name, &tables, NULL, status, &err);
  return dls_flat_report(status, &err, error, size);
}

/* --- matrices of a text --- */

/* "M=M.mtx K=K.mtx": a file for each table, for the command line that is printed. */
static void write_origin(const dls_matrix_tables *tables, char *origin, size_t size)
{
  for (size_t i = 0; i < DLS_MATRIX_SLOTS; i++) {
    if (tables->slots[i] != NULL) {
      const char *slot = dls_matrix_slot_name(i);
      dls_text_append(origin, size, "%s%s=%s.mtx", origin[0] != '\0' ? " " : "", slot, slot);
    }
  }
}

/* The place in a message "NAME:LINE:COLUMN: ..."; in "NAME:LINE: ..." the first column. */
static void find_place(const char *name, const char *message, size_t place[2])
{
  const size_t length = strlen(name);
  place[0] = place[1] = 0;
  if (strncmp(message, name, length) == 0 && sscanf(message + length, ":%zu:%zu", &place[0], &place[1]) == 1) {
    place[1] = 1;
  }
}

int dls_flat_matrices_text(dls_catalogue *catalogue, const char *name, const char *text, size_t length,
                           size_t place[2], char *error, size_t size)
{
  dls_error err = {0};
  dls_matrix_tables tables = {0};
  char origin[ORIGIN_ROOM] = "";
  dls_status status = dls_flat_check_name(name, &err);
  if (status == DLS_OK && text == NULL) {
    status = dls_fail(&err, DLS_ERR_ARG, "text = NULL");
  }
  status = status != DLS_OK ? status : dls_matrix_tables_read(name, text, length, &tables, &err);
  write_origin(&tables, origin, sizeof origin);
  status = add_model(catalogue, name, &tables, origin, status, &err);
  if (place != NULL) {
    find_place(name != NULL ? name : "", err.text, place);
  }
  return dls_flat_report(status, &err, error, size);
}
