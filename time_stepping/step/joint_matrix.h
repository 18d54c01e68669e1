/* joint_matrix.h -- smooth motion with joints in Newton's method:
 *   N x = f + D mu,   C^T x = c,   N = a M + b C + c K - s sum mu_i d^2 Phi_i/dq^2
 * the last of which is the stiffness of the joints' forces.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_JOINT_MATRIX_H
#define DELASSUS_TIME_STEPPING_JOINT_MATRIX_H

#include <delassus/configuration.h>
#include <delassus/joints.h>
#include <delassus/sim.h>

typedef struct dls_joint_matrix {
  const dls_system *sys; /* borrowed */
  dls_matrix *geometric; /* sum of mu_i d^2 Phi_i/dq^2; NULL as the system's */
  dls_factor *N;
  dls_joints *joints; /* with N for A */
} dls_joint_matrix;

/** For a system with joints; M is that of the configuration. @return false if out of memory; destroy it in any case */
bool dls_joint_matrix_create(dls_sim *sim, const dls_configuration *config, dls_joint_matrix *m);
void dls_joint_matrix_destroy(dls_joint_matrix *m);
/** N with weights a, b, c of M, C, K and the stiffness of mu[r] at (t, q), for the next dls_joints_factor. N itself is not factored. */
void dls_joint_matrix_weigh(dls_joint_matrix *m, const double *weights, double s, double t, const double *q,
                            const double *mu);

#endif
