/* impulse_equations.h -- the terms of the schemes that solve contact row by row, for numbers:
 *
 *   v_free = v + h M^-1 F(t + h/2, q, v),   q' = q + h v'                                           (1)
 *   a row u = H_j^T v + b_j with bias c, mass scale m and impulse scale i (m = 1, i = 0: rigid):
 *   r' = P(r - (m u + c)/W_jj - i r),   v := v + M^-1 H_j (r' - r)                                  (2)
 *
 * P is the projection on r >= 0, or on |r_T| <= mu r_N. What distinguishes the schemes is c, m and i.
 * Sources: (2) E. Catto 2005, 2024; Macklin, Mueller, Chentanez 2016 for i > 0.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_IMPULSE_EQUATIONS_H
#define DELASSUS_TIME_STEPPING_IMPULSE_EQUATIONS_H

/** (1): v_free; a = M^-1 F */
#define DLS_IMPULSE_VELOCITY(v, h, a) ((v) + (h) * (a))
/** (2): r' - r before the projection */
#define DLS_IMPULSE_CHANGE(u, r, W, c, m, i) (-((m) * (u) + (c)) / (W) - (i) * (r))
/** Newton's law: u' >= -e u-, of contacts that approach: c = -max(-e u-, 0) */
#define DLS_IMPULSE_REBOUND(e, u_minus) ((u_minus) < 0 ? -(e) * (u_minus) : 0)
/** Baumgarte: u' >= beta (|g| - slop)/h; a split impulse moves positions with this speed */
#define DLS_IMPULSE_PUSH(h, beta, depth) ((beta) * (depth) / (h))
/** A gap that may close in the step, not more: u' >= -g/h */
#define DLS_IMPULSE_SPECULATIVE(h, g) ((g) / (h))

/* XPBD, with a = alpha/h^2 for the compliance alpha, and impulses r = lambda/h: lambda' = lambda - (g + a lambda)/(W + a). */
/** m = W/(W + a) */
#define DLS_XPBD_MASS(W, a) ((W) / ((W) + (a)))
/** i = a/(W + a) */
#define DLS_XPBD_YIELD(W, a) ((a) / ((W) + (a)))

/* Soft constraint of a spring of angular frequency omega and damping ratio zeta, integrated implicitly over h: */
/** a1 = 2 zeta + h omega */
#define DLS_SOFT_A1(h, omega, zeta) (2 * (zeta) + (h) * (omega))
/** a2 = h omega a1 */
#define DLS_SOFT_A2(h, omega, zeta) ((h) * (omega)*DLS_SOFT_A1(h, omega, zeta))
/** rate at which a penetration is pushed out, omega/a1 */
#define DLS_SOFT_RATE(h, omega, zeta) ((omega) / DLS_SOFT_A1(h, omega, zeta))
/** m = a2/(1 + a2) */
#define DLS_SOFT_MASS(a2) ((a2) / (1 + (a2)))
/** i = 1/(1 + a2) */
#define DLS_SOFT_YIELD(a2) (1 / (1 + (a2)))

#endif
