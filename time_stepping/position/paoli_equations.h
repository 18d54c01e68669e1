/* paoli_equations.h -- the terms of the Schatzman-Paoli scheme, equations (1), (2) of schatzman_paoli.c, for numbers and for vectors of
 * numbers. The general step and the batches call them. d = q_k - q_k-1, d_next = d + x. The order of operations is part of the
 * definition: results agree to the last bit.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_PAOLI_EQUATIONS_H
#define DELASSUS_TIME_STEPPING_PAOLI_EQUATIONS_H

/** (1): h^2 F_k+theta */
#define DLS_PAOLI_FORCE(h, F) ((F) * ((h) * (h)))
/** (1): time of F, t_k + theta h */
#define DLS_PAOLI_TIME(t, theta, h) ((t) + (theta) * (h))
/** (1): q_k+theta = q_k + theta d; K acts there, with the d of the last step in linear systems */
#define DLS_PAOLI_AHEAD(q, theta, d) ((q) + (theta) * (d))
/** (1): central velocity (q_k+1 - q_k-1)/2h */
#define DLS_PAOLI_VELOCITY(h, d, d_next) (((d) + (d_next)) / (2.0 * (h)))
/** (1): q_k+1 = q_k + d_k+1 */
#define DLS_PAOLI_POSITION(q, d_next) ((q) + (d_next))
/** Weights of M, C and K in A = M + (h/2) C + h^2 theta K */
#define DLS_PAOLI_MATRIX(h, theta)                                                                             \
  {                                                                                                            \
    1, (h) / 2, (h) * (h) * (theta)                                                                            \
  }
/** (2): b = g(q_free) + e g(q_k-1) of linear gaps */
#define DLS_PAOLI_FREE_GAP(e, g_free, g_last) ((g_free) + (e) * (g_last))
/** (2): averaged point (q_k+1 + e q_k-1)/(1 + e) */
#define DLS_PAOLI_HAT(e, x_last, x_next) (((x_next) + (e) * (x_last)) / (1 + (e)))
/** Impulse p = Pi/h, and the quotient of two gaps around an impact */
#define DLS_PAOLI_IMPULSE(h, Pi) ((Pi) / (h))
#define DLS_PAOLI_GAP_RATE(h, g, g_next) (((g_next) - (g)) / (h))

#endif
