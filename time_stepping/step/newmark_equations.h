/* newmark_equations.h -- Newmark's updates and averages, equations (2)-(4) of newmark_step.c, for numbers and for vectors of numbers. The
 * Newmark family (general step, fused step, batches) and the penalty schemes call them. The order of operations is part of the
 * definition: results agree to the last bit.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_NEWMARK_EQUATIONS_H
#define DELASSUS_TIME_STEPPING_NEWMARK_EQUATIONS_H

#include "time_stepping/step/average.h"

/** Coefficients of a and a' in (2): h (1 - gamma) and h gamma */
#define DLS_NEWMARK_V_A(h, gamma) ((h) * (1.0 - (gamma)))
#define DLS_NEWMARK_V_A_NEXT(h, gamma) ((h) * (gamma))
/** Coefficients of a and a' in (3): h^2 (1/2 - beta) and h^2 beta */
#define DLS_NEWMARK_Q_A(h, beta) ((h) * (h) * (0.5 - (beta)))
#define DLS_NEWMARK_Q_A_NEXT(h, beta) ((h) * (h) * (beta))
/** (2) for a' = 0, w = 0: v* = v + h (1 - gamma) a, with v_a = DLS_NEWMARK_V_A */
#define DLS_NEWMARK_V_STAR(v, v_a, a) ((v) + (v_a) * (a))
/** (3) for a' = 0, w = 0: q* = q + h v + h^2 (1/2 - beta) a, with q_a = DLS_NEWMARK_Q_A */
#define DLS_NEWMARK_Q_STAR(q, h, v, q_a, a) ((q) + (h) * (v) + (q_a) * (a))
/** (2) or (3) for w = 0: x' = x* + c a', with c = DLS_NEWMARK_V_A_NEXT or DLS_NEWMARK_Q_A_NEXT */
#define DLS_NEWMARK_UPDATE(x_star, c, a_next) ((x_star) + (c) * (a_next))
/** (3): part of w in q', (h/2) w */
#define DLS_NEWMARK_Q_W(h, w) ((h) / 2.0 * (w))
/** (4), (4'): (1 - alpha) x' + alpha x */
#define DLS_NEWMARK_AVERAGE(alpha, x, x_next) ((1.0 - (alpha)) * (x_next) + (alpha) * (x))
/** (4): a' = [(1 - alpha_f) vt' + alpha_f vt - alpha_m a]/(1 - alpha_m) */
#define DLS_NEWMARK_FILTER(alpha_m, alpha_f, vt, vt_next, a)                                                   \
  ((DLS_NEWMARK_AVERAGE(alpha_f, vt, vt_next) - (alpha_m) * (a)) / (1.0 - (alpha_m)))
/** (1/2 - beta) a + beta a', where a scheme needs this mean itself */
#define DLS_NEWMARK_Q_MEAN(beta, a, a_next) ((0.5 - (beta)) * (a) + (beta) * (a_next))
/** Weights of C and K in A: w h gamma and w h^2 beta, with w = 1 - alpha_c or 1 - alpha_f */
#define DLS_NEWMARK_A_C(w, h, gamma) ((w) * (h) * (gamma))
#define DLS_NEWMARK_A_K(w, h, beta) ((w) * (h) * (h) * (beta))
/** Weight of K in B = -(weight_c C + weight_k (h/2) K) */
#define DLS_NEWMARK_B_K(weight_k, h) (-(weight_k) * (h) / 2.0)

#endif
