/* spring_block.c -- a mass on a spring, with friction; q = (x, y).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/slider.h"
#include <math.h>

enum { MASS, STIFFNESS, LIMIT, POSITION, SPEED, GRAVITY };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [MASS] = DLS_NUMBER("m", "kg", "mass", 1, 0, INFINITY, OPEN),
    [STIFFNESS] = DLS_NUMBER("k", "N/m", "stiffness of the spring", 1, 0, INFINITY, OPEN),
    [LIMIT] = DLS_NUMBER("F", "N", "friction limit", 0.1, 0, INFINITY, DLS_OPEN_MAX),
    [POSITION] = DLS_NUMBER("q0", "m", "initial position", 1, -INFINITY, INFINITY, OPEN),
    [SPEED] = DLS_NUMBER("v0", "m/s", "initial velocity", 0, -INFINITY, INFINITY, OPEN),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "acceleration of gravity", 9.81, 0, INFINITY, OPEN),
    {0},
};

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const dls_slider block = {.mass = {p[MASS]}, .stiffness = p[STIFFNESS]};
  const dls_status status = dls_slider_block(self->name, &block, p[GRAVITY], p[LIMIT], 0, out, err);
  if (status == DLS_OK) {
    dls_system *sys = *out;
    sys->q0[0] = p[POSITION];
    sys->v0[0] = p[SPEED];
    sys->time = sqrt(p[MASS] / p[STIFFNESS]);
    sys->length = fmax(fmax(fabs(p[POSITION]), fabs(p[SPEED]) * sys->time), 1e-12);
  }
  return status;
}

const dls_model dls_model_spring_block = {
    .name = "spring-block",
    .summary = "mass on a spring that comes to rest by friction",
    .source = "elementary",
    .equations =
        "m x'' + k x = r_T,  |r_T| <= F = mu m g,  g = y,  u_T = x'\n"
        "turning points |x_j+1| = |x_j| - 2 F/k every half period; at rest at the first |x_j| <= F/k\n",
    .parameters = parameters,
    .create = create,
};
