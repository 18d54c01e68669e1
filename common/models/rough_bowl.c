/* rough_bowl.c -- a mass point that slides inside a vertical circle, q = (x, y) from its centre.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/circle_point.h"
#include <float.h>
#include <math.h>

enum { MASS, RADIUS, FRICTION, ANGLE, GRAVITY };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [MASS] = DLS_NUMBER("m", "kg", "mass", 1, 0, INFINITY, OPEN),
    [RADIUS] = DLS_NUMBER("R", "m", "radius of the circle", 1, 0, INFINITY, OPEN),
    [FRICTION] = DLS_NUMBER("mu", "1", "coefficient of friction", 0.1, 0, INFINITY, DLS_OPEN_MAX),
    [ANGLE] = DLS_NUMBER("theta0", "rad", "initial angle from the lowest point, at rest", -1.0471975511965976,
                         -1.5707963267948966, 1.5707963267948966, 0),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "acceleration of gravity", 9.81, 0, INFINITY, OPEN),
    {0},
};

/* Towards larger angles: to the right at the lowest point. */
static void tangents(const dls_system *sys, double t, const double *q, dls_matrix *T)
{
  double r, e[2];
  (void)sys, (void)t;
  dls_circle_outward(q, &r, e);
  dls_matrix_set(T, 0, 0, -e[1]);
  dls_matrix_set(T, 1, 0, e[0]);
}

/* (d/dt t) . v = -v_t v_r/r */
static void slip_curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  double r, e[2];
  (void)sys, (void)t;
  dls_circle_outward(q, &r, e);
  c[0] = -(e[0] * v[1] - e[1] * v[0]) * (e[0] * v[0] + e[1] * v[1]) / r;
}

static void fill(dls_system *sys, const double *p)
{
  sys->d = 2;
  sys->mu[0] = p[FRICTION];
  sys->tangents = tangents;
  sys->slip_curvature = slip_curvature;
  double r = p[RADIUS];
  do { /* in contact: rounding must not open the gap */
    sys->q0[0] = r * sin(p[ANGLE]);
    sys->q0[1] = -r * cos(p[ANGLE]);
    r *= 1 + DBL_EPSILON;
  } while (hypot(sys->q0[0], sys->q0[1]) < p[RADIUS]);
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const dls_circle_point what = {.m = p[MASS], .R = p[RADIUS], .g = p[GRAVITY]};
  const dls_status status = dls_circle_point_create(self, &what, true, out, err);
  if (status == DLS_OK) {
    fill(*out, p);
    dls_system_gradient(*out, (*out)->q0, (*out)->H);
    dls_system_tangents(*out, 0, (*out)->q0, (*out)->T);
  }
  return status;
}

static void sketch(const double *p, const double *q, dls_sketch *out)
{
  enum { SIDES = 48 };
  const double R = p[RADIUS], radius = 0.04 * R;
  const double r = hypot(q[0], q[1]), scale = r > 0 ? 1 - radius / R : 1;
  const double turn = 3.1415926535897931 / SIDES;
  for (int i = 0; i < SIDES; i++) { /* the lower half, from left to right, so that the inside is on the left */
    const double a = i * turn, b = (i + 1) * turn;
    dls_sketch_between(out, DLS_SHAPE_WALL, -R * cos(a), -R * sin(a), -R * cos(b), -R * sin(b));
  }
  dls_sketch_ball(out, scale * q[0], scale * q[1], radius);
  dls_sketch_touch(out, q[0], q[1], r > 0 ? -q[0] / r : 0, r > 0 ? -q[1] / r : 1);
}

const dls_model dls_model_rough_bowl = {
    .name = "rough-bowl",
    .summary = "mass point that slides inside a rough circle, released at rest",
    .source = "elementary",
    .equations = "g = R - |q| >= 0,  m q'' = (0, -m g) + r,  e = 0;  sliding towards greater angles theta from "
                 "the bottom\n"
                 "z = (R theta')^2 = A cos(theta) + B sin(theta) + C exp(-2 mu theta),  lambda = m (z/R + g "
                 "cos(theta)),\n"
                 "A = 2 g R (1 - 2 mu^2)/(1 + 4 mu^2),  B = -6 mu g R/(1 + 4 mu^2)\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
};
