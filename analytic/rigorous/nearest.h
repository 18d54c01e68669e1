/* analytic/rigorous/nearest.h -- the distance of a point from a curve, enclosed.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_RIGOROUS_NEAREST_H
#define DELASSUS_RIGOROUS_NEAREST_H

#include "analytic/rigorous/chord.h"

typedef struct dls_ball_near {
  double low, high; /* of the distance */
  size_t segment;   /* of the curve, about the nearest point */
  double s;         /* there */
} dls_ball_near;

typedef struct dls_ball_search {
  const dls_ball_curve *curve;
  dls_ball_chords work;
  dls_ball_chord chord;
  double tau;       /* about */
  double tolerance; /* relative width that is asked for */
  double enough;    /* what is nearer than this need not be told closer */
} dls_ball_search;

void dls_ball_search_init(dls_ball_search *search, const dls_ball_curve *curve, const arb_t tau,
                          double tolerance, slong prec);
void dls_ball_search_clear(dls_ball_search *search);
/* The first segment that ends behind a time, or at it; the last one if there is none. */
size_t dls_ball_curve_segment_at(const dls_ball_curve *curve, double t);
/**
 * @param[in] point  1 + dim: time divided by tau, values
 * @param[in] t      its time, about
 */
void dls_ball_nearest(dls_ball_search *search, arb_srcptr point, double t, dls_ball_near *out);

#endif
