/* forced_block.c -- a block on a rough plane under a harmonic force along it, q = (x, y).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/slider.h"
#include <math.h>

enum { MASS, AMPLITUDE, OMEGA, PHASE, LIMIT, POSITION, SPEED, GRAVITY };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [MASS] = {"m", "kg", "mass", 1, 0, INFINITY, DLS_REAL, OPEN, NULL},
    [AMPLITUDE] = {"A", "N", "amplitude of the force", 1, -INFINITY, INFINITY, DLS_REAL, OPEN, NULL},
    [OMEGA] = {"omega", "rad/s", "angular frequency of the force", 1, 0, INFINITY, DLS_REAL, OPEN, NULL},
    [PHASE] = {"phase", "rad", "phase of the force at t = 0", 0, -INFINITY, INFINITY, DLS_REAL, OPEN, NULL},
    [LIMIT] = {"F", "N", "friction limit", 0.7, 0, INFINITY, DLS_REAL, DLS_OPEN_MAX, NULL},
    [POSITION] = {"q0", "m", "initial position", 0, -INFINITY, INFINITY, DLS_REAL, OPEN, NULL},
    [SPEED] = {"v0", "m/s", "initial velocity", 0, -INFINITY, INFINITY, DLS_REAL, OPEN, NULL},
    [GRAVITY] = {"g", "m/s^2", "acceleration of gravity", 9.81, 0, INFINITY, DLS_REAL, OPEN, NULL},
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
