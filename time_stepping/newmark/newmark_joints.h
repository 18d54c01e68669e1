/* newmark_joints.h -- a step with joints, decoupled into three problems. a' follows from (4) of newmark_step.c, and v~, q~ from (2), (3)
 * there with w = 0:
 *   M vt' = F(t', q~, v~) + G(q~) mu~,   Phi(t', q~) = 0                                       smooth motion    (1)
 *   q' = q~ + M^-1 (G nu_b + H nu),   Phi(t', q') = 0,   0 <= g(t', q') _|_ nu >= 0            positions        (2)
 *   v' = v~ + M^-1 (G L + H P),   G^T v' + dPhi/dt = 0,
 *        0 <= U' + e U  _|_  P >= 0 where nu > 0 or g <= 0,  P = 0 elsewhere,
 *        U = H^T v at q, U' = H^T v' at q'                                                     velocities       (3)
 *   mu = mu~ + L/h
 * mu~ alone has order one, mu has order two. joints=positions: (3) only in steps with a closed contact.
 * Sources: Arnold & Bruls 2007 (1); Bruls, Acary & Cardona 2014, decoupled.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_NEWMARK_JOINTS_H
#define DELASSUS_TIME_STEPPING_NEWMARK_JOINTS_H

#include "time_stepping/newmark/newmark_step.h"

typedef struct dls_newmark_joints dls_newmark_joints;

/** @param[in] config  of the step; borrowed. Destroy it after a failure, too. */
dls_status dls_newmark_joints_create(dls_sim *sim, const dls_configuration *config, dls_newmark_joints **out,
                                     dls_error *err);
void dls_newmark_joints_destroy(dls_newmark_joints *j); /* NULL is fine */
/** W = H^T S H of (3), with S where the positions were projected last. @return NULL if out of memory */
dls_delassus *dls_newmark_joints_delassus(dls_newmark_joints *j, const dls_matrix *H);
/** At the start: accelerations with the forces of joints, which mu~ are. @param[in,out] a  n; forces in */
void dls_newmark_joints_begin(dls_sim *sim, dls_newmark_joints *j, double *a);
/** From the predictors: q_next, v_next, a_next, vt_next and the impulses of contacts; v_free has no impulses. */
dls_status dls_newmark_joints_step(dls_sim *sim, dls_newmark_memory *s, double h, dls_error *err);

#endif
