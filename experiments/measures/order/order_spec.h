/* experiments/measures/order/order_spec.h -- the spec of a convergence study: its runs, their tolerances, checks.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ORDER_SPEC_H
#define DELASSUS_EXPERIMENTS_ORDER_SPEC_H

#include <delassus/study.h>

/** @return DLS_OK; DLS_ERR_ARG names the entry, its value and what is allowed; DLS_ERR_OPTION if a tolerance does
 * not go with its scheme */
dls_status dls_order_check(const dls_order_spec *spec, dls_error *err);

/** Is this "dX/dP", X one of q0, ..., v0, ...? @return P, a part of the text; else NULL */
const char *dls_derivative_parameter(const char *of);
/** Is one of the quantities of a study a derivative? */
bool dls_order_differentiates(const dls_order_spec *spec);

/** Whether a scheme runs at every tolerance; else it runs at every step, or once if it chooses its own. */
bool dls_order_swept(const dls_order_spec *spec, size_t scheme);

/**
 * A scheme with its tolerance set.
 * @param[in] tolerance  clipped to the range of the option
 * @return as dls_scheme_choose
 */
dls_status dls_order_choice(const dls_order_spec *spec, size_t scheme, double tolerance, dls_scheme_choice *out,
                            dls_error *err);

/** The largest number of runs of a scheme. */
size_t dls_order_most_runs(const dls_order_spec *spec);
/** The number of runs of a scheme: levels x repeats, tol_levels x repeats, or 1. */
size_t dls_order_runs_of(const dls_order_spec *spec, size_t scheme);
/** The position of a run in the order of scheme, level, repeat. */
size_t dls_order_cell(const dls_order_spec *spec, const dls_order_point *run);

#endif
