/* cone.h -- the friction cone K = {|r_T| <= mu r_N} of one contact of d = 2 or 3 rows, normal first.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_SOLVE_CONE_H
#define DELASSUS_COMMON_SOLVE_CONE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* The terms below, for numbers and for vectors of numbers. */
/* r_N / rho - u_N - mu |u_T|: the normal part of the vector that is projected */
#define DLS_CONE_SHIFT(mu, inverse_rho, r_N, u_N, slip) ((r_N) * (inverse_rho) - (u_N) - (mu) * (slip))
/* Normal part of the projection of x onto the side of K */
#define DLS_CONE_NORMAL(mu, x_N, x_T) (((x_N) + (mu) * (x_T)) / (1 + (mu) * (mu)))

/* |x_T| */
static inline double dls_tangential(size_t d, const double *x)
{
  return d == 2 ? fabs(x[1]) : sqrt(x[1] * x[1] + x[2] * x[2]);
}

/* x := P_K(x), the nearest point of K. */
static inline void dls_cone_project(size_t d, double mu, double *x)
{
  const double tangential = dls_tangential(d, x);
  if (tangential <= mu * x[0]) {
    return;
  }
  const bool polar = mu * tangential <= -x[0];
  const double normal = polar ? 0 : DLS_CONE_NORMAL(mu, x[0], tangential);
  const double factor = polar || tangential == 0 ? 0 : mu * normal / tangential;
  x[0] = normal;
  for (size_t i = 1; i < d; i++) {
    x[i] *= factor;
  }
}

/* Distance of a contact from u_N = 0 and from (r = 0, u_N >= 0); for every mu one of the two holds. The projection onto
 * a cone that is nearly a half-space divides these errors by mu. [m/s] */
static inline double dls_cone_ajar(size_t d, double inverse_rho, const double *r, const double *u)
{
  const double force = inverse_rho * sqrt(r[0] * r[0] + dls_tangential(d, r) * dls_tangential(d, r));
  return u[0] > force ? force : fabs(u[0]);
}

/* f = (r - P_K(r - rho (u_N + mu s, u_T))) / rho with s = max(0, |u_T| - rounding), where `rounding` is the possible
 * error of u_T [m/s]. @return the larger of |f|^2 and the square of dls_cone_ajar */
static inline double dls_cone_gap(size_t d, double mu, double rounding, double inverse_rho, const double *r,
                                  const double *u, double *f)
{
  const double slip = dls_tangential(d, u);
  double x[3] = {0}, sum = 0;
  x[0] =
      DLS_CONE_SHIFT(mu, inverse_rho, r[0], u[0], slip <= rounding ? 0 : slip - rounding); /* propagate NaN */
  for (size_t i = 1; i < d; i++) {
    x[i] = r[i] * inverse_rho - u[i];
  }
  dls_cone_project(d, mu, x); /* a cone: P(x) / rho = P(x / rho) */
  for (size_t i = 0; i < d; i++) {
    f[i] = r[i] * inverse_rho - x[i];
    sum += f[i] * f[i];
  }
  const double ajar = dls_cone_ajar(d, inverse_rho, r, u);
  return ajar * ajar > sum ? ajar * ajar : sum; /* propagate NaN */
}

/* dls_cone_gap of the associated law K* > u _|_ r in K: that of Coulomb's for (u_N - mu s, u_T). */
static inline double dls_cone_gap_associated(size_t d, double mu, double rounding, double inverse_rho,
                                             const double *r, const double *u, double *f)
{
  const double slip = dls_tangential(d, u);
  const double shifted[3] = {u[0] - (slip <= rounding ? 0 : mu * (slip - rounding)), u[1], d == 3 ? u[2] : 0};
  return dls_cone_gap(d, mu, rounding, inverse_rho, r, shifted, f);
}

/* Does a contact slip: is r_T at the limit of friction, and u_T not 0, which it is up to |u_T| = rest? */
static inline bool dls_cone_slips(size_t d, double mu, const double *r, const double *u, double rest)
{
  static const double margin = 1e-9; /* relative: |r_T| that close to mu r_N is at the limit */
  double force = 0, slip = 0;
  for (size_t i = 1; i < d; i++) {
    force = hypot(force, r[i]);
    slip = hypot(slip, u[i]);
  }
  return slip > rest && force > 0 && force >= (1 - margin) * mu * r[0];
}

#endif
