/* analytic/rigorous/area.h -- the integral of the absolute difference of two curves, enclosed.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_RIGOROUS_AREA_H
#define DELASSUS_RIGOROUS_AREA_H

#include "analytic/rigorous/curve.h"

/* int |x_j - y_j| dt where both are, to the relative width asked for if it can be had; times are not divided by tau. */
void dls_ball_area(arb_t out, const dls_ball_curve *x, const dls_ball_curve *y, slong j, double tolerance,
                   slong prec);

#endif
