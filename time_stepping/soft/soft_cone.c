/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/soft/soft_cone.h"
#include "time_stepping/soft/soft_equations.h"
#include <math.h>
#include <string.h>

/* (3) for y beyond the cone: gamma_N on it, in the direction of y_T, of length t > 0. */
static void slipping(const dls_soft_cone *c, size_t d, const double *y, double t, double *gamma, double *D)
{
  const double mu_hat = c->mu * c->R_T / c->R_N, s = 1 / (1 + c->mu * mu_hat);
  gamma[0] = DLS_SOFT_SLIP(y[0], t, c->mu, mu_hat);
  for (size_t i = 1; i < d; i++) {
    gamma[i] = c->mu * gamma[0] * y[i] / t;
  }
  if (D == NULL) {
    return;
  }
  D[0] = s / c->R_N;
  for (size_t i = 1; i < d; i++) {
    const double along = y[i] / t;
    D[i] = D[3 * i] = c->mu * s * along / c->R_N;
    for (size_t k = 1; k < d; k++) {
      const double both = along * y[k] / t;
      D[i + 3 * k] = (c->mu * mu_hat * s * both + c->mu * gamma[0] / t * ((i == k) - both)) / c->R_T;
    }
  }
}

static bool projected(const dls_soft_cone *c, size_t d, const double *u, double *gamma, double *D)
{
  double y[3] = {DLS_SOFT_UNBOUNDED(c->target[0], u[0], c->R_N), 0, 0}, t = 0;
  for (size_t i = 1; i < d; i++) {
    y[i] = DLS_SOFT_UNBOUNDED(c->target[i], u[i], c->R_T);
    t = d == 2 ? fabs(y[i]) : hypot(t, y[i]);
  }
  if (y[0] > 0 && t <= c->mu * y[0]) { /* y in K */
    for (size_t i = 0; i < d; i++) {
      gamma[i] = y[i];
      if (D != NULL) {
        D[4 * i] = 1 / (i == 0 ? c->R_N : c->R_T);
      }
    }
    return false;
  }
  if (y[0] * c->R_N + c->mu * c->R_T * t > 0) { /* not in the polar cone: y_N > -mu_hat |y_T| */
    slipping(c, d, y, t, gamma, D);
    return c->mu > 0;
  }
  return false;
}

/* (4). In the plane too, MuJoCo's contact is one in space: its other tangent does not move, and two edges are n. */
static bool pyramid(const dls_soft_cone *c, size_t d, const double *u, double *gamma, double *D)
{
  enum { EDGES = 4 };
  bool slips = false;
  for (size_t k = 0; k < EDGES; k++) {
    const size_t i = 1 + k / 2;
    const bool moves = i < d;
    const double along = !moves ? 0 : k % 2 == 0 ? c->mu : -c->mu; /* e = n + along t_i */
    const double slip = moves ? c->target[i] - u[i] : 0;
    const double f = (c->target[0] - u[0] + along * slip) / c->R_pyramid;
    if (!(f > 0)) {
      slips = slips || moves;
      continue;
    }
    gamma[0] += f;
    if (D != NULL) {
      D[0] += 1 / c->R_pyramid;
    }
    if (moves) {
      gamma[i] += along * f;
    }
    if (moves && D != NULL) {
      D[i] = D[3 * i] += along / c->R_pyramid;
      D[4 * i] += along * along / c->R_pyramid;
    }
  }
  return slips && gamma[0] > 0;
}

bool dls_soft_cone_impulse(const void *cone, size_t d, const double *u, double *gamma, double *D)
{
  const dls_soft_cone *c = cone;
  memset(gamma, 0, d * sizeof *gamma);
  if (D != NULL) {
    memset(D, 0, 9 * sizeof *D);
  }
  return c->R_pyramid > 0 && d > 1 ? pyramid(c, d, u, gamma, D) : projected(c, d, u, gamma, D);
}
