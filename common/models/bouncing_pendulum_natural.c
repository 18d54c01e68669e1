/* bouncing_pendulum_natural.c -- the pendulum with a hurdle as a planar rigid body in natural coordinates, q = (r, d): centre
 * of mass and unit director.
 *   M = diag(m_b, m_b, J, J),   Phi = (r - a d, (d.d - 1)/2) = 0: a pivot and the length of the director
 *   gap = r_x + (l - a) d_x - hurdle
 * The body is a uniform rod of length 3 l/2 and mass m_b = 4 m/3 that hangs by its end: its centre of oscillation lies at
 * l, where it hits the hurdle. So it moves like a massless rod of length l with mass m at its tip: a = 3 l/4,  m_b a = m l,
 * m_b a^2 + J = m l^2,  J = m l^2/4. A pendulum longer than 8 m or shorter than 1/8 m has lambda d in place of d, see
 * multibody/mechanism.h.
 * Source: coordinates after Betsch, Steinmann 2001; the pendulum of Chen, Acary, Virlez, Bruls 2013, section 5.5.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/hurdle_pendulum.h"
#include "common/models/multibody/mechanism.h"
#include "common/system/momentum.h"
#include <math.h>
#include <stdio.h>

enum { N = 4, EQUATIONS = 3, DIRECTOR = 2 };

static double centre(const double *p)
{
  return 0.75 * p[DLS_PENDULUM_LENGTH];
}

static double lambda(const double *p)
{
  return dls_director_length(p[DLS_PENDULUM_LENGTH]);
}

static double mass(const double *p)
{
  return p[DLS_PENDULUM_MASS] / 0.75;
}

static void force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  const double *p = sys->data;
  (void)t, (void)q, (void)v;
  F[0] = F[2] = F[3] = 0;
  F[1] = -mass(p) * p[DLS_PENDULUM_GRAVITY];
}

static void gap(const dls_system *sys, double t, const double *q, double *g)
{
  const double *p = sys->data;
  (void)t;
  g[0] = q[0] + (p[DLS_PENDULUM_LENGTH] - centre(p)) / lambda(p) * q[DIRECTOR] - p[DLS_PENDULUM_HURDLE];
}

static void joint(const dls_system *sys, double t, const double *q, double *phi)
{
  const double unit = lambda(sys->data), a = centre(sys->data) / unit;
  const double *d = q + DIRECTOR, size = hypot(d[0], d[1]) / unit;
  (void)t;
  phi[0] = q[0] - a * d[0];
  phi[1] = q[1] - a * d[1];
  phi[2] = 0.5 * unit * (size - 1) * (size + 1);
}

static void joint_gradient(const dls_system *sys, double t, const double *q, dls_matrix *G)
{
  const double unit = lambda(sys->data), a = centre(sys->data) / unit;
  (void)t;
  for (size_t i = 0; i < 2; i++) {
    dls_matrix_set(G, i, i, 1);
    dls_matrix_set(G, DIRECTOR + i, i, -a);
    dls_matrix_set(G, DIRECTOR + i, 2, q[DIRECTOR + i] / unit);
  }
}

static void joint_curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  const double *d = v + DIRECTOR;
  (void)t, (void)q;
  c[0] = c[1] = 0;
  c[2] = (d[0] * d[0] + d[1] * d[1]) / lambda(sys->data);
}

static void joint_stiffness(const dls_system *sys, double t, const double *q, const double *mu, dls_matrix *K)
{
  (void)t, (void)q;
  for (size_t i = 0; i < N; i++) {
    dls_matrix_set(K, i, i, i < DIRECTOR ? 0 : mu[2] / lambda(sys->data));
  }
}

static void joint_name(const dls_system *sys, size_t i, char *text, size_t size)
{
  static const char *const names[EQUATIONS] = {"pivot, x", "pivot, y", "director"};
  (void)sys;
  snprintf(text, size, "joint equation %zu (%s)", i, names[i]);
}

static void coordinate(const dls_system *sys, size_t i, dls_coordinate *out)
{
  static const char *const names[N] = {"x", "y", "director x", "director y"};
  *out = (dls_coordinate){.unit = i < DIRECTOR || lambda(sys->data) != 1 ? "m" : "1"};
  snprintf(out->name, sizeof out->name, "%s", names[i]);
}

static double potential(const dls_system *sys, const double *q)
{
  const double *p = sys->data;
  return mass(p) * p[DLS_PENDULUM_GRAVITY] * q[1];
}

static void momentum(const dls_system *sys, double t, const double *q, const double *v, const double *Mv,
                     double *momenta)
{
  (void)sys, (void)t, (void)v;
  momenta[0] = momenta[1] = momenta[2] = 0;
  dls_momentum_point(2, q, Mv, momenta);
  dls_momentum_turn(2, q + DIRECTOR, Mv + DIRECTOR, momenta + 2);
}

static void fill(dls_system *sys, const double *p)
{
  const double a = centre(p), l = p[DLS_PENDULUM_LENGTH], rate = p[DLS_PENDULUM_RATE], unit = lambda(p);
  const double c = cos(p[DLS_PENDULUM_ANGLE]), s = sin(p[DLS_PENDULUM_ANGLE]);
  const double d[2] = {c, -s}, d_rate[2] = {-s * rate, -c * rate};
  for (size_t i = 0; i < 2; i++) {
    dls_matrix_set(sys->M, i, i, mass(p));
    dls_matrix_set(sys->M, DIRECTOR + i, DIRECTOR + i, 0.25 * p[DLS_PENDULUM_MASS] * (l / unit) * (l / unit));
    sys->q0[i] = a * d[i];
    sys->q0[DIRECTOR + i] = unit * d[i];
    sys->v0[i] = a * d_rate[i];
    sys->v0[DIRECTOR + i] = unit * d_rate[i];
  }
  dls_matrix_set(sys->H, 0, 0, 1);
  dls_matrix_set(sys->H, DIRECTOR, 0, (l - a) / unit);
  dls_system_joint_gradient(sys, 0, sys->q0, sys->G);
}

static void set_callbacks(dls_system *sys)
{
  sys->force = force;
  sys->gap = gap;
  sys->joint = joint;
  sys->joint_gradient = joint_gradient;
  sys->joint_curvature = joint_curvature;
  sys->joint_stiffness = joint_stiffness;
  sys->joints_quadratic = true;
  sys->joint_name = joint_name;
  sys->coordinate = coordinate;
  sys->potential = potential;
  sys->momenta = 3;
  sys->momentum = momentum;
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const dls_status status = dls_hurdle_pendulum_create(self, p, N, EQUATIONS, out, err);
  if (status == DLS_OK) {
    set_callbacks(*out);
    fill(*out, p);
  }
  return status;
}

static void sketch(const double *p, const double *q, dls_sketch *out)
{
  const double l = p[DLS_PENDULUM_LENGTH] / lambda(p);
  dls_hurdle_pendulum_sketch(p, l * q[DIRECTOR], l * q[DIRECTOR + 1], out);
}

const dls_model dls_model_bouncing_pendulum_natural = {
    .name = "bouncing-pendulum-natural",
    .summary = "the pendulum with a hurdle as a rigid body in natural coordinates, with joints",
    .source =
        "Q. Chen, V. Acary, G. Virlez, O. Bruls 2013, section 5.5; coordinates: P. Betsch, P. Steinmann 2001",
    .equations = "uniform rod of length 3 l/2 and mass 4 m/3, centre of mass r, unit director d, a = 3 l/4\n"
                 "r - a d = 0,   (d.d - 1)/2 = 0;   g_0 = r_x + (l - a) d_x - hurdle >= 0\n"
                 "bouncing-pendulum with d = (cos(q), -sin(q))\n",
    .parameters = dls_hurdle_pendulum_parameters,
    .create = create,
    .sketch = sketch,
};
