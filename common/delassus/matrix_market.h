/* delassus/matrix_market.h -- real matrices and vectors from Matrix Market files.
 * Format: Boisvert, Pozo, Remington 1996, "The Matrix Market exchange formats: initial design", NISTIR 5935.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MATRIX_MARKET_H
#define DELASSUS_MATRIX_MARKET_H

#include <delassus/error.h>
#include <delassus/matrix.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dls_market_entry {
  size_t row, column; /* from 0 */
  double value;       /* finite, not 0 */
  size_t line;        /* of the file, from 1 */
} dls_market_entry;

/** What is in a file: both triangles of a symmetric matrix, zeros left out. */
typedef struct dls_market {
  size_t rows, columns, count; /* 1 <= rows, columns < 2^31 */
  dls_market_entry *entries;   /* count; by column, then by row; each place once */
} dls_market;

/**
 * Read "coordinate" and "array" files, real or integer, general, symmetric or skew-symmetric.
 * Words of the first line may be in capitals; blank lines and comments may stand anywhere below it, CR LF ends a
 * line as LF does. Indices start at 1. Symmetric files hold the lower triangle only, skew-symmetric ones without
 * the diagonal. An entry that is given twice is refused, not summed: files from assembly must be summed before.
 * Refused too: complex and pattern, numbers that are not finite or (in integer files) not whole, counts that do
 * not agree with the file, lines of more than 1024 characters that are no comments. Memory is taken as entries
 * come, whatever the file announces.
 * @return DLS_OK; DLS_ERR_PARSE with "file:line:column: what"; DLS_ERR_IO; DLS_ERR_MEMORY
 */
dls_status dls_market_read(const char *path, dls_market **out, dls_error *err);
/** The same from an open stream; name stands for the file in messages. */
dls_status dls_market_parse(FILE *in, const char *name, dls_market **out, dls_error *err);
void dls_market_destroy(dls_market *table); /* NULL is fine */

/** In place: rows become columns. */
void dls_market_transpose(dls_market *table);
/** The entry at (row, column), or NULL. */
const dls_market_entry *dls_market_find(const dls_market *table, size_t row, size_t column);

/**
 * The matrix in the narrowest storage: diagonal; dense or band if that has at most four places for each entry;
 * else sparse. Memory is O(count + columns). @return NULL if out of memory
 */
dls_matrix *dls_market_matrix(const dls_market *table);

#ifdef __cplusplus
}
#endif

#endif
