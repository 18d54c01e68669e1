/* vibrating_table.c -- a ball that bounces on a table in vertical sinusoidal motion.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/moving_support.h"
#include <math.h>

enum { MASS, GRAVITY, RESTITUTION, AMPLITUDE, OMEGA, PHASE, POSITION, SPEED };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [MASS] = DLS_NUMBER("m", "kg", "mass", 1, 0, INFINITY, OPEN),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "acceleration of gravity", 9.81, 0, INFINITY, OPEN),
    [RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient", 0.8, 0, 1, 0),
    [AMPLITUDE] = DLS_NUMBER("A", "m", "amplitude of the table", 0.01, 0, INFINITY, DLS_OPEN_MAX),
    [OMEGA] = DLS_NUMBER("omega", "rad/s", "angular frequency of the table", 60, 0, INFINITY, OPEN),
    [PHASE] = DLS_NUMBER("phase", "rad", "phase of the table at t = 0", 0, -INFINITY, INFINITY, OPEN),
    [POSITION] =
        DLS_NUMBER("q0", "m", "initial height, at least that of the table", 0.1, -INFINITY, INFINITY, OPEN),
    [SPEED] = DLS_NUMBER("v0", "m/s", "initial velocity", 0, -INFINITY, INFINITY, OPEN),
    {0},
};

/* A sin(omega t + phase) as a cosine. */
static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const dls_moving_support table = {.mass = p[MASS],
                                    .force = p[MASS] * p[GRAVITY],
                                    .amplitude = p[AMPLITUDE],
                                    .omega = p[OMEGA],
                                    .phase = p[PHASE] - acos(0),
                                    .e = p[RESTITUTION],
                                    .q0 = p[POSITION],
                                    .v0 = p[SPEED]};
  return dls_moving_support_create(self->name, &table, out, err);
}

const dls_model dls_model_vibrating_table = {
    .name = "vibrating-table",
    .summary = "bouncing ball on a vibrating table: periodic, chattering and chaotic motions",
    .source = "P. J. Holmes 1982, J. Sound Vib. 84",
    .equations = "m dv = -m g dt + di,   g(t) = q - A sin(omega t + phase) >= 0,   u = v - A omega cos(omega t "
                 "+ phase)\n"
                 "u+ = -e u- at an impact; lasting contact as long as A omega^2 sin(omega t + phase) < g\n",
    .parameters = parameters,
    .create = create,
};
