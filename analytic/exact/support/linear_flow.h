/* analytic/exact/support/linear_flow.h -- exact flow of q'' + gamma q' + kappa q = f + A cos(omega t + phase), and its first
 * zero.
 *
 * From q0, v0 and the force F with its derivatives F', F'' at the start,
 *   q = q0 A + v0 B + F S + F' R' + F'' R,   A = B' + gamma B,   s = t - t0,
 * where B, S, R have the Laplace transforms 1/chi, 1/(p chi), 1/(p chi (p^2 + omega^2)), chi = p^2 + gamma p +
 * kappa: they are divided differences of exp(s .) at the roots of their denominators. One formula holds for every damping, resonance, kappa = 0 and gamma = 0. Each function is accurate relative to
 * itself for short s. All computations use long double.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_LINEAR_FLOW_H
#define DELASSUS_LINEAR_FLOW_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

enum { DLS_FLOW_NODES = 5 };

typedef struct dls_flow {
  long double gamma, kappa; /* damping and stiffness, >= 0, by mass */
  long double force, amplitude, omega,
      phase; /* by mass; amplitude and omega are both 0 if the force is constant */
  long double complex node[DLS_FLOW_NODES]; /* 0, the roots of chi (slow one last), +- i omega */
  long double rate;                         /* largest |node| */
} dls_flow;

/** Where a flight starts. */
typedef struct dls_flow_start {
  long double t, q, v;
} dls_flow_start;

typedef struct dls_flow_state {
  long double q, v, a;
} dls_flow_state;

/** @param[in] kappa, gamma  >= 0; omega >= 0 */
dls_flow dls_flow_create(long double gamma, long double kappa, long double force, long double amplitude,
                         long double omega, long double phase);
/** Force by mass at t, or its derivative of given order. */
long double dls_flow_force(const dls_flow *flow, long double t, unsigned order);
/** Upper bound for |derivative of the force of given order >= 1|. */
long double dls_flow_force_bound(const dls_flow *flow, unsigned order);
/** State s >= 0 after the start. */
dls_flow_state dls_flow_at(const dls_flow *flow, const dls_flow_start *start, long double s);
/** The same for rows of tables, with the digits of a long double of 64 bits where it has more. */
dls_flow_state dls_flow_row(const dls_flow *flow, const dls_flow_start *start, long double s);
/**
 * The first s in (0, s_max] with q = 0; q(start) >= 0 and q > 0 right after it.
 * Steps of proven length: with M >= |q''| on [s, s + h], q stays positive until q + v x - M x^2/2 = 0. The steps converge quadratically to a simple root from the left, pass a near miss, and stop at a double root.
 * @param[in]  lead    order of the first derivative at the start that is not 0: 0 if q > 0, 1 if v > 0, ... 4
 * @param[out] s       the root
 * @param[out] v       velocity there, <= 0
 * @param[out] grazes  q = q' = 0 to rounding: v is then 0
 * @return false if there is none
 */
bool dls_flow_first_zero(const dls_flow *flow, const dls_flow_start *start, unsigned lead, long double s_max,
                         long double *s, long double *v, bool *grazes);
/** The h in (0, longest] for which h^4/384 max |q| and h^4/384 max |q'| on [s, s + h] are at most accuracy. */
long double dls_flow_hermite_step(const dls_flow *flow, const dls_flow_start *start, long double s,
                                  long double longest, long double accuracy);

#endif
