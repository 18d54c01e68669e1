/* newmark_two.c -- the steps of newmark_kernel.h of two runs side by side.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define DLS_LANES 2
#include "time_stepping/batch/newmark_kernel.h"

size_t dls_newmark_two(dls_glide *lane, const dls_small_run *run, size_t count, size_t most)
{
  return dls_lanes_go(lane, run, count, most);
}
