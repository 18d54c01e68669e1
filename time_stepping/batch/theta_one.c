/* theta_one.c -- the steps of theta_kernel.h of one run.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define DLS_LANES 1
#include "time_stepping/batch/theta_kernel.h"

size_t dls_theta_one(dls_glide *lane, const dls_small_run *run, size_t count, size_t most)
{
  return dls_lanes_go(lane, run, count, most);
}
