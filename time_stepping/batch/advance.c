/* advance.c -- groups the runs of a batch by systems that are alike.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/batch/advance.h"

static dls_batch_steps *widest(const dls_batch_widths *widths, size_t *width)
{
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
    *width = 8;
    return widths->eight;
  }
  if (__builtin_cpu_supports("avx2")) {
    *width = 4;
    return widths->four;
  }
#endif
  *width = widths->two != NULL ? 2 : 1;
  return widths->two != NULL ? widths->two : widths->one;
}

/* The first member and those after it that are alike and not stuck. */
static size_t alike(const dls_batch_member *member, const dls_batch_data *run, size_t count, size_t *most)
{
  size_t k = 1;
  *most = member[0].most;
  for (; k < count && !member[k].stuck && dls_small_system_alike(run[0].small_system, run[k].small_system);
       k++) {
    *most = member[k].most < *most ? member[k].most : *most;
  }
  return k;
}

void dls_batch_advance(dls_batch_member *member, size_t count, dls_batch_reader *read,
                       const dls_batch_widths *widths)
{
  dls_batch_data run[DLS_BATCH_MOST] = {{.small_system = NULL}};
  size_t width = 1, most = 0, together = 1;
  dls_batch_steps *steps = widest(widths, &width);
  for (size_t l = 0; l < count; l++) {
    member[l].status = DLS_OK;
    member[l].stuck = !read(member[l].sim, member[l].h, &run[l]);
    /* advance makes steps with a row of a table of loads */
    member[l].most = member[l].stuck ? 0 : dls_sim_steps_before_row(member[l].sim, member[l].h, member[l].most);
    member[l].stuck = member[l].most == 0;
  }
  for (size_t l = 0; l < count; l += together) {
    together = member[l].stuck ? 1 : alike(member + l, run + l, count - l < width ? count - l : width, &most);
    if (!member[l].stuck) {
      const size_t made = (together == 1 ? widths->one : steps)(member + l, run + l, together, most);
      for (size_t k = l; k < l + together; k++) {
        member[k].made = made;
      }
    }
  }
}
