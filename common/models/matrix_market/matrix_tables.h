/* matrix_tables.h -- a matrix-model from tables in memory instead of files.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_MATRIX_MARKET_MATRIX_TABLES_H
#define DELASSUS_MODELS_MATRIX_MARKET_MATRIX_TABLES_H

#include <delassus/matrix_market.h>
#include <delassus/model.h>

enum { DLS_MATRIX_SLOTS = 19 };
/** Tables in the order of the files of matrix-model, NULL if not given; the last file, F, is not among them. */
typedef struct dls_matrix_tables {
  dls_market *slots[DLS_MATRIX_SLOTS];
  const char *text; /* what messages name as their file; NULL: each table by its name */
} dls_matrix_tables;

/** The place of a matrix by its name, "M". @return DLS_MATRIX_SLOTS if none has this name */
size_t dls_matrix_slot(const char *name, size_t length);
/** The name of the matrix in a place. */
const char *dls_matrix_slot_name(size_t slot);

/**
 * The tables of a text: before the lines of each Matrix Market file a line with the name of the matrix.
 * @param[in]  name  of the text, for messages; kept in the tables
 * @param[in]  text  length bytes, need not end with NUL
 * @param[out] out   empty before; its tables are to be destroyed, on failure too
 * @return DLS_OK; DLS_ERR_PARSE with "name:line:column: what"; DLS_ERR_MEMORY
 */
dls_status dls_matrix_tables_read(const char *name, const char *text, size_t length, dls_matrix_tables *out,
                                  dls_error *err);

/**
 * The model that `load` of matrix-model makes from files with these contents.
 * @param[in] tables  sorted as dls_market says; they are destroyed, also on failure
 * @param[out] out    for dls_model_release, also on failure, unless it is NULL
 * @return as dls_model_load
 */
dls_status dls_matrix_model_of_tables(const dls_matrix_tables *tables, dls_model **out, dls_error *err);

#endif
