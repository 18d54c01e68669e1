/* incline.c -- a block on an inclined plane, q = (x uphill, y along the normal).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/slider.h"
#include <math.h>

enum { MASS, ALPHA, FRICTION, SPEED, GRAVITY };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [MASS] = DLS_NUMBER("m", "kg", "mass", 1, 0, INFINITY, OPEN),
    [ALPHA] = DLS_NUMBER("alpha", "rad", "slope of the plane", 0.5235987755982988, 0, 1.5707963267948966,
                         DLS_OPEN_MAX),
    [FRICTION] = DLS_NUMBER("mu", "1", "coefficient of friction", 0.3, 0, INFINITY, DLS_OPEN_MAX),
    [SPEED] = DLS_NUMBER("v0", "m/s", "initial velocity, uphill", 2, -INFINITY, INFINITY, OPEN),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "acceleration of gravity", 9.81, 0, INFINITY, OPEN),
    {0},
};

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const dls_slider_row rows[] = {{{0, 1}}, {{1, 0}}};
  const double weight = p[MASS] * p[GRAVITY];
  const dls_slider block = {.mass = {p[MASS], p[MASS]},
                            .load = {-weight * sin(p[ALPHA]), -weight * cos(p[ALPHA])}};
  const dls_status status = dls_slider_create(self->name, 2, 1, 2, &block, rows, out, err);
  if (status == DLS_OK) {
    dls_system *sys = *out;
    sys->mu[0] = p[FRICTION];
    sys->v0[0] = p[SPEED];
    sys->time = fmax(fabs(p[SPEED]), 1) / p[GRAVITY];
    sys->length = fmax(p[SPEED] * p[SPEED], 1) / p[GRAVITY];
  }
  return status;
}

const dls_model dls_model_incline = {
    .name = "incline",
    .summary = "block on an inclined plane with friction",
    .source = "elementary",
    .equations = "m x'' = -m g sin(alpha) + r_T,  m y'' = -m g cos(alpha) + r_N,  g = y >= 0,  u_T = x'\n"
                 "it stops at t = v0 / (g (sin alpha + mu cos alpha)) and sticks if tan(alpha) <= mu\n",
    .parameters = parameters,
    .create = create,
};
