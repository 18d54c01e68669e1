/* memory.h -- for calls of libraries that do not check their own allocations.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_MEMORY_H
#define DELASSUS_COMMON_MEMORY_H

#include <stdbool.h>
#include <stdlib.h>

/** Is there memory for a call that needs at most so many bytes? */
static inline bool dls_memory_left(size_t bytes)
{
  void *volatile block = malloc(bytes); /* volatile: otherwise the compiler omits malloc and free */
  const bool left = block != NULL;
  free(block);
  return left;
}

#endif
