/* conserving_pressure.h -- the pressure of a penalty contact that is a difference quotient of its potential,
 *   f = -[U(y') - U(y)]/(y' - y),   U(y) = kappa/2 min(y, 0)^2,
 * written without cancellation:
 *   closed before and after   f = -kappa (y + y')/2
 *   closing                   f = kappa/2 y'^2/(y - y')
 *   opening                   f = kappa/2 y^2/(y' - y)
 * Source: Armero & Petocz 1996, eq. (3.3).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_CONSERVING_PRESSURE_H
#define DELASSUS_TIME_STEPPING_CONSERVING_PRESSURE_H

/** f and -df/dy' from y before to y' after the step. */
static inline double dls_conserving_pressure(double kappa, double y, double next, double *slope)
{
  if (y > 0) {
    const double f = next < 0 ? 0.5 * kappa * next * next / (y - next) : 0;
    *slope = next < 0 ? (-kappa * next - f) / (y - next) : 0;
    return f;
  }
  if (next <= 0) {
    *slope = kappa / 2;
    return -kappa * (y + next) / 2;
  }
  const double f = 0.5 * kappa * y * y / (next - y);
  *slope = f / (next - y);
  return f;
}

#endif
