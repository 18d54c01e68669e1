/* start_joints.h -- consistent initial values of a system with joints.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_START_JOINTS_H
#define DELASSUS_COMMON_START_JOINTS_H

#include <delassus/sim.h>

/**
 * q := nearest with Phi = 0, v := nearest with G^T v + dPhi/dt = 0, in the metric of M, before the scheme starts.
 * @return DLS_OK; DLS_ERR_ARG if the correction exceeds the start tolerance and projection is off, or if equations
 * contradict each other
 */
dls_status dls_start_joints(dls_sim *sim, dls_error *err);

#endif
