/* load_value.h -- finds a load without a value: a formula, table or plug-in that returns NaN or infinity.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_RUN_LOAD_VALUE_H
#define DELASSUS_COMMON_RUN_LOAD_VALUE_H

#include <delassus/sim.h>

/**
 * For a run that failed with a non-finite value or without convergence. If a load (linear systems) or a force is not finite
 * near the sim's time, the message names its coordinate and the time from which it has no value.
 * @param[in] step, end  of the run [s] @return DLS_ERR_NONFINITE if so, else status
 */
dls_status dls_load_blame(const dls_sim *sim, dls_status status, double step, double end, dls_error *err);

#endif
