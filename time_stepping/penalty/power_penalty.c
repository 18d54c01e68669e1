/* power_penalty.c -- see power_penalty.h. Closed before and after, with penetrations a and b, r = b/a - 1 and a the larger,
 *   (b^(p+1) - a^(p+1))/((p+1) (b - a)) = a^p expm1((p + 1) log1p(r))/((p + 1) r)                                     (1)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/penalty/power_penalty.h"
#include "time_stepping/step/conserving_pressure.h"
#include <math.h>

double dls_power_energy(dls_power u, double y)
{
  if (!(y < 0)) {
    return 0;
  }
  return u.power == 1 ? 0.5 * u.kappa * y * y : u.kappa * pow(-y, u.power + 1) / (u.power + 1);
}

double dls_power_force(dls_power u, double y, double *slope)
{
  if (u.power == 1) {
    *slope = y <= 0 ? u.kappa : 0;
    return y < 0 ? -u.kappa * y : 0;
  }
  const double stiffness = y < 0 ? u.kappa * pow(-y, u.power - 1) : 0;
  *slope = u.power * stiffness;
  return y < 0 ? -stiffness * y : 0;
}

/* (1), and its derivative by b. */
static double mean_force(dls_power u, double a, double b, double *slope)
{
  static const double near = 1e-3; /* of the penetrations: the derivative's next term is this squared */
  const double large = fmax(a, b), r = fmin(a, b) / large - 1, p1 = u.power + 1;
  const double mean = u.kappa * pow(large, u.power) * (r == 0 ? 1 : expm1(p1 * log1p(r)) / (p1 * r));
  const double middle = 0.5 * (a + b);
  *slope = fabs(b - a) > near * large
               ? (u.kappa * pow(b, u.power) - mean) / (b - a)
               : u.kappa * u.power * pow(middle, u.power - 1) * (0.5 + (u.power - 1) / 12 * (b - a) / middle);
  return mean;
}

double dls_power_pressure(dls_power u, double y, double next, double *slope)
{
  *slope = 0;
  if (u.power == 1) {
    return dls_conserving_pressure(u.kappa, y, next, slope);
  }
  if (y < 0 && next < 0) {
    return mean_force(u, -y, -next, slope);
  }
  if (y >= 0 && next >= 0) {
    return 0;
  }
  const double f = fabs((dls_power_energy(u, next) - dls_power_energy(u, y)) / (next - y));
  double stiffness = 0;
  *slope = next < 0 ? (dls_power_force(u, next, &stiffness) - f) / (y - next) : f / (next - y);
  return f;
}

void dls_power_limit(dls_power u, dls_limit_model *out)
{
  out->law = u.power == 1 ? DLS_COMPLIANCE_KELVIN_VOIGT : DLS_COMPLIANCE_HUNT_CROSSLEY;
  out->k = u.kappa;
  out->p = u.power;
}
