/* experiments/measures/fit/fit_messages.h -- what a reader of the intervals of a fit must know.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_FIT_MESSAGES_H
#define DELASSUS_EXPERIMENTS_FIT_MESSAGES_H

#include "experiments/measures/fit/inference.h"

/** Add the messages to a fit whose numbers are set. @param[in] S, V  as of dls_least_squares_decompose @return DLS_ERR_MEMORY */
dls_status dls_fit_write_messages(const dls_fit_run *run, const double *S, const double *V,
                                  dls_parameter_fit *fit, dls_error *err);

#endif
