/* experiments/measures/order_fit.h -- the fitted line of a study, or why there is none.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ORDER_FIT_H
#define DELASSUS_EXPERIMENTS_ORDER_FIT_H

#include "experiments/measures/order_levels.h"

/** Is an error so much larger than the solution that the run has left it? */
bool dls_order_explodes(const dls_order_study *study, const dls_order_line *line, double error);

/** Is an error rounding or a tolerance of the scheme: near the floor of the study? */
bool dls_order_at_floor(const dls_order_study *study, const dls_order_line *line, double error);

/**
 * Fit error = C x^order to the runs of a line and judge it by the medians of the levels. Runs that explode are left out and counted. Where no power law holds the line
 * stays without a fit and says why.
 * @param[in] against          what x is
 * @param[in,out] count, x, error  the runs of the line; overwritten
 * @param[in,out] line         scheme, norm and quantity in; fitted, fit and reason out
 * @return DLS_ERR_MEMORY
 */
dls_status dls_order_fit(const dls_order_study *study, dls_against against, size_t count, double *x,
                         double *error, dls_order_line *line, dls_error *err);

#endif
