/* double_pendulum.c -- a double pendulum in Cartesian coordinates, its rods as joints.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/rods.h"
#include <math.h>

enum { MASS_1, MASS_2, LENGTH_1, LENGTH_2, GRAVITY, ANGLE_1, ANGLE_2 };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [MASS_1] = DLS_NUMBER("m1", "kg", "mass between the rods", 1, 0, INFINITY, OPEN),
    [MASS_2] = DLS_NUMBER("m2", "kg", "mass of the tip", 1, 0, INFINITY, OPEN),
    [LENGTH_1] = DLS_NUMBER("l1", "m", "length of the upper massless rod", 1, 0, INFINITY, OPEN),
    [LENGTH_2] = DLS_NUMBER("l2", "m", "length of the lower massless rod", 1, 0, INFINITY, OPEN),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "gravity, along -y", 9.81, 0, INFINITY, OPEN),
    [ANGLE_1] = DLS_NUMBER("theta1", "rad", "initial angle of the upper rod from the lowest point, at rest",
                           1.5707963267948966, -INFINITY, INFINITY, OPEN),
    [ANGLE_2] =
        DLS_NUMBER("theta2", "rad", "the same of the lower rod", 3.1415926535897932, -INFINITY, INFINITY, OPEN),
    {0},
};

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const double x = p[LENGTH_1] * sin(p[ANGLE_1]), y = -p[LENGTH_1] * cos(p[ANGLE_1]);
  const double q0[] = {x, y, x + p[LENGTH_2] * sin(p[ANGLE_2]), y - p[LENGTH_2] * cos(p[ANGLE_2])};
  return dls_rods_double_pendulum(self->name, p, q0, out, err);
}

static void sketch(const double *p, const double *q, dls_sketch *out)
{
  dls_rods_sketch_chain(2, q, 1, 0.03 * (p[LENGTH_1] + p[LENGTH_2]), out);
}

const dls_model dls_model_double_pendulum = {
    .name = "double-pendulum",
    .summary = "double pendulum in Cartesian coordinates, its rods as joints",
    .source = "elementary; the default data are those of E. Lens & A. Cardona 2007, system (c)",
    .equations =
        "M q'' = F + G mu,   q = (x1, y1, x2, y2), y upward;   V = g (m1 y1 + m2 y2);   mu: thrusts [N]\n"
        "phi_0 = (x1^2 + y1^2 - l1^2)/(2 l1) = 0,   phi_1 = ((x2 - x1)^2 + (y2 - y1)^2 - l2^2)/(2 l2) = 0\n"
        "reference, default data, t = 1: (x1, y1) = (0.10328336354607, -0.99465197270935),\n"
        "(x2, y2) = (-0.89001924951013, -0.87911012359950); chaotic later\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
};
