/* joint_steps.h -- what steps with joints share: Newton's method is damped, and its matrix regular.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_JOINT_STEPS_H
#define DELASSUS_TIME_STEPPING_JOINT_STEPS_H

#include "time_stepping/step/iteration.h"

/** When to stop, in velocities: with joints a change of q by 16 times the rounding of a length is none. */
dls_newton dls_joint_newton(const dls_sim *sim, const dls_newton_options *opt, double h);
/** The part of an increment that is taken, so that no coordinate changes by more than 0.3 length, where joints or gaps are
 * curved; else 1. */
double dls_joint_damping(const dls_sim *sim, double change_of_q);
/** x := last + part (x - last) */
void dls_joint_retreat(size_t n, double part, const double *last, double *x);
/** eps of (1) in a step: 1e-14 |G^T M^-1 G|, so that joints may be redundant; their multipliers are then those of least norm, about.
 * The iterates change only in their last bits. 0 without joints. */
double dls_joint_shrink(const dls_sim *sim, const dls_matrix *G);

#endif
