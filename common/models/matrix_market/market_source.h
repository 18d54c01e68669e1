/* market_source.h -- a Matrix Market file as data of a system: its requirements, with file and line in messages.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_MATRIX_MARKET_MARKET_SOURCE_H
#define DELASSUS_MODELS_MATRIX_MARKET_MARKET_SOURCE_H

#include <delassus/matrix.h>
#include <delassus/matrix_market.h>

/* A file that was read; table is NULL if none was given. */
typedef struct dls_source {
  const char *name, *path;
  dls_market *table;
} dls_source;

/* The end of a path, as long as messages show. */
const char *dls_source_tail(const char *path);
/* Is the matrix n x n, like M? @return DLS_ERR_ARG if not */
dls_status dls_source_square(const dls_source *s, size_t n, dls_error *err);
/* Is every diagonal entry of M present and positive? A common error, and easier to name than a pivot. */
dls_status dls_source_diagonal(const dls_source *s, dls_error *err);
/* Does M, read from s, have a Cholesky factorization? */
dls_status dls_source_definite(const dls_source *s, const dls_matrix *M, dls_error *err);
dls_status dls_source_matrix(const dls_source *s, dls_matrix **out, dls_error *err);
/* A symmetric n x n matrix; NULL if no file is given. */
dls_status dls_source_symmetric(const dls_source *s, size_t n, dls_matrix **out, dls_error *err);
/* A column or row of `count` numbers; x stays 0 if no file is given. */
dls_status dls_source_vector(const dls_source *s, size_t count, double *x, dls_error *err);
/* The same with numbers in a range. */
dls_status dls_source_range(const dls_source *s, size_t count, double low, double high, double *x,
                            dls_error *err);

#endif
