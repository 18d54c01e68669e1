/* matrix_data.h -- what a matrix-model has beside its matrices: loads, surfaces, places of nodes.
 *   F(t) = F0 + amplitude cos(2 pi frequency t + phase) + the table's forces
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_MATRIX_MARKET_MATRIX_DATA_H
#define DELASSUS_MODELS_MATRIX_MARKET_MATRIX_DATA_H

#include "common/models/matrix_market/load_table.h"
#include <delassus/model.h>
#include <stdbool.h>

/** Which parts there are. */
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
  double *block;                                 /* owns the arrays */
} dls_matrix_data;

/** sys->data with room for the parts, and the calls of sys that they need but for the table's. @return DLS_OK or DLS_ERR_MEMORY */
dls_status dls_matrix_data_create(dls_system *sys, const dls_matrix_parts *parts);
/** Declare the harmonic loads that the data has, or none; before a table is taken. */
void dls_matrix_data_declare_time(dls_system *sys);
/** The table belongs to the data then. */
void dls_matrix_data_take_table(dls_system *sys, dls_load_table *table);
/** What another has, into data of the same parts. @return DLS_OK or DLS_ERR_MEMORY */
dls_status dls_matrix_data_copy(const dls_system *from, dls_system *to);
static inline dls_matrix_data *dls_matrix_data_of(const dls_system *sys)
{
  return sys->data;
}

/** Draw a system whose nodes have places, out->system: nodes, lines between those that K couples, contacts where their gradients are
 * largest. */
void dls_matrix_sketch(const double *p, const double *q, dls_sketch *out);

#endif
