/* rope_limit.c -- a mass at the end of two rods joined by a small mass m1, which act like a rope. For m1 -> 0 the mass
 * flies freely inside a circle and rebounds from it with e = 1.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/rods.h"
#include <math.h>

enum { MASS_1 };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [MASS_1] = DLS_NUMBER("m1", "kg", "mass between the rods", 5e-4, 0, INFINITY, OPEN),
    {0},
};

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  return dls_rods_double_pendulum(self->name, (const double[]){p[MASS_1], 1, 1, 1, 9.81},
                                  (const double[]){1, 0, 1, 1}, out, err);
}

static void sketch(const double *p, const double *q, dls_sketch *out)
{
  (void)p;
  dls_rods_sketch_chain(2, q, 1, 0.06, out);
}

const dls_model dls_model_rope_limit = {
    .name = "rope-limit",
    .summary =
        "two rods with a small mass between them, nearly a rope: a smooth system with an impact in the limit",
    .source = "E. Lens & A. Cardona 2007, system (d), with a mass m1 that tends to zero",
    .equations =
        "lens-cardona-d with m2 = 1 kg, l = 1 m, g = 9.81 m/s^2; for m1 -> 0 the model rope with e = 1\n"
        "distance of (x2, y2) from it at t = 1 s: 3.5e-3, 4.9e-4, 6.4e-5, 8.0e-6 m for m1 = 5e-3 .. 5e-6 kg\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
};
