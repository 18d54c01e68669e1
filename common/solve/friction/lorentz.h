/* lorentz.h -- the cone L = {|x_T| <= x_0} of three coordinates, its product x o w = (x . w, x_0 w_T + w_0 x_T), and the
 * scaling of Nesterov and Todd for x, w inside of it: S with S x = S^{-1} w, and Theta = S^2, which maps x to w. Where both
 * are near the surface the differences of large numbers are avoided: apart = w_0 - |w_T| is given, not computed.
 * Source: Nesterov, Todd 1997, Mathematics of Operations Research 22; Vandenberghe 2010, The CVXOPT linear and quadratic
 * cone program solvers. SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_SOLVE_LORENTZ_H
#define DELASSUS_COMMON_SOLVE_LORENTZ_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct dls_lorentz_scaling {
  double v[3], beta;   /* S = beta (2 v v^T - J), J = diag(1, -1, -1), v^T J v = 1 */
  double p[3], square; /* Theta^{-1} = (2 p p^T - J) / square, p^T J p = 1 */
  double along;        /* p . (1, e), e = w_T / |w_T|: small where x and w are on the surface */
} dls_lorentz_scaling;

static inline double dls_lorentz_dot(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* x_0^2 - |x_T|^2, > 0 inside of L. */
static inline double dls_lorentz_det(const double *x)
{
  const double tangential = hypot(x[1], x[2]);
  return (x[0] - tangential) * (x[0] + tangential);
}

/* c := a o b; not in place. */
static inline void dls_lorentz_product(const double *a, const double *b, double *c)
{
  c[0] = dls_lorentz_dot(a, b);
  c[1] = a[0] * b[1] + b[0] * a[1];
  c[2] = a[0] * b[2] + b[0] * a[2];
}

/* b with a o b = c; not in place. */
static inline void dls_lorentz_divide(const double *a, const double *c, double *b)
{
  const double tangential = a[1] * c[1] + a[2] * c[2];
  b[0] = (a[0] * c[0] - tangential) / dls_lorentz_det(a);
  b[1] = (c[1] - b[0] * a[1]) / a[0];
  b[2] = (c[2] - b[0] * a[2]) / a[0];
}

/* x, w inside of L; e = w_T / |w_T|, or 0. */
static inline dls_lorentz_scaling dls_lorentz_scale(const double *x, const double *w, double apart,
                                                    const double *e)
{
  dls_lorentz_scaling s;
  const double x_size = hypot(x[1], x[2]), w_size = hypot(w[1], w[2]);
  const double a = sqrt(dls_lorentz_det(x)), b = sqrt(apart * (w[0] + w_size));
  const double gamma = sqrt((1 + dls_lorentz_dot(x, w) / (a * b)) / 2), half = 1 / (2 * gamma);
  double together = 0; /* |x_T| + e . x_T */
  for (size_t i = 1; i < 3 && x_size > 0; i++) {
    const double sum = x[i] / x_size + e[i];
    together += x_size * sum * sum / 2;
  }
  s.square = b / a;
  s.beta = sqrt(s.square);
  s.p[0] = half * (x[0] / a + w[0] / b);
  s.p[1] = half * (x[1] / a - w[1] / b);
  s.p[2] = half * (x[2] / a - w[2] / b);
  s.along = half * ((x[0] - x_size + together) / a + apart / b);
  const double unit = sqrt(2 * (s.p[0] + 1));
  s.v[0] = (s.p[0] + 1) / unit;
  s.v[1] = -s.p[1] / unit;
  s.v[2] = -s.p[2] / unit;
  return s;
}

/* y := S x, or S^{-1} x = J (2 v v^T - J) J x / beta where inverse. */
static inline void dls_lorentz_apply(const dls_lorentz_scaling *s, bool inverse, const double *x, double *y)
{
  const double sign = inverse ? -1 : 1, factor = inverse ? 1 / s->beta : s->beta;
  const double along = 2 * (s->v[0] * x[0] + sign * (s->v[1] * x[1] + s->v[2] * x[2]));
  y[0] = factor * (along * s->v[0] - x[0]);
  y[1] = factor * (sign * along * s->v[1] + x[1]);
  y[2] = factor * (sign * along * s->v[2] + x[2]);
}

/* Theta^{-1} (1, 0, 0) for j = 0, else of (e_j, unit_j), the derivative of (|w_T|, w_T), or of (0, unit_j) where still. */
static inline void dls_lorentz_column(const dls_lorentz_scaling *s, const double *e, bool still, size_t j,
                                      double *column)
{
  double unit[3] = {1, 0, 0}, dot = s->p[0];
  if (j > 0) { /* e_j (1, e) + (0, d), d across e */
    unit[0] = still ? 0 : e[j];
    dot = e[j] * (still ? s->along - s->p[0] : s->along);
    for (size_t i = 1; i < 3; i++) {
      unit[i] = i == j;
      dot += ((i == j) - e[j] * e[i]) * s->p[i];
    }
  }
  column[0] = (2 * dot * s->p[0] - unit[0]) / s->square;
  column[1] = (2 * dot * s->p[1] + unit[1]) / s->square;
  column[2] = (2 * dot * s->p[2] + unit[2]) / s->square;
}

/* The largest t <= most with x + t dx in L. */
static inline double dls_lorentz_reach(const double *x, const double *dx, double most)
{
  const double a = dls_lorentz_det(dx), b = x[0] * dx[0] - x[1] * dx[1] - x[2] * dx[2], c = dls_lorentz_det(x);
  const double under = b * b - a * c;
  double t = most;
  if (a < 0 || (b < 0 && under >= 0)) { /* the smaller positive root of a t^2 + 2 b t + c */
    const double root = sqrt(under > 0 ? under : 0);
    t = b < 0 ? c / (root - b) : -(b + root) / a;
  }
  if (dx[0] < 0) { /* not beyond the tip */
    t = fmin(t, -x[0] / dx[0]);
  }
  return t < most ? t : most;
}

#endif
