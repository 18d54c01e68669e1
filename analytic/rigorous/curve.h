/* analytic/rigorous/curve.h -- a function of time with jumps as a filled-in graph: polynomials with what they leave out, in balls, and
 * vertical segments. Values are divided by their unit xi; times are not.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_RIGOROUS_CURVE_H
#define DELASSUS_RIGOROUS_CURVE_H

#include "analytic/rigorous/solution.h"

/* x_j(s) = sum a_ji (s - centre)^i +- rest_j, low <= s <= high; s is the time, or 0 to 1 at a jump. */
typedef struct dls_ball_segment {
  bool jump;
  arf_t low, high, centre, t; /* t: of a jump */
  slong n;
  arb_ptr a;            /* dim x n */
  mag_ptr rest;         /* dim */
  double from, to;      /* times, outward */
  double *least, *most; /* dim; values, outward */
} dls_ball_segment;

typedef struct dls_ball_curve {
  slong dim;
  size_t count, room;
  dls_ball_segment *segment; /* in time order, each begins where the one before ends */
  mag_t time_slack,
      value_slack;  /* the graph meant and this one are no farther apart than this [s], or this [xi] */
  arb_t area_slack; /* integral of their difference in any component, at most [s xi] */
} dls_ball_curve;

void dls_ball_curve_init(dls_ball_curve *curve, slong dim);
void dls_ball_curve_clear(dls_ball_curve *curve);

/* Nodes of a file: t; x and slope (or NULL: linear) count x dim; equal t twice is a jump. The numbers are the doubles. */
void dls_ball_curve_of_nodes(dls_ball_curve *curve, size_t count, const double *t, const double *x,
                             const double *slope, const arb_t xi, slong prec);
/* Columns of a solution on [from, to]. @return DLS_ERR_NOCONV if events are not enclosed narrowly enough, or what a polynomial leaves out */
dls_status dls_ball_curve_of_solution(dls_ball_curve *curve, const dls_ball_solution *sol, const slong *columns,
                                      double from, double to, const arb_t xi, slong prec, dls_error *err);

/* Values of the polynomials at s, without what they leave out: dim. */
void dls_ball_segment_at(arb_ptr x, const dls_ball_segment *segment, slong dim, const arf_t s, slong prec);
/* The derivative of order `order` of component j for s in a ball. */
void dls_ball_segment_derivative(arb_t out, const dls_ball_segment *segment, slong j, ulong order,
                                 const arb_t s, slong prec);

/** Add a segment with n coefficients that are 0. Existing segments may move. */
dls_ball_segment *dls_ball_curve_add(dls_ball_curve *curve, slong n);
/** Add a jump between two values at one time. */
void dls_ball_curve_add_jump(dls_ball_curve *curve, const arf_t t, arb_srcptr from, arb_srcptr to, slong prec);
/** Round a complete segment outward to doubles. */
void dls_ball_segment_finish(dls_ball_segment *segment, slong dim, slong prec);

#endif
