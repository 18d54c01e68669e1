/* start_joints.h -- where a run of a system with joints begins.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_START_JOINTS_H
#define DELASSUS_COMMON_START_JOINTS_H

#include <delassus/sim.h>

/**
 * q := nearest with Phi = 0, v := nearest with G^T v + dPhi/dt = 0, in the metric of M, before the scheme starts.
 * @return DLS_OK; DLS_ERR_ARG if that takes more than the start tolerance and start data are not to be projected, or if
 *         equations contradict each other
 */
dls_status dls_start_joints(dls_sim *sim, dls_error *err);

#endif
