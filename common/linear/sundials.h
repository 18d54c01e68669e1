/* sundials.h -- a context of SUNDIALS, made in another way by every version from 6.4 to 7.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_LINEAR_SUNDIALS_H
#define DELASSUS_COMMON_LINEAR_SUNDIALS_H

#include <stddef.h>
#include <sundials/sundials_config.h>
#include <sundials/sundials_context.h>

/** Prints nothing, whatever fails on it; SUNContext_Free destroys it. @return NULL if out of memory */
static inline SUNContext dls_sundials_context(void)
{
  SUNContext context = NULL;
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
