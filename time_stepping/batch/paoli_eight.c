/* paoli_eight.c -- the steps of paoli_kernel.h of eight runs side by side.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define DLS_LANES 8
#include "time_stepping/batch/paoli_kernel.h"

size_t dls_paoli_eight(dls_glide *lane, const dls_small_run *run, size_t count, size_t most)
{
  return dls_lanes_go(lane, run, count, most);
}
