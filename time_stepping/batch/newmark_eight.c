/* newmark_eight.c -- newmark_kernel.h for eight members in one vector.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define DLS_BATCH_WIDTH 8
#include "time_stepping/batch/newmark_kernel.h"

size_t dls_newmark_eight(dls_batch_member *member, const dls_batch_data *run, size_t count, size_t most)
{
  return dls_batch_make_steps(member, run, count, most);
}
