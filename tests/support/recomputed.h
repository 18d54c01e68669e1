/* recomputed.h -- what a recorded motion of a linear system with friction leaves of its equations, in long double and without a call
 * of what made it: matrices and rows alone.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_RECOMPUTED_H
#define DELASSUS_TESTS_RECOMPUTED_H

#include <delassus/model.h>
#include <delassus/trajectory.h>

/** Largest of what is left, over the largest of the terms that it is a difference of. */
typedef struct recomputed {
  double motion; /* M a + C v + K q - F(t) - H lambda - T lambda_T, at every row */
  double
      jump; /* M (v+ - v-) - H p - T p_T over two rows of one time, over M v- or that of the scale of velocity */
  double gap; /* g - H^T q - w and u - H^T v [scales of the system] */
  double
      unlawful; /* impulses and forces out of their cone, friction that is not mu times the normal force against the slip, of the largest term of their equation; u+ < 0 with an impulse [scale of velocity], not of accumulations */
} recomputed;

/** @param[in] traj  with accelerations, all columns */
recomputed recomputed_residuals(const dls_system *sys, const dls_trajectory *traj);

#endif
