/* paoli_two.c -- paoli_kernel.h for two members in one vector.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define DLS_BATCH_WIDTH 2
#include "time_stepping/batch/paoli_kernel.h"

size_t dls_paoli_two(dls_batch_member *member, const dls_batch_data *run, size_t count, size_t most)
{
  return dls_batch_make_steps(member, run, count, most);
}
