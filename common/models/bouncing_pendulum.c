/* bouncing_pendulum.c -- a rigid pendulum whose tip hits a vertical hurdle; q = angle below the horizontal.
 *   m l^2 q'' = m g l cos q + H p,   gap = l cos q - hurdle,   H = -l sin q
 * Nonlinear in force and gap.
 * Source: after Chen, Acary, Virlez, Bruls 2013, section 5.5, in the angle instead of (x, y) with a constraint.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/hurdle_pendulum.h"
#include <math.h>

static void force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  const double *p = sys->data;
  (void)t;
  (void)v;
  F[0] = p[DLS_PENDULUM_MASS] * p[DLS_PENDULUM_GRAVITY] * p[DLS_PENDULUM_LENGTH] * cos(q[0]);
}

static void stiffness(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *K)
{
  const double *p = sys->data;
  (void)t;
  (void)v;
  dls_matrix_set(K, 0, 0, p[DLS_PENDULUM_MASS] * p[DLS_PENDULUM_GRAVITY] * p[DLS_PENDULUM_LENGTH] * sin(q[0]));
}

static void gap(const dls_system *sys, double t, const double *q, double *g)
{
  (void)t;
  const double *p = sys->data;
  g[0] = p[DLS_PENDULUM_LENGTH] * cos(q[0]) - p[DLS_PENDULUM_HURDLE];
}

static void gradient(const dls_system *sys, const double *q, dls_matrix *H)
{
  const double *p = sys->data;
  dls_matrix_set(H, 0, 0, -p[DLS_PENDULUM_LENGTH] * sin(q[0]));
}

static void curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  (void)t;
  const double *p = sys->data;
  c[0] = -p[DLS_PENDULUM_LENGTH] * cos(q[0]) * v[0] * v[0];
}

static void coordinate(const dls_system *sys, size_t i, dls_coordinate *out)
{
  (void)sys;
  (void)i;
  *out = (dls_coordinate){.name = "angle", .unit = "rad"};
}

/* V = -m g l sin q: the tip is l sin q below the pivot. */
static double potential(const dls_system *sys, const double *q)
{
  const double *p = sys->data;
  return -p[DLS_PENDULUM_MASS] * p[DLS_PENDULUM_GRAVITY] * p[DLS_PENDULUM_LENGTH] * sin(q[0]);
}

/* Of the tip, at (l cos q, -l sin q). */
static void momentum(const dls_system *sys, double t, const double *q, const double *v, const double *Mv,
                     double *momenta)
{
  const double *p = sys->data;
  const double ml = p[DLS_PENDULUM_MASS] * p[DLS_PENDULUM_LENGTH];
  (void)t;
  momenta[0] = -ml * sin(q[0]) * v[0];
  momenta[1] = -ml * cos(q[0]) * v[0];
  momenta[2] = -Mv[0]; /* q turns clockwise */
}

static void fill(dls_system *sys, const double *p)
{
  dls_matrix_set(sys->M, 0, 0, p[DLS_PENDULUM_MASS] * p[DLS_PENDULUM_LENGTH] * p[DLS_PENDULUM_LENGTH]);
  sys->q0[0] = p[DLS_PENDULUM_ANGLE];
  sys->v0[0] = p[DLS_PENDULUM_RATE];
  sys->force = force;
  sys->stiffness = stiffness;
  sys->gap = gap;
  sys->gradient = gradient;
  sys->curvature = curvature;
  sys->coordinate = coordinate;
  sys->potential = potential;
  sys->momenta = 3;
  sys->momentum = momentum;
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const dls_status status = dls_hurdle_pendulum_create(self, p, 1, 0, out, err);
  if (status == DLS_OK) {
    fill(*out, p);
  }
  return status;
}

static void sketch(const double *p, const double *q, dls_sketch *out)
{
  const double l = p[DLS_PENDULUM_LENGTH];
  dls_hurdle_pendulum_sketch(p, l * cos(q[0]), -l * sin(q[0]), out);
}

const dls_model dls_model_bouncing_pendulum = {
    .name = "bouncing-pendulum",
    .summary = "rigid pendulum that hits a hurdle: nonlinear force and gap",
    .source = "after Q. Chen, V. Acary, G. Virlez, O. Bruls 2013, section 5.5",
    .equations = "m l^2 q'' = m g l cos(q) - l sin(q) p,   q: angle below the horizontal\n"
                 "g_0 = l cos(q) - hurdle >= 0\n",
    .parameters = dls_hurdle_pendulum_parameters,
    .create = create,
    .sketch = sketch,
};
