/* theta_one.c -- theta_kernel.h for one member, in doubles.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define DLS_BATCH_WIDTH 1
#include "time_stepping/batch/theta_kernel.h"

size_t dls_theta_one(dls_batch_member *member, const dls_batch_data *run, size_t count, size_t most)
{
  return dls_batch_make_steps(member, run, count, most);
}
