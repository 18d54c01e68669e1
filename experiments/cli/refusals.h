/* experiments/cli/refusals.h -- schemes that cannot treat a model are refused before anything is run.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_REFUSALS_H
#define DELASSUS_EXPERIMENTS_REFUSALS_H

#include "experiments/request/request.h"

/**
 * Start every scheme of the request on its model. Other programs are not started.
 * @return DLS_OK; DLS_ERR_NOT_APPLICABLE with the first refusal, its reason and what would help; as dls_model_create
 */
dls_status dls_cli_check_schemes(const dls_request *request, dls_error *err);

/**
 * The same for a sweep, whose values may make a scheme applicable: a scheme is refused only if it is refused at every point.
 * @param[in] axes  count of them; points are all combinations of their values
 * @return DLS_OK; DLS_ERR_NOT_APPLICABLE with the reason at the first point and what would help; DLS_ERR_MEMORY
 */
dls_status dls_cli_check_swept_schemes(const dls_request *request, size_t count, const dls_sweep_axis *axes,
                                       dls_error *err);

/* To the message of a refusal: which schemes treat what this one does not. Other failures stay as they are. */
void dls_cli_add_remedy(const dls_scheme *scheme, const dls_system *sys, dls_error *err);

#endif
