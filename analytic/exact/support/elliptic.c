/* elliptic.c -- elliptic functions by means, see elliptic.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/elliptic.h"
#include <float.h>
#include <math.h>

enum { MEANS = 16 }; /* convergence is quadratic */

/* phi_N = 2^N a_N x,  sin(2 phi_(n-1) - phi_n) = c_n/a_n sin phi_n,  sn = sin phi_0, cn = cos phi_0 */
dls_jacobi dls_elliptic_jacobi(long double x, long double k, long double kc)
{
  long double a[MEANS + 1] = {1}, c[MEANS + 1] = {k}, b = kc;
  int n = 0;
  while (n < MEANS && c[n] > LDBL_EPSILON * a[n]) {
    a[n + 1] = (a[n] + b) / 2;
    c[n + 1] = (a[n] - b) / 2;
    b = sqrtl(a[n] * b);
    n++;
  }
  long double phi = ldexpl(a[n] * x, n);
  for (; n > 0; n--) {
    phi = (phi + asinl(c[n] / a[n] * sinl(phi))) / 2;
  }
  const long double sn = sinl(phi), cn = cosl(phi);
  return (dls_jacobi){sn, cn, hypotl(cn, kc * sn)}; /* dn^2 = cn^2 + kc^2 sn^2 */
}

/* Duplication until the three differ by delta, then a series with an error of the order delta^6. */
long double dls_elliptic_rf(long double x, long double y, long double z)
{
  long double mean = (x + y + z) / 3, dx = 0, dy = 0, dz = 0;
  for (int i = 0; i < 40; i++) {
    dx = (mean - x) / mean;
    dy = (mean - y) / mean;
    dz = -(dx + dy);
    if (fmaxl(fabsl(dx), fmaxl(fabsl(dy), fabsl(dz))) < 2e-4L) {
      break;
    }
    const long double rx = sqrtl(x), ry = sqrtl(y), rz = sqrtl(z), add = rx * ry + ry * rz + rz * rx;
    x = (x + add) / 4;
    y = (y + add) / 4;
    z = (z + add) / 4;
    mean = (x + y + z) / 3;
  }
  const long double e2 = dx * dy - dz * dz, e3 = dx * dy * dz;
  return (1 - e2 / 10 + e3 / 14 + e2 * e2 / 24 - 3 * e2 * e3 / 44) / sqrtl(mean);
}
