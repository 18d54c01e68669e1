/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "moving.h"
#include "check.h"
#include <math.h>

static void force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  (void)sys, (void)t;
  F[0] = -q[0] - 0.1 * v[0];
  F[1] = -3 - 0.1 * v[1];
}

static void mass(const dls_system *sys, const double *q, dls_matrix *M)
{
  (void)sys;
  dls_matrix_set(M, 0, 0, 1 + q[0] * q[0]);
  dls_matrix_set(M, 1, 1, 2);
}

static void gap(const dls_system *sys, double t, const double *q, double *g)
{
  (void)sys;
  g[0] = hypot(q[0], q[1]) - 1 - 0.1 * sin(3 * t);
  g[1] = q[1] + 2 - 0.2 * cos(2 * t);
}

static void gap_rate(const dls_system *sys, double t, const double *q, double *b)
{
  (void)sys, (void)q;
  b[0] = -0.3 * cos(3 * t);
  b[1] = 0.4 * sin(2 * t);
}

static void gradient(const dls_system *sys, const double *q, dls_matrix *H)
{
  (void)sys;
  const double r = hypot(q[0], q[1]);
  dls_matrix_set(H, 0, 0, q[0] / r);
  dls_matrix_set(H, 1, 0, q[1] / r);
  dls_matrix_set(H, 1, 1, 1);
}

static void curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  (void)sys;
  const double r = hypot(q[0], q[1]);
  const double across = (q[0] * v[1] - q[1] * v[0]) / r;
  c[0] = across * across / r + 0.9 * sin(3 * t);
  c[1] = 0.8 * cos(2 * t);
}

static void tangents(const dls_system *sys, double t, const double *q, dls_matrix *T)
{
  (void)sys, (void)t;
  const double r = hypot(q[0], q[1]);
  dls_matrix_set(T, 0, 0, -q[1] / r);
  dls_matrix_set(T, 1, 0, q[0] / r);
  dls_matrix_set(T, 0, 1, -1);
}

static void surface(const dls_system *sys, double t, const double *q, double *b)
{
  (void)sys, (void)t, (void)q;
  b[0] = b[1] = -0.3;
}

/* u_T = (q_0 v_1 - q_1 v_0)/r - 0.3; without v' its rate is -u_T dr/dt / r */
static void slip_curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  (void)sys, (void)t;
  const double r2 = q[0] * q[0] + q[1] * q[1];
  c[0] = -(q[0] * v[1] - q[1] * v[0]) * (q[0] * v[0] + q[1] * v[1]) / (r2 * sqrt(r2));
  c[1] = 0;
}

dls_system *dls_test_moving(size_t d)
{
  dls_system *sys = dls_system_create(2, 2);
  assert_non_null(sys);
  sys->M = dls_matrix_diagonal(2);
  sys->H = dls_matrix_dense(2, 2);
  sys->d = d;
  sys->T = d > 1 ? dls_matrix_dense(2, 2) : NULL;
  sys->q0[0] = 1.5;
  sys->q0[1] = 0.5;
  sys->e[0] = 0.8;
  sys->e[1] = 0.4;
  sys->force = force;
  sys->mass = mass;
  sys->gap = gap;
  sys->gap_rate = gap_rate;
  sys->gradient = gradient;
  sys->curvature = curvature;
  if (d > 1) {
    sys->tangents = tangents;
    sys->surface = surface;
    sys->slip_curvature = slip_curvature;
  }
  mass(sys, sys->q0, sys->M);
  gradient(sys, sys->q0, sys->H);
  dls_error err = {0};
  assert_ok(dls_system_check(sys, &err), err);
  return sys;
}
