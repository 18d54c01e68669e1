/* analytic/rigorous/flow.h -- x' = L x in balls: states, Taylor series and what these leave out, all enclosures.
 * A constant force is a state that stays 1, a harmonic one two states cos and sin: one formula holds for every damping and resonance.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_RIGOROUS_FLOW_H
#define DELASSUS_RIGOROUS_FLOW_H

#include <arb_mat.h>
#include <arb_poly.h>

typedef struct dls_ball_flow {
  slong k;        /* states */
  arb_mat_t L;    /* k x k [1/s] */
  double *weight; /* k; sizes of the states, > 0: any will do, good ones give longer steps */
  mag_t rate;     /* upper bound of |L| in the norm max |x_i| / weight_i */
} dls_ball_flow;

/* With L = 0 and weights 1. */
void dls_ball_flow_init(dls_ball_flow *flow, slong k);
void dls_ball_flow_clear(dls_ball_flow *flow);
/* To be called when L and the weights are there. */
void dls_ball_flow_bound(dls_ball_flow *flow);

/* y := exp(L s) x; y and x may be the same. */
void dls_ball_flow_at(arb_ptr y, const dls_ball_flow *flow, arb_srcptr x, const arb_t s, slong prec);
/* y := L x; y is not x. */
void dls_ball_flow_rate(arb_ptr y, const dls_ball_flow *flow, arb_srcptr x, slong prec);
/* The first n from which on the series leaves out less than 2^-prec for |s| <= span, with three powers of |L| s to spare. */
slong dls_ball_flow_terms(const dls_ball_flow *flow, const mag_t span, slong prec);
/* L^i x/i!, i < n: k states one after the other, n coefficients each. */
void dls_ball_flow_series(arb_ptr a, slong n, const dls_ball_flow *flow, arb_srcptr x, slong prec);
/* k bounds of what n terms leave out of each state for |s| <= span: weight_j |x| sum_{i >= n} (|L| s)^i/i! */
void dls_ball_flow_rest(mag_ptr rest, slong n, const dls_ball_flow *flow, arb_srcptr x, const mag_t span);
/* sum w_i x_i */
void dls_ball_dot(arb_t out, arb_srcptr w, arb_srcptr x, slong k, slong prec);

/* w x(s) about s = 0 to order n - 1, and what is left out for |s| <= span. */
typedef struct dls_ball_series {
  slong n;
  arb_ptr a; /* n */
  mag_t size, rate, span;
} dls_ball_series;

void dls_ball_series_init(dls_ball_series *series, const dls_ball_flow *flow, arb_srcptr w, arb_srcptr x,
                          const mag_t span, slong prec);
void dls_ball_series_clear(dls_ball_series *series);
/* Bound of what the derivative of an order loses by the end of the series. */
void dls_ball_series_rest(mag_t out, const dls_ball_series *series, ulong order);
/* The derivative of an order at all s with |s - middle| <= radius, within the span. */
void dls_ball_series_range(arb_t out, const dls_ball_series *series, ulong order, const arf_t middle,
                           const mag_t radius, slong prec);

#endif
