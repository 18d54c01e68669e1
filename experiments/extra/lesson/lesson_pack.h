/* experiments/extra/lesson/lesson_pack.h -- curves at screen resolution in few characters.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_LESSON_PACK_H
#define DELASSUS_EXPERIMENTS_LESSON_PACK_H

#include <delassus/error.h>
#include <delassus/trajectory.h>
#include <stdio.h>

typedef struct dls_lesson_range {
  const char *column;
  double low, high;
} dls_lesson_range;

/** Write the nodes of a trajectory: for each t, x_0, ... t is a fraction of [0, end] and x of its range, from 0 to 4095, clipped. A number is
 * guessed from the two nodes before: t by equal steps, x on the line through them, rounded toward the last (before the first node all are 0).
 * It is a digit of base 64 (A-Z a-z 0-9 + /), 31 more than its difference from the guess; if that is over 31, the digit 63 and the number in two
 * digits, the high one first. A time at which a column jumps has two nodes. Between nodes the curve is straight; nodes within 1/4095 of such a line are left out. Cubic curves are sampled
 * at 600 equidistant times and at each jump.
 * @return DLS_OK; DLS_ERR_ARG for an unknown column, DLS_ERR_MEMORY; as dls_graph_of
 *  */
dls_status dls_lesson_pack(const dls_trajectory *traj, size_t count, const dls_lesson_range *ranges, double end,
                           FILE *out, dls_error *err);

#endif
