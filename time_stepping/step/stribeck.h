/* stribeck.h -- friction whose coefficient depends on the slip speed, in steps at velocity level:
 *   Coulomb's law with mu = mu(|u_T,k+theta|),  u_k+theta = (1 - theta) u_k + theta u_k+1,   mu(u) of dls_system_friction
 * A fixed point of mu, starting from that of u_k. More friction makes less slip, and less slip makes more friction. For one contact the
 * iterates are therefore monotone and converge for every step length, by about h theta W_TT |mu'| lambda_N an iteration. Impacts use mu.
 * Source: this project.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_STRIBECK_H
#define DELASSUS_TIME_STEPPING_STRIBECK_H

#include "time_stepping/step/velocity_contact.h"

/** Impulses of the active contacts. @return as dls_contact_system_impulse; DLS_ERR_NOCONV where the coefficients do
 * not converge */
dls_status dls_stribeck_solve(dls_sim *sim, dls_velocity_contact *c, dls_error *err);

#endif
