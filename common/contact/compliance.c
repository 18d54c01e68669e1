/* compliance.c -- restitution of a mass on a spring and damper that push only.
 *
 * Kelvin-Voigt, f = k d + c d' for a penetration d. With tension contact ends at d = 0,
 *   e = exp(-pi zeta/sqrt(1 - zeta^2));
 * without it at f = 0. With zeta = sin phi that is at omega sqrt(1 - zeta^2) t = pi - 2 phi, and
 *   e = exp(-(pi - 2 phi) tan phi),   zeta = cosh psi > 1:  e = exp(-2 psi coth psi).                     (1)
 * e = exp(-2) = 0.135 at zeta = 1.
 * Hunt-Crossley, f = k d^n (1 + lambda d'). d' dd'/dd = -(k/m) d^n (1 + lambda d') separates, and with x = lambda |u-|
 *   ln((1 + x)/(1 - e x)) = (1 + e) x,   0 <= x < 1/e,                                                    (2)
 * whatever k, m and n. Hunt and Crossley's own x = 3 (1 - e)/2 is its limit for e -> 1.
 * Sources: Schwager & Poschel 2007 (1); Hunt & Crossley 1975; Gonthier, McPhee, Lange & Piedboeuf 2004 (2).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/compliance.h"
#include <math.h>

enum { HALVINGS = 200 }; /* more than it takes to separate two doubles */
static const double pi = 3.14159265358979323846;

/* The root of an increasing function in [low, high]. */
static double bisect(double (*f)(double x, double e), double e, double low, double high)
{
  for (int i = 0; i < HALVINGS; i++) {
    const double middle = low + 0.5 * (high - low);
    if (f(middle, e) < 0) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return high;
}

double dls_kelvin_voigt_restitution(double zeta, bool tension)
{
  if (tension) {
    return exp(-pi * zeta / sqrt((1 - zeta) * (1 + zeta)));
  }
  if (zeta < 1) {
    const double phi = asin(zeta);
    return exp(-(pi - 2 * phi) * tan(phi));
  }
  const double psi = acosh(zeta);
  return exp(psi > 0 ? -2 * psi / tanh(psi) : -2);
}

/* (1) for zeta = sin phi < 1, in logarithms: zero at the phi of e. */
static double underdamped(double phi, double e)
{
  return (pi - 2 * phi) * tan(phi) + log(e);
}

static double overdamped(double psi, double e)
{
  return 2 * psi / tanh(psi) + log(e);
}

double dls_kelvin_voigt_ratio(double e, bool tension)
{
  const double loss = -log(e);
  if (tension) {
    return loss / sqrt(pi * pi + loss * loss);
  }
  if (loss <= 2) {
    return loss > 0 ? sin(bisect(underdamped, e, 0, pi / 2)) : 0;
  }
  return cosh(bisect(overdamped, e, 1e-9, loss)); /* psi coth psi > psi */
}

/* (2) for y = -ln(1 - e x). */
static double equation_in_y(double y, double e)
{
  const double x = -expm1(-y) / e;
  return log1p(x) + y - (1 + e) * x;
}

double dls_hunt_crossley_ratio(double e)
{
  if (e == 1) {
    return 0;
  }
  /* for small x (2) is (e^2 - 1) x^2/2 + (1 + e^3) x^3/3 = 0: half of that root is on the left of it; x <= 1/e makes
   * the right end */
  const double left = 0.75 * (1 - e) / (1 - e + e * e);
  const double y = bisect(equation_in_y, e, -log1p(-e * left), 2 + (1 + e) / e);
  return -expm1(-y) / e;
}

/* (2) at x for z = -ln e. */
static double equation_in_z(double z, double x)
{
  const double e = exp(-z);
  return z == 0 ? 0 : e * x >= 1 ? -INFINITY : (1 + e) * x + log1p(-e * x) - log1p(x);
}

double dls_hunt_crossley_restitution(double x)
{
  if (x == 0) {
    return 1;
  }
  return exp(-bisect(equation_in_z, x, 0, log1p(x) + x + 1));
}
