/* lens_cardona_c.c -- double pendulum of equal masses in Cartesian coordinates, its rods as joints.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/rods.h"
#include <math.h>

enum { MASS_1, MASS_2, LENGTH, GRAVITY };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [MASS_1] = DLS_NUMBER("m1", "kg", "mass between the rods", 1, 0, INFINITY, OPEN),
    [MASS_2] = DLS_NUMBER("m2", "kg", "mass of the tip", 1, 0, INFINITY, OPEN),
    [LENGTH] = DLS_NUMBER("l", "m", "length of either massless rod", 1, 0, INFINITY, OPEN),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "gravity, along -y", 9.81, 0, INFINITY, OPEN),
    {0},
};

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const double l = p[LENGTH];
  return dls_rods_double_pendulum(self->name, (const double[]){p[MASS_1], p[MASS_2], l, l, p[GRAVITY]},
                                  (const double[]){l, 0, l, l}, out, err);
}

static void sketch(const double *p, const double *q, dls_sketch *out)
{
  dls_rods_sketch_chain(2, q, 1, 0.06 * p[LENGTH], out);
}

const dls_model dls_model_lens_cardona_c = {
    .name = "lens-cardona-c",
    .summary = "double pendulum of equal masses in Cartesian coordinates, its rods as joints",
    .source = "E. Lens & A. Cardona 2007, section 3, system (c); g is not given there",
    .equations =
        "M q'' = F + G mu,   q = (x1, y1, x2, y2), y upward, from (l, 0, l, l) at rest\n"
        "V = g (m1 y1 + m2 y2);   mu: thrusts of the rods [N]\n"
        "phi_0 = (x1^2 + y1^2 - l^2)/(2 l) = 0,   phi_1 = ((x2 - x1)^2 + (y2 - y1)^2 - l^2)/(2 l) = 0\n"
        "reference, default data, t = 1: (x1, y1) = (0.10328336354607, -0.99465197270935),\n"
        "(x2, y2) = (-0.89001924951013, -0.87911012359950)\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
};
