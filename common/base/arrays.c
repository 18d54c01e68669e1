/* arrays.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/arrays.h"
#include "common/base/memory.h"
#include <stdint.h>
#include <stdlib.h>

/* Assigns the arrays from `next` on, unless it is NULL. @return doubles used */
static size_t cut(const dls_slot *slots, double *next)
{
  size_t total = 0;
  for (; slots->arrays[0] != NULL; slots++) {
    for (size_t i = 0; i < DLS_SLOT_MOST && slots->arrays[i] != NULL; i++) {
      *slots->arrays[i] = next == NULL ? NULL : next + total;
      total = slots->count <= SIZE_MAX - total ? total + slots->count : SIZE_MAX;
    }
  }
  return total;
}

double *dls_arrays(const dls_slot *slots)
{
  const size_t count = dls_size_sum(cut(slots, NULL), 1);
  double *block = count > PTRDIFF_MAX / sizeof *block ? NULL : calloc(count, sizeof *block);
  cut(slots, block);
  return block;
}
