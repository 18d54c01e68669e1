/* elliptic.c -- elliptic functions by means, see elliptic.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/elliptic.h"
#include "analytic/exact/support/trigonometry.h"
#include <float.h>
#include <math.h>

dls_elliptic_means dls_elliptic_means_of(long double k, long double kc)
{
  dls_elliptic_means means = {.kc = kc, .a = 1, .ratio = {k}};
  for (long double b = kc; means.n < DLS_ELLIPTIC_MEANS && means.ratio[means.n] > LDBL_EPSILON;) {
    const long double a = means.a;
    means.a = (a + b) / 2;
    means.ratio[++means.n] = (a - b) / 2 / means.a;
    b = sqrtl(a * b);
  }
  return means;
}

/* phi_N = 2^N a_N x,  sin(2 phi_(n-1) - phi_n) = c_n/a_n sin phi_n,  sn = sin phi_0, cn = cos phi_0 */
dls_jacobi dls_elliptic_jacobi(long double x, long double k, long double kc)
{
  const dls_elliptic_means means = dls_elliptic_means_of(k, kc);
  long double phi = ldexpl(means.a * x, means.n);
  for (int n = means.n; n > 0; n--) {
    phi = (phi + asinl(means.ratio[n] * sinl(phi))) / 2;
  }
  const long double sn = sinl(phi), cn = cosl(phi);
  return (dls_jacobi){sn, cn, hypotl(cn, kc * sn)}; /* dn^2 = cn^2 + kc^2 sn^2 */
}

dls_jacobi dls_elliptic_jacobi_row(const dls_elliptic_means *means, long double x)
{
  long double phi = ldexpl(means->a * x, means->n);
  for (int n = means->n; n > 0; n--) {
    phi = (phi + dls_arc_sine(means->ratio[n] * dls_sine_cosine_of(phi).sine)) / 2;
  }
  const dls_sine_cosine at = dls_sine_cosine_of(phi);
  const long double low = means->kc * at.sine;
  return (dls_jacobi){at.sine, at.cosine, sqrtl(at.cosine * at.cosine + low * low)};
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

long double dls_elliptic_rc(long double x, long double y)
{
  const long double apart = sqrtl(fabsl(y - x));
  if (!(apart > 0)) {
    return 1 / sqrtl(x);
  }
  return (y > x ? atan2l(apart, sqrtl(x)) : asinhl(apart / sqrtl(y))) / apart;
}

/* Duplication as above, (x, y, z, p, p) with their mean; x, y, z here are relative distances from it. */
static long double third_kind_series(long double x, long double y, long double z)
{
  const long double p = -(x + y + z) / 2, xyz = x * y * z;
  const long double e2 = x * y + x * z + y * z - 3 * p * p, e3 = xyz + 2 * e2 * p + 4 * p * p * p;
  const long double e4 = (2 * xyz + e2 * p + 3 * p * p * p) * p, e5 = xyz * p * p;
  return 1 - 3 * e2 / 14 + e3 / 6 + 9 * e2 * e2 / 88 - 3 * e4 / 22 - 9 * e2 * e3 / 52 + 3 * e5 / 26;
}

long double dls_elliptic_rj(long double x, long double y, long double z, long double p)
{
  long double mean = (x + y + z + 2 * p) / 5, sum = 0, part = 1, delta = (p - x) * (p - y) * (p - z);
  for (int i = 0; i < 200; i++) {
    const long double far =
        fmaxl(fmaxl(fabsl(mean - x), fabsl(mean - y)), fmaxl(fabsl(mean - z), fabsl(mean - p)));
    if (far < 2e-4L * mean) {
      break;
    }
    const long double rx = sqrtl(x), ry = sqrtl(y), rz = sqrtl(z), rp = sqrtl(p);
    const long double add = rx * ry + ry * rz + rz * rx, d = (rp + rx) * (rp + ry) * (rp + rz);
    sum += part / d * dls_elliptic_rc(1, 1 + delta / (d * d));
    part /= 4;
    delta /= 64;
    x = (x + add) / 4;
    y = (y + add) / 4;
    z = (z + add) / 4;
    p = (p + add) / 4;
    mean = (mean + add) / 4;
  }
  const long double last = third_kind_series((mean - x) / mean, (mean - y) / mean, (mean - z) / mean);
  return part * last / (mean * sqrtl(mean)) + 6 * sum;
}
