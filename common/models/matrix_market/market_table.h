/* market_table.h -- operations on the table of a Matrix Market file that its reader needs.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_MARKET_TABLE_H
#define DELASSUS_COMMON_MARKET_TABLE_H

#include <delassus/matrix_market.h>

/* By column, then by row, then by line. */
void dls_market_sort(dls_market *table);
/* Remove entries of value 0. */
void dls_market_drop_zeros(dls_market *table);

#endif
