/* analytic/rigorous/curve_parts.h -- curves, segment by segment.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_RIGOROUS_CURVE_PARTS_H
#define DELASSUS_RIGOROUS_CURVE_PARTS_H

#include "analytic/rigorous/curve.h"

/* A segment more, with n coefficients that are 0; segments that were there may move. */
dls_ball_segment *dls_ball_curve_add(dls_ball_curve *curve, slong n);
/* From values to values at one time. */
void dls_ball_curve_add_jump(dls_ball_curve *curve, const arf_t t, arb_srcptr from, arb_srcptr to, slong prec);
/* To be called when all else is there: outward doubles. */
void dls_ball_segment_finish(dls_ball_segment *segment, slong dim, slong prec);

#endif
