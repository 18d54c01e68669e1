/* analytic/distance/excess.h -- the distance of two polylines in a span of time, by a traversal of both.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ANALYTIC_EXCESS_H
#define DELASSUS_ANALYTIC_EXCESS_H

#include "analytic/graph/polyline.h"

typedef struct dls_excess {
  double accuracy, floor; /* reach = low + max(accuracy low, floor) */
  double low, reach;
  double covered[2]; /* times of the first and the last covered vertex */
  const dls_polyline *a, *b;
  size_t near; /* segment of b */
} dls_excess;

/** low := distance if that is larger, and reach accordingly; the floor is set. */
void dls_excess_raise(dls_excess *e, double distance);

/** The rounding of distances of graphs: ulps of their largest coordinate. */
double dls_excess_rounding(double largest);

/**
 * Cover every segment of either polyline with a time in `core` by the other one. Afterwards
 * low <= max(low before, distance of the two) and every point of these segments is within reach of the other polyline.
 * @param[in]     core   scaled times; +-INFINITY for all
 * @param[in,out] e      accuracy, floor and low on entry
 * @param         point  scratch, width
 * After an interrupt (interrupt.h) the remaining segments are not covered.
 */
void dls_excess_both_ways(const dls_polyline *a, const dls_polyline *b, const double core[2], double *point,
                          dls_excess *e);

#endif
