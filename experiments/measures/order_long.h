/* experiments/measures/order_long.h -- a long run is measured while it goes: its record is never in memory as a whole.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ORDER_LONG_H
#define DELASSUS_EXPERIMENTS_ORDER_LONG_H

#include "experiments/measures/order_shop.h"

/** Is the record of a run by steps larger than it should be, and can all its errors be taken in parts? @param[in] traj  fits the run */
bool dls_shop_is_long(const dls_workshop *shop, double step, const dls_trajectory *traj);
/**
 * Run, and fill in the errors of the points.
 * @param[in]     span    nodes that the Hausdorff distance is given on either side
 * @param[in,out] traj    empty; its events are those of the run
 * @param[out]    narrow  they were too few: nothing is filled in, DLS_ERR_LIMIT
 * @return as dls_run and dls_streaming_add
 */
dls_status dls_shop_run_long(dls_progress *w, dls_sim *sim, double step, size_t span, dls_trajectory *traj,
                             dls_order_point *points, bool *narrow, dls_error *err);

#endif
