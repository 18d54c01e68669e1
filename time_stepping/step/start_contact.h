/* start_contact.h -- initial velocity and acceleration of a system that starts in contact.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_START_CONTACT_H
#define DELASSUS_TIME_STEPPING_START_CONTACT_H

#include <delassus/scheme.h>

/**
 * Impact law on closed contacts (g <= 0) that approach faster than eps_u: sim->v becomes v0+, and sim->p, sim->jump and events are set.
 * Then a[n] := M^-1 (F + H lambda) with 0 <= H^T a + (dH^T/dt) v _|_ lambda >= 0 on the closed contacts that do not separate.
 * lambda[m], which may be NULL, receives these forces; its other entries are unchanged. For the start of a scheme.
 * Source: Acary, lecture on nonsmooth mechanical systems, eqs. (24)-(31).
 * @return DLS_OK; DLS_ERR_SINGULAR, DLS_ERR_MEMORY, or what the complementarity solver fails with
 */
dls_status dls_start_contact(dls_sim *sim, double eps_u, double *a, double *lambda, dls_error *err);
/**
 * If the friction of these accelerations would reverse a slip within h, the slip ends before. Then a becomes the mean acceleration
 * over h from the state of the sim, and lambda the mean force:
 *   v + h a = v + h M^-1 F + M^-1 H p,   lambda = p/h,   Coulomb's law between p and the slip of v + h a;
 * Otherwise both are unchanged. Does nothing without friction.
 * @param[in,out] a       n: of dls_start_contact
 * @param[in,out] lambda  rows; may be NULL
 * @return DLS_OK; DLS_ERR_MEMORY; what the solver of contact problems fails with
 */
dls_status dls_start_friction(dls_sim *sim, double h, double eps_u, double *a, double *lambda, dls_error *err);

#endif
