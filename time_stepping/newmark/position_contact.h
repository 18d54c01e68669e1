/* position_contact.h -- contact at position level, for members of the Newmark family:
 *   0 <= g(q')  _|_  z >= 0   for every contact.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_POSITION_CONTACT_H
#define DELASSUS_TIME_STEPPING_POSITION_CONTACT_H

#include "time_stepping/step/velocity_contact.h"

/**
 * 0 <= W z + g(q) + scale H^T dq  _|_  z >= 0, with the H of c's place: c->impulse := z of c->active, outside of which it is 0.
 * With many contacts, these are the ones that close without z or had an impulse in the last step, and those that they close.
 * @param[in] q       n: where the gaps are linearised, at the time of the configuration
 * @param[in] scale   of dq
 * @param[in] dq      n: where q would go without forces of contacts
 * @return as dls_contact_system_solve
 */
dls_status dls_position_contact_solve(const dls_sim *sim, dls_velocity_contact *c, const double *q,
                                      double scale, const double *dq, dls_error *err);
/**
 * A x = f + H z,  0 <= g(q) + H^T x  _|_  z >= 0, where every contact has an unknown of its own.
 * @param[in]  R, f  as of dls_primal_dual_solve
 * @param[out] x     n
 * @return as dls_primal_dual_solve; c->impulse := z of c->active, as above
 */
dls_status dls_position_contact_primal_dual(const dls_sim *sim, dls_velocity_contact *c, dls_primal_dual *R,
                                            const double *q, const double *f, double *x, dls_error *err);

#endif
