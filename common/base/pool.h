/* common/base/pool.h -- memory that is freed all at once.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_POOL_H
#define DELASSUS_COMMON_POOL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct dls_pool_block dls_pool_block;

typedef struct dls_pool {
  dls_pool_block *last;
  bool failed; /* an allocation was refused; stays set */
} dls_pool;

/** size zeroed bytes, aligned for anything; NULL and pool->failed if there is no memory. */
void *dls_pool_take(dls_pool *pool, size_t size);
/** A copy of the first `length` characters of text, ended by NUL. */
char *dls_pool_copy(dls_pool *pool, const char *text, size_t length);
/** printf into the pool. */
char *dls_pool_print(dls_pool *pool, const char *format, ...) __attribute__((format(printf, 2, 3)));
void dls_pool_release(dls_pool *pool);

#endif
