/* cam_follower.c -- a follower pressed by a spring on a cam of harmonic profile.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/moving_support.h"
#include <math.h>

enum { MASS, STIFFNESS, PRELOAD, RESTITUTION, LIFT, OMEGA };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [MASS] = DLS_NUMBER("m", "kg", "mass of the follower", 1, 0, INFINITY, OPEN),
    [STIFFNESS] = DLS_NUMBER("k", "N/m", "stiffness of the spring", 100, 0, INFINITY, DLS_OPEN_MAX),
    [PRELOAD] =
        DLS_NUMBER("F", "N", "force of the spring at the lowest point of the cam", 10, 0, INFINITY, OPEN),
    [RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient", 0.3, 0, 1, 0),
    [LIFT] = DLS_NUMBER("A", "m", "half of the lift", 0.05, 0, INFINITY, OPEN),
    [OMEGA] = DLS_NUMBER("omega", "rad/s", "angular velocity of the cam", 18, 0, INFINITY, OPEN),
    {0},
};

/* A (1 - cos omega t): the follower starts at rest at the lowest point. */
static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  dls_moving_support cam = {.mass = p[MASS],
                            .stiffness = p[STIFFNESS],
                            .force = p[PRELOAD],
                            .mean = p[LIFT],
                            .amplitude = -p[LIFT],
                            .omega = p[OMEGA],
                            .e = p[RESTITUTION]};
  cam.q0 = dls_moving_support_at(&cam, 0, 0);
  return dls_moving_support_create(self->name, &cam, out, err);
}

const dls_model dls_model_cam_follower = {
    .name = "cam-follower",
    .summary = "follower on a rotating cam, lifts off above a critical speed",
    .source = "elementary",
    .equations = "m dv + k q dt = -F dt + di,   g(t) = q - A (1 - cos omega t) >= 0\n"
                 "lambda = F + k A + (m omega^2 - k) A cos omega t: lift-off if omega^2 > (F + 2 k A)/(m A)\n",
    .parameters = parameters,
    .create = create,
};
