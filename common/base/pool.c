/* common/base/pool.c -- memory that is freed all at once.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/pool.h"
#include "common/base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dls_pool_block {
  dls_pool_block *before;
  max_align_t memory[];
};

void *dls_pool_take(dls_pool *pool, size_t size)
{
  dls_pool_block *block = calloc(1, dls_size_sum(size, sizeof *block));
  if (block == NULL) {
    pool->failed = true;
    return NULL;
  }
  block->before = pool->last;
  pool->last = block;
  return block->memory;
}

char *dls_pool_copy(dls_pool *pool, const char *text, size_t length)
{
  char *copy = dls_pool_take(pool, length + 1);
  return copy != NULL ? memcpy(copy, text, length) : NULL;
}

char *dls_pool_print(dls_pool *pool, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  char *text = length >= 0 ? dls_pool_take(pool, (size_t)length + 1) : NULL;
  if (text != NULL) {
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
  }
  return text;
}

void dls_pool_release(dls_pool *pool)
{
  while (pool->last != NULL) {
    dls_pool_block *block = pool->last;
    pool->last = block->before;
    free(block);
  }
}
