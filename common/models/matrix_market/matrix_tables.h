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
} dls_matrix_tables;

/**
 * The model that `load` of matrix-model makes from files with these contents. Messages name the tables.
 * @param[in] tables  sorted as dls_market says; they are destroyed, also on failure
 * @param[out] out    for dls_model_release, also on failure, unless it is NULL
 * @return as dls_model_load
 */
dls_status dls_matrix_model_of_tables(const dls_matrix_tables *tables, dls_model **out, dls_error *err);

#endif
