/* forced_block.c -- a block on a rough plane under a harmonic force along it, q = (x, y).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/slider.h"
#include <math.h>

enum { MASS, AMPLITUDE, OMEGA, PHASE, LIMIT, POSITION, SPEED, GRAVITY };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [MASS] = DLS_NUMBER("m", "kg", "mass", 1, 0, INFINITY, OPEN),
    [AMPLITUDE] = DLS_NUMBER("A", "N", "amplitude of the force", 1, -INFINITY, INFINITY, OPEN),
    [OMEGA] = DLS_NUMBER("omega", "rad/s", "angular frequency of the force", 1, 0, INFINITY, OPEN),
    [PHASE] = DLS_NUMBER("phase", "rad", "phase of the force at t = 0", 0, -INFINITY, INFINITY, OPEN),
    [LIMIT] = DLS_NUMBER("F", "N", "friction limit", 0.7, 0, INFINITY, DLS_OPEN_MAX),
    [POSITION] = DLS_NUMBER("q0", "m", "initial position", 0, -INFINITY, INFINITY, OPEN),
    [SPEED] = DLS_NUMBER("v0", "m/s", "initial velocity", 0, -INFINITY, INFINITY, OPEN),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "acceleration of gravity", 9.81, 0, INFINITY, OPEN),
    {0},
};

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const dls_slider block = {.mass = {p[MASS]}, .amplitude = p[AMPLITUDE], .omega = p[OMEGA], .phase = p[PHASE]};
  const dls_status status = dls_slider_block(self->name, &block, p[GRAVITY], p[LIMIT], 0, out, err);
  if (status == DLS_OK) {
    dls_system *sys = *out;
    const double force = fmax(fabs(p[AMPLITUDE]), p[LIMIT]);
    sys->q0[0] = p[POSITION];
    sys->v0[0] = p[SPEED];
    sys->time = 1 / p[OMEGA];
    sys->length = force > 0 ? force / p[MASS] / (p[OMEGA] * p[OMEGA]) : 1;
  }
  return status;
}

const dls_model dls_model_forced_block = {
    .name = "forced-block",
    .summary = "block on a rough plane under a harmonic force: stick and slip",
    .source = "elementary",
    .equations = "m x'' = A cos(omega t + phase) + r_T,  |r_T| <= F = mu m g,  g = y,  u_T = x'\n",
    .parameters = parameters,
    .create = create,
};
