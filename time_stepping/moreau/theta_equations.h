/* theta_equations.h -- the terms of the theta-method, equations (1) of theta_step.c, for numbers and for vectors of numbers. The general
 * step, the fused step and the batches call them. The order of operations is part of the definition: results agree to the last bit.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_THETA_EQUATIONS_H
#define DELASSUS_TIME_STEPPING_THETA_EQUATIONS_H

#include "time_stepping/step/average.h"

/** (1): h F_theta = h [(1 - theta) F + theta F'] */
#define DLS_THETA_FORCE(h, theta, F, F_next) ((h)*DLS_AVERAGE(theta, F, F_next))
/** (1): K, and M and H of nonlinear systems, are taken at q + h theta v */
#define DLS_THETA_AHEAD(q, v, h_theta) ((q) + (h_theta) * (v))
/** (1): d = q' - q = h [(1 - eta) v + eta v'] */
#define DLS_THETA_INCREMENT(h, eta, v, v_next) ((h)*DLS_AVERAGE(eta, v, v_next))
/** (1): q' = q + d */
#define DLS_THETA_POSITION(q, h, eta, v, v_next) ((q) + DLS_THETA_INCREMENT(h, eta, v, v_next))
/** Weights of M, C and K in A = M + h theta C + h^2 theta eta K */
#define DLS_THETA_MATRIX(h, theta, eta)                                                                        \
  {                                                                                                            \
    1, (h) * (theta), (h) * (h) * (theta) * (eta)                                                              \
  }

#endif
