/* one_contact_plane.c -- one contact in the plane: open, stick, slip to either side.
 *   stick  u = 0:             r = -W^{-1} q,  |r_T| <= mu r_N
 *   slip s = sgn u_T = +-1:   r_T = -s mu r_N,  r_N = -q_N / (W_NN - s mu W_NT),  s u_T > 0
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/friction/one_contact.h"
#include <float.h>
#include <math.h>

static const double tie = 8 * DBL_EPSILON; /* equal up to rounding, relative to the terms */

/* W_TT - W_TN W_NT / W_NN; 0 where only rounding is left of it. */
static double schur(const double *W)
{
  const double s = W[3] - W[1] / W[0] * W[2];
  return fabs(s) > tie * fabs(W[3]) ? s : 0;
}

bool dls_plane_stick(const double *W, const double *q, double mu, double *r)
{
  const double S = schur(W), c = q[1] - W[1] / W[0] * q[0]; /* u_T = S r_T + c where u_N = 0 */
  const double size = fabs(q[1]) + fabs(W[1] / W[0] * q[0]);
  if (S == 0 && fabs(c) > tie * size) {
    return false;
  }
  r[1] = S == 0 ? 0 : -c / S; /* S = 0 = c: any r_T, 0 among them */
  r[0] = -(q[0] + W[2] * r[1]) / W[0];
  return fabs(r[1]) <= mu * r[0] * (1 + tie);
}

/* Slip with u_T of sign s. @return whether there is one */
static bool slip(const double *W, const double *q, double mu, double s, double *r)
{
  r[0] = -q[0] / (W[0] - s * mu * W[2]);
  r[1] = -s * mu * r[0];
  const double u = q[1] + W[1] * r[0] + W[3] * r[1];
  const double size = fabs(q[1]) + fabs(W[1] * r[0]) + fabs(W[3] * r[1]);
  return r[0] > 0 && r[0] <= DBL_MAX && s * u > tie * size;
}

size_t dls_plane_slips(const double *W, const double *q, double mu, double *r)
{
  size_t count = slip(W, q, mu, 1, r);
  count += slip(W, q, mu, -1, r + 3 * count);
  return count;
}

size_t dls_plane_all(const double *W, const double *q, double mu, double *r)
{
  size_t count = q[0] >= 0;
  if (count > 0) {
    r[0] = r[1] = 0;
  }
  double *next = r + 3 * count;
  count += dls_plane_stick(W, q, mu, next) && next[0] > 0;
  return count + dls_plane_slips(W, q, mu, r + 3 * count);
}
