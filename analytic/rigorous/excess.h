/* analytic/rigorous/excess.h -- the largest distance of a point of one curve from another one, enclosed, by branch and bound.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_RIGOROUS_EXCESS_H
#define DELASSUS_RIGOROUS_EXCESS_H

#include "analytic/rigorous/curve.h"

/**
 * @param[in,out] low, high  of the largest distance of both curves found so far: low grows, high is what is proven of this direction
 * @param[in] tolerance  relative width that is asked for
 */
void dls_ball_excess(const dls_ball_curve *of, const dls_ball_curve *from, const arb_t tau, double tolerance,
                     slong prec, double *low, double *high);

#endif
