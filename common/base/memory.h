/* memory.h -- sizes of arrays, and calls of libraries that do not check their own allocations.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_MEMORY_H
#define DELASSUS_COMMON_MEMORY_H

#include <delassus/error.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

/** a b and a + b; SIZE_MAX, which can never be allocated, on overflow. For sizes that come from a file or a request. */
size_t dls_size_product(size_t a, size_t b);
size_t dls_size_sum(size_t a, size_t b);

/** Is there memory for a call that needs at most so many bytes? */
static inline bool dls_memory_left(size_t bytes)
{
  void *volatile block = malloc(bytes); /* volatile: otherwise the compiler omits malloc and free */
  const bool left = block != NULL;
  free(block);
  return left;
}

/** The status of a file that cannot be opened or read, by errno: a stream needs memory. */
static inline dls_status dls_unread_status(int reason)
{
  return reason == ENOMEM ? DLS_ERR_MEMORY : DLS_ERR_IO;
}

#endif
