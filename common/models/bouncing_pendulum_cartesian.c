/* bouncing_pendulum_cartesian.c -- the pendulum with a hurdle in the coordinates of its tip, held by a joint.
 *   m x'' = mu x + p,  m y'' = -m g + mu y,   Phi = (x^2 + y^2 - l^2)/2 = 0,   gap = x - hurdle
 * Constant masses, a quadratic joint, a linear gap; mu l is the force of the rod, positive where it pushes.
 * Source: Chen, Acary, Virlez, Bruls 2013, section 5.5.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/hurdle_pendulum.h"
#include "common/system/momentum.h"
#include <math.h>
#include <stdio.h>

static void force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  const double *p = sys->data;
  (void)t, (void)q, (void)v;
  F[0] = 0;
  F[1] = -p[DLS_PENDULUM_MASS] * p[DLS_PENDULUM_GRAVITY];
}

static void gap(const dls_system *sys, double t, const double *q, double *g)
{
  const double *p = sys->data;
  (void)t;
  g[0] = q[0] - p[DLS_PENDULUM_HURDLE];
}

static void joint(const dls_system *sys, double t, const double *q, double *phi)
{
  const double *p = sys->data;
  const double r = hypot(q[0], q[1]), l = p[DLS_PENDULUM_LENGTH];
  (void)t;
  phi[0] = 0.5 * (r - l) * (r + l); /* (x^2 + y^2 - l^2)/2 without cancellation */
}

static void joint_gradient(const dls_system *sys, double t, const double *q, dls_matrix *G)
{
  (void)sys, (void)t;
  dls_matrix_set(G, 0, 0, q[0]);
  dls_matrix_set(G, 1, 0, q[1]);
}

static void joint_curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  (void)sys, (void)t, (void)q;
  c[0] = v[0] * v[0] + v[1] * v[1];
}

static void joint_stiffness(const dls_system *sys, double t, const double *q, const double *mu, dls_matrix *K)
{
  (void)sys, (void)t, (void)q;
  dls_matrix_set(K, 0, 0, mu[0]);
  dls_matrix_set(K, 1, 1, mu[0]);
}

static void joint_name(const dls_system *sys, size_t i, char *text, size_t size)
{
  (void)sys;
  snprintf(text, size, "joint equation %zu (rod)", i);
}

static void coordinate(const dls_system *sys, size_t i, dls_coordinate *out)
{
  (void)sys;
  *out = (dls_coordinate){.unit = "m"};
  snprintf(out->name, sizeof out->name, "%s", i == 0 ? "x" : "y");
}

static double potential(const dls_system *sys, const double *q)
{
  const double *p = sys->data;
  return p[DLS_PENDULUM_MASS] * p[DLS_PENDULUM_GRAVITY] * q[1];
}

static void fill(dls_system *sys, const double *p)
{
  const double l = p[DLS_PENDULUM_LENGTH], c = cos(p[DLS_PENDULUM_ANGLE]), s = sin(p[DLS_PENDULUM_ANGLE]);
  dls_matrix_set(sys->M, 0, 0, p[DLS_PENDULUM_MASS]);
  dls_matrix_set(sys->M, 1, 1, p[DLS_PENDULUM_MASS]);
  dls_matrix_set(sys->H, 0, 0, 1);
  sys->q0[0] = l * c;
  sys->q0[1] = -l * s;
  sys->v0[0] = -l * s * p[DLS_PENDULUM_RATE];
  sys->v0[1] = -l * c * p[DLS_PENDULUM_RATE];
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
  sys->momentum = dls_momentum_points;
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const dls_status status = dls_hurdle_pendulum_create(self, p, 2, 1, out, err);
  if (status == DLS_OK) {
    set_callbacks(*out);
    fill(*out, p);
  }
  return status;
}

static void sketch(const double *p, const double *q, dls_sketch *out)
{
  dls_hurdle_pendulum_sketch(p, q[0], q[1], out);
}

const dls_model dls_model_bouncing_pendulum_cartesian = {
    .name = "bouncing-pendulum-cartesian",
    .summary = "the pendulum with a hurdle in the coordinates of its tip, with a joint",
    .source = "Q. Chen, V. Acary, G. Virlez, O. Bruls 2013, section 5.5",
    .equations = "m x'' = mu x + p,   m y'' = -m g + mu y,   (x^2 + y^2 - l^2)/2 = 0\n"
                 "g_0 = x - hurdle >= 0;   bouncing-pendulum with x = l cos(q), y = -l sin(q)\n",
    .parameters = dls_hurdle_pendulum_parameters,
    .create = create,
    .sketch = sketch,
};
