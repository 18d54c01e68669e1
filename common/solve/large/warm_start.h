/* warm_start.h -- the active set of the last problem once more, by the factors that are kept. Contacts that lie on each other stay for many
 * steps: then a problem is one solve, one product W z + b and one look at both, which is the judge's.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_SOLVE_WARM_START_H
#define DELASSUS_COMMON_SOLVE_WARM_START_H

#include "common/solve/lcp/lcp_methods.h"

/** Where the set of z is that of W's last factors: z and w by them, as block pivoting would find and the judge accept them.
 * @param[in,out] z       n; as it was if not done
 * @param[out]    w       n; may be NULL
 * @param[out]    report  only if done
 * @return false if all has to be tried: another set, or not its solution */
bool dls_lcp_warm_start(const dls_lcp_solver *solver, const dls_lcp_operator *W, const double *b, double *z,
                        double *w, dls_lcp_report *report);

#endif
