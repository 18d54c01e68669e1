/* warm_start.h -- try the active set of the last problem first, with its stored factors. Resting contacts keep their set
 * for many steps. Then a problem costs one solve, one product W z + b and the check of both.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_SOLVE_WARM_START_H
#define DELASSUS_COMMON_SOLVE_WARM_START_H

#include "common/solve/lcp/lcp_methods.h"

/** If the set of z is that of W's last factors, compute z and w as block pivoting would find and the certificate accept
 * them.
 * @param[in,out] z       n; unchanged if not done
 * @param[out]    w       n; may be NULL
 * @param[out]    report  only if done
 * @return false if the set differs or does not solve the problem; then run block pivoting */
bool dls_lcp_warm_start(const dls_lcp_solver *solver, const dls_lcp_operator *W, const double *b, double *z,
                        double *w, dls_lcp_report *report);

#endif
