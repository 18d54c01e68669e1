/* experiments/study/order_fit.h -- the fitted line of a study, or why there is none.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ORDER_FIT_H
#define DELASSUS_EXPERIMENTS_ORDER_FIT_H

#include "experiments/study/order_levels.h"

/**
 * Fit error = C x^order to the runs of a line and judge it by the medians of the levels. Where no power law holds the line
 * stays without a fit and says why.
 * @param[in] against          what x is
 * @param[in] count, x, error  the runs of the line
 * @param[in,out] line         scheme, norm and quantity in; fitted, fit and reason out
 * @return DLS_ERR_MEMORY
 */
dls_status dls_order_fit(const dls_order_study *study, dls_against against, size_t count, const double *x,
                         const double *error, dls_order_line *line, dls_error *err);

#endif
