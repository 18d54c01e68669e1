/* joint_check.h -- do the callbacks of a system's joints belong together?
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_JOINT_CHECK_H
#define DELASSUS_TESTS_JOINT_CHECK_H

#include <delassus/model.h>

/* At states near the start, by central differences: G is dPhi/dq, joint_rate dPhi/dt, joint_curvature the derivative of
 * G^T v + dPhi/dt along q' = v, joint_stiffness d(G mu)/dq. */
void dls_check_joint_derivatives(const dls_system *sys);
/* The same; and Phi and its rate are 0 at the start. */
void dls_check_joints(const dls_system *sys);

#endif
