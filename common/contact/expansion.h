/* expansion.h -- Poisson's impact law: the expansion after the compression.
 *   0 <= u_N+  _|_  p_EN - e p_CN >= 0,   |p_ET| <= mu p_EN,   p_ET against u_T+
 * A contact either gives e p_CN, with friction within mu e p_CN, or is held at u_N+ = 0 by more; others have their law.
 * Which of both is found by trial: e p_CN at first; more where that leaves an approach.
 * Source: Glocker, Pfeiffer 1995.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_EXPANSION_H
#define DELASSUS_COMMON_EXPANSION_H

#include <delassus/contact_system.h>

/** Does a contact of the system have such a law, and e > 0? */
bool dls_expansion_happens(const dls_system *sys);
/**
 * The expansion of those that approached.
 * @param[in]     u_free, u_minus  d count: of the impact
 * @param[in,out] r                d count; p_C in, p_C + p_E out
 * @return as dls_problem_solve; DLS_ERR_NOCONV if the trials go round
 */
dls_status dls_expansion(dls_contact_system *contacts, const dls_contacts *set, const double *u_free,
                         const double *u_minus, double *r, dls_error *err);

#endif
