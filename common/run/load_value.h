/* load_value.h -- names a load that has no value: a formula, table or plug-in that returns NaN or Infinity.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_RUN_LOAD_VALUE_H
#define DELASSUS_COMMON_RUN_LOAD_VALUE_H

#include <delassus/sim.h>

/**
 * A run has failed with a value that is not finite, or without convergence. Is a load (linear systems) or a force not finite near
 * the sim's time? Then the message names its coordinate and the time from which on.
 * @param[in] step, end  of the run [s] @return DLS_ERR_NONFINITE if so, else status
 */
dls_status dls_load_blame(const dls_sim *sim, dls_status status, double step, double end, dls_error *err);

#endif
