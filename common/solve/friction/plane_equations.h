/* plane_equations.h -- terms of the stick and slip of one contact in the plane, for numbers and for vectors of numbers: W is 2 x 2,
 * column-major, and q and r have the normal row first. one_contact.c and the batches call them. The order of operations is part of the
 * definition: results agree to the last bit.
 *   stick  u = 0:             r = -W^{-1} q,  |r_T| <= mu r_N                                        (1)
 *   slip s = sgn u_T = +-1:   r_T = -s mu r_N,  r_N = -q_N / (W_NN - s mu W_NT),  s u_T > 0           (2)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_SOLVE_PLANE_EQUATIONS_H
#define DELASSUS_COMMON_SOLVE_PLANE_EQUATIONS_H

#include <float.h>
#include <math.h>

/** Equal up to rounding, relative to the terms. */
#define DLS_CONTACT_TIE (8 * DBL_EPSILON)

/** W_TN / W_NN */
#define DLS_PLANE_RATIO(W) ((W)[1] / (W)[0])
/** S = W_TT - W_TN W_NT / W_NN */
#define DLS_PLANE_SCHUR(W, ratio) ((W)[3] - (ratio) * (W)[2])
/** c of u_T = S r_T + c where u_N = 0 */
#define DLS_PLANE_FREE(q, ratio) ((q)[1] - (ratio) * (q)[0])
/** (1): r_N for r_T */
#define DLS_PLANE_STICK_NORMAL(W, q, r_T) (-((q)[0] + (W)[2] * (r_T)) / (W)[0])
/** (1): the largest |r_T| that sticks */
#define DLS_PLANE_LIMIT(mu, r_N) ((mu) * (r_N) * (1 + DLS_CONTACT_TIE))
/** (2): r_N for s mu */
#define DLS_PLANE_SLIP_NORMAL(W, q, s_mu) (-(q)[0] / ((W)[0] - (s_mu) * (W)[2]))
/** Row i of u = W r + q */
#define DLS_PLANE_VELOCITY(W, q, r, i) ((q)[i] + (W)[i] * (r)[0] + (W)[(i) + 2] * (r)[1])

/** S, set to 0 below rounding. */
static inline double dls_plane_schur(const double *W)
{
  const double s = DLS_PLANE_SCHUR(W, DLS_PLANE_RATIO(W));
  return fabs(s) > DLS_CONTACT_TIE * fabs(W[3]) ? s : 0;
}

#endif
