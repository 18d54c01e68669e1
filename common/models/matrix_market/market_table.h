/* market_table.h -- operations on the table of a Matrix Market file that its reader needs.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_MARKET_TABLE_H
#define DELASSUS_COMMON_MARKET_TABLE_H

#include <delassus/matrix_market.h>

/* As dls_market_parse, where the first line of the stream is line `first` of what the name stands for. */
dls_status dls_market_parse_from(FILE *in, const char *name, size_t first, dls_market **out, dls_error *err);
/* By column, then by row, then by line. */
void dls_market_sort(dls_market *table);
/* Remove entries of value 0. */
void dls_market_drop_zeros(dls_market *table);
/* sum_k factors[k] terms[k], added in this order, in the narrowest storage without zeros. NULL terms and factors of 0 are left out.
 * @return NULL if out of memory */
dls_matrix *dls_market_sum(size_t rows, size_t columns, size_t count, const dls_matrix *const *terms,
                           const double *factors);

#endif
