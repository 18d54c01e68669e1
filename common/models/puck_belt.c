/* puck_belt.c -- a puck on a horizontal belt, q = (x along, y across, z normal).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/slider.h"
#include <math.h>

enum { MASS, FRICTION, SPEED, BELT, GRAVITY };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [MASS] = DLS_NUMBER("m", "kg", "mass", 1, 0, INFINITY, OPEN),
    [FRICTION] = DLS_NUMBER("mu", "1", "coefficient of friction", 0.3, 0, INFINITY, DLS_OPEN_MAX),
    [SPEED] = DLS_NUMBER("v0", "m/s", "initial velocity, across", 1, -INFINITY, INFINITY, OPEN),
    [BELT] = DLS_NUMBER("vb", "m/s", "velocity of the belt", 0.5, -INFINITY, INFINITY, OPEN),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "acceleration of gravity", 9.81, 0, INFINITY, OPEN),
    {0},
};

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const dls_slider_row rows[] = {{{0, 0, 1}}, {{1, 0, 0}}, {{0, 1, 0}}};
  const double m = p[MASS], speed = fmax(hypot(p[SPEED], p[BELT]), 1e-12);
  const dls_slider puck = {.mass = {m, m, m}, .load = {0, 0, -m * p[GRAVITY]}, .surface = {p[BELT], 0}};
  const dls_status status = dls_slider_create(self->name, 3, 1, 3, &puck, rows, out, err);
  if (status == DLS_OK) {
    dls_system *sys = *out;
    sys->mu[0] = p[FRICTION];
    sys->v0[1] = p[SPEED];
    sys->time = speed / p[GRAVITY];
    sys->length = speed * sys->time;
  }
  return status;
}

const dls_model dls_model_puck_belt = {
    .name = "puck-belt",
    .summary = "puck thrown across a moving belt",
    .source = "elementary",
    .equations =
        "m v' = (0, 0, -m g) + r,  g = z,  u_T = (x' - vb, y')\n"
        "the slip keeps its direction; it sticks after sqrt(v0^2 + vb^2)/(mu g), at (vb t/2, v0 t/2)\n",
    .parameters = parameters,
    .create = create,
};
