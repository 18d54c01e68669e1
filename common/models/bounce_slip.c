/* bounce_slip.c -- a sphere dropped with horizontal velocity, q = (x, z, angle): it slips throughout an accumulation of
 * impacts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/slider.h"
#include <math.h>

enum { MASS, RADIUS, HEIGHT, RESTITUTION, FRICTION, SPEED, SPIN, GRAVITY };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [MASS] = DLS_NUMBER("m", "kg", "mass", 1, 0, INFINITY, OPEN),
    [RADIUS] = DLS_NUMBER("R", "m", "radius", 0.1, 0, INFINITY, OPEN),
    [HEIGHT] = DLS_NUMBER("h", "m", "initial height of the lowest point", 1, 0, INFINITY, DLS_OPEN_MAX),
    [RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient", 0.5, 0, 1, 0),
    [FRICTION] = DLS_NUMBER("mu", "1", "coefficient of friction", 0.1, 0, INFINITY, DLS_OPEN_MAX),
    [SPEED] = DLS_NUMBER("vx", "m/s", "initial horizontal velocity", 8, -INFINITY, INFINITY, OPEN),
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
    sys->v0[0] = p[SPEED];
    sys->v0[2] = p[SPIN];
    sys->length = fmax(p[HEIGHT], p[RADIUS]);
    sys->time = sqrt(2 * sys->length / p[GRAVITY]);
  }
  return status;
}

const dls_model dls_model_bounce_slip = {
    .name = "bounce-slip",
    .summary = "bouncing ball that slips through its accumulation, then rolls",
    .source = "elementary",
    .equations =
        "J = 2/5 m R^2,  g = z - R,  u_T = x' + R w\n"
        "while it slips through all impacts, at their end x' = vx - mu g t and u_T = vx + R w - 7/2 mu g t\n",
    .parameters = parameters,
    .create = create,
};
