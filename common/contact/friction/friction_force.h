/* friction_force.h -- contact forces with friction at the level of accelerations, where the slips are given.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_FRICTION_FORCE_H
#define DELASSUS_COMMON_FRICTION_FORCE_H

#include <delassus/contact_system.h>

/** Room for a dense matrix of this many unknowns; grows only. @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_friction_reserve(dls_contact_system *contacts, size_t count, dls_error *err);
void dls_friction_destroy(struct dls_friction_work *work); /* NULL is fine */
/** Does a contact with friction of the set slip with the velocity v[n]? Lays out the problem below, where it is asked for. */
bool dls_friction_slides(dls_contact_system *contacts, const dls_contacts *set, const double *v);
/**
 * r with u' = W r + q of the contacts of a set, where
 *   u_T = 0:      Coulomb's law between u' and r                                                        (1)
 *   u_T not 0:    0 <= u'_N  _|_  r_N >= 0,   r_T = -mu r_N e,   e = u_T/|u_T|                           (2)
 * On a way, contacts that rested where it began have (1), and a slip that has turned round since keeps the e of that
 * time: it ends between, where the way is to be cut. The W of (2) is not symmetric, and where it is not positive there may
 * be no force: DLS_ERR_LCP.
 * Source: Acary, lecture on nonsmooth mechanical systems, eqs. (30), (31).
 * To be called after dls_friction_slides. Up to 100 unknowns, or where M is not diagonal, W is an array here; more are solved by the bodies
 * (mode_operator.h), starting from the last force.
 * @param[in]  q     d count
 * @param[out] r     d count
 */
dls_status dls_friction_force(dls_contact_system *contacts, const dls_contacts *set, const double *q, double *r,
                              dls_error *err);

#endif
