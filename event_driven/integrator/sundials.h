/* sundials.h -- a context of SUNDIALS, whose creation differs between versions 6.4 to 7.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_SUNDIALS_H
#define DELASSUS_EVENT_DRIVEN_SUNDIALS_H

#include "common/base/memory.h"
#include <sundials/sundials_config.h>
#include <sundials/sundials_context.h>

/* Bytes, upper bound: 1 kB in version 6.4, whose SUNLogger_Create and SUNHashMap_New do not check their allocations. */
enum { DLS_SUNDIALS_CONTEXT = 4096 };

/** A context that prints no errors; SUNContext_Free destroys it. @return NULL if out of memory */
static inline SUNContext dls_sundials_context(void)
{
  SUNContext context = NULL;
  if (!dls_memory_left(DLS_SUNDIALS_CONTEXT)) {
    return NULL;
  }
#if SUNDIALS_VERSION_MAJOR >= 7
  const int failed = SUNContext_Create(SUN_COMM_NULL, &context);
  if (failed == 0) {
    SUNContext_ClearErrHandlers(context);
  }
#else
  const int failed = SUNContext_Create(NULL, &context);
#endif
  return failed != 0 ? NULL : context;
}

#endif
