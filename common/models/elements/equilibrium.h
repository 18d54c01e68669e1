/* equilibrium.h -- equilibrium of a nonlinear system: F(0, q, 0) = 0.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_ELEMENTS_EQUILIBRIUM_H
#define DELASSUS_MODELS_ELEMENTS_EQUILIBRIUM_H

#include <delassus/model.h>

/**
 * Follow the equilibria of F(0, q, 0) = (1 - s) F(0, q0, 0) from the start, s = 0, to s = 1 by Newton's method. q0 becomes
 * the last equilibrium, v0 zero. If the method fails, or a coordinate moves by more than half of its unit (the system's
 * length, 1 rad), the increment of s is halved.
 * @param[in] sys  with stiffness, without joints; contacts are ignored
 * @return DLS_OK; DLS_ERR_NOCONV with the s reached; DLS_ERR_MEMORY
 */
dls_status dls_equilibrium(const char *name, dls_system *sys, dls_error *err);
/**
 * The same with contacts, F(0, q, 0) + H lambda = 0, 0 <= g _|_ lambda >= 0, from (1 - s) (F(0, q0, 0) + H lambda_0) with the
 * lambda_0 of the start, zero.
 * @param[in] sys  contacts are gaps of one coordinate each, as between nodes and planes along the axes. One of them must prevent
 *                 rigid-body motion
 */
dls_status dls_equilibrium_pressed(const char *name, dls_system *sys, dls_error *err);

#endif
