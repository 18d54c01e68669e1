/* den_hartog.c -- a mass on a spring, with friction, under a harmonic force; q = (x, y).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/slider.h"
#include <math.h>

enum { MASS, STIFFNESS, AMPLITUDE, OMEGA, PHASE, LIMIT, STATIC, POSITION, SPEED, GRAVITY };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [MASS] = DLS_NUMBER("m", "kg", "mass", 1, 0, INFINITY, OPEN),
    [STIFFNESS] = DLS_NUMBER("k", "N/m", "stiffness of the spring", 1, 0, INFINITY, OPEN),
    [AMPLITUDE] = DLS_NUMBER("P", "N", "amplitude of the force", 1, -INFINITY, INFINITY, OPEN),
    [OMEGA] = DLS_NUMBER("omega", "rad/s", "angular frequency of the force", 0.75, 0, INFINITY, OPEN),
    [PHASE] =
        DLS_NUMBER("phase", "rad", "phase of the force at t = 0", 0.307953335237676, -INFINITY, INFINITY, OPEN),
    [LIMIT] = DLS_NUMBER("F", "N", "friction limit", 0.3, 0, INFINITY, DLS_OPEN_MAX),
    [STATIC] = DLS_NUMBER("Fs", "N", "friction limit in stick, at least F; 0: equal to F", 0, 0, INFINITY,
                          DLS_OPEN_MAX),
    [POSITION] = DLS_NUMBER("q0", "m", "initial position", 2.17818497743382, -INFINITY, INFINITY, OPEN),
    [SPEED] = DLS_NUMBER("v0", "m/s", "initial velocity", 0, -INFINITY, INFINITY, OPEN),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "acceleration of gravity", 9.81, 0, INFINITY, OPEN),
    {0},
};

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const dls_slider block = {.mass = {p[MASS]},
                            .stiffness = p[STIFFNESS],
                            .amplitude = p[AMPLITUDE],
                            .omega = p[OMEGA],
                            .phase = p[PHASE]};
  if (p[STATIC] != 0 && p[STATIC] < p[LIMIT]) {
    return dls_fail(err, DLS_ERR_OPTION, "model %s: Fs = %g N is below F = %g N", self->name, p[STATIC],
                    p[LIMIT]);
  }
  const dls_status status = dls_slider_block(self->name, &block, p[GRAVITY], p[LIMIT], p[STATIC], out, err);
  if (status == DLS_OK) {
    dls_system *sys = *out;
    sys->q0[0] = p[POSITION];
    sys->v0[0] = p[SPEED];
    sys->time = fmin(sqrt(p[MASS] / p[STIFFNESS]), 1 / p[OMEGA]);
    sys->length = fmax(fmax(fabs(p[POSITION]), fabs(p[AMPLITUDE]) / p[STIFFNESS]), 1e-12);
  }
  return status;
}

const dls_model dls_model_den_hartog = {
    .name = "den-hartog",
    .summary = "oscillator with friction under a harmonic force, in its symmetric motion without stops",
    .source = "J. P. Den Hartog 1931",
    .equations = "m x'' + k x = P cos(omega t + phase) + r_T,  |r_T| <= F = mu m g (Fs while it sticks),  g = "
                 "y,  u_T = x'\n"
                 "the defaults start the symmetric motion of period 2 pi/omega without stops\n",
    .parameters = parameters,
    .create = create,
};
