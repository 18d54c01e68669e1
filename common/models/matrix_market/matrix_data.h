/* matrix_data.h -- data of a matrix-model in addition to its matrices: loads, surfaces, positions of nodes.
 *   F(t) = F0 + amplitude cos(2 pi frequency t + phase) + the table's forces
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_MATRIX_MARKET_MATRIX_DATA_H
#define DELASSUS_MODELS_MATRIX_MARKET_MATRIX_DATA_H

#include "common/models/matrix_market/load_table.h"
#include <delassus/model.h>
#include <stdbool.h>

/** Which data are present. */
typedef struct dls_matrix_parts {
  bool constant, harmonic, restitution; /* F0; amplitude; eN */
  size_t surfaces, nodes;               /* velocities of surfaces; nodes with coordinates */
} dls_matrix_parts;

typedef struct dls_matrix_data {
  dls_matrix_parts parts;
  double *force, *amplitude, *frequency, *phase; /* n; N, Hz, rad */
  double *surface;                               /* surfaces: velocities */
  double *place;                                 /* 2 x nodes: x, y of each */
  dls_load_table *table;                         /* or NULL */
  double *block;                                 /* owns the arrays above */
} dls_matrix_data;

/** sys->data with arrays for the data, and the callbacks of sys for them, except the table's. @return DLS_OK or
 * DLS_ERR_MEMORY */
dls_status dls_matrix_data_create(dls_system *sys, const dls_matrix_parts *parts);
/** Declare the harmonic loads of the data, or none; call before a table is taken. */
void dls_matrix_data_declare_time(dls_system *sys);
/** Take ownership of the table. */
void dls_matrix_data_take_table(dls_system *sys, dls_load_table *table);
/** Copy from data with the same sizes. @return DLS_OK or DLS_ERR_MEMORY */
dls_status dls_matrix_data_copy(const dls_system *from, dls_system *to);
static inline dls_matrix_data *dls_matrix_data_of(const dls_system *sys)
{
  return sys->data;
}

/** Draw out->system, whose nodes have positions: nodes, lines between nodes coupled by K, contacts at the largest
 * entries of their gradients. */
void dls_matrix_sketch(const double *p, const double *q, dls_sketch *out);

#endif
