/* superball.c -- a superball dropped with spin, q = (x, z, angle).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/slider.h"
#include <math.h>

enum { MASS, RADIUS, RESTITUTION, TANGENTIAL, FRICTION, HEIGHT, SPEED, SPIN, GRAVITY };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [MASS] = DLS_NUMBER("m", "kg", "mass", 1, 0, INFINITY, OPEN),
    [RADIUS] = DLS_NUMBER("R", "m", "radius", 0.1, 0, INFINITY, OPEN),
    [RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient", 1, 0, 1, 0),
    [TANGENTIAL] = DLS_NUMBER("et", "1", "tangential restitution coefficient", 1, 0, 1, 0),
    [FRICTION] = DLS_NUMBER("mu", "1", "coefficient of friction", 10, 0, INFINITY, DLS_OPEN_MAX),
    [HEIGHT] = DLS_NUMBER("h", "m", "initial height of the lowest point", 1, 0, INFINITY, DLS_OPEN_MAX),
    [SPEED] = DLS_NUMBER("vx", "m/s", "initial horizontal velocity", 1, -INFINITY, INFINITY, OPEN),
    [SPIN] = DLS_NUMBER("w", "rad/s", "initial angular velocity", 0, -INFINITY, INFINITY, OPEN),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "acceleration of gravity", 9.81, 0, INFINITY, OPEN),
    {0},
};

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const dls_status status = dls_slider_sphere(self->name, p[MASS], p[RADIUS], p[GRAVITY], p[HEIGHT], out, err);
  if (status == DLS_OK) {
    dls_system *sys = *out;
    sys->mu[0] = p[FRICTION];
    sys->e[0] = p[RESTITUTION];
    sys->e_t[0] = p[TANGENTIAL];
    sys->v0[0] = p[SPEED];
    sys->v0[2] = p[SPIN];
    sys->length = fmax(p[HEIGHT], p[RADIUS]);
    sys->time = sqrt(2 * sys->length / p[GRAVITY]);
  }
  return status;
}

const dls_model dls_model_superball = {
    .name = "superball",
    .summary = "bouncing ball with tangential restitution",
    .source = "R. L. Garwin 1969",
    .equations = "J = 2/5 m R^2,  g = z - R,  u_T = x' + R w\n"
                 "each impact: u_N -> -e u_N, u_T -> -e_T u_T, x' - 2/5 R w is kept\n"
                 "needs mu >= 2/7 (1 + e_T) |u_T| / ((1 + e) |u_N|)\n",
    .parameters = parameters,
    .create = create,
};
