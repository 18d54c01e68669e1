/* associated.c -- one contact in the plane with the associated law K* > u = W r + q _|_ r in K. With r = D z, D = [(1, mu), (1, -mu)], that
 * is the complementarity problem 0 <= z _|_ D^T W D z + D^T q >= 0.
 * Source: Anitescu 2006, Mathematical Programming 105.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/friction/friction_methods.h"
#include <math.h>

void dls_associated_exact(const double *W, const double *q, double mu, double *r)
{
  const double toward = q[0] + mu * q[1], away = q[0] - mu * q[1]; /* D^T q */
  const double det = W[0] * W[3] - W[1] * W[2];
  r[0] = r[1] = 0;
  if (toward >= 0 && away >= 0) {
    return; /* open */
  }
  const double stick[2] = {(W[2] * q[1] - W[3] * q[0]) / det, (W[1] * q[0] - W[0] * q[1]) / det};
  if (det > 0 && fabs(stick[1]) <= mu * stick[0]) {
    r[0] = stick[0];
    r[1] = stick[1];
    return;
  }
  double best = -HUGE_VAL;
  for (int side = 1; side >= -1;
       side -= 2) { /* on a side of the cone, r = z (1, side mu); the other side must not be violated */
    const double m = side * mu, energy = W[0] + m * (W[1] + W[2]) + mu * mu * W[3];
    const double z = -(q[0] + m * q[1]) / energy;
    const double other = q[0] - m * q[1] + z * (W[0] + m * W[2] - m * W[1] - mu * mu * W[3]);
    if (energy > 0 && z > 0 && other > best) {
      best = other;
      r[0] = z;
      r[1] = m * z;
    }
  }
}
