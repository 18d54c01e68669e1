/* painleve_rod.c -- Painleve's rod: its lower left end slides on a rough floor, q = (x, y, theta from the horizontal).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/planar_body.h"
#include <math.h>

enum { MASS, HALF_LENGTH, INERTIA, FRICTION, ANGLE, RATE, SLIP, GRAVITY };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [MASS] = DLS_NUMBER("m", "kg", "mass", 1, 0, INFINITY, OPEN),
    [HALF_LENGTH] = DLS_NUMBER("l", "m", "half length", 1, 0, INFINITY, OPEN),
    [INERTIA] = DLS_NUMBER("J", "kg m^2", "moment of inertia; slender: m l^2/3", 0.33333333333333331, 0,
                           INFINITY, OPEN),
    [FRICTION] = DLS_NUMBER("mu", "1", "coefficient of friction", 1, 0, INFINITY, DLS_OPEN_MAX),
    [ANGLE] = DLS_NUMBER("theta0", "rad", "initial angle from the horizontal", 1.0471975511965976, 0,
                         3.1415926535897931, 0),
    [RATE] = DLS_NUMBER("omega0", "rad/s", "initial angular velocity", 0, -INFINITY, INFINITY, OPEN),
    [SLIP] = DLS_NUMBER("ut0", "m/s", "initial slip of the lower end", -3, -INFINITY, INFINITY, OPEN),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "acceleration of gravity", 9.81, 0, INFINITY, OPEN),
    {0},
};

/* The lower end starts in contact: u_N = 0, u_T = ut0. */
static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const double l = p[HALF_LENGTH];
  const dls_planar_body rod = {.m = p[MASS],
                               .J = p[INERTIA],
                               .gravity = p[GRAVITY],
                               .mu = p[FRICTION],
                               .size = l,
                               .corners = 1,
                               .at = {{-l, 0}}};
  const dls_status status = dls_planar_body_create(self->name, &rod, p[ANGLE], out, err);
  if (status == DLS_OK) {
    double *v0 = (*out)->v0;
    v0[0] = p[SLIP] - l * sin(p[ANGLE]) * p[RATE];
    v0[1] = l * cos(p[ANGLE]) * p[RATE];
    v0[2] = p[RATE];
  }
  return status;
}

static void sketch(const double *p, const double *q, dls_sketch *out)
{
  const double l = p[HALF_LENGTH], x = l * cos(q[2]), y = l * sin(q[2]);
  dls_sketch_between(out, DLS_SHAPE_WALL, -2 * l, 0, 2 * l, 0);
  dls_sketch_between(out, DLS_SHAPE_LINE, q[0] - x, q[1] - y, q[0] + x, q[1] + y);
  dls_sketch_touch(out, q[0] - x, q[1] - y, 0, 1);
}

const dls_model dls_model_painleve_rod = {
    .name = "painleve-rod",
    .summary = "rod whose lower end slides on a rough floor: Painleve's paradox",
    .source = "P. Painleve 1895; F. Genot, B. Brogliato 1999",
    .equations =
        "one contact, the lower left end:  gap y - l sin(theta),  u_T = x' + l sin(theta) theta', e = 0\n"
        "slip to the left has no solution where mu a sin cos > 1 + a cos^2, a = m l^2/J, and the end is "
        "pressed\n"
        "down: possible for mu >= 2 sqrt(1 + a)/a only, 4/3 for a slender rod\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
};
