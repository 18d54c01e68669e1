/* lens_cardona_b.c -- the pendulum in Cartesian coordinates, y downward, with the rod as a joint.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/rods.h"
#include <math.h>

enum { MASS, LENGTH, GRAVITY, ANGLE };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [MASS] = DLS_NUMBER("m", "kg", "mass of the tip", 1, 0, INFINITY, OPEN),
    [LENGTH] = DLS_NUMBER("l", "m", "length of the massless rod", 1, 0, INFINITY, OPEN),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "gravity, along +y", 9.81, 0, INFINITY, OPEN),
    [ANGLE] = DLS_NUMBER("theta0", "rad", "initial angle from the lowest point, at rest", 1.5707963267948966,
                         -3.14, 3.14, 0),
    {0},
};

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const dls_status status = dls_rods_chain(self->name, 1, &p[LENGTH], &p[MASS], p[GRAVITY], NULL, out, err);
  if (status == DLS_OK) {
    (*out)->q0[0] = p[LENGTH] * sin(p[ANGLE]);
    (*out)->q0[1] = p[LENGTH] * cos(p[ANGLE]);
    (*out)->length = p[LENGTH];
    (*out)->time = sqrt(p[LENGTH] / p[GRAVITY]);
  }
  return status;
}

static void sketch(const double *p, const double *q, dls_sketch *out)
{
  dls_rods_sketch_chain(1, q, -1, 0.06 * p[LENGTH], out);
}

const dls_model dls_model_lens_cardona_b = {
    .name = "lens-cardona-b",
    .summary = "pendulum in (x, y) with its rod as a joint, y downward",
    .source = "E. Lens & A. Cardona 2007, section 3, system (b); g is not given there",
    .equations = "m x'' = (x/l) mu,   m y'' = m g + (y/l) mu,   V = -m g y\n"
                 "phi_0 = (x^2 + y^2 - l^2)/(2 l) = 0, so that mu is the thrust of the rod [N]\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
};
