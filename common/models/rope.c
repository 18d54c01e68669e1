/* rope.c -- a mass on a rope, which carries no compression: free flight inside a circle, a curved unilateral contact.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/circle_point.h"
#include <math.h>
#include <stdio.h>

enum { MASS, LENGTH, GRAVITY, RESTITUTION, X0, Y0, VX0, VY0 };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [MASS] = DLS_NUMBER("m", "kg", "mass", 1, 0, INFINITY, OPEN),
    [LENGTH] = DLS_NUMBER("l", "m", "length of the rope", 2, 0, INFINITY, OPEN),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "gravity, along -y", 9.81, 0, INFINITY, OPEN),
    [RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient of the taut rope", 1, 0, 1, 0),
    [X0] = DLS_NUMBER("x0", "m", "initial x", 1, -INFINITY, INFINITY, OPEN),
    [Y0] = DLS_NUMBER("y0", "m", "initial y; the rope is slack", 1, -INFINITY, INFINITY, OPEN),
    [VX0] = DLS_NUMBER("vx0", "m/s", "initial velocity along x", 0, -INFINITY, INFINITY, OPEN),
    [VY0] = DLS_NUMBER("vy0", "m/s", "initial velocity along y", 0, -INFINITY, INFINITY, OPEN),
    {0},
};

static void contact_name(const dls_system *sys, size_t alpha, char *text, size_t size)
{
  (void)sys;
  snprintf(text, size, "contact %zu (taut rope)", alpha);
}

static void coordinate(const dls_system *sys, size_t i, dls_coordinate *out)
{
  (void)sys;
  *out = (dls_coordinate){.unit = "m"};
  snprintf(out->name, sizeof out->name, "%c", i == 0 ? 'x' : 'y');
}

static bool by_parameter(const dls_system *sys, const char *name, dls_by_parameter *out)
{
  const dls_circle_point *what = sys->data;
  const int which = dls_option_find(parameters, name);
  for (size_t i = 0; i < 2 && which == MASS; i++) {
    out->Ma[i] += out->a[i];
  }
  out->F[1] -= which == MASS ? what->g : which == GRAVITY ? what->m : 0;
  out->g[0] += which == LENGTH;
  return which >= 0;
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const dls_circle_point what = {.m = p[MASS], .R = p[LENGTH], .g = p[GRAVITY]};
  *out = NULL;
  if (!(hypot(p[X0], p[Y0]) < p[LENGTH])) {
    return dls_fail(err, DLS_ERR_ARG,
                    "model %s: the mass starts %g m from the origin; the rope has the length l = %g m, and the "
                    "distance must be less",
                    self->name, hypot(p[X0], p[Y0]), p[LENGTH]);
  }
  const dls_status status = dls_circle_point_create(self, &what, false, out, err);
  dls_system *sys = *out;
  if (status == DLS_OK) {
    for (size_t i = 0; i < 2; i++) {
      sys->q0[i] = p[X0 + i];
      sys->v0[i] = p[VX0 + i];
    }
    sys->e[0] = p[RESTITUTION];
    sys->contact_name = contact_name;
    sys->coordinate = coordinate;
    sys->by_parameter = by_parameter;
  }
  return status;
}

/* The circle as a polygon, and the mass as a ball inside it. */
static void sketch(const double *p, const double *q, dls_sketch *out)
{
  enum { CHORDS = 36 };
  const double l = p[LENGTH], radius = 0.04 * l;
  const double turn = 2 * acos(-1) / CHORDS;
  double r, e[2];
  dls_circle_outward(q, &r, e);
  for (int k = 0; k < CHORDS; k++) {
    dls_sketch_between(out, DLS_SHAPE_LINE, (l + radius) * cos(turn * k), (l + radius) * sin(turn * k),
                       (l + radius) * cos(turn * (k + 1)), (l + radius) * sin(turn * (k + 1)));
  }
  dls_sketch_ball(out, 0, 0, radius / 3);
  dls_sketch_ball(out, q[0], q[1], radius);
  dls_sketch_touch(out, q[0] * (1 + radius / r), q[1] * (1 + radius / r), -e[0], -e[1]);
}

const dls_model dls_model_rope = {
    .name = "rope",
    .summary = "mass on a rope: free flight inside a circle, a curved unilateral contact",
    .source = "limit of E. Lens & A. Cardona 2007, system (d), for m1 to 0",
    .equations = "m x'' = H p_x,   m y'' = -m g + H p_y,   g_0 = l - |(x, y)| >= 0,   H = -(x, y)/|(x, y)|\n"
                 "parabolas between impacts; default data: t = 0.74632, 1.17130, 2.25511, 2.65383\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
};
