/* fallbacks.h -- what dls_fallbacks says of a method.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_FALLBACKS_H
#define DELASSUS_TESTS_FALLBACKS_H

#include <delassus/counters.h>

static inline size_t fallbacks_to(const dls_fallbacks *fallbacks, const char *method)
{
  for (size_t k = 0; k < DLS_FALLBACK_METHODS && fallbacks->by[k].method != NULL; k++) {
    if (strcmp(fallbacks->by[k].method, method) == 0) {
      return fallbacks->by[k].count;
    }
  }
  return 0;
}

#endif
