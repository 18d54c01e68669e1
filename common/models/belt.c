/* belt.c -- a mass on a spring and on a moving belt, q = (x, y).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/slider.h"
#include <math.h>

enum { MASS, STIFFNESS, LIMIT, STATIC, BELT, POSITION, SPEED, GRAVITY, JUMP, JUMPED };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [MASS] = DLS_NUMBER("m", "kg", "mass", 1, 0, INFINITY, OPEN),
    [STIFFNESS] = DLS_NUMBER("k", "N/m", "stiffness of the spring", 1, 0, INFINITY, OPEN),
    [LIMIT] = DLS_NUMBER("F", "N", "friction limit", 1, 0, INFINITY, DLS_OPEN_MAX),
    [STATIC] = DLS_NUMBER("Fs", "N", "friction limit in stick, at least F", 1, 0, INFINITY, DLS_OPEN_MAX),
    [BELT] = DLS_NUMBER("vb", "m/s", "velocity of the belt", 0.5, -INFINITY, INFINITY, OPEN),
    [POSITION] = DLS_NUMBER("q0", "m", "initial position", 0, -INFINITY, INFINITY, OPEN),
    [SPEED] = DLS_NUMBER("v0", "m/s", "initial velocity", 0, -INFINITY, INFINITY, OPEN),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "acceleration of gravity", 9.81, 0, INFINITY, OPEN),
    [JUMP] = {"t1", "s", "time at which the velocity of the belt jumps to vb1; 0: never", 0, 0, INFINITY,
              DLS_REAL, DLS_OPEN_MAX, NULL},
    [JUMPED] = {"vb1", "m/s", "velocity of the belt from t1 on", 0, -INFINITY, INFINITY, DLS_REAL, OPEN, NULL},
    {0},
};

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const dls_slider block = {.mass = {p[MASS]},
                            .stiffness = p[STIFFNESS],
                            .surface = {p[BELT]},
                            .jump = p[JUMP],
                            .jumped = {p[JUMPED]}};
  if (p[STATIC] < p[LIMIT]) {
    return dls_fail(err, DLS_ERR_OPTION, "model %s: Fs = %g N is below F = %g N", self->name, p[STATIC],
                    p[LIMIT]);
  }
  const dls_status status = dls_slider_block(self->name, &block, p[GRAVITY], p[LIMIT], p[STATIC], out, err);
  if (status == DLS_OK) {
    dls_system *sys = *out;
    sys->q0[0] = p[POSITION];
    sys->v0[0] = p[SPEED];
    sys->time = sqrt(p[MASS] / p[STIFFNESS]);
    sys->length = fmax(fmax(p[STATIC] / p[STIFFNESS], fmax(fabs(p[BELT]), fabs(p[JUMPED])) * sys->time), 1e-12);
  }
  return status;
}

const dls_model dls_model_belt = {
    .name = "belt",
    .summary = "oscillator on a moving belt: stick-slip",
    .source = "elementary",
    .equations = "m x'' + k x = r_T,  |r_T| <= F = mu m g (Fs while it sticks),  g = y,  u_T = x' - vb\n"
                 "limit cycle for Fs > F: period 2/omega (pi - arctan(D omega/vb)) + 2 D/vb, D = (Fs - F)/k\n",
    .parameters = parameters,
    .create = create,
};
