/* puck.c -- a puck on an inclined plane, q = (x downhill, y across, z normal).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/slider.h"
#include <math.h>

enum { MASS, ALPHA, FRICTION, SPEED, ANGLE, GRAVITY };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [MASS] = DLS_NUMBER("m", "kg", "mass", 1, 0, INFINITY, OPEN),
    [ALPHA] = DLS_NUMBER("alpha", "rad", "slope of the plane", 0.19739555984988075, 0, 1.5707963267948966,
                         DLS_OPEN_MAX),
    [FRICTION] = DLS_NUMBER("mu", "1", "coefficient of friction", 0.3, 0, INFINITY, DLS_OPEN_MAX),
    [SPEED] = DLS_NUMBER("v0", "m/s", "initial speed", 1, 0, INFINITY, DLS_OPEN_MAX),
    [ANGLE] = DLS_NUMBER("phi0", "rad", "initial direction, from downhill", 2.0943951023931953, -INFINITY,
                         INFINITY, OPEN),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "acceleration of gravity", 9.81, 0, INFINITY, OPEN),
    {0},
};

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const dls_slider_row rows[] = {{{0, 0, 1}}, {{1, 0, 0}}, {{0, 1, 0}}};
  const double m = p[MASS], weight = m * p[GRAVITY];
  const dls_slider puck = {.mass = {m, m, m}, .load = {weight * sin(p[ALPHA]), 0, -weight * cos(p[ALPHA])}};
  const dls_status status = dls_slider_create(self->name, 3, 1, 3, &puck, rows, out, err);
  if (status == DLS_OK) {
    dls_system *sys = *out;
    sys->mu[0] = p[FRICTION];
    sys->v0[0] = p[SPEED] * cos(p[ANGLE]);
    sys->v0[1] = p[SPEED] * sin(p[ANGLE]);
    sys->time = fmax(p[SPEED], 1) / p[GRAVITY];
    sys->length = fmax(p[SPEED] * p[SPEED], 1) / p[GRAVITY];
  }
  return status;
}

const dls_model dls_model_puck = {
    .name = "puck",
    .summary = "puck on an inclined plane: the direction of slip turns",
    .source = "elementary",
    .equations = "m v' = m g (sin alpha, 0, -cos alpha) + r,  g = z,  u_T = (x', y')\n"
                 "at rest, if mu > tan(alpha), at t = v0 (kappa + cos phi0) / (g sin(alpha) (kappa^2 - 1)),\n"
                 "kappa = mu/tan(alpha)\n",
    .parameters = parameters,
    .create = create,
};
