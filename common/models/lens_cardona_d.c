/* lens_cardona_d.c -- double pendulum with a light mass between its rods: nearly a rope.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/rods.h"
#include <math.h>

enum { MASS_1, MASS_2, LENGTH, GRAVITY };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [MASS_1] = DLS_NUMBER("m1", "kg", "mass between the rods", 0.005, 0, INFINITY, OPEN),
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

const dls_model dls_model_lens_cardona_d = {
    .name = "lens-cardona-d",
    .summary = "double pendulum with a light mass between its rods: nearly a rope",
    .source = "E. Lens & A. Cardona 2007, section 3, system (d); g is not given there",
    .equations =
        "M q'' = F + G mu,   q = (x1, y1, x2, y2), y upward, from (l, 0, l, l) at rest\n"
        "V = g (m1 y1 + m2 y2);   mu: thrusts of the rods [N]\n"
        "phi_0 = (x1^2 + y1^2 - l^2)/(2 l) = 0,   phi_1 = ((x2 - x1)^2 + (y2 - y1)^2 - l^2)/(2 l) = 0\n"
        "Until the rods are stretched they carry almost no force: the tip falls freely, and is thrown back at\n"
        "t = 0.746 s; for m1 to 0 as by an impact with e = 1 on the rope |x2| <= 2 l\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
};
