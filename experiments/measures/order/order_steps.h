/* experiments/measures/order/order_steps.h -- the step sizes of a convergence study.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ORDER_STEPS_H
#define DELASSUS_EXPERIMENTS_ORDER_STEPS_H

#include <delassus/study.h>

/** Mean step of a level: geometric from h_first to h_last. */
double dls_order_mean_step(const dls_order_spec *spec, size_t level);

/** Distance of the nearest grid line k h, k >= 0 integer, to one of the first 10 event times, in units of h;
 * 0.5 if there is no event. */
double dls_order_clearance(double h, size_t count, const double *events);

/**
 * Draw the steps: h = h_level 1.25^u, u uniform in (-1,1), at most end, again until no event lies on the grid.
 * @param[in]  count, events  event times, increasing, > 0
 * @param[out] steps  levels x repeats; with one repeat the mean steps as they are
 * @return DLS_ERR_MEMORY
 */
dls_status dls_order_steps(const dls_order_spec *spec, size_t count, const double *events, double *steps,
                           dls_error *err);

/**
 * Draw tolerances: tol_level 1.25^u.
 * @param[out] tolerances  tol_levels x repeats; with one repeat the mean tolerances as they are
 * @return DLS_ERR_MEMORY
 */
dls_status dls_order_tolerances(const dls_order_spec *spec, double *tolerances, dls_error *err);

#endif
