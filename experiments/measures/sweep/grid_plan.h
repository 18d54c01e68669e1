/* experiments/measures/sweep/grid_plan.h -- what a grid will cost, from some of its cells.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_GRID_PLAN_H
#define DELASSUS_EXPERIMENTS_GRID_PLAN_H

#include "experiments/measures/order/order_plan.h"
#include "experiments/measures/sweep/grid.h"

/**
 * Make some cells between the ends of the axes; of order and work a run of each scheme as dls_order_plan_make. The others are taken to
 * cost the same.
 * @return as dls_grid_run and dls_order_plan_make
 */
dls_status dls_grid_plan_make(const dls_grid_spec *spec, dls_order_plan *out, dls_error *err);

#endif
