/* load_table.h -- forces over time from a CSV file: a header t,F0,F7,... and rows of numbers, with nondecreasing times.
 * Between two rows forces are linear. Two rows of one time are a jump, and the second is valid at that time. Before the
 * first and after the last row the values are constant.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_MATRIX_MARKET_LOAD_TABLE_H
#define DELASSUS_MODELS_MATRIX_MARKET_LOAD_TABLE_H

#include <delassus/error.h>
#include <stddef.h>

typedef struct dls_load_table {
  size_t rows, columns, capacity; /* columns without t */
  size_t *freedom;                /* columns: degree of freedom that each loads */
  double *values;                 /* rows of 1 + columns: t [s], forces */
} dls_load_table;

/** @param[in] n  degrees of freedom @return DLS_OK; DLS_ERR_PARSE, DLS_ERR_ARG with file and line; DLS_ERR_IO; DLS_ERR_MEMORY */
dls_status dls_load_table_read(const char *path, size_t n, dls_load_table **out, dls_error *err);
dls_load_table *dls_load_table_copy(const dls_load_table *from); /* NULL if out of memory */
void dls_load_table_destroy(dls_load_table *table);              /* NULL is fine */

/** F[freedom] += the forces at t or, for rate, their right derivatives at t. */
void dls_load_table_add(const dls_load_table *table, double t, double *F);
void dls_load_table_add_rate(const dls_load_table *table, double t, double *dF);
/** F[freedom] += the means of the forces over [from, to], exact: they are piecewise linear. from < to. */
void dls_load_table_add_mean(const dls_load_table *table, double from, double to, double *F);
/** The first jump after t; INFINITY: none. */
double dls_load_table_next_jump(const dls_load_table *table, double t);
/** The first row after t, where the slope of the forces may change; INFINITY: none. */
double dls_load_table_next_row(const dls_load_table *table, double t);

#endif
